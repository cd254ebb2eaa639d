/* SPDX-License-Identifier: BSD-3-Clause */
/* time-links.c - see time-links.h. */
#include "time-model/time-links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIME_LINKS_MOST_SLOTS = 1 << 20 };

/* ---- what does not depend on an order ---- */

static const struct timings_effort *time_links_all(const struct time_links *links, int level)
{
    return &links->places->level[level].effort[TIMINGS_ALL];
}

static int time_links_has_shape(const struct time_links *links, int level)
{
    return tmap_tree_shape(links->tree, level, NULL) != TMAP_SHAPE_NONE;
}

/* Returns 1 if what objects of a level send up passes links that are priced. */
static int time_links_is_priced(const struct time_links *links, int level)
{
    return !time_links_has_shape(links, level - 1) && time_links_all(links, level - 1)->ranks;
}

/* Ranks of a node when all exchanged: as the timings say, or as many as there are slots. More of
 * them on a node are not known to get less each. */
static double time_links_ranks_of_node(const struct time_links *links,
                                       const struct reseat_timings *timings)
{
    const char *ranks = reseat_timings_header(timings, "ranks");
    const char *nodes = reseat_timings_header(timings, "nodes");
    double there = tmap_tree_objects(links->tree, links->places->node), measured = 0;
    if (ranks && nodes && atof(nodes) > 0)
        measured = atof(ranks) / atof(nodes);
    if (!(measured >= 1))
        measured = (double)tmap_tree_capacity(links->tree) / there;
    return fmax(measured, links->roles / there);
}

static int time_links_count_nodes(struct time_links *links, int level)
{
    const struct tmap_tree *tree = links->tree;
    int32_t last = -1, slots = tmap_tree_slots(tree);
    int32_t *below = calloc((size_t)tmap_tree_objects(tree, level), sizeof *below);
    for (int32_t slot = 0; slot < slots && below; slot++) {
        int32_t node = tmap_tree_ancestor(tree, slot, links->places->node);
        below[tmap_tree_ancestor(tree, slot, level)] += node != last;
        last = node;
    }
    links->nodes_below[level] = below;
    return below ? 0 : -1;
}

int time_links_open(struct time_links *links, const struct time_places *places,
                    const struct tmap_tree *tree, const struct reseat_timings *timings,
                    int32_t roles)
{
    int32_t most = 0;
    int rc = 0;
    *links = (struct time_links){.places = places, .tree = tree, .roles = roles};
    links->ranks_of_node = time_links_ranks_of_node(links, timings);
    for (int level = 0; level < places->depth; level++)
        links->has_networks |= time_links_has_shape(links, level);
    const int is_counted = tmap_tree_slots(tree) <= TIME_LINKS_MOST_SLOTS;
    for (int level = 1; level < places->node && is_counted; level++)
        if (time_links_is_priced(links, level)) {
            rc |= time_links_count_nodes(links, level);
            most = tmap_tree_objects(tree, level); /* they grow towards the leaves */
        }
    links->out = malloc(((size_t)most + 1) * sizeof *links->out);
    links->in = malloc(((size_t)most + 1) * sizeof *links->in);
    return rc == 0 && links->out && links->in ? 0 : -1;
}

void time_links_close(struct time_links *links)
{
    for (int level = 0; level <= TMAP_MAX_LEVELS; level++)
        free(links->nodes_below[level]);
    free(links->out);
    free(links->in);
}

/* ---- links up ---- */

/* The links up of all objects of a level, each by itself. */
static void time_links_of_level(struct time_links *links, int level, double byte)
{
    int32_t objects = tmap_tree_objects(links->tree, level);
    for (int32_t o = 0; o < objects; o++) {
        double ranks = links->nodes_below[level][o] * links->ranks_of_node;
        double seconds = fmax(links->out[o], links->in[o]) * byte / ranks;
        links->squares += seconds * seconds;
        if (seconds <= links->busiest_up)
            continue;
        links->busiest_up = seconds;
        links->busiest_level = level;
        links->busiest_object = o;
    }
}

static void time_links_up(struct time_links *links, int level, const struct reseat_entry *entries,
                          size_t count, const int32_t *slot_of)
{
    const struct timings_effort *all = time_links_all(links, level - 1);
    int is_each = links->nodes_below[level] != NULL;
    size_t size = is_each ? (size_t)tmap_tree_objects(links->tree, level) * sizeof *links->out : 0;
    double sum = 0;
    memset(links->out, 0, size);
    memset(links->in, 0, size);
    for (size_t i = 0; i < count; i++) {
        double bytes = (double)entries[i].bytes;
        int32_t from = tmap_tree_ancestor(links->tree, slot_of[entries[i].source], level);
        int32_t to = tmap_tree_ancestor(links->tree, slot_of[entries[i].target], level);
        if (from == to)
            continue;
        sum += bytes;
        if (is_each) {
            links->out[from] += bytes;
            links->in[to] += bytes;
        }
    }
    /* with more ranks a message is not known to be slower */
    links->network = fmax(links->network, sum * all->byte / fmax(all->ranks, links->roles));
    if (is_each)
        time_links_of_level(links, level, all->byte);
}

/* ---- networks ---- */

/* Raise those of the busiest link of all networks between nodes, and inside nodes. */
static enum tmap_status time_links_of_networks(struct time_links *links,
                                               const struct tmap_matrix *matrix,
                                               const int32_t *slot_of, struct tmap_error *why)
{
    enum tmap_status status = TMAP_OK;
    for (int level = 0; level < links->places->depth && status == TMAP_OK; level++) {
        double *seconds = level < links->places->node ? &links->between : &links->inside;
        struct tmap_loads *loads = NULL;
        struct tmap_load_summary summary = {.busiest_way = 0};
        if (!time_links_has_shape(links, level))
            continue;
        status = tmap_loads_create(&loads, matrix, links->tree, slot_of, level, why);
        if (status == TMAP_OK)
            tmap_loads_sum_up(loads, &summary);
        *seconds =
            fmax(*seconds, summary.busiest_way * links->places->level[level].seconds_per_byte);
        tmap_loads_destroy(loads);
    }
    return status;
}

static int time_links_route(struct time_links *links, const struct reseat_entry *entries,
                            size_t count, const int32_t *slot_of, struct reseat_error *error)
{
    struct tmap_entry *traffic = malloc((count + 1) * sizeof *traffic);
    struct tmap_matrix *matrix = NULL;
    struct tmap_error why = {"out of memory"};
    enum tmap_status status = traffic ? TMAP_OK : TMAP_ENOMEM;
    for (size_t i = 0; traffic && i < count; i++)
        traffic[i] = (struct tmap_entry){entries[i].source, entries[i].target, entries[i].bytes};
    if (status == TMAP_OK)
        status = tmap_matrix_create_directed(&matrix, links->roles, traffic, count, &why);
    if (status == TMAP_OK)
        status = time_links_of_networks(links, matrix, slot_of, &why);
    tmap_matrix_destroy(matrix);
    free(traffic);
    return status ? reseat_fail(error, "%s", why.text) : 0;
}

/* ---- all ---- */

int time_links_find(struct time_links *links, const struct reseat_entry *entries, size_t count,
                    const int32_t *slot_of, struct reseat_error *error)
{
    links->between = links->inside = links->network = links->busiest_up = links->squares = 0;
    for (int level = 1; level <= links->places->node; level++)
        if (time_links_is_priced(links, level))
            time_links_up(links, level, entries, count, slot_of);
    int rc = links->has_networks ? time_links_route(links, entries, count, slot_of, error) : 0;
    links->between = fmax(links->between, links->busiest_up);
    return rc;
}
