/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report-heat.h - who talks to whom as a map of cells, in launch order and in the better one, for the page
 * and the terminal.
 *
 * Rows send, columns receive. Both are the places of the machine from left to right, so that the ranks of a
 * node are next to each other, in either order. Large jobs are binned: a cell is then `bin' places in each
 * direction, as few as there is room for in a page.
 */
#ifndef RESEAT_REPORT_HEAT_H
#define RESEAT_REPORT_HEAT_H

#include "cmd/report-nodes.h"
#include "cmd/report-numbers.h"

enum {
    HEAT_MOST_SIDE = 1024,
    HEAT_MOST_CELLS = 32000, /* of a map */
    HEAT_MOST_PARTS = 40000, /* of all layers of a map */
    HEAT_COLORS = 9,
    HEAT_GROUPS = 20 /* communicators; the last is all others if there are more */
};

struct heat_cell {
    int32_t at; /* row x side + column */
    double bytes, msgs;
};

struct heat_cells {
    struct heat_cell *cell; /* ascending by `at' */
    size_t count;
};

/* A part of the traffic. -1: all. */
struct heat_layer {
    int kind, phase, group;
    struct heat_cells cells[2];
};

struct heat {
    int32_t ranks, bin, side;
    int orders; /* 1: only as launched */
    int32_t *role_at[2];
    int32_t *position_of[2]; /* by role */
    struct heat_cells all[2];
    struct heat_layer *layer;
    size_t layers;
    double least, most; /* bytes of a cell, of those that have any */
};

/* 0, or -1 with *error. Close it in any case; it begins with all zeros. Time O(entries x layers) at most. */
int heat_open(struct heat *heat, const struct report *report, struct reseat_error *error);
/* The same with bins of that size and without layers. Time O(entries), memory O(ranks + side^2). */
int heat_open_small(struct heat *heat, const struct report *report, int32_t bin,
                    struct reseat_error *error);
void heat_close(struct heat *heat);

/* The colour of a cell with so many bytes, 0 .. HEAT_COLORS - 1. */
int heat_color(const struct heat *heat, double bytes);

/* The least bytes of a cell of a colour, 0 .. HEAT_COLORS (the end of the last). */
double heat_limit(const struct heat *heat, int color);

/* Whether the whole map has lines between nodes. */
int heat_shows_lines(const struct heat *heat, const struct report_nodes *nodes);

/* The map of an order as SVG, with lines between nodes. */
void heat_write_svg(FILE *file, const struct heat *heat, const struct report *report,
                    const struct report_nodes *nodes, int order);

/* All of it as JSON, for the script of the page. */
void heat_write_json(FILE *file, const struct heat *heat, const struct report *report,
                     const struct report_nodes *nodes);

#endif
