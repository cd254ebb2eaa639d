/* SPDX-License-Identifier: BSD-3-Clause */
/* block-sizes.h - the sizes of blocks of nodes of Slurm's topology/block: each one above the first
 * joins adjacent blocks into a larger one. */
#ifndef RESEAT_BLOCK_SIZES_H
#define RESEAT_BLOCK_SIZES_H

#include <stddef.h>
#include <stdint.h>

#include "text/number.h"
#include "treematch/tmap-hwloc.h"

struct block_sizes {
    int32_t base;                           /* the first one, 0: none yet */
    int count;                              /* of the others */
    int32_t joined[TMAP_SWITCH_LEVELS - 1]; /* how many blocks each of these is, ascending */
};

/* Add one size. NULL, or why that cannot be. */
static inline const char *block_sizes_add(struct block_sizes *sizes, const char *text)
{
    int32_t size;
    if (read_number32(&text, &size) || *text || size < 1)
        return "a size of blocks is expected";
    if (!sizes->base) {
        sizes->base = size;
        return NULL;
    }
    int32_t before = sizes->count ? sizes->joined[sizes->count - 1] : 1;
    if (size % sizes->base || size / sizes->base <= before)
        return "sizes of blocks rise, and are multiples of the first one";
    if (sizes->count == TMAP_SWITCH_LEVELS - 1)
        return "too many sizes of blocks";
    sizes->joined[sizes->count++] = size / sizes->base;
    return NULL;
}

#endif
