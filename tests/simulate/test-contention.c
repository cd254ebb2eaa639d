/* SPDX-License-Identifier: BSD-3-Clause */
/* test-contention.c - the mapping methods of Zarrinchian, Soryani and Analoui (2012): thresholds, who
 * goes where, and the figures of their synthetic workloads (tables 2 to 5, figure 2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "simulate/contention.h"
#include "simulate/workload-map.h"

static const char path[] = "test-contention.tmp", matrix[] = "test-contention-matrix.tmp";

static struct reseat_workload *workload_of(const char *text)
{
    struct reseat_workload *workload = NULL;
    struct reseat_error error = {""};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    if (reseat_workload_read(&workload, path, &error))
        fail_msg("%s", error.text);
    unlink(path);
    return workload;
}

/* 4 nodes of 2 x 2 cores. */
static void set_cluster(struct reseat_rates *rates)
{
    reseat_rates_init(rates);
    rates->nodes = 4;
    rates->packages = rates->cores = 2;
}

/* The node of each rank, as "0 0 1". */
static void nodes_of(const char *text, const struct reseat_rates *rates, const char *method,
                     char *found, size_t size)
{
    struct simulate_options options = {.most_messages = 1};
    struct reseat_workload *workload = workload_of(text);
    struct reseat_error error = {""};
    int32_t core_of[256];
    size_t length = 0;
    assert_true(workload->ranks <= 256);
    if (workload_map(workload, rates, method, &options, core_of, &error))
        fail_msg("%s", error.text);
    for (int32_t r = 0; r < workload->ranks && length < size; r++)
        length += (size_t)snprintf(found + length, size - length, "%s%d", r ? " " : "",
                                   (int)(core_of[r] / (rates->packages * rates->cores)));
    reseat_workload_destroy(workload);
}

/* ---- thresholds ---- */

static void thresholds_are_those_of_equation_1(void **state)
{
    static const struct {
        const char *pattern;
        int ranks, nodes;
        double free_cores;
        int threshold;
        double adjacency;
    } cases[] = {
        {"alltoall", 64, 16, 16, 4, 63}, /* the workloads of the paper */
        {"alltoall", 32, 16, 16, 2, 31},
        {"alltoall", 24, 16, 16, 1, 23},
        {"alltoall", 8, 16, 5, 1, 7},    /* 0.5: raised to 1 */
        {"alltoall", 16, 16, 16, 0, 15}, /* fits */
        {"alltoall", 17, 16, 16, 1, 16},
        {"bcast", 64, 16, 16, 0, 126.0 / 64}, /* few neighbors, but for one process */
        {"gather", 64, 16, 2, 1, 126.0 / 64}, /* sum of Adj / 63 is 2 */
        {"linear", 1, 16, 0.5, 0, 0},
        {"linear", 64, 16, 16, 0, 126.0 / 64},
        {"linear", 64, 16, 2.5, 3, 126.0 / 64}, /* 63 / 16 */
    };
    char text[128];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double adjacency = 0;
        snprintf(text, sizeof text, "pattern %s ranks=%d length=64KB rate=1 messages=1",
                 cases[i].pattern, cases[i].ranks);
        struct reseat_workload *workload = workload_of(text);
        int32_t threshold = contention_threshold(&workload->jobs[0], cases[i].nodes,
                                                 cases[i].free_cores, &adjacency);
        reseat_workload_destroy(workload);
        if (threshold != cases[i].threshold || adjacency != cases[i].adjacency)
            fail_msg("%s, %d ranks: %d, and %g neighbors", cases[i].pattern, cases[i].ranks,
                     (int)threshold, adjacency);
    }
}

/* ---- who goes where ---- */

static void methods_put_ranks_where_they_say(void **state)
{
    /* 4 nodes of 2 x 2 cores */
    static const struct {
        const char *method, *text, *nodes;
    } cases[] = {
        {"blocked", "pattern linear ranks=6 length=1 rate=1 messages=1", "0 0 0 0 1 1"},
        {"cyclic", "pattern linear ranks=6 length=1 rate=1 messages=1", "0 1 2 3 0 1"},
        /* each job begins at the first node; full nodes are passed over */
        {"cyclic",
         "pattern linear ranks=2 length=1 rate=1 messages=1\n"
         "pattern linear ranks=1 length=1 rate=1 messages=1\n"
         "pattern linear ranks=1 length=1 rate=1 messages=1\n"
         "pattern linear ranks=1 length=1 rate=1 messages=1\n"
         "pattern linear ranks=2 length=1 rate=1 messages=1",
         "0 1 0 0 0 1 2"},
        /* 7 neighbors > 3: threshold 2 */
        {"contention", "pattern alltoall ranks=8 length=1 rate=1 messages=1", "0 0 1 1 2 2 3 3"},
        /* threshold 1, which has room for 4: raised to 2 */
        {"contention", "pattern alltoall ranks=6 length=1 rate=1 messages=1", "0 0 1 1 2 2"},
        {"contention", "pattern bcast ranks=6 length=1 rate=1 messages=1", "0 0 0 0 1 1"},
        /* the root of a gather sends nothing, but it is the neighbor of the first that does */
        {"contention", "pattern gather ranks=6 length=1 rate=1 messages=1", "0 0 0 0 1 1"},
        /* large messages first, then those with more neighbors */
        {"contention",
         "pattern linear ranks=2 length=2047 rate=1 messages=1\n"
         "pattern linear ranks=2 length=2KB rate=1 messages=1\n"
         "pattern alltoall ranks=3 length=2KB rate=1 messages=1\n"
         "pattern linear ranks=3 length=1MB rate=1 messages=1",
         "3 3 2 2 1 1 1 0 0 0"},
        /* nobody to talk to, and no core in the mean */
        {"contention",
         "pattern linear ranks=1 length=1 rate=1 messages=1\n"
         "pattern linear ranks=15 length=1 rate=1 messages=1",
         "3 0 0 0 0 1 1 1 1 2 2 2 2 3 3 3"},
        /* half of the cores are taken, and 2 neighbors are too many for the 2 cores that nodes have
         * in the mean: threshold 1, raised to 2 */
        {"contention",
         "pattern linear ranks=8 length=1MB rate=1 messages=1\n"
         "pattern alltoall ranks=3 length=1 rate=1 messages=1",
         "0 0 0 0 1 1 1 1 2 2 3"},
        /* the same half, which jobs have that are not in the workload */
        {"contention", "taken 0 4\ntaken 1 4\npattern alltoall ranks=3 length=1 rate=1 messages=1",
         "2 2 3"},
        {"blocked", "taken 0 3\ntaken 2 4\npattern linear ranks=6 length=1 rate=1 messages=1",
         "0 1 1 1 1 3"},
        {"cyclic", "taken 0 3\ntaken 2 4\npattern linear ranks=6 length=1 rate=1 messages=1",
         "0 1 3 1 3 1"},
        {"multilevel",
         "taken 0 4\ntaken 1 2\ntaken 3 2\npattern alltoall ranks=4 length=1 rate=1 messages=1",
         "2 2 2 2"},
    };
    struct reseat_rates rates;
    char found[256];
    (void)state;
    set_cluster(&rates);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        nodes_of(cases[i].text, &rates, cases[i].method, found, sizeof found);
        if (strcmp(found, cases[i].nodes) != 0)
            fail_msg("%s of %s: %s instead of %s", cases[i].method, cases[i].text, found,
                     cases[i].nodes);
    }
}

/* Whatever the method, also after exchanges: no rank is where another job is, and there is room for
 * as many as there are free cores. */
static void taken_cores_get_no_rank(void **state)
{
    static const char taken_8[] = "taken 0 3\ntaken 1 4\ntaken 3 1\n";
    struct simulate_options options = {.most_messages = 4};
    struct reseat_rates rates;
    struct reseat_error error;
    int32_t core_of[9];
    const char *method;
    char text[256];
    (void)state;
    set_cluster(&rates);
    for (int ranks = 1; ranks <= 9; ranks++) {
        snprintf(text, sizeof text, "%spattern alltoall ranks=%d length=2MB rate=100 messages=4\n",
                 taken_8, ranks);
        struct reseat_workload *workload = workload_of(text);
        for (int m = 0; (method = workload_method_name(m)); m++) {
            int rc = workload_map(workload, &rates, method, &options, core_of, &error);
            assert_int_equal(rc, ranks > 8 ? -1 : 0);
            if (rc == 0 && workload_map_check(workload, &rates, core_of, &error))
                fail_msg("%s, %d ranks: %s", method, ranks, error.text);
        }
        reseat_workload_destroy(workload);
    }
    assert_string_equal(error.text, "9 ranks, and 4 nodes of 2 x 2 cores, some of which are taken");
    struct reseat_workload *workload =
        workload_of("taken 4 1\npattern linear ranks=1 length=1 rate=1 messages=1\n");
    assert_int_equal(workload_map(workload, &rates, "blocked", &options, core_of, &error), -1);
    assert_string_equal(error.text, "1 cores of node 4 are taken, and there are 4 nodes of 4");
    reseat_workload_destroy(workload);
}

static void put_matrix(const char *text)
{
    FILE *file = fopen(matrix, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Who sends most is first, then its neighbors by how much they exchange with it, and four are together on
 * a node: here always with rank 2. */
static void neighbors_follow_by_what_they_exchange(void **state)
{
    static const struct {
        const char *matrix, *nodes;
    } cases[] = {
        /* 2 sends most: then 3, 0, 4, and 1 is no neighbor */
        {"5\n2 0 1 10\n2 3 1 30\n0 1 1 1\n4 1 1 30\n2 4 1 3\n", "0 1 0 0 0"},
        {"5\n2 0 1 10\n2 3 1 30\n2 4 1 3\n2 1 1 1\n", "0 1 0 0 0"},
        /* what it receives counts, too, and both ways together */
        {"5\n2 0 1 10\n2 3 1 30\n2 4 1 3\n1 2 1 20\n", "0 0 0 0 1"},
        {"5\n2 0 1 10\n2 3 1 30\n2 4 1 15\n0 2 1 10\n2 1 1 16\n", "0 0 0 0 1"},
        /* thirty messages of one byte are more than one of ten */
        {"5\n2 0 1 10\n2 3 30 30\n2 4 1 3\n2 1 1 5\n", "0 0 0 0 1"},
    };
    struct reseat_rates rates;
    char found[256];
    (void)state;
    set_cluster(&rates);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_matrix(cases[i].matrix);
        nodes_of("profile test-contention-matrix.tmp", &rates, "contention", found, sizeof found);
        if (strcmp(found, cases[i].nodes) != 0)
            fail_msg("%s: %s instead of %s", cases[i].matrix, found, cases[i].nodes);
    }
    unlink(matrix);
}

/* Bytes a second, where it is known how long the job runs: rank 1 sends less than rank 2, but faster. */
static void demand_is_bytes_a_second(void **state)
{
    static const int32_t want[] = {0, 4, 1, 2, 3};
    struct simulate_options options = {.most_messages = 1};
    struct reseat_rates rates;
    struct reseat_error error;
    int32_t core_of[5];
    (void)state;
    put_matrix("5\n0 1 1 9\n0 2 1 7\n0 3 1 5\n0 4 1 3\n");
    struct reseat_workload *workload = workload_of("profile test-contention-matrix.tmp");
    for (size_t f = 0; f < 4; f++)
        workload->jobs[0].flows[f].rate = f == 0 ? 0.1 : 1;
    reseat_rates_init(&rates);
    assert_int_equal(workload_map(workload, &rates, "contention", &options, core_of, &error), 0);
    for (int32_t r = 0; r < 5; r++)
        assert_int_equal(core_of[r] % 16, want[r]);
    reseat_workload_destroy(workload);
    unlink(matrix);
}

/* drb gives each job the cores that blocked gives it: here two cliques, each to a node of its own. */
static void drb_divides_a_job_and_its_cores(void **state)
{
    struct reseat_rates rates;
    char found[256];
    (void)state;
    FILE *file = fopen(matrix, "w");
    assert_non_null(file);
    fputs("8\n", file);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            if (i != j)
                fprintf(file, "%d %d %s\n", i, j, i % 2 == j % 2 ? "1000 1000" : "1 10");
    assert_int_equal(fclose(file), 0);
    set_cluster(&rates);
    nodes_of("pattern alltoall ranks=4 length=1 rate=1 messages=1\n"
             "profile test-contention-matrix.tmp",
             &rates, "drb", found, sizeof found);
    unlink(matrix);
    if (strcmp(found, "0 0 0 0 1 2 1 2 1 2 1 2") != 0 &&
        strcmp(found, "0 0 0 0 2 1 2 1 2 1 2 1") != 0)
        fail_msg("%s", found);
}

/* Cores of a job that begins inside a node, or whose packages are no halves: those of one node, or
 * package, stay together. */
static void drb_divides_nodes_and_packages_where_they_end(void **state)
{
    struct simulate_options options = {.most_messages = 1};
    struct reseat_rates rates;
    struct reseat_error error;
    int32_t core_of[8];
    (void)state;
    /* after two cores of node 0 are taken, two of it and four of node 1: of 0, 2, 4, 5, and 1, 3 */
    put_matrix("6\n0 2 1 9\n2 4 1 9\n4 5 1 9\n5 0 1 9\n0 4 1 9\n2 5 1 9\n1 3 1 9\n0 1 1 1\n");
    struct reseat_workload *workload =
        workload_of("pattern linear ranks=2 length=1 rate=1 messages=1\n"
                    "profile test-contention-matrix.tmp");
    reseat_rates_init(&rates);
    rates.nodes = rates.packages = rates.cores = 2;
    assert_int_equal(workload_map(workload, &rates, "drb", &options, core_of, &error), 0);
    for (int32_t r = 0; r < 6; r++)
        assert_int_equal(core_of[2 + r] / 4, r != 1 && r != 3);
    reseat_workload_destroy(workload);
    /* three packages of two: a pair to each */
    put_matrix("6\n0 3 1 9\n1 4 1 9\n2 5 1 9\n0 1 1 1\n1 2 1 1\n");
    workload = workload_of("profile test-contention-matrix.tmp");
    rates.packages = 3;
    assert_int_equal(workload_map(workload, &rates, "drb", &options, core_of, &error), 0);
    for (int32_t r = 0; r < 3; r++)
        assert_int_equal(core_of[r] / 2, core_of[r + 3] / 2);
    reseat_workload_destroy(workload);
    unlink(matrix);
}

/* In a node, a package is filled before the next one. */
static void processes_of_a_node_share_packages(void **state)
{
    struct simulate_options options = {.most_messages = 1};
    struct reseat_rates rates;
    struct reseat_error error;
    struct reseat_workload *workload =
        workload_of("pattern alltoall ranks=64 length=64KB rate=100 messages=2000");
    int32_t core_of[64];
    (void)state;
    reseat_rates_init(&rates);
    assert_int_equal(workload_map(workload, &rates, "contention", &options, core_of, &error), 0);
    for (int32_t r = 0; r < 64; r++)
        assert_int_equal(core_of[r], r / 4 * 16 + r % 4);
    reseat_workload_destroy(workload);
    /* and one without another job before one that has a process there */
    workload = workload_of("pattern linear ranks=2 length=1 rate=1 messages=1\n"
                           "pattern linear ranks=3 length=1MB rate=1 messages=1\n");
    rates.nodes = 1;
    rates.packages = 3;
    rates.cores = 2;
    assert_int_equal(workload_map(workload, &rates, "contention", &options, core_of, &error), 0);
    assert_true(core_of[2] == 0 && core_of[3] == 1 && core_of[4] == 2);
    assert_true(core_of[0] == 4 && core_of[1] == 5);
    reseat_workload_destroy(workload);
}

static void all_methods_give_each_rank_a_core_of_its_own(void **state)
{
    struct simulate_options options = {.most_messages = 1};
    struct reseat_rates rates;
    struct reseat_error error = {""};
    const char *method;
    (void)state;
    reseat_rates_init(&rates);
    rates.nodes = 5;
    rates.packages = 3;
    rates.cores = 2;
    for (int spare = 0; spare <= 4; spare += 4)
        for (int m = 0; (method = workload_method_name(m)); m++) {
            char text[256];
            int32_t core_of[30], on[30] = {0};
            snprintf(text, sizeof text,
                     "pattern alltoall ranks=9 length=2MB rate=1 messages=1\n"
                     "pattern gather ranks=%d length=64KB rate=1 messages=1\n"
                     "pattern linear ranks=13 length=1 rate=1 messages=1",
                     8 - spare);
            struct reseat_workload *workload = workload_of(text);
            if (workload_map(workload, &rates, method, &options, core_of, &error))
                fail_msg("%s: %s", method, error.text);
            for (int32_t r = 0; r < workload->ranks; r++)
                if (core_of[r] < 0 || core_of[r] >= 30 || on[core_of[r]]++)
                    fail_msg("%s: rank %d on core %d", method, (int)r, (int)core_of[r]);
            reseat_workload_destroy(workload);
        }
    struct reseat_workload *workload =
        workload_of("pattern linear ranks=31 length=1 rate=1 messages=1");
    int32_t core_of[31];
    assert_int_equal(workload_map(workload, &rates, "blocked", &options, core_of, &error), -1);
    assert_string_equal(error.text, "31 ranks, and 5 nodes of 3 x 2 cores");
    assert_int_equal(workload_map(workload, &rates, "no", &options, core_of, &error), -1);
    reseat_workload_destroy(workload);
}

/* ---- figure 2 ---- */

/* A synthetic workload: each pattern with each length. */
static struct reseat_workload *synthetic(int ranks, int rate, const char *const *lengths)
{
    static const char *const patterns[] = {"alltoall", "bcast", "gather", "linear"};
    char text[1024];
    size_t size = 0;
    for (int l = 0; l < 2 && lengths[l]; l++)
        for (int p = 0; p < 4; p++)
            size += (size_t)snprintf(text + size, sizeof text - size,
                                     "pattern %s ranks=%d length=%s rate=%d messages=2000\n",
                                     patterns[p], ranks, lengths[l], rate);
    return workload_of(text);
}

static double waiting(const struct reseat_workload *workload, const char *method)
{
    struct simulate_options options = {.queueing = {.seed = 1}, .most_messages = 20};
    struct simulate_result result;
    struct reseat_rates rates;
    struct reseat_error error = {""};
    int32_t core_of[256];
    uint64_t messages = 0;
    reseat_rates_init(&rates);
    if (workload_map(workload, &rates, method, &options, core_of, &error) ||
        simulate_run(workload, &rates, core_of, &options, &result, &error))
        fail_msg("%s: %s", method, error.text);
    for (size_t j = 0; j < workload->count; j++)
        messages += 20 * workload->jobs[j].count;
    assert_int_equal(result.queueing.sent, messages);
    assert_int_equal(result.queueing.delivered, messages);
    return result.waiting_seconds;
}

static void synthetic_workloads_gain_what_was_published(void **state)
{
    static const struct {
        int ranks, rate;
        const char *lengths[2];
        double least, most; /* gain against cyclic, in percent; published: 5, 8, 29, 91 */
    } cases[] = {{64, 100, {"64KB", NULL}, 2, 8},
                 {64, 10, {"2MB", NULL}, 4, 8},
                 {32, 10, {"2MB", "64KB"}, 25, 33},
                 {24, 10, {"2MB", "64KB"}, 80, 100}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reseat_workload *workload =
            synthetic(cases[i].ranks, cases[i].rate, cases[i].lengths);
        double blocked = waiting(workload, "blocked"), cyclic = waiting(workload, "cyclic");
        double contention = waiting(workload, "contention");
        int is_quick = i < 3 || getenv("TEST_QUICK"); /* best takes seconds */
        double best = is_quick ? contention : waiting(workload, "best");
        double gain = 100 * (1 - contention / cyclic);
        reseat_workload_destroy(workload);
        if (!((is_quick || best < 0.5 * contention) && contention < cyclic && cyclic < blocked) ||
            !(gain >= cases[i].least && gain <= cases[i].most))
            fail_msg("workload %zu: blocked %g, cyclic %g, contention %g (%.1f %%), best %g", i + 1,
                     blocked, cyclic, contention, gain, best);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thresholds_are_those_of_equation_1),
        cmocka_unit_test(methods_put_ranks_where_they_say),
        cmocka_unit_test(taken_cores_get_no_rank),
        cmocka_unit_test(neighbors_follow_by_what_they_exchange),
        cmocka_unit_test(demand_is_bytes_a_second),
        cmocka_unit_test(drb_divides_a_job_and_its_cores),
        cmocka_unit_test(drb_divides_nodes_and_packages_where_they_end),
        cmocka_unit_test(processes_of_a_node_share_packages),
        cmocka_unit_test(all_methods_give_each_rank_a_core_of_its_own),
        cmocka_unit_test(synthetic_workloads_gain_what_was_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
