/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bisect.c - multilevel bisection (Hendrickson and Leland 1995; Karypis and Kumar 1998).
 *
 * The graph is coarsened until few vertices are left; these are divided in several tries; the best
 * division is projected back, and refined on every level. Coarse vertices have sizes, so bounds are
 * met only up to the largest of them; in the finest graph all sizes are 1 and bounds are met
 * exactly. All this is repeated with other random choices, unless nothing is cut; where time
 * matters, only until some results agree, as they do at once for easy graphs. The first cycle of
 * coarsening and refining again combines the best result with another one: only vertices that both
 * have on one side are merged, so whole pieces on which they differ can move (Sanders and Schulz
 * 2012, evolutionary partitioning).
 *
 * Pulls (bisect.h) are added up where vertices are merged. Two that cancel out cost the same on
 * either side, which the coarse graph leaves out; so cuts are compared within one graph only.
 *
 * Example: the path 0-1-2-3-4-5-6-7 with weights of 1 is small enough not to be coarsened; growing
 * from 3 gives, for instance, {3,2,1,0}, with cut 1.
 */
#include "treematch/multilevel/bisect.h"

enum { COARSEST_VERTICES = 48, MAX_DEPTH = 64, LEAST_PATIENCE = 10 };

/* The best of several grown and refined divisions. */
static enum tmap_status bisect_coarsest(const struct tmap_bisection *bisection,
                                        const struct tmap_graph *graph, struct tmap_bounds bounds,
                                        unsigned char *side, int64_t *best)
{
    struct tmap_mark mark = tmap_arena_mark(bisection->arena);
    unsigned char *tried = tmap_arena_take(bisection->arena, (size_t)graph->n, 1);
    *best = INT64_MAX;
    if (!tried)
        return TMAP_ENOMEM;
    for (int i = 0; i < bisection->tries; i++) {
        int64_t cut = 0;
        if (tmap_grow(bisection, graph, bounds, i, tried) ||
            tmap_refine(bisection, graph, bounds, tried, &cut))
            return TMAP_ENOMEM;
        if (cut < *best) {
            *best = cut;
            memcpy(side, tried, (size_t)graph->n);
        }
    }
    tmap_arena_release(bisection->arena, mark);
    return TMAP_OK;
}

/* The graphs from finest to coarsest, and where each vertex went. */
struct hierarchy {
    struct tmap_graph level[MAX_DEPTH];
    int32_t *coarse_of[MAX_DEPTH];
    unsigned char *side; /* of the present level's vertices */
    int depth;
};

/* With `keep`, h->side is a division of the finest graph, in two or more, that the coarser ones
 * must respect; it is carried along. */
static enum tmap_status coarsen_all(const struct tmap_bisection *bisection, struct hierarchy *h,
                                    int keep)
{
    h->depth = 0;
    while (h->level[h->depth].n > COARSEST_VERTICES && h->depth + 1 < MAX_DEPTH) {
        const struct tmap_graph *fine = &h->level[h->depth];
        struct tmap_graph *coarse = &h->level[h->depth + 1];
        int32_t *coarse_of = tmap_arena_take(bisection->arena, (size_t)fine->n, sizeof(int32_t));
        h->coarse_of[h->depth] = coarse_of;
        if (!coarse_of || tmap_coarsen(bisection, fine, keep ? h->side : NULL, coarse, coarse_of))
            return TMAP_ENOMEM;
        for (int32_t v = 0; v < fine->n && keep; v++)
            h->side[coarse_of[v]] = h->side[v];
        h->depth++;
        if (coarse->n > fine->n / 20 * 19)
            break;
    }
    return TMAP_OK;
}

/* Project h->side from the coarsest graph to the finest, refining it; *cut gets the cut. `scratch`
 * is as long as the finest graph. */
static enum tmap_status refine_all(const struct tmap_bisection *bisection, struct hierarchy *h,
                                   struct tmap_bounds bounds, unsigned char *scratch, int64_t *cut)
{
    while (h->depth-- > 0) {
        const struct tmap_graph *fine = &h->level[h->depth];
        memcpy(scratch, h->side, (size_t)h->level[h->depth + 1].n);
        for (int32_t v = 0; v < fine->n; v++)
            h->side[v] = scratch[h->coarse_of[h->depth][v]];
        if (tmap_refine(bisection, fine, bounds, h->side, cut))
            return TMAP_ENOMEM;
    }
    return TMAP_OK;
}

/* One multilevel bisection or, with `keep`, one more cycle on the present division: the last bit of
 * each side, the others of which divide it further for the coarser graphs. *cut gets the cut. */
static enum tmap_status bisect_cycle(const struct tmap_bisection *bisection,
                                     const struct tmap_graph *graph, struct tmap_bounds bounds,
                                     unsigned char *side, int keep, int64_t *cut)
{
    struct tmap_mark mark = tmap_arena_mark(bisection->arena);
    struct hierarchy h = {.side = side};
    unsigned char *scratch = tmap_arena_take(bisection->arena, (size_t)graph->n, 1);
    h.level[0] = *graph;
    if (!scratch || coarsen_all(bisection, &h, keep))
        return TMAP_ENOMEM;
    const struct tmap_graph *coarsest = &h.level[h.depth];
    for (int32_t v = 0; v < coarsest->n && keep; v++)
        side[v] &= 1;
    enum tmap_status status = keep ? tmap_refine(bisection, coarsest, bounds, side, cut)
                                   : bisect_coarsest(bisection, coarsest, bounds, side, cut);
    if (status == TMAP_OK)
        status = refine_all(bisection, &h, bounds, scratch, cut);
    tmap_arena_release(bisection->arena, mark);
    return status;
}

/* The settings for one graph: the largest size that a coarse vertex may get; a small graph without
 * pulls needs less patience, and one that is not coarsened is divided in several tries anyway. */
static struct tmap_bisection bisect_settings(const struct tmap_bisection *given,
                                             const struct tmap_graph *graph)
{
    struct tmap_bisection settings = *given;
    const int enough = graph->n / 4 + LEAST_PATIENCE;
    settings.limit = (int32_t)(tmap_total_size(graph) / (COARSEST_VERTICES / 2)) + 1;
    if (!graph->pull && enough < settings.patience)
        settings.patience = enough;
    if (graph->n <= COARSEST_VERTICES)
        settings.repeats = 1;
    return settings;
}

static int is_agreed(const struct tmap_bisection *bisection, int agreeing)
{
    return bisection->agreement > 0 && agreeing >= bisection->agreement;
}

enum tmap_status tmap_bisect(const struct tmap_bisection *settings, const struct tmap_graph *graph,
                             struct tmap_bounds bounds, unsigned char *side)
{
    const struct tmap_bisection bisection = bisect_settings(settings, graph);
    struct tmap_mark mark = tmap_arena_mark(bisection.arena);
    const size_t n = (size_t)graph->n;
    unsigned char *tried = tmap_arena_take(bisection.arena, n, 1);
    unsigned char *other = tmap_arena_take(bisection.arena, n, 1); /* the last but the best */
    int64_t best = INT64_MAX, cut = 0;
    int agreeing = 0; /* with the best */
    if (!tried || !other)
        return TMAP_ENOMEM;
    memset(side, 0, n);
    memset(other, 0, n);
    for (int i = 0; i < bisection.repeats && best > 0 && !is_agreed(&bisection, agreeing); i++) {
        if (bisect_cycle(&bisection, graph, bounds, tried, 0, &cut))
            return TMAP_ENOMEM;
        agreeing = cut < best ? 0 : agreeing + (cut == best);
        memcpy(other, cut < best ? side : tried, n);
        if (cut < best) {
            best = cut;
            memcpy(side, tried, n);
        }
    }
    for (int i = 0; i < bisection.cycles && graph->n > COARSEST_VERTICES && best > 0 &&
                    !is_agreed(&bisection, agreeing);
         i++) {
        for (int32_t v = 0; v < graph->n && i == 0; v++)
            side[v] |= (unsigned char)(other[v] << 1);
        if (bisect_cycle(&bisection, graph, bounds, side, 1, &cut))
            return TMAP_ENOMEM;
    }
    tmap_arena_release(bisection.arena, mark);
    return TMAP_OK;
}

enum tmap_status tmap_bisect_again(const struct tmap_bisection *settings,
                                   const struct tmap_graph *graph, struct tmap_bounds bounds,
                                   unsigned char *side, int64_t *cut)
{
    const struct tmap_bisection bisection = bisect_settings(settings, graph);
    return bisect_cycle(&bisection, graph, bounds, side, 1, cut);
}

int32_t tmap_separate_sides(int32_t *element, int32_t n, const unsigned char *side,
                            int32_t *scratch)
{
    int32_t left = 0, right = 0;
    for (int32_t i = 0; i < n; i++) {
        if (side[i] == 0)
            element[left++] = element[i];
        else
            scratch[right++] = element[i];
    }
    memcpy(element + left, scratch, sizeof *element * (size_t)right);
    return left;
}
