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
#include <stdint.h>

/* 0, or -1 with *error; the caller checks `file` for write errors. */
int draw_text(FILE *file, const struct draw_view *view, struct reseat_error *error);

/* ---- many names or numbers in few characters, "n[1-3,7]", "0-3,8": lists.c ---- */

/* Names as Slurm writes them, sorted; `width` is about how many characters there may be before the
 * rest is left out (",..."). 0, or -1: out of memory. */
int draw_names(FILE *file, char *const *names, int32_t count, int width);

/* Numbers, sorted. 0, or -1: out of memory. */
int draw_numbers(FILE *file, const int32_t *numbers, int32_t count, int width);

#endif
