/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scotch-text.h - a machine as a target architecture for Scotch's gmap, whose terminal numbers are our
 * slots:
 *   tleaf                    a uniform tree whose costs fall from the root
 *   torusXD, mesh2D, mesh3D, hcub    a machine that is one level of that shape, all hops alike
 *   sub                      such a shape of which some positions are not there
 *   deco 0                   everything else: all distances, and the slots cut in two again and again
 *
 * Scotch 7.0 maps to deco as it should, but what gmap -vm then prints of distances is wrong: for that it
 * looks up the domain before that of a slot.
 */
#ifndef RESEAT_SCOTCH_TEXT_H
#define RESEAT_SCOTCH_TEXT_H

#include <stdio.h>

#include "draw/view.h"

/* Scotch keeps a table of the distances of all domains. */
enum { SCOTCH_TEXT_MOST_SLOTS = 4096 };

/* 0, or -1 with *error: too many slots for a table; out of memory. The caller checks `file` for write
 * errors. */
int draw_scotch(FILE *file, const struct draw_view *view, struct reseat_error *error);

#endif
