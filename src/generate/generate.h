/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generate.h - communication patterns by name, for `reseat compare`, benchmarks and tests:
 *
 *   NAME[-shuffled][:SIZE[:BYTES]]
 *
 *   stencil2d stencil2d9 stencil3d stencil3d27 stencil4d stencil4d81
 *                a grid, each rank with those beside it; with a larger number also with diagonal
 *                ones, to which it sends a tenth, a hundredth ... as much (stencil2d5, 3d7 and 4d9
 *                are other names)
 *   torus        a periodic grid of any dimensions; ring: each rank to the next one
 *   hypercube    ranks whose numbers differ in one bit; butterfly: half as much with each higher
 *                bit
 *   alltoall     the same for all pairs; dense: all pairs, each another amount
 *   random       each rank with four others; rmat: few ranks have many partners
 *   geometric    points in a square, each with those nearby; mesh: such a graph cut into as many
 *                parts
 *   cliques      groups that talk all to all, and little to the next one
 *   planted      a hierarchy: each rank talks much inside its object of the innermost level, less
 *                outside
 *   communities  groups that share ranks, and small ones across; dragonfly: groups with a few links
 *                between each two
 *   transform    the stages of a fast Fourier transform; holes: a grid of which parts are missing,
 *                with ranks that talk to nobody
 *
 * SIZE is the number of ranks, or AxB...: the extents of a grid, the arities of a hierarchy from
 * the root, the number of cliques and their size (by default 12). BYTES is what the heaviest pair
 * sends. Shuffled: the ranks are renumbered at random. The same text and seed give the same pattern
 * everywhere.
 */
#ifndef RESEAT_GENERATE_H
#define RESEAT_GENERATE_H

#include "treematch/tmap.h"

enum { GENERATE_MOST_ROLES = 1 << 20, GENERATE_MOST_ENTRIES = 1 << 25 };

struct generate_pattern {
    int kind; /* the number of its generator */
    int is_shuffled;
    int extents; /* 0: no size is said */
    int32_t extent[TMAP_MAX_LEVELS];
    int32_t roles;     /* by the extents; 0: no size is said */
    uint64_t heaviest; /* bytes; 0: as the generator has them */
};

/* Returns 1 if `text` begins with the name of a generator and may be meant as one. */
int generate_is_name(const char *text);

/* Parse a text. TMAP_ESYNTAX, TMAP_EOVERFLOW: says what is wrong. */
enum tmap_status generate_parse(struct generate_pattern *pattern, const char *text,
                                struct tmap_error *error);

/*
 * Generates the traffic: *entries is allocated, one for each directed pair, ascending by source and
 * target. `roles` is 1 .. GENERATE_MOST_ROLES, pattern->roles where that is not 0. TMAP_EINVAL: the
 * pattern cannot have so many. TMAP_EOVERFLOW: more than GENERATE_MOST_ENTRIES.
 */
enum tmap_status generate_traffic(struct tmap_entry **entries, size_t *count,
                                  const struct generate_pattern *pattern, int32_t roles,
                                  uint64_t seed, struct tmap_error *error);

/* The same as a matrix, where pairs that exchange the same both ways count once: for benchmarks and
 * tests. NULL: no such pattern, or no memory. */
struct tmap_matrix *generate_matrix(const char *text, int32_t roles, uint64_t seed);

#endif
