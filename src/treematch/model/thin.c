/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thin.c - a sparse likeness of a dense matrix, in which good divisions are the same.
 *
 * Sampling edges in proportion to their weight keeps all cuts of a dense graph about as heavy as
 * they were (Benczur and Karger 1996), and where everybody talks to everybody a few dozen partners
 * tell as much as thousands. With k partners wanted, a role of total weight T has the step T / k:
 * pairs of at least one step are kept as they are, the lighter ones are laid end to end, and the
 * one that lies under each multiple of the step (from a random start) stands for one step. So what
 * a role sends remains the same, and a row has at most k + 1 entries. Pairs are thinned from both
 * ends and added up, which doubles all weights, so nothing has to be rounded.
 *
 * Example: weights 6 1 1 1 1, k = 2: step 5; the 6 is kept, of the four ones none or one is taken,
 * with weight 5: 4 on average.
 *
 * Time: two readings of each row while it is in the cache. Memory O(roles x k).
 */
#include "treematch/internal.h"

struct sample {
    struct tmap_entry *entry;
    size_t count;
    int shift; /* of weights, so that the doubled sum stays below the limit of a matrix */
};

static uint64_t sum_of(const struct tmap_row *row)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < row->count; i++)
        sum += row->weight[i];
    return sum;
}

static void sample_add(struct sample *sample, int32_t role, int32_t partner, uint64_t weight)
{
    sample->entry[sample->count++] = (struct tmap_entry){role, partner, weight >> sample->shift};
}

static void thin_row(struct sample *sample, const struct tmap_row *row, int32_t role, uint64_t step,
                     uint64_t start)
{
    uint64_t to_next = start; /* until the next multiple */
    for (size_t i = 0; i < row->count; i++) {
        uint64_t weight = row->weight[i];
        if (weight >= step) {
            sample_add(sample, role, row->partner[i], weight);
        } else if (weight > to_next) {
            sample_add(sample, role, row->partner[i], step);
            to_next += step - weight;
        } else {
            to_next -= weight;
        }
    }
}

struct tmap_matrix *tmap_matrix_thin(const struct tmap_matrix *matrix, int32_t partners,
                                     uint64_t seed)
{
    struct tmap_matrix *thin = NULL;
    struct tmap_random random;
    struct sample sample = {NULL, 0, matrix->total >> 60 ? 2 : 0};
    size_t roles = (size_t)matrix->roles;
    tmap_random_init(&random, seed);
    sample.entry = tmap_new(roles * ((size_t)partners + 1), sizeof *sample.entry);
    for (int32_t role = 0; role < matrix->roles && sample.entry; role++) {
        struct tmap_row row = tmap_row_of(matrix, role);
        uint64_t step = sum_of(&row) / (uint64_t)partners + 1;
        thin_row(&sample, &row, role, step, tmap_random_next(&random) % step);
    }
    if (sample.entry)
        tmap_matrix_create(&thin, matrix->roles, sample.entry, sample.count, NULL);
    free(sample.entry);
    return thin;
}
