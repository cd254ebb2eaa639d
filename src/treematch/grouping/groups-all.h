/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * groups-all.h - all groups of a level, as groups-all.c lists them, for the heuristics that choose
 * an independent set among them: those that only need an order are in independent-set.c, "largest
 * value last" is largest-last.c.
 */
#ifndef TMAP_GROUPS_ALL_H
#define TMAP_GROUPS_ALL_H

#include "treematch/grouping/treematch.h"

struct tmap_all_groups {
    int32_t p, k, count;
    int32_t *member;           /* count x k, lexicographic */
    uint64_t *value;           /* by group */
    uint64_t *inner;           /* by group: weight among its members, pairs counted once */
    double *key;               /* by group: sort key of a heuristic */
    int32_t *order;            /* groups in the order of a heuristic */
    struct tmap_entry *sorted; /* 2 x count: to sort them; the second half is scratch */
    int32_t *group_at;         /* p x C(p-1, k-1): the groups of each process */
    int32_t *first_group;      /* p + 1 */
    uint64_t row_sums;         /* of all processes */
    uint64_t total;            /* weight of all pairs */
};

static inline const int32_t *tmap_group_members(const struct tmap_all_groups *all, int32_t group)
{
    return all->member + (size_t)group * (size_t)all->k;
}

static inline void tmap_set_add(const struct tmap_all_groups *all, int32_t group, int32_t number,
                                int32_t *group_of)
{
    const int32_t *members = tmap_group_members(all, group);
    for (int32_t i = 0; i < all->k; i++)
        group_of[members[i]] = number;
}

/* Take each group that still fits, in the present order. Returns how far down the order it had to
 * go. */
int32_t tmap_take_greedily(const struct tmap_all_groups *all, int32_t *group_of);

/*
 * For groups in the order of their values: a set whose last group comes early in it; unless
 * `is_exact`, the first one that the search finds without going back. If it is to be exact, no set
 * ends earlier with k = 2, nor with a larger k unless the search runs out of steps, which can
 * happen from about 20 processes on. TMAP_ENOMEM, TMAP_OK. largest-last.c
 */
enum tmap_status tmap_largest_last(const struct tmap_all_groups *all, int is_exact,
                                   int32_t *group_of);

#endif
