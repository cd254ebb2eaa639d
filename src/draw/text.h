/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - a machine in words:
 *
 *     2 routers     torus 4x4x4, 2 of 64 positions   1600 a hop
 *     3 nodes       1 to 2 in each router            800 apart
 *     12 packages   4 in each node                   80 apart
 *
 *     router (2,0,0)
 *       n129: 4 packages x 2 NUMA nodes x 4 cores
 *     router (3,1,0)
 *       n[208,210]: 4 packages x 2 NUMA nodes x 4 cores each
 *
 * Few switches and routers are listed one by one, with their hosts; otherwise what is built alike
 * is said once. What the first part says already is left out. The length follows the number of
 * kinds, not of nodes.
 */
#ifndef RESEAT_TEXT_H
#define RESEAT_TEXT_H

#include <stdio.h>

#include "draw/view.h"

/* 0, or -1 with *error; the caller checks `file` for write errors. */
int draw_text(FILE *file, const struct draw_view *view, struct reseat_error *error);

#endif
