/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine-forms.h - a machine in the forms of other programs. Each function returns 0, or -1 with
 * *error; the caller checks `file` for write errors.
 */
#ifndef RESEAT_MACHINE_FORMS_H
#define RESEAT_MACHINE_FORMS_H

#include <stdio.h>

#include "draw/view.h"

/* A graph for Graphviz (dot, neato, sfdp): the objects down to the hosts, or, where none is one, to
 * the slots; the links between them, colored by what they carry if that is known. Fails if there
 * are too many vertices or no memory. */
enum { GRAPHVIZ_MOST_VERTICES = 100000 };
int draw_graphviz(FILE *file, const struct draw_view *view, struct reseat_error *error);

/* Netloc's lines (network/netloc.h). Fails if hosts have no names, or a level is a mesh or a graph,
 * for which Netloc has no word; if there are too many slots or no memory. */
int draw_netloc(FILE *file, const struct draw_view *view, struct reseat_error *error);

/*
 * A target architecture for Scotch's gmap, whose terminal numbers are our slots:
 *   tleaf                    a uniform tree whose costs fall from the root
 *   torusXD, mesh2D, mesh3D, hcub    a machine that is one level of that shape, all hops alike
 *   sub                      such a shape of which some positions are not there
 *   deco 0                   everything else: all distances, and slots cut in two again and again
 *
 * Scotch 7.0 maps to deco as it should, but what gmap -vm then prints of distances is wrong: for
 * that it looks up the domain before that of a slot. Fails if there are too many slots for Scotch's
 * table of distances, or no memory.
 */
enum { SCOTCH_TEXT_MOST_SLOTS = 4096 };
int draw_scotch(FILE *file, const struct draw_view *view, struct reseat_error *error);

/* A synthetic description for hwloc: "package:2 numa:2 core:4 pu:1". Levels that hwloc has no type
 * for (switches, nodes, levels without a name) are groups; costs are not in it. Fails if the
 * machine is not uniform, or has levels that hwloc does not take in this order. */
int draw_synthetic(FILE *file, const struct draw_view *view, struct reseat_error *error);

/* A platform for SimGrid, version 4.1 of its DTD: a host for each node, with a core for each slot,
 * and the switches and links above them (simgrid-platform.c). Fails if the view has no rates, a
 * level below the root is a network, or there are too many slots. */
int draw_simgrid(FILE *file, const struct draw_view *view, struct reseat_error *error);

/* HOST:SLOTS for each node, as smpirun and Hydra take it. Fails if there are too many slots. */
int draw_hostfile(FILE *file, const struct draw_view *view, struct reseat_error *error);

#endif
