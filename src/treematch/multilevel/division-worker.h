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

#endif
