/* SPDX-License-Identifier: BSD-3-Clause */
/* generate-builder.h - what the generators fill, and which there are. */
#ifndef RESEAT_GENERATE_BUILDER_H
#define RESEAT_GENERATE_BUILDER_H

#include "generate/generate.h"
#include "treematch/model/objects.h"

struct generate_builder {
    struct tmap_entry *entry;
    size_t count, room;
    int32_t roles;
    int extents; /* of the text; 0: there are none */
    const int32_t *extent;
    struct tmap_random random;
    enum tmap_status status; /* the first failure; nothing is added after it */
};

/* Add what one rank sends to another one. */
void generate_add(struct generate_builder *b, int64_t source, int64_t target, uint64_t weight);

/* `parameter` is that of the generator's row in the table of generate.c. */
typedef void generate_fn(struct generate_builder *b, int parameter);

/* generate-grids.c: grids, whose parameter is the number of dimensions, negative with diagonal
 * neighbors; and what ranks of other numbers a rank talks to by its own number. */
generate_fn generate_stencil;
generate_fn generate_torus;
generate_fn generate_ring;
generate_fn generate_hypercube; /* parameter 1: half as much with each higher bit */
generate_fn generate_all;       /* parameter 1: the same for all */
generate_fn generate_cliques;   /* the parameter: their size, unless the extents say it */

/* generate-graphs.c: graphs made at random. */
generate_fn generate_random; /* the parameter: partners of each rank */
generate_fn generate_rmat;
generate_fn generate_geometric;
generate_fn generate_mesh;
generate_fn generate_planted;
generate_fn generate_communities;
generate_fn generate_dragonfly;
generate_fn generate_transform;
generate_fn generate_holes;

#endif
