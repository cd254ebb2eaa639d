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
    double *load;   /* by link, both directions together */
    /* Graphs only: */
    struct tmap_interconnect_search search;
    double *flow;   /* by position: what passes on its way */
    int32_t *order; /* positions, nearest to the target first */
    int32_t *place; /* by hops: where their positions begin in `order` */
};

/* Make room; all loads are 0. TMAP_ENOMEM or TMAP_OK; to be ended in both cases. */
enum tmap_status tmap_routes_init(struct tmap_routes *routes,
                                  const struct tmap_interconnect *interconnect);
void tmap_routes_fini(struct tmap_routes *routes);

/*
 * Add the load of weight[i] on its way from position from[i] to position `to`, for `count` of them.
 * Time, torus and mesh: O(hops) each; graph: that of a search from `to`, for all together.
 */
void tmap_routes_send(struct tmap_routes *routes, int32_t to, int32_t count, const int32_t *from,
                      const double *weight);

/* The two ends of a link: returns 1, or 0 if no link has this number. */
int tmap_routes_ends(const struct tmap_interconnect *interconnect, size_t number, int32_t *from,
                     int32_t *to);

/* How many links there are. */
int64_t tmap_routes_links(const struct tmap_interconnect *interconnect);

#endif
