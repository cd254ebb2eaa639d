/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report-heat.h - the communication matrix as maps of cells: the traffic of a profile in several
 * orders, or of several profiles in one.
 *
 * Rows send, columns receive. Both are the places of the machine from left to right, so that the
 * ranks of a node are next to each other, in any order. Large jobs are binned: a cell is then `bin'
 * places in each direction, as few as there is room for in a page.
 */
#ifndef RESEAT_REPORT_HEAT_H
#define RESEAT_REPORT_HEAT_H

#include "cmd/report/report-nodes.h"
#include "cmd/report/report-numbers.h"
#include "draw/picture.h"
#include "page/document.h"

enum {
    HEAT_MOST_MAPS = 9,
    HEAT_MOST_SIDE = 1024,
    HEAT_MOST_CELLS = 64000, /* of all maps */
    HEAT_MOST_PARTS = 80000, /* of all layers of all maps */
    HEAT_COLORS = 9,
    HEAT_STEPS = 4,  /* colors of a difference, for less and for more */
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
    struct heat_cells cells[HEAT_MOST_MAPS];
};

/* Whose traffic a map shows, and where each role sits. All of it is the caller's. */
struct heat_source {
    const struct reseat_profile *profile;
    const int32_t *slot_of;
    const char *name; /* "launch order" */
};

struct heat {
    const struct tmap_tree *tree;
    struct heat_source source[HEAT_MOST_MAPS];
    int maps, share; /* of the cells and parts that there may be, a map gets one in `share' */
    int32_t ranks, bin, side;
    int32_t *role_at[HEAT_MOST_MAPS];
    int32_t *position_of[HEAT_MOST_MAPS]; /* by role */
    struct heat_cells all[HEAT_MOST_MAPS];
    struct heat_layer *layer;
    size_t layers;
    double least, most; /* bytes of a cell, of those that have any */
};

/* The maps of `maps' sources, of as many ranks each; with a `reserve', as coarse as if there were
 * so many more. */
struct heat_request {
    const struct tmap_tree *tree;
    struct heat_source source[HEAT_MOST_MAPS];
    int maps, reserve;
};
/* What the maps of a report are: launch order, and if there is a gain the better order. */
struct heat_request heat_of_report(const struct report *report);

/* 0, or -1 with *error. Close it in any case; it begins with all zeros. Time O(entries x layers) at
 * most. */
int heat_open(struct heat *heat, const struct heat_request *request, struct reseat_error *error);
/* The same with bins of that size and without layers. Time O(entries), memory O(ranks + side^2). */
int heat_open_small(struct heat *heat, const struct heat_request *request, int32_t bin,
                    struct reseat_error *error);
void heat_close(struct heat *heat);

/* The color of a cell with so many bytes, 0 .. HEAT_COLORS - 1. */
int heat_color(const struct heat *heat, double bytes);

/* The cells of one kind of traffic in a map; the caller frees `cell'. 0, or -1 with *error. */
int heat_find_kind(const struct heat *heat, int kind, int map, struct heat_cells *cells,
                   struct reseat_error *error);

/* Print the least bytes of a cell of a color, 0 .. HEAT_COLORS (the end of the last); nothing where
 * that reads as for the color before. Returns `text`. */
const char *heat_print_limit(const struct heat *heat, int color, char text[32]);

/* The next cells that have one color and are next to each other, from cell number *at on, which is
 * moved behind them. Returns how many; 0: there are no more. */
struct heat_run {
    int32_t column, row, length;
};
int heat_next_run(const struct heat *heat, const struct heat_cells *cells, int color, size_t *at,
                  struct heat_run *run);

/* The first place from `position` on, 1 at least, at which another node begins in a map; the number
 * of ranks: none. */
int32_t heat_next_border(const struct heat *heat, const struct report_nodes *nodes, int map,
                         int32_t position);

/* The node at a place of a map. */
int32_t heat_node_at(const struct heat *heat, const struct report_nodes *nodes, int map,
                     int32_t place);

/* ---- numbers and names at the edges of a map (report-heat-axis.c) ---- */

struct heat_axis {
    const struct heat *heat;
    const struct report_nodes *nodes;
    int map;
    int32_t step, place, node_place;
};
enum { HEAT_LABEL_SIZE = 24 };
struct heat_label {
    double at; /* in cells from the edge: the middle of a rank or node, or where a place begins */
    double share; /* of the edge: a name's */
    char text[HEAT_LABEL_SIZE];
};
struct heat_axis heat_axis_of(const struct heat *heat, const struct report_nodes *nodes, int map);

/* The next number, and the next name of a node. Each returns 0 if there are no more. */
int heat_next_number(struct heat_axis *axis, struct heat_label *label);
int heat_next_name(struct heat_axis *axis, struct heat_label *label);

/* Returns 1 if there are names, and each fits beside its node on an edge of so many pixels. */
int heat_names_fit(const struct heat_axis *axis, double edge, double letter);

/* Returns 1 if the numbers are ranks; else they are places. */
int heat_labels_ranks(const struct heat *heat);

/* The places of each node, if all have as many; else 0. */
int32_t heat_node_size(const struct heat *heat, const struct report_nodes *nodes);

/* Both edges as SVG, to be put above and to the left of a map. */
void heat_write_axes(FILE *file, const struct heat *heat, const struct report_nodes *nodes,
                     int map);

/* Whether the whole map has lines between nodes. */
int heat_shows_lines(const struct heat *heat, const struct report_nodes *nodes);

/* What map 1 has more than map 0, in cells that differ; the caller frees `cell'. */
struct heat_difference {
    struct heat_cells cells;
    double least, most; /* of what cells differ by, as far as colors tell it apart */
};
/* 0, or -1 with *error. */
int heat_difference_open(struct heat_difference *difference, const struct heat *heat,
                         struct reseat_error *error);

/* The color of so many bytes more or less: 0 is the most less, 2 x HEAT_STEPS - 1 the most more. */
int heat_difference_color(const struct heat_difference *difference, double bytes);

/* It as SVG, and what its colors mean. */
void heat_write_difference(FILE *file, const struct heat *heat,
                           const struct heat_difference *difference,
                           const struct report_nodes *nodes);
void heat_write_difference_legend(FILE *file, const struct heat_difference *difference);

/* Draw maps number `first' to `last' side by side, each with its name, and what the colors mean
 * below. `cells': of each map (NULL: all of its traffic). The size of the picture is set. */
struct heat_drawing {
    const char *title;
    int first, last;
    const struct heat_cells *cells;
};
void heat_draw(struct picture *picture, const struct heat *heat, const struct report_nodes *nodes,
               const struct heat_drawing *drawing);

/* One of its maps on a page. */
struct heat_map {
    const struct heat *heat;
    const struct report_nodes *nodes;
    int map;
};

/* Add what a page shows of its first two maps; these outlive the document. */
void heat_add_values(struct document *document, const struct heat_map map[2]);

#endif
