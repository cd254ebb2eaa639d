/* SPDX-License-Identifier: BSD-3-Clause */
/* shape-words.h - shapes as words of a tree's text: "torus:4x4x4". */
#ifndef TMAP_SHAPE_WORDS_H
#define TMAP_SHAPE_WORDS_H

#include "treematch/model/objects.h"

/* Returns 1 if `name`, `length` characters, is the name of a shape. */
int tmap_shape_is_word(const char *name, int length);

/*
 * Parse a word: torus:AxBx..., mesh:AxBx..., ring:N (a torus of one dimension), hypercube:D (a mesh
 * of D dimensions of extent 2), dragonfly:GROUPSxROUTERS. *positions gets the number of positions,
 * and *link the links of a graph, from malloc, to which `shape` points. TMAP_ESYNTAX or
 * TMAP_EOVERFLOW with the word, TMAP_ENOMEM.
 */
enum tmap_status tmap_shape_parse(struct tmap_shape *shape, const char *word, int length,
                                  int32_t *positions, struct tmap_link **link,
                                  struct tmap_error *error);

#endif
