/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c - `reseat map`: matrix and tree in, mapping and predicted cost out. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cmd/shell/amount.h"
#include "cmd/map/map.h"
#include "cmd/shell/options.h"
#include "cmd/shell/progress.h"
#include "simulate/workload-mapping.h"
#include "predict/loads.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/output-file.h"
#include "cmd/shell/machine-load.h"
#include "cmd/shell/page-parts.h"
#include "cmd/shell/scotch-module.h"
#include "cmd/commands.h"
#include "page/sources.h"
#include "profile/settings.h"
#include "profile/profile.h"
#include "network/machine.h"
#include "simulate/workload.h"
#include "treematch/tmap.h"

/* The rules of the options in each mode: one job (FILE), several (--workload), a layout of
 * either (--layout), a layout by itself (--layout --ranks), and all layouts (--layouts). Pairs of
 * which any mode takes one are rows of options.c. */
static int map_check_modes(const struct map_request *r, struct reseat_error *error)
{
    const int has_traffic = r->profile || r->workload, is_alone = r->layout && !has_traffic;
    const char *method = r->options.method ? r->options.method : "";
    const struct {
        int is_wrong;
        const char *text;
    } rows[] = {
        {r->phase >= 0 && !r->profile, "--phase is of a profile"},
        {r->kind_is_given && !r->profile, "--kind is of a profile"},
        {r->emit && r->workload, "--emit is for one job: --workload cannot be combined"},
        {r->hosts && !r->emit, "--hosts is for --emit"},
        {r->ranks && !r->layout, "--ranks is for --layout"},
        {r->bind && !r->layout, "--bind is for --layout"},
        {r->oversubscribe && !r->layout, "--oversubscribe is for --layout"},
        {r->ranks && has_traffic, "--ranks is for --layout without traffic"},
        {r->oversubscribe && has_traffic, "--oversubscribe is for --layout with --ranks: without "
                                          "slots for all ranks nothing is predicted"},
        {r->costs && is_alone, "--costs needs a profile or a matrix"},
        {r->metric_is_given && is_alone, "--metric needs a profile or a matrix"},
        {r->verbose && strcmp(method, "treematch") != 0,
         "-v shows the groups of --method treematch"},
        {r->metric == RESEAT_METRIC_TIME && !r->timings,
         "--metric time needs the timings of a machine: --timings FILE"},
        {r->objective == RESEAT_OBJECTIVE_TIME && !r->timings,
         "--objective time needs the timings of a machine: --timings FILE"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].is_wrong)
            return cli_refuse(error, "%s", rows[i].text);
    return 0;
}

/* Check what is requested. 0, or a usage status after an error message. */
static int check_request(const struct map_request *r)
{
    struct reseat_error error;
    const char *inputs[] = {r->profile, r->workload, r->topology, r->timings};
    const struct named_output outputs[] = {
        {"tsv", r->tsv ? "-" : NULL},
        {"json", r->json},
        {r->output ? "output" : "emit", r->output || !r->emit ? r->output : "-"}};
    if (r->options.method && strcmp(r->options.method, map_tile_method) != 0 &&
        map_check_method(r->options.method))
        return EXIT_USAGE;
    int rc = map_check_modes(r, &error);
    if (!rc)
        rc = check_tree(r->tree, r->costs, &error);
    if (!rc)
        rc = check_outputs(outputs, 2, inputs, 4, &error);
    if (!rc)
        rc = check_outputs(outputs + 1, 2, inputs, 4, &error);
    return cli_status(rc, &error);
}

/* Parse the options. 0, or a status after an error message. */
static int map_parse_options(int argc, char **argv, struct map_request *r)
{
    const struct option_target targets[] = {{"workload", &r->workload, NULL},
                                            {"phase", &r->phase, NULL},
                                            {"kind", &r->kind, &r->kind_is_given},
                                            {"metric", &r->metric, &r->metric_is_given},
                                            {"tree", &r->tree, NULL},
                                            {"topology", &r->topology, NULL},
                                            {"costs", &r->costs, NULL},
                                            {"timings", &r->timings, NULL},
                                            {"method", &r->options.method, NULL},
                                            {"objective", &r->objective, NULL},
                                            {"keep-local", &r->keep_local, NULL},
                                            {"effort", &r->options.effort, NULL},
                                            {"seed", &r->options.seed, NULL},
                                            {"threads", &r->options.threads, NULL},
                                            {"seconds", &r->seconds, NULL},
                                            {"threshold", &r->options.group_threshold, NULL},
                                            {"buckets", &r->options.buckets, NULL},
                                            {"layout", &r->layout, NULL},
                                            {"layouts", &r->layouts, NULL},
                                            {"ranks", &r->ranks, NULL},
                                            {"bind", &r->bind, NULL},
                                            {"oversubscribe", &r->oversubscribe, NULL},
                                            {"emit", &r->format, NULL},
                                            {"hosts", &r->hosts, NULL},
                                            {"output", &r->output, NULL},
                                            {"tsv", &r->tsv, NULL},
                                            {"json", &r->json, NULL},
                                            {"verbose", &r->verbose, NULL},
                                            {NULL, NULL, NULL}};
    int status = options_parse(&(struct options){.order = ":", .targets = targets}, argc, argv);
    if (r->timings && !r->metric_is_given)
        r->metric = RESEAT_METRIC_TIME;
    r->options.seconds = r->seconds;
    r->emit = r->format ? launcher_format_find(r->format) : NULL;
    return status;
}

static int map_parse(int argc, char **argv, struct map_request *r)
{
    struct reseat_error error;
    int status = map_parse_options(argc, argv, r);
    if (status)
        return status;
    r->profile = optind < argc ? argv[optind++] : NULL;
    if (optind < argc)
        return cli_fail(EXIT_USAGE, "'%s' is not expected", argv[optind]);
    if (r->emit && launcher_starts_by_srun(launcher_of_format(r->emit)))
        return cli_fail(EXIT_USAGE,
                        "--emit hydra: in a job of Slurm Hydra starts the hosts by srun, which "
                        "obeys no order of them; use --emit slurm, or HYDRA_LAUNCHER=ssh");
    if (r->profile && r->workload)
        return cli_fail(EXIT_USAGE, "either FILE or --workload FILE");
    if (!r->profile && !r->workload && !(r->layout && r->ranks) &&
        (status = cli_status(find_default_profile(&r->profile, &error), &error)))
        return status;
    status = check_request(r);
    if (r->layout) {
        snprintf(r->layout_method, sizeof r->layout_method, "layout %s", r->layout);
        r->options.method = r->layout_method;
    }
    return status;
}

/* `mapping`: what a method for jobs has found, or NULL. */
static int find_mapping(const struct map_request *r, struct map_result *x, const int32_t *mapping)
{
    const struct prediction_request request = {.role0 = r->options.method ? ROLE0_MOVES
                                                                          : ROLE0_STAYS_IF_FREE,
                                               .objective = r->objective,
                                               .options = &r->options,
                                               .map = map_and_say_repairs,
                                               .mapping = mapping,
                                               .by_metric = r->options.method != NULL};
    struct reseat_error error;
    int rc = prediction_find(&x->prediction, &request, &error);
    return cli_status(rc, &error);
}

static int map_solve(const struct map_request *r, struct map_result *x)
{
    int32_t *mapping = NULL;
    struct reseat_error error;
    double start = clock_now();
    int is_of_jobs = r->options.method && map_is_job_method(r->options.method);
    int is_tile = r->options.method && strcmp(r->options.method, map_tile_method) == 0;
    if (r->ranks)
        return map_solve_layout(r, x);
    int status = r->layout ? map_lay_out(r, x, &mapping) : is_tile ? map_by_tile(x, &mapping) : 0;
    if (is_of_jobs && map_jobs(r, x, &mapping, &error))
        status = cli_status(-1, &error);
    if (!status)
        status = find_mapping(r, x, mapping);
    x->seconds = clock_now() - start;
    free(mapping);
    if (status)
        return status;
    return cli_status(time_forecast_compare(&x->forecast, &x->prediction, &error), &error);
}

/* ---- results ---- */

/* By role: its slot; on seats a slot is named by the rank that was launched there. Allocated; NULL:
 * out of memory. */
static int32_t *map_places(const struct map_result *x)
{
    const struct prediction *p = &x->prediction;
    int32_t roles = tmap_matrix_roles(p->matrix);
    int32_t *place = malloc(sizeof *place * ((size_t)roles + 1));
    int32_t *rank_on = x->has_seats ? malloc(sizeof *rank_on * ((size_t)roles + 1)) : NULL;
    int is_ok = place && (rank_on || !x->has_seats);
    for (int32_t rank = 0; is_ok && rank_on && rank < roles; rank++)
        rank_on[p->launch[rank]] = rank;
    for (int32_t role = 0; is_ok && role < roles; role++)
        place[role] = rank_on ? rank_on[p->best[role]] : p->best[role];
    free(rank_on);
    if (is_ok)
        return place;
    free(place);
    return NULL;
}

/* Lines `role slot'; of several jobs `job role slot'. 0, or -1 with *error. */
static int map_write_mapping(FILE *file, const struct map_result *x, struct reseat_error *error)
{
    if (x->workload && !x->has_seats) {
        reseat_workload_mapping_write(file, x->workload, x->prediction.best);
        return 0;
    }
    int32_t *place = map_places(x);
    for (int32_t role = 0; place && role < tmap_matrix_roles(x->prediction.matrix); role++)
        fprintf(file, "%d %d\n", (int)role, (int)place[role]);
    free(place);
    return place ? 0 : reseat_fail(error, "out of memory");
}

/* Write the mapping or the launcher's file to --output; an existing file is replaced only by a
 * complete one. */
static int write_output(const struct map_request *r, const struct map_result *x)
{
    struct reseat_error error;
    struct made_text made;
    int rc = made_text_open(&made, &error);
    if (rc == 0) {
        rc = r->emit ? map_write_launcher_file(made.file, r, x, &error)
                     : map_write_mapping(made.file, x, &error);
        rc = made_text_save(&made, r->output, rc, &error);
    }
    return !rc && r->emit && !r->tsv ? map_say_use(r, x) : cli_status(rc, &error);
}

/* ---- the document: doc/json.md says what the members mean ---- */

/* The links of a level, in launch order (where there is none, as mapped) and mapped. */
static int map_add_links(struct document *d, const char *key, const struct map_result *x, int level,
                         struct reseat_error *error)
{
    const struct prediction *p = &x->prediction;
    const char *unit = amount_unit(x->metric);
    struct loads loads;
    char text[80], where[64];
    if (loads_find(p, p->matrix, level, &loads, error))
        return -1;
    int first = p->launch ? 0 : 1;
    document_open(d, key, '{');
    document_text(d, "crossing", level_crossing(p->tree, level, where));
    document_numbers(d, "busiest", 2, loads.busiest);
    document_numbers(d, "mean", 2, loads.mean);
    document_text(d, "@busiest", amount_change(loads.busiest[first], loads.busiest[1], unit, text));
    document_text(d, "@mean", amount_change(loads.mean[first], loads.mean[1], unit, text));
    document_close(d);
    return 0;
}

static int map_add_prediction(struct document *d, const struct map_result *x,
                              struct reseat_error *error)
{
    const struct prediction *p = &x->prediction;
    const double cost[2] = {p->before.cost, p->after.cost};
    int rc = 0;
    document_numbers(d, "cost", 2, cost);
    const double percent = cost[0] > 0 ? 100 * (cost[1] / cost[0] - 1) : 0;
    document_number(d, "@percent", fabs(percent) < 0.05 ? 0 : percent);
    document_integer(d, "hops", p->after.hops);
    document_number(d, "@milliseconds", 1e3 * x->seconds);
    time_forecast_add(d, &x->forecast, -1);
    document_open(d, "links", '[');
    for (int level = 0; rc == 0 && level < tmap_tree_depth(p->tree); level++)
        if (tmap_tree_shape(p->tree, level, NULL) != TMAP_SHAPE_NONE)
            rc = map_add_links(d, NULL, x, level, error);
    document_close(d);
    return rc ? rc : map_add_links(d, "@links", x, loads_main_level(p->tree), error);
}

/* By job, rank after rank; traffic that is not of a workload is one job. */
static void map_add_places(struct document *d, const struct map_result *x, const int32_t *place)
{
    const struct reseat_job one = {.ranks = tmap_matrix_roles(x->prediction.matrix)};
    int is_workload = x->workload && !x->has_seats;
    size_t count = is_workload ? x->workload->count : 1;
    document_boolean(d, "@are_several", count > 1);
    document_open(d, "jobs", '[');
    for (size_t j = 0; j < count; j++) {
        const struct reseat_job *job = is_workload ? &x->workload->jobs[j] : &one;
        document_open(d, NULL, '{');
        document_integer(d, "@job", j);
        document_text(d, "name", job->name);
        document_integer(d, "ranks", (uint64_t)job->ranks);
        document_ordinals(d, "place_of_rank", job->ranks, place + job->first);
        document_close(d);
    }
    document_close(d);
}

/* 0, or -1 with *error. */
static int map_fill(struct document *d, const struct map_request *r, const struct map_result *x,
                    struct reseat_error *error)
{
    const struct prediction *p = &x->prediction;
    int32_t *place = map_places(x);
    int rc = place ? 0 : reseat_fail(error, "out of memory");
    document_integer(d, "reseat_map", 1);
    document_text(d, "method", p->method);
    document_integer(d, "ranks", (uint64_t)tmap_matrix_roles(p->matrix));
    document_integer(d, "slots", (uint64_t)tmap_tree_slots(p->tree));
    document_number(d, "seconds", x->seconds);
    document_boolean(d, "@is_predicted", !r->ranks);
    if (rc == 0 && !r->ranks)
        rc = map_add_prediction(d, x, error);
    document_text(d, "places", x->has_seats ? "ranks" : "slots");
    document_boolean(d, "@is_shown", !r->output);
    if (place)
        map_add_places(d, x, place);
    free(place);
    return rc;
}

/* ---- all ---- */

/* Write standard output, which without --output is a launcher's file if one is requested, and the
 * JSON. */
static int map_print(const struct map_request *r, const struct map_result *x)
{
    const int is_file = r->emit && !r->output;
    struct reseat_error error;
    struct document document;
    if (is_file && map_write_launcher_file(stdout, r, x, &error))
        return cli_status(-1, &error);
    if (is_file && !r->tsv && map_say_use(r, x))
        return EXIT_TROUBLE;
    if (is_file && !r->json)
        return 0;
    document_init(&document);
    const char *source = r->layouts ? r->tsv ? page_layouts_tsv : page_layouts_txt
                         : r->tsv   ? page_map_tsv
                                    : page_map_txt;
    int rc = (r->layouts ? map_fill_layouts : map_fill)(&document, r, x, &error);
    if (!rc)
        rc = is_file ? page_save(r->json, page_write_json, &document, &error)
                     : page_write_result(&document, r->json, source, &error);
    document_free(&document);
    return cli_status(rc, &error);
}

/* The same, which takes long with many ranks. */
static int map_solve_visibly(const struct map_request *r, struct map_result *x)
{
    if (x->prediction.matrix)
        progress_say("mapping %d ranks", (int)tmap_matrix_roles(x->prediction.matrix));
    int status = map_solve(r, x);
    progress_end();
    return status;
}

int cmd_map(int argc, char **argv)
{
    struct map_request r = {.phase = -1};
    struct map_result x = {0};
    char lack[TIME_FORECAST_LACK_SIZE];
    tmap_options_init(&r.options, sizeof r.options);
    int status = map_parse(argc, argv, &r);
    if (!status)
        status = map_load_traffic(&r, &x);
    if (!status)
        status = map_load_target(&r, &x);
    if (!status && x.forecast.lack)
        cli_fail(0, "%s", time_forecast_lack_text(&x.forecast, x.metric, lack));
    if (!status && r.emit)
        status = map_find_seats(&r, &x);
    if (!status)
        status = map_solve_visibly(&r, &x);
    if (!status && r.verbose)
        status = map_show_groups(&r, &x);
    if (!status && r.emit && r.layout)
        status = map_bind_seats(&r, &x);
    if (!status && r.output)
        status = write_output(&r, &x);
    if (!status)
        status = map_print(&r, &x);
    prediction_close(&x.prediction);
    time_forecast_close(&x.forecast);
    reseat_profile_destroy(x.traffic);
    reseat_workload_destroy(x.workload);
    free(x.seats);
    free(x.host_names);
    free(x.binding);
    reseat_machine_destroy(x.machine);
    return status;
}
