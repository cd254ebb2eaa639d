/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buckets.c - the elements of the matrix, sorted by falling weight bucket by bucket (TreeMatch
 * 2014, 4.1.2). The fast grouping seldom gets to the small elements, so they need not be sorted.
 *
 * With 8 buckets, the default, a sample of 2^8 elements is sorted; the pivots are its largest
 * element, its 2nd, 4th, 8th, ... and 64th. Bucket j holds the values v with pivot[j] <= v <
 * pivot[j - 1] (pivots fall, so the paper's inequality, the other way round, would be empty):
 *
 *   bucket                  0        1        2        3     ...     6         7
 *   values from pivot      [0]      [1]      [2]      [3]           [6]    what is less
 *   which in the sample     1        2        4        8             64
 *   share, about          1/256    1/256    2/256    4/256         32/256   192/256
 *
 * element[] has the buckets one after the other, bucket j from first[j] to first[j + 1]; within a
 * bucket elements are in order of (source, target) until tmap_buckets_sort.
 */
#include "treematch/grouping/treematch.h"

/* Insertion sort over falling distances (Ciura's), for up to 2^16 values. */
static void sort_falling(uint64_t *values, int count)
{
    static const int gaps[] = {8858, 3937, 1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        for (int i = gaps[g]; i < count; i++) {
            uint64_t value = values[i];
            int j = i;
            for (; j >= gaps[g] && values[j - gaps[g]] < value; j -= gaps[g])
                values[j] = values[j - gaps[g]];
            values[j] = value;
        }
    }
}

void tmap_bucket_pivots(uint64_t *sample, int buckets, uint64_t *pivot)
{
    sort_falling(sample, 1 << buckets);
    for (int j = 0; j < buckets - 1; j++)
        pivot[j] = sample[(1 << j) - 1];
}

int tmap_bucket_of(const uint64_t *pivot, int buckets, uint64_t value)
{
    int bucket = 0;
    while (bucket < buckets - 1 && value < pivot[bucket])
        bucket++;
    return bucket;
}

/* Sampling draws from the stored ends; each element is stored twice, so that is fair. `sample` has
 * room for 2^count. */
static void choose_pivots(const struct tmap_matrix *matrix, int count, uint64_t *sample,
                          uint64_t *pivot)
{
    struct tmap_random random;
    size_t ends = matrix->start[matrix->roles];
    tmap_random_init(&random, 0);
    for (int i = 0; i < 1 << count; i++)
        sample[i] = ends > 0 ? matrix->weight[tmap_random_next(&random) % ends] : 0;
    tmap_bucket_pivots(sample, count, pivot);
}

static void count_elements(struct tmap_buckets *buckets, const struct tmap_matrix *matrix,
                           const uint64_t *pivot)
{
    memset(buckets->first, 0, sizeof buckets->first);
    for (int32_t role = 0; role < matrix->roles; role++) {
        struct tmap_row row = tmap_row_of(matrix, role);
        for (size_t i = 0; i < row.count; i++) {
            if (row.partner[i] > role && row.weight[i] > 0)
                buckets->first[tmap_bucket_of(pivot, buckets->count, row.weight[i]) + 1]++;
        }
    }
    for (int j = 0; j < buckets->count; j++)
        buckets->first[j + 1] += buckets->first[j];
}

static void deal_elements(struct tmap_buckets *buckets, const struct tmap_matrix *matrix,
                          const uint64_t *pivot)
{
    size_t next[TMAP_MOST_BUCKETS + 1];
    memcpy(next, buckets->first, sizeof next);
    for (int32_t role = 0; role < matrix->roles; role++) {
        struct tmap_row row = tmap_row_of(matrix, role);
        for (size_t i = 0; i < row.count; i++) {
            if (row.partner[i] > role && row.weight[i] > 0)
                buckets->element[next[tmap_bucket_of(pivot, buckets->count, row.weight[i])]++] =
                    (struct tmap_entry){role, row.partner[i], row.weight[i]};
        }
    }
}

enum tmap_status tmap_buckets_init(struct tmap_buckets *buckets, const struct tmap_matrix *matrix,
                                   int count)
{
    uint64_t pivot[TMAP_MOST_BUCKETS - 1];
    size_t elements = tmap_matrix_pairs(matrix);
    buckets->count = count ? count : TMAP_BUCKETS;
    buckets->element = tmap_new(elements, sizeof *buckets->element);
    buckets->scratch = tmap_new(elements, sizeof *buckets->scratch);
    uint64_t *sample = tmap_new((size_t)1 << buckets->count, sizeof *sample);
    if (!buckets->element || !buckets->scratch || !sample) {
        free(sample);
        tmap_buckets_fini(buckets);
        return TMAP_ENOMEM;
    }
    choose_pivots(matrix, buckets->count, sample, pivot);
    free(sample);
    count_elements(buckets, matrix, pivot);
    deal_elements(buckets, matrix, pivot);
    return TMAP_OK;
}

void tmap_buckets_fini(struct tmap_buckets *buckets)
{
    free(buckets->element);
    free(buckets->scratch);
    buckets->element = NULL;
    buckets->scratch = NULL;
}

/* Elements come in the order of (source, target), and the sorting is stable. */
void tmap_buckets_sort(struct tmap_buckets *buckets, int bucket)
{
    size_t begin = buckets->first[bucket], end = buckets->first[bucket + 1];
    tmap_sort_falling(buckets->element + begin, buckets->scratch + begin, end - begin);
}
