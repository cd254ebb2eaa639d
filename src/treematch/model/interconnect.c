/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interconnect.c - networks of the children of an object: made from shapes, and asked for paths.
 *
 * Example: in a torus of 4 x 4 x 4, positions 32 and 52 are (2,0,0) and (3,1,0), two hops apart.
 */
#include "treematch/model/interconnect.h"

/* ---- Shapes of callers ---- */

/* Sums of many, their quotients and squares are then normal numbers in single precision as well. */
static int is_possible_length(double length)
{
    return length >= TMAP_LEAST_LENGTH && length <= TMAP_MOST_LENGTH;
}

static enum tmap_status read_grid(struct tmap_shape *shape, int64_t *positions,
                                  struct tmap_error *error)
{
    *positions = 1;
    if (shape->dimensions < 1 || shape->dimensions > TMAP_MAX_DIMENSIONS)
        return tmap_fail(error, TMAP_EINVAL, "a shape of %d dimensions (1 .. %d are possible)",
                         shape->dimensions, TMAP_MAX_DIMENSIONS);
    for (int d = 0; d < shape->dimensions; d++) {
        if (shape->length[d] == 0)
            shape->length[d] = 1;
        if (shape->extent[d] < 1)
            return tmap_fail(error, TMAP_EINVAL, "extent %ld in dimension %d of a shape",
                             (long)shape->extent[d], d);
        if (!is_possible_length(shape->length[d]))
            return tmap_fail(error, TMAP_EINVAL,
                             "the length of a hop in dimension %d is not a number from %g to %g", d,
                             TMAP_LEAST_LENGTH, TMAP_MOST_LENGTH);
        *positions *= shape->extent[d];
        if (*positions > TMAP_MAX_POSITIONS)
            return tmap_fail(error, TMAP_EOVERFLOW, "a shape of more than %d positions",
                             TMAP_MAX_POSITIONS);
    }
    return TMAP_OK;
}

static enum tmap_status read_graph(struct tmap_shape *shape, int64_t *positions,
                                   struct tmap_error *error)
{
    *positions = shape->positions;
    if (shape->positions < 1)
        return tmap_fail(error, TMAP_EINVAL, "a graph of %ld positions", (long)shape->positions);
    if (shape->positions > TMAP_MAX_POSITIONS || shape->links > TMAP_MAX_LINKS)
        return tmap_fail(error, TMAP_EOVERFLOW,
                         "a graph of more than %d positions or more than %d links",
                         TMAP_MAX_POSITIONS, TMAP_MAX_LINKS);
    if (shape->group < 0 || (shape->group > 0 && shape->positions % shape->group != 0))
        return tmap_fail(error, TMAP_EINVAL, "groups of %ld of %ld positions", (long)shape->group,
                         (long)shape->positions);
    for (size_t i = 0; i < shape->links; i++) {
        const struct tmap_link *link = &shape->link[i];
        if (shape->group > 0 && link->length != shape->link[0].length)
            return tmap_fail(error, TMAP_EINVAL, "links of different lengths in a graph of groups");
        if (link->from < 0 || link->to < 0 || link->from >= shape->positions ||
            link->to >= shape->positions)
            return tmap_fail(error, TMAP_EINVAL, "link %zu joins positions %ld and %ld of %ld", i,
                             (long)link->from, (long)link->to, (long)shape->positions);
        if (!is_possible_length(link->length))
            return tmap_fail(error, TMAP_EINVAL,
                             "the length of link %zu is not a number from %g to %g", i,
                             TMAP_LEAST_LENGTH, TMAP_MOST_LENGTH);
    }
    return TMAP_OK;
}

/* The first version of the struct ended with this member. */
enum { LEAST_SHAPE = offsetof(struct tmap_shape, link) + sizeof(void *) };

enum tmap_status tmap_shape_read(struct tmap_shape *shape, const struct tmap_shape *given,
                                 int64_t *positions, struct tmap_error *error)
{
    *shape = (struct tmap_shape){.size = sizeof *shape};
    enum tmap_status status =
        tmap_struct_read(shape, sizeof *shape, LEAST_SHAPE, given, "tmap_shape", error);
    if (status != TMAP_OK)
        return status;
    shape->size = sizeof *shape;
    switch (shape->kind) {
    case TMAP_SHAPE_TORUS:
    case TMAP_SHAPE_MESH:
        return read_grid(shape, positions, error);
    case TMAP_SHAPE_GRAPH:
        return read_graph(shape, positions, error);
    case TMAP_SHAPE_NONE:
        break;
    }
    return tmap_fail(error, TMAP_EINVAL, "there is no shape %d", (int)shape->kind);
}

int64_t tmap_shape_dragonfly(int32_t groups, int32_t routers, struct tmap_link *link)
{
    if (groups < 1 || routers < 1 || (int64_t)groups * routers > TMAP_MAX_POSITIONS)
        return -1;
    int64_t count =
        (int64_t)groups * routers * (routers - 1) / 2 + (int64_t)groups * (groups - 1) / 2;
    int32_t ports = groups == 1 ? 1 : (groups - 2) / routers + 1; /* global links of a router */
    for (int32_t g = 0; g < groups && link; g++) {
        for (int32_t a = 0; a < routers; a++)
            for (int32_t b = a + 1; b < routers; b++)
                *link++ = (struct tmap_link){g * routers + a, g * routers + b, 1};
        for (int32_t other = g + 1; other < groups; other++)
            /* from its number `other - 1` to number `g` of the other group */
            *link++ = (struct tmap_link){g * routers + (other - 1) / ports,
                                         other * routers + g / ports, 1};
    }
    return count;
}

/* ---- Networks ---- */

struct tmap_interconnect *tmap_interconnect_share(struct tmap_interconnect *interconnect)
{
    if (interconnect)
        atomic_fetch_add(&interconnect->owners, 1);
    return interconnect;
}

void tmap_interconnect_release(struct tmap_interconnect *interconnect)
{
    if (!interconnect || atomic_fetch_sub(&interconnect->owners, 1) > 1)
        return;
    free(interconnect->link);
    free(interconnect->first);
    free(interconnect->target);
    free(interconnect->number);
    free(interconnect->length);
    free(interconnect->vertex);
    free(interconnect->position);
    free(interconnect->hops);
    free(interconnect->distance);
    free(interconnect);
}

/* A link's length, by which paths are compared. */
static float length_for_paths(const struct tmap_shape *shape, const struct tmap_link *link)
{
    if (shape->group == 0)
        return (float)link->length;
    return link->from / shape->group == link->to / shape->group ? 1 : TMAP_BETWEEN_GROUPS;
}

/* The links of each position, from both ends, by counting; loops are dropped. */
static enum tmap_status list_links(struct tmap_interconnect *interconnect)
{
    const struct tmap_shape *shape = &interconnect->shape;
    size_t ends = 0, *first = tmap_new_zero((size_t)shape->positions + 2, sizeof *first);
    int equal = 1;
    interconnect->first = first;
    if (!first)
        return TMAP_ENOMEM;
    for (size_t i = 0; i < shape->links; i++) {
        const struct tmap_link *link = &shape->link[i];
        interconnect->shortest =
            i == 0 || link->length < interconnect->shortest ? link->length : interconnect->shortest;
        equal &= link->length == shape->link[0].length;
        if (link->from != link->to) {
            first[link->from + 2]++;
            first[link->to + 2]++;
            ends += 2;
        }
    }
    interconnect->target = tmap_new(ends, sizeof *interconnect->target);
    interconnect->number = tmap_new(ends, sizeof *interconnect->number);
    int has_lengths = !equal || shape->group > 0;
    interconnect->length = has_lengths ? tmap_new(ends, sizeof *interconnect->length) : NULL;
    if (!interconnect->target || !interconnect->number || (has_lengths && !interconnect->length))
        return TMAP_ENOMEM;
    for (int32_t p = 0; p < shape->positions; p++)
        first[p + 2] += first[p + 1];
    for (size_t i = 0; i < shape->links; i++) {
        const struct tmap_link *link = &shape->link[i];
        for (int end = 0; end < 2 && link->from != link->to; end++) {
            size_t at = first[(end ? link->to : link->from) + 1]++;
            interconnect->target[at] = end ? link->from : link->to;
            interconnect->number[at] = (int32_t)i;
            if (interconnect->length)
                interconnect->length[at] = length_for_paths(shape, link);
        }
    }
    return TMAP_OK;
}

/* Number the positions in use, in ascending order. */
static enum tmap_status number_vertices(struct tmap_interconnect *interconnect, const int32_t *used,
                                        int32_t count, struct tmap_error *error)
{
    size_t positions = (size_t)interconnect->positions;
    interconnect->vertex = tmap_new(positions, sizeof *interconnect->vertex);
    if (!interconnect->vertex)
        return tmap_fail_memory(error);
    memset(interconnect->vertex, 0xff, positions * sizeof *interconnect->vertex);
    for (int32_t i = 0; i < count; i++)
        interconnect->vertex[used[i]] = 0;
    for (size_t p = 0; p < positions; p++)
        if (interconnect->vertex[p] == 0)
            interconnect->vertex[p] = interconnect->vertices++;
    if (interconnect->vertices > TMAP_MAX_USED)
        return tmap_fail(error, TMAP_EOVERFLOW,
                         "%ld positions of a graph are in use (up to %d are possible)",
                         (long)interconnect->vertices, TMAP_MAX_USED);
    interconnect->position =
        tmap_new((size_t)interconnect->vertices, sizeof *interconnect->position);
    if (!interconnect->position)
        return tmap_fail_memory(error);
    for (size_t p = 0; p < positions; p++)
        if (interconnect->vertex[p] >= 0)
            interconnect->position[interconnect->vertex[p]] = (int32_t)p;
    return TMAP_OK;
}

static enum tmap_status make_graph(struct tmap_interconnect *interconnect, const int32_t *used,
                                   int32_t count, struct tmap_error *error)
{
    struct tmap_shape *shape = &interconnect->shape;
    interconnect->link = tmap_new(shape->links, sizeof *interconnect->link);
    if (!interconnect->link)
        return tmap_fail_memory(error);
    if (shape->links)
        memcpy(interconnect->link, shape->link, shape->links * sizeof *interconnect->link);
    shape->link = interconnect->link;
    if (list_links(interconnect))
        return tmap_fail_memory(error);
    enum tmap_status status = number_vertices(interconnect, used, count, error);
    return status == TMAP_OK ? tmap_interconnect_fill_table(interconnect, error) : status;
}

enum tmap_status tmap_interconnect_create(struct tmap_interconnect **result,
                                          const struct tmap_shape *given, const int32_t *used,
                                          int32_t count, struct tmap_error *error)
{
    enum tmap_status status = TMAP_OK;
    struct tmap_interconnect *interconnect = tmap_new_zero(1, sizeof *interconnect);
    if (!interconnect)
        return tmap_fail_memory(error);
    atomic_init(&interconnect->owners, 1);
    status = tmap_shape_read(&interconnect->shape, given, &interconnect->positions, error);
    for (int32_t i = 0; i < count && status == TMAP_OK; i++)
        if (used[i] < 0 || used[i] >= interconnect->positions)
            status = tmap_fail(error, TMAP_EINVAL, "position %ld of a shape that has %lld",
                               (long)used[i], (long long)interconnect->positions);
    if (status == TMAP_OK && interconnect->shape.kind == TMAP_SHAPE_GRAPH)
        status = make_graph(interconnect, used, count, error);
    else if (status == TMAP_OK) {
        interconnect->shortest = interconnect->shape.length[0];
        for (int d = 1; d < interconnect->shape.dimensions; d++)
            if (interconnect->shape.length[d] < interconnect->shortest)
                interconnect->shortest = interconnect->shape.length[d];
    }
    if (status == TMAP_OK)
        *result = interconnect;
    else
        tmap_interconnect_release(interconnect);
    return status;
}

/* ---- Paths ---- */

void tmap_interconnect_coordinates(const struct tmap_interconnect *interconnect, int32_t position,
                                   int32_t coordinate[TMAP_MAX_DIMENSIONS])
{
    for (int d = interconnect->shape.dimensions - 1; d >= 0; d--) {
        coordinate[d] = position % interconnect->shape.extent[d];
        position /= interconnect->shape.extent[d];
    }
}

static double grid_path(const struct tmap_interconnect *interconnect, int32_t from, int32_t to,
                        int32_t *hops)
{
    const struct tmap_shape *shape = &interconnect->shape;
    double length = 0;
    *hops = 0;
    for (int d = shape->dimensions - 1; d >= 0; d--) {
        int32_t extent = shape->extent[d], apart = from % extent - to % extent;
        apart =
            shape->kind == TMAP_SHAPE_TORUS ? tmap_interconnect_wrap(apart, extent) : abs(apart);
        length += apart * shape->length[d];
        *hops += apart;
        from /= extent;
        to /= extent;
    }
    return length;
}

double tmap_interconnect_path(const struct tmap_interconnect *interconnect, int32_t from,
                              int32_t to, int32_t *hops)
{
    int32_t ignored;
    if (!interconnect->vertex)
        return grid_path(interconnect, from, to, hops ? hops : &ignored);
    size_t at = (size_t)interconnect->vertex[from] * (size_t)interconnect->vertices +
                (size_t)interconnect->vertex[to];
    if (hops)
        *hops = interconnect->hops[at];
    return interconnect->distance ? (double)interconnect->distance[at]
                                  : interconnect->hops[at] * interconnect->shortest;
}

static int32_t next_in_grid(const struct tmap_interconnect *interconnect, int32_t position,
                            int32_t *next, int32_t most)
{
    const struct tmap_shape *shape = &interconnect->shape;
    int32_t coordinate[TMAP_MAX_DIMENSIONS], count = 0, stride = (int32_t)interconnect->positions;
    tmap_interconnect_coordinates(interconnect, position, coordinate);
    for (int d = 0; d < shape->dimensions; d++) {
        int32_t extent = shape->extent[d], at = coordinate[d];
        int wraps = shape->kind == TMAP_SHAPE_TORUS && extent > 2;
        stride /= extent;
        if ((at > 0 || wraps) && count < most)
            next[count++] = at > 0 ? position - stride : position + (extent - 1) * stride;
        if ((at + 1 < extent || wraps) && count < most)
            next[count++] = at + 1 < extent ? position + stride : position - (extent - 1) * stride;
    }
    return count;
}

int32_t tmap_interconnect_next(const struct tmap_interconnect *interconnect, int32_t position,
                               int32_t *next, int32_t most)
{
    int32_t count = 0;
    if (!interconnect->vertex)
        return next_in_grid(interconnect, position, next, most);
    for (size_t i = interconnect->first[position];
         i < interconnect->first[position + 1] && count < most; i++) {
        int known = 0;
        for (int32_t k = 0; k < count; k++)
            known |= next[k] == interconnect->target[i];
        if (!known)
            next[count++] = interconnect->target[i];
    }
    return count;
}
