/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare-runs.c - see compare.h: the orders of a job's ranks by all methods, run in turn on the
 * real job or its replay. The machine is the places that the job's ranks get; each order becomes a
 * file for RESEAT_MAPPING, next to the profile, where the ranks can read it. The launch order is
 * the job without reseat. Each round begins with another order, so that what changes on the machine
 * meanwhile affects all.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/job/child.h"
#include "cmd/compare/compare.h"
#include "cmd/shell/progress.h"
#include "cmd/run/reasons.h"
#include "cmd/run/replay.h"
#include "cmd/topo/topo.h"
#include "cmd/run/one-run.h"
#include "cmd/verify/run-outputs.h"
#include "draw/distribution.h"
#include "text/temporary.h"
#include "cmd/shell/complain.h"

/* An order that is run; one for each row with a mapping. */
struct compare_order {
    struct compare_row *row;
    int32_t *slot_of;
    char path[PATH_MAX]; /* empty: the launch order */
    double *seconds;     /* of each round */
};

struct compare_runs {
    const struct compare_request *request;
    struct compare_rows *rows;
    struct job_run run;
    struct topo_machine machine;
    struct compare_case c;
    struct compare_order *order;
    size_t orders;
    int rounds; /* that are complete */
    struct run_outputs outputs;
    off_t input;
};

/* ---- the job and its machine: all return 0, or an exit status after an error message ---- */

/* The job as `verify` would get it. */
static int compare_prepare_job(struct compare_runs *runs)
{
    const struct compare_request *r = runs->request;
    runs->run.name = "compare";
    runs->run.profile = r->pattern[0].name;
    runs->run.command = r->job;
    runs->run.options.replays = r->replays;
    runs->run.options.mpi = r->mpi;
    /* The order of the world is what is compared, whatever is usual for this user. */
    if (strcmp(job_options_setting(&runs->run.variables, "RESEAT_SCOPE"), "graph") == 0)
        variables_add_setting(&runs->run.variables, "RESEAT_SCOPE", "auto");
    return job_run_prepare_command(&runs->run);
}

/* Where the ranks of the job would be. */
static int compare_find_places(struct compare_runs *runs)
{
    const struct compare_request *r = runs->request;
    const struct topo_request request = {
        .topology = r->machine[0].topology, .costs = r->costs, .mpi = r->mpi, .command = r->job};
    struct reseat_error error;
    int status = cli_status(topo_find_machine(&request, &runs->machine, &error), &error);
    int32_t ranks = r->pattern[0].traffic->ranks;
    if (!status && runs->machine.ranks != ranks)
        status = cli_fail(EXIT_TROUBLE, "%s is of %d ranks, this job has %d", r->pattern[0].name,
                          (int)ranks, (int)runs->machine.ranks);
    return status;
}

/* The case: the traffic on these places. */
static int compare_open_job(struct compare_runs *runs)
{
    const struct compare_request *r = runs->request;
    struct compare_case *c = &runs->c;
    struct topo_machine *m = &runs->machine;
    struct prediction *p = &c->found.prediction;
    struct reseat_error error;
    int32_t *launch = malloc(((size_t)m->ranks + 1) * sizeof *launch);
    if (!launch)
        return cli_no_memory();
    for (int32_t slot = 0; slot < m->ranks; slot++)
        launch[m->rank_of[slot]] = slot;
    compare_begin_case(c, r, &r->pattern[0], &r->machine[0], (enum reseat_metric)r->metric[0]);
    c->found.traffic = r->pattern[0].traffic;
    c->found.has_seats = 1; /* the slots are places of this job, not those of a system */
    int rc = prediction_set_profile(p, c->found.traffic, c->map.metric, &error);
    prediction_set_tree(p, m->tree, launch);
    m->tree = NULL;
    if (rc == 0)
        rc = time_forecast_open(&c->found.forecast, r->timings, c->found.traffic, &error) ||
             time_forecast_set(&c->found.forecast, p, &c->map.metric, &error);
    return rc ? cli_status(-1, &error) : compare_check_timings(c, "the nodes of this job");
}

/* ---- orders ---- */

/* Write an order as a file that the ranks can read. 0, or -1 with *error. */
static int compare_write_order(const struct compare_runs *runs, struct compare_order *order,
                               struct reseat_error *error)
{
    char folder[PATH_MAX], stem[PATH_MAX], *path = NULL;
    if (mark_folder(runs->run.profile, folder) ||
        snprintf(stem, sizeof stem, "%s/.reseat-order", folder) >= (int)sizeof stem)
        return reseat_fail(error, "an order cannot be written next to %s", runs->run.profile);
    int fd = temporary_create(&path, stem, "", 0600);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    snprintf(order->path, sizeof order->path, "%s", fd < 0 ? "" : path);
    free(path);
    if (!file) {
        reseat_fail(error, "an order cannot be written to %s: %s", folder, strerror(errno));
        if (fd >= 0) {
            close(fd);
            unlink(order->path);
        }
        order->path[0] = '\0';
        return -1;
    }
    for (int32_t role = 0; role < runs->machine.ranks; role++)
        fprintf(file, "%d %d\n", (int)role, (int)runs->machine.rank_of[order->slot_of[role]]);
    return fclose(file) ? reseat_fail(error, "%s: %s", order->path, strerror(errno)) : 0;
}

/* Keep what the case has mapped. 0, or -1 with *error. */
static int compare_add_order(struct compare_runs *runs, struct compare_row *row,
                             struct reseat_error *error)
{
    struct compare_order *order = &runs->order[runs->orders];
    order->row = row;
    order->slot_of = runs->c.slot_of;
    runs->c.slot_of = NULL;
    order->seconds = calloc((size_t)runs->request->runs, sizeof *order->seconds);
    runs->orders++;
    return order->seconds ? 0 : reseat_fail(error, "out of memory");
}

/* Map by all methods. 0, or an exit status after an error message. */
static int compare_find_orders(struct compare_runs *runs)
{
    const struct compare_request *r = runs->request;
    struct compare_rows *rows = runs->rows;
    struct reseat_error why;
    rows->count = rows->expected = r->efforts.count * r->methods.count;
    rows->row = calloc(rows->count, sizeof *rows->row);
    runs->order = calloc(rows->count, sizeof *runs->order);
    if (!rows->row || !runs->order)
        return cli_no_memory();
    for (size_t i = 0; i < rows->count; i++) {
        struct compare_row *row = &rows->row[i];
        row->effort = i / r->methods.count;
        row->method = i % r->methods.count;
        progress_say("%zu of %zu orders", i, rows->count);
        if (compare_map(&runs->c, row, &why))
            cli_fail(0, "%s by %s: %s", r->pattern[0].name, r->method[row->method].name, why.text);
        else if (compare_add_order(runs, row, &why))
            return cli_fail(EXIT_TROUBLE, "%s", why.text);
    }
    return runs->orders ? 0 : EXIT_TROUBLE;
}

/* The orders as files. 0, or an exit status after an error message. */
static int compare_write_orders(struct compare_runs *runs)
{
    struct reseat_error why;
    for (size_t i = 0; i < runs->orders; i++) {
        struct compare_order *order = &runs->order[i];
        const struct listed_method *method = &runs->request->method[order->row->method];
        if (strcmp(method->name, METHOD_LAUNCH) != 0 && compare_write_order(runs, order, &why))
            return cli_fail(EXIT_TROUBLE, "%s", why.text);
    }
    return 0;
}

/* ---- runs ---- */

/* What the run of an order has said: whether it was an order, and the time of a replay. 0, or an
 * exit status after an error message. */
static int compare_judge_run(struct compare_runs *runs, const struct one_run *one, double *seconds)
{
    char why[REASON_SIZE];
    if (runs->run.replay) {
        struct replay_result *result = calloc(1, sizeof *result);
        if (!result)
            return cli_no_memory();
        replay_read_result(&runs->run.replay->program, one->collectors[0].kept, result);
        int is_complete = result->is_complete;
        if (is_complete)
            *seconds = replay_recorded_seconds(result);
        else
            cli_fail(0, "%s", result->error[0] ? result->error : "the replay has no result");
        free(result);
        if (!is_complete)
            return EXIT_TROUBLE;
    }
    if (!one->with)
        return 0;
    runs->outputs.told = 0; /* by an earlier run */
    run_outputs_outcome(&runs->outputs, one->collectors[1].kept);
    if (runs->outputs.kept)
        return cli_fail(EXIT_TROUBLE, "the ranks kept the launch order%s%s",
                        runs->outputs.reason[0] ? ": " : "", runs->outputs.reason);
    if (!runs->outputs.told && job_run_is_missing(&runs->run, why))
        return cli_fail(EXIT_TROUBLE, "%s: nothing to compare", why);
    return 0;
}

/* Run the job, and hear what it has said. Returns as compare_run_order. */
static int compare_take_turn(struct compare_runs *runs, const struct compare_order *order,
                             struct one_run *one, double *seconds)
{
    int ended = one_run_time(one, seconds);
    for (int stream = 0; stream < 2; stream++)
        collector_close(&one->collectors[stream]);
    if (is_asked_to_end())
        return EXIT_TROUBLE;
    int can_judge = !ended || runs->run.replay; /* an MPI may hang after a replay has ended */
    int status = can_judge ? compare_judge_run(runs, one, seconds) : ended;
    if (status && ended)
        one_run_pass_on_errors(one, runs->outputs.token);
    if (!can_judge)
        cli_fail(0, "the job failed by %s (exit status %d): nothing to compare",
                 runs->request->method[order->row->method].name, ended);
    return status;
}

/* Run an order once. 0, or an exit status, after an error message unless a signal asks us to
 * end. */
static int compare_run_order(struct compare_runs *runs, struct compare_order *order,
                             double *seconds)
{
    struct one_run one = {.run = &runs->run,
                          .with = order->path[0] != '\0',
                          .input = runs->input,
                          .collectors = {{.end = -1}, {.end = -1}}};
    int status = 0;
    if (one.with) {
        variables_add(&runs->run.variables, "RESEAT_MAPPING", order->path);
        mark_remove(&runs->run.mark); /* of an earlier run */
        mark_create(&runs->run.mark, runs->run.profile, &runs->run.variables);
    }
    for (int stream = 0; !status && stream < 2; stream++)
        if (collector_open(&one.collectors[stream], -1, runs->outputs.token))
            status = cli_fail(EXIT_TROUBLE, "%s", strerror(errno));
    if (!status)
        status = compare_take_turn(runs, order, &one, seconds);
    for (int stream = 0; stream < 2; stream++)
        collector_free(&one.collectors[stream]);
    return status;
}

/* All rounds; those that are complete count. 0, or an exit status. */
static int compare_run_rounds(struct compare_runs *runs)
{
    int status = 0;
    double start = clock_now();
    for (int round = 0; !status && round < runs->request->runs; round++) {
        for (size_t i = 0; !status && i < runs->orders; i++) {
            struct compare_order *order = &runs->order[(i + (size_t)round) % runs->orders];
            if (i || round)
                progress_after_run(round * (int)runs->orders + (int)i,
                                   runs->request->runs * (int)runs->orders, clock_now() - start);
            status = compare_run_order(runs, order, &order->seconds[round]);
            if (is_asked_to_end())
                return cli_fail(EXIT_TROUBLE, "interrupted after %zu of %zu runs, %d of %d rounds",
                                (size_t)round * runs->orders + i,
                                runs->orders * (size_t)runs->request->runs, round,
                                runs->request->runs);
        }
        runs->rounds += !status;
    }
    return status;
}

/* ---- rows ---- */

/* What is known of the rounds that are complete. */
static void compare_measure(const struct compare_runs *runs)
{
    for (size_t i = 0; i < runs->rows->count; i++)
        for (int k = 0; k < COMPARE_MEASURES; k++)
            runs->rows->row[i].measured[k] = NAN;
    for (size_t i = 0; i < runs->orders && runs->rounds; i++) {
        const struct compare_order *order = &runs->order[i];
        size_t count = distribution_sort(order->seconds, (size_t)runs->rounds);
        order->row->measured[0] = distribution_quantile(order->seconds, count, 0.5);
        order->row->measured[1] = distribution_quantile(order->seconds, count, 0);
        order->row->measured[2] = distribution_quantile(order->seconds, count, 1);
        order->row->measured[3] = distribution_quantile(order->seconds, count, 0.25);
        order->row->measured[4] = distribution_quantile(order->seconds, count, 0.75);
    }
}

static int compare_print_rows(struct compare_runs *runs)
{
    size_t count = runs->rows->count;
    runs->rows->count = 0;
    int status = compare_begin_table(runs->request, runs->rows);
    while (!status && runs->rows->count < count) {
        runs->rows->count++;
        status = compare_print_row(runs->request, runs->rows);
    }
    return status;
}

/* Remove all files: nothing that ends us later, like a reader that has left, may leave them
 * behind. */
static void compare_clean_up(struct compare_runs *runs)
{
    for (size_t i = 0; i < runs->orders; i++)
        if (runs->order[i].path[0])
            unlink(runs->order[i].path);
    job_run_clean_up(&runs->run);
}

static void compare_free_runs(struct compare_runs *runs)
{
    for (size_t i = 0; i < runs->orders; i++) {
        free(runs->order[i].slot_of);
        free(runs->order[i].seconds);
    }
    free(runs->order);
    compare_close_case(&runs->c);
    topo_free_machine(&runs->machine);
}

/* All runs of a job that is prepared. 0, or an exit status. */
static int compare_run_prepared(struct compare_runs *runs)
{
    int status = compare_find_places(runs);
    if (!status)
        status = compare_open_job(runs);
    end_if_asked();
    release_signals(); /* a method may take long, and nothing is to be cleaned up yet */
    if (!status)
        status = compare_find_orders(runs);
    progress_end();
    catch_signals();
    if (!status)
        status = compare_write_orders(runs);
    if (status)
        return status;
    run_outputs_open(&runs->outputs, runs->run.profile);
    variables_add(&runs->run.variables, "RESEAT_OUTCOME", runs->outputs.token);
    job_run_mark(&runs->run);
    runs->input = one_run_input();
    status = compare_run_rounds(runs);
    run_outputs_close(&runs->outputs);
    compare_measure(runs);
    return status;
}

int compare_run_job(const struct compare_request *r, struct compare_rows *rows)
{
    struct compare_runs *runs = calloc(1, sizeof *runs);
    if (!runs)
        return cli_no_memory();
    runs->request = r;
    runs->rows = rows;
    int status = compare_prepare_job(runs);
    if (!status) {
        status = compare_run_prepared(runs);
        compare_clean_up(runs);
    }
    if (runs->rounds && (!status || is_asked_to_end()))
        status = compare_print_rows(runs);
    rows->rounds = runs->rounds;
    rows->is_interrupted = is_asked_to_end();
    compare_free_runs(runs);
    free(runs);
    if (!rows->rounds)
        end_if_asked();
    return status;
}
