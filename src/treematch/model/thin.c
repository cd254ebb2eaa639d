/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thin.c - a sparse approximation of a dense matrix, with the same good divisions.
 *
 * Sampling edges in proportion to their weight keeps all cuts of a dense graph about as heavy as
 * they were (Benczur and Karger 1996): where all roles talk to all others, a few dozen partners
 * tell as much as thousands. With k partners wanted, a role of total weight T has the step T / k.
 * Pairs of at least one step are kept unchanged. The lighter ones are laid end to end, and the pair
 * found at each multiple of the step (from a random start) gets the weight of one step. So the
 * total of a role stays the same, and a row has at most k + 1 entries. Both ends of a pair are
 * sampled and added up, which doubles all weights, so that nothing has to be rounded.
 *
 * Example: weights 6 1 1 1 1, k = 2: the step is 5; the 6 is kept, and at most one of the four ones
 * is, with weight 5: 4 on average.
 *
 * Time: two readings of each row while it is in the cache. Memory O(roles x k).
 */
#include "treematch/model/objects.h"

struct sample {
    struct tmap_entry *entry;
    size_t count;
    int shift; /* of weights, so that the doubled sum stays below a matrix's limit */
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
    uint64_t to_next = start; /* to the next multiple */
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
