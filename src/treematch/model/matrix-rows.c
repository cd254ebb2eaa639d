/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix-rows.c - the communication matrix, made from directed entries.
 *
 * Every entry goes to the rows of both its ends, and each row is sorted by merging its ascending
 * runs: one if each pair is given once in ascending order, few if both directions are given, as in
 * a profile. Equal partners are then adjacent and are merged. The matrix is never copied. If there
 * are enough entries for a dense matrix, they are added up in a square instead: matrix-dense.c.
 */
#include "treematch/model/objects.h"

static enum tmap_status check_entries(int32_t roles, const struct tmap_entry *entries, size_t count,
                                      struct tmap_error *error)
{
    uint64_t sum = 0;
    if (roles < 0)
        return tmap_fail(error, TMAP_EINVAL, "a matrix of %ld roles", (long)roles);
    if (count > 0 && !entries)
        return tmap_fail(error, TMAP_EINVAL, "no entries given");
    for (size_t i = 0; i < count; i++) {
        const struct tmap_entry *entry = &entries[i];
        if (entry->source < 0 || entry->source >= roles || entry->target < 0 ||
            entry->target >= roles)
            return tmap_fail(
                error, TMAP_EINVAL, "entry %llu is about roles %ld and %ld, outside 0 .. %ld",
                (unsigned long long)i, (long)entry->source, (long)entry->target, (long)roles - 1);
        if (entry->source == entry->target)
            continue;
        if (entry->weight > TMAP_MOST_WEIGHT - sum)
            return tmap_fail(error, TMAP_EOVERFLOW, "the weights sum up to 2^63 or more");
        sum += entry->weight;
    }
    return TMAP_OK;
}

static int is_traffic(const struct tmap_entry *entry)
{
    return entry->weight > 0 && entry->source != entry->target;
}

/* start[i + 1] = number of entries with role i at an end, then prefix sums; returns the total. */
static size_t count_ends(struct tmap_matrix *matrix, const struct tmap_entry *entries, size_t count)
{
    size_t *start = matrix->start;
    for (size_t i = 0; i < count; i++) {
        if (is_traffic(&entries[i])) {
            start[entries[i].source + 1]++;
            start[entries[i].target + 1]++;
        }
    }
    for (int32_t role = 0; role < matrix->roles; role++)
        start[role + 1] += start[role];
    return start[matrix->roles];
}

/* Append each entry to the rows of both its ends, unordered. */
static enum tmap_status deal_entries(struct tmap_matrix *matrix, const struct tmap_entry *entries,
                                     size_t count)
{
    size_t *next = tmap_new((size_t)matrix->roles, sizeof *next);
    if (!next)
        return TMAP_ENOMEM;
    memcpy(next, matrix->start, sizeof *next * (size_t)matrix->roles);
    for (size_t i = 0; i < count; i++) {
        const struct tmap_entry *entry = &entries[i];
        if (!is_traffic(entry))
            continue;
        size_t at = next[entry->source]++;
        matrix->partner[at] = entry->target;
        matrix->weight[at] = entry->weight;
        at = next[entry->target]++;
        matrix->partner[at] = entry->source;
        matrix->weight[at] = entry->weight;
    }
    free(next);
    return TMAP_OK;
}

enum tmap_status tmap_matrix_deal_rows(const struct tmap_matrix *unsorted,
                                       struct tmap_matrix *sorted)
{
    size_t *next = tmap_new((size_t)unsorted->roles, sizeof *next);
    if (!next)
        return TMAP_ENOMEM;
    memcpy(next, unsorted->start, sizeof *next * (size_t)unsorted->roles);
    for (int32_t role = 0; role < unsorted->roles; role++) {
        for (size_t i = unsorted->start[role]; i < unsorted->start[role + 1]; i++) {
            size_t at = next[unsorted->partner[i]]++;
            sorted->partner[at] = role;
            sorted->weight[at] = unsorted->weight[i];
        }
    }
    free(next);
    return TMAP_OK;
}

/* Merge equal partners, in place. */
static void merge_rows(struct tmap_matrix *matrix)
{
    size_t kept = 0, begin = 0;
    for (int32_t role = 0; role < matrix->roles; role++) {
        size_t end = matrix->start[role + 1], first = kept;
        for (size_t i = begin; i < end; i++) {
            if (kept > first && matrix->partner[kept - 1] == matrix->partner[i]) {
                matrix->weight[kept - 1] += matrix->weight[i];
            } else {
                matrix->partner[kept] = matrix->partner[i];
                matrix->weight[kept++] = matrix->weight[i];
            }
            matrix->total += matrix->weight[i] * (matrix->partner[i] > role);
        }
        matrix->start[role + 1] = kept;
        begin = end;
    }
    matrix->pairs = kept / 2;
}

enum tmap_status tmap_matrix_alloc_rows(struct tmap_matrix *matrix, size_t ends)
{
    matrix->partner = tmap_new(ends, sizeof *matrix->partner);
    matrix->weight = tmap_new(ends, sizeof *matrix->weight);
    return matrix->partner && matrix->weight ? TMAP_OK : TMAP_ENOMEM;
}

/* A row, or the scratch for one. */
struct row {
    int32_t *partner;
    uint64_t *weight;
};

/* The end of the ascending run that begins at `begin`. */
static size_t end_of_run(const struct row *row, size_t begin, size_t length)
{
    size_t i = begin + 1;
    while (i < length && row->partner[i - 1] <= row->partner[i])
        i++;
    return i < length ? i : length;
}

static void copy_part(struct row *to, size_t at, const struct row *from, size_t begin, size_t end)
{
    memcpy(to->partner + at, from->partner + begin, (end - begin) * sizeof *to->partner);
    memcpy(to->weight + at, from->weight + begin, (end - begin) * sizeof *to->weight);
}

/* Merge the runs begin .. middle and middle .. end of `from` into the same place of `to`. */
static void merge_runs(struct row *to, const struct row *from, size_t begin, size_t middle,
                       size_t end)
{
    size_t left = begin, right = middle, at = begin;
    while (left < middle && right < end) {
        size_t i = from->partner[right] < from->partner[left] ? right++ : left++;
        to->partner[at] = from->partner[i];
        to->weight[at++] = from->weight[i];
    }
    copy_part(to, at, from, left, middle);
    copy_part(to, at + (middle - left), from, right, end);
}

/* Merge adjacent runs, two at a time, until one is left. */
static void sort_row(struct row *row, size_t length, struct row *scratch)
{
    while (length > 0 && end_of_run(row, 0, length) < length) {
        for (size_t begin = 0, end; begin < length; begin = end) {
            size_t middle = end_of_run(row, begin, length);
            end = middle < length ? end_of_run(row, middle, length) : length;
            merge_runs(scratch, row, begin, middle, end);
        }
        copy_part(row, 0, scratch, 0, length);
    }
}

static enum tmap_status sort_rows(struct tmap_matrix *matrix)
{
    size_t longest = 0;
    for (int32_t role = 0; role < matrix->roles; role++) {
        size_t length = matrix->start[role + 1] - matrix->start[role];
        longest = length > longest ? length : longest;
    }
    struct row scratch = {tmap_new(longest, sizeof *scratch.partner),
                          tmap_new(longest, sizeof *scratch.weight)};
    int failed = !scratch.partner || !scratch.weight;
    for (int32_t role = 0; role < matrix->roles && !failed; role++) {
        size_t begin = matrix->start[role];
        struct row row = {matrix->partner + begin, matrix->weight + begin};
        sort_row(&row, matrix->start[role + 1] - begin, &scratch);
    }
    free(scratch.partner);
    free(scratch.weight);
    return failed ? TMAP_ENOMEM : TMAP_OK;
}

static enum tmap_status fill_rows(struct tmap_matrix *matrix, const struct tmap_entry *entries,
                                  size_t count)
{
    enum tmap_status status = tmap_matrix_alloc_rows(matrix, count_ends(matrix, entries, count));
    if (status == TMAP_OK)
        status = deal_entries(matrix, entries, count);
    if (status == TMAP_OK)
        status = sort_rows(matrix);
    if (status != TMAP_OK)
        return status;
    merge_rows(matrix);
    tmap_matrix_shrink(matrix);
    return TMAP_OK;
}

enum tmap_status tmap_matrix_create(struct tmap_matrix **result, int32_t roles,
                                    const struct tmap_entry *entries, size_t count,
                                    struct tmap_error *error)
{
    enum tmap_status status = check_entries(roles, entries, count, error);
    if (status != TMAP_OK)
        return status;
    struct tmap_matrix *matrix = tmap_matrix_empty(roles);
    if (matrix && tmap_matrix_is_worth_a_square(roles, 2 * count))
        status = tmap_matrix_fill_square(matrix, entries, count);
    else
        status = matrix ? fill_rows(matrix, entries, count) : TMAP_ENOMEM;
    if (status != TMAP_OK) {
        tmap_matrix_destroy(matrix);
        return tmap_fail_memory(error);
    }
    *result = matrix;
    return TMAP_OK;
}
