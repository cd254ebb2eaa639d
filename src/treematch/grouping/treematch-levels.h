/* SPDX-License-Identifier: BSD-3-Clause */
/* treematch-levels.h - what the method treematch does level by level, to be shown. Not
 * installed. */
#ifndef TMAP_TREEMATCH_LEVELS_H
#define TMAP_TREEMATCH_LEVELS_H

#include "treematch/tmap.h"

enum { TMAP_MOST_GROUPED = TMAP_MAX_LEVELS + 32 };

/* One level: processes, which are roles or the groups of the level below, become groups. */
struct tmap_treematch_level {
    int32_t processes; /* with artificial ones, which come last */
    int32_t real;      /* without them */
    int32_t groups;
    int32_t *group_of; /* by process */
};

struct tmap_treematch_levels {
    int arities; /* of the levels after division, from the root; 0: the tree is not uniform */
    int32_t arity[TMAP_MOST_GROUPED];
    int levels; /* from below */
    struct tmap_treematch_level level[TMAP_MOST_GROUPED];
};

/*
 * Fill *levels with what tmap_mapping_find does by the method treematch with these options, of
 * which only group_threshold and buckets count; of a tree much larger than the job, what is done in
 * the part of it that the roles can use. Returns as tmap_mapping_find.
 */
enum tmap_status tmap_treematch_find_levels(struct tmap_treematch_levels *levels,
                                            const struct tmap_matrix *matrix,
                                            const struct tmap_tree *tree,
                                            const struct tmap_options *options,
                                            struct tmap_error *error);
void tmap_treematch_free_levels(struct tmap_treematch_levels *levels);

#endif
