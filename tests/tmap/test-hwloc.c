/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-hwloc.c - trees and places from hwloc: live, synthetic, XML, and what cannot be read;
 * bindings.
 */
#include "test.h"
#include "treematch/adapters/binding.h"
#include "treematch/adapters/slot-numbers.h"
#include "treematch/tmap-hwloc.h"

#include <hwloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static void synthetic_machines_make_trees(void **state)
{
    static const struct {
        const char *source;
        int cores_only;
        int depth;
        int32_t slots;
        const char *name[4];
        double cost[4];
    } cases[] = {
        {"pack:2 l3:2 core:4 pu:2", 0, 4, 32, {"package", "l3", "core", "pu"}, {10, 6, 4, 2}},
        {"pack:2 l3:2 core:4 pu:2", 1, 3, 16, {"package", "l3", "core"}, {10, 6, 4}},
        {"pack:1 core:4 pu:1", 0, 1, 4, {"pu"}, {6}},
        {"pack:2 l3:1 core:4 pu:1", 1, 2, 8, {"package", "core"}, {10, 4}},
        {"numa:4 core:2 pu:1", 1, 2, 8, {"numa", "core"}, {10, 6}},
        {"pu:4", 1, 1, 4, {"core"}, {6}},
        {"l3:2 l2:2 core:2 pu:1", 1, 3, 8, {"l3", "l2", "core"}, {6, 4, 3}},
        {"pu:1", 0, 1, 1, {"pu"}, {1}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_tree *tree = NULL;
        struct tmap_error error;
        assert_ok(tmap_tree_create_from_hwloc(&tree, cases[i].source, cases[i].cores_only, &error),
                  &error);
        assert_int_equal(tmap_tree_depth(tree), cases[i].depth);
        assert_int_equal(tmap_tree_slots(tree), cases[i].slots);
        assert_true(tmap_tree_is_uniform(tree));
        for (int l = 0; l < cases[i].depth; l++) {
            assert_string_equal(tmap_tree_level(tree, l)->name, cases[i].name[l]);
            if (tmap_tree_slots(tree) > 1 && tmap_tree_level(tree, l)->cost != cases[i].cost[l])
                fail_msg("%s, level %d: cost %g, expected %g", cases[i].source, l,
                         tmap_tree_level(tree, l)->cost, cases[i].cost[l]);
        }
        tmap_tree_destroy(tree);
    }
}

static void this_machine_has_a_tree_and_this_process_a_place(void **state)
{
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    struct tmap_place place;
    int bound = -1;
    (void)state;
    assert_ok(tmap_tree_create_from_hwloc(&tree, NULL, 0, &error), &error);
    assert_true(tmap_tree_slots(tree) >= sysconf(_SC_NPROCESSORS_ONLN));
    tmap_tree_destroy(tree);
    assert_ok(tmap_place_find_self(&place, &bound, &error), &error);
    assert_true(bound == 0 || bound == 1);
    for (int l = 0; l < TMAP_PLACE_LEVELS && !bound; l++)
        assert_int_equal(place.at[l], -1);
}

static void a_bound_process_knows_its_pu(void **state)
{
    hwloc_topology_t topology;
    struct tmap_error error;
    struct tmap_place place;
    int bound = -1;
    (void)state;
    hwloc_topology_init(&topology);
    hwloc_topology_load(topology);
    hwloc_bitmap_t before = hwloc_bitmap_alloc();
    hwloc_get_cpubind(topology, before, HWLOC_CPUBIND_PROCESS);
    hwloc_obj_t pu = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0);
    int alone = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU) == 1;
    if (alone || hwloc_set_cpubind(topology, pu->cpuset, HWLOC_CPUBIND_PROCESS) != 0) {
        hwloc_topology_destroy(topology);
        hwloc_bitmap_free(before);
        return; /* one PU, or none to be bound to: nothing to see */
    }
    assert_ok(tmap_place_find_self(&place, &bound, &error), &error);
    hwloc_set_cpubind(topology, before, HWLOC_CPUBIND_PROCESS);
    assert_int_equal(bound, 1);
    assert_true(place.at[TMAP_PLACE_PU] >= 0);
    assert_true(place.at[TMAP_PLACE_CORE] >= 0);
    hwloc_bitmap_free(before);
    hwloc_topology_destroy(topology);
}

/* What costs milliseconds is not asked for nothing, and the answer is the same. */
static void a_process_that_is_not_bound_needs_no_hwloc(void **state)
{
    struct tmap_error error;
    struct tmap_place fast, slow;
    int bound[2] = {-1, -1};
    (void)state;
    assert_ok(tmap_place_find_self(&fast, &bound[0], &error), &error);
    setenv("HWLOC_THISSYSTEM", "1", 1);
    assert_ok(tmap_place_find_self(&slow, &bound[1], &error), &error);
    unsetenv("HWLOC_THISSYSTEM");
    assert_int_equal(bound[0], bound[1]);
    assert_memory_equal(&fast, &slow, sizeof fast);
    if (bound[0])
        return;
    setenv("HWLOC_COMPONENTS", "stop", 1);
    int told = tmap_place_find_self(&slow, &bound[1], &error) == TMAP_OK;
    unsetenv("HWLOC_COMPONENTS");
    assert_false(told); /* whoever has told hwloc something gets hwloc's word */
}

/* Ours stands in front of libc's: hwloc calls it. */
static int bindings;
__attribute__((visibility("default"))) int sched_setaffinity(pid_t pid, size_t size,
                                                             const cpu_set_t *set)
{
    bindings++;
    return (int)syscall(SYS_sched_setaffinity, pid, size, set);
}

static void to_look_at_the_machine_moves_no_process(void **state)
{
    struct tmap_error error;
    struct tmap_place place;
    struct tmap_tree *tree = NULL;
    int bound = -1;
    (void)state;
    bindings = 0;
    assert_ok(tmap_place_find_self(&place, &bound, &error), &error);
    assert_ok(tmap_tree_create_from_hwloc(&tree, NULL, 1, &error), &error);
    tmap_tree_destroy(tree);
    assert_int_equal(bindings, 0);
}

static void a_process_on_another_machine_is_not_bound(void **state)
{
    struct tmap_error error;
    struct tmap_place place;
    int bound = -1;
    (void)state;
    setenv("HWLOC_SYNTHETIC", "pack:2 core:4 pu:1", 1);
    assert_ok(tmap_place_find_self(&place, &bound, &error), &error);
    unsetenv("HWLOC_SYNTHETIC");
    assert_int_equal(bound, 0);
    assert_int_equal(place.at[TMAP_PLACE_PACKAGE], -1);
}

static struct tmap_machine *read_machine(const char *source)
{
    struct tmap_machine *machine = NULL;
    struct tmap_error error;
    assert_ok(tmap_machine_create(&machine, source, &error), &error);
    assert_non_null(machine);
    return machine;
}

static void pus_have_places(void **state)
{
    struct tmap_machine *machine = read_machine("pack:2 l3:2 core:4 pu:2");
    struct tmap_error error;
    struct tmap_place place;
    (void)state;
    assert_ok(tmap_machine_find_pu(machine, 21, &place, &error), &error);
    assert_int_equal(place.at[TMAP_PLACE_PACKAGE], 1);
    assert_int_equal(place.at[TMAP_PLACE_L3], 2);
    assert_int_equal(place.at[TMAP_PLACE_L2], -1);
    assert_int_equal(place.at[TMAP_PLACE_CORE], 10);
    assert_int_equal(place.at[TMAP_PLACE_PU], 21);
    assert_int_equal(tmap_machine_find_pu(machine, 32, &place, &error), TMAP_EINVAL);
    assert_int_equal(tmap_machine_find_pu(machine, -1, &place, &error), TMAP_EINVAL);
    assert_int_equal(place.at[TMAP_PLACE_PU], 21);
    tmap_machine_destroy(machine);
}

static void sets_of_pus_have_the_place_that_covers_them(void **state)
{
    static const struct {
        const char *cpus;
        enum tmap_status status;
        int bound, package, l3, core, pu;
    } cases[] = {{"0", TMAP_OK, 1, 0, 0, 0, 0},         {"0-1", TMAP_OK, 1, 0, 0, 0, -1},
                 {"0-7", TMAP_OK, 1, 0, 0, -1, -1},     {"6-9", TMAP_OK, 1, 0, -1, -1, -1},
                 {"14-17", TMAP_OK, 1, -1, -1, -1, -1}, {"0-31", TMAP_OK, 0, -1, -1, -1, -1},
                 {"0-32", TMAP_EINVAL, 0, 0, 0, 0, 0},  {"x", TMAP_ESYNTAX, 0, 0, 0, 0, 0},
                 {"", TMAP_ESYNTAX, 0, 0, 0, 0, 0}};
    struct tmap_machine *machine = read_machine("pack:2 l3:2 core:4 pu:2");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_error error = {""};
        struct tmap_place place;
        int bound = -1;
        enum tmap_status status =
            tmap_machine_find_cpus(machine, cases[i].cpus, &place, &bound, NULL, &error);
        if (status != cases[i].status)
            fail_msg("'%s': status %d, %s", cases[i].cpus, (int)status, error.text);
        if (status != TMAP_OK)
            continue;
        assert_int_equal(bound, cases[i].bound);
        assert_int_equal(place.at[TMAP_PLACE_PACKAGE], cases[i].package);
        assert_int_equal(place.at[TMAP_PLACE_L3], cases[i].l3);
        assert_int_equal(place.at[TMAP_PLACE_CORE], cases[i].core);
        assert_int_equal(place.at[TMAP_PLACE_PU], cases[i].pu);
    }
    tmap_machine_destroy(machine);
}

static void sets_of_pus_have_the_numbers_of_launchers(void **state)
{
    /* Threads of a core are numbered c and c + 4, as Linux does;
     * cores without numbers; no cores. */
    static const char threads[] = "pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)";
    static const struct {
        const char *source, *cpus;
        enum tmap_status status;
        const char *cores, *pus;
        int whole;
    } cases[] = {
        {threads, "0,4", TMAP_OK, "0", "0-1", 1},
        {threads, "0", TMAP_OK, "0", "0", 0},
        {threads, "4", TMAP_OK, "0", "1", 0},
        {threads, "1-2,5-6", TMAP_OK, "1-2", "2-5", 1},
        {threads, "0,3-4,7", TMAP_OK, "0,3", "0-1,6-7", 1},
        {threads, "0-7", TMAP_OK, "0-3", "0-7", 1},
        {"core:4 pu:1", "3", TMAP_OK, "3", "3", 1},
        {"pu:4", "2", TMAP_OK, "", "2", 1},
        {threads, "8", TMAP_EINVAL, "", "", 0},
        {threads, "x", TMAP_ESYNTAX, "", "", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_machine *machine = read_machine(cases[i].source);
        struct tmap_error error = {""};
        struct tmap_numbers numbers = {.whole = -1, .reserved = {1}};
        enum tmap_status status =
            tmap_machine_find_cpus(machine, cases[i].cpus, NULL, NULL, &numbers, &error);
        tmap_machine_destroy(machine);
        if (status != cases[i].status)
            fail_msg("'%s': status %d, %s", cases[i].cpus, (int)status, error.text);
        if (status != TMAP_OK)
            continue;
        assert_string_equal(numbers.cores, cases[i].cores);
        assert_string_equal(numbers.pus, cases[i].pus);
        assert_int_equal(numbers.whole, cases[i].whole);
        assert_int_equal(numbers.reserved[0], 0);
    }
}

/* ---- what a process may run on, pretended ---- */

/* PUs of each thread as lists; empty: what the system says. */
static const char *pretended[2];
static pid_t other_thread;

__attribute__((visibility("default"))) int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    const char *list = pretended[pid != 0 && pid == other_thread];
    unsigned first, last;
    int length;
    if (!list)
        return syscall(SYS_sched_getaffinity, pid, size, set) < 0 ? -1 : 0;
    CPU_ZERO_S(size, set);
    while (sscanf(list, "%u-%u%n", &first, &last, &length) == 2) {
        for (unsigned cpu = first; cpu <= last; cpu++)
            CPU_SET_S(cpu, size, set);
        list += length;
        list += *list == ',';
    }
    return 0;
}

/* What one process says of its binding another one that has read the machine can use: the same
 * comes out as where the list of the PUs is asked about. */
static void bindings_have_the_place_of_their_pus(void **state)
{
    static const struct {
        const char *source, *cpus;
        size_t words;
    } cases[] = {
        {"pack:2 l3:2 core:4 pu:2", "0-0", 1},
        {"pack:2 l3:2 core:4 pu:2", "6-9", 1},
        {"pack:2 l3:2 core:4 pu:2", "14-15,18-19", 1},
        {"pack:2 l3:2 core:4 pu:2", "0-31", 1},
        {"pack:2 core:64 pu:1", "63-64", 2},
        {"pack:2 core:64 pu:1", "64-127", 2},
        {"pack:4 core:256 pu:1", "1023-1023", 16},
        {"pack:4 core:256 pu:1", "300-310,500-511", 8},
        {"pack:4 core:256 pu:1", "0-1023", 16},
    };
    (void)state;
    setenv("HWLOC_THISSYSTEM", "1", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_machine *machine = read_machine(cases[i].source);
        struct tmap_error error;
        struct tmap_binding binding;
        struct tmap_place want, found;
        int bound[2] = {-1, -1};
        pretended[0] = cases[i].cpus;
        tmap_binding_read(&binding);
        pretended[0] = NULL;
        assert_int_equal(binding.words, cases[i].words * 64 / TMAP_BINDING_BITS);
        assert_ok(tmap_machine_find_cpus(machine, cases[i].cpus, &want, &bound[0], NULL, &error),
                  &error);
        assert_ok(tmap_machine_find_binding(machine, &binding, &found, &bound[1], &error), &error);
        assert_int_equal(bound[0], bound[1]);
        assert_memory_equal(&want, &found, sizeof want);
        tmap_machine_destroy(machine);
    }
    unsetenv("HWLOC_THISSYSTEM");
}

/* hwloc would take minutes for a machine of that size. */
static void the_largest_machines_have_room(void **state)
{
    struct tmap_machine *machine;
    struct tmap_binding binding;
    struct tmap_place place;
    struct tmap_error error;
    int bound = -1;
    (void)state;
    setenv("HWLOC_THISSYSTEM", "1", 1);
    pretended[0] = "0-0,65535-65535";
    tmap_binding_read(&binding);
    pretended[0] = NULL;
    machine = read_machine("pack:2 core:4 pu:1");
    unsetenv("HWLOC_THISSYSTEM");
    assert_int_equal(binding.words, TMAP_BINDING_WORDS);
    assert_true(binding.word[0] == 1);
    assert_true(binding.word[TMAP_BINDING_WORDS - 1] == 1UL << (TMAP_BINDING_BITS - 1));
    assert_ok(tmap_machine_find_binding(machine, &binding, &place, &bound, &error), &error);
    assert_int_equal(bound, 1);
    assert_int_equal(place.at[TMAP_PLACE_PACKAGE], -1); /* one of the PUs is in none */
    tmap_machine_destroy(machine);
}

static void a_binding_on_another_machine_says_nothing(void **state)
{
    struct tmap_machine *machine = read_machine("pack:2 core:4 pu:1");
    struct tmap_binding binding = {.words = 1, .word = {1}};
    struct tmap_place place;
    struct tmap_error error;
    int bound = -1;
    (void)state;
    assert_ok(tmap_machine_find_binding(machine, &binding, &place, &bound, &error), &error);
    assert_int_equal(bound, 0);
    assert_int_equal(place.at[TMAP_PLACE_CORE], -1);
    tmap_machine_destroy(machine);
}

static void *say_who_and_wait(void *pipes)
{
    int(*end)[2] = pipes;
    pid_t self = (pid_t)syscall(SYS_gettid);
    char c;
    assert_int_equal(write(end[0][1], &self, sizeof self), sizeof self);
    assert_int_equal(read(end[1][0], &c, 1), 0);
    return NULL;
}

static void a_process_is_bound_to_what_all_its_threads_are(void **state)
{
    struct tmap_binding binding;
    pthread_t thread;
    int end[2][2];
    (void)state;
    assert_int_equal(pipe(end[0]), 0);
    assert_int_equal(pipe(end[1]), 0);
    assert_int_equal(pthread_create(&thread, NULL, say_who_and_wait, end), 0);
    assert_int_equal(read(end[0][0], &other_thread, sizeof other_thread), sizeof other_thread);
    setenv("HWLOC_THISSYSTEM", "1", 1);
    pretended[0] = "2-3";
    pretended[1] = "66-66";
    tmap_binding_read(&binding);
    pretended[0] = pretended[1] = NULL;
    unsetenv("HWLOC_THISSYSTEM");
    close(end[1][1]);
    pthread_join(thread, NULL);
    assert_int_equal(binding.words * TMAP_BINDING_BITS, 128);
    assert_true(binding.word[0] == 12);
    assert_true(binding.word[66 / TMAP_BINDING_BITS] == 1UL << 66 % TMAP_BINDING_BITS);
}

/* ---- sources ---- */

/* The file was written by `lstopo -i "pack:2 core:3 pu:2" two-packages.xml`. */
static void xml_files_make_trees(void **state)
{
    static const char name[] = TEST_DATA "/two-packages.xml";
    struct tmap_tree *tree = NULL;
    struct tmap_error error;
    (void)state;
    assert_ok(tmap_tree_create_from_hwloc(&tree, name, 0, &error), &error);
    assert_int_equal(tmap_tree_slots(tree), 12);
    assert_int_equal(tmap_tree_depth(tree), 3);
    tmap_tree_destroy(tree);
    tree = NULL;
    assert_int_equal(symlink(name, "test-hwloc.machine"), 0);
    enum tmap_status status = tmap_tree_create_from_hwloc(&tree, "test-hwloc.machine", 0, &error);
    unlink("test-hwloc.machine");
    assert_ok(status, &error);
    assert_int_equal(tmap_tree_slots(tree), 12);
    tmap_tree_destroy(tree);
    tree = NULL;
    setenv("HWLOC_XMLFILE", name, 1);
    assert_ok(tmap_tree_create_from_hwloc(&tree, NULL, 1, &error), &error);
    unsetenv("HWLOC_XMLFILE");
    assert_int_equal(tmap_tree_slots(tree), 6);
    tmap_tree_destroy(tree);
}

/* A copy of `name` with another text in the place of the first one. */
static void write_changed(const char *copy, const char *name, const char *old, const char *changed)
{
    char text[65536], *at;
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_non_null(at = strstr(text, old));
    file = fopen(copy, "w");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, changed, at + strlen(old));
    assert_int_equal(fclose(file), 0);
}

/* Of six cores with two PUs each, what a cgroup leaves. */
static void what_the_system_forbids_is_no_slot(void **state)
{
    static const struct {
        const char *allowed;
        int cores_only, depth;
        int32_t slots, below_first; /* below the first object of level 1 */
        int32_t number[8];          /* of the first slots */
    } cases[] = {
        {"0x00000ffe", 1, 2, 6, 3, {1, 2, 4, 6, 8, 10}},
        {"0x00000ffc", 1, 2, 5, 2, {2, 4, 6, 8, 10}},
        {"0x00000ffe", 0, 3, 11, 5, {1, 2, 3, 4, 5, 6, 7, 8}},
        {"0x000003c0", 1, 1, 2, 1, {6, 8}},
        {"0x00000002", 1, 1, 1, 1, {1}},
    };
    static const char name[] = TEST_DATA "/two-packages.xml", part[] = "test-hwloc-part.xml";
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_tree *tree = NULL;
        struct tmap_error error;
        int32_t *number = NULL;
        char allowed[64];
        snprintf(allowed, sizeof allowed, "allowed_cpuset=\"%s\"", cases[i].allowed);
        write_changed(part, name, "allowed_cpuset=\"0x00000fff\"", allowed);
        assert_ok(tmap_tree_create_from_hwloc(&tree, part, cases[i].cores_only, &error), &error);
        assert_int_equal(tmap_tree_slots(tree), cases[i].slots);
        assert_int_equal(tmap_tree_depth(tree), cases[i].depth);
        int32_t below = 0;
        for (int32_t s = 0; s < cases[i].slots; s++)
            below += tmap_tree_ancestor(tree, s, 1) == 0;
        assert_int_equal(below, cases[i].below_first);
        assert_ok(tmap_slot_numbers(&number, part, cases[i].cores_only, &error), &error);
        for (int32_t s = 0; s < cases[i].slots && s < 8; s++)
            assert_int_equal(number[s], cases[i].number[s]);
        free(number);
        tmap_tree_destroy(tree);
    }
    unlink(part);
}

static void what_hwloc_cannot_read_is_an_error(void **state)
{
    static const char *const sources[] = {"/nowhere/at/all.xml", "no such machine", "/dev/null",
                                          ""};
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct tmap_tree *tree = NULL;
        struct tmap_error error = {""};
        if (tmap_tree_create_from_hwloc(&tree, sources[i], 0, &error) != TMAP_ETOPOLOGY)
            fail_msg("'%s' was read", sources[i]);
        assert_null(tree);
        assert_true(strlen(error.text) > 0);
        struct tmap_machine *machine = NULL;
        assert_int_equal(tmap_machine_create(&machine, sources[i], &error), TMAP_ETOPOLOGY);
        assert_null(machine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(synthetic_machines_make_trees),
        cmocka_unit_test(this_machine_has_a_tree_and_this_process_a_place),
        cmocka_unit_test(a_bound_process_knows_its_pu),
        cmocka_unit_test(a_process_that_is_not_bound_needs_no_hwloc),
        cmocka_unit_test(to_look_at_the_machine_moves_no_process),
        cmocka_unit_test(a_process_on_another_machine_is_not_bound),
        cmocka_unit_test(pus_have_places),
        cmocka_unit_test(sets_of_pus_have_the_place_that_covers_them),
        cmocka_unit_test(sets_of_pus_have_the_numbers_of_launchers),
        cmocka_unit_test(bindings_have_the_place_of_their_pus),
        cmocka_unit_test(the_largest_machines_have_room),
        cmocka_unit_test(a_binding_on_another_machine_says_nothing),
        cmocka_unit_test(a_process_is_bound_to_what_all_its_threads_are),
        cmocka_unit_test(xml_files_make_trees),
        cmocka_unit_test(what_the_system_forbids_is_no_slot),
        cmocka_unit_test(what_hwloc_cannot_read_is_an_error),
    };
    unsetenv("HWLOC_SYNTHETIC");
    unsetenv("HWLOC_XMLFILE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
