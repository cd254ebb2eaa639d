/* SPDX-License-Identifier: BSD-3-Clause */
/* simulate.c - `reseat simulate`: what messages wait for on a cluster, with the ranks of one job or
 * of several mapped by a method or a file. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cmd/shell/options.h"
#include "cmd/shell/progress.h"
#include "profile/profile-time.h"
#include "simulate/workload-mapping.h"
#include "simulate/workload-map.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/output-file.h"
#include "cmd/shell/machine-load.h"
#include "cmd/shell/page-parts.h"
#include "cmd/commands.h"
#include "page/sources.h"
#include "profile/profile.h"
#include "simulate/workload.h"

struct simulate_request {
    const char *workload, *profile, *machine, *tree, *method, *mapping, *output, *json;
    struct simulate_options options;
    double profile_seconds; /* 0: not given */
    int phase;              /* -1: all */
    int tsv;
};

struct simulate_found {
    struct reseat_workload *workload;
    struct reseat_rates rates;
    int32_t *core_of;
    double assumed_seconds; /* of jobs whose duration nothing tells; 0: none */
    double wall_seconds;    /* of the simulation itself */
    struct simulate_result result;
};

/* ---- the command line ---- */

/* 0, or a usage status after an error message with a list of all methods. */
static int simulate_check_method(const char *method)
{
    char names[256] = "";
    const char *name;
    for (int i = 0; (name = workload_method_name(i)); i++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", i == 0 ? "" : "|", name);
    }
    return options_word("method", names, method) < 0 ? EXIT_USAGE : 0;
}

static int simulate_check(struct simulate_request *r)
{
    struct reseat_error error;
    const char *inputs[] = {r->workload, r->profile, r->machine, r->mapping};
    const struct named_output outputs[] = {
        {"tsv", r->tsv ? "-" : NULL}, {"json", r->json}, {"output", r->output}};
    if (r->workload && r->profile)
        return cli_fail(EXIT_USAGE, "either FILE or --workload FILE");
    if (r->phase >= 0 && !r->profile)
        return cli_fail(EXIT_USAGE, "--phase is of a profile");
    if (r->profile_seconds > 0 && !r->profile)
        return cli_fail(EXIT_USAGE, "--seconds is of a profile; in a workload it is seconds=");
    if (r->method && simulate_check_method(r->method))
        return EXIT_USAGE;
    int rc = check_tree(r->tree, NULL, &error);
    if (!rc)
        rc = check_outputs(outputs, 2, inputs, 4, &error);
    if (!rc)
        rc = check_outputs(outputs + 1, 2, inputs, 4, &error);
    return cli_status(rc, &error);
}

static int simulate_parse(int argc, char **argv, struct simulate_request *r)
{
    struct reseat_error error;
    const struct option_target targets[] = {{"workload", &r->workload, NULL},
                                            {"phase", &r->phase, NULL},
                                            {"machine", &r->machine, NULL},
                                            {"tree", &r->tree, NULL},
                                            {"method", &r->method, NULL},
                                            {"mapping", &r->mapping, NULL},
                                            {"output", &r->output, NULL},
                                            {"seed", &r->options.queueing.seed, NULL},
                                            {"messages", &r->options.most_messages, NULL},
                                            {"seconds", &r->profile_seconds, NULL},
                                            {"gaps", &r->options.queueing.gaps, NULL},
                                            {"lengths", &r->options.queueing.lengths, NULL},
                                            {"tsv", &r->tsv, NULL},
                                            {"json", &r->json, NULL},
                                            {NULL, NULL, NULL}};
    int status = options_parse(&(struct options){.order = ":", .targets = targets}, argc, argv);
    if (status)
        return status;
    r->profile = optind < argc ? argv[optind++] : NULL;
    if (optind < argc)
        return cli_fail(EXIT_USAGE, "'%s' is not expected", argv[optind]);
    if (!r->profile && !r->workload &&
        (status = cli_status(find_default_profile(&r->profile, &error), &error)))
        return status;
    return simulate_check(r);
}

/* ---- what is simulated ---- */

/* What is left of a profile is one phase: so is its time, if the profile has times of phases. */
static void simulate_set_duration(struct reseat_profile *profile)
{
    struct reseat_time_in_mpi times;
    reseat_profile_time_in_mpi(&times, profile, -1);
    profile->microseconds = (uint64_t)(1e6 * times.all + 0.5);
}

static int simulate_load_profile(const struct simulate_request *r, struct simulate_found *x)
{
    struct reseat_profile *profile;
    struct reseat_error error;
    const struct traffic_part part = {RESEAT_METRIC_SIZE, r->phase, -1, r->options.queueing.seed};
    int status = cli_status(load_part(&profile, r->profile, &part, &error), &error);
    if (status)
        return status;
    if (r->phase >= 0)
        simulate_set_duration(profile);
    int rc =
        reseat_workload_of_profile(&x->workload, profile, r->profile, r->profile_seconds, &error);
    reseat_profile_destroy(profile);
    return rc ? cli_fail(EXIT_TROUBLE, "%s: %s", r->profile, error.text) : 0;
}

/* Jobs whose duration is not known run as fast as a card could carry them if all ranks of its node
 * sent as much as the busiest rank, and all of that to other nodes. */
static int simulate_assume_seconds(struct simulate_found *x)
{
    int32_t cores = x->rates.packages * x->rates.cores;
    for (size_t j = 0; j < x->workload->count; j++) {
        struct reseat_job *job = &x->workload->jobs[j];
        double most = 0, *sent = calloc((size_t)job->ranks + 1, sizeof *sent);
        if (!sent)
            return cli_no_memory();
        for (size_t f = 0; f < job->count; f++) {
            double *of = &sent[job->flows[f].source];
            *of += (double)job->flows[f].length * (double)job->flows[f].messages;
            most = *of > most ? *of : most;
        }
        free(sent);
        if (job->seconds > 0)
            continue;
        double seconds = most * cores / x->rates.card_bytes_per_second;
        reseat_job_set_seconds(job, seconds > 0 ? seconds : 1);
        if (job->seconds > x->assumed_seconds)
            x->assumed_seconds = job->seconds;
    }
    return 0;
}

static int simulate_load(const struct simulate_request *r, struct simulate_found *x)
{
    struct reseat_error error;
    int is_file = r->machine && strcmp(r->machine, "table1") != 0;
    if (reseat_rates_load(&x->rates, is_file ? r->machine : NULL, r->tree, &error))
        return cli_status(-1, &error);
    if (r->profile) {
        int status = simulate_load_profile(r, x);
        return status ? status : simulate_assume_seconds(x);
    }
    int status = cli_status(load_workload(&x->workload, r->workload, r->output, &error), &error);
    return status ? status : simulate_assume_seconds(x);
}

/* ---- where the ranks are ---- */

static int simulate_map(const struct simulate_request *r, struct simulate_found *x)
{
    struct reseat_error error;
    x->core_of = malloc(((size_t)x->workload->ranks + 1) * sizeof *x->core_of);
    if (!x->core_of)
        return cli_no_memory();
    progress_say("mapping %d ranks", (int)x->workload->ranks);
    int rc = r->mapping ? reseat_workload_mapping_read(x->workload, r->mapping,
                                                       reseat_rates_all_cores(&x->rates),
                                                       x->core_of, &error)
                        : workload_map(x->workload, &x->rates, r->method ? r->method : "best",
                                       &r->options, x->core_of, &error);
    if (rc == 0 && r->mapping)
        rc = workload_map_check(x->workload, &x->rates, x->core_of, &error);
    progress_end();
    return cli_status(rc, &error);
}

static int simulate_write_mapping(const char *output, const struct simulate_found *x)
{
    struct reseat_error error;
    struct made_text made;
    int rc = made_text_open(&made, &error);
    if (rc == 0) {
        reseat_workload_mapping_write(made.file, x->workload, x->core_of);
        rc = made_text_save(&made, output, 0, &error);
    }
    return cli_status(rc, &error);
}

/* ---- results ---- */

static void simulate_add_servers(struct document *d, const struct simulate_result *result)
{
    static const char *const titles[] = {"cards, out", "cards, in", "memories"};
    double all = result->makespan_seconds;
    document_open(d, "servers", '[');
    for (int k = 0; k < ROUTE_KINDS; k++) {
        const struct simulate_sum *sum = &result->kind[k];
        document_open(d, NULL, '{');
        document_text(d, "kind", simulate_kind_name((enum route_kind)k));
        document_text(d, "@title", sum->servers > 0 ? titles[k] : NULL);
        document_integer(d, "count", (uint64_t)sum->servers);
        document_integer(d, "messages", sum->messages);
        document_number(d, "waiting_seconds", sum->waiting_seconds);
        document_number(d, "longest_wait_seconds", sum->longest_wait);
        document_number(d, "busy_seconds", sum->busy_seconds);
        document_number(d, "busiest_seconds", sum->busiest_seconds);
        document_number(d, "@busiest_percent", all > 0 ? 100 * sum->busiest_seconds / all : 0);
        document_integer(d, "busiest", (uint64_t)sum->busiest);
        document_close(d);
    }
    document_close(d);
}

/* doc/json.md says what the members mean. */
static void simulate_fill(struct document *d, const struct simulate_request *r,
                          const struct simulate_found *x)
{
    const struct simulate_result *result = &x->result;
    const double events = (double)result->queueing.events;
    document_integer(d, "reseat_simulate", 1);
    document_text(d, "method", r->mapping ? NULL : r->method ? r->method : "best");
    document_text(d, "mapping", r->mapping);
    document_integer(d, "jobs", x->workload->count);
    document_integer(d, "ranks", (uint64_t)x->workload->ranks);
    document_integer(d, "nodes", (uint64_t)x->rates.nodes);
    document_integer(d, "packages_of_node", (uint64_t)x->rates.packages);
    document_integer(d, "cores_of_package", (uint64_t)x->rates.cores);
    document_number(d, "waiting_seconds", result->waiting_seconds);
    document_number(d, "makespan_seconds", result->makespan_seconds);
    document_integer(d, "messages", result->queueing.sent);
    document_integer(d, "delivered", result->queueing.delivered);
    document_integer(d, "events", result->queueing.events);
    simulate_add_servers(d, result);
    document_number(d, "assumed_seconds", x->assumed_seconds > 0 ? x->assumed_seconds : NAN);
    document_number(d, "wall_seconds", x->wall_seconds);
    document_number(d, "@events_a_second",
                    x->wall_seconds > 0 ? 1e-6 * events / x->wall_seconds : 0);
}

static int simulate_print(const struct simulate_request *r, const struct simulate_found *x)
{
    struct reseat_error error;
    struct document document;
    document_init(&document);
    simulate_fill(&document, r, x);
    int rc = page_write_result(&document, r->json, r->tsv ? page_simulate_tsv : page_simulate_txt,
                               &error);
    document_free(&document);
    return cli_status(rc, &error);
}

static int simulate_run_and_print(const struct simulate_request *r, struct simulate_found *x)
{
    struct reseat_error error;
    double start = clock_now();
    progress_say("sending");
    int rc = simulate_run(x->workload, &x->rates, x->core_of, &r->options, &x->result, &error);
    progress_end();
    if (rc)
        return cli_status(-1, &error);
    x->wall_seconds = clock_now() - start;
    return simulate_print(r, x);
}

int cmd_simulate(int argc, char **argv)
{
    struct simulate_request r = {.phase = -1};
    struct simulate_found x = {0};
    int status = simulate_parse(argc, argv, &r);
    if (!status)
        status = simulate_load(&r, &x);
    if (!status)
        status = simulate_map(&r, &x);
    if (!status && r.output)
        status = simulate_write_mapping(r.output, &x);
    if (!status)
        status = simulate_run_and_print(&r, &x);
    reseat_workload_destroy(x.workload);
    free(x.core_of);
    return status;
}
