/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.c - the tree of a job from where its processes sit.
 *
 * Each process has a path: its node, one number for each place level, itself. Two rules make
 * "unknown" (-1) behave:
 *   - above the innermost level that the process knows, -1 means that the machine has no such
 *     objects: all share one, and the level is transparent;
 *   - below it, the process may roam, so it shares nothing more with anybody: it gets an object of
 *     its own, and parts from its neighbours at the innermost object that it does know.
 * Then the levels that do not branch are dropped. The distance at a level that stays is that of
 * the innermost object that the dropped levels stand for: with one L3 per package, two processes
 * of a package are as far apart as two processes that share an L3.
 */
#include "internal.h"

#include <stdio.h>

/* Level 0: node, 1 .. TMAP_PLACE_LEVELS: the place levels, then the process. */
enum { LEVELS = TMAP_PLACE_LEVELS + 2, PROCESS = LEVELS - 1 };

static const char *const place_names[TMAP_PLACE_LEVELS] = {"package", "numa", "l3",
                                                           "l2",      "core", "pu"};

const char *tmap_place_level_name(enum tmap_place_level level)
{
    int number = (int)level;
    return number >= 0 && number < TMAP_PLACE_LEVELS ? place_names[number] : "unknown";
}

static const char *level_name(int level, const char *leaf)
{
    if (level < 0)
        return "machine";
    if (level == 0)
        return "node";
    return level == PROCESS ? leaf : place_names[level - 1];
}

/* Open hash table: node number -> the first process on it. `table` has mask + 1 entries, -1 where
 * free. */
static int32_t first_on_node(int32_t *table, uint32_t mask, const int32_t *node_of, int32_t process)
{
    uint32_t at = ((uint32_t)node_of[process] * UINT32_C(2654435769)) & mask;
    while (table[at] >= 0 && node_of[table[at]] != node_of[process])
        at = (at + 1) & mask;
    if (table[at] < 0)
        table[at] = process;
    return table[at];
}

static enum tmap_status number_nodes(int32_t *path, int32_t processes, const int32_t *node_of)
{
    uint32_t size = 2;
    while (size / 2 < (uint32_t)processes)
        size *= 2;
    int32_t *table = tmap_new(size, sizeof *table);
    if (!table)
        return TMAP_ENOMEM;
    memset(table, 0xff, sizeof *table * size);
    for (int32_t p = 0; p < processes; p++)
        path[(size_t)p * LEVELS] = first_on_node(table, size - 1, node_of, p);
    free(table);
    return TMAP_OK;
}

static void place_path(int32_t *path, const struct tmap_place *place, int32_t process)
{
    int known = TMAP_PLACE_LEVELS - 1;
    while (known >= 0 && place->at[known] < 0)
        known--;
    for (int l = 0; l < TMAP_PLACE_LEVELS; l++) {
        if (l > known) /* numbers that no real object has */
            path[1 + l] = INT32_MIN + process;
        else
            path[1 + l] = place->at[l] < 0 ? -1 : place->at[l];
    }
    path[PROCESS] = process;
}

/* A level is real when some process knows its object there. */
static void find_real(const struct tmap_place *places, int32_t processes, int *real)
{
    real[0] = real[PROCESS] = 1;
    for (int l = 0; l < TMAP_PLACE_LEVELS; l++) {
        real[1 + l] = 0;
        for (int32_t p = 0; p < processes; p++)
            real[1 + l] |= places[p].at[l] >= 0;
    }
}

/*
 * Choose the levels that branch: kept[] (their numbers, from the root) and levels[] (name, cost);
 * returns how many. `full` is the tree of all levels. A level that is as fine as the processes is
 * left to the level of the processes.
 */
static int choose_levels(const struct tmap_tree *full, const int *real, const char *leaf, int *kept,
                         struct tmap_level *levels)
{
    int count = 0, parent = -1;
    int32_t objects = 1, processes = full->count[LEVELS];
    for (int l = 0; l < LEVELS; l++) {
        int32_t below = full->count[l + 1];
        if (below == objects) {
            if (l != PROCESS && real[l])
                parent = l;
            continue;
        }
        if (below == processes && l != PROCESS && l != 0) {
            l = PROCESS - 1;
            continue;
        }
        kept[count] = l;
        snprintf(levels[count].name, TMAP_NAME_SIZE, "%s", level_name(l, leaf));
        levels[count++].cost = tmap_default_cost(level_name(parent, leaf));
        parent = l;
        objects = below;
    }
    if (count == 0) {
        kept[0] = PROCESS;
        snprintf(levels[0].name, TMAP_NAME_SIZE, "%s", leaf);
        levels[count++].cost = tmap_default_cost(level_name(parent, leaf));
    }
    return count;
}

/* Keep `count` columns of the paths, in place. */
static void keep_columns(int32_t *path, int32_t processes, const int *kept, int count)
{
    for (int32_t p = 0; p < processes; p++) {
        for (int l = 0; l < count; l++)
            path[(size_t)p * (size_t)count + (size_t)l] =
                path[(size_t)p * LEVELS + (size_t)kept[l]];
    }
}

static enum tmap_status from_paths(struct tmap_tree **tree, const struct tmap_job *job,
                                   int32_t *path, int32_t *slot_of_process,
                                   struct tmap_error *error)
{
    int32_t processes = job->processes;
    struct tmap_level levels[LEVELS];
    int real[LEVELS], kept[LEVELS];
    struct tmap_tree *full = NULL;
    enum tmap_status status =
        tmap_tree_create_from_paths(&full, processes, LEVELS, path, NULL, NULL, NULL, error);
    if (status != TMAP_OK)
        return status;
    find_real(job->places, processes, real);
    int count = choose_levels(full, real, job->leaf_name, kept, levels);
    tmap_tree_destroy(full);
    keep_columns(path, processes, kept, count);
    return tmap_tree_create_from_paths(tree, processes, count, path, NULL, levels, slot_of_process,
                                       error);
}

enum tmap_status tmap_tree_from_job(struct tmap_tree **tree, const struct tmap_job *job,
                                    int32_t *slot_of_process, struct tmap_error *error)
{
    if (job->processes < 1)
        return tmap_fail(error, TMAP_EINVAL, "a job of %ld processes", (long)job->processes);
    int32_t *path = tmap_new((size_t)job->processes, LEVELS * sizeof *path);
    if (!path || number_nodes(path, job->processes, job->node_of)) {
        free(path);
        return tmap_fail_memory(error);
    }
    for (int32_t p = 0; p < job->processes; p++)
        place_path(path + (size_t)p * LEVELS, &job->places[p], p);
    enum tmap_status status = from_paths(tree, job, path, slot_of_process, error);
    free(path);
    return status;
}

enum tmap_status tmap_tree_create_from_places(struct tmap_tree **tree, int32_t processes,
                                              const int32_t *node_of,
                                              const struct tmap_place *places,
                                              int32_t *slot_of_process, struct tmap_error *error)
{
    const struct tmap_job job = {processes, node_of, places, "process"};
    return tmap_tree_from_job(tree, &job, slot_of_process, error);
}
