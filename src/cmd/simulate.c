/* SPDX-License-Identifier: BSD-3-Clause */
/* simulate.c - `reseat simulate`: what messages wait for on a cluster, with the ranks of one job or
 * of several mapped by a method or a file. */
#include <getopt.h>
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
#include "cmd/commands.h"
#include "profile/profile.h"
#include "simulate/workload.h"

struct simulate_request {
    const char *workload, *profile, *phase, *machine, *tree, *method, *mapping, *output;
    struct simulate_options options;
    double profile_seconds; /* 0: not given */
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

/* Whether there is that method; if not, report that with a list of all. */
static int simulate_check_method(const char *method)
{
    char names[256] = "";
    const char *name;
    for (int i = 0; workload_method_describe(i, &name, NULL); i++) {
        size_t length = strlen(names);
        if (strcmp(method, name) == 0)
            return 0;
        snprintf(names + length, sizeof names - length, "%s%s", i == 0 ? "" : ", ", name);
    }
    return cli_fail(EXIT_USAGE, "simulate", "--method takes %s, not '%s'", names, method);
}

static int simulate_check(struct simulate_request *r)
{
    const char *inputs[] = {r->workload, r->profile, r->machine, r->mapping};
    if (!r->workload == !r->profile)
        return cli_fail(EXIT_USAGE, "simulate", "one of --workload and --profile is needed");
    if (r->method && r->mapping)
        return cli_fail(EXIT_USAGE, "simulate", "--method and --mapping cannot be combined");
    if (r->phase && !r->profile)
        return cli_fail(EXIT_USAGE, "simulate", "--phase is of a profile: --profile is needed");
    if (r->profile_seconds > 0 && !r->profile)
        return cli_fail(EXIT_USAGE, "simulate",
                        "--seconds is of --profile; in a workload it is seconds=");
    if (r->method && simulate_check_method(r->method))
        return EXIT_USAGE;
    int status = check_tree(r->tree, NULL, NULL, "simulate");
    return status ? status : check_output_name(r->output, inputs, 4, "simulate");
}

static int simulate_parse(int argc, char **argv, struct simulate_request *r)
{
    const struct option_target targets[] = {{"workload", &r->workload, NULL},
                                            {"profile", &r->profile, NULL},
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
                                            {NULL, NULL, NULL}};
    int status = options_parse(&(struct options){.order = ":", .targets = targets}, argc, argv);
    if (status)
        return status;
    if (optind < argc)
        return cli_fail(EXIT_USAGE, "simulate", "'%s' is not expected", argv[optind]);
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
    int status =
        r->phase ? load_profile(&profile, r->profile, r->phase, "simulate")
                 : load_traffic(&profile, &r->profile, 1, NULL, RESEAT_METRIC_SIZE, 0, "simulate");
    if (status)
        return status;
    if (r->phase && strcmp(r->phase, "all") != 0)
        simulate_set_duration(profile);
    int rc =
        reseat_workload_of_profile(&x->workload, profile, r->profile, r->profile_seconds, &error);
    reseat_profile_destroy(profile);
    return rc ? cli_fail(EXIT_TROUBLE, "simulate", "%s: %s", r->profile, error.text) : 0;
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
            return cli_fail(EXIT_TROUBLE, "simulate", "out of memory");
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
        return cli_fail(EXIT_TROUBLE, "simulate", "%s", error.text);
    if (r->profile) {
        int status = simulate_load_profile(r, x);
        return status ? status : simulate_assume_seconds(x);
    }
    int status = load_workload(&x->workload, r->workload, r->output, "simulate");
    return status ? status : simulate_assume_seconds(x);
}

/* ---- where the ranks are ---- */

static int simulate_map(const struct simulate_request *r, struct simulate_found *x)
{
    struct reseat_error error;
    x->core_of = malloc(((size_t)x->workload->ranks + 1) * sizeof *x->core_of);
    if (!x->core_of)
        return cli_fail(EXIT_TROUBLE, "simulate", "out of memory");
    progress_say("simulate", "mapping %d ranks", (int)x->workload->ranks);
    int rc = r->mapping ? reseat_workload_mapping_read(x->workload, r->mapping,
                                                       reseat_rates_all_cores(&x->rates),
                                                       x->core_of, &error)
                        : workload_map(x->workload, &x->rates, r->method ? r->method : "best",
                                       &r->options, x->core_of, &error);
    progress_end();
    return rc ? cli_fail(EXIT_TROUBLE, "simulate", "%s", error.text) : 0;
}

static int simulate_write_mapping(const char *output, const struct simulate_found *x)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory)
        reseat_workload_mapping_write(memory, x->workload, x->core_of);
    int status = !memory || fclose(memory) ? cli_fail(EXIT_TROUBLE, "simulate", "out of memory")
                                           : save_text(output, text, size, "simulate");
    free(text);
    return status;
}

/* ---- results ---- */

static void simulate_print_table(const struct simulate_found *x, const char *method)
{
    const struct simulate_result *result = &x->result;
    printf("method\t%s\njobs\t%zu\nranks\t%d\nnodes\t%d\n", method, x->workload->count,
           (int)x->workload->ranks, (int)x->rates.nodes);
    printf("waiting_seconds\t%.17g\nmakespan_seconds\t%.17g\n", result->waiting_seconds,
           result->makespan_seconds);
    printf("messages\t%llu\ndelivered\t%llu\nevents\t%llu\n",
           (unsigned long long)result->queueing.sent,
           (unsigned long long)result->queueing.delivered,
           (unsigned long long)result->queueing.events);
    for (int k = 0; k < ROUTE_KINDS; k++) {
        const char *name = simulate_kind_name((enum route_kind)k);
        const struct simulate_sum *sum = &result->kind[k];
        printf("%s_messages\t%llu\n%s_waiting_seconds\t%.17g\n%s_busy_seconds\t%.17g\n"
               "%s_busiest_seconds\t%.17g\n",
               name, (unsigned long long)sum->messages, name, sum->waiting_seconds, name,
               sum->busy_seconds, name, sum->busiest_seconds);
    }
    if (x->assumed_seconds > 0)
        printf("assumed_seconds\t%.17g\n", x->assumed_seconds);
    printf("wall_seconds\t%.6f\n", x->wall_seconds);
}

static void simulate_print(const struct simulate_found *x, const char *method)
{
    static const char *const names[] = {"cards, out", "cards, in", "memories"};
    const struct simulate_result *result = &x->result;
    printf("%d ranks of %zu jobs on %d nodes of %d x %d cores by %s: %llu messages in %.6g s\n",
           (int)x->workload->ranks, x->workload->count, (int)x->rates.nodes, (int)x->rates.packages,
           (int)x->rates.cores, method, (unsigned long long)result->queueing.sent,
           result->makespan_seconds);
    if (x->assumed_seconds > 0)
        printf("how long a program ran is not known: it is taken to send for %.6g s (--seconds)\n",
               x->assumed_seconds);
    printf("%-12s %8s %14s %14s %14s %14s\n", "", "servers", "messages", "waiting s", "longest s",
           "busiest");
    for (int k = 0; k < ROUTE_KINDS; k++) {
        const struct simulate_sum *sum = &result->kind[k];
        double share = result->makespan_seconds > 0
                           ? 100 * sum->busiest_seconds / result->makespan_seconds
                           : 0;
        if (sum->servers > 0)
            printf("%-12s %8d %14llu %14.6g %14.6g %8.1f %% %d\n", names[k], (int)sum->servers,
                   (unsigned long long)sum->messages, sum->waiting_seconds, sum->longest_wait,
                   share, (int)sum->busiest);
    }
    printf("waiting      %38.6g\n", result->waiting_seconds);
    printf("(%llu events, %.3g million a second)\n", (unsigned long long)result->queueing.events,
           x->wall_seconds > 0 ? 1e-6 * (double)result->queueing.events / x->wall_seconds : 0);
}

static int simulate_run_and_print(const struct simulate_request *r, struct simulate_found *x)
{
    struct reseat_error error;
    const char *method = r->mapping ? r->mapping : r->method ? r->method : "best";
    double start = clock_now();
    progress_say("simulate", "sending");
    int rc = simulate_run(x->workload, &x->rates, x->core_of, &r->options, &x->result, &error);
    progress_end();
    if (rc)
        return cli_fail(EXIT_TROUBLE, "simulate", "%s", error.text);
    x->wall_seconds = clock_now() - start;
    if (r->tsv)
        simulate_print_table(x, r->mapping ? "mapping" : method);
    else
        simulate_print(x, r->mapping ? "a file" : method);
    return 0;
}

int cmd_simulate(int argc, char **argv)
{
    struct simulate_request r = {0};
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
