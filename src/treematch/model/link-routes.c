/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * link-routes.c - static routes through networks.
 *
 * Torus and mesh: dimension by dimension, from the lowest, the shorter way around; where both ways
 * are equally long, upwards, since a static route is one of the two. Example: in a torus of 4 x 4,
 * from (0,0) to (1,2) goes by (1,0) and (1,1), and back by (0,2) and (0,3). All links of a line
 * that something takes are next to each other; so in bulk only the ends of such a piece are noted,
 * and the lines are summed up at the end. That is done in integers, so that nothing is left over
 * where nothing was sent.
 *
 * Graph: the shortest paths, of these the ones with the fewest links. At each position what is
 * there is split evenly among the links that lead on to the target, as switches do that hash over
 * equal next hops (ECMP). From the most distant position to the nearest, each position hands on
 * what it sends and what has arrived; so one search serves all that goes to a target.
 */
#include "treematch/model/link-routes.h"

#include <math.h>

void tmap_routes_fini(struct tmap_routes *routes)
{
    free(routes->load);
    free(routes->step);
    free(routes->forward);
    free(routes->forward_step);
    free(routes->flow);
    free(routes->order);
    free(routes->place);
    if (routes->interconnect && routes->interconnect->vertex)
        tmap_interconnect_search_fini(&routes->search);
}

enum tmap_status tmap_routes_init(struct tmap_routes *routes,
                                  const struct tmap_interconnect *interconnect, double most)
{
    size_t positions = (size_t)interconnect->positions;
    int is_graph = interconnect->vertex != NULL;
    *routes = (struct tmap_routes){
        .interconnect = interconnect, .unit = most < 0x1p60 ? 0.5 : 4, .aim = -1};
    routes->numbers =
        is_graph ? interconnect->shape.links : positions * (size_t)interconnect->shape.dimensions;
    if (is_graph || most <= 0)
        routes->load = tmap_new_zero(routes->numbers, sizeof *routes->load);
    else
        routes->step = tmap_new_zero(routes->numbers, sizeof *routes->step);
    if (is_graph && most > 0)
        routes->forward = tmap_new_zero(routes->numbers, sizeof *routes->forward);
    else if (most > 0)
        routes->forward_step = tmap_new_zero(routes->numbers, sizeof *routes->forward_step);
    if ((!routes->load && !routes->step) || (most > 0 && !routes->forward && !routes->forward_step))
        return TMAP_ENOMEM;
    if (!is_graph)
        return TMAP_OK;
    enum tmap_status status = tmap_interconnect_search_init(&routes->search, interconnect);
    routes->flow = tmap_new_zero(positions, sizeof *routes->flow);
    routes->order = tmap_new(positions, sizeof *routes->order);
    routes->place = tmap_new(positions + 1, sizeof *routes->place);
    return routes->flow && routes->order && routes->place ? status : TMAP_ENOMEM;
}

/* ---- Torus and mesh ---- */

/* `hops` links of a line in one dimension, of which the i-th is number first + i * stride. */
struct line_piece {
    size_t first, stride;
    int32_t extent, begin, hops;
    int is_forward; /* in the direction in which links are numbered */
};

/* From `position`, `hops` links up (way 1) or down (-1). */
static struct line_piece piece_of(const struct tmap_shape *shape, int dimension, int32_t position,
                                  int32_t hops, int way)
{
    int32_t extent = shape->extent[dimension], stride = 1;
    for (int d = dimension + 1; d < shape->dimensions; d++)
        stride *= shape->extent[d];
    int32_t at = position / stride % extent, begin = way > 0 ? at : at - hops;
    if (extent == 2)
        begin = 0; /* there is one link, whichever way */
    size_t dimensions = (size_t)shape->dimensions;
    return (struct line_piece){
        .first = (size_t)(position - at * stride) * dimensions + (size_t)dimension,
        .stride = (size_t)stride * dimensions,
        .extent = extent,
        .begin = begin < 0 ? begin + extent : begin,
        .hops = hops,
        .is_forward = extent == 2 ? at == 0 : way > 0,
    };
}

static void load_piece(struct tmap_routes *routes, struct line_piece piece, double weight)
{
    int32_t at = piece.begin;
    for (; piece.hops > 0; piece.hops--) {
        routes->load[piece.first + (size_t)at * piece.stride] += weight;
        at = at + 1 < piece.extent ? at + 1 : 0;
    }
}

/* Note where a piece begins and ends; if it goes beyond the end of the line, it begins anew. */
static void note_piece(uint64_t *step, const struct line_piece *whole, uint64_t units)
{
    struct line_piece piece = *whole;
    int32_t end = piece.begin + piece.hops;
    step += piece.first;
    step[(size_t)piece.begin * piece.stride] += units;
    if (end > piece.extent) {
        end -= piece.extent;
        step[0] += units;
    }
    if (end < piece.extent)
        step[(size_t)end * piece.stride] -= units;
}

static void load_line(struct tmap_routes *routes, struct line_piece piece, double weight)
{
    uint64_t units = (uint64_t)(weight / routes->unit);
    if (!routes->step)
        load_piece(routes, piece, weight);
    else
        note_piece(routes->step, &piece, units);
    if (routes->forward_step && piece.is_forward)
        note_piece(routes->forward_step, &piece, units);
}

/* Where a way through a torus or mesh is: the dimension to take next, and its stride. */
struct grid_way {
    int32_t from, to, stride;
    int dimension;
};

static struct grid_way way_in_grid(const struct tmap_interconnect *interconnect, int32_t from,
                                   int32_t to)
{
    return (struct grid_way){.from = from, .to = to, .stride = (int32_t)interconnect->positions};
}

/* The way's next piece; returns 0 if there is none left. */
static inline int next_piece(struct grid_way *way, const struct tmap_shape *shape,
                             struct line_piece *piece)
{
    while (way->dimension < shape->dimensions) {
        int d = way->dimension++;
        int32_t extent = shape->extent[d];
        way->stride /= extent;
        /* A mesh is like half of a ring: the way through the other half is always the longer
         * one. */
        int32_t around = shape->kind == TMAP_SHAPE_TORUS ? extent : 2 * extent;
        int32_t at = way->from / way->stride % extent, end = way->to / way->stride % extent;
        int32_t up = end < at ? end - at + around : end - at, down = around - up;
        if (up == 0)
            continue;
        *piece = piece_of(shape, d, way->from, up <= down ? up : down, up <= down ? 1 : -1);
        way->from += (end - at) * way->stride;
        return 1;
    }
    return 0;
}

static void send_in_grid(struct tmap_routes *routes, int32_t from, int32_t to, double weight)
{
    struct grid_way way = way_in_grid(routes->interconnect, from, to);
    struct line_piece piece;
    while (next_piece(&way, &routes->interconnect->shape, &piece))
        load_line(routes, piece, weight);
}

static size_t list_in_grid(const struct tmap_routes *routes, int32_t from, int32_t to,
                           struct tmap_routes_step *step)
{
    struct grid_way way = way_in_grid(routes->interconnect, from, to);
    struct line_piece piece;
    size_t count = 0;
    while (next_piece(&way, &routes->interconnect->shape, &piece))
        for (int32_t hop = 0; hop < piece.hops; hop++) {
            size_t at = (size_t)((piece.begin + hop) % piece.extent);
            step[count++] =
                (struct tmap_routes_step){piece.first + at * piece.stride, piece.is_forward};
        }
    return count;
}

static int ends_in_grid(const struct tmap_interconnect *interconnect, size_t number, int32_t *from,
                        int32_t *to)
{
    const struct tmap_shape *shape = &interconnect->shape;
    int dimension = (int)(number % (size_t)shape->dimensions);
    int32_t position = (int32_t)(number / (size_t)shape->dimensions), stride = 1;
    int32_t extent = shape->extent[dimension];
    for (int d = dimension + 1; d < shape->dimensions; d++)
        stride *= shape->extent[d];
    int is_last = position / stride % extent + 1 == extent;
    if (is_last && (shape->kind != TMAP_SHAPE_TORUS || extent <= 2))
        return 0;
    *from = position;
    *to = is_last ? position - (extent - 1) * stride : position + stride;
    return 1;
}

static int64_t links_of_grid(const struct tmap_interconnect *interconnect)
{
    const struct tmap_shape *shape = &interconnect->shape;
    int64_t links = 0;
    for (int d = 0; d < shape->dimensions; d++) {
        int32_t extent = shape->extent[d];
        int wraps = shape->kind == TMAP_SHAPE_TORUS && extent > 2;
        links += interconnect->positions / extent * (wraps ? extent : extent - 1);
    }
    return links;
}

/* ---- Graphs ---- */

/* Returns 1 if end `i` of the links at `position` leads on to the target of the search. */
static int leads_on(const struct tmap_interconnect_search *search, int32_t position, size_t i)
{
    const struct tmap_interconnect *interconnect = search->interconnect;
    int32_t next = interconnect->target[i];
    if (search->hops[next] + 1 != search->hops[position])
        return 0;
    return !interconnect->length ||
           search->length[next] + (double)interconnect->length[i] == search->length[position];
}

/* Sort the positions that have a path to the target by its hops. */
static int32_t sort_by_hops(struct tmap_routes *routes)
{
    const int32_t *hops = routes->search.hops;
    int32_t positions = (int32_t)routes->interconnect->positions, *place = routes->place, sum = 0;
    memset(place, 0, ((size_t)positions + 1) * sizeof *place);
    for (int32_t p = 0; p < positions; p++)
        if (hops[p] >= 0)
            place[hops[p] + 1]++;
    for (int32_t h = 0; h < positions; h++) {
        sum += place[h];
        place[h] = sum;
    }
    sum += place[positions];
    for (int32_t p = 0; p < positions; p++)
        if (hops[p] >= 0)
            routes->order[place[hops[p]]++] = p;
    return sum;
}

static void hand_on(struct tmap_routes *routes, int32_t position)
{
    const struct tmap_interconnect *interconnect = routes->interconnect;
    double ways = 0, flow = routes->flow[position];
    for (size_t i = interconnect->first[position]; i < interconnect->first[position + 1]; i++)
        ways += leads_on(&routes->search, position, i);
    for (size_t i = interconnect->first[position]; i < interconnect->first[position + 1]; i++)
        if (leads_on(&routes->search, position, i)) {
            size_t number = interconnect->number[i];
            routes->load[number] += flow / ways;
            if (routes->forward && interconnect->link[number].from == position)
                routes->forward[number] += flow / ways;
            routes->flow[interconnect->target[i]] += flow / ways;
        }
    routes->flow[position] = 0;
}

static size_t list_in_graph(struct tmap_routes *routes, int32_t from, int32_t to,
                            struct tmap_routes_step *step)
{
    const struct tmap_interconnect *interconnect = routes->interconnect;
    size_t count = 0;
    if (routes->aim != to)
        tmap_interconnect_search_from(&routes->search, to);
    routes->aim = to;
    for (int32_t p = from; p != to; count++) {
        size_t best = 0, end = interconnect->first[p + 1];
        double least = INFINITY;
        for (size_t i = interconnect->first[p]; i < end; i++)
            if (leads_on(&routes->search, p, i) && routes->load[interconnect->number[i]] < least) {
                best = i;
                least = routes->load[interconnect->number[i]];
            }
        if (least == INFINITY)
            return 0;
        size_t number = (size_t)interconnect->number[best];
        routes->load[number]++;
        step[count] = (struct tmap_routes_step){number, interconnect->link[number].from == p};
        p = interconnect->target[best];
    }
    return count;
}

static void send_in_graph(struct tmap_routes *routes, int32_t to, int32_t count,
                          const int32_t *from, const double *weight)
{
    tmap_interconnect_search_from(&routes->search, to);
    routes->aim = to;
    int32_t reached = sort_by_hops(routes);
    for (int32_t i = 0; i < count; i++)
        routes->flow[from[i]] += weight[i];
    while (reached-- > 1)
        if (routes->flow[routes->order[reached]] != 0)
            hand_on(routes, routes->order[reached]);
    routes->flow[to] = 0;
}

/* ---- All ---- */

void tmap_routes_send(struct tmap_routes *routes, int32_t to, int32_t count, const int32_t *from,
                      const double *weight)
{
    if (routes->interconnect->vertex) {
        send_in_graph(routes, to, count, from, weight);
        return;
    }
    for (int32_t i = 0; i < count; i++)
        send_in_grid(routes, from[i], to, weight[i]);
}

size_t tmap_routes_list(struct tmap_routes *routes, int32_t from, int32_t to,
                        struct tmap_routes_step *step)
{
    return routes->interconnect->vertex ? list_in_graph(routes, from, to, step)
                                        : list_in_grid(routes, from, to, step);
}

static void sum_up_steps(const struct tmap_interconnect *interconnect, uint64_t *step)
{
    const struct tmap_shape *shape = &interconnect->shape;
    size_t dimensions = (size_t)shape->dimensions, stride = 1;
    for (size_t d = dimensions; d-- > 0; stride *= (size_t)shape->extent[d])
        for (size_t p = stride; p < (size_t)interconnect->positions; p++)
            if (p / stride % (size_t)shape->extent[d] > 0)
                step[p * dimensions + d] += step[(p - stride) * dimensions + d];
}

void tmap_routes_sum_up(struct tmap_routes *routes)
{
    if (routes->step) {
        sum_up_steps(routes->interconnect, routes->step);
        sum_up_steps(routes->interconnect, routes->forward_step);
    }
}

double tmap_routes_take(struct tmap_routes *routes, size_t number, double *way)
{
    double load, forward;
    if (routes->step) {
        load = routes->unit * (double)routes->step[number];
        forward = routes->unit * (double)routes->forward_step[number];
        routes->step[number] = routes->forward_step[number] = 0;
    } else {
        load = routes->load[number];
        forward = routes->forward[number];
        routes->load[number] = routes->forward[number] = 0;
    }
    *way = forward > load - forward ? forward : load - forward;
    return load;
}

int tmap_routes_ends(const struct tmap_interconnect *interconnect, size_t number, int32_t *from,
                     int32_t *to)
{
    if (!interconnect->vertex)
        return ends_in_grid(interconnect, number, from, to);
    *from = interconnect->link[number].from;
    *to = interconnect->link[number].to;
    return *from != *to;
}

int64_t tmap_routes_links(const struct tmap_interconnect *interconnect)
{
    return interconnect->vertex ? (int64_t)(interconnect->first[interconnect->positions] / 2)
                                : links_of_grid(interconnect);
}
