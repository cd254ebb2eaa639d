/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchanges.c - see exchanges.h.
 *
 * The estimate. A server has to serve n messages, which take W seconds together and are sent in the
 * course of T seconds (of several jobs: the mean, weighted by work).
 *   - If W > T, the queue grows from 0 to W - T, and a message waits half of that on average.
 *   - Otherwise a message waits as in an M/D/1 queue, s x rho / (2 (1 - rho)), with s = W / n and
 *     rho = W / T; but never more than a queue can grow by chance in n messages, s x sqrt(n) / 2,
 *     which is also added where W > T.
 * A wait at a card is as bad as one at a memory. That senders' cards slow down what receivers get
 * is left out: whoever uses this has the result simulated.
 *
 * The search. For each pair of cores in different packages, in order, exchange what is on them, and
 * keep that if the estimate falls; again until a round changes nothing or the budget is used up. An
 * exchange changes the loads of the servers that the two ranks' messages pass before and after:
 * time O(flows of the two ranks). Of free cores of a package that follow each other only the first
 * is tried, as the others make no difference, and cores that are taken are not looked at: a small
 * job on a large machine takes no longer than on a small one.
 */
#include "simulate/exchanges.h"

#include <math.h>
#include <stdlib.h>

#include "simulate/route.h"

/* Flows that may be moved in all, and pairs of cores tried; some 10 ns each. */
static const int64_t exchanges_budget = 150000000;

/* On a core that is free, or taken. */
enum { EXCHANGES_FREE = -1, EXCHANGES_TAKEN = -2 };

/* The load of a server. */
struct exchanges_load {
    double messages, work, span; /* span: work x seconds in which it is sent */
    double waiting;
};

struct exchanges_flow {
    int32_t source, target; /* ranks of the workload */
    double length, messages, seconds;
};

struct exchanges {
    const struct reseat_rates *rates;
    int32_t ranks, cores;
    struct exchanges_flow *flows;
    size_t count;
    size_t *first_flow; /* by rank, and one more: into flow_of */
    int32_t *flow_of;   /* the flows of each rank, sent and received */
    int32_t *core_of;
    int32_t *rank_on;    /* by core; EXCHANGES_FREE or _TAKEN: none */
    int32_t *used_in;    /* by package: how many cores have a rank */
    int32_t *open;       /* the cores that are not taken, ascending */
    int32_t *first_open; /* by package, and one more: into `open` */
    struct exchanges_load *loads, *saved;
    int32_t *touched; /* servers whose load is being changed; their old one is in `saved` */
    int32_t touched_count;
    unsigned char *is_touched;
    int64_t budget;
};

/* ---- the estimate ---- */

static double exchanges_waiting(const struct exchanges_load *load)
{
    if (load->messages < 0.5 || load->work <= 0)
        return 0;
    double service = load->work / load->messages, time = load->span / load->work;
    double busy = load->work / time, chance = service * sqrt(load->messages) / 2;
    double queue = busy < 1 ? service * busy / (2 * (1 - busy)) : chance;
    double growth = load->work > time ? (load->work - time) / 2 : 0;
    return load->messages * (growth + (queue < chance ? queue : chance));
}

static void exchanges_touch(struct exchanges *x, int32_t server)
{
    if (x->is_touched[server])
        return;
    x->is_touched[server] = 1;
    x->saved[x->touched_count] = x->loads[server];
    x->touched[x->touched_count++] = server;
}

/* Add a flow to the loads of its servers, or with sign -1 take it away. */
static void exchanges_add(struct exchanges *x, const struct exchanges_flow *flow, double sign)
{
    struct route route =
        route_find(x->rates, x->core_of[flow->source], x->core_of[flow->target], flow->length);
    for (int s = 0; s < route.stages; s++) {
        if (route.server[s] < 0)
            continue;
        exchanges_touch(x, route.server[s]);
        struct exchanges_load *load = &x->loads[route.server[s]];
        double work = sign * flow->messages * route.seconds[s];
        load->messages += sign * flow->messages;
        load->work += work;
        load->span += work * flow->seconds;
    }
}

/* The loads of all servers, anew: nothing is left of rounding. */
static void exchanges_sum_up(struct exchanges *x)
{
    int32_t servers = route_first_server(x->rates, ROUTE_KINDS);
    for (int32_t s = 0; s < servers; s++)
        x->loads[s] = (struct exchanges_load){0, 0, 0, 0};
    for (size_t f = 0; f < x->count; f++)
        exchanges_add(x, &x->flows[f], 1);
    for (int32_t s = 0; s < servers; s++) {
        x->loads[s].waiting = exchanges_waiting(&x->loads[s]);
        x->is_touched[s] = 0;
    }
    x->touched_count = 0;
}

/* ---- exchanges ---- */

/* The flows of a rank, but for those with `other`. */
static void exchanges_add_rank(struct exchanges *x, int32_t rank, int32_t other, double sign)
{
    if (rank < 0)
        return;
    for (size_t i = x->first_flow[rank]; i < x->first_flow[rank + 1]; i++) {
        const struct exchanges_flow *flow = &x->flows[x->flow_of[i]];
        if (flow->source != other && flow->target != other)
            exchanges_add(x, flow, sign);
    }
    x->budget -= (int64_t)(x->first_flow[rank + 1] - x->first_flow[rank]);
}

static void exchanges_swap(struct exchanges *x, int32_t a, int32_t b)
{
    int32_t on_a = x->rank_on[a], on_b = x->rank_on[b];
    int32_t moved = (on_a >= 0) - (on_b >= 0);
    x->rank_on[a] = on_b;
    x->rank_on[b] = on_a;
    x->used_in[a / x->rates->cores] -= moved;
    x->used_in[b / x->rates->cores] += moved;
    if (on_a >= 0)
        x->core_of[on_a] = b;
    if (on_b >= 0)
        x->core_of[on_b] = a;
}

/* Exchange what is on two cores if that lowers the estimate; returns whether it did. */
static int exchanges_try(struct exchanges *x, int32_t a, int32_t b)
{
    int32_t on_a = x->rank_on[a], on_b = x->rank_on[b];
    double before = 0, after = 0;
    exchanges_add_rank(x, on_a, -1, -1);
    exchanges_add_rank(x, on_b, on_a, -1);
    exchanges_swap(x, a, b);
    exchanges_add_rank(x, on_a, -1, 1);
    exchanges_add_rank(x, on_b, on_a, 1);
    for (int32_t t = 0; t < x->touched_count; t++) {
        struct exchanges_load *load = &x->loads[x->touched[t]];
        load->waiting = exchanges_waiting(load);
        before += x->saved[t].waiting;
        after += load->waiting;
    }
    int is_better = after < before * (1 - 1e-9);
    if (!is_better)
        exchanges_swap(x, a, b);
    for (int32_t t = 0; t < x->touched_count; t++) {
        if (!is_better)
            x->loads[x->touched[t]] = x->saved[t];
        x->is_touched[x->touched[t]] = 0;
    }
    x->touched_count = 0;
    return is_better;
}

/* The open core behind the one at `at` for which an exchange is something else. */
static int32_t exchanges_next(const struct exchanges *x, int32_t at)
{
    int32_t package = x->open[at] / x->rates->cores, end = x->first_open[package + 1];
    int32_t on = x->rank_on[x->open[at++]];
    if (x->used_in[package] == 0)
        return end;
    while (on < 0 && at < end && x->rank_on[x->open[at]] < 0)
        at++;
    return at;
}

/* Try to exchange the open core at `at` with all of later packages. Returns whether anything
 * changed. */
static int exchanges_try_all(struct exchanges *x, int32_t at)
{
    int32_t a = x->open[at], packages = x->cores / x->rates->cores;
    int changed = 0;
    for (int32_t i = x->first_open[a / x->rates->cores + 1];
         i < x->first_open[packages] && x->budget > 0; i = exchanges_next(x, i)) {
        x->budget--;
        if (x->rank_on[a] >= 0 || x->rank_on[x->open[i]] >= 0)
            changed |= exchanges_try(x, a, x->open[i]);
    }
    return changed;
}

/* Try all pairs of cores once. Returns whether anything changed. */
static int exchanges_round(struct exchanges *x)
{
    int32_t open = x->first_open[x->cores / x->rates->cores];
    int changed = 0, is_new = 0;
    exchanges_sum_up(x);
    for (int32_t i = 0; i < open && x->budget > 0; i = is_new ? i + 1 : exchanges_next(x, i)) {
        is_new = exchanges_try_all(x, i);
        changed |= is_new;
    }
    return changed && x->budget > 0;
}

/* ---- setting up ---- */

static void exchanges_add_job(struct exchanges *x, const struct reseat_job *job, uint64_t most)
{
    for (size_t f = 0; f < job->count; f++) {
        const struct reseat_flow *flow = &job->flows[f];
        double messages = (double)(most && most < flow->messages ? most : flow->messages);
        x->flows[x->count++] =
            (struct exchanges_flow){job->first + flow->source, job->first + flow->target,
                                    (double)flow->length, messages, messages / flow->rate};
    }
}

/* Lists the flows of each rank. */
static void exchanges_index(struct exchanges *x)
{
    for (size_t f = 0; f < x->count; f++) {
        x->first_flow[x->flows[f].source + 1]++;
        x->first_flow[x->flows[f].target + 1]++;
    }
    for (int32_t r = 0; r < x->ranks; r++)
        x->first_flow[r + 1] += x->first_flow[r];
    for (size_t f = x->count; f-- > 0;) { /* from behind: first_flow ends where it was */
        x->flow_of[--x->first_flow[x->flows[f].source + 1]] = (int32_t)f;
        x->flow_of[--x->first_flow[x->flows[f].target + 1]] = (int32_t)f;
    }
    for (int32_t r = 0; r < x->ranks; r++)
        x->first_flow[r] = x->first_flow[r + 1];
    x->first_flow[x->ranks] = 2 * x->count;
}

/* 0, or -1: out of memory. */
static int exchanges_init(struct exchanges *x, const struct reseat_workload *workload)
{
    size_t flows = 0, servers = (size_t)route_first_server(x->rates, ROUTE_KINDS);
    for (size_t j = 0; j < workload->count; j++)
        flows += workload->jobs[j].count;
    x->flows = malloc((flows + 1) * sizeof *x->flows);
    x->flow_of = malloc((2 * flows + 1) * sizeof *x->flow_of);
    x->first_flow = calloc((size_t)x->ranks + 2, sizeof *x->first_flow);
    x->rank_on = malloc((size_t)x->cores * sizeof *x->rank_on);
    x->used_in = calloc((size_t)(x->cores / x->rates->cores), sizeof *x->used_in);
    x->open = malloc((size_t)x->cores * sizeof *x->open);
    x->first_open = calloc((size_t)(x->cores / x->rates->cores) + 1, sizeof *x->first_open);
    x->loads = malloc(servers * sizeof *x->loads);
    x->saved = malloc(servers * sizeof *x->saved);
    x->touched = malloc(servers * sizeof *x->touched);
    x->is_touched = calloc(servers, 1);
    return x->flows && x->flow_of && x->first_flow && x->rank_on && x->used_in && x->open &&
                   x->first_open && x->loads && x->saved && x->touched && x->is_touched
               ? 0
               : -1;
}

/* Fills rank_on and used_in, by core_of, and the open cores. */
static void exchanges_fill_cores(struct exchanges *x, const struct reseat_workload *workload)
{
    int32_t node_cores = x->rates->packages * x->rates->cores;
    for (int32_t core = 0; core < x->cores; core++)
        x->rank_on[core] = EXCHANGES_FREE;
    for (size_t t = 0; t < workload->taken_nodes; t++)
        for (int32_t c = 0; c < workload->taken[t].cores; c++)
            x->rank_on[workload->taken[t].node * node_cores + c] = EXCHANGES_TAKEN;
    for (int32_t rank = 0; rank < x->ranks; rank++)
        x->rank_on[x->core_of[rank]] = rank;
    int32_t open = 0;
    for (int32_t core = 0; core < x->cores; core++) {
        int32_t package = core / x->rates->cores;
        x->used_in[package] += x->rank_on[core] >= 0;
        if (x->rank_on[core] != EXCHANGES_TAKEN)
            x->open[open++] = core;
        x->first_open[package + 1] = open;
    }
}

static void exchanges_fini(struct exchanges *x)
{
    free(x->flows);
    free(x->flow_of);
    free(x->first_flow);
    free(x->rank_on);
    free(x->used_in);
    free(x->open);
    free(x->first_open);
    free(x->loads);
    free(x->saved);
    free(x->touched);
    free(x->is_touched);
}

int exchanges_improve(const struct reseat_workload *workload, const struct reseat_rates *rates,
                      uint64_t most_messages, int32_t *core_of, struct reseat_error *error)
{
    struct exchanges x = {.rates = rates,
                          .ranks = workload->ranks,
                          .cores = reseat_rates_all_cores(rates),
                          .core_of = core_of,
                          .budget = exchanges_budget};
    int rc = exchanges_init(&x, workload);
    if (rc == 0)
        exchanges_fill_cores(&x, workload);
    for (size_t j = 0; rc == 0 && j < workload->count; j++)
        exchanges_add_job(&x, &workload->jobs[j], most_messages);
    if (rc == 0) {
        exchanges_index(&x);
        while (exchanges_round(&x))
            ;
    }
    exchanges_fini(&x);
    return rc ? reseat_fail(error, "out of memory") : 0;
}
