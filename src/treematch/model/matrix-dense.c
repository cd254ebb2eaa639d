/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix-dense.c - matrices that are mostly nonzero, stored as a square of weights.
 *
 * A pair costs 12 bytes at either end in rows and 8 in a square, so a square is smaller if more
 * than two thirds of it are nonzero; and entries given for both directions need no room of their
 * own while they are added up. A square that turns out to be emptier is converted to rows in place.
 * Small matrices are always rows: they cost next to nothing either way.
 */
#include "treematch/model/objects.h"

/* With fewer roles the memory saved is not worth it. */
enum { LEAST_DENSE_ROLES = 1024 };

static const size_t row_bytes = sizeof(int32_t) + sizeof(uint64_t);

int tmap_matrix_is_worth_a_square(int32_t roles, size_t ends)
{
    size_t n = (size_t)roles;
    return roles >= LEAST_DENSE_ROLES && ends / n * row_bytes > n * sizeof(uint64_t);
}

static enum tmap_status alloc_square(struct tmap_matrix *matrix)
{
    size_t n = (size_t)matrix->roles;
    matrix->weight = tmap_new_zero(n * n, sizeof *matrix->weight);
    matrix->partner = tmap_new(n, sizeof *matrix->partner);
    if (!matrix->weight || !matrix->partner)
        return TMAP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        matrix->partner[i] = (int32_t)i;
        matrix->start[i + 1] = (i + 1) * n;
    }
    matrix->is_dense = 1;
    return TMAP_OK;
}

static void count_pairs(struct tmap_matrix *matrix)
{
    for (int32_t role = 0; role < matrix->roles; role++) {
        struct tmap_row row = tmap_row_of(matrix, role);
        for (int32_t other = 0; other < role; other++) {
            matrix->pairs += row.weight[other] > 0;
            matrix->total += row.weight[other];
        }
    }
}

/* Move the nonzero weights to the front, in order. */
static enum tmap_status make_rows(struct tmap_matrix *matrix)
{
    size_t n = (size_t)matrix->roles, kept = 0;
    int32_t *partner = tmap_new(2 * matrix->pairs, sizeof *partner);
    if (!partner)
        return TMAP_ENOMEM;
    for (size_t role = 0; role < n; role++) {
        for (size_t other = 0; other < n; other++) {
            uint64_t weight = matrix->weight[role * n + other];
            if (weight == 0)
                continue;
            partner[kept] = (int32_t)other;
            matrix->weight[kept++] = weight;
        }
        matrix->start[role + 1] = kept;
    }
    free(matrix->partner);
    matrix->partner = partner;
    matrix->is_dense = 0;
    tmap_matrix_shrink(matrix);
    return TMAP_OK;
}

static enum tmap_status choose_storage(struct tmap_matrix *matrix)
{
    count_pairs(matrix);
    if (tmap_matrix_is_worth_a_square(matrix->roles, 2 * matrix->pairs))
        return TMAP_OK;
    return make_rows(matrix);
}

enum tmap_status tmap_matrix_fill_square(struct tmap_matrix *matrix,
                                         const struct tmap_entry *entries, size_t number)
{
    size_t n = (size_t)matrix->roles;
    if (alloc_square(matrix))
        return TMAP_ENOMEM;
    for (size_t i = 0; i < number; i++) {
        size_t source = (size_t)entries[i].source, target = (size_t)entries[i].target;
        if (source == target)
            continue;
        matrix->weight[source * n + target] += entries[i].weight;
        matrix->weight[target * n + source] += entries[i].weight;
    }
    return choose_storage(matrix);
}

struct tmap_matrix *tmap_matrix_aggregate_square(const struct tmap_matrix *matrix,
                                                 const int32_t *group_of, int32_t groups)
{
    struct tmap_matrix *square = tmap_matrix_empty(groups);
    if (!square || alloc_square(square))
        goto fail;
    for (int32_t role = 0; role < matrix->roles; role++) {
        struct tmap_row row = tmap_row_of(matrix, role);
        size_t group = (size_t)group_of[role];
        uint64_t *sum = square->weight + group * (size_t)groups;
        for (size_t i = 0; i < row.count; i++)
            sum[group_of[i]] += row.weight[i];
    }
    for (size_t group = 0; group < (size_t)groups; group++)
        square->weight[group * (size_t)groups + group] = 0;
    if (choose_storage(square) == TMAP_OK)
        return square;
fail:
    tmap_matrix_destroy(square);
    return NULL;
}

/* Tiles, so that both a row and its mirror image stay in the cache. */
enum { TILE = 64 };

static void add_tile(struct tmap_matrix *matrix, const uint64_t *weights, size_t top, size_t left)
{
    size_t n = (size_t)matrix->roles;
    for (size_t i = top; i < n && i < top + TILE; i++) {
        for (size_t j = left; j < i && j < left + TILE; j++) {
            uint64_t sum = weights[i * n + j] + weights[j * n + i];
            matrix->weight[i * n + j] = sum;
            matrix->weight[j * n + i] = sum;
        }
    }
}

static enum tmap_status check_weights(int32_t roles, const uint64_t *weights,
                                      struct tmap_error *error)
{
    size_t n = roles > 0 ? (size_t)roles : 0;
    uint64_t sum = 0;
    if (roles < 0)
        return tmap_fail(error, TMAP_EINVAL, "a matrix of %ld roles", (long)roles);
    if (n > 0 && !weights)
        return tmap_fail(error, TMAP_EINVAL, "no weights given");
    for (size_t i = 0; i < n * n; i++) {
        if (i / n == i % n)
            continue;
        if (weights[i] > TMAP_MOST_WEIGHT - sum)
            return tmap_fail(error, TMAP_EOVERFLOW, "the weights sum up to 2^63 or more");
        sum += weights[i];
    }
    return TMAP_OK;
}

enum tmap_status tmap_matrix_create_dense(struct tmap_matrix **result, int32_t roles,
                                          const uint64_t *weights, struct tmap_error *error)
{
    enum tmap_status status = check_weights(roles, weights, error);
    if (status != TMAP_OK)
        return status;
    struct tmap_matrix *matrix = tmap_matrix_empty(roles);
    if (!matrix || alloc_square(matrix)) {
        tmap_matrix_destroy(matrix);
        return tmap_fail_memory(error);
    }
    for (size_t top = 0; top < (size_t)roles; top += TILE)
        for (size_t left = 0; left <= top; left += TILE)
            add_tile(matrix, weights, top, left);
    if (choose_storage(matrix)) {
        tmap_matrix_destroy(matrix);
        return tmap_fail_memory(error);
    }
    *result = matrix;
    return TMAP_OK;
}
