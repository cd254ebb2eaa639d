/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regular-layouts.h - all regular layouts of a machine that differ, priced by a job's traffic
 * (regular-layouts.c). For the command. No MPI, no I/O.
 *
 *   struct regular_layouts found;
 *   if (regular_layouts_find(&found, matrix, tree, &error) == 0) {
 *       ... found.layout[0].text is the cheapest, found.layout[0].cost what it costs ...
 *       regular_layouts_free(&found);
 *   }
 */
#ifndef RESEAT_REGULAR_LAYOUTS_H
#define RESEAT_REGULAR_LAYOUTS_H

#include <stddef.h>
#include <stdint.h>

#include "text/error.h"
#include "treematch/tmap.h"

enum { REGULAR_MOST_LETTERS = 16, REGULAR_TEXT = 2 * REGULAR_MOST_LETTERS + 1 };

struct regular_layout {
    char text[REGULAR_TEXT]; /* of tmap_layout */
    uint64_t key;            /* of its mapping: regular_mapping_key */
    size_t place;            /* among the texts that were tried: its order where costs are equal */
    double cost;             /* as tmap_mapping_evaluate counts it */
};

struct regular_layouts {
    struct regular_layout *layout; /* from the cheapest to the dearest */
    size_t count;                  /* of them: their mappings differ */
    size_t tried;                  /* texts that were tried */
    int unnamed; /* levels that branch and are in no text: without a letter, or left out for time */
};

/*
 * Find them for the roles of `matrix` on the slots of `tree`, whose order is that of the slots: one
 * role on each, the first ones of a layout if there are fewer roles than slots. A level that does
 * not branch is in no text; the dimensions of a torus or mesh are letters in the place of its
 * level. Of texts with the same mapping one with all letters is kept, if there is one. Of equal
 * costs the layout that fills slot after slot comes first.
 *
 * With k levels that branch these are k! texts, on trees that are not uniform some 2.7 k! (layouts
 * that leave levels out can differ there). Where pricing all would take more than a minute or so
 * (REGULAR_MOST_WORK), the innermost levels are left out until it does not.
 *
 * Time O(texts x ((roles + slots) x letters + pairs)), memory O(texts + roles + slots).
 * Deterministic. 0, or -1 with *error (more roles than slots, out of memory) and *found empty.
 */
int regular_layouts_find(struct regular_layouts *found, const struct tmap_matrix *matrix,
                         const struct tmap_tree *tree, struct reseat_error *error);
void regular_layouts_free(struct regular_layouts *found);

/* Number of letters, of so many, that remain: as many as can be ordered within REGULAR_MOST_WORK,
 * and one at least. */
int regular_letters_in_time(const struct tmap_tree *tree, int32_t roles, size_t pairs, int letters);

/* The mapping of a layout's text: slot_of has an entry for each role. 0, or -1 with *error. */
int regular_layout_map(const struct tmap_tree *tree, const char *text, int32_t roles,
                       int32_t *slot_of, struct reseat_error *error);

/* A hash of a mapping, the same on every machine. Two layouts with one key have one mapping: with
 * 64 bits two of 40,320 that differ share one in fewer than one case of 10^10. */
uint64_t regular_mapping_key(const int32_t *slot_of, int32_t roles);

#endif
