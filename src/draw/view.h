/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view.h - a machine as it is written and drawn: its tree, which of its objects are hosts, and what
 * its links carry.
 *
 *   struct draw_view view = {.tree = tree, .host_level = 1, .host = names};
 *   if (draw_view_open(&view, &error) == 0)
 *       rc = draw_text(file, &view, &error);
 *   draw_view_close(&view);
 */
#ifndef RESEAT_VIEW_H
#define RESEAT_VIEW_H

#include <stdint.h>

#include "text/error.h"
#include "network/machine.h"
#include "timings/timings.h"
#include "treematch/tmap.h"

/* More slots than this are written only where a level is one line. */
enum { DRAW_MOST_SLOTS = 1 << 22 };

/* An accelerator or a network card, beside the object that it is near to. */
struct draw_device {
    int level;
    int32_t object;
    int is_card;
    char name[20];
};

struct draw_view {
    /* Set by the caller, to whom all of it belongs. */
    const struct tmap_tree *tree;
    int host_level;         /* its objects are hosts; -1: those of no level */
    char *const *host;      /* by object of that level: its name; NULL: they have none */
    const int32_t *rank_of; /* by slot: the rank that sits there; NULL: it is not a job's machine */
    /* Netloc's description beyond the tree, without a tree of its own; NULL: it is not the
     * source. */
    const struct reseat_machine *described;
    const struct tmap_matrix *matrix; /* traffic and where its roles sit; NULL: none */
    const int32_t *slot_of;
    const struct draw_device *device;
    int32_t devices;
    /* The load that has the darkest color; 0, or less than that of the busiest link: that. */
    double busiest;
    /* The rates of the network, for forms that have them; without timings (NULL) that of a card; 0:
     * not known. */
    const struct reseat_timings *timings;
    uint32_t megabits;

    int depth;
    int32_t slots;
    /* By level and object: its first child, which is of the next level; one more at the end. NULL
     * for trees of more than DRAW_MOST_SLOTS slots. */
    int32_t *first_child[TMAP_MAX_LEVELS];
};

/* 0, or -1 with *error. Close it in any case. */
int draw_view_open(struct draw_view *view, struct reseat_error *error);
void draw_view_close(struct draw_view *view);

/* Number of children of an object. Only if there is first_child. */
static inline int32_t draw_children(const struct draw_view *view, int level, int32_t object)
{
    return view->first_child[level][object + 1] - view->first_child[level][object];
}

/* The first object of level `to` below object `object` of `from`, or past it (`object` + 1). */
int32_t draw_first_below(const struct draw_view *view, int from, int32_t object, int to);

/* The level of the nodes, as the time model has it. */
int draw_node_level(const struct draw_view *view);
/* The slots of a node, at least one, and its name as a host: that of the description, or a made-up
 * one. Returns `text`. */
int32_t draw_cores(const struct draw_view *view, int node_level, int32_t node);
enum { DRAW_HOST_SIZE = 272 };
const char *draw_host_name(const struct draw_view *view, int node_level, int32_t node,
                           char text[DRAW_HOST_SIZE]);

/* What makes several of a level's name: "s", "es"; "": it is a plural already. */
const char *draw_plural_end(const char *name);

/* "router", "routers": what the objects of a level are called, which is the name of the level
 * above. Returns `text` or a text that stays valid. */
enum { DRAW_NAME_SIZE = 48 };
const char *draw_name(const struct draw_view *view, int level, int64_t count,
                      char text[DRAW_NAME_SIZE]);

/* "torus 4x4x4", "ring of 8", "graph of 72 vertices and 324 links": the shape of a level. */
enum { DRAW_SHAPE_SIZE = 256 };
void draw_shape_text(const struct draw_view *view, int level, char text[DRAW_SHAPE_SIZE]);

/* Number of positions of a shape; 0: none. */
int64_t draw_positions(const struct tmap_shape *shape);

/* "(2,0,0)"; "17" in a ring or graph and where there is no shape: where an object is in its
 * parent. */
enum { DRAW_POSITION_SIZE = 256 };
void draw_position_text(const struct draw_view *view, int level, int32_t object,
                        char text[DRAW_POSITION_SIZE]);

/* The coordinates of a position of a torus or mesh, one for each dimension. */
void draw_coordinates(const struct tmap_shape *shape, int32_t position,
                      int32_t at[TMAP_MAX_DIMENSIONS]);

/* "2 accelerators, 1 network card": the devices near an object; empty: none. */
enum { DRAW_DEVICES_SIZE = 64 };
void draw_devices_text(const struct draw_view *view, int level, int32_t object,
                       char text[DRAW_DEVICES_SIZE]);

/* Returns 1 if all pairs of positions have a link of length 1. */
int draw_is_alltoall(const struct tmap_shape *shape);

#endif
