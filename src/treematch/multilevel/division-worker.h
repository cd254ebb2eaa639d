/* SPDX-License-Identifier: BSD-3-Clause */
/* division-worker.h - what the parts of a division share: tasks, and one thread of it. */
#ifndef TMAP_DIVISION_WORKER_H
#define TMAP_DIVISION_WORKER_H

#include "treematch/multilevel/division.h"

/* The roles order[begin] .. order[end - 1] go to the objects first .. last-1 of `level`, which are
 * siblings. */
struct tmap_task {
    int level;
    int32_t first, last, begin, end;
    const int32_t *parts; /* parts[i] .. parts[i + 1]: the roles of object first + i; NULL: they are
                             not dealt out yet */
};

/* One thread of a division: what it does not share with the others. */
struct tmap_worker {
    const struct tmap_division *shared;
    const struct tmap_matrix *matrix;
    const struct tmap_tree *tree;
    struct tmap_arena arena;
    int32_t *local;   /* by role: index in the present graph, -1: not in it */
    int32_t *part_of; /* by role: interconnect-division.c; NULL before it is needed */
    int threads;      /* that it may use, including itself */
    uint64_t attempt; /* of wide-division.c; another one has other random numbers */
};

/* The pull of roles outside of a task towards its halves: `find` fills pull[i] for order[begin +
 * i], as struct tmap_graph has it. half[0] has the roles of both. */
struct tmap_pulls {
    void (*find)(void *context, const struct tmap_task half[2], int64_t *pull);
    void *context;
};

/* Divide the roles of a task between its objects before and after `middle`; `pulls` may be NULL. */
enum tmap_status tmap_worker_split(struct tmap_worker *worker, const struct tmap_task *task,
                                   int32_t middle, const struct tmap_pulls *pulls,
                                   struct tmap_task half[2]);

/* Do a task and all that it leaves. */
enum tmap_status tmap_worker_divide(struct tmap_worker *worker, struct tmap_task task);

/* The same for a task of several objects that a network connects. interconnect-division.c */
enum tmap_status tmap_worker_divide_interconnect(struct tmap_worker *worker,
                                                 const struct tmap_task *task);

/* The graph of `count` roles, in the worker's arena. */
enum tmap_status tmap_worker_graph(struct tmap_worker *worker, const int32_t *role, int32_t count,
                                   struct tmap_graph *graph);

/* The random seed of a task: tasks differ in where their objects or their roles begin. */
uint64_t tmap_worker_seed(const struct tmap_worker *worker, const struct tmap_task *task);

/* Returns 1 for the first division of a machine whose costs fall fast, if it has so few parts that
 * all depends on a few cuts. */
int tmap_worker_is_decisive(const struct tmap_worker *worker, const struct tmap_task *task);

/* The capacity of the objects first .. last - 1. */
int64_t tmap_worker_units(const struct tmap_worker *worker, int level, int32_t first, int32_t last);

/* Returns 1 if the task has all children of an object, more than two, and tmap_worker_divide_wide
 * is worth its time. wide-division.c */
int tmap_worker_is_wide(const struct tmap_worker *worker, const struct tmap_task *task);

/* Deal out the roles of a task; *parts is as in struct tmap_task, and lives as long as the worker.
 * wide-division.c */
enum tmap_status tmap_worker_divide_wide(struct tmap_worker *worker, const struct tmap_task *task,
                                         const int32_t **parts);

#endif
