/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recognize.h - what the traffic between ranks looks like to a person: a grid, a hypercube, groups
 * in which all talk with all, ...
 *
 * Patterns are sought in the numbers that the ranks have, as programs number them; a grid is also
 * found when its ranks are numbered otherwise. To be named, nearly all pairs of a pattern must
 * talk, about equally much, and what is named must hold most of the traffic together; or else
 * nothing is.
 */
#ifndef RESEAT_RECOGNIZE_H
#define RESEAT_RECOGNIZE_H

#include "treematch/tmap.h"

enum {
    RECOGNIZE_PARTS = 3,
    RECOGNIZE_DIMENSIONS = 4,
    RECOGNIZE_VECTORS = 81, /* 3^RECOGNIZE_DIMENSIONS steps of -1, 0 or 1 in each dimension */
    RECOGNIZE_TEXT = 256
};

enum recognized_kind {
    RECOGNIZED_GRID,   /* neighbors in a mesh or torus */
    RECOGNIZED_GROUPS, /* all with all in each group; one group: all-to-all */
    RECOGNIZED_CUBES,  /* a hypercube in each group */
    RECOGNIZED_CHAINS, /* the next one in each group, not in a group of all: that is a grid */
    RECOGNIZED_RINGS,  /* and the last with the first */
    RECOGNIZED_TRANSPOSITION, /* (i, j) with (j, i) */
    RECOGNIZED_POWERS, /* with those 1, 2, 4 ... further on, the last followed by the first */
    RECOGNIZED_TREE,   /* with the parent, from rank 0 down */
    RECOGNIZED_STAR    /* one with all others */
};

struct recognized_part {
    enum recognized_kind kind;
    double share; /* of the traffic, without what parts before it have */

    /* GRID: extents >= 2, the last dimension varying fastest; extents of 2 never wrap. */
    int dimensions;
    int32_t extent[RECOGNIZE_DIMENSIONS];
    int wraps[RECOGNIZE_DIMENSIONS];
    double weight[RECOGNIZE_DIMENSIONS];       /* between neighbors in each dimension */
    unsigned char diagonal[RECOGNIZE_VECTORS]; /* which diagonal neighbors talk too */
    int diagonals, all_diagonals;              /* how many, of how many; 0: none worth a word */

    /* Groups of `group` ranks, each `stride` after the one before; a multiple of them lies in a
     * block of group * stride ranks. */
    int32_t group, stride;

    int32_t side, unit; /* TRANSPOSITION: a square of side x side units of so many ranks */
    int32_t ranks;      /* POWERS */
    int32_t arity;  /* TREE: rank r has the parent (r - 1) / arity; 0: r without its lowest bit */
    int32_t center; /* STAR */

    const int32_t *cell_of; /* GRID, CUBES: what counts as the rank's number; NULL: its own */
};

struct recognized {
    int parts; /* 0: nothing is recognized */
    double share;
    struct recognized_part part[RECOGNIZE_PARTS]; /* the best first, then that of what it leaves */
    int32_t *cell_of;
};

/*
 * Finds the patterns in the traffic. TMAP_OK or TMAP_ENOMEM; in any case *recognized is for
 * recognize_fini. Time O(pairs) for each pattern that the distances between partners' numbers
 * suggest, usually few, and at most some dozens of each kind where there are a million pairs;
 * memory 24 bytes a pair and 20 a rank.
 */
enum tmap_status recognize(struct recognized *recognized, const struct tmap_matrix *matrix);
void recognize_fini(struct recognized *recognized);

/* "a periodic 8 x 8 x 4 grid in row order"; returns `text`. */
const char *recognize_text(const struct recognized_part *part, int32_t ranks,
                           char text[RECOGNIZE_TEXT]);

/* Returns 1 if the pair of a and b, a != b, belongs to the pattern. */
int recognize_has(const struct recognized_part *part, int32_t a, int32_t b);

/* Number of pairs of the pattern. */
double recognize_pairs(const struct recognized_part *part, int32_t ranks);

#endif
