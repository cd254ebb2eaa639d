/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simgrid-platform.c - see machine-forms.h. A platform of SimGrid is one zone whose routes are
 * shortest paths over links that are named here:
 *
 *   NODE-card      of each node, each way: what the ranks of a node get through together. Half of
 *                  the latency between neighbors is here
 *   NODE-pair      from a node to itself: what one pair of ranks inside it gets, any number of them
 *   NODE-memory    the same for all of them together
 *   switch-L-N-up  from object N of level L to its parent, as wide as the cards of all nodes below
 *                  it, unless timings say less
 *   link-L-N-A-B   between positions A and B of the network of an object, as fast as one pair of
 *                  nodes that are apart like this
 *
 * Of equally short paths SimGrid takes the one over the positions with the least numbers, so that
 * most links of a network would have nothing to do. So each pair of nodes gets an explicit route
 * (bypassRoute): dimension-ordered in a torus or mesh; in a graph a shortest path over the links
 * with the fewest routes so far.
 *
 * SMPI's corrections of latency and bandwidth, which are those of one cluster, are switched off:
 * the figures are what messages take, not what wires do.
 */
#include "draw/machine-forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/links.h"
#include "treematch/model/link-routes.h"

/* Stated in the file where there are no timings: between neighbors, for each further hop, and
 * inside nodes. */
static const double assumed_latency = 1.5e-6, assumed_hop = 1e-7;
static const double assumed_inside_latency = 3e-7, assumed_pair = 1e10, assumed_memory = 1e11;

/* Seconds, and bytes per second. By level above the nodes: `latency` of pairs that part there,
 * `hop` and `link` of a network. */
struct simgrid_rates {
    double latency[TMAP_MAX_LEVELS], hop[TMAP_MAX_LEVELS], link[TMAP_MAX_LEVELS];
    double card, inside_latency, pair, memory;
};

struct simgrid {
    FILE *file;
    FILE *routes; /* which come after all that they lead over */
    const struct draw_view *view;
    struct simgrid_rates rates;
    int node;  /* the level of the nodes */
    int level; /* of the network that is being written, and its object */
    int32_t object;
};

/* ---- rates ---- */

static int simgrid_has_shape(const struct simgrid *s, int level)
{
    return tmap_tree_shape(s->view->tree, level, NULL) != TMAP_SHAPE_NONE;
}

/* The most ranks of a node, at least one. */
static int32_t simgrid_widest(const struct simgrid *s)
{
    int32_t most = 1, nodes = tmap_tree_objects(s->view->tree, s->node);
    for (int32_t n = 0; n < nodes; n++)
        most = draw_cores(s->view, s->node, n) > most ? draw_cores(s->view, s->node, n) : most;
    return most;
}

static void simgrid_rates_of_timings(struct simgrid *s, const struct reseat_timings *timings)
{
    char kind[TMAP_NAME_SIZE];
    struct simgrid_rates *r = &s->rates;
    int32_t ranks = simgrid_widest(s);
    for (int l = 0; l <= s->node; l++) {
        reseat_timings_kind(s->view->tree, l, kind);
        const struct timings_level *level = reseat_timings_level(timings, kind);
        struct timings_line line = reseat_timings_line(level);
        double pair = line.seconds_per_byte > 0 ? 1 / line.seconds_per_byte : assumed_memory;
        if (l == s->node) {
            r->inside_latency = level->point[0].seconds;
            r->pair = pair;
            continue;
        }
        r->latency[l] = level->point[0].seconds;
        r->hop[l] = level->hop_seconds;
        r->link[l] = pair;
    }
    r->card = reseat_timings_rate(timings, TIMINGS_CARD_OUT, ranks);
    r->memory = fmax(r->pair, reseat_timings_rate(timings, TIMINGS_MEMORY, ranks / 2.0));
}

static void simgrid_rates_by_name(struct simgrid *s)
{
    struct simgrid_rates *r = &s->rates;
    r->card = s->view->megabits * 1e6 / 8;
    for (int l = 0; l < s->node; l++) {
        r->hop[l] = assumed_hop;
        r->latency[l] = assumed_latency + 2 * assumed_hop * (s->node - 1 - l);
        r->link[l] = r->card;
    }
    r->inside_latency = assumed_inside_latency;
    r->pair = assumed_pair;
    r->memory = assumed_memory;
    fprintf(s->file,
            "  <!-- assumed: %g s between neighbors, %g s a hop; inside nodes %g s, %g B/s a pair, "
            "%g B/s a node -->\n",
            assumed_latency, assumed_hop, assumed_inside_latency, assumed_pair, assumed_memory);
}

/* Half of what a message takes to a neighbor beyond the link between them. */
static double simgrid_card_latency(const struct simgrid *s)
{
    int l = s->node - 1;
    if (l < 0)
        return s->rates.inside_latency / 2;
    return fmax(s->rates.latency[l] - (simgrid_has_shape(s, l) ? s->rates.hop[l] : 0), 0) / 2;
}

/* ---- names ---- */

enum { SIMGRID_NAME = 300 };

/* The switch at a position of the network that is being written: the object there itself if it has
 * others below it. */
static const char *simgrid_position(const struct simgrid *s, int32_t position,
                                    char text[SIMGRID_NAME])
{
    int32_t first = draw_first_below(s->view, s->level, s->object, s->level + 1);
    int32_t end = draw_first_below(s->view, s->level, s->object + 1, s->level + 1);
    for (int32_t child = first; s->level + 1 < s->node && child < end; child++)
        if (tmap_tree_position(s->view->tree, s->level + 1, child) == position) {
            snprintf(text, SIMGRID_NAME, "switch-%d-%d", s->level + 1, (int)child);
            return text;
        }
    snprintf(text, SIMGRID_NAME, "router-%d-%d-%d", s->level, (int)s->object, (int)position);
    return text;
}

/* ---- links ---- */

static void simgrid_link(const struct simgrid *s, const char *from, const char *to,
                         const char *link, double rate, double latency)
{
    fprintf(s->file,
            "    <link id=\"%s\" bandwidth=\"%.9gBps\" latency=\"%.9gs\" "
            "sharing_policy=\"SPLITDUPLEX\"/>\n",
            link, rate, latency);
    fprintf(s->routes,
            "    <route src=\"%s\" dst=\"%s\"><link_ctn id=\"%s\" direction=\"UP\"/></route>\n",
            from, to, link);
}

static void simgrid_node(const struct simgrid *s, int32_t node, const char *above)
{
    const struct simgrid_rates *r = &s->rates;
    char name[DRAW_HOST_SIZE], link[SIMGRID_NAME];
    draw_host_name(s->view, s->node, node, name);
    fprintf(s->file, "    <host id=\"%s\" speed=\"1Gf\" core=\"%d\"/>\n", name,
            (int)draw_cores(s->view, s->node, node));
    fprintf(s->file,
            "    <link id=\"%s-pair\" bandwidth=\"%.9gBps\" latency=\"%.9gs\" "
            "sharing_policy=\"FATPIPE\"/>\n"
            "    <link id=\"%s-memory\" bandwidth=\"%.9gBps\" latency=\"0s\"/>\n",
            name, r->pair, r->inside_latency, name, r->memory);
    fprintf(s->routes,
            "    <route src=\"%s\" dst=\"%s\" symmetrical=\"NO\">"
            "<link_ctn id=\"%s-pair\"/><link_ctn id=\"%s-memory\"/></route>\n",
            name, name, name, name);
    snprintf(link, sizeof link, "%s-card", name);
    simgrid_link(s, name, above, link, r->card, simgrid_card_latency(s));
}

/* The link from a switch to its parent. */
static void simgrid_up(const struct simgrid *s, int32_t child, const char *above)
{
    const double *latency = s->rates.latency;
    char name[SIMGRID_NAME], link[SIMGRID_NAME + 3];
    int level = s->level + 1;
    int32_t nodes = draw_first_below(s->view, level, child + 1, s->node) -
                    draw_first_below(s->view, level, child, s->node);
    snprintf(name, sizeof name, "switch-%d-%d", level, (int)child);
    snprintf(link, sizeof link, "%s-up", name);
    simgrid_link(s, name, above, link, s->rates.card * nodes,
                 fmax(latency[level - 1] - latency[level], 0) / 2);
}

static void simgrid_each_link(void *context, int32_t from, int32_t to)
{
    const struct simgrid *s = context;
    char a[SIMGRID_NAME], b[SIMGRID_NAME], link[SIMGRID_NAME];
    snprintf(link, sizeof link, "link-%d-%d-%d-%d", s->level, (int)s->object, (int)from, (int)to);
    simgrid_link(s, simgrid_position(s, from, a), simgrid_position(s, to, b), link,
                 s->rates.link[s->level], s->rates.hop[s->level]);
}

/* ---- objects ---- */

/* An object above the nodes: its children, and what connects them. */
static void simgrid_object(struct simgrid *s, int level, int32_t object)
{
    struct tmap_shape shape = {.size = sizeof shape};
    char above[SIMGRID_NAME];
    int has_shape = tmap_tree_shape(s->view->tree, level, &shape) != TMAP_SHAPE_NONE;
    int32_t end = draw_first_below(s->view, level, object + 1, level + 1);
    s->level = level;
    s->object = object;
    if (!has_shape && level == 0)
        fprintf(s->file, "    <router id=\"switch-0-0\"/>\n");
    for (int32_t p = 0; has_shape && p < draw_positions(&shape); p++)
        if (strncmp(simgrid_position(s, p, above), "router", 6) == 0)
            fprintf(s->file, "    <router id=\"%s\"/>\n", above);
    for (int32_t c = draw_first_below(s->view, level, object, level + 1); c < end; c++) {
        if (has_shape)
            simgrid_position(s, tmap_tree_position(s->view->tree, level + 1, c), above);
        else
            snprintf(above, sizeof above, "switch-%d-%d", level, (int)object);
        if (level + 1 < s->node)
            fprintf(s->file, "    <router id=\"switch-%d-%d\"/>\n", level + 1, (int)c);
        if (level + 1 == s->node)
            simgrid_node(s, c, above);
        else if (!has_shape)
            simgrid_up(s, c, above);
    }
    if (has_shape)
        draw_each_link(&shape, simgrid_each_link, s);
}

/* ---- explicit routes ---- */

/* Up to 600 bytes of the platform each. */
enum { SIMGRID_MOST_ROUTES = 1 << 16 };

struct simgrid_router {
    struct simgrid *s;
    struct tmap_routes routes;
    struct tmap_routes_step *step;
    int level;
};

/* The links between a node and its position. */
static void simgrid_climb(const struct simgrid_router *w, int32_t node, const char *direction)
{
    const struct draw_view *view = w->s->view;
    char name[DRAW_HOST_SIZE];
    int32_t slot = draw_first_below(view, w->s->node, node, view->depth);
    draw_host_name(view, w->s->node, node, name);
    fprintf(w->s->routes, "<link_ctn id=\"%s-card\" direction=\"%s\"/>", name, direction);
    for (int l = w->s->node - 1; l > w->level + 1; l--)
        fprintf(w->s->routes, "<link_ctn id=\"switch-%d-%d-up\" direction=\"%s\"/>", l,
                (int)tmap_tree_ancestor(view->tree, slot, l), direction);
}

static int32_t simgrid_position_of(const struct simgrid_router *w, int32_t node)
{
    const struct draw_view *view = w->s->view;
    int32_t slot = draw_first_below(view, w->s->node, node, view->depth);
    return tmap_tree_position(view->tree, w->level + 1,
                              tmap_tree_ancestor(view->tree, slot, w->level + 1));
}

static void simgrid_route(struct simgrid_router *w, int32_t from, int32_t to)
{
    const struct simgrid *s = w->s;
    char a[DRAW_HOST_SIZE], b[DRAW_HOST_SIZE];
    int32_t here = simgrid_position_of(w, from), there = simgrid_position_of(w, to);
    if (here == there)
        return;
    size_t count = tmap_routes_list(&w->routes, here, there, w->step);
    if (count == 0)
        return;
    draw_host_name(s->view, s->node, from, a);
    draw_host_name(s->view, s->node, to, b);
    fprintf(s->routes, "    <bypassRoute src=\"%s\" dst=\"%s\">", a, b);
    simgrid_climb(w, from, "UP");
    for (size_t i = 0; i < count; i++) {
        tmap_routes_ends(w->routes.interconnect, w->step[i].number, &here, &there);
        fprintf(s->routes, "<link_ctn id=\"link-%d-0-%d-%d\" direction=\"%s\"/>", w->level,
                (int)here, (int)there, w->step[i].is_forward ? "UP" : "DOWN");
    }
    simgrid_climb(w, to, "DOWN");
    fprintf(s->routes, "</bypassRoute>\n");
}

/* Those through the network of a level, of which there is one. 0, or -1: out of memory. */
static int simgrid_each_route(struct simgrid *s, int level)
{
    const struct tmap_interconnect *interconnect = s->view->tree->interconnect[level];
    struct simgrid_router w = {.s = s, .level = level};
    int32_t nodes = tmap_tree_objects(s->view->tree, s->node);
    int rc = -1;
    if ((int64_t)nodes * (nodes - 1) > SIMGRID_MOST_ROUTES) {
        fprintf(s->file, "  <!-- routes: of equally short ones SimGrid's, which are often over the "
                         "same links -->\n");
        return 0;
    }
    w.step = malloc((size_t)interconnect->positions * sizeof *w.step);
    if (tmap_routes_init(&w.routes, interconnect, 0) == TMAP_OK && w.step) {
        for (int32_t to = 0; to < nodes; to++)
            for (int32_t from = 0; from < nodes; from++)
                simgrid_route(&w, from, to);
        rc = 0;
    }
    tmap_routes_fini(&w.routes);
    free(w.step);
    return rc;
}

/* 0, or -1 with *error. */
static int simgrid_check(const struct simgrid *s, struct reseat_error *error)
{
    if (!s->view->first_child[0])
        return reseat_fail(error, "more than %d slots", DRAW_MOST_SLOTS);
    if (!s->view->timings && !s->view->megabits)
        return reseat_fail(error, "SimGrid needs rates: --timings FILE, or --network NAME");
    for (int l = 1; l < s->node; l++)
        if (simgrid_has_shape(s, l) && tmap_tree_objects(s->view->tree, l) > 1)
            return reseat_fail(error,
                               "no network inside an object that is below others can be written "
                               "for SimGrid");
    return 0;
}

/* All that is between the head and the end of the file. 0, or -1: out of memory. */
static int simgrid_zone(struct simgrid *s)
{
    int rc = 0;
    fprintf(s->file, "  <zone id=\"machine\" routing=\"DijkstraCache\">\n");
    if (s->node == 0) {
        fprintf(s->file, "    <router id=\"switch-0-0\"/>\n");
        simgrid_node(s, 0, "switch-0-0");
    }
    for (int l = 0; l < s->node; l++)
        for (int32_t o = 0; o < tmap_tree_objects(s->view->tree, l); o++)
            simgrid_object(s, l, o);
    for (int l = 0; l < s->node && rc == 0; l++)
        if (simgrid_has_shape(s, l))
            rc = simgrid_each_route(s, l);
    return rc;
}

/* Messages are as fast as latencies and rates say. Without cross-traffic, SimGrid's model of TCP's
 * acknowledgements: with it, a long route whose way back shares links with short ones gets less
 * than its share. */
int draw_simgrid(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    struct simgrid s = {.file = file, .view = view, .node = draw_node_level(view)};
    char *routes = NULL;
    size_t size = 0;
    if (simgrid_check(&s, error))
        return -1;
    s.routes = open_memstream(&routes, &size);
    if (!s.routes)
        return reseat_fail(error, "out of memory");
    fprintf(file, "<?xml version='1.0'?>\n"
                  "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                  "<platform version=\"4.1\">\n"
                  "  <config>\n"
                  "    <prop id=\"smpi/simulate-computation\" value=\"no\"/>\n"
                  "    <prop id=\"smpi/bw-factor\" value=\"0:1\"/>\n"
                  "    <prop id=\"smpi/lat-factor\" value=\"0:1\"/>\n"
                  "    <prop id=\"network/crosstraffic\" value=\"no\"/>\n"
                  "  </config>\n");
    if (view->timings)
        simgrid_rates_of_timings(&s, view->timings);
    else
        simgrid_rates_by_name(&s);
    int is_short = simgrid_zone(&s) != 0;
    is_short |= fclose(s.routes) != 0;
    fprintf(file, "%s  </zone>\n</platform>\n", is_short ? "" : routes);
    free(routes);
    return is_short ? reseat_fail(error, "out of memory") : 0;
}

int draw_hostfile(FILE *file, const struct draw_view *view, struct reseat_error *error)
{
    char name[DRAW_HOST_SIZE];
    int node = draw_node_level(view);
    if (!view->first_child[0])
        return reseat_fail(error, "more than %d slots", DRAW_MOST_SLOTS);
    for (int32_t n = 0; n < tmap_tree_objects(view->tree, node); n++)
        fprintf(file, "%s:%d\n", draw_host_name(view, node, n, name),
                (int)draw_cores(view, node, n));
    return 0;
}
