/* SPDX-License-Identifier: BSD-3-Clause */
/* test-regular-words.c - which options of launchers are a layout, where these options put ranks, and the
 * cheapest one. */
#include "tmap/test.h"

#include "regular/regular-words.h"

static struct tmap_matrix *make_ring(int32_t roles, int32_t stride)
{
    struct entries entries = {NULL, 0, 0};
    for (int32_t i = 0; i < roles; i++)
        add_entry(&entries, i, (i + stride) % roles, 10);
    return make_matrix(roles, &entries);
}

/* The words of a layout, into `words`; "-": none. */
static void find_words(const char *text, int32_t ranks, const char *layout,
                       enum launcher_family family, char *words)
{
    struct tmap_tree *tree = make_tree(text);
    struct tmap_matrix *matrix = make_ring(ranks, 1);
    struct regular_layouts layouts;
    struct regular_machine machine;
    struct regular_words found;
    struct reseat_error error;
    strcpy(words, "no such layout");
    if (regular_layouts_find(&layouts, matrix, tree, &error) ||
        regular_machine_open(&machine, tree, &error) ||
        regular_words_find(&found, &layouts, &machine, ranks, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < layouts.count; i++)
        if (strcmp(layouts.layout[i].text, layout) == 0)
            strcpy(words, found.words[i][family] ? found.words[i][family] : "-");
    regular_words_free(&found);
    regular_machine_close(&machine);
    regular_layouts_free(&layouts);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

struct saying {
    const char *tree;
    int32_t ranks;
    const char *layout;
    enum launcher_family family;
    const char *words;
};

#define SMALL "node:2 package:2 core:2"
#define OPENMPI LAUNCHER_FAMILY_OPENMPI
#define OPENMPI5 LAUNCHER_FAMILY_OPENMPI5
#define HYDRA LAUNCHER_FAMILY_HYDRA
#define SRUN LAUNCHER_FAMILY_SRUN
#define CRAY LAUNCHER_FAMILY_CRAY
#define FLUX LAUNCHER_FAMILY_FLUX
#define JSRUN LAUNCHER_FAMILY_JSRUN

static const struct saying sayings[] = {
    {SMALL, 8, "csn", OPENMPI, "--map-by core --rank-by slot --bind-to core"},
    {SMALL, 8, "csn", OPENMPI5, "--map-by core --rank-by slot --bind-to core"},
    {SMALL, 8, "csn", HYDRA, "-ppn 4 -bind-to core"},
    {SMALL, 8, "csn", SRUN, "--distribution=block:block --cpu-bind=cores"},
    {SMALL, 8, "csn", CRAY, "MPICH_RANK_REORDER_METHOD=1"},
    {SMALL, 8, "csn", FLUX, "--taskmap=block -o cpu-affinity=per-task"},
    {SMALL, 8, "csn", JSRUN, "-r 1 -a 4 -c ALL_CPUS -d packed -b packed:1"},

    {SMALL, 8, "ncs", OPENMPI, "--map-by node --rank-by node --bind-to core"},
    {SMALL, 8, "ncs", OPENMPI5, "--map-by node --rank-by node --bind-to core"},
    {SMALL, 8, "ncs", HYDRA, "-ppn 1 -bind-to core"},
    {SMALL, 8, "ncs", SRUN, "--distribution=cyclic:block --cpu-bind=cores"},
    {SMALL, 8, "ncs", CRAY, "MPICH_RANK_REORDER_METHOD=0"},
    {SMALL, 8, "ncs", FLUX, "--taskmap=cyclic:1 -o cpu-affinity=per-task"},
    {SMALL, 8, "ncs", JSRUN, "-r 1 -a 4 -c ALL_CPUS -d plane:1 -b packed:1"},

    {SMALL, 8, "scn", OPENMPI, "--map-by socket --rank-by slot --bind-to core"},
    {SMALL, 8, "scn", OPENMPI5, "--map-by package --rank-by slot --bind-to core"},
    {SMALL, 8, "scn", HYDRA, "-ppn 4 -bind-to core -map-by socket"},
    {SMALL, 8, "scn", SRUN, "--distribution=block:cyclic --cpu-bind=cores"},
    {SMALL, 8, "scn", CRAY, "-"},
    {SMALL, 8, "scn", FLUX, "-"},
    {SMALL, 8, "scn", JSRUN, "-"},

    {SMALL, 8, "nsc", OPENMPI, "--map-by socket --rank-by node --bind-to core"},
    {SMALL, 8, "nsc", HYDRA, "-ppn 1 -bind-to core -map-by socket"},
    {SMALL, 8, "nsc", SRUN, "--distribution=cyclic:cyclic --cpu-bind=cores"},

    {SMALL, 8, "snc", OPENMPI, "--map-by socket --rank-by socket:span --bind-to core"},
    {SMALL, 8, "snc", OPENMPI5, "--map-by package --rank-by span --bind-to core"},
    {SMALL, 8, "snc", HYDRA, "-ppn 2 -bind-to core -map-by socket"},
    {SMALL, 8, "snc", SRUN, "-"},

    /* Each pass over the two sockets of each host takes the next two processes there, wherever they are bound. */
    {SMALL, 8, "cns", OPENMPI, "--map-by slot --rank-by socket:span --bind-to core"},
    {SMALL, 8, "cns", OPENMPI5, "-"},
    {SMALL, 8, "cns", HYDRA, "-ppn 2 -bind-to core"},
    {SMALL, 8, "cns", SRUN, "--distribution=plane=2 --cpu-bind=cores"},
    {SMALL, 8, "cns", FLUX, "--taskmap=cyclic:2 -o cpu-affinity=per-task"},
    {SMALL, 8, "cns", JSRUN, "-r 1 -a 4 -c ALL_CPUS -d plane:2 -b packed:1"},

    /* Two kinds of objects at once: Open MPI 4 maps by one and ranks by the other. */
    {"node:2 package:2 l3:2 core:2", 16, "L3csn", OPENMPI,
     "--map-by L3cache --rank-by socket:fill --bind-to core"},
    {"node:2 package:2 l3:2 core:2", 16, "sL3cn", OPENMPI,
     "--map-by L3cache --rank-by socket --bind-to core"},
    {"node:2 package:2 l3:2 core:2", 16, "sL3cn", OPENMPI5, "-"},
    {"node:2 package:2 l3:2 core:2", 16, "L3scn", OPENMPI,
     "--map-by L3cache --rank-by slot --bind-to core"},
    {"node:2 package:2 l3:2 core:2", 16, "scL3n", HYDRA, "-ppn 8 -bind-to core -map-by socket"},

    /* Slots that are threads, or no objects that ranks can be bound to. */
    {"node:2 core:2 pu:2", 8, "hcn", OPENMPI,
     "--map-by hwthread --rank-by slot --use-hwthread-cpus --bind-to hwthread"},
    {"node:2 core:2 pu:2", 8, "chn", OPENMPI5,
     "--map-by core:hwtcpus --rank-by slot --bind-to hwthread"},
    {"node:2 core:2 pu:2", 8, "chn", HYDRA, "-ppn 4 -bind-to hwthread -map-by core"},
    {"node:2 core:2 pu:2", 8, "hcn", SRUN, "--distribution=block:block --cpu-bind=threads"},
    {"node:2 core:2 pu:2", 8, "hcn", CRAY, "-"},
    {"node:2 board:4", 8, "nb", OPENMPI, "--map-by node --rank-by node"},
    {"node:2 board:4", 8, "nb", SRUN, "--distribution=cyclic"},
    {"node:2 board:4", 8, "nb", HYDRA, "-ppn 1"},
    {"node:2 board:4", 8, "nb", CRAY, "MPICH_RANK_REORDER_METHOD=0"},

    /* Fewer ranks than slots: where ranks sit with srun depends on more than its options. */
    {SMALL, 4, "scn", OPENMPI, "--map-by socket --rank-by slot --bind-to core"},
    {SMALL, 4, "nsc", OPENMPI, "--map-by socket:span --rank-by node --bind-to core"},
    {SMALL, 4, "nsc", HYDRA, "-ppn 1 -bind-to core -map-by socket"},
    {SMALL, 4, "nsc", SRUN, "-"},

    /* One machine is one host; the levels above nodes are no launcher's. */
    {"package:2 core:2", 4, "sc", OPENMPI, "--map-by socket --rank-by slot --bind-to core"},
    {"switch:2 node:2 core:2", 8, "nS1c", OPENMPI, "--map-by node --rank-by node --bind-to core"},
    {"switch:2 node:2 core:2", 8, "S1nc", OPENMPI, "-"},
};

static void options_say_layouts(void **state)
{
    char words[LAUNCHER_WORDS];
    (void)state;
    for (size_t i = 0; i < sizeof sayings / sizeof sayings[0]; i++) {
        const struct saying *saying = &sayings[i];
        find_words(saying->tree, saying->ranks, saying->layout, saying->family, words);
        if (strcmp(words, saying->words) != 0)
            fail_msg("%s, %d ranks, %s of %s: expected '%s', got '%s'", saying->layout,
                     (int)saying->ranks, launcher_family_name(saying->family), saying->tree,
                     saying->words, words);
    }
}

/* ---- each option puts each rank on a slot of its own ---- */

struct seen {
    int32_t slots, ranks;
    size_t options;
    unsigned char *is_used;
};

static void see_option(void *context, const char *words, const int32_t *slot_of)
{
    struct seen *seen = context;
    memset(seen->is_used, 0, (size_t)seen->slots);
    seen->options++;
    assert_true(strlen(words) < LAUNCHER_WORDS - 1);
    for (int32_t rank = 0; rank < seen->ranks; rank++) {
        if (slot_of[rank] < 0 || slot_of[rank] >= seen->slots || seen->is_used[slot_of[rank]])
            fail_msg("%s: rank %d is on slot %d", words, (int)rank, (int)slot_of[rank]);
        seen->is_used[slot_of[rank]] = 1;
    }
}

/* Nodes, packages and cores, of which some are missing. */
static struct tmap_tree *make_uneven(struct tmap_random *random)
{
    static const char *const names[] = {"node", "package", "core"};
    struct tmap_level level[3];
    int32_t path[48][3], leaves = 0;
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    for (int l = 0; l < 3; l++) {
        level[l] = (struct tmap_level){.cost = 1};
        strcpy(level[l].name, names[l]);
    }
    for (int32_t i = 0; i < 48; i++)
        if (leaves == 0 || tmap_random_below(random, 3) > 0) {
            path[leaves][2] = i % 4;
            path[leaves][1] = i / 4 % 3;
            path[leaves++][0] = i / 12;
        }
    assert_ok(tmap_tree_create_from_paths(&tree, leaves, 3, path[0], NULL, level, NULL, &error),
              &error);
    return tree;
}

static void visit_all(const struct tmap_tree *tree, int32_t ranks, size_t *options)
{
    struct regular_machine machine;
    struct reseat_error error;
    struct seen seen = {.slots = tmap_tree_slots(tree), .ranks = ranks};
    seen.is_used = malloc((size_t)seen.slots);
    assert_non_null(seen.is_used);
    assert_int_equal(regular_machine_open(&machine, tree, &error), 0);
    for (int family = 0; family < LAUNCHER_FAMILIES; family++)
        assert_int_equal(launcher_visit_options((enum launcher_family)family, &machine.machine,
                                                ranks, see_option, &seen),
                         0);
    *options += seen.options;
    regular_machine_close(&machine);
    free(seen.is_used);
}

static void no_two_ranks_share_a_slot(void **state)
{
    static const char *const trees[] = {"node:3 package:2 core:2 pu:2",
                                        "node:2 numa:2 l3:3 core:2",
                                        "core:5",
                                        "node:7",
                                        "package:2 core:1",
                                        "3 4"};
    struct tmap_random random;
    size_t options = 0;
    (void)state;
    tmap_random_init(&random, 5);
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++) {
        struct tmap_tree *tree = make_tree(trees[i]);
        for (int32_t ranks = 1; ranks <= tmap_tree_slots(tree); ranks++)
            visit_all(tree, ranks, &options);
        tmap_tree_destroy(tree);
    }
    for (int round = 0; round < rounds(20); round++) {
        struct tmap_tree *tree = make_uneven(&random);
        visit_all(tree, tmap_tree_slots(tree), &options);
        visit_all(tree, 1 + tmap_tree_slots(tree) / 2, &options);
        tmap_tree_destroy(tree);
    }
    assert_true(options > 1000);
}

static void slots_of_several_roles_have_no_words(void **state)
{
    static const int32_t path[2] = {0, 1}, capacity[2] = {2, 2};
    struct tmap_tree *tree = NULL;
    struct tmap_error why;
    struct reseat_error error;
    struct regular_machine machine;
    (void)state;
    assert_ok(tmap_tree_create_from_paths(&tree, 2, 1, path, capacity, NULL, NULL, &why), &why);
    assert_int_equal(regular_machine_open(&machine, tree, &error), 0);
    assert_int_equal(machine.machine.slots, 0);
    regular_machine_close(&machine);
    tmap_tree_destroy(tree);
}

/* ---- what a job used, and the cheapest option ---- */

/* Two hosts of four ranks each, dealt in turn; the second host of the tree has rank 0. Ranks talk with the
 * next but one: in blocks that is a host more often. */
static void only_hosts_count_in_a_launch(void **state)
{
    static const int32_t launch[8] = {4, 0, 6, 2, 5, 1, 7, 3};
    struct tmap_tree *tree = make_tree("node:2 core:4");
    struct tmap_matrix *matrix = make_ring(8, 1);
    struct regular_machine machine;
    struct regular_option option;
    struct reseat_error error;
    (void)state;
    assert_int_equal(regular_machine_open_launch(&machine, tree, launch, 8, &error), 0);
    assert_int_equal(machine.machine.nodes, 2);
    assert_int_equal(machine.machine.slot, LAUNCHER_UNITS);
    static const int32_t expected[8] = {4, 6, 5, 7, 0, 2, 1, 3};
    assert_memory_equal(machine.slot_at, expected, sizeof expected);
    assert_int_equal(regular_option_find(&option, SRUN, &machine, matrix, tree), 1);
    assert_string_equal(option.words, "--distribution=block");
    assert_int_equal(regular_option_find(&option, OPENMPI, &machine, matrix, tree), 1);
    assert_string_equal(option.words, "--map-by slot --rank-by slot");
    regular_machine_close(&machine);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

static long ancestors; /* looked up */
int32_t __real_tmap_tree_ancestor(const struct tmap_tree *tree, int32_t slot, int level);
int32_t __wrap_tmap_tree_ancestor(const struct tmap_tree *tree, int32_t slot, int level);

int32_t __wrap_tmap_tree_ancestor(const struct tmap_tree *tree, int32_t slot, int level)
{
    ancestors++;
    return __real_tmap_tree_ancestor(tree, slot, level);
}

/* As many hosts as ranks, the last one first. */
static void many_hosts_of_a_launch_are_numbered_at_once(void **state)
{
    enum { HOSTS = 4000 };
    static int32_t launch[HOSTS];
    struct tmap_tree *tree = make_tree("node:4000 core:2");
    struct regular_machine machine;
    struct reseat_error error;
    (void)state;
    for (int32_t rank = 0; rank < HOSTS; rank++)
        launch[rank] = 2 * (HOSTS - 1 - rank);
    ancestors = 0;
    assert_int_equal(regular_machine_open_launch(&machine, tree, launch, HOSTS, &error), 0);
    assert_in_range(ancestors, 1, 3 * HOSTS);
    assert_int_equal(machine.machine.nodes, HOSTS);
    assert_int_equal(machine.machine.slots, HOSTS);
    assert_memory_equal(machine.slot_at, launch, sizeof launch);
    for (int32_t rank = 0; rank < HOSTS; rank++)
        assert_int_equal(machine.machine.object_of[LAUNCHER_UNIT_NODE][rank], rank);
    regular_machine_close(&machine);
    tmap_tree_destroy(tree);
}

static void the_cheapest_option_wins(void **state)
{
    struct tmap_tree *tree = make_tree("node:2 package:2 core:2");
    struct tmap_matrix *matrix = make_ring(8, 2); /* even ranks talk, and odd ones */
    struct regular_machine machine;
    struct regular_option option;
    struct reseat_error error;
    (void)state;
    assert_int_equal(regular_machine_open(&machine, tree, &error), 0);
    assert_int_equal(regular_option_find(&option, CRAY, &machine, matrix, tree), 1);
    assert_string_equal(option.words, "MPICH_RANK_REORDER_METHOD=0");
    regular_machine_close(&machine);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_say_layouts),
        cmocka_unit_test(no_two_ranks_share_a_slot),
        cmocka_unit_test(slots_of_several_roles_have_no_words),
        cmocka_unit_test(only_hosts_count_in_a_launch),
        cmocka_unit_test(many_hosts_of_a_launch_are_numbered_at_once),
        cmocka_unit_test(the_cheapest_option_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
