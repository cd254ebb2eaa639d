/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interconnect-division.c - divide roles among objects that a network connects.
 *
 * As in a tree, a range of objects is halved and the roles with it (compact.h puts the objects in
 * an order in which that gives compact parts). But now it matters which half gets which roles:
 * those with partners in other parts should be on the side that is nearer to them. So parts are
 * halved breadth first, all of one size before the smaller ones, and each vertex of a bisection is
 * pulled to one side by its partners outside, in proportion to how much nearer to them that side
 * is, with the parts where they are now. (Dunlop and Kernighan 1985 call it terminal propagation;
 * Pellegrini and Roman 1996 map to graphs in this way.) At the end each part is one object, and the
 * rest of the division goes on below it.
 *
 * Example: a ring of 8 roles on a ring of 8 nodes. {0,1,2,3} is one half. When it is halved again,
 * into {0,1} and {2,3}, 0 is pulled towards 7 and 3 towards 4, but both are in the same part, so
 * either order is right. When {4,5,6,7} is halved, {4,5} comes next to {2,3}.
 */
#include "treematch/model/interconnect.h"
#include "treematch/multilevel/compact.h"
#include "treematch/multilevel/division-worker.h"

/* The distance of two parts is the mean between some objects of each. */
enum { DISTANCE_SAMPLES = 4 };

struct interconnect_division {
    struct tmap_worker *worker;
    const struct tmap_interconnect *interconnect;
    const int32_t *position; /* by object */
    struct tmap_task *part;  /* those before `first` have been halved or are single objects */
    int32_t first, count;
    double *towards; /* by part: how much nearer half 0 is than half 1; see find_pulls */
    int32_t *known;  /* by part: the halved part for which `towards` is known, + 1 */
};

static int32_t division_sample(const struct interconnect_division *n, const struct tmap_task *part,
                               int32_t i, int32_t samples)
{
    int64_t size = part->last - part->first;
    return n->position[part->first + (2 * i + 1) * size / (2 * samples)];
}

static double mean_length(const struct interconnect_division *n, const struct tmap_task *a,
                          const struct tmap_task *b)
{
    int32_t in_a = a->last - a->first < DISTANCE_SAMPLES ? a->last - a->first : DISTANCE_SAMPLES;
    int32_t in_b = b->last - b->first < DISTANCE_SAMPLES ? b->last - b->first : DISTANCE_SAMPLES;
    double sum = 0;
    for (int32_t i = 0; i < in_a; i++)
        for (int32_t j = 0; j < in_b; j++)
            sum += tmap_interconnect_path(n->interconnect, division_sample(n, a, i, in_a),
                                          division_sample(n, b, j, in_b), NULL);
    return sum / (in_a * in_b);
}

/* The difference of the distances from a part to both halves, as a share of the distance between
 * the halves, -1 .. 1: that is what a cut edge costs. */
static double find_towards(struct interconnect_division *n, int32_t part,
                           const struct tmap_task half[2], double between)
{
    if (n->known[part] == n->first + 1)
        return n->towards[part];
    double nearer =
        (mean_length(n, &n->part[part], &half[1]) - mean_length(n, &n->part[part], &half[0])) /
        between;
    n->known[part] = n->first + 1;
    n->towards[part] = nearer > 1 ? 1 : (nearer < -1 ? -1 : nearer);
    return n->towards[part];
}

static void find_pulls(void *context, const struct tmap_task half[2], int64_t *pull)
{
    struct interconnect_division *n = context;
    const struct tmap_worker *worker = n->worker;
    const int32_t *order = worker->shared->order + half[0].begin;
    double between = mean_length(n, &half[0], &half[1]);
    for (int32_t i = 0; i < half[0].end - half[0].begin; i++) {
        struct tmap_row row = tmap_row_of(worker->matrix, order[i]);
        double sum = 0;
        for (size_t e = 0; e < row.count; e++) {
            int32_t part = worker->part_of[row.partner[e]];
            if (part >= 0 && part != n->first)
                sum += (double)row.weight[e] * find_towards(n, part, half, between);
        }
        pull[i] = (int64_t)sum;
    }
}

static void add_part(struct interconnect_division *n, const struct tmap_task *part)
{
    const struct tmap_worker *worker = n->worker;
    for (int32_t i = part->begin; i < part->end; i++)
        worker->part_of[worker->shared->order[i]] = n->count;
    n->part[n->count++] = *part;
}

static enum tmap_status halve_parts(struct interconnect_division *n)
{
    const struct tmap_pulls pulls = {find_pulls, n};
    const struct tmap_compact *compact = n->worker->shared->compact;
    enum tmap_status status = TMAP_OK;
    for (; n->first < n->count && status == TMAP_OK; n->first++) {
        const struct tmap_task *part = &n->part[n->first];
        struct tmap_task half[2];
        if (part->last - part->first == 1 || part->begin == part->end)
            continue;
        int32_t middle = tmap_compact_middle(compact, part->level, part->first, part->last);
        status = tmap_worker_split(n->worker, part, middle, &pulls, half);
        for (int i = 0; i < 2 && status == TMAP_OK; i++)
            add_part(n, &half[i]);
    }
    return status;
}

static enum tmap_status divide_below(struct interconnect_division *n, const struct tmap_task *task)
{
    enum tmap_status status = TMAP_OK;
    for (int32_t i = task->begin; i < task->end; i++)
        n->worker->part_of[n->worker->shared->order[i]] = -1;
    for (int32_t p = 0; p < n->count && status == TMAP_OK; p++)
        if (n->part[p].last - n->part[p].first == 1)
            status = tmap_worker_divide(n->worker, n->part[p]);
    return status;
}

static enum tmap_status need_part_of(struct tmap_worker *worker)
{
    size_t bytes = sizeof *worker->part_of * (size_t)worker->matrix->roles;
    if (worker->part_of)
        return TMAP_OK;
    worker->part_of = tmap_new(bytes, 1);
    if (!worker->part_of)
        return TMAP_ENOMEM;
    memset(worker->part_of, 0xff, bytes);
    return TMAP_OK;
}

enum tmap_status tmap_worker_divide_interconnect(struct tmap_worker *worker,
                                                 const struct tmap_task *task)
{
    size_t parts = 2 * (size_t)(task->last - task->first);
    struct interconnect_division n = {.worker = worker};
    enum tmap_status status = TMAP_ENOMEM;
    n.interconnect = worker->tree->interconnect[task->level - 1];
    n.position = worker->tree->position[task->level - 1];
    n.part = tmap_new(parts, sizeof *n.part);
    n.towards = tmap_new(parts, sizeof *n.towards);
    n.known = tmap_new_zero(parts, sizeof *n.known);
    if (n.part && n.towards && n.known && need_part_of(worker) == TMAP_OK) {
        add_part(&n, task);
        status = halve_parts(&n);
    }
    if (status == TMAP_OK)
        status = divide_below(&n, task);
    free(n.part);
    free(n.towards);
    free(n.known);
    return status;
}
