/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * link-routes.h - which links of a network the traffic between two positions uses.
 *
 * Links have numbers, not all of which need exist. Torus and mesh: link p * dimensions + d leads
 * from position p to the next one in dimension d. Graph: the place in the caller's list.
 */
#ifndef TMAP_LINK_ROUTES_H
#define TMAP_LINK_ROUTES_H

#include "treematch/model/interconnect-search.h"

/*
 * A torus or mesh in bulk has difference arrays: step[link] is the load of a link minus that of the
 * link before it in its line, in fixed point (multiples of `unit`, modulo 2^64). A route of any
 * length changes two entries of a line, and prefix sums give the loads (tmap_routes_sum_up):
 *
 *   loads of a line   0  5  5  5  0      a route of weight 5 over links 1 to 3
 *   step              0 +5  0  0 -5
 */
struct tmap_routes {
    const struct tmap_interconnect *interconnect;
    size_t numbers; /* links are 0 .. numbers-1 */
    /* By link, both directions together: one of the two. */
    double *load;   /* not in bulk, and graphs */
    uint64_t *step; /* torus and mesh in bulk */
    /* In bulk, the same for one direction: from the first end of a link (tmap_routes_ends). */
    double *forward;
    uint64_t *forward_step;
    double unit; /* weight of 1 in a difference array */
    /* Graphs only: */
    struct tmap_interconnect_search search;
    int32_t aim;    /* where the last search began, -1: none */
    double *flow;   /* by position: load that passes it */
    int32_t *order; /* positions, nearest to the target first */
    int32_t *place; /* by hops: where their positions begin in `order` */
};

/*
 * Makes room; all loads are 0. `most` is the sum of all weights that will be sent in bulk, at most
 * 2^62; 0: not in bulk. Weights are multiples of a half. In bulk, loads are known only after
 * tmap_routes_sum_up, and in a torus or mesh the time does not depend on the distance. If `most` is
 * below 2^60 the loads are exact, else they are off by up to 4 for each weight that is sent.
 * TMAP_ENOMEM or TMAP_OK; tmap_routes_fini in both cases.
 */
enum tmap_status tmap_routes_init(struct tmap_routes *routes,
                                  const struct tmap_interconnect *interconnect, double most);
void tmap_routes_fini(struct tmap_routes *routes);

/*
 * Add the load of weight[i] on its way from position from[i] to position `to`, for `count` of them.
 * Time, torus and mesh: O(hops) each, in bulk O(1); graph: that of a search from `to`, for all
 * together.
 */
void tmap_routes_send(struct tmap_routes *routes, int32_t to, int32_t count, const int32_t *from,
                      const double *weight);

struct tmap_routes_step {
    size_t number;  /* of a link */
    int is_forward; /* from its first end to the second one */
};

/*
 * Lists the links of one way, where nothing is sent evenly: in a torus or mesh the way that is
 * always taken; in a graph a shortest path, at each position over the link that was listed the
 * fewest times (not in bulk). `step` has room for all positions; returns how many there are, for a
 * graph in order, 0 if none leads there. Time O(hops), and of a graph a search for each new `to`.
 */
size_t tmap_routes_list(struct tmap_routes *routes, int32_t from, int32_t to,
                        struct tmap_routes_step *step);

/* After all that was sent in bulk: find the loads, O(links). */
void tmap_routes_sum_up(struct tmap_routes *routes);

/* In bulk, after tmap_routes_sum_up, and of all links before anything else is sent: the load of a
 * link, which is then 0, and in *way that of the direction with more. */
double tmap_routes_take(struct tmap_routes *routes, size_t number, double *way);

/* The two ends of a link: returns 1, or 0 if no link has this number. */
int tmap_routes_ends(const struct tmap_interconnect *interconnect, size_t number, int32_t *from,
                     int32_t *to);

/* Number of links. */
int64_t tmap_routes_links(const struct tmap_interconnect *interconnect);

#endif
