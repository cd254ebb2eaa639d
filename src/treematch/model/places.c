/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.c - the tree of a job from where its processes sit.
 *
 * Each process has a path: the switches above its node, outermost first, its node, one number for
 * each place level, itself. Two rules give -1 ("unknown") a meaning inside a node:
 *   - above the innermost level that the process knows, -1 means that the machine has no such
 *     objects: all processes share one, and the level has no effect;
 *   - below it, the process may move, so it shares no object with any other: it gets one of its
 *     own, and its path parts from others at the innermost object that it does know.
 * Then levels that do not branch are dropped. The distance at a remaining level is that of the
 * innermost object among it and those dropped below it: with one L3 per package, two processes of a
 * package are as far apart as two processes that share an L3.
 */
#include "treematch/model/objects.h"

#include <stdio.h>

/* Columns of a path after the switches: the node, the place levels, the process. */
enum { NODE = 0, PROCESS = TMAP_PLACE_LEVELS + 1, COLUMNS = TMAP_PLACE_LEVELS + 2 };
enum { MOST_COLUMNS = TMAP_SWITCH_LEVELS + COLUMNS };

static const char *const place_names[TMAP_PLACE_LEVELS] = {"package", "numa", "l3",
                                                           "l2",      "core", "pu"};

const char *tmap_place_level_name(enum tmap_place_level level)
{
    int number = (int)level;
    return number >= 0 && number < TMAP_PLACE_LEVELS ? place_names[number] : "unknown";
}

static int count_columns(const struct tmap_job *job)
{
    return job->switch_levels + COLUMNS;
}

/* The kind of object in a column. */
static const char *column_name(const struct tmap_job *job, int column)
{
    column -= job->switch_levels;
    if (column < NODE)
        return "switch";
    if (column == NODE)
        return "node";
    if (column == PROCESS)
        return job->leaf_name ? job->leaf_name : "process";
    return place_names[column - NODE - 1];
}

/* The distance of processes whose paths part below the object in a column; column -1: the
 * machine. */
static double cost_below(const struct tmap_job *job, int column)
{
    if (column < 0)
        return tmap_level_default_cost("machine");
    if (column < job->switch_levels)
        return tmap_switch_cost(column, job->switch_levels);
    return tmap_level_default_cost(column_name(job, column));
}

/* Open hash table: node number -> the first process on it. `table` has mask + 1 entries, -1 if
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

/* The switches and the node of each process; a node is named by its first process. */
static enum tmap_status path_nodes(int32_t *path, const struct tmap_job *job)
{
    uint32_t size = 2;
    size_t width = (size_t)count_columns(job), switches = (size_t)job->switch_levels;
    while (size / 2 < (uint32_t)job->processes)
        size *= 2;
    int32_t *table = tmap_new(size, sizeof *table);
    if (!table)
        return TMAP_ENOMEM;
    memset(table, 0xff, sizeof *table * size);
    for (int32_t p = 0; p < job->processes; p++, path += width) {
        if (switches)
            memcpy(path, job->switches + (size_t)job->node_of[p] * switches,
                   switches * sizeof *path);
        path[switches + NODE] = first_on_node(table, size - 1, job->node_of, p);
    }
    free(table);
    return TMAP_OK;
}

/* The part of a path after the node. */
static void path_places(int32_t *path, const struct tmap_place *place, int32_t process)
{
    int known = TMAP_PLACE_LEVELS - 1;
    while (known >= 0 && place->at[known] < 0)
        known--;
    for (int l = 0; l < TMAP_PLACE_LEVELS; l++) {
        if (l > known) /* a number that no real object has */
            path[l] = INT32_MIN + process;
        else
            path[l] = place->at[l] < 0 ? -1 : place->at[l];
    }
    path[TMAP_PLACE_LEVELS] = process;
}

/* A level is real if some process knows its object there. */
static void find_real_columns(const struct tmap_job *job, int *real)
{
    for (int c = 0; c < count_columns(job); c++) {
        int level = c - job->switch_levels - NODE - 1;
        real[c] = level < 0 || level >= TMAP_PLACE_LEVELS;
        for (int32_t p = 0; !real[c] && p < job->processes; p++)
            real[c] = job->places[p].at[level] >= 0;
    }
}

/* A column that is kept. */
struct column {
    int number;    /* from the root */
    int branching; /* the first of those left out in favor of it, or itself */
};

/*
 * Choose the columns that branch: kept[] and levels[] (name, cost); returns how many. `full` is the
 * tree of all columns. A column that divides no further than the nodes is left out in favor of the
 * nodes, and one that divides as far as the processes in favor of these, unless it is the nodes.
 */
static int choose_levels(const struct tmap_tree *full, const struct tmap_job *job, const int *real,
                         struct column *kept, struct tmap_level *levels)
{
    int count = 0, parent = -1, node = job->switch_levels + NODE, process = count_columns(job) - 1;
    int32_t objects = 1, nodes = full->count[node + 1], processes = full->count[process + 1];
    for (int c = 0; c <= process; c++) {
        int32_t below = full->count[c + 1];
        if (below == objects) {
            if (c != process && real[c])
                parent = c;
            continue;
        }
        kept[count].branching = c;
        if (c < node && below == nodes)
            c = node;
        else if (c > node && below == processes)
            c = process;
        kept[count].number = c;
        snprintf(levels[count].name, TMAP_NAME_SIZE, "%s", column_name(job, c));
        levels[count++].cost = cost_below(job, parent);
        parent = c;
        objects = below;
    }
    if (count == 0) {
        kept[0] = (struct column){process, process};
        snprintf(levels[0].name, TMAP_NAME_SIZE, "%s", column_name(job, process));
        levels[count++].cost = cost_below(job, parent);
    }
    tmap_levels_raise_costs(levels, count);
    return count;
}

/* Keep `count` of `width` columns of the paths, in place. */
static void keep_columns(int32_t *path, int width, int32_t processes, const struct column *kept,
                         int count)
{
    for (int32_t p = 0; p < processes; p++) {
        for (int l = 0; l < count; l++)
            path[(size_t)p * (size_t)count + (size_t)l] =
                path[(size_t)p * (size_t)width + (size_t)kept[l].number];
    }
}

/* The shape of the switches in a column, whose numbers are then positions. */
static const struct tmap_shape *column_shape(const struct tmap_job *job, int column)
{
    return job->shapes && column < job->switch_levels ? job->shapes[column] : NULL;
}

/* Give level `level`, at which column `column` branches, its shape. *tree is replaced. */
static enum tmap_status add_shape(struct tmap_tree **tree, const struct tmap_job *job, int level,
                                  int column, const int32_t *slot_of, struct tmap_error *error)
{
    struct tmap_tree *shaped;
    int32_t *position = tmap_new((size_t)tmap_tree_objects(*tree, level + 1), sizeof *position);
    if (!position)
        return tmap_fail_memory(error);
    for (int32_t p = 0; p < job->processes; p++)
        position[tmap_tree_ancestor(*tree, slot_of[p], level + 1)] =
            job->switches[(size_t)job->node_of[p] * (size_t)job->switch_levels + (size_t)column];
    enum tmap_status status = tmap_tree_copy_with_shape(&shaped, *tree, level,
                                                        column_shape(job, column), position, error);
    free(position);
    if (status != TMAP_OK)
        return status;
    tmap_tree_destroy(*tree);
    *tree = shaped;
    return TMAP_OK;
}

static enum tmap_status add_shapes(struct tmap_tree **tree, const struct tmap_job *job,
                                   const struct column *kept, const int32_t *slot_of,
                                   struct tmap_error *error)
{
    enum tmap_status status = TMAP_OK;
    for (int l = 0; l < tmap_tree_depth(*tree) && status == TMAP_OK; l++)
        if (column_shape(job, kept[l].branching))
            status = add_shape(tree, job, l, kept[l].branching, slot_of, error);
    return status;
}

static enum tmap_status from_paths(struct tmap_tree **tree, const struct tmap_job *job,
                                   int32_t *path, int32_t *slot_of_process,
                                   struct tmap_error *error)
{
    struct tmap_level levels[MOST_COLUMNS] = {0};
    int real[MOST_COLUMNS];
    struct column kept[MOST_COLUMNS];
    struct tmap_tree *full = NULL;
    enum tmap_status status = tmap_tree_create_from_paths(&full, job->processes, count_columns(job),
                                                          path, NULL, NULL, NULL, error);
    if (status != TMAP_OK)
        return status;
    find_real_columns(job, real);
    int count = choose_levels(full, job, real, kept, levels);
    tmap_tree_destroy(full);
    full = NULL;
    keep_columns(path, count_columns(job), job->processes, kept, count);
    status = tmap_tree_create_from_paths(&full, job->processes, count, path, NULL, levels,
                                         slot_of_process, error);
    if (status == TMAP_OK && job->shapes)
        status = add_shapes(&full, job, kept, slot_of_process, error);
    if (status == TMAP_OK)
        *tree = full;
    else
        tmap_tree_destroy(full);
    return status;
}

static enum tmap_status check_job(const struct tmap_job *job, struct tmap_error *error)
{
    if (job->reserved != 0)
        return tmap_fail(error, TMAP_ENOTSUP, "a reserved word of tmap_job is not 0");
    if (job->processes < 1)
        return tmap_fail(error, TMAP_EINVAL, "a job of %ld processes", (long)job->processes);
    if (job->switch_levels < 0 || job->switch_levels > TMAP_SWITCH_LEVELS)
        return tmap_fail(error, TMAP_EINVAL, "%d levels of switches (0 .. %d are possible)",
                         job->switch_levels, TMAP_SWITCH_LEVELS);
    for (int32_t p = 0; job->switch_levels && p < job->processes; p++)
        if (job->node_of[p] < 0 || job->node_of[p] >= job->nodes)
            return tmap_fail(error, TMAP_EINVAL, "process %ld is on node %ld of %ld", (long)p,
                             (long)job->node_of[p], (long)job->nodes);
    return TMAP_OK;
}

static enum tmap_status create_from_job(struct tmap_tree **tree, const struct tmap_job *job,
                                        int32_t *slot_of_process, struct tmap_error *error)
{
    enum tmap_status status = check_job(job, error);
    if (status != TMAP_OK)
        return status;
    size_t width = (size_t)count_columns(job), behind = (size_t)job->switch_levels + NODE + 1;
    int32_t *path = tmap_new((size_t)job->processes, width * sizeof *path);
    if (!path || path_nodes(path, job)) {
        free(path);
        return tmap_fail_memory(error);
    }
    for (int32_t p = 0; p < job->processes; p++)
        path_places(path + (size_t)p * width + behind, &job->places[p], p);
    status = from_paths(tree, job, path, slot_of_process, error);
    free(path);
    return status;
}

/* The first version of the struct ended with this member. */
enum { LEAST_JOB = offsetof(struct tmap_job, reserved) + sizeof(int32_t) };

enum tmap_status tmap_tree_create_from_job(struct tmap_tree **tree, const struct tmap_job *job,
                                           int32_t *slot_of_process, struct tmap_error *error)
{
    struct tmap_job known = {.size = sizeof known};
    enum tmap_status status =
        tmap_struct_read(&known, sizeof known, LEAST_JOB, job, "tmap_job", error);
    return status == TMAP_OK ? create_from_job(tree, &known, slot_of_process, error) : status;
}

enum tmap_status tmap_tree_create_from_places(struct tmap_tree **tree, int32_t processes,
                                              const int32_t *node_of,
                                              const struct tmap_place *places,
                                              int32_t *slot_of_process, struct tmap_error *error)
{
    const struct tmap_job job = {.processes = processes, .node_of = node_of, .places = places};
    return create_from_job(tree, &job, slot_of_process, error);
}
