/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * independent-set.c - groups of a level (groups-all.c) that share no process and leave little
 * traffic between them. The heuristics only decide the order in which groups are taken:
 *   - smallest values first;
 *   - largest value last: rank the groups by value and use the shortest prefix that suffices
 *     (largest-last.c);
 *   - largest weighted degree first (Kako et al. 2005): weight of the incompatible groups divided
 *     by the group's own weight. The weight of the groups that share a process with a group has a
 *     closed form, because there is one for the sum of the values of all groups within a set of
 *     processes: see neighbor_weight.
 */
#include "treematch/grouping/groups-all.h"

#include <math.h>

/* ---- Orders of all groups; ties: the order in which they are listed ---- */

/* The groups by falling weight of their entries. */
static void order_by_entries(struct tmap_all_groups *all)
{
    tmap_sort_falling(all->sorted, all->sorted + all->count, (size_t)all->count);
    for (int32_t g = 0; g < all->count; g++)
        all->order[g] = all->sorted[g].source;
}

static void order_by_value(struct tmap_all_groups *all)
{
    for (int32_t g = 0; g < all->count; g++)
        all->sorted[g] = (struct tmap_entry){g, 0, ~all->value[g]};
    order_by_entries(all);
}

static void order_by_falling_key(struct tmap_all_groups *all)
{
    for (int32_t g = 0; g < all->count; g++)
        all->sorted[g] = (struct tmap_entry){g, 0, tmap_weight_of_number(all->key[g])};
    order_by_entries(all);
}

static double groups_binomial(double n, int32_t k)
{
    double result = 1;
    for (int32_t i = 0; i < k; i++)
        result *= (n - i) / (i + 1);
    return result;
}

/*
 * The weight of all groups that share a process with `group`: all groups, less the group itself,
 * less those made from the other q = p - k processes only. Over the groups of k within a set of n
 * processes with row sums R and inner weight W the values add up to
 *   C(n-1, k-1) R - 2 C(n-2, k-2) W.
 */
static double neighbor_weight(const struct tmap_all_groups *all, int32_t group)
{
    int32_t p = all->p, k = all->k, q = p - k;
    uint64_t rows = all->value[group] + 2 * all->inner[group];
    double other_rows = (double)(all->row_sums - rows);
    double other_weight = (double)(all->total - (rows - all->inner[group]));
    double everything = groups_binomial(p - 1, k - 1) * (double)all->row_sums -
                        2 * groups_binomial(p - 2, k - 2) * (double)all->total;
    double apart = groups_binomial(q - 1, k - 1) * other_rows -
                   2 * groups_binomial(q - 2, k - 2) * other_weight;
    return everything - apart - (double)all->value[group];
}

static void set_degree_keys(struct tmap_all_groups *all, enum tmap_set_heuristic heuristic)
{
    for (int32_t g = 0; g < all->count; g++) {
        all->key[g] = neighbor_weight(all, g); /* all have equally many neighbors */
        if (heuristic == TMAP_SET_DEGREE)
            all->key[g] = all->value[g] > 0 ? all->key[g] / (double)all->value[g] : INFINITY;
    }
}

static uint64_t sum_of_values(const struct tmap_all_groups *all, const int32_t *group_of)
{
    uint64_t sum = 0;
    for (int32_t g = 0; g < all->count; g++) {
        const int32_t *members = all->member + (size_t)g * (size_t)all->k;
        int32_t i = 1;
        while (i < all->k && group_of[members[i]] == group_of[members[0]])
            i++;
        sum += i == all->k ? all->value[g] : 0;
    }
    return sum;
}

/* By the present order. */
static enum tmap_status choose_set(const struct tmap_all_groups *all,
                                   enum tmap_set_heuristic heuristic, int32_t *group_of,
                                   uint64_t *sum)
{
    enum tmap_status status = TMAP_OK;
    if (heuristic == TMAP_SET_LARGEST_LAST || heuristic == TMAP_SET_LARGEST_ABOUT)
        status = tmap_largest_last(all, heuristic == TMAP_SET_LARGEST_LAST, group_of);
    else
        tmap_take_greedily(all, group_of);
    if (status == TMAP_OK)
        *sum = sum_of_values(all, group_of);
    return status;
}

enum tmap_status tmap_independent_set(struct tmap_all_groups *all,
                                      enum tmap_set_heuristic heuristic, int32_t *group_of,
                                      uint64_t *sum)
{
    if (heuristic == TMAP_SET_DEGREE || heuristic == TMAP_SET_DEGREE_LITERAL) {
        set_degree_keys(all, heuristic);
        order_by_falling_key(all);
    } else {
        order_by_value(all);
    }
    return choose_set(all, heuristic, group_of, sum);
}

/* The sets of the heuristics that are used, and their sums. */
struct sets {
    int32_t *group_of[TMAP_SET_HEURISTICS];
    uint64_t sum[TMAP_SET_HEURISTICS];
};

/* Those by value first: they have the same order. With `wants`, by heuristic, only these. `room`: p
 * for each. */
static enum tmap_status find_sets(struct tmap_all_groups *all, const char *wants, int32_t *room,
                                  struct sets *sets)
{
    const enum tmap_set_heuristic by_value[] = {TMAP_SET_SMALLEST_FIRST, TMAP_SET_LARGEST_ABOUT,
                                                TMAP_SET_LARGEST_LAST};
    enum tmap_status status = TMAP_OK;
    for (int h = 0; h < TMAP_SET_HEURISTICS; h++)
        sets->group_of[h] = room + (size_t)h * (size_t)all->p;
    order_by_value(all);
    for (int i = 0; i < 3 && status == TMAP_OK; i++) {
        enum tmap_set_heuristic h = by_value[i];
        if (wants[h])
            status = choose_set(all, h, sets->group_of[h], &sets->sum[h]);
    }
    return status != TMAP_OK
               ? status
               : tmap_independent_set(all, TMAP_SET_DEGREE, sets->group_of[TMAP_SET_DEGREE],
                                      &sets->sum[TMAP_SET_DEGREE]);
}

/* The best of three, with one of the two that put the largest value last; the first among
 * equals. */
static const int32_t *best_set(const struct sets *sets, enum tmap_set_heuristic largest)
{
    enum tmap_set_heuristic best = TMAP_SET_SMALLEST_FIRST;
    if (sets->sum[largest] < sets->sum[best])
        best = largest;
    if (sets->sum[TMAP_SET_DEGREE] < sets->sum[best])
        best = TMAP_SET_DEGREE;
    return sets->group_of[best];
}

enum tmap_status tmap_group_all(const struct tmap_matrix *matrix, int32_t p, int32_t k,
                                struct tmap_set_choice *choice, int32_t *group_of)
{
    const int compares = choice->is_start && !choice->differs;
    const char wants[TMAP_SET_HEURISTICS] = {[TMAP_SET_SMALLEST_FIRST] = 1,
                                             [TMAP_SET_LARGEST_ABOUT] = choice->is_start != 0,
                                             [TMAP_SET_LARGEST_LAST] =
                                                 !choice->is_start || compares};
    const size_t size = sizeof *group_of * (size_t)p;
    struct tmap_all_groups *all = NULL;
    struct sets sets = {.sum = {0}};
    int32_t *room = tmap_new((size_t)p, TMAP_SET_HEURISTICS * sizeof *room);
    enum tmap_status status = room ? tmap_all_groups_create(&all, matrix, p, k) : TMAP_ENOMEM;
    if (status == TMAP_OK)
        status = find_sets(all, wants, room, &sets);
    if (status == TMAP_OK) {
        const int32_t *best =
            best_set(&sets, choice->is_start ? TMAP_SET_LARGEST_ABOUT : TMAP_SET_LARGEST_LAST);
        memcpy(group_of, best, size);
        if (compares)
            choice->differs = memcmp(best, best_set(&sets, TMAP_SET_LARGEST_LAST), size) != 0;
    }
    tmap_all_groups_destroy(all);
    free(room);
    return status;
}
