/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * contention.c - the method `contention` (Zarrinchian, Soryani and Analoui 2012, section 3 and
 * figure 1): jobs that need the network cards are spread over them, all others are packed.
 *
 * Jobs are mapped one after the other: those with large messages first (1 MB or more), then medium
 * ones (2 KB or more), then small ones; among these by falling average number of neighbors. A job
 * whose neighborhoods do not fit into a node gets a threshold (contention_threshold), the number of
 * its processes on a node. Its process with the highest demand, the bytes a second that it sends,
 * goes to the node with most free cores, followed by its neighbors by the demand between them.
 *
 * The paper leaves some points open, which are read as follows (doc/design/0013-contention.md has
 * the other readings, and the figures that they give):
 *   - classes are half-open; the longest message of a profile is the longest average of a pair;
 *   - free cores are averaged over all nodes; ties go to the lower rank and the lower node;
 *   - a threshold that leaves no room for all processes is raised by one until they fit;
 *   - when the node is full, or has as many as it may have, the next one follows, in order; behind
 *     the last neighbor comes the process with the highest demand that is left, in the same node;
 *   - in a node the processes fill one package after the other, the emptiest first.
 *
 * Example: 64 processes, all to all, on 16 empty nodes of 16 cores: Adj_avg 63 > 15, so there is a
 * threshold, floor(64 / 16) = 4: nodes 0, 1, 2... get four each, in a package each. 24: 1, which is
 * room for 16; raised to 2.
 *
 * Time: O(pairs log pairs + ranks log ranks + ranks x nodes) a job.
 */
#include "simulate/contention.h"

#include <stdlib.h>

static const uint64_t contention_large = 1024 * 1024, contention_medium = 2 * 1024;

/* The demand between rank `from` and rank `to`: either way. */
struct contention_edge {
    int32_t from, to;
    double demand; /* bytes a second both ways */
};

struct contention_rank {
    int32_t rank;
    double demand;
};

struct contention_order {
    size_t job;
    int class; /* 0: large */
    double adjacency;
};

/* A job on its way to its cores. */
struct contention_job {
    const struct reseat_job *job;
    struct free_cores *cores;
    struct contention_edge *edges; /* by from, then falling demand */
    size_t *first_edge;            /* by rank, and one more */
    struct contention_rank *ranks; /* by falling demand */
    int32_t *core_of;              /* by rank; -1: not mapped yet */
    int32_t *in_node;              /* by node: processes of this job */
    int32_t threshold;             /* 0: none */
    int32_t node, package;         /* where the last one went; node -1: nowhere yet */
};

/* ---- what a job is like ---- */

/* The demand of a flow: bytes a second; of a profile without a duration, bytes. */
static double contention_demand(const struct reseat_flow *flow)
{
    return (double)flow->length * (flow->rate > 0 ? flow->rate : (double)flow->messages);
}

static int contention_compare_edges(const void *a, const void *b)
{
    const struct contention_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static int contention_compare_demands(const void *a, const void *b)
{
    const struct contention_edge *x = a, *y = b;
    if (x->from == y->from && x->demand != y->demand)
        return x->demand > y->demand ? -1 : 1;
    return contention_compare_edges(a, b);
}

/* Each pair of ranks that communicate, twice, by from and to. Allocated; NULL: out of memory. */
static struct contention_edge *contention_edges(const struct reseat_job *job, size_t *count)
{
    struct contention_edge *edges = malloc((2 * job->count + 1) * sizeof *edges);
    size_t kept = 0;
    if (!edges)
        return NULL;
    for (size_t f = 0; f < job->count; f++) {
        const struct reseat_flow *flow = &job->flows[f];
        double demand = contention_demand(flow);
        edges[2 * f] = (struct contention_edge){flow->source, flow->target, demand};
        edges[2 * f + 1] = (struct contention_edge){flow->target, flow->source, demand};
    }
    qsort(edges, 2 * job->count, sizeof *edges, contention_compare_edges);
    for (size_t e = 0; e < 2 * job->count; e++)
        if (kept > 0 && contention_compare_edges(&edges[kept - 1], &edges[e]) == 0)
            edges[kept - 1].demand += edges[e].demand;
        else
            edges[kept++] = edges[e];
    *count = kept;
    return edges;
}

int32_t contention_threshold(const struct reseat_job *job, int32_t nodes, double free_cores,
                             double *adjacency)
{
    size_t count, most = 0, row = 0;
    struct contention_edge *edges = contention_edges(job, &count);
    if (!edges)
        return -1;
    for (size_t e = 0; e < count; e++) {
        row = e > 0 && edges[e].from == edges[e - 1].from ? row + 1 : 1;
        most = row > most ? row : most;
    }
    free(edges);
    double average = job->ranks ? (double)count / job->ranks : 0;
    if (adjacency)
        *adjacency = average;
    if (average <= free_cores - 1 || most == 0)
        return 0;
    int32_t threshold = (int32_t)((uint64_t)count / most / (uint64_t)nodes);
    return threshold > 0 ? threshold : 1;
}

/* ---- the order of the jobs ---- */

static int contention_class(const struct reseat_job *job)
{
    uint64_t longest = 0;
    for (size_t f = 0; f < job->count; f++)
        if (job->flows[f].length > longest)
            longest = job->flows[f].length;
    return longest >= contention_large ? 0 : longest >= contention_medium ? 1 : 2;
}

static int contention_compare_jobs(const void *a, const void *b)
{
    const struct contention_order *x = a, *y = b;
    if (x->class != y->class)
        return x->class - y->class;
    if (x->adjacency != y->adjacency)
        return x->adjacency > y->adjacency ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

/* Allocated; NULL: out of memory. */
static struct contention_order *contention_sort_jobs(const struct reseat_workload *workload)
{
    struct contention_order *order = malloc((workload->count + 1) * sizeof *order);
    for (size_t j = 0; order && j < workload->count; j++) {
        order[j] = (struct contention_order){j, contention_class(&workload->jobs[j]), 0};
        if (contention_threshold(&workload->jobs[j], 1, 0, &order[j].adjacency) < 0) {
            free(order);
            return NULL;
        }
    }
    if (order)
        qsort(order, workload->count, sizeof *order, contention_compare_jobs);
    return order;
}

/* ---- one job ---- */

static int contention_compare_ranks(const void *a, const void *b)
{
    const struct contention_rank *x = a, *y = b;
    if (x->demand != y->demand)
        return x->demand > y->demand ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Number of its processes that a node can take now. */
static int32_t contention_room(const struct contention_job *c, int32_t node)
{
    int32_t room = c->cores->in_node[node], left = c->threshold - c->in_node[node];
    return c->threshold && left < room ? left : room;
}

/* Raise the threshold until all processes fit. */
static void contention_make_room(struct contention_job *c)
{
    int64_t room = 0;
    while (c->threshold && room < c->job->ranks) {
        room = 0;
        for (int32_t node = 0; node < c->cores->rates->nodes; node++)
            room += contention_room(c, node);
        c->threshold += room < c->job->ranks;
    }
}

/* The node for the next process, and its package. */
static void contention_select(struct contention_job *c)
{
    int32_t nodes = c->cores->rates->nodes;
    if (c->node >= 0 && contention_room(c, c->node) > 0) {
        if (c->cores->in_package[c->package] == 0)
            c->package = free_cores_emptiest_package(c->cores, c->node);
        return;
    }
    if (c->node < 0)
        c->node = free_cores_emptiest_node(c->cores);
    while (contention_room(c, c->node) <= 0)
        c->node = (c->node + 1) % nodes;
    c->package = free_cores_emptiest_package(c->cores, c->node);
}

static void contention_place(struct contention_job *c, int32_t rank)
{
    if (c->core_of[rank] >= 0)
        return;
    contention_select(c);
    c->core_of[rank] = free_cores_take(c->cores, c->package);
    c->in_node[c->node]++;
}

/* The tables of a job. 0, or -1: out of memory. */
static int contention_prepare(struct contention_job *c)
{
    size_t count, ranks = (size_t)c->job->ranks;
    c->edges = contention_edges(c->job, &count);
    c->first_edge = calloc(ranks + 2, sizeof *c->first_edge);
    c->ranks = malloc((ranks + 1) * sizeof *c->ranks);
    c->in_node = calloc((size_t)c->cores->rates->nodes, sizeof *c->in_node);
    if (!c->edges || !c->first_edge || !c->ranks || !c->in_node)
        return -1;
    qsort(c->edges, count, sizeof *c->edges, contention_compare_demands);
    for (size_t e = 0; e < count; e++)
        c->first_edge[c->edges[e].from + 1]++;
    for (size_t rank = 0; rank < ranks; rank++) {
        c->first_edge[rank + 1] += c->first_edge[rank];
        c->ranks[rank] = (struct contention_rank){(int32_t)rank, 0};
        c->core_of[rank] = -1;
    }
    for (size_t f = 0; f < c->job->count; f++)
        c->ranks[c->job->flows[f].source].demand += contention_demand(&c->job->flows[f]);
    qsort(c->ranks, ranks, sizeof *c->ranks, contention_compare_ranks);
    return 0;
}

static int contention_map_job(const struct reseat_job *job, struct free_cores *cores,
                              int32_t *core_of)
{
    struct contention_job c = {.job = job, .cores = cores, .core_of = core_of, .node = -1};
    int32_t nodes = cores->rates->nodes;
    int rc = contention_prepare(&c);
    c.threshold = rc ? -1 : contention_threshold(job, nodes, (double)cores->all / nodes, NULL);
    if (c.threshold >= 0) {
        contention_make_room(&c);
        for (int32_t r = 0; r < job->ranks; r++) {
            int32_t rank = c.ranks[r].rank;
            contention_place(&c, rank);
            for (size_t e = c.first_edge[rank]; e < c.first_edge[rank + 1]; e++)
                contention_place(&c, c.edges[e].to);
        }
    }
    free(c.edges);
    free(c.first_edge);
    free(c.ranks);
    free(c.in_node);
    return c.threshold >= 0 ? 0 : -1;
}

int contention_map(const struct reseat_workload *workload, struct free_cores *cores,
                   int32_t *core_of)
{
    struct contention_order *order = contention_sort_jobs(workload);
    int rc = order ? 0 : -1;
    for (size_t i = 0; rc == 0 && i < workload->count; i++) {
        const struct reseat_job *job = &workload->jobs[order[i].job];
        rc = contention_map_job(job, cores, core_of + job->first);
    }
    free(order);
    return rc;
}
