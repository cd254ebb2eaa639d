/* SPDX-License-Identifier: BSD-3-Clause */
/* scotch-graph.c - the whole graph of a machine, for Scotch's decomposition-defined
 * architectures. */
#include "treematch/adapters/scotch-machine.h"

#include <math.h>

enum { MOST_VERTICES = 1 << 26, MOST_LENGTH = 10000, MOST_FACTOR = 64 };

struct edge {
    int32_t from, to;
    double length;
};

struct edges {
    struct edge *edge;
    size_t count, room;
    double height[TMAP_MAX_LEVELS + 1]; /* half the longest path between slots that part there */
    int32_t *hub, *child;               /* vertices of the objects of a level and of the next one */
    int64_t vertices;
    int failed;
};

static void add_edge(struct edges *edges, int64_t from, int64_t to, double length)
{
    if (edges->count == edges->room) {
        size_t room = edges->room * 2 + 1024;
        struct edge *larger = realloc(edges->edge, room * sizeof *larger);
        edges->failed |= !larger;
        if (!larger)
            return;
        edges->edge = larger;
        edges->room = room;
    }
    edges->edge[edges->count++] = (struct edge){(int32_t)from, (int32_t)to, length};
}

static double longest_path(const struct tmap_interconnect *interconnect)
{
    const struct tmap_shape *shape = &interconnect->shape;
    double longest = 0;
    for (int d = 0; !interconnect->vertex && d < shape->dimensions; d++)
        longest += shape->length[d] *
                   (shape->kind == TMAP_SHAPE_TORUS ? shape->extent[d] / 2 : shape->extent[d] - 1);
    for (int32_t a = 0; interconnect->vertex && a < interconnect->vertices; a++)
        for (int32_t b = 0; b < a; b++) {
            double path = tmap_interconnect_path(interconnect, interconnect->position[a],
                                                 interconnect->position[b], NULL);
            longest = path > longest ? path : longest;
        }
    return longest;
}

/* The links between the positions of a grid, the first of which is vertex `base`. */
static void add_grid(struct edges *edges, const struct tmap_interconnect *interconnect,
                     int64_t base, double cost)
{
    const struct tmap_shape *shape = &interconnect->shape;
    int64_t stride = interconnect->positions;
    for (int d = 0; d < shape->dimensions; d++) {
        int32_t extent = shape->extent[d];
        stride /= extent;
        for (int64_t p = 0; p < interconnect->positions && !edges->failed; p++) {
            int64_t at = p / stride % extent;
            if (at + 1 < extent)
                add_edge(edges, base + p, base + p + stride, cost * shape->length[d]);
            else if (shape->kind == TMAP_SHAPE_TORUS && extent > 2)
                add_edge(edges, base + p, base + p - at * stride, cost * shape->length[d]);
        }
    }
}

static void add_network(struct edges *edges, const struct tmap_interconnect *interconnect,
                        int64_t base, double cost)
{
    if (!interconnect->vertex)
        add_grid(edges, interconnect, base, cost);
    for (size_t i = 0; interconnect->vertex && i < interconnect->shape.links && !edges->failed;
         i++) {
        const struct tmap_link *link = &interconnect->shape.link[i];
        if (link->from != link->to)
            add_edge(edges, base + link->from, base + link->to, cost * link->length);
    }
}

/* The root of a network needs no vertex: nothing is beyond it. */
static void add_level(struct edges *edges, const struct tmap_tree *tree, int level)
{
    const struct tmap_interconnect *interconnect = tree->interconnect[level];
    double up = edges->height[level] - edges->height[level + 1];
    for (int32_t o = 0; o < tree->count[level] && !edges->failed; o++) {
        int64_t base = edges->vertices;
        if (interconnect) {
            add_network(edges, interconnect, base, tree->level[level].cost);
            edges->vertices += interconnect->positions;
        }
        for (int32_t c = tree->first_child[level][o]; c < tree->first_child[level][o + 1]; c++) {
            int64_t vertex = interconnect ? base + tree->position[level][c] : edges->vertices++;
            edges->child[c] = (int32_t)vertex;
            if (edges->hub[o] >= 0)
                add_edge(edges, edges->hub[o], vertex, up > 0 ? up : 0);
        }
        edges->failed |= edges->vertices > MOST_VERTICES;
    }
}

/* The slots' vertices are in edges->hub. */
static enum tmap_status scotch_collect(struct edges *edges, const struct tmap_tree *tree)
{
    size_t slots = (size_t)tree->count[tree->depth];
    edges->hub = tmap_new(slots, sizeof *edges->hub);
    edges->child = tmap_new(slots, sizeof *edges->child);
    if (!edges->hub || !edges->child)
        return TMAP_ENOMEM;
    for (int l = tree->depth - 1; l >= 0; l--)
        edges->height[l] = tree->interconnect[l]
                               ? tree->level[l].cost / 2 * longest_path(tree->interconnect[l]) +
                                     edges->height[l + 1]
                               : tree->level[l].cost / 2;
    edges->hub[0] = tree->interconnect[0] ? -1 : 0;
    edges->vertices = !tree->interconnect[0];
    for (int l = 0; l < tree->depth && !edges->failed; l++) {
        int32_t *above = edges->hub;
        add_level(edges, tree, l);
        edges->hub = edges->child;
        edges->child = above;
    }
    if (edges->failed)
        return edges->vertices > MOST_VERTICES ? TMAP_EOVERFLOW : TMAP_ENOMEM;
    return TMAP_OK;
}

static int are_integers(const struct edges *edges, double factor)
{
    for (size_t i = 0; i < edges->count; i++) {
        double length = edges->edge[i].length * factor;
        if (fabs(length - nearbyint(length)) > 1e-3)
            return 0;
    }
    return 1;
}

/* The smallest factor that makes the lengths integers, or nearly so. */
static double find_factor(const struct edges *edges)
{
    double shortest = INFINITY, longest = 0;
    for (size_t i = 0; i < edges->count; i++) {
        double length = edges->edge[i].length;
        shortest = length > 0 && length < shortest ? length : shortest;
        longest = length > longest ? length : longest;
    }
    if (longest <= 0)
        return 1;
    for (int k = 1; k <= MOST_FACTOR && k * longest / shortest <= MOST_LENGTH; k++)
        if (are_integers(edges, k / shortest))
            return k / shortest;
    double fine = MOST_FACTOR / shortest, coarse = MOST_LENGTH / longest;
    return fine < coarse ? fine : coarse;
}

/* Edges from both ends, by counting. */
static void list_edges(struct scotch_links *links, const struct edges *edges, double factor)
{
    memset(links->start, 0, ((size_t)links->vertices + 2) * sizeof *links->start);
    for (size_t i = 0; i < edges->count; i++) {
        links->start[edges->edge[i].from + 2]++;
        links->start[edges->edge[i].to + 2]++;
    }
    for (SCOTCH_Num v = 0; v < links->vertices; v++)
        links->start[v + 2] += links->start[v + 1];
    for (size_t i = 0; i < edges->count; i++) {
        const struct edge *edge = &edges->edge[i];
        SCOTCH_Num length = (SCOTCH_Num)llround(edge->length * factor);
        for (int end = 0; end < 2; end++) {
            SCOTCH_Num at = links->start[(end ? edge->to : edge->from) + 1]++;
            links->target[at] = end ? edge->from : edge->to;
            links->length[at] = length > 0 ? length : 1;
        }
    }
}

enum tmap_status scotch_links_init(struct scotch_links *links, const struct tmap_tree *tree)
{
    struct edges edges = {.count = 0};
    size_t slots = (size_t)tree->count[tree->depth];
    *links = (struct scotch_links){.vertices = 0};
    enum tmap_status status = scotch_collect(&edges, tree);
    if (status != TMAP_OK)
        goto out;
    links->vertices = (SCOTCH_Num)edges.vertices;
    links->start = tmap_new((size_t)edges.vertices + 2, sizeof *links->start);
    links->target = tmap_new(2 * edges.count, sizeof *links->target);
    links->length = tmap_new(2 * edges.count, sizeof *links->length);
    links->weight = tmap_new_zero((size_t)edges.vertices, sizeof *links->weight);
    links->vertex_of = tmap_new(slots, sizeof *links->vertex_of);
    status = TMAP_ENOMEM;
    if (!links->start || !links->target || !links->length || !links->weight || !links->vertex_of)
        goto out;
    double factor = find_factor(&edges);
    list_edges(links, &edges, factor);
    links->longest = 2 * edges.height[0] * factor;
    for (size_t s = 0; s < slots; s++) {
        links->vertex_of[s] = edges.hub[s];
        links->weight[edges.hub[s]] = tree->capacity[s];
    }
    status = TMAP_OK;
out:
    free(edges.edge);
    free(edges.hub);
    free(edges.child);
    return status;
}

void scotch_links_fini(struct scotch_links *links)
{
    free(links->start);
    free(links->target);
    free(links->length);
    free(links->weight);
    free(links->vertex_of);
}
