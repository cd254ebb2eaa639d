/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-decide.c - unusual machines: for up to 8 ranks on pretended nodes the order found costs as
 * little as the best of all orders.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "reorder/decide.h"
#include "treematch/tmap-hwloc.h"

enum { MOST_RANKS = 8, MOST_NODES = 4 };

/* A node: what hwloc sees there (NULL: nothing, it fails), and for each rank on it the PUs that it
 * is bound to, by OS number. */
struct machine {
    const char *name;
    struct {
        const char *source, *cpus[MOST_RANKS];
    } node[MOST_NODES];
    int switches[MOST_NODES]; /* the switch of each node, 0: there are none */
};

static const struct machine machines[] = {
    {"different numbers of ranks per node",
     {{"pack:2 core:4 pu:1", {"0", "1", "2", "4", "5"}}, {"pack:2 core:4 pu:1", {"0", "1", "4"}}},
     {0}},
    {"one rank on each of three nodes, four on another",
     {{"core:2 pu:1", {"0"}},
      {"pack:2 core:2 pu:1", {"0", "1", "2", "3"}},
      {"core:2 pu:1", {"1"}},
      {"core:2 pu:1", {"0"}}},
     {0}},
    {"different nodes",
     {{"pack:2 core:2 pu:1", {"0", "1", "2", "3"}}, {"pack:1 core:8 pu:1", {"0", "2", "4", "6"}}},
     {0}},
    {"nodes with and without NUMA nodes and shared caches",
     {{"pack:2 numa:2 l3:1 core:2 pu:1", {"0", "1", "2", "6"}},
      {"pack:1 l3:2 l2:2 core:2 pu:1", {"0", "1", "2", "7"}}},
     {0}},
    {"several ranks per slot",
     {{"core:2 pu:1", {"0", "0", "1", "1"}}, {"core:2 pu:1", {"0", "1", "0", "1"}}},
     {0}},
    {"all ranks of a node on one PU",
     {{"pack:2 core:2 pu:1", {"3", "3", "3"}}, {"pack:2 core:2 pu:1", {"0", "1", "2", "3"}}},
     {0}},
    {"ranks with several cores",
     {{"pack:2 core:4 pu:1", {"0-1", "2-3", "4-5", "6-7"}},
      {"pack:2 core:4 pu:1", {"0-1", "4-5", "2-3", "6-7"}}},
     {0}},
    {"ranks with cores of two packages",
     {{"pack:2 core:4 pu:1", {"0-2", "3-5", "6-7"}},
      {"pack:2 core:4 pu:1", {"0-2", "3-5", "6-7", "0"}}},
     {0}},
    {"half-empty nodes",
     {{"pack:4 core:8 pu:1", {"0", "1", "9"}}, {"pack:4 core:8 pu:1", {"17", "30"}}},
     {0}},
    {"hyperthreads and whole cores",
     {{"core:2 pu:2", {"0", "1", "2", "3"}}, {"core:4 pu:2", {"0-1", "2-3", "4-5", "6-7"}}},
     {0}},
    {"ranks bound to sockets",
     {{"pack:2 core:4 pu:1", {"0-3", "4-7", "0-3", "4-7"}},
      {"pack:2 core:4 pu:1", {"0-3", "0-3", "4-7", "4-7"}}},
     {0}},
    {"unbound ranks",
     {{"pack:2 core:4 pu:1", {"0-7", "0-7", "0-7", "0-7"}},
      {"pack:2 core:4 pu:1", {"0-7", "0-7", "0-7", "0-7"}}},
     {0}},
    {"one node half bound, half unbound",
     {{"pack:2 core:2 pu:1", {"0", "0-3", "1", "0-3", "2", "0-3", "3", "0-3"}}},
     {0}},
    {"a cgroup with parts of two packages, ranks bound in it or not",
     {{"pack:2 core:4 pu:1", {"2-5", "2-5", "2", "3", "4", "5"}},
      {"pack:2 core:4 pu:1", {"0", "1"}}},
     {0}},
    {"two job steps in parts of one node, bound to cores or to the step",
     {{"pack:2 core:4 pu:1", {"0-3", "4", "0-3", "5", "0-3", "6", "0-3", "7"}}},
     {0}},
    {"a node whose hwloc fails",
     {{"pack:2 core:2 pu:1", {"0", "1", "2", "3"}}, {NULL, {"0", "1", "2", "3"}}},
     {0}},
    {"two switches with two nodes each",
     {{"core:2 pu:1", {"0", "1"}},
      {"core:2 pu:1", {"0", "1"}},
      {"core:2 pu:1", {"0", "1"}},
      {"core:2 pu:1", {"0", "1"}}},
     {1, 2, 1, 2}},
    {"switches with one node and with three",
     {{"core:2 pu:1", {"0", "1"}},
      {"core:2 pu:1", {"0"}},
      {NULL, {"0", "1"}},
      {"core:2 pu:1", {"0", "1", "0"}}},
     {2, 1, 2, 2}},
};

struct job {
    int32_t processes, switches[MOST_NODES];
    struct reseat_location locations[MOST_RANKS];
    struct reseat_network network;
    double distance[MOST_RANKS][MOST_RANKS];
};

static enum tmap_status find_place(const char *source, const char *cpus, struct tmap_place *place,
                                   int *bound, struct tmap_error *error)
{
    struct tmap_machine *machine;
    enum tmap_status status = tmap_machine_create(&machine, source, error);
    if (status != TMAP_OK)
        return status;
    status = tmap_machine_find_cpus(machine, cpus, place, bound, NULL, error);
    tmap_machine_destroy(machine);
    return status;
}

/* Ranks go to the nodes in turn, each to the next one that has room: the worst launch order. */
static void launch(struct job *job, const struct machine *machine)
{
    struct tmap_error error;
    int used[MOST_NODES] = {0}, bound, placed;
    *job = (struct job){.network = {.levels = 1, .nodes = MOST_NODES, .switches = job->switches}};
    for (int n = 0; n < MOST_NODES; n++)
        job->switches[n] = machine->switches[n];
    do {
        placed = 0;
        for (int32_t n = 0; n < MOST_NODES; n++) {
            const char *cpus = used[n] < MOST_RANKS ? machine->node[n].cpus[used[n]] : NULL;
            if (!cpus || job->processes == MOST_RANKS)
                continue;
            struct reseat_location *location = &job->locations[job->processes++];
            location->node = n;
            reseat_place_clear(&location->place);
            if (machine->node[n].source &&
                find_place(machine->node[n].source, cpus, &location->place, &bound, &error))
                fail_msg("%s: %s", machine->name, error.text);
            used[n]++;
            placed = 1;
        }
    } while (placed);
}

static void measure(struct job *job)
{
    struct tmap_tree *tree = NULL;
    struct reseat_error error;
    int32_t slot_of[MOST_RANKS];
    if (reseat_location_tree(&tree, job->locations, job->processes, &job->network, slot_of, &error))
        fail_msg("%s", error.text);
    for (int32_t p = 0; p < job->processes; p++)
        for (int32_t q = 0; q < job->processes; q++)
            job->distance[p][q] = tmap_tree_distance(tree, slot_of[p], slot_of[q]);
    tmap_tree_destroy(tree);
}

/* ---- patterns ---- */

enum { PAIRS, RING, SQUARE, RANDOM, PATTERNS };

static uint64_t random_weight(void)
{
    static uint64_t state = 7;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % 1000;
}

static size_t make_pattern(int pattern, int32_t n, struct tmap_entry *entries)
{
    size_t count = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++) {
            uint64_t weight = pattern == PAIRS    ? 100 * (uint64_t)(j == i + n / 2)
                              : pattern == RING   ? 10 * (uint64_t)(j == i + 1 || j == i + n - 1)
                              : pattern == SQUARE ? (i % 2 == j % 2 ? 50 : 1)
                                                  : random_weight();
            if (weight)
                entries[count++] = (struct tmap_entry){i, j, weight};
        }
    return count;
}

/* ---- the best of all orders ---- */

struct search {
    const struct job *job;
    double weight[MOST_RANKS][MOST_RANKS];
    int32_t process_of[MOST_RANKS];
    unsigned taken;
    double best;
};

static void try_all(struct search *s, int32_t role, double cost)
{
    if (cost >= s->best)
        return;
    if (role == s->job->processes) {
        s->best = cost;
        return;
    }
    for (int32_t p = 0; p < s->job->processes; p++) {
        if (s->taken >> p & 1)
            continue;
        double more = 0;
        for (int32_t other = 0; other < role; other++)
            more += s->weight[other][role] * s->job->distance[s->process_of[other]][p];
        s->process_of[role] = p;
        s->taken |= 1U << p;
        try_all(s, role + 1, cost + more);
        s->taken &= ~(1U << p);
    }
}

static double best_cost(const struct job *job, const struct tmap_entry *entries, size_t count)
{
    struct search s = {.job = job, .best = 1e300};
    for (size_t i = 0; i < count; i++)
        s.weight[entries[i].source][entries[i].target] = (double)entries[i].weight;
    try_all(&s, 0, 0);
    return s.best;
}

static void the_best_order_is_found(void **state)
{
    struct tmap_entry entries[MOST_RANKS * MOST_RANKS];
    (void)state;
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        struct job job;
        launch(&job, &machines[m]);
        measure(&job);
        for (int pattern = 0; pattern < PATTERNS; pattern += getenv("TEST_QUICK") ? RANDOM : 1) {
            size_t count = make_pattern(pattern, job.processes, entries);
            const struct decide_input input = {.processes = job.processes,
                                               .locations = job.locations,
                                               .network = &job.network,
                                               .entries = entries,
                                               .entries_count = count};
            struct decision decision;
            struct reseat_error error;
            int32_t role_of[MOST_RANKS];
            double best = best_cost(&job, entries, count);
            double slack = pattern == RANDOM ? 0.002 : 1e-9; /* of noise not the very best */
            struct decision again = {0};
            if (decide(&input, role_of, &decision, &error) ||
                decide_compare(&input, role_of, &again, &error))
                fail_msg("%s: %s", machines[m].name, error.text);
            double found = again.after;
            if (found > best * (1 + slack) || found < best * (1 - 1e-9) || found != decision.after)
                fail_msg("%s, pattern %d: %g, and %g can be had", machines[m].name, pattern, found,
                         best);
        }
    }
}

/* What the distances on these machines have to be, near to far. */
static void distances_are_those_of_the_hardware(void **state)
{
    static const struct {
        const char *machine;
        int a, b, c, d; /* ranks: a and b are nearer than c and d */
    } cases[] = {
        {"several ranks per slot", 0, 2, 0, 4},
        {"hyperthreads and whole cores", 0, 2, 1, 3},
        {"hyperthreads and whole cores", 1, 3, 0, 1},
        {"ranks with several cores", 0, 2, 0, 4},
        {"ranks bound to sockets", 0, 4, 0, 2},
        {"ranks with cores of two packages", 1, 6, 1, 3},
        {"one node half bound, half unbound", 0, 2, 0, 4},
        {"one node half bound, half unbound", 0, 2, 0, 1},
        {"one node half bound, half unbound", 0, 2, 1, 3},
        {"two job steps in parts of one node, bound to cores or to the step", 0, 2, 0, 1},
        {"a node whose hwloc fails", 0, 2, 0, 4},
        {"a node whose hwloc fails", 1, 3, 0, 1},
        {"two switches with two nodes each", 0, 2, 0, 1},
        {"two switches with two nodes each", 0, 4, 0, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct job job;
        size_t m = 0;
        while (strcmp(machines[m].name, cases[i].machine) != 0)
            assert_true(++m < sizeof machines / sizeof machines[0]);
        launch(&job, &machines[m]);
        measure(&job);
        double near = job.distance[cases[i].a][cases[i].b];
        double far = job.distance[cases[i].c][cases[i].d];
        if (near >= far)
            fail_msg("%s: ranks %d and %d are %g apart, %d and %d %g", machines[m].name, cases[i].a,
                     cases[i].b, near, cases[i].c, cases[i].d, far);
    }
}

/* A cgroup hides PUs from a process, and the processes of a node may be in different ones: all
 * number the objects alike, and one that may run on all that its cgroup leaves is where that is. */
static void a_cgroup_does_not_renumber_the_machine(void **state)
{
    static const char source[] = TEST_DATA "/two-packages.xml", part[] = "test-machines.xml";
    static const char allowed[] = "allowed_cpuset=\"0x00000fff\"",
                      hidden[] = "allowed_cpuset=\"0x00000f00\"";
    static const char *const cpus[] = {"8", "8-9", "10-11", "8-11"};
    struct tmap_error error;
    char text[65536], *at;
    FILE *file = fopen(source, "r");
    (void)state;
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_non_null(at = strstr(text, allowed));
    memcpy(at, hidden, sizeof hidden - 1);
    file = fopen(part, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++) {
        struct tmap_place whole, restricted;
        int bound[2];
        assert_int_equal(find_place(source, cpus[i], &whole, &bound[0], &error), TMAP_OK);
        assert_int_equal(find_place(part, cpus[i], &restricted, &bound[1], &error), TMAP_OK);
        assert_memory_equal(&whole, &restricted, sizeof whole);
        assert_int_equal(bound[1], 1);
        assert_int_equal(restricted.at[TMAP_PLACE_PACKAGE], 1);
        assert_int_equal(restricted.at[TMAP_PLACE_CORE], i == 3 ? -1 : i == 2 ? 5 : 4);
    }
    struct tmap_numbers numbers; /* launchers count what is left */
    struct tmap_machine *machine = NULL;
    assert_int_equal(tmap_machine_create(&machine, part, &error), TMAP_OK);
    assert_int_equal(tmap_machine_find_cpus(machine, "10-11", NULL, NULL, &numbers, &error),
                     TMAP_OK);
    tmap_machine_destroy(machine);
    assert_string_equal(numbers.cores, "1");
    assert_string_equal(numbers.pus, "2-3");
    unlink(part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_order_is_found),
        cmocka_unit_test(distances_are_those_of_the_hardware),
        cmocka_unit_test(a_cgroup_does_not_renumber_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
