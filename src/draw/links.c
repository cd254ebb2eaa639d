/* SPDX-License-Identifier: BSD-3-Clause */
/* links.c - see links.h. */
#include "draw/links.h"

#include <stdlib.h>

void draw_each_link(const struct tmap_shape *shape, draw_link_fn *take, void *context)
{
    int32_t at[TMAP_MAX_DIMENSIONS], stride[TMAP_MAX_DIMENSIONS], step = 1;
    for (size_t i = 0; i < shape->links; i++)
        take(context, shape->link[i].from, shape->link[i].to);
    if (shape->kind == TMAP_SHAPE_GRAPH || shape->kind == TMAP_SHAPE_NONE)
        return;
    for (int d = shape->dimensions - 1; d >= 0; step *= shape->extent[d--])
        stride[d] = step;
    for (int32_t p = 0; p < step; p++) {
        draw_coordinates(shape, p, at);
        for (int d = 0; d < shape->dimensions; d++)
            if (at[d] + 1 < shape->extent[d])
                take(context, p, p + stride[d]);
            else if (shape->kind == TMAP_SHAPE_TORUS && shape->extent[d] > 2)
                take(context, p, p - at[d] * stride[d]);
    }
}

/* ---- loads ---- */

static int links_by_place(const void *a, const void *b)
{
    const struct tmap_link_load *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind > y->kind ? 1 : -1;
    if (x->object != y->object)
        return x->object > y->object ? 1 : -1;
    if (x->from != y->from)
        return x->from > y->from ? 1 : -1;
    return (x->to > y->to) - (x->to < y->to);
}

/* One name for a link, whichever end comes first. */
static struct tmap_link_load links_key(enum tmap_link_kind kind, int32_t object, int32_t from,
                                       int32_t to)
{
    int turn = kind == TMAP_LINK_NETWORK && from > to;
    return (struct tmap_link_load){kind, object, turn ? to : from, turn ? from : to, 0};
}

static int links_load_level(struct draw_loads *loads, const struct draw_view *view, int level,
                            struct tmap_error *why)
{
    struct tmap_loads *all;
    struct tmap_link_load link;
    size_t count = 0;
    if (tmap_loads_create(&all, view->matrix, view->tree, view->slot_of, level, why))
        return -1;
    for (size_t at = 0; tmap_loads_next(all, &at, &link);)
        count++;
    struct tmap_link_load *links = malloc((count + 1) * sizeof *links);
    count = 0;
    for (size_t at = 0; links && tmap_loads_next(all, &at, &link); count++) {
        links[count] = links_key(link.kind, link.object, link.from, link.to);
        links[count].load = link.load;
        loads->busiest = link.load > loads->busiest ? link.load : loads->busiest;
    }
    tmap_loads_destroy(all);
    if (links)
        qsort(links, count, sizeof *links, links_by_place);
    loads->link[level] = links;
    loads->count[level] = count;
    return links ? 0 : -1;
}

int draw_loads_open(struct draw_loads *loads, const struct draw_view *view,
                    struct reseat_error *error)
{
    struct tmap_error why = {"out of memory"};
    *loads = (struct draw_loads){.busiest = view->matrix ? view->busiest : 0};
    for (int l = 0; view->matrix && l < view->depth; l++)
        if (links_load_level(loads, view, l, &why))
            return reseat_fail(error, "%s", why.text);
    return 0;
}

void draw_loads_close(struct draw_loads *loads)
{
    for (int l = 0; l < TMAP_MAX_LEVELS; l++)
        free(loads->link[l]);
}

static double links_find(const struct draw_loads *loads, int level, struct tmap_link_load key)
{
    const struct tmap_link_load *found =
        loads->count[level]
            ? bsearch(&key, loads->link[level], loads->count[level], sizeof key, links_by_place)
            : NULL;
    return found ? found->load : 0;
}

double draw_load_between(const struct draw_loads *loads, int level, int32_t object, int32_t from,
                         int32_t to)
{
    return links_find(loads, level, links_key(TMAP_LINK_NETWORK, object, from, to));
}

double draw_load_up(const struct draw_loads *loads, int level, int32_t child)
{
    /* The parent is not needed to tell links up apart, but it is what they are sorted by first. */
    for (size_t low = 0, high = loads->count[level]; low < high;) {
        size_t middle = low + (high - low) / 2;
        const struct tmap_link_load *link = &loads->link[level][middle];
        if (link->kind == TMAP_LINK_UP && link->from == child)
            return link->load;
        if (link->kind == TMAP_LINK_UP && link->from < child)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

const char *draw_color(double share)
{
    static const char *const colors[DRAW_COLORS] = {"#c7e020", "#5dc863", "#21918c",
                                                    "#2c728e", "#472d7b", "#2b0036"};
    int i = (int)(share * DRAW_COLORS);
    return colors[i < 0 ? 0 : i >= DRAW_COLORS ? DRAW_COLORS - 1 : i];
}
