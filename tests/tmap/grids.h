/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grids.h - makers of patterns that are grids, for the unit tests of the mapping library.
 */
#ifndef TESTS_TMAP_GRIDS_H
#define TESTS_TMAP_GRIDS_H

#include "test.h"

enum { MOST = 65536, DIMENSIONS = 6 };

/* A torus or mesh: extent 0 ends it. A cycle of 2 is an edge. */
struct pattern {
    int32_t extent[DIMENSIONS];
    int wraps[DIMENSIONS];
    uint64_t weight[DIMENSIONS];
};

static inline int32_t cells_of(const struct pattern *p)
{
    int32_t cells = 1;
    for (int d = 0; d < DIMENSIONS && p->extent[d]; d++)
        cells *= p->extent[d];
    return cells;
}

/* The cell `steps` ahead of `cell` in a dimension; -1: beyond the border. */
static inline int32_t cell_ahead(const struct pattern *p, int32_t cell, int dimension, int steps)
{
    int32_t stride = 1, extent = p->extent[dimension];
    for (int d = dimension + 1; d < DIMENSIONS && p->extent[d]; d++)
        stride *= p->extent[d];
    int32_t at = cell / stride % extent, to = at + steps;
    if (to < 0 || to >= extent) {
        if (!p->wraps[dimension] || extent == 2)
            return -1;
        to = (to + extent) % extent;
    }
    return cell + (to - at) * stride;
}

/* Entries between neighbors, with roles in random order. */
static inline struct entries entries_of(const struct pattern *p, const int32_t *role_at)
{
    struct entries entries = {NULL, 0, 0};
    for (int32_t cell = 0; cell < cells_of(p); cell++)
        for (int d = 0; d < DIMENSIONS && p->extent[d]; d++) {
            int32_t next = cell_ahead(p, cell, d, 1);
            if (next >= 0)
                add_entry(&entries, role_at[cell], role_at[next], p->weight[d]);
        }
    return entries;
}

static inline void add_diagonals(struct entries *entries, const struct pattern *p,
                                 const int32_t *role_at, uint64_t weight)
{
    for (int32_t cell = 0; cell < cells_of(p); cell++)
        for (int d = 1; d < DIMENSIONS && p->extent[d]; d++)
            for (int steps = -1; steps <= 1; steps += 2) {
                int32_t next = cell_ahead(p, cell, d, steps);
                next = next < 0 ? -1 : cell_ahead(p, next, d - 1, 1);
                if (next >= 0)
                    add_entry(entries, role_at[cell], role_at[next], weight);
            }
}

static inline void add_binomial_tree(struct entries *entries, int32_t roles, uint64_t weight)
{
    for (int32_t role = 1; role < roles; role++)
        add_entry(entries, role & (role - 1), role, weight);
}

static inline void shuffle_roles(struct tmap_random *random, int32_t *role_at, int32_t roles)
{
    for (int32_t i = 0; i < roles; i++)
        role_at[i] = i;
    tmap_random_shuffle(random, role_at, roles);
}

#endif
