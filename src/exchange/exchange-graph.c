/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange-graph.c - the graphs that Scotch and METIS read: a line for each vertex with its edges,
 * so each edge is at both of its ends. */
#include "base/hash.h"
#include "exchange/exchange-forms.h"

/* The layout of the lines, and the edges that were read. */
struct shape {
    uint64_t vertices;
    uint64_t first;   /* number of the first vertex */
    int labels;       /* numbers before the edges of a vertex that are skipped */
    int degree;       /* then the number of edges */
    int loads;        /* an edge has a load */
    int load_is_last; /* which comes after its vertex */
    uint64_t arcs;    /* edges of all vertices, as announced: each twice */
    uint64_t read;    /* of two vertices, at either end */
    uint64_t loops;   /* of a vertex to itself, which may be announced twice, once or not at all */
    uint64_t open;    /* sum of the hashes of lower ends less that of upper ends */
};

/* Count the end of an edge at `vertex`. */
static void graph_count(struct shape *shape, int32_t vertex, int32_t other, uint64_t load)
{
    int is_lower = vertex < other;
    uint64_t edge[] = {(uint64_t)(is_lower ? vertex : other), (uint64_t)(is_lower ? other : vertex),
                       load};
    uint64_t hash = reseat_hash_add(reseat_hash_empty, edge, sizeof edge);
    shape->loops += vertex == other;
    shape->read += vertex != other;
    if (vertex != other)
        shape->open += is_lower ? hash : -hash;
}

/* After the last vertex. 0, or -1 with the error of lines. */
static int graph_check(const struct form_input *input, const struct shape *shape)
{
    if (form_expect_end(input->lines, '%', "more vertices than were announced"))
        return -1;
    if (shape->open)
        return reseat_fail(input->lines->error,
                           "%s: an edge is at one of its vertices only, or has another load there",
                           input->lines->path);
    if (shape->arcs < shape->read || shape->arcs > shape->read + 2 * shape->loops)
        return reseat_fail(input->lines->error, "%s: not as many edges as were announced",
                           input->lines->path);
    return 0;
}

/* One edge of `vertex`. An edge is counted at its lower end: half goes each way; of the mean of
 * both directions, all of it. */
static int graph_read_edge(const struct form_input *input, struct shape *shape, int32_t vertex,
                           const char **text, struct reseat_profile *profile)
{
    uint64_t end, load = 1, most = shape->vertices - 1 + shape->first;
    if ((shape->loads && !shape->load_is_last &&
         form_read_value(&input->sums[FORM_VALUES], text, &load)) ||
        lines_number(text, most, &end) || end < shape->first ||
        (shape->loads && shape->load_is_last &&
         form_read_value(&input->sums[FORM_VALUES], text, &load)))
        return lines_fail(input->lines, "an edge that cannot be read");
    int32_t other = (int32_t)(end - shape->first);
    graph_count(shape, vertex, other, load);
    if (other <= vertex)
        return 0;
    uint64_t back = input->metric == RESEAT_METRIC_AVG ? load : load / 2;
    uint64_t there = input->metric == RESEAT_METRIC_AVG ? load : load - back;
    return form_add_value(profile, vertex, other, there, input->metric) ||
                   form_add_value(profile, other, vertex, back, input->metric)
               ? lines_no_memory(input->lines)
               : 0;
}

static int graph_read_vertex(const struct form_input *input, struct shape *shape, int32_t vertex,
                             struct reseat_profile *profile)
{
    const char *text = input->lines->line;
    uint64_t ignored, degree = 0;
    for (int i = 0; i < shape->labels; i++)
        if (lines_number(&text, UINT64_MAX, &ignored))
            return lines_fail(input->lines, "a vertex that cannot be read");
    if (shape->degree && lines_number(&text, UINT64_MAX, &degree))
        return lines_fail(input->lines, "a vertex that cannot be read");
    for (uint64_t i = 0; shape->degree ? i < degree : !lines_at_end(text); i++)
        if (graph_read_edge(input, shape, vertex, &text, profile))
            return -1;
    return lines_at_end(text) ? 0 : lines_fail(input->lines, "more edges than were announced");
}

static int graph_read_vertices(const struct form_input *input, struct shape *shape,
                               struct reseat_profile **profile)
{
    *profile = world_create((int32_t)shape->vertices);
    if (!*profile)
        return lines_no_memory(input->lines);
    for (int32_t v = 0; v < (int32_t)shape->vertices; v++) {
        /* in METIS an isolated vertex is an empty line, so only comments are skipped */
        int more;
        while ((more = lines_next(input->lines)) > 0 && input->lines->line[0] == '%')
            ;
        if (more < 0)
            return -1;
        if (more == 0)
            return lines_fail(input->lines, "torn: a vertex is missing");
        if (graph_read_vertex(input, shape, v, *profile))
            return -1;
    }
    return form_finish(input, *profile) ? -1 : graph_check(input, shape);
}

/* `0`, `vertices arcs`, `first flags`; flags: edge loads in the tens, vertex loads in the units. */
int form_read_scotch(const struct form_input *input, struct reseat_profile **profile)
{
    struct lines *lines = input->lines;
    struct shape shape = {.degree = 1};
    uint64_t version, flags;
    if (lines_need(lines, '%', "the version is"))
        return -1;
    const char *text = lines->line;
    if (lines_number(&text, 0, &version) || !lines_at_end(text))
        return lines_fail(lines, "version 0 is expected here");
    if (lines_need(lines, '%', "the size is"))
        return -1;
    text = lines->line;
    if (lines_number(&text, RESEAT_MOST_RANKS, &shape.vertices) ||
        lines_number(&text, UINT64_MAX, &shape.arcs) || !lines_at_end(text) || shape.vertices < 1)
        return lines_fail(lines, "`vertices arcs` is expected here");
    if (lines_need(lines, '%', "the base is"))
        return -1;
    text = lines->line;
    if (lines_number(&text, 1, &shape.first) || lines_number(&text, 111, &flags) ||
        !lines_at_end(text))
        return lines_fail(lines, "`base flags` is expected here");
    if (flags / 100)
        return lines_fail(lines, "labels of vertices are not supported");
    shape.labels = flags % 10 != 0;
    shape.loads = flags / 10 % 10 != 0;
    return graph_read_vertices(input, &shape, profile);
}

/* `vertices edges [fmt [ncon]]`; fmt: edge loads in the units, vertex loads (ncon of them) in the
 * tens, vertex sizes in the hundreds. */
int form_read_metis(const struct form_input *input, struct reseat_profile **profile)
{
    struct lines *lines = input->lines;
    struct shape shape = {.first = 1, .load_is_last = 1};
    uint64_t edges, flags = 0, constraints = 1;
    if (lines_need(lines, '%', "the size is"))
        return -1;
    const char *text = lines->line;
    if (lines_number(&text, RESEAT_MOST_RANKS, &shape.vertices) ||
        lines_number(&text, INT64_MAX, &edges) || shape.vertices < 1 ||
        (!lines_at_end(text) && lines_number(&text, 111, &flags)) ||
        (!lines_at_end(text) && lines_number(&text, 1000, &constraints)) || !lines_at_end(text))
        return lines_fail(lines, "`vertices edges [format [loads]]` is expected here");
    shape.arcs = 2 * edges;
    shape.loads = flags % 10 != 0;
    shape.labels = (flags / 100 != 0) + (flags / 10 % 10 ? (int)constraints : 0);
    return graph_read_vertices(input, &shape, profile);
}
