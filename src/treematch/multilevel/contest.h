/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * contest.h - mappings of one problem that compete: those of divisions and of the simple methods,
 * improved by exchanges, and what else its owner adds. The cheapest one is kept.
 */
#ifndef TMAP_CONTEST_H
#define TMAP_CONTEST_H

#include "treematch/improve/swaps.h"
#include "treematch/multilevel/division.h"

/* Up to this many roles, everything that the effort allows is done. */
enum { TMAP_FEW_ROLES = 512 };

/* A machine as it is divided. */
struct tmap_arrangement {
    struct tmap_compact compact; /* only if it has networks */
    const struct tmap_tree *tree;
    int64_t *units_before; /* by slot of the tree, slots + 1: capacity to its left */
};

/* The best mapping of the simple methods (packed, round robin, TreeMatch's start) as they find
 * it. */
struct tmap_simple_start {
    int32_t *slot_of;
    double cost; /* INFINITY: no method has been asked yet */
    int asked;   /* number of methods that have been asked */
    int differs; /* treematch itself finds another mapping, which has to be tried as well */
};

/* The same mapping, improved by exchanges. */
struct tmap_improved_start {
    int32_t *slot_of; /* scratch unless is_done */
    int is_done;
};

struct tmap_contest {
    const struct tmap_problem *problem;
    struct tmap_arrangement arrangement[TMAP_COMPACT_KINDS];
    int arrangements;
    struct tmap_division division;
    struct tmap_swaps swaps; /* as tmap_contest_improve does them */
    int32_t *best;           /* slot of each role */
    double best_cost;        /* INFINITY: there is none yet */
    int agreeing;            /* mappings since then that cost the same */
    int32_t *tried;          /* the next to compete (tmap_contest_judge) */
    struct tmap_simple_start simple;
    struct tmap_improved_start improved;
};

/* TMAP_ENOMEM or TMAP_OK, as all of these functions. The problem must live as long. */
enum tmap_status tmap_contest_init(struct tmap_contest *contest,
                                   const struct tmap_problem *problem);
/* Also after a failed tmap_contest_init, and of zeros. */
void tmap_contest_fini(struct tmap_contest *contest);

/* Evaluates a mapping: *cost. */
enum tmap_status tmap_contest_cost(const struct tmap_contest *contest, const int32_t *slot_of,
                                   double *cost);
/* Keep contest->tried if it is the best so far. */
enum tmap_status tmap_contest_judge(struct tmap_contest *contest);
/* Improve a mapping by exchanges. */
enum tmap_status tmap_contest_improve(struct tmap_contest *contest, int32_t *slot_of);

/* Enter what this effort means, without what smaller ones do. */
enum tmap_status tmap_contest_run(struct tmap_contest *contest, enum tmap_effort level);

int tmap_has_networks(const struct tmap_tree *tree);

#endif
