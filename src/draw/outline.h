/* SPDX-License-Identifier: BSD-3-Clause */
/* outline.h - which objects of a machine are built alike, so that many can be said in one line. */
#ifndef RESEAT_OUTLINE_H
#define RESEAT_OUTLINE_H

#include "draw/view.h"

struct draw_outline {
    int depth;
    /* By level and object. Objects of a level with equal numbers have equal trees below them
     * (capacities too), whatever the positions in shapes. */
    int32_t *kind[TMAP_MAX_LEVELS + 1];
    /* 1: below the object all objects of a level are alike, and all positions of shapes are
     * used. */
    unsigned char *is_plain[TMAP_MAX_LEVELS + 1];
};

/* Of a view with first_child. 0, or -1: out of memory. Close it in any case. Time O(objects x log
 * objects). */
int draw_outline_open(struct draw_outline *outline, const struct draw_view *view);
void draw_outline_close(struct draw_outline *outline);

#endif
