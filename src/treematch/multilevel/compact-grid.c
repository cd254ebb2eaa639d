/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compact-grid.c - halve a part of a torus or mesh: across its longest dimension, between two
 * planes, so that both halves hold about as much.
 *
 * A torus has no first plane. If some planes are empty it is opened there, once for the whole; a
 * dimension that is all in use is opened at 0, and its halves are two arcs. Such a ring counts
 * half, since halving it cuts it twice: roles that communicate like the network are divided alike.
 *
 * Where several cuts are equally good, as in a part that holds nothing, the one in the middle is
 * taken: otherwise a ring that is nearly all closed would lose one position at a time, in time
 * O(n^2).
 */
#include "treematch/model/interconnect.h"
#include "treematch/multilevel/compact.h"

/* The coordinate of a position, counted from the start. */
static int32_t coordinate_of(const struct tmap_halving *h, int32_t position, int dimension)
{
    const struct tmap_shape *shape = &h->interconnect->shape;
    int32_t extent = shape->extent[dimension], stride = 1;
    for (int d = dimension + 1; d < shape->dimensions; d++)
        stride *= shape->extent[d];
    int32_t from_start = position / stride % extent - h->start[dimension];
    return from_start < 0 ? from_start + extent : from_start;
}

/* The plane behind the longest run of empty ones; 0 if none is empty. `used` tells which are
 * not. */
static int32_t find_opening(const char *used, int32_t extent)
{
    int32_t longest = 0, opening = 0, run = 0;
    for (int32_t i = 0; i < 2 * extent; i++) { /* twice around: runs may pass the end */
        int32_t plane = i % extent;
        if (used[plane] && run > longest) {
            longest = run;
            opening = plane;
        }
        run = used[plane] ? 0 : run + 1;
    }
    return opening;
}

enum tmap_status tmap_halve_begin(struct tmap_halving *h, int32_t count)
{
    const struct tmap_shape *shape = &h->interconnect->shape;
    memset(h->start, 0, sizeof h->start);
    for (int d = 0; d < shape->dimensions && shape->kind == TMAP_SHAPE_TORUS; d++) {
        char *used = tmap_new_zero((size_t)shape->extent[d], 1);
        if (!used)
            return TMAP_ENOMEM;
        for (int32_t i = 0; i < count; i++)
            used[coordinate_of(h, h->member[i], d)] = 1;
        h->start[d] = find_opening(used, shape->extent[d]);
        free(used);
    }
    return TMAP_OK;
}

/* Length of the members along a dimension, 0 if they are in one plane. *is_ring: they are a closed
 * ring. */
static double length_along(const struct tmap_halving *h, const int32_t *member, int32_t count,
                           int dimension, int *is_ring)
{
    const struct tmap_shape *shape = &h->interconnect->shape;
    int32_t least = INT32_MAX, largest = 0, extent = shape->extent[dimension];
    for (int32_t i = 0; i < count; i++) {
        int32_t at = coordinate_of(h, member[i], dimension);
        least = at < least ? at : least;
        largest = at > largest ? at : largest;
    }
    *is_ring = shape->kind == TMAP_SHAPE_TORUS && largest - least + 1 == extent && extent > 2;
    if (largest == least)
        return 0;
    return (largest - least + 1) * shape->length[dimension] / (*is_ring ? 2 : 1);
}

/* The dimension in which the members are longest. Of several a ring or not, as wanted, and of these
 * the first. */
static int longest_dimension(const struct tmap_halving *h, const int32_t *member, int32_t count)
{
    int longest = 0, wants_ring = h->kind == TMAP_COMPACT_RINGS_FIRST, is_wanted = 0;
    double most = -1;
    for (int d = 0; d < h->interconnect->shape.dimensions; d++) {
        int is_ring;
        double length = length_along(h, member, count, d, &is_ring);
        if (length > most || (length == most && !is_wanted && is_ring == wants_ring)) {
            most = length;
            longest = d;
            is_wanted = is_ring == wants_ring;
        }
    }
    return longest;
}

enum tmap_status tmap_halve_grid(struct tmap_halving *h, int32_t first, int32_t count,
                                 int32_t *halved)
{
    int32_t *member = h->member + first;
    int dimension = longest_dimension(h, member, count);
    int64_t total = 0, left = 0, least = INT64_MAX;
    int32_t uneven = count; /* how much so the halves of the best cut are, in members */
    for (int32_t i = 0; i < count; i++) {
        h->key[member[i]] = coordinate_of(h, member[i], dimension);
        total += h->weight[member[i]];
    }
    tmap_sort(member, h->work, count, tmap_by_number, h->key);
    for (int32_t i = 1; i < count; i++) {
        left += h->weight[member[i - 1]];
        int64_t apart = 2 * left > total ? 2 * left - total : total - 2 * left;
        int32_t members_apart = 2 * i > count ? 2 * i - count : count - 2 * i;
        if (h->key[member[i]] != h->key[member[i - 1]] &&
            (apart < least || (apart == least && members_apart < uneven))) {
            least = apart;
            uneven = members_apart;
            *halved = i;
        }
    }
    return TMAP_OK;
}
