/* SPDX-License-Identifier: BSD-3-Clause */
/* cluster-run.c - see cluster-run.h. */
#include "simulate/cluster-run.h"

#include <stdlib.h>

#include "simulate/sample.h"

struct simulate_network {
    const struct reseat_rates *rates;
    struct queueing_flow *flows;
    size_t count;
    struct queueing_server *servers;
    int32_t servers_count;
};

const char *simulate_kind_name(enum route_kind kind)
{
    static const char *const names[] = {"card_out", "card_in", "memory"};
    return names[kind];
}

/* Seconds as picoseconds; what is too long stays too long for queueing_run. */
static uint64_t simulate_picoseconds(double seconds)
{
    double time = seconds * QUEUEING_SECOND + 0.5;
    return time < 2.0 * (double)QUEUEING_LONGEST ? (uint64_t)time : 2 * QUEUEING_LONGEST;
}

/* The way of a message between two cores. */
static void simulate_route(const struct reseat_rates *rates, int32_t from, int32_t to,
                           double length, struct queueing_flow *flow)
{
    struct route route = route_find(rates, from, to, length);
    flow->stages = route.stages;
    flow->delay = route.stages == 2 ? simulate_picoseconds(rates->switch_seconds) : 0;
    for (int s = 0; s < route.stages; s++)
        flow->stage[s] =
            (struct queueing_stage){route.server[s], simulate_picoseconds(route.seconds[s])};
}

/* The flows of a job, from its first rank on. */
static void simulate_add_job(struct simulate_network *n, const struct reseat_job *job,
                             const int32_t *core_of, uint64_t most, struct draw *draw)
{
    for (size_t f = 0; f < job->count; f++) {
        const struct reseat_flow *flow = &job->flows[f];
        struct queueing_flow *made = &n->flows[n->count++];
        *made = (struct queueing_flow){.interval = simulate_picoseconds(1 / flow->rate),
                                       .messages =
                                           most && most < flow->messages ? most : flow->messages};
        made->start = (uint64_t)(draw_uniform(draw) * (double)made->interval);
        simulate_route(n->rates, core_of[job->first + flow->source],
                       core_of[job->first + flow->target], (double)flow->length, made);
    }
}

static int simulate_make(struct simulate_network *n, const struct reseat_workload *workload,
                         const int32_t *core_of, const struct simulate_options *options)
{
    const struct reseat_rates *r = n->rates;
    struct draw draw = {~options->queueing.seed};
    size_t flows = 0;
    for (size_t j = 0; j < workload->count; j++)
        flows += workload->jobs[j].count;
    n->servers_count = route_first_server(r, ROUTE_KINDS);
    n->flows = malloc((flows + 1) * sizeof *n->flows);
    n->servers = malloc((size_t)n->servers_count * sizeof *n->servers);
    if (!n->flows || !n->servers)
        return -1;
    for (size_t j = 0; j < workload->count; j++)
        simulate_add_job(n, &workload->jobs[j], core_of, options->most_messages, &draw);
    return 0;
}

/* 0, or -1 with *error: it would take too long. */
static int simulate_check(const struct simulate_network *n, struct reseat_error *error)
{
    double messages = 0;
    for (size_t f = 0; f < n->count; f++)
        messages += (double)n->flows[f].messages;
    return messages > SIMULATE_MOST_MESSAGES
               ? reseat_fail(error,
                             "%.3g messages, and at most %.3g are simulated: --messages limits "
                             "those of a pair",
                             messages, SIMULATE_MOST_MESSAGES)
               : 0;
}

static void simulate_sum_up(const struct simulate_network *n, int kind, struct simulate_sum *sum)
{
    int32_t first = route_first_server(n->rates, kind);
    int32_t end = route_first_server(n->rates, kind + 1);
    *sum = (struct simulate_sum){.servers = end - first};
    for (int32_t s = first; s < end; s++) {
        const struct queueing_server *server = &n->servers[s];
        double busy = server->busy / QUEUEING_SECOND;
        double longest = (double)server->longest / QUEUEING_SECOND;
        sum->messages += server->served;
        sum->busy_seconds += busy;
        sum->waiting_seconds += server->waited / QUEUEING_SECOND;
        if (longest > sum->longest_wait)
            sum->longest_wait = longest;
        if (busy > sum->busiest_seconds) {
            sum->busiest_seconds = busy;
            sum->busiest = s - first;
        }
    }
}

int simulate_run(const struct reseat_workload *workload, const struct reseat_rates *rates,
                 const int32_t *core_of, const struct simulate_options *options,
                 struct simulate_result *result, struct reseat_error *error)
{
    struct simulate_network n = {.rates = rates};
    struct simulate_result found = {.waiting_seconds = 0};
    int rc = simulate_make(&n, workload, core_of, options) ? reseat_fail(error, "out of memory")
             : simulate_check(&n, error)
                 ? -1
                 : queueing_run(n.flows, n.count, n.servers, (size_t)n.servers_count,
                                &options->queueing, &found.queueing, error);
    for (int kind = 0; rc == 0 && kind < ROUTE_KINDS; kind++) {
        simulate_sum_up(&n, kind, &found.kind[kind]);
        found.waiting_seconds += found.kind[kind].waiting_seconds;
    }
    found.makespan_seconds = (double)found.queueing.last / QUEUEING_SECOND;
    free(n.flows);
    free(n.servers);
    if (rc == 0)
        *result = found;
    return rc;
}
