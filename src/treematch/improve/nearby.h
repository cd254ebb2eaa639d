/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nearby.h - on trees with networks: where a role could go to be near its partners.
 */
#ifndef TMAP_NEARBY_H
#define TMAP_NEARBY_H

#include "treematch/model/objects.h"

struct tmap_nearby {
    const struct tmap_tree *tree;
    int level;    /* of the objects that are proposed */
    int with_own; /* a role may gain inside its own, because slots hold several roles */
    /* By object of level l + 1, where level l has a network: its neighbors, a run of `neighbor`. */
    size_t *first[TMAP_MAX_LEVELS];
    int32_t *neighbor[TMAP_MAX_LEVELS];
    uint64_t *votes; /* by object of `level`; 0 between searches */
    int32_t *voted;  /* objects with votes */
    int32_t voted_count;
};

/* Returns 1 if a level of the tree has a network; the functions below need one. */
int tmap_nearby_is_for(const struct tmap_tree *tree);

/* TMAP_ENOMEM or TMAP_OK. Time and memory about O(objects of the levels with networks). */
enum tmap_status tmap_nearby_init(struct tmap_nearby *nearby, const struct tmap_tree *tree);
/* Also after a failed tmap_nearby_init, and of zeros. */
void tmap_nearby_fini(struct tmap_nearby *nearby);

/*
 * The objects of nearby->level where `role` would be near most of its traffic, best first: those of
 * its partners, their neighbors in networks, and its own neighbors. Its own is not among
 * them, unless with_own. Fills
 * `object`, room for `most`; returns how many. *work gets the steps this took.
 */
int32_t tmap_nearby_find(struct tmap_nearby *nearby, const struct tmap_matrix *matrix,
                         const int32_t *slot_of, int32_t role, int32_t *object, int32_t most,
                         double *work);

#endif
