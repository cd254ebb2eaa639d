/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fabric-levels.c - whether the switches of a job's hosts are the leaves of a fat tree.
 *
 * Let B(d, s) be the switches with hosts that are at most d links from s. They are the levels of a
 * tree if, for each d, "at most d apart" divides the switches into groups: B(d, s) is the same for
 * all of its members. In a tree with two levels of spines above four leaves
 *
 *     a b   c d     a-b and c-d are 2 links apart, all others 4:
 *     B(0): a b c d     B(2): ab cd     B(4): abcd
 *
 * The group of s at d is named by the smallest member of B(d, s). A first pass over the switches
 * finds these names and the sizes of B, a second one checks them: every member of B(d, s) has the
 * same name, and as many switches have it as B has members. Both search the graph breadth first
 * from each switch with hosts: O(switches with hosts x links) time, and memory O(switches +
 * switches with hosts x levels).
 */
#include "network/fabric-lines.h"
#include "treematch/model/interconnect-search.h"

#include <stdlib.h>
#include <string.h>

/* Distances up to here can be levels; the last one has all. */
enum { FABRIC_FARTHEST = 64 };

struct fabric_search {
    const struct fabric_graph *graph;
    int32_t used;      /* switches with hosts */
    int32_t *with;     /* their numbers */
    int32_t *number;   /* by switch: which of them it is, -1: no hosts */
    int32_t *distance; /* by switch, from the present one; -1: not reached */
    int32_t *queue;
    int32_t levels; /* distances at which some are apart */
    int32_t apart[TMAP_SWITCH_LEVELS];
    int32_t *name;    /* by switch with hosts and level: the smallest member of its B */
    int32_t *size;    /* of that B */
    int32_t *members; /* by switch with hosts and level: how many have this one as name */
};

static void fabric_search_free(struct fabric_search *f)
{
    free(f->with);
    free(f->number);
    free(f->distance);
    free(f->queue);
    free(f->name);
    free(f->size);
    free(f->members);
}

/* Fill the distances from a switch. */
static void fabric_search_from(struct fabric_search *f, int32_t start)
{
    const struct fabric_graph *g = f->graph;
    tmap_search_breadth_first(g->switches, g->first, g->neighbor, start, f->distance, f->queue);
}

/* The distances between the switches with hosts, ascending: every one of them is seen from any
 * switch of a fat tree, but the first may be the only one in its group, so all are looked at.
 * 1; 0: too many. */
static int fabric_note_distances(struct fabric_search *f, char *seen)
{
    for (int32_t u = 0; u < f->used; u++) {
        int32_t distance = f->distance[f->with[u]];
        if (distance >= FABRIC_FARTHEST)
            return 0;
        seen[distance] = 1;
    }
    return 1;
}

/* 1; 0: no tree. */
static int fabric_find_distances(struct fabric_search *f)
{
    char seen[FABRIC_FARTHEST] = {0};
    for (int32_t u = 0; u < f->used; u++) {
        fabric_search_from(f, f->with[u]);
        if (!fabric_note_distances(f, seen))
            return 0;
    }
    for (int32_t d = 0; d < FABRIC_FARTHEST; d++)
        if (seen[d] && f->levels == TMAP_SWITCH_LEVELS)
            return 0;
        else if (seen[d])
            f->apart[f->levels++] = d;
    return 1;
}

/* Names and sizes of the groups of one switch. */
static void fabric_name_groups(struct fabric_search *f, int32_t u)
{
    for (int32_t l = 0; l < f->levels; l++) {
        size_t at = (size_t)u * (size_t)f->levels + (size_t)l;
        f->name[at] = u;
        for (int32_t v = 0; v < f->used; v++)
            if (f->distance[f->with[v]] <= f->apart[l]) {
                f->size[at]++;
                if (v < f->name[at])
                    f->name[at] = v;
            }
        f->members[(size_t)f->name[at] * (size_t)f->levels + (size_t)l]++;
    }
}

static int fabric_check_groups(const struct fabric_search *f, int32_t u)
{
    for (int32_t l = 0; l < f->levels; l++) {
        size_t levels = (size_t)f->levels, at = (size_t)u * levels + (size_t)l;
        if (f->members[(size_t)f->name[at] * levels + (size_t)l] != f->size[at])
            return 0;
        for (int32_t v = 0; v < f->used; v++)
            if (f->distance[f->with[v]] <= f->apart[l] &&
                f->name[(size_t)v * levels + (size_t)l] != f->name[at])
                return 0;
    }
    return 1;
}

/* 1: they are a tree, and names are filled; 0: no tree. */
static int fabric_find_groups(struct fabric_search *f)
{
    for (int32_t u = 0; u < f->used; u++) {
        fabric_search_from(f, f->with[u]);
        fabric_name_groups(f, u);
    }
    for (int32_t u = 0; u < f->used; u++) {
        fabric_search_from(f, f->with[u]);
        if (!fabric_check_groups(f, u))
            return 0;
    }
    return 1;
}

static int fabric_search_open(struct fabric_search *f, const struct fabric_graph *graph,
                              const struct host_places *places)
{
    size_t n = (size_t)graph->switches, room = (size_t)places->hosts + 1;
    *f = (struct fabric_search){.graph = graph,
                                .with = malloc(room * sizeof *f->with),
                                .number = malloc((n + 1) * sizeof *f->number),
                                .distance = malloc((n + 1) * sizeof *f->distance),
                                .queue = malloc((n + 1) * sizeof *f->queue)};
    if (!f->with || !f->number || !f->distance || !f->queue)
        return -1;
    memset(f->number, 0xff, (n + 1) * sizeof *f->number);
    for (int32_t h = 0; h < places->hosts; h++) {
        int32_t at = places->place[h].at.at[0];
        if (f->number[at] < 0) {
            f->number[at] = f->used;
            f->with[f->used++] = at;
        }
    }
    return 0;
}

/* Room for the groups, once the levels are known. */
static int fabric_search_grow(struct fabric_search *f)
{
    size_t room = (size_t)f->used * (size_t)f->levels + 1;
    f->name = malloc(room * sizeof *f->name);
    f->size = calloc(room, sizeof *f->size);
    f->members = calloc(room, sizeof *f->members);
    return f->name && f->size && f->members ? 0 : -1;
}

/* Returns 1 if all hosts can be reached from the first one, or 0 with *error. */
static int fabric_is_connected(struct fabric_search *f, const struct host_places *places,
                               struct reseat_error *error)
{
    if (f->used)
        fabric_search_from(f, f->with[0]);
    for (int32_t h = 0; h < places->hosts; h++)
        if (f->distance[places->place[h].at.at[0]] < 0) {
            reseat_fail(error, "%s: no links lead from host '%.100s' to '%.100s'", places->path,
                        places->host[0], places->host[h]);
            return 0;
        }
    return 1;
}

/* Outermost first: the group at the largest distance; the last one is the switch itself. */
static void fabric_set_paths(const struct fabric_search *f, struct host_places *places)
{
    for (int32_t h = 0; h < places->hosts; h++) {
        struct network_path *at = &places->place[h].at;
        size_t first = (size_t)f->number[at->at[0]] * (size_t)f->levels;
        at->length = f->levels;
        for (int32_t l = 0; l < f->levels; l++)
            at->at[f->levels - 1 - l] = f->name[first + (size_t)l];
    }
}

int fabric_find_levels(const struct fabric_graph *graph, struct host_places *places,
                       struct reseat_error *error)
{
    struct fabric_search f;
    int rc = 0;
    if (fabric_search_open(&f, graph, places))
        rc = reseat_fail(error, "%s: out of memory", places->path);
    else if (!fabric_is_connected(&f, places, error))
        rc = -1;
    else if (fabric_find_distances(&f) == 0)
        rc = 0;
    else if (fabric_search_grow(&f))
        rc = reseat_fail(error, "%s: out of memory", places->path);
    else if ((rc = fabric_find_groups(&f)) == 1)
        fabric_set_paths(&f, places);
    fabric_search_free(&f);
    return rc;
}
