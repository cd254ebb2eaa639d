/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workload-map.c - see workload-map.h. blocked fills node after node and core after core; cyclic
 * deals the ranks of each job out to the nodes, beginning at the first one; drb (dual recursive
 * bipartitioning) divides the graph of a job, weighted by bytes, and the cores that blocked gives
 * it in two until there is one of each; multilevel is the default method of libtmap, for all jobs
 * as one graph and all cores, with its default costs.
 */
#include "simulate/workload-map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/contention.h"
#include "simulate/exchanges.h"
#include "simulate/free-cores.h"

/* The input of a method. */
struct workload_problem {
    const struct reseat_workload *workload;
    const struct reseat_rates *rates;
    const struct simulate_options *options;
    struct free_cores cores;
};

/* Jobs that follow each other, and the tree that they are mapped to. */
struct workload_part {
    const struct reseat_job *jobs;
    size_t count;
    struct tmap_tree *tree;
    const unsigned char *closed; /* by slot; NULL: all are open */
};

/* 0, or -1 with *error. */
typedef int workload_method(struct workload_problem *problem, int32_t *core_of,
                            struct reseat_error *error);

static int workload_map_blocked(struct workload_problem *problem, int32_t *core_of,
                                struct reseat_error *error)
{
    struct free_cores *cores = &problem->cores;
    int32_t node = 0;
    (void)error;
    for (int32_t rank = 0; rank < problem->workload->ranks; rank++) {
        while (cores->in_node[node] == 0)
            node++;
        core_of[rank] = free_cores_take_first(cores, node);
    }
    return 0;
}

static int workload_map_cyclic(struct workload_problem *problem, int32_t *core_of,
                               struct reseat_error *error)
{
    struct free_cores *cores = &problem->cores;
    (void)error;
    for (size_t j = 0; j < problem->workload->count; j++) {
        const struct reseat_job *job = &problem->workload->jobs[j];
        int32_t node = 0;
        for (int32_t rank = job->first; rank < job->first + job->ranks; rank++) {
            while (cores->in_node[node] == 0)
                node = (node + 1) % problem->rates->nodes;
            core_of[rank] = free_cores_take_first(cores, node);
            node = (node + 1) % problem->rates->nodes;
        }
    }
    return 0;
}

static int workload_map_contention(struct workload_problem *problem, int32_t *core_of,
                                   struct reseat_error *error)
{
    return contention_map(problem->workload, &problem->cores, core_of)
               ? reseat_fail(error, "out of memory")
               : 0;
}

/* ---- by libtmap ---- */

/* The bytes between each pair of ranks of some jobs, whose first rank is number 0. 0, or -1 with
 * *error. */
static int workload_matrix(const struct reseat_job *jobs, size_t jobs_count,
                           struct tmap_matrix **matrix, struct reseat_error *error)
{
    const struct reseat_job *last = &jobs[jobs_count - 1];
    struct tmap_error why;
    size_t count = 0;
    for (size_t j = 0; j < jobs_count; j++)
        count += jobs[j].count;
    struct tmap_entry *entries = malloc((count + 1) * sizeof *entries);
    if (!entries)
        return reseat_fail(error, "out of memory");
    count = 0;
    for (size_t j = 0; j < jobs_count; j++)
        for (size_t f = 0; f < jobs[j].count; f++) {
            const struct reseat_flow *flow = &jobs[j].flows[f];
            int32_t first = jobs[j].first - jobs[0].first;
            entries[count++] = (struct tmap_entry){first + flow->source, first + flow->target,
                                                   reseat_flow_bytes(flow)};
        }
    int32_t ranks = last->first + last->ranks - jobs[0].first;
    int rc = tmap_matrix_create(matrix, ranks, entries, count, &why) ? -1 : 0;
    free(entries);
    return rc ? reseat_fail(error, "%s", why.text) : 0;
}

/* Map some jobs by a method of libtmap to a tree: slot_of[rank]. 0, or -1 with *error. */
static int workload_map_to_tree(const struct workload_problem *problem,
                                const struct workload_part *part, const char *method,
                                int32_t *slot_of, struct reseat_error *error)
{
    struct tmap_matrix *matrix = NULL;
    struct tmap_options options;
    struct tmap_error why;
    tmap_options_init(&options, sizeof options);
    options.method = method;
    options.seed = problem->options->queueing.seed;
    options.closed = part->closed;
    if (workload_matrix(part->jobs, part->count, &matrix, error))
        return -1;
    int rc = tmap_mapping_find(matrix, part->tree, &options, slot_of, &why)
                 ? reseat_fail(error, "%s", why.text)
                 : 0;
    tmap_matrix_destroy(matrix);
    return rc;
}

/* The prime factors of a number, from the largest place down; the machine's have at most 20
 * each. */
static int workload_add_factors(int32_t *arity, int count, int32_t number)
{
    for (int32_t factor = 2; number > 1; factor++)
        for (; number % factor == 0; number /= factor)
            arity[count++] = factor;
    return count;
}

/* A tree of `count` cores, in ascending order, which divides nodes, packages and cores by their
 * prime factors: halves where these are even. 0, or -1 with *error. */
static int workload_divided_tree(const struct reseat_rates *rates, const int32_t *cores,
                                 int32_t count, struct tmap_tree **tree, struct reseat_error *error)
{
    int32_t arity[64];
    struct tmap_error why;
    int depth = workload_add_factors(arity, 0, rates->nodes);
    depth = workload_add_factors(arity, depth, rates->packages);
    depth = workload_add_factors(arity, depth, rates->cores);
    if (depth == 0)
        arity[depth++] = 1;
    int32_t *path = malloc(sizeof *path * (size_t)count * (size_t)depth);
    if (!path)
        return reseat_fail(error, "out of memory");
    for (int32_t c = 0; c < count; c++) {
        int32_t core = cores[c];
        for (int l = depth; l-- > 0; core /= arity[l])
            path[c * depth + l] = core % arity[l];
    }
    int rc = tmap_tree_create_from_paths(tree, count, depth, path, NULL, NULL, NULL, &why)
                 ? reseat_fail(error, "%s", why.text)
                 : 0;
    free(path);
    return rc;
}

/* Divide a job among the cores that blocked gave it, which core_of has. 0, or -1 with *error. */
static int workload_divide_job(const struct workload_problem *problem, const struct reseat_job *job,
                               int32_t *core_of, struct reseat_error *error)
{
    struct workload_part part = {.jobs = job, .count = 1};
    int32_t *slot_of = malloc(sizeof *slot_of * ((size_t)job->ranks + 1));
    int rc = slot_of ? workload_divided_tree(problem->rates, core_of, job->ranks, &part.tree, error)
                     : reseat_fail(error, "out of memory");
    if (rc == 0)
        rc = workload_map_to_tree(problem, &part, "recursive", slot_of, error);
    for (int32_t r = 0; rc == 0 && r < job->ranks; r++)
        slot_of[r] = core_of[slot_of[r]];
    if (rc == 0)
        memcpy(core_of, slot_of, sizeof *core_of * (size_t)job->ranks);
    tmap_tree_destroy(part.tree);
    free(slot_of);
    return rc;
}

static int workload_map_drb(struct workload_problem *problem, int32_t *core_of,
                            struct reseat_error *error)
{
    int rc = workload_map_blocked(problem, core_of, error);
    for (size_t j = 0; rc == 0 && j < problem->workload->count; j++) {
        const struct reseat_job *job = &problem->workload->jobs[j];
        rc = workload_divide_job(problem, job, core_of + job->first, error);
    }
    return rc;
}

static int workload_map_multilevel(struct workload_problem *problem, int32_t *core_of,
                                   struct reseat_error *error)
{
    const struct reseat_workload *workload = problem->workload;
    struct workload_part part = {.jobs = workload->jobs,
                                 .count = workload->count,
                                 .closed = workload->taken_nodes ? problem->cores.is_taken : NULL};
    struct tmap_error why;
    char text[128];
    snprintf(text, sizeof text, "node:%d package:%d core:%d", (int)problem->rates->nodes,
             (int)problem->rates->packages, (int)problem->rates->cores);
    int rc = tmap_tree_parse(&part.tree, text, &why) ? reseat_fail(error, "%s", why.text) : 0;
    if (rc == 0)
        rc = workload_map_to_tree(problem, &part, "multilevel", core_of, error);
    tmap_tree_destroy(part.tree);
    return rc;
}

static int workload_map_best(struct workload_problem *problem, int32_t *core_of,
                             struct reseat_error *error);

/* ---- the table ---- */

static const struct {
    const char *name;
    workload_method *map;
} workload_methods[] = {
    {"blocked", workload_map_blocked},
    {"cyclic", workload_map_cyclic},
    {"drb", workload_map_drb},
    {"contention", workload_map_contention},
    {"multilevel", workload_map_multilevel},
    {"best", workload_map_best},
};
enum { WORKLOAD_METHODS = sizeof workload_methods / sizeof workload_methods[0] };

const char *workload_method_name(int index)
{
    return index < WORKLOAD_METHODS ? workload_methods[index].name : NULL;
}

/* Run one method on what is free of the cluster. 0, or -1 with *error. */
static int workload_map_by(struct workload_problem *problem, int method, int32_t *core_of,
                           struct reseat_error *error)
{
    int rc = free_cores_init(&problem->cores, problem->rates, problem->workload)
                 ? reseat_fail(error, "out of memory")
                 : workload_methods[method].map(problem, core_of, error);
    free_cores_fini(&problem->cores);
    return rc;
}

/* The number of cores that are taken; -1 with *error: some do not exist. */
static int32_t workload_taken(const struct reseat_workload *workload,
                              const struct reseat_rates *rates, struct reseat_error *error)
{
    int32_t all = 0;
    for (size_t t = 0; t < workload->taken_nodes; t++) {
        const struct reseat_taken *taken = &workload->taken[t];
        if (taken->node >= rates->nodes || taken->cores > rates->packages * rates->cores)
            return reseat_fail(error, "%d cores of node %d are taken, and there are %d nodes of %d",
                               (int)taken->cores, (int)taken->node, (int)rates->nodes,
                               (int)(rates->packages * rates->cores));
        all += taken->cores;
    }
    return all;
}

int workload_map_check(const struct reseat_workload *workload, const struct reseat_rates *rates,
                       const int32_t *core_of, struct reseat_error *error)
{
    struct free_cores cores;
    if (workload_taken(workload, rates, error) < 0)
        return -1;
    int rc = free_cores_init(&cores, rates, workload) ? reseat_fail(error, "out of memory") : 0;
    for (int32_t rank = 0; rc == 0 && rank < workload->ranks; rank++)
        if (cores.is_taken[core_of[rank]])
            rc = reseat_fail(error, "rank %d is on core %d, which is taken", (int)rank,
                             (int)core_of[rank]);
    free_cores_fini(&cores);
    return rc;
}

int workload_map(const struct reseat_workload *workload, const struct reseat_rates *rates,
                 const char *method, const struct simulate_options *options, int32_t *core_of,
                 struct reseat_error *error)
{
    struct workload_problem problem = {.workload = workload, .rates = rates, .options = options};
    int32_t taken = workload_taken(workload, rates, error);
    if (taken < 0)
        return -1;
    if (workload->ranks > reseat_rates_all_cores(rates) - taken)
        return reseat_fail(error, "%d ranks, and %d nodes of %d x %d cores%s", (int)workload->ranks,
                           (int)rates->nodes, (int)rates->packages, (int)rates->cores,
                           taken ? ", some of which are taken" : "");
    for (int m = 0; m < WORKLOAD_METHODS; m++)
        if (strcmp(method, workload_methods[m].name) == 0)
            return workload_map_by(&problem, m, core_of, error);
    return reseat_fail(error, "there is no method '%.60s'", method);
}

/* ---- the best of all ---- */

/* Keep the mapping `tried` in core_of if less is waited there than *least, which is then less. 0,
 * or -1 with *error. */
static int workload_keep_better(const struct workload_problem *problem, const int32_t *tried,
                                int32_t *core_of, double *least, struct reseat_error *error)
{
    struct simulate_result result;
    if (simulate_run(problem->workload, problem->rates, tried, problem->options, &result, error))
        return -1;
    if (*least < 0 || result.waiting_seconds < *least) {
        *least = result.waiting_seconds;
        memcpy(core_of, tried, sizeof *tried * (size_t)problem->workload->ranks);
    }
    return 0;
}

static int workload_map_best(struct workload_problem *problem, int32_t *core_of,
                             struct reseat_error *error)
{
    struct workload_problem each = *problem;
    double least = -1;
    int rc = 0;
    int32_t *tried = malloc(sizeof *tried * ((size_t)problem->workload->ranks + 1));
    if (!tried)
        return reseat_fail(error, "out of memory");
    for (int m = 0; rc == 0 && workload_methods[m].map != workload_map_best; m++) {
        rc = workload_map_by(&each, m, tried, error);
        if (rc == 0)
            rc = workload_keep_better(problem, tried, core_of, &least, error);
        if (rc == 0)
            rc = exchanges_improve(problem->workload, problem->rates,
                                   problem->options->most_messages, tried, error);
        if (rc == 0)
            rc = workload_keep_better(problem, tried, core_of, &least, error);
    }
    free(tried);
    return rc;
}
