/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * patterns.h - communication patterns for benchmarks, by name and number of roles.
 */
#ifndef TESTS_BENCH_PATTERNS_H
#define TESTS_BENCH_PATTERNS_H

#include "treematch/internal.h"

/*
 * The matrix of a pattern: "stencil2d5", "stencil2d9", "stencil3d7", "stencil3d27", "hypercube",
 * "cliques" (of 12), "geometric", "mesh" (in parts), "rmat", "dense", "alltoall", "ring",
 * "torus:4x4x2" (for 32 roles), or "planted:4,3,2" (a hierarchy with these arities from the root); each followed by "-shuffled" when
 * roles shall be renamed at random. NULL: no such pattern or no memory.
 */
struct tmap_matrix *pattern_make(const char *name, int32_t roles, uint64_t seed);

#endif
