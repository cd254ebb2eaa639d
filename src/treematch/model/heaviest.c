/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heaviest.c - the heaviest pairs of every role, which is all that a bottom-up grouping needs: the
 * fast grouping takes pairs from the heaviest down and seldom gets far.
 *
 * Each row is read once; a pair that is heavier than the lightest of the best so far enters a small
 * sorted list. In a row of n random weights that happens about k ln(n / k) times for k places, so
 * the cost is dominated by the comparisons.
 */
#include "treematch/model/objects.h"

struct best {
    size_t *place; /* in the row, heaviest first */
    int32_t count, most;
};

static void best_insert(struct best *best, const struct tmap_row *row, size_t place)
{
    int32_t at = best->count < best->most ? best->count++ : best->most - 1;
    while (at > 0 && row->weight[best->place[at - 1]] < row->weight[place]) {
        best->place[at] = best->place[at - 1];
        at--;
    }
    best->place[at] = place;
}

static void find_best(struct best *best, const struct tmap_row *row)
{
    uint64_t bar = 0; /* the lightest of a full list: a pair must be heavier */
    best->count = 0;
    for (size_t i = 0; i < row->count; i++) {
        if (row->weight[i] <= bar)
            continue;
        best_insert(best, row, i);
        if (best->count == best->most)
            bar = row->weight[best->place[best->most - 1]];
    }
}

/* A pair that both its roles have chosen was added twice. */
static void set_weights(struct tmap_matrix *thin, const struct tmap_matrix *matrix)
{
    thin->total = 0;
    for (int32_t role = 0; role < thin->roles; role++) {
        struct tmap_row row = tmap_row_of(matrix, role);
        size_t at = 0;
        for (size_t i = thin->start[role]; i < thin->start[role + 1]; i++) {
            if (matrix->is_dense)
                at = (size_t)thin->partner[i];
            while (row.partner[at] < thin->partner[i])
                at++;
            thin->weight[i] = row.weight[at];
            thin->total += thin->weight[i] * (thin->partner[i] > role);
        }
    }
}

struct tmap_matrix *tmap_matrix_heaviest(const struct tmap_matrix *matrix, int32_t most)
{
    struct tmap_matrix *thin = NULL;
    size_t count = 0;
    struct best best = {tmap_new((size_t)most, sizeof *best.place), 0, most};
    struct tmap_entry *entry = tmap_new((size_t)matrix->roles * (size_t)most, sizeof *entry);
    for (int32_t role = 0; role < matrix->roles && best.place && entry; role++) {
        struct tmap_row row = tmap_row_of(matrix, role);
        find_best(&best, &row);
        for (int32_t i = 0; i < best.count; i++)
            entry[count++] = (struct tmap_entry){role, row.partner[best.place[i]], 1};
    }
    if (best.place && entry)
        tmap_matrix_create(&thin, matrix->roles, entry, count, NULL);
    if (thin)
        set_weights(thin, matrix);
    free(best.place);
    free(entry);
    return thin;
}
