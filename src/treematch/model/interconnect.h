/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interconnect.h - the network that connects the children of the objects of a level: its positions,
 * and the lengths of the shortest paths between them.
 *
 * A path in a torus or a mesh is computed from coordinates. A graph keeps the lengths between those
 * of its positions that are in use, which have consecutive numbers of their own, `vertices`. (In a
 * torus or mesh every position is a vertex.)
 */
#ifndef TMAP_INTERCONNECT_H
#define TMAP_INTERCONNECT_H

#include <stdatomic.h>

#include "treematch/model/objects.h"

/* As which a link between groups counts when paths are compared: more than the links inside groups
 * of any path that is meant. */
enum { TMAP_BETWEEN_GROUPS = 4096 };

struct tmap_interconnect {
    atomic_int owners;       /* trees; the copies of a tree share its networks */
    struct tmap_shape shape; /* as given, but lengths are filled in and links are the network's */
    int64_t positions;
    double shortest; /* of all hops */
    /* Graphs only: */
    struct tmap_link *link;
    size_t *first; /* links at a position: target, number, length[first[p]] .. first[p + 1] */
    int32_t *target;
    int32_t *number;   /* in the list of links */
    float *length;     /* NULL: all are the same; with groups 1 or TMAP_BETWEEN_GROUPS */
    int32_t *vertex;   /* by position, -1: not in use */
    int32_t *position; /* by vertex */
    int32_t vertices;
    uint16_t *hops;  /* by pair of vertices: links on a shortest path */
    float *distance; /* by pair of vertices; NULL: hops x shortest */
};

/* Make a network with one owner from a valid shape; `used` lists the positions in use, `count`
 * entries, which may repeat. */
enum tmap_status tmap_interconnect_create(struct tmap_interconnect **interconnect,
                                          const struct tmap_shape *shape, const int32_t *used,
                                          int32_t count, struct tmap_error *error);
struct tmap_interconnect *tmap_interconnect_share(struct tmap_interconnect *interconnect);
void tmap_interconnect_release(struct tmap_interconnect *interconnect);

/* Check a caller's shape and fill in what it leaves out. *positions gets their number. */
enum tmap_status tmap_shape_read(struct tmap_shape *shape, const struct tmap_shape *given,
                                 int64_t *positions, struct tmap_error *error);

/* Fill hops and distance of a graph; of paths that are equally long the one with the fewest hops
 * counts. interconnect-table.c */
enum tmap_status tmap_interconnect_fill_table(struct tmap_interconnect *interconnect,
                                              struct tmap_error *error);

/* The vertex at a position, which is in use. */
static inline int32_t tmap_interconnect_vertex(const struct tmap_interconnect *interconnect,
                                               int32_t position)
{
    return interconnect->vertex ? interconnect->vertex[position] : position;
}

static inline int32_t tmap_interconnect_wrap(int32_t apart, int32_t extent)
{
    apart = apart < 0 ? -apart : apart;
    return apart * 2 > extent ? extent - apart : apart;
}

/* The length of a shortest path between two positions in use, without the cost of the level;
 * *hops (may be NULL) gets how many links it has. */
double tmap_interconnect_path(const struct tmap_interconnect *interconnect, int32_t from,
                              int32_t to, int32_t *hops);

/* The positions that are one link away, in ascending order of dimension or of position, without
 * repetitions: fills `next`, which has room for `most`, and returns how many there are. */
int32_t tmap_interconnect_next(const struct tmap_interconnect *interconnect, int32_t position,
                               int32_t *next, int32_t most);

/* The length of the path between two slots that part at `level`, in units of the cost of that
 * level: 1 without a network. *hops (may be NULL) gets the links at this level: 2 without a
 * network. */
double tmap_length_between(const struct tmap_tree *tree, int level, int32_t a, int32_t b,
                           int32_t *hops);

/* The coordinates of a position of a torus or mesh. */
void tmap_interconnect_coordinates(const struct tmap_interconnect *interconnect, int32_t position,
                                   int32_t coordinate[TMAP_MAX_DIMENSIONS]);

#endif
