/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rates-timings.c - a cluster of servers (rates.h) from how long messages take (timings.h). What is
 * measured contains the caches, so all messages of a node go through memories. A server is as fast
 * as when all cores use it. What a message takes beyond its bytes does not keep servers busy:
 * between nodes it is the time of the switch, inside nodes nobody waits for it.
 */
#include "simulate/rates.h"

#include <string.h>

#include "text/lines.h"

static double rates_between(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* Sets the speeds of cards and memories to the measured ones; the shape stays, and counts. */
static void reseat_rates_set_timings(struct reseat_rates *rates,
                                     const struct reseat_timings *timings)
{
    double cores = (double)rates->packages * rates->cores;
    double out = reseat_timings_rate(timings, TIMINGS_CARD_OUT, cores);
    double in = reseat_timings_rate(timings, TIMINGS_CARD_IN, cores);
    double both = reseat_timings_rate(timings, TIMINGS_CARD_BOTH, cores);
    double one_way = out < in ? out : in;
    struct timings_line machine = reseat_timings_line(reseat_timings_level(timings, "machine"));
    struct timings_line node = reseat_timings_line(reseat_timings_level(timings, "node"));
    struct timings_line package = reseat_timings_line(reseat_timings_level(timings, "package"));
    /* at least half as much again both ways together: the two ways do not share a server */
    rates->card_directions = both >= 1.5 * one_way ? 2 : 1;
    rates->card_bytes_per_second = rates->card_directions == 2 ? both / 2 : both;
    if (rates->card_bytes_per_second > one_way)
        rates->card_bytes_per_second = one_way;
    rates->card_seconds = rates->memory_seconds = 0;
    rates->memory_bytes_per_second =
        reseat_timings_rate(timings, TIMINGS_MEMORY, rates_between(rates->cores / 2.0, 1, cores));
    rates->remote_memory_factor =
        package.seconds_per_byte > 0
            ? rates_between(node.seconds_per_byte / package.seconds_per_byte, 1, 1e3)
            : 1;
    rates->cache_longest_bytes = -1;
    rates->switch_seconds = rates_between(machine.latency, 0, 1e3);
}

/* The level of a tree whose objects are its nodes; where no name tells, the first one. */
static int rates_node_level(const struct tmap_tree *tree)
{
    char kind[TMAP_NAME_SIZE];
    for (int l = 0; l <= tmap_tree_depth(tree); l++) {
        reseat_timings_kind(tree, l, kind);
        if (strcmp(kind, "node") == 0)
            return l;
    }
    return 1;
}

int reseat_rates_set_shape(struct reseat_rates *rates, const struct tmap_tree *tree,
                           struct reseat_error *error)
{
    int depth = tmap_tree_depth(tree), node = rates_node_level(tree);
    if (!tmap_tree_is_uniform(tree))
        return reseat_fail(error, "all nodes have to be alike, and without networks");
    if ((int64_t)tmap_tree_slots(tree) > RATES_MOST_CORES)
        return reseat_fail(error, "%d cores, and at most %d are possible",
                           (int)tmap_tree_slots(tree), RATES_MOST_CORES);
    rates->nodes = tmap_tree_objects(tree, node);
    rates->packages = depth > node + 1 ? tmap_tree_objects(tree, depth - 1) / rates->nodes : 1;
    rates->cores = tmap_tree_slots(tree) / rates->nodes / rates->packages;
    return 0;
}

/* Set the shape by a tree as text (tmap_tree_parse). 0, or -1 with *error, also if it is not
 * understood. */
static int reseat_rates_set_tree(struct reseat_rates *rates, const char *text,
                                 struct reseat_error *error)
{
    struct tmap_tree *tree;
    struct tmap_error why;
    if (tmap_tree_parse(&tree, text, &why))
        return reseat_fail(error, "%s", why.text);
    int rc = reseat_rates_set_shape(rates, tree, error);
    tmap_tree_destroy(tree);
    return rc;
}

/* Returns 1 if a file begins as timings do. */
static int rates_are_timings(const char *path)
{
    struct lines lines;
    struct reseat_error ignored;
    int are = 0;
    if (lines_open(&lines, path, &ignored) == 0) {
        lines.open_end = 1;
        lines.most = 4096;
        are = lines_next(&lines) > 0 && reseat_timings_begins(lines.line);
    }
    lines_close(&lines);
    return are;
}

int reseat_rates_load(struct reseat_rates *rates, const char *path, const char *tree,
                      struct reseat_error *error)
{
    struct reseat_timings *timings = NULL;
    struct reseat_rates found;
    int is_measured = path && rates_are_timings(path);
    reseat_rates_init(&found);
    if (path && (is_measured ? reseat_timings_read(&timings, path, error)
                             : reseat_rates_read(&found, path, error)))
        return -1;
    int rc = tree ? reseat_rates_set_tree(&found, tree, error) : 0;
    const char *lack =
        timings ? reseat_timings_lack(timings, found.nodes, reseat_rates_all_cores(&found)) : NULL;
    if (rc == 0 && lack)
        rc = reseat_fail(error, "%s has no %s, so nothing is known of such a cluster", path, lack);
    if (rc == 0 && timings)
        reseat_rates_set_timings(&found, timings);
    reseat_timings_destroy(timings);
    if (rc == 0)
        *rates = found;
    return rc;
}
