/* SPDX-License-Identifier: BSD-3-Clause */
/* netloc-view.h - any machine whose hosts have names as Netloc's lines (network/netloc.h). */
#ifndef RESEAT_NETLOC_VIEW_H
#define RESEAT_NETLOC_VIEW_H

#include <stdio.h>

#include "draw/view.h"

/* 0, or -1 with *error: hosts have no names, or a level is a mesh or a graph, for which Netloc has no word;
 * too many slots; out of memory. The caller checks `file` for write errors. */
int draw_netloc(FILE *file, const struct draw_view *view, struct reseat_error *error);

#endif
