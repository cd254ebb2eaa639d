/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compact-graph.c - halve a part of a graph: two clusters, of vertices that are close to each
 * other.
 *
 * The positions in use need not be linked directly: leaf switches are connected by spines, which
 * hold nothing. So each member is joined to those nearest to it, the more strongly the nearer they
 * are, and that graph is bisected with a small cut. Halves may differ in what they hold, so that
 * clusters stay whole.
 *
 * Example: of a dragonfly of 9 groups of 8 routers, 4 groups are one half and 5 the other, since
 * groups have few links between them.
 */
#include "treematch/model/interconnect.h"
#include "treematch/multilevel/bisect.h"
#include "treematch/multilevel/compact.h"

#include <math.h>

enum {
    LEAST_JOINED = 4,         /* a member joins so many of the others nearest to it, if there are */
    MOST_EQUALLY_NEAR = 128,  /* of those as near as the last of them, it joins at most so many */
    SHORTEST_WEIGHT = 1 << 20 /* of a join at the shortest length */
};

/* A half may hold more than half of the whole, by one of so many parts of it; all are tried. */
static const int uneven[] = {16, 10, 6};

static double length_between(const struct tmap_halving *h, int32_t a, int32_t b)
{
    return tmap_interconnect_path(h->interconnect, a, b, NULL) / h->interconnect->shortest;
}

/* The others that a member joins: all that are nearer than `length`; of those at `length`, the ones
 * up to `offset` after it, in the order of the members and around its end. Two members are joined
 * if either joins the other. */
struct reach {
    double length;
    int32_t offset;
};

static int32_t offset_between(int32_t count, int32_t from, int32_t to)
{
    return to > from ? to - from : to - from + count;
}

static struct reach reach_of(const struct tmap_halving *h, const int32_t *member, int32_t count,
                             int32_t from)
{
    double nearest[LEAST_JOINED + 1] = {0};
    int found = 0;
    for (int32_t i = 0; i < count; i++) {
        double length = length_between(h, member[from], member[i]);
        int at = found < LEAST_JOINED ? found : LEAST_JOINED;
        if (i == from)
            continue;
        for (; at > 0 && nearest[at - 1] > length; at--)
            nearest[at] = nearest[at - 1];
        nearest[at] = length;
        found += found < LEAST_JOINED;
    }
    struct reach reach = {found > 0 ? nearest[found - 1] : 0, 0};
    int joined = 0;
    for (int32_t offset = 1; offset < count && joined < MOST_EQUALLY_NEAR; offset++)
        if (length_between(h, member[from], member[(from + offset) % count]) == reach.length) {
            reach.offset = offset;
            joined++;
        }
    return reach;
}

/* The members and their graph. */
struct joining {
    const struct tmap_halving *halving;
    const int32_t *member;
    int32_t count;
    struct reach *reach;
};

static int joining_reaches(const struct joining *j, int32_t from, int32_t to, double length)
{
    struct reach reach = j->reach[from];
    return length < reach.length ||
           (length == reach.length && offset_between(j->count, from, to) <= reach.offset);
}

static int is_joined(const struct joining *j, int32_t a, int32_t b)
{
    if (a == b)
        return 0;
    double length = length_between(j->halving, j->member[a], j->member[b]);
    return joining_reaches(j, a, b, length) || joining_reaches(j, b, a, length);
}

/* The graph of the members and those near to them. */
static enum tmap_status join_nearest(const struct tmap_halving *h, const int32_t *member,
                                     int32_t count, struct tmap_arena *arena,
                                     struct tmap_graph *graph)
{
    size_t edges = 0, *start = tmap_arena_take(arena, (size_t)count + 1, sizeof *start);
    struct joining joining = {h, member, count, NULL};
    int32_t *size = tmap_arena_take(arena, (size_t)count, sizeof *size);
    joining.reach = tmap_arena_take(arena, (size_t)count, sizeof *joining.reach);
    if (!start || !joining.reach || !size)
        return TMAP_ENOMEM;
    *graph = (struct tmap_graph){.n = count, .start = start, .size = size, .largest = 1};
    for (int32_t i = 0; i < count; i++) {
        int64_t holds = h->weight[member[i]];
        joining.reach[i] = reach_of(h, member, count, i);
        size[i] = holds < 1 ? 1 : (holds > INT32_MAX / 64 ? INT32_MAX / 64 : (int32_t)holds);
        graph->largest = size[i] > graph->largest ? size[i] : graph->largest;
    }
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < count; j++)
            edges += (size_t)is_joined(&joining, i, j);
    int32_t *target = tmap_arena_take(arena, edges, sizeof *target);
    uint64_t *weight = tmap_arena_take(arena, edges, sizeof *weight);
    if (!target || !weight)
        return TMAP_ENOMEM;
    edges = start[0] = 0;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = 0; j < count; j++) {
            if (!is_joined(&joining, i, j))
                continue;
            double length = length_between(h, member[i], member[j]);
            target[edges] = j;
            weight[edges++] = (uint64_t)(SHORTEST_WEIGHT / (length * length)) + 1;
        }
        start[i + 1] = edges;
    }
    graph->target = target;
    graph->weight = weight;
    return TMAP_OK;
}

/* The weight of the cut for each pair of units on different sides; none on a side is the worst. */
static double ratio_of(const struct tmap_graph *graph, const unsigned char *side)
{
    double cut = 0, held[2] = {0, 0};
    for (int32_t v = 0; v < graph->n; v++) {
        held[side[v]] += graph->size[v];
        for (size_t i = graph->start[v]; i < graph->start[v + 1]; i++)
            if (side[graph->target[i]] != side[v])
                cut += (double)graph->weight[i];
    }
    return held[0] > 0 && held[1] > 0 ? cut / (held[0] * held[1]) : INFINITY;
}

/* The best of several bisections, by that ratio, the more even ones first. */
static enum tmap_status bisect_members(struct tmap_arena *arena, const struct tmap_graph *graph,
                                       unsigned char *side)
{
    struct tmap_random random;
    struct tmap_bisection bisection = {.arena = arena,
                                       .random = &random,
                                       .repeats = 4,
                                       .tries = 8,
                                       .passes = 8,
                                       .patience = 100,
                                       .cycles = 1};
    unsigned char *tried = tmap_arena_take(arena, (size_t)graph->n, 1);
    double least = INFINITY;
    int64_t total = 0;
    if (!tried)
        return TMAP_ENOMEM;
    for (int32_t v = 0; v < graph->n; v++) {
        total += graph->size[v];
        side[v] = v < graph->n / 2;
    }
    tmap_random_init(&random, 1);
    for (size_t i = 0; i < sizeof uneven / sizeof *uneven; i++) {
        const struct tmap_bounds bounds = {total / 2 - total / uneven[i],
                                           total - total / 2 + total / uneven[i]};
        if (tmap_bisect(&bisection, graph, bounds, tried))
            return TMAP_ENOMEM;
        double ratio = ratio_of(graph, tried);
        if (ratio < least * (1 - 1e-9)) {
            least = ratio;
            memcpy(side, tried, (size_t)graph->n);
        }
    }
    return TMAP_OK;
}

enum tmap_status tmap_halve_graph(struct tmap_halving *h, int32_t first, int32_t count,
                                  int32_t *left)
{
    struct tmap_arena arena = {0};
    struct tmap_graph graph;
    int32_t *member = h->member + first;
    enum tmap_status status = TMAP_ENOMEM;
    unsigned char *side = tmap_arena_take(&arena, (size_t)count, 1);
    if (count == 2) {
        *left = 1;
        status = TMAP_OK;
    } else if (side && join_nearest(h, member, count, &arena, &graph) == TMAP_OK) {
        status = bisect_members(&arena, &graph, side);
        if (status == TMAP_OK)
            *left = tmap_separate_sides(member, count, side, h->work);
    }
    tmap_arena_fini(&arena);
    return status;
}
