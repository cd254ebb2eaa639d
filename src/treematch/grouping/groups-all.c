/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * groups-all.c - GroupProcesses of TreeMatch (2010, section 4): all groups, and a greedy choice
 * among them.
 *
 * All C(p, k) groups are listed; the value of a group is the traffic that still leaves it: the row
 * sums of its members minus the traffic among them, counted from both ends. Two groups are
 * incompatible if they share a process; wanted are p/k compatible ones with a small sum of values.
 * Since k divides p, every maximal independent set has that size, so a greedy choice among all
 * groups never gets stuck. independent-set.c has the heuristics that decide the order.
 *
 * Example: Fig. 1 of the 2010 paper, 8 processes in pairs: 28 groups, the best set is {(0,1),
 * (2,3), (4,5), (6,7)} with values of 1218 each. Time O(G k + G log G) for G groups, fewer than
 * 30,000 by default, memory O(G k + p^2).
 */
#include "treematch/grouping/groups-all.h"

int32_t tmap_count_groups(int32_t p, int32_t k, int32_t most)
{
    int64_t groups = 1;
    if (k > p - k)
        k = p - k;
    for (int32_t i = 1; i <= k; i++) {
        groups = groups * (p - k + i) / i;
        if (groups >= most)
            return most;
    }
    return (int32_t)groups;
}

/* The next k of p in lexicographic order, in place. */
static void next_group(int32_t *members, int32_t p, int32_t k)
{
    int32_t i = k - 1;
    while (i >= 0 && members[i] == p - k + i)
        i--;
    if (i < 0)
        return;
    members[i]++;
    for (int32_t j = i + 1; j < k; j++)
        members[j] = members[j - 1] + 1;
}

static void list_groups(struct tmap_all_groups *all)
{
    int32_t k = all->k;
    for (int32_t i = 0; i < k; i++)
        all->member[i] = i;
    for (int32_t g = 1; g < all->count; g++) {
        int32_t *members = all->member + (size_t)g * (size_t)k;
        memcpy(members, members - k, sizeof *members * (size_t)k);
        next_group(members, all->p, k);
    }
}

/* All processes have equally many, so first_group can count them. */
static void list_groups_of_processes(struct tmap_all_groups *all)
{
    size_t ends = (size_t)all->count * (size_t)all->k;
    int32_t per_process = (int32_t)(ends / (size_t)all->p);
    for (int32_t i = 0; i <= all->p; i++)
        all->first_group[i] = i * per_process;
    for (size_t i = 0; i < ends; i++)
        all->group_at[all->first_group[all->member[i]]++] = (int32_t)(i / (size_t)all->k);
    for (int32_t i = 0; i < all->p; i++)
        all->first_group[i] -= per_process;
}

/* `dense`: weight of each pair, p x p. */
static void evaluate_groups(struct tmap_all_groups *all, const struct tmap_matrix *matrix,
                            const uint64_t *dense, const uint64_t *row_sum)
{
    for (int32_t g = 0; g < all->count; g++) {
        const int32_t *members = all->member + (size_t)g * (size_t)all->k;
        uint64_t sum = 0, inner = 0;
        for (int32_t i = 0; i < all->k; i++) {
            sum += row_sum[members[i]];
            for (int32_t j = 0; j < i; j++)
                inner += dense[(size_t)members[i] * (size_t)all->p + (size_t)members[j]];
        }
        all->inner[g] = inner;
        all->value[g] = sum - 2 * inner;
    }
    all->total = matrix->total;
    all->row_sums = 2 * matrix->total;
}

static void fill_dense(const struct tmap_matrix *matrix, int32_t p, uint64_t *dense,
                       uint64_t *row_sum)
{
    for (int32_t role = 0; role < matrix->roles; role++) {
        struct tmap_row row = tmap_row_of(matrix, role);
        for (size_t i = 0; i < row.count; i++) {
            dense[(size_t)role * (size_t)p + (size_t)row.partner[i]] = row.weight[i];
            row_sum[role] += row.weight[i];
        }
    }
}

static enum tmap_status alloc_groups(struct tmap_all_groups *all)
{
    size_t count = (size_t)all->count, ends = count * (size_t)all->k, p = (size_t)all->p;
    all->member = tmap_new(ends, sizeof *all->member);
    all->value = tmap_new(count, sizeof *all->value);
    all->inner = tmap_new(count, sizeof *all->inner);
    all->key = tmap_new(count, sizeof *all->key);
    all->order = tmap_new(count, sizeof *all->order);
    all->sorted = tmap_new(count, 2 * sizeof *all->sorted);
    all->group_at = tmap_new(ends, sizeof *all->group_at);
    all->first_group = tmap_new(p + 1, sizeof *all->first_group);
    return all->member && all->value && all->inner && all->key && all->order && all->sorted &&
                   all->group_at && all->first_group
               ? TMAP_OK
               : TMAP_ENOMEM;
}

enum tmap_status tmap_all_groups_create(struct tmap_all_groups **result,
                                        const struct tmap_matrix *matrix, int32_t p, int32_t k)
{
    enum tmap_status status = TMAP_ENOMEM;
    struct tmap_all_groups *all = tmap_new_zero(1, sizeof *all);
    uint64_t *dense = tmap_new_zero((size_t)p * (size_t)p, sizeof *dense);
    uint64_t *row_sum = tmap_new_zero((size_t)p, sizeof *row_sum);
    if (!all || !dense || !row_sum)
        goto out;
    all->p = p;
    all->k = k;
    all->count = tmap_count_groups(p, k, TMAP_MOST_GROUPS);
    status = alloc_groups(all);
    if (status != TMAP_OK)
        goto out;
    list_groups(all);
    list_groups_of_processes(all);
    fill_dense(matrix, p, dense, row_sum);
    evaluate_groups(all, matrix, dense, row_sum);
    *result = all;
    all = NULL;
out:
    tmap_all_groups_destroy(all);
    free(dense);
    free(row_sum);
    return status;
}

void tmap_all_groups_destroy(struct tmap_all_groups *all)
{
    if (!all)
        return;
    free(all->member);
    free(all->value);
    free(all->inner);
    free(all->key);
    free(all->order);
    free(all->sorted);
    free(all->group_at);
    free(all->first_group);
    free(all);
}

int32_t tmap_all_groups_count(const struct tmap_all_groups *all)
{
    return all->count;
}

uint64_t tmap_all_groups_value(const struct tmap_all_groups *all, int32_t group,
                               const int32_t **members)
{
    *members = all->member + (size_t)group * (size_t)all->k;
    return all->value[group];
}

static int set_has_room(const struct tmap_all_groups *all, int32_t group, const int32_t *group_of)
{
    const int32_t *members = tmap_group_members(all, group);
    for (int32_t i = 0; i < all->k; i++) {
        if (group_of[members[i]] >= 0)
            return 0;
    }
    return 1;
}

int32_t tmap_take_greedily(const struct tmap_all_groups *all, int32_t *group_of)
{
    int32_t number = 0, at = 0;
    memset(group_of, 0xff, sizeof *group_of * (size_t)all->p);
    for (; number < all->p / all->k; at++) {
        if (set_has_room(all, all->order[at], group_of))
            tmap_set_add(all, all->order[at], number++, group_of);
    }
    return at;
}
