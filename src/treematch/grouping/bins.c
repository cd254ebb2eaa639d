/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bins.c - what a level of the tree demands of a grouping: see treematch.h.
 */
#include "treematch/grouping/treematch.h"

enum tmap_status tmap_bins_alloc(struct tmap_bins *bins, int32_t count, int32_t demands)
{
    bins->bins = count;
    bins->first = tmap_new((size_t)count + 1, sizeof *bins->first);
    bins->child_class = tmap_new((size_t)demands, sizeof *bins->child_class);
    bins->demand = tmap_new((size_t)demands, sizeof *bins->demand);
    bins->kind = tmap_new((size_t)count, sizeof *bins->kind);
    if (bins->first && bins->child_class && bins->demand && bins->kind)
        return TMAP_OK;
    tmap_bins_fini(bins);
    return TMAP_ENOMEM;
}

enum tmap_status tmap_bins_init_uniform(struct tmap_bins *bins, int32_t count, int32_t k)
{
    if (tmap_bins_alloc(bins, count, count) != TMAP_OK)
        return TMAP_ENOMEM;
    bins->kinds = 1;
    bins->classes = 1;
    for (int32_t b = 0; b <= count; b++)
        bins->first[b] = b;
    for (int32_t b = 0; b < count; b++) {
        bins->child_class[b] = 0;
        bins->demand[b] = k;
        bins->kind[b] = 0;
    }
    return TMAP_OK;
}

void tmap_bins_fini(struct tmap_bins *bins)
{
    free(bins->first);
    free(bins->child_class);
    free(bins->demand);
    free(bins->kind);
    memset(bins, 0, sizeof *bins);
}
