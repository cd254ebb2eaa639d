/* SPDX-License-Identifier: BSD-3-Clause */
/* graphviz.h - a machine as a graph for Graphviz (dot, neato, sfdp): its objects down to the hosts, or, where
 * none is one, to the slots; the links between them, colored by what they carry if that is known. */
#ifndef RESEAT_GRAPHVIZ_H
#define RESEAT_GRAPHVIZ_H

#include <stdio.h>

#include "draw/view.h"

enum { GRAPHVIZ_MOST_VERTICES = 100000 };

/* 0, or -1 with *error: too many vertices; out of memory. The caller checks `file` for write errors. */
int draw_graphviz(FILE *file, const struct draw_view *view, struct reseat_error *error);

#endif
