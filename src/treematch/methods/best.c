/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * best.c - the method `best`: the cheapest mapping of several methods and seeds.
 *
 * Tries greedy, then multilevel (which contains treematch, packed and round robin) with one seed
 * after the other. Without a time limit the number of rounds is fixed, and so is the result. With
 * one, rounds (at least one) go on until the process has used that much processor time; only then
 * does the result depend on the machine.
 */
#include "treematch/methods/methods.h"
#include "treematch/model/problem.h"
#include "treematch/multilevel/multilevel.h"

#include <math.h>
#include <time.h>

enum { BEST_ROUNDS = 8, BEST_MOST_ROUNDS = 1000000 };

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static enum tmap_status try_one(const struct tmap_problem *problem, tmap_method_fn *method,
                                int32_t *tried, int32_t *best, double *least)
{
    struct tmap_cost cost = {0};
    enum tmap_status status = method(problem, tried, NULL);
    if (status == TMAP_OK)
        status = tmap_mapping_evaluate(problem->matrix, problem->tree, tried, &cost, NULL);
    if (status == TMAP_OK && cost.cost < *least) {
        *least = cost.cost;
        memcpy(best, tried, sizeof *best * (size_t)problem->matrix->roles);
    }
    return status;
}

enum tmap_status tmap_method_best(const struct tmap_problem *problem, int32_t *slot_of,
                                  struct tmap_error *error)
{
    struct tmap_problem round = *problem;
    double least = INFINITY, limit = problem->seconds, begin = processor_seconds();
    int32_t *tried = tmap_new((size_t)problem->matrix->roles, sizeof *tried);
    if (!tried)
        return tmap_fail_memory(error);
    enum tmap_status status = try_one(&round, tmap_method_greedy, tried, slot_of, &least);
    for (int i = 0; i < (limit > 0 ? BEST_MOST_ROUNDS : BEST_ROUNDS) && status == TMAP_OK; i++) {
        round.seed = problem->seed + (uint64_t)i;
        status = try_one(&round, tmap_method_multilevel, tried, slot_of, &least);
        if (limit > 0 && processor_seconds() - begin >= limit)
            break;
    }
    free(tried);
    return status == TMAP_OK ? status : tmap_fail(error, status, "%s", tmap_status_text(status));
}
