/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * aggregate.c - the matrix between groups (TreeMatch 2010, AggregateComMatrix), sparse.
 *
 * The members of a group are visited together; `at[h]` is the place of partner h in the group's
 * row, so each stored end is touched once. Traffic inside a group disappears.
 */
#include "treematch/model/objects.h"

void tmap_list_members(const int32_t *group_of, int32_t roles, int32_t groups, int32_t *first,
                       int32_t *member)
{
    memset(first, 0, sizeof *first * ((size_t)groups + 1));
    for (int32_t role = 0; role < roles; role++)
        first[group_of[role] + 1]++;
    for (int32_t g = 0; g < groups; g++)
        first[g + 1] += first[g];
    for (int32_t role = roles - 1; role >= 0; role--)
        member[--first[group_of[role] + 1]] = role;
    /* now first[g + 1] is where g begins: shift back */
    for (int32_t g = 0; g < groups; g++)
        first[g] = first[g + 1];
    first[groups] = roles;
}

/* Append to `into` the row of a group; `at` knows the place of each partner of this group. */
static void aggregate_role(const struct tmap_matrix *matrix, const int32_t *group_of, int32_t role,
                           struct tmap_matrix *into, size_t *at)
{
    int32_t group = group_of[role];
    size_t begin = into->start[group], end = into->start[group + 1];
    struct tmap_row row = tmap_row_of(matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        int32_t other = group_of[row.partner[i]];
        if (other == group || row.weight[i] == 0)
            continue;
        if (at[other] < begin || at[other] >= end || into->partner[at[other]] != other) {
            at[other] = end;
            into->partner[end] = other;
            into->weight[end++] = 0;
        }
        into->weight[at[other]] += row.weight[i];
        into->total += row.weight[i] * (other > group);
    }
    into->start[group + 1] = end;
}

/* An upper bound on the stored ends of the result. */
static size_t bound_ends(const struct tmap_matrix *matrix, int32_t groups)
{
    size_t all = (size_t)groups * (size_t)groups, ends = matrix->start[matrix->roles];
    return all < ends ? all : ends;
}

/* The rows, each with its partners in order of appearance. */
static enum tmap_status aggregate_rows(const struct tmap_matrix *matrix, const int32_t *group_of,
                                       struct tmap_matrix *into)
{
    enum tmap_status status = TMAP_ENOMEM;
    int32_t groups = into->roles;
    size_t *at = tmap_new_zero((size_t)groups, sizeof *at);
    int32_t *first = tmap_new((size_t)groups + 1, sizeof *first);
    int32_t *member = tmap_new((size_t)matrix->roles, sizeof *member);
    if (!at || !first || !member || tmap_matrix_alloc_rows(into, bound_ends(matrix, groups)))
        goto out;
    tmap_list_members(group_of, matrix->roles, groups, first, member);
    for (int32_t g = 0; g < groups; g++) {
        into->start[g + 1] = into->start[g];
        for (int32_t i = first[g]; i < first[g + 1]; i++)
            aggregate_role(matrix, group_of, member[i], into, at);
    }
    status = TMAP_OK;
out:
    free(at);
    free(first);
    free(member);
    return status;
}

struct tmap_matrix *tmap_matrix_aggregate(const struct tmap_matrix *matrix, const int32_t *group_of,
                                          int32_t groups)
{
    if (matrix->is_dense)
        return tmap_matrix_aggregate_square(matrix, group_of, groups);
    struct tmap_matrix *unsorted = tmap_matrix_empty(groups);
    struct tmap_matrix *sorted = tmap_matrix_empty(groups);
    if (!unsorted || !sorted || aggregate_rows(matrix, group_of, unsorted) ||
        tmap_matrix_alloc_rows(sorted, unsorted->start[groups]))
        goto fail;
    memcpy(sorted->start, unsorted->start, sizeof *sorted->start * ((size_t)groups + 1));
    sorted->total = unsorted->total;
    sorted->pairs = unsorted->start[groups] / 2;
    if (tmap_matrix_deal_rows(unsorted, sorted) != TMAP_OK)
        goto fail;
    tmap_matrix_destroy(unsorted);
    return sorted;
fail:
    tmap_matrix_destroy(unsorted);
    tmap_matrix_destroy(sorted);
    return NULL;
}
