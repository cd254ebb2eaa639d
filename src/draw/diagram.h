/* SPDX-License-Identifier: BSD-3-Clause */
/* diagram.h - the picture of a machine (layout.h), with what it is on top and a legend of loads
 * below. */
#ifndef RESEAT_DIAGRAM_H
#define RESEAT_DIAGRAM_H

#include "draw/picture.h"
#include "draw/view.h"

/* An amount of traffic for a person; returns `text`. */
typedef const char *diagram_amount_fn(double value, const char *unit, char text[32]);

/* 0, or -1 with *error: too many slots; out of memory. The caller frees the picture if it is 0. */
int draw_diagram(struct picture *picture, const struct draw_view *view, diagram_amount_fn *amount,
                 struct reseat_error *error);

#endif
