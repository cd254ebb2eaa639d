/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c - the memory of a communication matrix, and what its users read of it. */
#include "treematch/model/objects.h"

struct tmap_matrix *tmap_matrix_empty(int32_t roles)
{
    struct tmap_matrix *matrix = tmap_new_zero(1, sizeof *matrix);
    if (!matrix)
        return NULL;
    matrix->roles = roles;
    matrix->start = tmap_new_zero((size_t)roles + 1, sizeof *matrix->start);
    if (!matrix->start) {
        free(matrix);
        return NULL;
    }
    return matrix;
}

void tmap_matrix_destroy(struct tmap_matrix *matrix)
{
    if (!matrix)
        return;
    free(matrix->start);
    free(matrix->partner);
    free(matrix->weight);
    free(matrix->sent);
    free(matrix);
}

void tmap_matrix_shrink(struct tmap_matrix *matrix)
{
    size_t ends = matrix->start[matrix->roles] + (matrix->start[matrix->roles] == 0);
    void *smaller = realloc(matrix->partner, ends * sizeof *matrix->partner);
    if (smaller)
        matrix->partner = smaller;
    smaller = realloc(matrix->weight, ends * sizeof *matrix->weight);
    if (smaller)
        matrix->weight = smaller;
}

int32_t tmap_matrix_roles(const struct tmap_matrix *matrix)
{
    return matrix->roles;
}

size_t tmap_matrix_pairs(const struct tmap_matrix *matrix)
{
    return matrix->pairs;
}

uint64_t tmap_matrix_total(const struct tmap_matrix *matrix)
{
    return matrix->total;
}

size_t tmap_matrix_partners(const struct tmap_matrix *matrix, int32_t role)
{
    size_t count = 0;
    if (role < 0 || role >= matrix->roles)
        return 0;
    struct tmap_row row = tmap_row_of(matrix, role);
    for (size_t i = 0; i < row.count; i++)
        count += row.weight[i] > 0;
    return count;
}

int tmap_matrix_next(const struct tmap_matrix *matrix, int32_t role, size_t *position,
                     int32_t *partner, uint64_t *weight)
{
    if (role < 0 || role >= matrix->roles)
        return 0;
    struct tmap_row row = tmap_row_of(matrix, role);
    size_t at = *position;
    while (at < row.count && row.weight[at] == 0)
        at++;
    if (at >= row.count) {
        *position = row.count;
        return 0;
    }
    *partner = row.partner[at];
    *weight = row.weight[at];
    *position = at + 1;
    return 1;
}
