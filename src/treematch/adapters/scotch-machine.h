/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scotch-machine.h - a machine as Scotch takes it: an architecture that Scotch predefines where one
 * is the same as the tree, and otherwise the whole graph of the machine.
 */
#ifndef TMAP_SCOTCH_MACHINE_H
#define TMAP_SCOTCH_MACHINE_H

#include "treematch/model/interconnect.h"
#include "treematch/tmap-scotch.h"

#include <stdio.h> /* scotch.h of 7.0.12 needs FILE, and does not say so */

#include <scotch.h>

struct scotch_machine {
    SCOTCH_Arch arch;
    SCOTCH_Arch base;      /* what arch is a part of */
    SCOTCH_Graph graph;    /* what arch was made of */
    SCOTCH_Strat strategy; /* how it was divided */
    int32_t *slot_of;      /* by number of a terminal domain; NULL: they are the slots */
    double longest;        /* distance of any two slots, about, as Scotch knows it */
};

/* The weight of a level in the papers; 0: these are no weights of theirs. */
int scotch_paper_weight(const struct tmap_tree *tree, int level, enum tmap_scotch_weights weights);

/* Of a tree that is not uniform the costs count, whatever the weights. TMAP_ENOTSUP: Scotch
 * refuses. In any case scotch_machine_fini has to follow. */
enum tmap_status scotch_machine_init(struct scotch_machine *machine, const struct tmap_tree *tree,
                                     enum tmap_scotch_weights weights);
void scotch_machine_fini(struct scotch_machine *machine);

/* The graph of a machine: switches, routers and slots, in CSR form. */
struct scotch_links {
    SCOTCH_Num vertices;
    SCOTCH_Num *start, *target, *length; /* start: vertices + 1 */
    SCOTCH_Num *weight;                  /* by vertex: the capacity of a slot, 0 */
    SCOTCH_Num *vertex_of;               /* by slot */
    double longest;
};

/*
 * An object of a level without a shape is a vertex, joined to its children; with a shape its
 * children are at vertices for the positions. Half the distance of two slots that part at a level
 * is the way up to the object, so paths in a plain tree are as long as its distances, rounded to
 * integers; between the positions of a shape they are longer by what is below its two ends.
 * TMAP_EOVERFLOW: more than 2^26 vertices. scotch-graph.c
 */
enum tmap_status scotch_links_init(struct scotch_links *links, const struct tmap_tree *tree);
void scotch_links_fini(struct scotch_links *links);

#endif
