/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix-directed.c - what goes which way between two roles, for the links that it takes.
 *
 * Everything else is about pairs, so that is kept beside their weights, where it is wanted: `sent`,
 * an array like `weight`. Each entry is looked up in the row of its source.
 */
#include "treematch/model/objects.h"

/* Index of the pair of `role` and `partner` in the arrays; SIZE_MAX: there is none. */
static size_t find_pair(const struct tmap_matrix *matrix, int32_t role, int32_t partner)
{
    struct tmap_row row = tmap_row_of(matrix, role);
    if (role == partner)
        return SIZE_MAX;
    size_t at = matrix->is_dense ? (size_t)partner : tmap_row_find(&row, partner);
    return at < row.count ? matrix->start[role] + at : SIZE_MAX;
}

enum tmap_status tmap_matrix_create_directed(struct tmap_matrix **result, int32_t roles,
                                             const struct tmap_entry *entries, size_t count,
                                             struct tmap_error *error)
{
    struct tmap_matrix *matrix;
    enum tmap_status status = tmap_matrix_create(&matrix, roles, entries, count, error);
    if (status != TMAP_OK)
        return status;
    matrix->sent = tmap_new_zero(matrix->start[roles], sizeof *matrix->sent);
    if (!matrix->sent) {
        tmap_matrix_destroy(matrix);
        return tmap_fail_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = find_pair(matrix, entries[i].source, entries[i].target);
        if (at != SIZE_MAX)
            matrix->sent[at] += entries[i].weight;
    }
    *result = matrix;
    return TMAP_OK;
}

uint64_t tmap_matrix_sent(const struct tmap_matrix *matrix, int32_t source, int32_t target)
{
    if (source < 0 || source >= matrix->roles || target < 0 || target >= matrix->roles)
        return 0;
    size_t at = find_pair(matrix, source, target);
    if (at == SIZE_MAX)
        return 0;
    return matrix->sent ? matrix->sent[at] : (matrix->weight[at] + (source < target)) / 2;
}
