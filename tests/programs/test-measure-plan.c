/* SPDX-License-Identifier: BSD-3-Clause */
/* test-measure-plan.c - which ranks measure what: pairs of each level of the machine that a job has,
 * the nearest and the furthest of a network, disjoint pairs for cards and memories. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "network/network-source.h"
#include "programs/measure-plan.h"

enum { MOST = 400 };

struct job {
    struct tmap_tree *tree;
    struct reseat_location location[MOST];
    int32_t slot_of[MOST];
    int32_t ranks;
};

/* A job with a rank on each leaf of a machine, but in the order of `rank * step % ranks`. */
static void job_create(struct job *job, const char *machine, int32_t ranks, int32_t step)
{
    struct tmap_error error;
    assert_int_equal(tmap_tree_parse(&job->tree, machine, &error), TMAP_OK);
    job->ranks = ranks;
    for (int32_t rank = 0; rank < ranks; rank++) {
        struct reseat_leaf leaf;
        struct reseat_error why;
        job->slot_of[rank] = rank * step % ranks;
        assert_int_equal(network_source_leaf(&leaf, machine, job->slot_of[rank], &why), 0);
        job->location[rank] = leaf.location;
    }
}

static struct measure_plan plan_with_cards(const struct job *job, int card_level)
{
    const struct measure_machine machine = {job->tree, job->slot_of, job->location, job->ranks,
                                            card_level};
    struct measure_plan plan;
    assert_int_equal(measure_plan_make(&plan, &machine), 0);
    return plan;
}

static struct measure_plan plan_of(const struct job *job)
{
    return plan_with_cards(job, -1);
}

static const struct measure_level *level_of(const struct measure_plan *plan, const char *kind)
{
    for (int i = 0; i < plan->levels; i++)
        if (strcmp(plan->level[i].kind, kind) == 0)
            return &plan->level[i];
    return NULL;
}

static void every_level_has_pairs(void **state)
{
    static const char *const kinds[] = {"machine", "node", "package"};
    (void)state;
    for (int32_t step = 1; step < 8; step += 2) {
        struct job job;
        job_create(&job, "node:4 package:2 core:2", 16, step);
        struct measure_plan plan = plan_of(&job);
        assert_int_equal(plan.levels, 3);
        for (int k = 0; k < 3; k++) {
            const struct measure_level *level = level_of(&plan, kinds[k]);
            assert_non_null(level);
            assert_int_equal(level->near.count, MEASURE_PAIRS);
            assert_int_equal(level->far.count, 0);
            for (int i = 0; i < MEASURE_PAIRS; i++) {
                struct measure_pair pair = level->near.pair[i];
                assert_int_equal(tmap_tree_common_level(job.tree, job.slot_of[pair.first],
                                                        job.slot_of[pair.second]),
                                 k);
            }
        }
        tmap_tree_destroy(job.tree);
    }
}

static void a_network_has_near_and_far_pairs(void **state)
{
    (void)state;
    struct job job;
    job_create(&job, "torus:8 core:2", 16, 1);
    struct measure_plan plan = plan_of(&job);
    const struct measure_level *level = level_of(&plan, "machine");
    assert_non_null(level);
    assert_int_equal(level->near.hops, 1);
    assert_int_equal(level->far.hops, 4);
    assert_true(level->near.count > 0 && level->far.count > 0);
    tmap_tree_destroy(job.tree);
}

static void cards_and_memories_have_disjoint_pairs(void **state)
{
    (void)state;
    struct job job;
    job_create(&job, "node:4 package:2 core:4", 32, 5);
    struct measure_plan plan = plan_of(&job);
    int used[MOST] = {0};
    assert_int_equal(plan.cards, 8);
    assert_int_equal(plan.memories, 2);
    for (int i = 0; i < plan.cards; i++) {
        struct measure_pair pair = plan.card[i];
        assert_int_equal(job.location[pair.first].node, job.location[plan.card[0].first].node);
        assert_int_not_equal(job.location[pair.second].node, job.location[pair.first].node);
        if (i > 0) /* receivers are spread */
            assert_int_not_equal(job.location[pair.second].node,
                                 job.location[plan.card[i - 1].second].node);
        assert_int_equal(used[pair.first]++ + used[pair.second]++, 0);
    }
    for (int i = 0; i < plan.memories; i++) {
        struct tmap_place a = job.location[plan.memory[i].first].place;
        struct tmap_place b = job.location[plan.memory[i].second].place;
        assert_int_equal(a.at[TMAP_PLACE_PACKAGE], b.at[TMAP_PLACE_PACKAGE]);
    }
    tmap_tree_destroy(job.tree);
}

static int32_t part_of(const struct job *job, int32_t rank, int level)
{
    return job->location[rank].place.at[level];
}

/* The first two and the first four of a node have different cards, and so have their partners; the
 * ranks near one card are of one part. */
static void ranks_near_several_cards_take_turns(void **state)
{
    static const int levels[] = {-1, TMAP_PLACE_PACKAGE, TMAP_PLACE_NUMA};
    static const char *const near[] = {"package", "package", "numa"};
    (void)state;
    for (int l = 0; l < 3; l++) {
        struct job job;
        int level = levels[l] < 0 ? TMAP_PLACE_PACKAGE : levels[l];
        int parts = level == TMAP_PLACE_NUMA ? 4 : 2;
        job_create(&job, "node:2 package:2 numa:2 core:4", 32, 1);
        struct measure_plan plan = plan_with_cards(&job, levels[l]);
        assert_int_equal(plan.cards, 16);
        for (int i = 0; i < plan.cards; i++)
            for (int k = i / parts * parts; k < i; k++) {
                assert_int_not_equal(part_of(&job, plan.card[i].first, level),
                                     part_of(&job, plan.card[k].first, level));
                assert_int_not_equal(part_of(&job, plan.card[i].second, level),
                                     part_of(&job, plan.card[k].second, level));
            }
        assert_int_equal(plan.near_cards, 16 / parts);
        assert_string_equal(plan.near, near[l]);
        for (int i = 0; i < plan.near_cards; i++) {
            struct measure_pair pair = plan.near_card[i];
            assert_int_equal(part_of(&job, pair.first, level),
                             part_of(&job, plan.near_card[0].first, level));
            assert_int_equal(job.location[pair.first].node, job.location[plan.card[0].first].node);
            assert_int_equal(pair.second, plan.card[i].second);
        }
        tmap_tree_destroy(job.tree);
    }
}

static void one_card_is_near_all_ranks(void **state)
{
    (void)state;
    struct job job;
    job_create(&job, "node:2 package:2 core:4", 16, 1);
    assert_int_equal(plan_with_cards(&job, TMAP_PLACE_LEVELS).near_cards, 0);
    assert_int_equal(plan_with_cards(&job, TMAP_PLACE_NUMA).near_cards, 0); /* no place is known */
    tmap_tree_destroy(job.tree);
    job_create(&job, "node:2 package:2 core:1", 4, 1);
    assert_int_equal(plan_of(&job).near_cards, 0); /* a rank each: as `cards` */
    tmap_tree_destroy(job.tree);
}

/* Four ranks of a node of a torus send over a link each, to its four neighbors: others are behind these. */
static void cards_send_to_the_nearest_nodes(void **state)
{
    (void)state;
    struct job job;
    job_create(&job, "torus:4x4 core:4", 64, 1);
    struct measure_plan plan = plan_of(&job);
    assert_int_equal(plan.cards, 4);
    assert_int_equal(plan.nearest, 4);
    for (int i = 0; i < 4; i++) {
        struct measure_pair pair = plan.card[i];
        double hop = tmap_tree_level(job.tree, 0)->cost;
        assert_true(
            tmap_tree_distance(job.tree, job.slot_of[pair.first], job.slot_of[pair.second]) == hop);
        for (int k = 0; k < i; k++)
            assert_int_not_equal(job.location[pair.second].node,
                                 job.location[plan.card[k].second].node);
    }
    tmap_tree_destroy(job.tree);
}

static void check_partners(const struct job *job, const struct measure_partners *partners,
                           int count, int level, int32_t node)
{
    int used[MOST] = {0};
    assert_int_equal(partners->count, count);
    for (int i = 0; i < count; i++) {
        struct measure_pair pair = partners->pair[i];
        assert_int_equal(
            tmap_tree_common_level(job->tree, job->slot_of[pair.first], job->slot_of[pair.second]),
            level);
        assert_int_equal(used[pair.first]++ + used[pair.second]++, 0);
        if (node >= 0)
            assert_int_equal(job->location[pair.first].node, node);
    }
}

static void all_ranks_exchange_at_once(void **state)
{
    static const char *const kinds[] = {"machine", "node", "package"};
    static const int of_node[] = {4, 2, 2};
    (void)state;
    for (int32_t step = 1; step < 8; step += 2) {
        struct job job;
        job_create(&job, "node:4 package:2 core:2", 16, step);
        struct measure_plan plan = plan_of(&job);
        int32_t fullest = job.location[plan.card[0].first].node;
        for (int k = 0; k < 3; k++) {
            const struct measure_level *level = level_of(&plan, kinds[k]);
            check_partners(&job, &level->node, of_node[k], k, fullest);
            check_partners(&job, &level->all, 8, k, -1);
        }
        tmap_tree_destroy(job.tree);
    }
    struct job job;
    job_create(&job, "package:1 core:5", 5, 1);
    struct measure_plan plan = plan_of(&job);
    check_partners(&job, &plan.level[0].node, 2, 1, 0);
    assert_int_equal(plan.level[0].all.count, 0); /* no others than on the node */
    tmap_tree_destroy(job.tree);
}

/* Links of a machine are not seen to be narrow by some of its ranks. */
static void all_ranks_of_a_large_job_exchange(void **state)
{
    static const char *const kinds[] = {"machine", "switch", "node", "package"};
    static const int pairs[] = {150, 149, 150, 100}; /* the last two are on one node */
    (void)state;
    struct job job;
    job_create(&job, "switch:2 node:25 package:2 core:3", 300, 7);
    struct measure_plan plan = plan_of(&job);
    for (int k = 0; k < 4; k++)
        check_partners(&job, &level_of(&plan, kinds[k])->all, pairs[k], k, -1);
    check_partners(&job, &level_of(&plan, "machine")->node, 6, 0,
                   job.location[plan.card[0].first].node);
    tmap_tree_destroy(job.tree);
}

/* A job with a rank on each of the first leaves below each of some switches. */
static void job_create_below(struct job *job, const char *machine, int32_t leaves,
                             const int32_t *ranks, int switches)
{
    job_create(job, machine, leaves, 1);
    job->ranks = 0;
    for (int s = 0; s < switches; s++)
        for (int32_t r = 0; r < ranks[s]; r++) {
            int32_t leaf = leaves / switches * s + r;
            job->slot_of[job->ranks] = leaf;
            job->location[job->ranks++] = job->location[leaf];
        }
}

/* Not only ranks below the first switches, nor below those with several nodes. */
static void ranks_of_unequal_switches_exchange(void **state)
{
    static const struct {
        const char *machine;
        int32_t leaves, ranks[3];
        int switches, all, near;
    } of[] = {{"switch:3 node:10 core:10", 300, {50, 50, 100}, 3, 100, 90},
              {"switch:3 node:86 core:1", 258, {86, 86, 84}, 3, 128, 128},
              {"switch:2 node:3 core:64", 384, {64, 192}, 2, 0, 64} /* 0: as of the node */};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct job job;
        job_create_below(&job, of[i].machine, of[i].leaves, of[i].ranks, of[i].switches);
        struct measure_plan plan = plan_of(&job);
        check_partners(&job, &level_of(&plan, "machine")->all, of[i].all, 0, -1);
        check_partners(&job, &level_of(&plan, "switch")->all, of[i].near, 1, -1);
        tmap_tree_destroy(job.tree);
    }
}

static void one_node_has_no_card(void **state)
{
    (void)state;
    struct job job;
    job_create(&job, "package:1 core:5", 5, 1);
    struct measure_plan plan = plan_of(&job);
    assert_int_equal(plan.cards, 0);
    assert_int_equal(plan.memories, 2);
    tmap_tree_destroy(job.tree);
}

static void users_double_up_to_all(void **state)
{
    static const int wanted[] = {1, 2, 4, 6, 0};
    (void)state;
    for (int i = 0, users = 0; i < 5; i++) {
        users = measure_next_users(users, 6);
        assert_int_equal(users, wanted[i]);
    }
    assert_int_equal(measure_next_users(0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_level_has_pairs),
                                       cmocka_unit_test(a_network_has_near_and_far_pairs),
                                       cmocka_unit_test(cards_and_memories_have_disjoint_pairs),
                                       cmocka_unit_test(ranks_near_several_cards_take_turns),
                                       cmocka_unit_test(one_card_is_near_all_ranks),
                                       cmocka_unit_test(cards_send_to_the_nearest_nodes),
                                       cmocka_unit_test(all_ranks_exchange_at_once),
                                       cmocka_unit_test(all_ranks_of_a_large_job_exchange),
                                       cmocka_unit_test(ranks_of_unequal_switches_exchange),
                                       cmocka_unit_test(one_node_has_no_card),
                                       cmocka_unit_test(users_double_up_to_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
