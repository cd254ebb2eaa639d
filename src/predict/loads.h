/* SPDX-License-Identifier: BSD-3-Clause */
/* loads.h - what the links of a network carry, in launch order and in a better one. */
#ifndef RESEAT_LOADS_H
#define RESEAT_LOADS_H

#include "predict/prediction.h"

/* [0]: in launch order (0 without one), [1]: in the order found. */
struct loads {
    double busiest[2]; /* of all links of the level, in units of the matrix */
    double mean[2];
    double hops[2]; /* links of the network that one unit passes on average; 0: there is none */
};

/* The level whose links are reported where there is room for one: the outermost with a shape, or
 * else the outermost that branches. */
int loads_main_level(const struct tmap_tree *tree);

/* The loads of a level for traffic between the roles of a prediction that has its order. 0, or -1
 * with *error. */
int loads_find(const struct prediction *p, const struct tmap_matrix *matrix, int level,
               struct loads *loads, struct reseat_error *error);

#endif
