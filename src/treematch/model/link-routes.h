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

struct tmap_routes {
    const struct tmap_interconnect *interconnect;
    size_t numbers; /* links are 0 .. numbers-1 */
    double *load;   /* by link, both directions together; torus and mesh in bulk: NULL, see below */
    uint64_t *step; /* torus and mesh in bulk, by link: units by which it carries more than the one
                       before it in its line, modulo 2^64; later the sums of these */
    double *forward;        /* in bulk, as load and step: what goes from the first end of a link */
    uint64_t *forward_step; /* to the second (tmap_routes_ends) */
    double unit;
    /* Graphs only: */
    struct tmap_interconnect_search search;
    double *flow;   /* by position: what passes on its way */
    int32_t *order; /* positions, nearest to the target first */
    int32_t *place; /* by hops: where their positions begin in `order` */
};

/*
 * Make room; all loads are 0. In bulk, loads are known only after tmap_routes_sum_up, and in a torus
 * or mesh the time does not depend on how far it is; `most` (0: not in bulk) is the sum of all that
 * will be sent, up to 2^62, in multiples of a half. Below 2^60 that is exact, else up to 4 for each
 * that is sent. TMAP_ENOMEM or TMAP_OK; to be ended in both cases.
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

/* After all that was sent in bulk: find the loads, O(links). */
void tmap_routes_sum_up(struct tmap_routes *routes);

/* In bulk, after tmap_routes_sum_up, and of all links before anything else is sent: the load of a link,
 * which is then 0, and in *way that of the direction with more. */
double tmap_routes_take(struct tmap_routes *routes, size_t number, double *way);

/* The two ends of a link: returns 1, or 0 if no link has this number. */
int tmap_routes_ends(const struct tmap_interconnect *interconnect, size_t number, int32_t *from,
                     int32_t *to);

/* How many links there are. */
int64_t tmap_routes_links(const struct tmap_interconnect *interconnect);

#endif
