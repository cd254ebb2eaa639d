/* SPDX-License-Identifier: BSD-3-Clause */
/* test-pattern.c - the rank that decides gets all of the traffic, from the profile or from the
 * edges of the call, and if one rank fails to get it no rank reorders. The ranks are threads
 * (ranks.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ranks.h"
#include "reorder/pattern.h"

enum { RANKS = 4 };

static char path[] = "/tmp/reseat-pattern.XXXXXX";

static const char profile[] =
    "# reseat profile 1\n"
    "# ranks: 4\n"
    "# domain 0 function=MPI_COMM_WORLD parent=- size=4 first=0 ordinal=0 members=all\n"
    "# p2p\n"
    "0\t1\t2\t300\t150\n"
    "3\t0\t1\t50\t50\n"
    "# domain 1 function=MPI_Cart_create parent=0 size=2 first=0 ordinal=0 members=0-1\n"
    "# p2p\n"
    "1\t0\t9\t9\t1\n"
    "# domain 2 function=MPI_Graph_create parent=0 size=4 first=0 ordinal=1 members=0-3\n"
    "# end 3\n";

/* What each of the ranks gets and has. */
struct trial {
    struct reseat_settings settings;
    struct lineage lineage;
    struct pattern pattern[RANKS];
    struct trouble trouble[RANKS];
    int is_leader[RANKS];
};

static struct trial *trial_for(const char *text)
{
    static struct trial trial;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    memset(&trial, 0, sizeof trial);
    trial.settings.phase = trial.settings.kind = -1;
    trial.settings.metric = RESEAT_METRIC_SIZE;
    trial.settings.pattern = RESEAT_PATTERN_AUTO;
    trial.settings.scope = RESEAT_SCOPE_GRAPH;
    snprintf(trial.settings.file, sizeof trial.settings.file, "%s", path);
    trial.lineage.world_size = RANKS;
    return &trial;
}

static void close_all(struct trial *t)
{
    for (int rank = 0; rank < RANKS; rank++)
        pattern_close(&t->pattern[rank]);
}

static void check_entry(const struct tmap_entry *entry, int32_t from, int32_t to, uint64_t weight)
{
    assert_int_equal(entry->source, from);
    assert_int_equal(entry->target, to);
    assert_int_equal(entry->weight, weight);
}

/* Each rank sends to its successor with weight 10 times its own number, and to nobody (-1). */
static void open_ring(int rank, void *context)
{
    struct trial *t = context;
    int destinations[] = {(rank + 1) % RANKS, -1}, weights[] = {10 * rank, 5};
    struct neighbor_lists lists = {
        .out = 2, .weighted = 1, .destinations = destinations, .destination_weights = weights};
    int source =
        rank ? -1 : pattern_open(&t->pattern[0], &t->settings, &t->lineage, &t->trouble[0]);
    PMPI_Bcast(&source, 1, MPI_INT, 0, RANKS_COMM);
    pattern_use_source(&t->pattern[rank], source, &lists, rank, &t->trouble[rank]);
}

static void open_and_gather(int rank, void *context)
{
    struct trial *t = context;
    struct rank_tree rank_tree;
    open_ring(rank, context);
    rank_tree_open(&rank_tree, RANKS_COMM);
    pattern_gather(&t->pattern[rank], &rank_tree, &t->trouble[rank]);
}

static void the_edges_of_all_come_to_the_first(void **state)
{
    struct trial *t = trial_for(profile);
    (void)state;
    t->settings.pattern = RESEAT_PATTERN_GRAPH;
    ranks_run(RANKS, open_and_gather, t);
    assert_int_equal(t->pattern[0].count, 3); /* rank 0's weight is none */
    for (int i = 0; i < 3; i++)
        check_entry(&t->pattern[0].entries[i], i + 1, (i + 2) % RANKS, 10 * (uint64_t)(i + 1));
    for (int rank = 0; rank < RANKS; rank++) {
        assert_int_equal(t->trouble[rank].failed, 0);
        assert_int_equal(t->pattern[rank].source, RESEAT_PATTERN_GRAPH);
        assert_int_equal(rank == 0 ? 0 : t->pattern[rank].count, 0);
    }
    close_all(t);
}

static void open_and_share(int rank, void *context)
{
    struct trial *t = context;
    open_ring(rank, context);
    pattern_share(&t->pattern[rank], RANKS_COMM, &t->trouble[rank]);
}

static void the_traffic_of_a_profile_goes_to_all_leaders(void **state)
{
    struct trial *t = trial_for(profile);
    (void)state;
    ranks_run(RANKS, open_and_share, t);
    for (int rank = 0; rank < RANKS; rank++) {
        assert_int_equal(t->pattern[rank].source, RESEAT_PATTERN_PROFILE);
        assert_int_equal(t->pattern[rank].count, 3);
        check_entry(&t->pattern[rank].entries[0], 0, 1, 300);
        check_entry(&t->pattern[rank].entries[1], 1, 0,
                    9); /* in a communicator made of the world */
        check_entry(&t->pattern[rank].entries[2], 3, 0, 50);
        assert_int_equal(rank == 0 ? t->pattern[0].messages_count : 3, 3);
    }
    close_all(t);
}

static void a_domain_of_the_profile_is_found_by_its_lineage(void **state)
{
    struct trial *t = trial_for(profile);
    (void)state;
    t->lineage.count = 1;
    strcpy(t->lineage.step[0].function, "MPI_Cart_create");
    t->lineage.step[0].size = 2;
    ranks_run(RANKS, open_ring, t);
    assert_int_equal(t->pattern[0].source, RESEAT_PATTERN_PROFILE);
    assert_int_equal(t->pattern[0].count, 1);
    check_entry(&t->pattern[0].entries[0], 1, 0, 9);
    close_all(t);
}

/* Rank 0 reads and the others follow, also where only rank 0 can know that the profile does not serve. */
static void all_take_the_graph_where_the_profile_does_not_serve(void **state)
{
    struct trial *t = trial_for(profile);
    (void)state;
    t->lineage.world_size = RANKS + 1;
    ranks_run(RANKS, open_ring, t);
    for (int rank = 0; rank < RANKS; rank++) {
        assert_int_equal(t->pattern[rank].source, RESEAT_PATTERN_GRAPH);
        assert_int_equal(t->pattern[rank].count, rank > 0);
        assert_int_equal(t->trouble[rank].failed, 0);
    }
    close_all(t);
}

/* Nothing is left of a profile in which the communicator has no traffic; with timings, that would pass for
 * what the ranks send. */
static void the_graph_takes_the_place_of_all_of_the_profile(void **state)
{
    struct trial *t = trial_for(profile);
    (void)state;
    strcpy(t->settings.timings, "timings");
    t->lineage.count = 1;
    t->lineage.step[0].size = RANKS;
    t->lineage.step[0].ordinal = 1;
    strcpy(t->lineage.step[0].function, "MPI_Graph_create");
    ranks_run(RANKS, open_and_gather, t);
    assert_int_equal(t->pattern[0].source, RESEAT_PATTERN_GRAPH);
    assert_int_equal(t->pattern[0].count, 3);
    assert_null(t->pattern[0].traffic);
    assert_null(t->pattern[0].messages);
    close_all(t);
}

static void a_profile_that_was_asked_for_has_to_serve(void **state)
{
    struct trial *t = trial_for(profile);
    (void)state;
    t->settings.pattern = RESEAT_PATTERN_PROFILE;
    t->lineage.world_size = RANKS + 1;
    ranks_run(RANKS, open_ring, t);
    assert_int_equal(t->trouble[0].failed, 1);
    assert_string_equal(t->trouble[0].text, "profile of 4 ranks, this job has 5");
    close_all(t);
}

static void open_world(int rank, void *context)
{
    struct trial *t = context;
    if (rank == 0)
        pattern_open_world(&t->pattern[0], &t->settings, RANKS, &t->trouble[0]);
}

static void the_world_needs_a_profile(void **state)
{
    struct trial *t = trial_for(profile);
    (void)state;
    ranks_run(RANKS, open_world, t);
    assert_int_equal(t->trouble[0].failed, 0);
    assert_int_equal(t->pattern[0].count, 3);
    assert_int_equal(t->pattern[1].count, 0);
    close_all(t);
    t = trial_for(profile);
    t->settings.pattern = RESEAT_PATTERN_GRAPH;
    ranks_run(RANKS, open_world, t);
    assert_int_equal(t->trouble[0].failed, 1);
    close_all(t);
}

/* By one kind of traffic, and one phase; where nothing is left the reason says what was asked for. */
static void only_what_is_asked_for_counts(void **state)
{
    static const struct {
        int kind, phase;
        size_t count;
        const char *reason;
    } cases[] = {{-1, -1, 3, NULL},
                 {RESEAT_P2P, -1, 2, NULL},
                 {RESEAT_COLL, -1, 1, NULL},
                 {RESEAT_COLL, 0, 1, NULL},
                 {RESEAT_OSC, -1, 0, "no traffic of the kind osc"},
                 {-1, 2, 0, "no traffic in phase 2"},
                 {RESEAT_COLL, 2, 0, "no traffic of the kind coll in phase 2"}};
    static const char kinds[] =
        "# reseat profile 1\n"
        "# ranks: 4\n"
        "# domain 0 function=MPI_COMM_WORLD parent=- size=4 first=0 ordinal=0 members=all\n"
        "# p2p\n"
        "0\t1\t2\t300\t150\n"
        "3\t0\t1\t50\t50\n"
        "# coll\n"
        "1\t2\t1\t50\t50\n"
        "# end 3\n";
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trial *t = trial_for(kinds);
        char reason[512] = "";
        t->settings.kind = cases[i].kind;
        t->settings.phase = cases[i].phase;
        ranks_run(RANKS, open_world, t);
        if (cases[i].reason)
            snprintf(reason, sizeof reason, "%s: %s was recorded in this communicator", path,
                     cases[i].reason);
        assert_int_equal(t->trouble[0].failed, cases[i].reason != NULL);
        assert_string_equal(t->trouble[0].text, reason);
        assert_int_equal(t->pattern[0].count, cases[i].count);
        close_all(t);
    }
}

/* Only where nobody has asked for it: the program may take its rank from the launcher. */
static void a_rank_variable_keeps_the_default_away(void **state)
{
    static const enum reseat_scope scopes[] = {RESEAT_SCOPE_AUTO, RESEAT_SCOPE_WORLD};
    char text[sizeof profile + 64];
    (void)state;
    snprintf(text, sizeof text, "# reseat profile 1\n# rank_variable: PMI_RANK\n%s",
             strchr(profile, '\n') + 1);
    for (int i = 0; i < 2; i++) {
        struct trial *t = trial_for(text);
        t->settings.scope = scopes[i];
        ranks_run(RANKS, open_world, t);
        assert_int_equal(t->trouble[0].failed, scopes[i] == RESEAT_SCOPE_AUTO);
        assert_string_equal(t->pattern[0].rank_variable, "PMI_RANK");
        close_all(t);
    }
}

static int make_file(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_edges_of_all_come_to_the_first),
        cmocka_unit_test(the_traffic_of_a_profile_goes_to_all_leaders),
        cmocka_unit_test(a_domain_of_the_profile_is_found_by_its_lineage),
        cmocka_unit_test(all_take_the_graph_where_the_profile_does_not_serve),
        cmocka_unit_test(the_graph_takes_the_place_of_all_of_the_profile),
        cmocka_unit_test(a_profile_that_was_asked_for_has_to_serve),
        cmocka_unit_test(the_world_needs_a_profile),
        cmocka_unit_test(only_what_is_asked_for_counts),
        cmocka_unit_test(a_rank_variable_keeps_the_default_away),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
