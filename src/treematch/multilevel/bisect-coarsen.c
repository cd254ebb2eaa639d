/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bisect-coarsen.c - merge pairs of vertices (heavy-edge matching: Karypis and Kumar 1998).
 *
 * Vertices are visited in random order; each takes the free neighbor with the best rating: edge
 * weight over the product of the sizes, so that small vertices go first and sizes stay even. A
 * vertex without a free neighbor is paired with another one that has the same best neighbor, or
 * also none (two-hop matching): otherwise stars, as in power-law patterns, would not shrink.
 *
 * Pulls count as edges to two vertices that are not there, one on each side: what two vertices lose
 * for certain by staying together, because their pulls disagree, lowers their rating; and a vertex
 * whose pull is its strongest edge is paired with others that are pulled to the same side.
 *
 * Time O(edges), memory for the coarser graph O(edges).
 */
#include "treematch/multilevel/bisect.h"

static int64_t coarsen_strength(int64_t pull)
{
    return pull < 0 ? -pull : pull;
}

/* The least that the pulls of a pair cost, whichever side it is on, beyond what they cost apart. */
static int64_t coarsen_disagreement(const struct tmap_graph *graph, int32_t a, int32_t b)
{
    int64_t mine = coarsen_strength(graph->pull[a]), others = coarsen_strength(graph->pull[b]);
    if ((graph->pull[a] < 0) == (graph->pull[b] < 0))
        return 0;
    return mine < others ? mine : others;
}

/* Rating of an edge of `vertex`. Ratings are compared as products in floating point: exact enough,
 * and the same everywhere. */
static double coarsen_rating(const struct tmap_graph *graph, int32_t vertex, size_t edge)
{
    int32_t other = graph->target[edge];
    double weight = (double)graph->weight[edge];
    if (graph->pull)
        weight -= (double)coarsen_disagreement(graph, vertex, other);
    return weight / (double)tmap_size_of(graph, other);
}

struct matching {
    const struct tmap_graph *graph;
    const unsigned char *side; /* both of a pair are on one side; NULL: any two */
    const int32_t *order;
    int32_t *mate; /* -1: free */
    int32_t limit; /* largest size of a pair */
};

static int may_pair(const struct matching *m, int32_t a, int32_t b)
{
    return tmap_size_of(m->graph, a) + tmap_size_of(m->graph, b) <= m->limit &&
           (!m->side || m->side[a] == m->side[b]);
}

/* The neighbor with the best rating among all. -1: none. */
static int32_t best_neighbor(const struct matching *m, int32_t vertex)
{
    const struct tmap_graph *graph = m->graph;
    int32_t best = -1;
    double best_rating = -1;
    for (size_t e = graph->start[vertex]; e < graph->start[vertex + 1]; e++) {
        double mine = coarsen_rating(graph, vertex, e);
        if (mine > best_rating) {
            best_rating = mine;
            best = graph->target[e];
        }
    }
    return best;
}

/* The same among those that are free and may pair: as good as random, so nothing branches on it.
 * `plain`: there are neither sides nor pulls. */
static inline int32_t find_free_neighbor(const struct matching *m, int32_t vertex, int plain)
{
    const struct tmap_graph *graph = m->graph;
    const int32_t *const mate = m->mate;
    const size_t last = graph->start[vertex + 1];
    const int32_t most = m->limit - tmap_size_of(graph, vertex);
    int32_t best = -1;
    double best_rating = -1;
    for (size_t e = graph->start[vertex]; e < last; e++) {
        const int32_t other = graph->target[e], size = tmap_size_of(graph, other);
        int64_t weight = (int64_t)graph->weight[e];
        int may = (mate[other] < 0) & (size <= most);
        if (!plain) {
            may &= !m->side || m->side[other] == m->side[vertex];
            weight -= graph->pull ? coarsen_disagreement(graph, vertex, other) : 0;
        }
        weight = may ? weight : -(int64_t)size;
        double rating = (double)weight / (double)size;
        best = rating > best_rating ? other : best;
        best_rating = rating > best_rating ? rating : best_rating;
    }
    return best;
}

static int32_t best_free_neighbor(const struct matching *m, int32_t vertex)
{
    return !m->side && !m->graph->pull ? find_free_neighbor(m, vertex, 1)
                                       : find_free_neighbor(m, vertex, 0);
}

static void coarsen_match(const struct matching *m)
{
    for (int32_t i = 0; i < m->graph->n; i++) {
        int32_t vertex = m->order[i];
        if (m->mate[vertex] >= 0)
            continue;
        int32_t other = best_free_neighbor(m, vertex);
        if (other >= 0) {
            m->mate[vertex] = other;
            m->mate[other] = vertex;
        }
    }
}

/* Returns the hub that `vertex` shares with those that it may be paired with: its best neighbor; n
 * if it has none; n + 1 or n + 2, by its side, if its pull is stronger than all its edges. */
static int32_t match_hub(const struct matching *m, int32_t vertex)
{
    const struct tmap_graph *graph = m->graph;
    int32_t hub = best_neighbor(m, vertex);
    int64_t heaviest = 0;
    for (size_t e = graph->start[vertex]; graph->pull && e < graph->start[vertex + 1]; e++) {
        int64_t weight = (int64_t)graph->weight[e];
        heaviest = weight > heaviest ? weight : heaviest;
    }
    if (graph->pull && coarsen_strength(graph->pull[vertex]) > heaviest)
        return graph->n + (graph->pull[vertex] > 0 ? 1 : 2);
    return hub < 0 ? graph->n : hub;
}

/* Pair the remaining vertices by common hub. `waiting` has n + 3 entries of -1. */
static void match_two_hops(const struct matching *m, int32_t *waiting)
{
    for (int32_t i = 0; i < m->graph->n; i++) {
        int32_t vertex = m->order[i];
        if (m->mate[vertex] >= 0)
            continue;
        int32_t *place = &waiting[match_hub(m, vertex)];
        if (*place < 0 || !may_pair(m, *place, vertex)) {
            *place = vertex;
            continue;
        }
        m->mate[vertex] = *place;
        m->mate[*place] = vertex;
        *place = -1;
    }
}

static int32_t number_pairs(const struct tmap_graph *graph, const int32_t *mate, int32_t *coarse_of)
{
    int32_t count = 0;
    for (int32_t v = 0; v < graph->n; v++) {
        if (mate[v] < 0 || mate[v] > v)
            coarse_of[v] = count++;
        else
            coarse_of[v] = coarse_of[mate[v]];
    }
    return count;
}

struct contraction {
    const struct tmap_graph *graph;
    const int32_t *coarse_of;
    uint64_t *sum; /* by coarse vertex: weight of the present row's edges to it; else 0 */
    size_t *start;
    int32_t *target;
    uint64_t *weight;
};

/* Add the edges of `vertex` to the sums of the row of `coarse`, and targets that are new to it;
 * returns its end (a target of weight 0 may be there more than once). Whether an edge is the first
 * one to its target is as good as random, so nothing branches on it. */
static size_t add_row(struct contraction *c, int32_t vertex, int32_t coarse, size_t end)
{
    const struct tmap_graph *graph = c->graph;
    const size_t last = graph->start[vertex + 1];
    const int32_t *const from = graph->target, *const coarse_of = c->coarse_of;
    const uint64_t *const weight = graph->weight;
    uint64_t *restrict const sum = c->sum;
    int32_t *restrict const target = c->target;
    for (size_t e = graph->start[vertex]; e < last; e++) {
        const int32_t other = coarse_of[from[e]];
        const uint64_t before = sum[other];
        target[end] = other;
        sum[other] = before + weight[e];
        end += (before == 0) & (other != coarse);
    }
    return end;
}

/* Edges within a pair are left out. */
static void coarsen_contract(struct contraction *c, const int32_t *mate, int32_t *size,
                             int32_t *largest)
{
    size_t end = 0;
    int32_t coarse = 0;
    c->start[0] = 0;
    *largest = 1;
    for (int32_t v = 0; v < c->graph->n; v++) {
        if (mate[v] >= 0 && mate[v] < v)
            continue;
        size_t at = end;
        end = add_row(c, v, coarse, end);
        size[coarse] = tmap_size_of(c->graph, v);
        if (mate[v] >= 0) {
            end = add_row(c, mate[v], coarse, end);
            size[coarse] += tmap_size_of(c->graph, mate[v]);
        }
        c->sum[coarse] = 0;
        for (; at < end; at++) {
            c->weight[at] = c->sum[c->target[at]];
            c->sum[c->target[at]] = 0;
        }
        *largest = size[coarse] > *largest ? size[coarse] : *largest;
        c->start[++coarse] = end;
    }
}

/* The pulls of the pairs. */
static enum tmap_status coarsen_pulls(struct tmap_arena *arena, const struct tmap_graph *graph,
                                      const int32_t *coarse_of, struct tmap_graph *coarser)
{
    size_t size = sizeof(int64_t) * (size_t)coarser->n;
    int64_t *pull = tmap_arena_take(arena, size, 1);
    if (!pull)
        return TMAP_ENOMEM;
    memset(pull, 0, size);
    for (int32_t v = 0; v < graph->n; v++)
        pull[coarse_of[v]] += graph->pull[v];
    coarser->pull = pull;
    return TMAP_OK;
}

static enum tmap_status make_coarser(const struct tmap_bisection *bisection,
                                     const struct tmap_graph *graph, const int32_t *mate,
                                     struct tmap_graph *coarser, int32_t *coarse_of)
{
    struct tmap_arena *arena = bisection->arena;
    int32_t count = number_pairs(graph, mate, coarse_of);
    size_t edges = graph->start[graph->n];
    struct contraction c = {.graph = graph, .coarse_of = coarse_of};
    int32_t *size = tmap_arena_take(arena, (size_t)count, sizeof *size);
    c.start = tmap_arena_take(arena, (size_t)count + 1, sizeof *c.start);
    c.sum = tmap_arena_take(arena, (size_t)count, sizeof *c.sum);
    c.target = tmap_arena_take(arena, edges + 1, sizeof *c.target);
    c.weight = tmap_arena_take(arena, edges + 1, sizeof *c.weight);
    if (!size || !c.start || !c.sum || !c.target || !c.weight)
        return TMAP_ENOMEM;
    memset(c.sum, 0, sizeof *c.sum * (size_t)count);
    coarsen_contract(&c, mate, size, &coarser->largest);
    coarser->n = count;
    coarser->start = c.start;
    coarser->target = c.target;
    coarser->weight = c.weight;
    coarser->size = size;
    coarser->pull = NULL;
    return graph->pull ? coarsen_pulls(arena, graph, coarse_of, coarser) : TMAP_OK;
}

enum tmap_status tmap_coarsen(const struct tmap_bisection *bisection,
                              const struct tmap_graph *graph, const unsigned char *side,
                              struct tmap_graph *coarser, int32_t *coarse_of)
{
    struct tmap_arena *arena = bisection->arena;
    size_t n = (size_t)graph->n;
    int32_t *mate = tmap_arena_take(arena, n, sizeof *mate);
    int32_t *order = tmap_arena_take(arena, n, sizeof *order);
    int32_t *waiting = tmap_arena_take(arena, n + 3, sizeof *waiting);
    if (!mate || !order || !waiting)
        return TMAP_ENOMEM;
    memset(mate, 0xff, sizeof *mate * n);
    memset(waiting, 0xff, sizeof *waiting * (n + 3));
    for (int32_t v = 0; v < graph->n; v++)
        order[v] = v;
    tmap_random_shuffle(bisection->random, order, graph->n);
    const struct matching m = {graph, side, order, mate, bisection->limit};
    coarsen_match(&m);
    match_two_hops(&m, waiting);
    return make_coarser(bisection, graph, mate, coarser, coarse_of);
}
