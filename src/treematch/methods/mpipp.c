/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp.c - the methods `mpipp1` and `mpipp5`, for comparison: the algorithm of MPIPP (Chen et al.
 * 2006) as the TreeMatch papers describe and use it. Starting from a random mapping, two processes
 * switch places whenever that gains, until no switch does; mpipp5 is the best of five random
 * starts. Free units take part as processes without traffic.
 *
 * Every pair is tried, so a sweep takes O(roles x (pairs + slots)): a yardstick for up to some
 * thousands of roles.
 */
#include "treematch/model/distance.h"
#include "treematch/layout/baselines.h"
#include "treematch/methods/methods.h"
#include "treematch/model/problem.h"

#include <math.h>

struct switching {
    const struct tmap_matrix *matrix;
    const struct tmap_tree *tree;
    struct tmap_distance distance;
    int32_t *slot_of;
    int32_t *load;
};

/* Gain if `role` moves to `slot`, not counting its pair with `except`. */
static double switching_gain_of(const struct switching *s, int32_t role, int32_t slot,
                                int32_t except)
{
    int32_t from = s->slot_of[role];
    double gain = 0;
    struct tmap_row row = tmap_row_of(s->matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        int32_t at = s->slot_of[row.partner[i]];
        if (row.partner[i] != except)
            gain += (double)row.weight[i] * (tmap_distance_of(&s->distance, from, at) -
                                             tmap_distance_of(&s->distance, slot, at));
    }
    return gain;
}

static int switch_roles(struct switching *s, int32_t a, double least)
{
    int switched = 0;
    for (int32_t b = a + 1; b < s->matrix->roles; b++) {
        int32_t here = s->slot_of[a], there = s->slot_of[b];
        if (here == there ||
            switching_gain_of(s, a, there, b) + switching_gain_of(s, b, here, a) <= least)
            continue;
        s->slot_of[a] = there;
        s->slot_of[b] = here;
        switched = 1;
    }
    return switched;
}

static int use_free_units(struct switching *s, int32_t role, double least)
{
    int moved = 0;
    for (int32_t slot = 0; slot < s->tree->count[s->tree->depth]; slot++) {
        if (s->load[slot] >= s->tree->capacity[slot] || slot == s->slot_of[role] ||
            switching_gain_of(s, role, slot, -1) <= least)
            continue;
        s->load[s->slot_of[role]]--;
        s->load[slot]++;
        s->slot_of[role] = slot;
        moved = 1;
    }
    return moved;
}

/* Gains below `least` may be mere rounding. */
static void switching_run(struct switching *s, double least)
{
    int changed = 1;
    memset(s->load, 0, sizeof *s->load * (size_t)s->tree->count[s->tree->depth]);
    for (int32_t role = 0; role < s->matrix->roles; role++)
        s->load[s->slot_of[role]]++;
    while (changed) {
        changed = 0;
        for (int32_t role = 0; role < s->matrix->roles; role++) {
            changed |= switch_roles(s, role, least);
            changed |= use_free_units(s, role, least);
        }
    }
}

/* Start from random mapping `number` and switch until nothing gains; *cost gets the cost. */
static enum tmap_status switching_start(struct switching *s, const struct tmap_problem *problem,
                                        uint64_t number, double *cost)
{
    struct tmap_problem start = *problem;
    struct tmap_cost all = {0};
    start.seed = problem->seed * 5 + number;
    enum tmap_status status = tmap_method_random(&start, s->slot_of, NULL);
    if (status == TMAP_OK)
        status = tmap_mapping_evaluate(s->matrix, s->tree, s->slot_of, &all, NULL);
    if (status == TMAP_OK) {
        switching_run(s, all.cost * 1e-12);
        status = tmap_mapping_evaluate(s->matrix, s->tree, s->slot_of, &all, NULL);
    }
    *cost = all.cost;
    return status;
}

static enum tmap_status best_of(const struct tmap_problem *problem, int starts, int32_t *slot_of,
                                struct tmap_error *error)
{
    struct switching s = {.matrix = problem->matrix, .tree = problem->tree};
    enum tmap_status status = TMAP_ENOMEM;
    size_t roles = (size_t)problem->matrix->roles;
    double best = INFINITY, cost = 0;
    s.slot_of = tmap_new(roles, sizeof *s.slot_of);
    s.load = tmap_new((size_t)s.tree->count[s.tree->depth], sizeof *s.load);
    if (s.slot_of && s.load)
        status = tmap_distance_init(&s.distance, s.tree);
    for (int i = 0; i < starts && status == TMAP_OK; i++) {
        status = switching_start(&s, problem, (uint64_t)i, &cost);
        if (status == TMAP_OK && cost < best) {
            best = cost;
            memcpy(slot_of, s.slot_of, sizeof *slot_of * roles);
        }
    }
    tmap_distance_fini(&s.distance);
    free(s.slot_of);
    free(s.load);
    return status == TMAP_OK ? status : tmap_fail(error, status, "%s", tmap_status_text(status));
}

enum tmap_status tmap_method_mpipp1(const struct tmap_problem *problem, int32_t *slot_of,
                                    struct tmap_error *error)
{
    return best_of(problem, 1, slot_of, error);
}

enum tmap_status tmap_method_mpipp5(const struct tmap_problem *problem, int32_t *slot_of,
                                    struct tmap_error *error)
{
    return best_of(problem, 5, slot_of, error);
}
