/* SPDX-License-Identifier: BSD-3-Clause */
/* scotch-module.h - the methods of Scotch beside those of libtmap: a module of its own, loaded on
 * demand. */
#ifndef RESEAT_SCOTCH_MODULE_H
#define RESEAT_SCOTCH_MODULE_H

#include "treematch/tmap.h"

/* Number `index` of the methods of Scotch, by the weights of levels and loads; NULL: there is
 * none. */
const char *scotch_method(int index);

/* Like tmap_mapping_find, with those as well if the module with Scotch is available. `repairs`:
 * what had to be changed in its mapping, as a sentence; empty: nothing. */
enum { MAP_REPAIRS_SIZE = 128 };
enum tmap_status map_and_repair(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                const struct tmap_options *options, int32_t *slot_of,
                                char repairs[MAP_REPAIRS_SIZE], struct tmap_error *error);

/* The same, and what had to be changed is printed. */
enum tmap_status map_and_say_repairs(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                                     const struct tmap_options *options, int32_t *slot_of,
                                     struct tmap_error *error);

#endif
