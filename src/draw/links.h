/* SPDX-License-Identifier: BSD-3-Clause */
/* links.h - the links of a network, and what they carry. */
#ifndef RESEAT_LINKS_H
#define RESEAT_LINKS_H

#include "draw/view.h"

/* Call `take` for each link of a shape once, with its two positions. */
typedef void draw_link_fn(void *context, int32_t from, int32_t to);
void draw_each_link(const struct tmap_shape *shape, draw_link_fn *take, void *context);

/* The loads of all links of a view that has a mapping; without one, all are 0. */
struct draw_loads {
    struct tmap_link_load *link[TMAP_MAX_LEVELS]; /* by level, those with a load, sorted */
    size_t count[TMAP_MAX_LEVELS];
    double busiest; /* of all */
};

/* 0, or -1 with *error. Close it in any case. */
int draw_loads_open(struct draw_loads *loads, const struct draw_view *view,
                    struct reseat_error *error);
void draw_loads_close(struct draw_loads *loads);

/* Of a link of the network of object `object` of `level`. */
double draw_load_between(const struct draw_loads *loads, int level, int32_t object, int32_t from,
                         int32_t to);
/* Of the link from an object of `level` + 1 to its parent. */
double draw_load_up(const struct draw_loads *loads, int level, int32_t child);

/* The color of a load that is `share` (0 to 1) of the busiest: "#rrggbb", from light to dark, and
 * to be told apart without seeing red and green as two. */
enum { DRAW_COLORS = 6 };
const char *draw_color(double share);

#endif
