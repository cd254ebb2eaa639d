/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-layout.c - layouts: the paper's figure and what follows from its text, what launchers' own
 * distributions are as layouts, different nodes against nested loops as the paper writes them, lists,
 * widths, toruses, and what is refused.
 */
#include "test.h"

enum { MOST_ROLES = 4096 };

static int32_t slot_of[MOST_ROLES];

static enum tmap_status lay_out(const struct tmap_tree *tree, const char *text, int32_t roles,
                                struct tmap_error *error)
{
    const struct tmap_layout layout = {.size = sizeof layout, .text = text};
    return tmap_mapping_lay_out(tree, &layout, roles, slot_of, error);
}

static void must_lay_out(const struct tmap_tree *tree, const char *text, int32_t roles)
{
    struct tmap_error error;
    assert_ok(lay_out(tree, text, roles, &error), &error);
}

/* Where the roles are, as text: "0:n0s0c0h0 1:n0s1c0h0"; each object by its number below its parent. */
static const char *where(const struct tmap_tree *tree, const char *letters, const int32_t *role)
{
    static char text[1024];
    size_t length = 0;
    text[0] = '\0';
    for (; *role >= 0; role++) {
        int32_t slot = slot_of[*role];
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%d:", length ? " " : "",
                                   (int)*role);
        for (int level = 1; letters[level - 1]; level++)
            length += (size_t)snprintf(
                text + length, sizeof text - length, "%c%d", letters[level - 1],
                (int)tmap_tree_position(tree, level, tmap_tree_ancestor(tree, slot, level)));
    }
    return text;
}

static void the_published_layouts_come_out(void **state)
{
    static const struct {
        const char *layout;
        int32_t role[9];
        const char *where;
    } cases[] = {
        /* figure 2 */
        {"scbnh",
         {0, 1, 2, 5, 6, 11, 12, 23, -1},
         "0:n0s0c0h0 1:n0s1c0h0 2:n0s0c1h0 5:n0s1c2h0 6:n1s0c0h0 11:n1s1c2h0 12:n0s0c0h1 "
         "23:n1s1c2h1"},
        {"sbnch",
         {0, 1, 2, 3, 4, 12, -1},
         "0:n0s0c0h0 1:n0s1c0h0 2:n1s0c0h0 3:n1s1c0h0 4:n0s0c1h0 12:n0s0c0h1"},
        {"hcsbn", {1, 6, 12, -1}, "1:n0s0c0h1 6:n0s1c0h0 12:n1s0c0h0"},
        {"ncsbh", {1, 2, 6, -1}, "1:n1s0c0h0 2:n0s0c1h0 6:n0s1c0h0"},
        {"by-slot", {1, 6, 12, -1}, "1:n0s0c0h1 6:n0s1c0h0 12:n1s0c0h0"},
        {"by-node", {1, 2, 6, -1}, "1:n1s0c0h0 2:n0s0c1h0 6:n0s1c0h0"},
        {"cnh",
         {0, 1, 2, 3, 5, 6, 12, -1},
         "0:n0s0c0h0 1:n0s0c1h0 2:n0s0c2h0 3:n0s1c0h0 5:n0s1c2h0 6:n1s0c0h0 12:n0s0c0h1"},
    };
    struct tmap_tree *tree = make_tree("node:2 package:2 core:3 pu:2");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        must_lay_out(tree, cases[i].layout, 24);
        assert_string_equal(where(tree, "nsch", cases[i].role), cases[i].where);
        assert_true(tmap_mapping_is_valid(tree, 24, slot_of));
    }
    tmap_tree_destroy(tree);
}

/* A tree with the usual names from the paths of its leaves. */
static struct tmap_tree *make_named(int32_t leaves, int depth, const char *const *names,
                                    const int32_t *path, const int32_t *capacity)
{
    struct tmap_level levels[TMAP_MAX_LEVELS];
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    memset(levels, 0, sizeof levels);
    for (int l = 0; l < depth; l++)
        snprintf(levels[l].name, sizeof levels[l].name, "%s", names[l]);
    assert_ok(
        tmap_tree_create_from_paths(&tree, leaves, depth, path, capacity, levels, NULL, &error),
        &error);
    return tree;
}

static void what_a_node_does_not_have_is_skipped(void **state)
{
    /* n0 has two packages of three cores, n1 one of two cores with two threads each */
    static const char *const names[] = {"node", "package", "core", "pu"};
    static const int32_t path[] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 1, 1, 0,
                                   0, 1, 2, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1};
    static const int32_t roles[] = {0, 5, 6, 7, 8, 9, -1};
    struct tmap_tree *tree = make_named(10, 4, names, path, NULL);
    (void)state;
    must_lay_out(tree, "scnh", 10);
    assert_string_equal(where(tree, "nsch", roles),
                        "0:n0s0c0h0 5:n0s1c2h0 6:n1s0c0h0 7:n1s0c1h0 8:n1s0c0h1 9:n1s0c1h1");
    tmap_tree_destroy(tree);
}

/* ---- the distributions of launchers ---- */

enum { NODES = 3, PACKAGES = 2, CORES = 4, ON_NODE = PACKAGES * CORES };

static int32_t slot_at(int node, int package, int core)
{
    return (node * PACKAGES + package) * CORES + core;
}

/* srun --distribution=NODES:PACKAGES. */
static int32_t by_slurm(int role, int cyclic_nodes, int cyclic_packages)
{
    int node = cyclic_nodes ? role % NODES : role / ON_NODE;
    int on_node = cyclic_nodes ? role / NODES : role % ON_NODE;
    int package = cyclic_packages ? on_node % PACKAGES : on_node / CORES;
    return slot_at(node, package, cyclic_packages ? on_node / PACKAGES : on_node % CORES);
}

/* srun --distribution=plane=SIZE: so many to a node, and then to the next one. */
static int32_t by_plane(int role, int size)
{
    int plane = role / size;
    return plane % NODES * ON_NODE + plane / NODES * size + role % size;
}

static void distributions_of_launchers_are_layouts(void **state)
{
    static const char *const layouts[] = {"csn", "scn", "ncs", "nsc"};
    struct tmap_tree *tree = make_tree("node:3 package:2 core:4");
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        must_lay_out(tree, layouts[kind], NODES * ON_NODE);
        for (int role = 0; role < NODES * ON_NODE; role++)
            assert_int_equal(slot_of[role], by_slurm(role, kind / 2, kind % 2));
    }
    must_lay_out(tree, "cns", NODES * ON_NODE); /* a package at a time */
    for (int role = 0; role < NODES * ON_NODE; role++)
        assert_int_equal(slot_of[role], by_plane(role, CORES));
    must_lay_out(tree, "Tn", NODES * ON_NODE); /* by slot */
    for (int role = 0; role < NODES * ON_NODE; role++)
        assert_int_equal(slot_of[role], role);
    tmap_tree_destroy(tree);
}

static void blue_genes_orders_are_layouts(void **state)
{
    struct tmap_tree *tree = make_tree("torus:4x3x2 core:4");
    (void)state;
    must_lay_out(tree, "XYZT", 96);
    for (int role = 0; role < 96; role++) {
        int x = role % 4, y = role / 4 % 3, z = role / 12 % 2;
        assert_int_equal(slot_of[role], ((x * 3 + y) * 2 + z) * 4 + role / 24);
    }
    must_lay_out(tree, "TZYX", 96);
    for (int role = 0; role < 96; role++)
        assert_int_equal(slot_of[role], role);
    must_lay_out(tree, "CcAB", 96); /* BlueGene/Q */
    for (int role = 0; role < 96; role++) {
        int z = role % 2, core = role / 2 % 4, x = role / 8 % 4, y = role / 32;
        assert_int_equal(slot_of[role], ((x * 3 + y) * 2 + z) * 4 + core);
    }
    must_lay_out(tree, "nc", 96);
    for (int role = 0; role < 96; role++)
        assert_int_equal(slot_of[role], role % 24 * 4 + role / 24);
    tmap_tree_destroy(tree);
}

static void positions_count_where_nodes_of_a_torus_are_missing(void **state)
{
    /* nodes at (0,1), (1,0) and (1,1) of a torus of 2 x 2 */
    static const char *const names[] = {"node", "core"};
    static const int32_t path[] = {0, 0, 1, 0, 2, 0}, position[] = {1, 2, 3};
    const struct tmap_shape shape = {
        .size = sizeof shape, .kind = TMAP_SHAPE_TORUS, .dimensions = 2, .extent = {2, 2}};
    struct tmap_tree *plain = make_named(3, 2, names, path, NULL), *tree = NULL;
    struct tmap_error error;
    (void)state;
    assert_ok(tmap_tree_copy_with_shape(&tree, plain, 0, &shape, position, &error), &error);
    must_lay_out(tree, "XYT", 3); /* (1,0) (0,1) (1,1) */
    assert_int_equal(slot_of[0], 1);
    assert_int_equal(slot_of[1], 0);
    assert_int_equal(slot_of[2], 2);
    tmap_tree_destroy(tree);
    tmap_tree_destroy(plain);
}

static void switches_are_counted_from_the_nodes(void **state)
{
    struct tmap_tree *tree = make_tree("switch:2 switch:3 node:2 core:2");
    (void)state;
    must_lay_out(tree, "S2SnT", 24);
    for (int role = 0; role < 24; role++)
        assert_int_equal(slot_of[role],
                         ((role % 2 * 3 + role / 2 % 3) * 2 + role / 6 % 2) * 2 + role / 12);
    tmap_tree_destroy(tree);
}

/* ---- against nested loops ---- */

enum { KINDS = 6, MOST_LEAVES = 32 };
static const char *const kinds[KINDS] = {"node", "package", "numa", "l3", "core", "pu"};
static const char *const letters[KINDS] = {"n", "s", "N", "L3", "c", "h"};

struct machine {
    struct tmap_tree *tree;
    int depth, kind[KINDS]; /* of each level */
    int32_t leaves;
    unsigned char closed[MOST_LEAVES];
};

static struct machine random_machine(struct tmap_random *random)
{
    struct machine m = {.leaves = 1};
    int32_t path[MOST_LEAVES * KINDS] = {0}, capacity[MOST_LEAVES];
    const char *names[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        if (tmap_random_below(random, 3) || kind == 4) {
            names[m.depth] = kinds[kind];
            m.kind[m.depth++] = kind;
        }
    for (int l = 0; l < m.depth; l++)
        for (int32_t o = 0, objects = m.leaves; o < objects; o++)
            for (int32_t more = (int32_t)tmap_random_below(random, 3), c = 1; c <= more; c++) {
                if (m.leaves == MOST_LEAVES)
                    break;
                memcpy(path + m.leaves * m.depth, path + o * m.depth,
                       sizeof *path * (size_t)m.depth);
                memset(path + m.leaves * m.depth + l, 0, sizeof *path * (size_t)(m.depth - l));
                path[m.leaves++ * m.depth + l] = c;
            }
    for (int32_t i = 0; i < m.leaves; i++) {
        capacity[i] = (int32_t)tmap_random_below(random, 3);
        m.closed[i] = tmap_random_below(random, 5) == 0;
    }
    m.tree = make_named(m.leaves, m.depth, names, path, capacity);
    return m;
}

/* The number of a slot's object at `level` among all objects there below its object at `parent`. */
static int32_t number_below(const struct tmap_tree *tree, int32_t slot, int level, int parent)
{
    int32_t least = tmap_tree_ancestor(tree, slot, level);
    for (int32_t s = 0; s < slot; s++)
        if (tmap_tree_ancestor(tree, s, parent) == tmap_tree_ancestor(tree, slot, parent) &&
            tmap_tree_ancestor(tree, s, level) < least)
            least = tmap_tree_ancestor(tree, s, level);
    return tmap_tree_ancestor(tree, slot, level) - least;
}

/* The paper's figure 1: loops over levels level[0] (innermost) ... level[loops - 1]. */
struct nest {
    const struct machine *machine;
    int loops, level[KINDS + 1], parent[KINDS + 1];
    int32_t number[KINDS + 1][MOST_LEAVES], width[KINDS + 1]; /* of each slot; of a loop */
    int32_t index[KINDS + 1], used[MOST_LEAVES], wanted[MOST_LEAVES + 1], roles, placed;
};

static void map_if_it_exists(struct nest *nest)
{
    const struct machine *m = nest->machine;
    for (int32_t slot = 0; slot < m->leaves; slot++) {
        int is_here = 1;
        for (int i = 0; i < nest->loops && is_here; i++)
            is_here = nest->number[i][slot] == nest->index[i];
        if (is_here && !m->closed[slot] &&
            nest->used[slot] < tmap_tree_slot_capacity(m->tree, slot)) {
            nest->used[slot]++;
            nest->wanted[nest->placed++] = slot;
        }
    }
}

static void inner_loop(struct nest *nest, int loop)
{
    for (int32_t i = 0; i < nest->width[loop] && nest->placed < nest->roles; i++) {
        nest->index[loop] = i;
        if (loop > 0)
            inner_loop(nest, loop - 1);
        else
            map_if_it_exists(nest);
    }
}

static void run_loops(struct nest *nest)
{
    for (int i = 0; i < nest->loops; i++)
        for (int32_t slot = 0; slot < nest->machine->leaves; slot++) {
            int32_t number =
                number_below(nest->machine->tree, slot, nest->level[i], nest->parent[i]);
            nest->number[i][slot] = number;
            nest->width[i] = number + 1 > nest->width[i] ? number + 1 : nest->width[i];
        }
    for (int32_t before = -1; nest->placed > before && nest->placed < nest->roles;) {
        before = nest->placed;
        inner_loop(nest, nest->loops - 1);
    }
}

/* Some of the machine's levels, and now and then one that it does not have, in any order; as text and
 * as loops. */
static void random_layout(struct tmap_random *random, struct nest *nest, char *text)
{
    const struct machine *m = nest->machine;
    int32_t order[KINDS] = {0, 1, 2, 3, 4, 5};
    int has_leaf = 0;
    text[0] = '\0';
    tmap_random_shuffle(random, order, KINDS);
    for (int i = 0; i < KINDS; i++) {
        int level = 0;
        for (int l = 0; l < m->depth; l++)
            level = m->kind[l] == order[i] ? l + 1 : level;
        if (order[i] == 5 && level == 0) /* h would be the leaves */
            continue;
        if (nest->loops && tmap_random_below(random, 4) == 0)
            continue;
        if (level)
            nest->level[nest->loops++] = level;
        has_leaf |= level == m->depth;
        strcat(text, letters[order[i]]);
    }
    if (!has_leaf && nest->loops)
        nest->level[nest->loops++] = m->depth;
    for (int i = 0; i < nest->loops; i++)
        for (int k = 0; k < nest->loops; k++)
            if (nest->level[k] < nest->level[i] && nest->level[k] > nest->parent[i])
                nest->parent[i] = nest->level[k];
}

static void different_machines_are_as_nested_loops_have_them(void **state)
{
    struct tmap_random random;
    int refused = 0, laid = 0;
    (void)state;
    tmap_random_init(&random, 18);
    for (int round = 0; round < rounds(1000); round++) {
        struct machine m = random_machine(&random);
        struct nest nest = {.machine = &m};
        struct tmap_error error;
        char text[32];
        random_layout(&random, &nest, text);
        nest.roles = 1 + (int32_t)tmap_random_below(&random, (uint32_t)m.leaves);
        run_loops(&nest);
        const struct tmap_layout layout = {.size = sizeof layout, .text = text, .closed = m.closed};
        enum tmap_status status =
            tmap_mapping_lay_out(m.tree, &layout, nest.roles, slot_of, &error);
        assert_int_equal(status, nest.placed < nest.roles ? TMAP_ENOSPACE : TMAP_OK);
        for (int32_t role = 0; status == TMAP_OK && role < nest.roles; role++)
            if (slot_of[role] != nest.wanted[role])
                fail_msg("round %d, layout %s: role %d on slot %d, not on %d", round, text,
                         (int)role, (int)slot_of[role], (int)nest.wanted[role]);
        refused += status != TMAP_OK;
        laid += status == TMAP_OK;
        tmap_tree_destroy(m.tree);
    }
    assert_true(refused > rounds(1000) / 20 && laid > rounds(1000) / 4);
}

static void large_trees_are_counted_through_alike(void **state)
{
    static const char *const layouts[] = {"scnh", "hcsn", "ncsh", "c:2,0:nh", "n:3-1:hcs"};
    static const int32_t arity[] = {4, 2, 3, 2}, wide[] = {4, 2, 3, 1 << 17};
    struct tmap_level levels[4];
    struct tmap_tree *small = NULL, *large = NULL;
    static int32_t wanted[2000];
    struct tmap_error error;
    (void)state;
    memset(levels, 0, sizeof levels);
    for (int l = 0; l < 4; l++)
        snprintf(levels[l].name, sizeof levels[l].name, "%s", kinds[l > 1 ? l + 2 : l]);
    assert_ok(tmap_tree_create_filled(&small, 4, wide, levels, &error), &error);
    assert_ok(tmap_tree_create_uniform(&large, 4, wide, levels, &error), &error);
    assert_non_null(small->capacity);
    assert_null(large->capacity);
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        must_lay_out(small, layouts[i], 2000);
        memcpy(wanted, slot_of, sizeof wanted);
        must_lay_out(large, layouts[i], 2000);
        assert_memory_equal(slot_of, wanted, sizeof wanted);
    }
    tmap_tree_destroy(small);
    tmap_tree_destroy(large);
    assert_ok(tmap_tree_create_uniform(&small, 4, arity, levels, &error), &error);
    assert_int_equal(lay_out(small, "n:3-1:hcs", 37, &error), TMAP_ENOSPACE);
    tmap_tree_destroy(small);
}

/* ---- lists, room, widths ---- */

static void lists_say_the_order_of_a_level(void **state)
{
    static const struct {
        const char *layout;
        int32_t roles, slots[9];
    } cases[] = {
        {"n:2,0-1:c", 6, {4, 0, 2, 5, 1, 3}},
        {"cn:2-0:", 6, {4, 5, 2, 3, 0, 1}},
        {"c:1:n", 3, {1, 3, 5}},
        {"n:9-1:c:1,0,7:", 4, {5, 3, 4, 2}},
    };
    struct tmap_tree *tree = make_tree("node:3 core:2");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        must_lay_out(tree, cases[i].layout, cases[i].roles);
        assert_memory_equal(slot_of, cases[i].slots, sizeof *slot_of * (size_t)cases[i].roles);
    }
    tmap_tree_destroy(tree);
}

static void more_roles_than_slots_only_if_that_is_asked_for(void **state)
{
    static const int32_t all[] = {0, 2, 1, 3, 0, 2, 1, 3, 0};
    static const unsigned char closed[] = {1, 0, 0, 0}, none[] = {1, 1, 1, 1};
    static const int32_t open[] = {2, 1, 3, 2, 1, 3, 2};
    struct tmap_layout layout = {.size = sizeof layout, .text = "nc", .oversubscribe = 1};
    struct tmap_tree *tree = make_tree("node:2 core:2");
    struct tmap_error error;
    (void)state;
    slot_of[0] = 77;
    assert_int_equal(lay_out(tree, "nc", 5, &error), TMAP_ENOSPACE);
    assert_string_equal(error.text, "layout 'nc': no slot is left for role 4 of 5");
    assert_int_equal(slot_of[0], 77); /* nothing is assigned */
    assert_ok(tmap_mapping_lay_out(tree, &layout, 9, slot_of, &error), &error);
    assert_memory_equal(slot_of, all, sizeof all);
    layout.closed = closed;
    assert_ok(tmap_mapping_lay_out(tree, &layout, 7, slot_of, &error), &error);
    assert_memory_equal(slot_of, open, sizeof open);
    layout.closed = none; /* where the paper's loop does not end */
    assert_int_equal(tmap_mapping_lay_out(tree, &layout, 1, slot_of, &error), TMAP_ENOSPACE);
    must_lay_out(tree, "nc", 0);
    tmap_tree_destroy(tree);
}

static void wide_roles_do_not_share(void **state)
{
    static const struct {
        const char *tree, *layout;
        int32_t width;
        int level;
        int32_t roles, slots[9];
    } cases[] = {
        {"node:2 package:2 core:4", "scn", 2, 3, 8, {0, 4, 2, 6, 8, 12, 10, 14}},
        {"node:2 package:2 core:3", "csn", 2, 3, 6, {0, 2, 4, 6, 8, 10}}, /* across packages */
        {"node:2 package:2 core:3", "scn", 2, 3, 4, {0, 3, 6, 9}},        /* not across nodes */
        {"node:2 package:2 core:2 pu:2", "cnh", 2, 3, 8, {0, 4, 8, 12, 1, 5, 9, 13}},
        {"node:2 package:2 core:2", "cns", 2, 2, 4, {0, 1, 4, 5}}, /* whole nodes */
        {"4 2", "T", 3, 1, 2, {0, 1}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tmap_tree *tree = make_tree(cases[i].tree);
        const struct tmap_layout layout = {.size = sizeof layout,
                                           .text = cases[i].layout,
                                           .width = cases[i].width,
                                           .width_level = cases[i].level};
        struct tmap_error error;
        assert_ok(tmap_mapping_lay_out(tree, &layout, cases[i].roles, slot_of, &error), &error);
        assert_memory_equal(slot_of, cases[i].slots, sizeof *slot_of * (size_t)cases[i].roles);
        assert_int_equal(tmap_mapping_lay_out(tree, &layout, cases[i].roles + 1, slot_of, &error),
                         TMAP_ENOSPACE);
        tmap_tree_destroy(tree);
    }
}

/* ---- what is refused ---- */

static void bad_layouts_are_refused_with_the_place(void **state)
{
    static const struct {
        const char *tree, *layout;
        enum tmap_status status;
        const char *text;
    } cases[] = {
        {"node:2 core:2", "", TMAP_ESYNTAX, "a layout has at least one letter, like scbnh"},
        {"node:2 core:2", "ncxs", TMAP_ESYNTAX,
         "layout 'ncxs', character 3: 'x' is no level: n b s c h N L1 L2 L3 d g S1 S2 S3 S4 S X Y "
         "Z A "
         "B C D E T"},
        {"node:2 core:2", "nL4", TMAP_ESYNTAX, "layout 'nL4', character 2: 'L' is no level:"},
        {"node:2 core:2", "n\n", TMAP_ESYNTAX, "layout 'n?', character 2: '?' is no level:"},
        {"node:2 core:2", "scbs", TMAP_ESYNTAX,
         "layout 'scbs', character 4: 's' was there already, at 1"},
        {"node:2 core:2", "L2cL2", TMAP_ESYNTAX,
         "layout 'L2cL2', character 4: 'L2' was there already, at 1"},
        {"switch:2 node:2", "SnS1", TMAP_ESYNTAX,
         "layout 'SnS1', character 3: 'S1' was there already, at 1"},
        {"torus:2x2", "XYA", TMAP_ESYNTAX,
         "layout 'XYA', character 3: 'A' was there already, at 1"},
        {"node:2 core:2", "bL1s", TMAP_EINVAL,
         "layout 'bL1s', character 1: no level is left, the machine has only node core"},
        {"node:2 core:2", "cT", TMAP_EINVAL,
         "layout 'cT', character 2: 'T' is the same level as 'c' here"},
        {"torus:4x4x4", "XYZn", TMAP_EINVAL,
         "layout 'XYZn', character 4: 'n' is the same level as 'X' here"},
        {"torus:4x4x4 core:2", "TXZ", TMAP_EINVAL,
         "layout 'TXZ', character 2: dimension 2 of 3 has no letter, and all or none need one"},
        {"node:2 core:2", "n:c", TMAP_ESYNTAX,
         "layout 'n:c', character 3: a list of numbers like :3,0-2: is expected"},
        {"node:2 core:2", "n:1,:c", TMAP_ESYNTAX,
         "layout 'n:1,:c', character 5: a list of numbers like :3,0-2: is expected"},
        {"node:2 core:2", "n:1-2-3:c", TMAP_ESYNTAX,
         "layout 'n:1-2-3:c', character 6: the list must end with a colon"},
        {"node:2 core:2", "n:1c", TMAP_ESYNTAX,
         "layout 'n:1c', character 4: the list must end with a colon"},
        {"node:2 core:2", "n:0,4294967296:c", TMAP_ESYNTAX,
         "layout 'n:0,4294967296:c', character 5: a list of numbers like :3,0-2: is expected"},
        {"node:2 core:2", "n:0-1,1:c", TMAP_EINVAL,
         "layout 'n:0-1,1:c', character 3: the list has 1 twice"},
        {"node:2 core:2", "n:5:c", TMAP_ENOSPACE,
         "layout 'n:5:c': no slot is left for role 0 of 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tmap_tree *tree = make_tree(cases[i].tree);
        struct tmap_error error = {""};
        assert_int_equal(lay_out(tree, cases[i].layout, 1, &error), cases[i].status);
        if (strncmp(error.text, cases[i].text, strlen(cases[i].text)) != 0)
            fail_msg("layout %s: %s\nexpected: %s", cases[i].layout, error.text, cases[i].text);
        tmap_tree_destroy(tree);
    }
}

static void bad_arguments_are_refused(void **state)
{
    struct {
        struct tmap_layout known;
        int64_t future;
    } newer = {.known = {.size = sizeof newer, .text = "nc"}, .future = 1};
    struct tmap_layout layout = {.text = "nc"};
    struct tmap_tree *tree = make_tree("node:2 core:2"), *large = make_tree("node:4 core:1048576");
    static const unsigned char closed[1];
    (void)state;
    assert_int_equal(tmap_mapping_lay_out(tree, &layout, 1, slot_of, NULL), TMAP_EINVAL);
    layout.size = sizeof layout;
    assert_int_equal(tmap_mapping_lay_out(tree, &layout, -1, slot_of, NULL), TMAP_EINVAL);
    layout.width = 2;
    assert_int_equal(tmap_mapping_lay_out(tree, &layout, 1, slot_of, NULL), TMAP_EINVAL);
    layout.width_level = 3;
    assert_int_equal(tmap_mapping_lay_out(tree, &layout, 1, slot_of, NULL), TMAP_EINVAL);
    layout.width_level = 1;
    assert_int_equal(tmap_mapping_lay_out(large, &layout, 1, slot_of, NULL), TMAP_ENOTSUP);
    layout.width = 0;
    layout.closed = closed;
    assert_int_equal(tmap_mapping_lay_out(large, &layout, 1, slot_of, NULL), TMAP_ENOTSUP);
    layout.closed = NULL;
    layout.reserved = 1;
    assert_int_equal(tmap_mapping_lay_out(tree, &layout, 1, slot_of, NULL), TMAP_ENOTSUP);
    layout.reserved = 0;
    layout.text = NULL;
    assert_int_equal(tmap_mapping_lay_out(tree, &layout, 1, slot_of, NULL), TMAP_EINVAL);
    assert_int_equal(tmap_mapping_lay_out(tree, &newer.known, 1, slot_of, NULL), TMAP_ENOTSUP);
    tmap_tree_destroy(tree);
    tmap_tree_destroy(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_layouts_come_out),
        cmocka_unit_test(what_a_node_does_not_have_is_skipped),
        cmocka_unit_test(distributions_of_launchers_are_layouts),
        cmocka_unit_test(blue_genes_orders_are_layouts),
        cmocka_unit_test(positions_count_where_nodes_of_a_torus_are_missing),
        cmocka_unit_test(switches_are_counted_from_the_nodes),
        cmocka_unit_test(different_machines_are_as_nested_loops_have_them),
        cmocka_unit_test(large_trees_are_counted_through_alike),
        cmocka_unit_test(lists_say_the_order_of_a_level),
        cmocka_unit_test(more_roles_than_slots_only_if_that_is_asked_for),
        cmocka_unit_test(wide_roles_do_not_share),
        cmocka_unit_test(bad_layouts_are_refused_with_the_place),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
