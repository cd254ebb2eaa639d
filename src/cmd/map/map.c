/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c - `reseat map`: matrix and tree in, mapping and predicted cost out. */
#include <getopt.h>
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
#include "cmd/shell/scotch-module.h"
#include "cmd/commands.h"
#include "profile/settings.h"
#include "profile/profile.h"
#include "network/machine.h"
#include "simulate/workload.h"
#include "treematch/tmap.h"

/* Check which options fit together. */
static int check_request(const struct map_request *r)
{
    const char *inputs[] = {r->profile, r->matrix, r->workload, r->topology, r->costs};
    if (r->phase && !r->profile)
        return cli_fail(EXIT_USAGE, "map", "--phase is of a profile: --profile is needed");
    if (r->kind_is_given && !r->profile)
        return cli_fail(EXIT_USAGE, "map", "--kind is of a profile: --profile is needed");
    if (r->workload && r->emit)
        return cli_fail(EXIT_USAGE, "map", "--emit is for one job: --workload cannot be combined");
    if (r->hosts && !r->emit)
        return cli_fail(EXIT_USAGE, "map", "--hosts is for --emit");
    int status = map_check_layouts(r);
    if (!status)
        status = map_check_layout(r);
    if (!status && r->options.method && strcmp(r->options.method, map_tile_method) != 0)
        status = map_check_method(r->options.method, "map");
    if (!status && r->verbose &&
        (!r->options.method || strcmp(r->options.method, "treematch") != 0))
        status = cli_fail(EXIT_USAGE, "map", "-v shows the groups of --method treematch");
    if (status)
        return status;
    status = check_tree(r->tree, r->topology, r->costs, "map");
    if (!status && r->metric == RESEAT_METRIC_TIME && !names_timings(r->costs))
        return cli_fail(EXIT_USAGE, "map",
                        "--metric time needs the timings of a machine: --costs FILE");
    if (!status && r->objective == RESEAT_OBJECTIVE_TIME && !names_timings(r->costs))
        return cli_fail(EXIT_USAGE, "map",
                        "--objective time needs the timings of a machine: --costs FILE");
    return status ? status : check_output_name(r->output, inputs, 5, "map");
}

/* Parse the options. 0, or a status after an error message. */
static int map_parse_options(int argc, char **argv, struct map_request *r)
{
    const struct option_target targets[] = {{"profile", &r->profile, NULL},
                                            {"matrix", &r->matrix, NULL},
                                            {"workload", &r->workload, NULL},
                                            {"phase", &r->phase, NULL},
                                            {"kind", &r->kind, &r->kind_is_given},
                                            {"metric", &r->metric, &r->metric_is_given},
                                            {"tree", &r->tree, NULL},
                                            {"topology", &r->topology, NULL},
                                            {"costs", &r->costs, NULL},
                                            {"method", &r->options.method, NULL},
                                            {"objective", &r->objective, NULL},
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
                                            {"verbose", &r->verbose, NULL},
                                            {NULL, NULL, NULL}};
    int status = options_parse(&(struct options){.order = ":", .targets = targets}, argc, argv);
    if (names_timings(r->costs) && !r->metric_is_given)
        r->metric = RESEAT_METRIC_TIME;
    r->options.seconds = r->seconds;
    r->emit = r->format ? launcher_format_find(r->format) : NULL;
    return status;
}

static int map_parse(int argc, char **argv, struct map_request *r)
{
    int status = map_parse_options(argc, argv, r);
    if (status)
        return status;
    if (optind < argc)
        return cli_fail(EXIT_USAGE, "map", "'%s' is not expected", argv[optind]);
    if (r->emit && launcher_starts_by_srun(launcher_of_format(r->emit)))
        return cli_fail(EXIT_USAGE, "map",
                        "--emit hydra: in a job of Slurm Hydra starts the hosts by srun, which "
                        "obeys no order of them; use --emit slurm, or HYDRA_LAUNCHER=ssh");
    if (!!r->profile + !!r->matrix + !!r->workload != 1 && !(r->layout && r->ranks))
        return cli_fail(EXIT_USAGE, "map", "one of --profile, --matrix and --workload is needed");
    status = check_request(r);
    if (r->layout) {
        snprintf(r->layout_method, sizeof r->layout_method, "layout %s", r->layout);
        r->options.method = r->layout_method;
    }
    return status;
}

/* map_and_repair, and what had to be changed is printed. */
static enum tmap_status map_by_method(const struct tmap_matrix *matrix,
                                      const struct tmap_tree *tree,
                                      const struct tmap_options *options, int32_t *slot_of,
                                      struct tmap_error *error)
{
    char repairs[MAP_REPAIRS_SIZE];
    enum tmap_status status = map_and_repair(matrix, tree, options, slot_of, repairs, error);
    if (repairs[0])
        cli_fail(0, "map", "%s", repairs);
    return status;
}

/* `mapping`: what a method for jobs has found, or NULL. */
static int find_mapping(const struct map_request *r, struct map_result *x, const int32_t *mapping)
{
    const struct prediction_request request = {.role0 = r->options.method ? ROLE0_MOVES
                                                                          : ROLE0_STAYS_IF_FREE,
                                               .objective = r->objective,
                                               .options = &r->options,
                                               .map = map_by_method,
                                               .mapping = mapping,
                                               .by_metric = r->options.method != NULL};
    struct reseat_error error;
    int rc = prediction_find(&x->prediction, &request, &error);
    return rc ? cli_fail(EXIT_TROUBLE, "map", "%s", error.text) : 0;
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
        status = cli_fail(EXIT_TROUBLE, "map", "%s", error.text);
    if (!status)
        status = find_mapping(r, x, mapping);
    x->seconds = clock_now() - start;
    free(mapping);
    if (status)
        return status;
    return time_forecast_compare(&x->forecast, &x->prediction, &error)
               ? cli_fail(EXIT_TROUBLE, "map", "%s", error.text)
               : 0;
}

/* ---- results ---- */

/* Lines `role slot`; on seats a slot is named by the rank that was launched there. Of several jobs
 * `job role slot`. */
static int write_mapping(FILE *file, const struct map_result *x)
{
    if (x->workload && !x->has_seats) {
        reseat_workload_mapping_write(file, x->workload, x->prediction.best);
        return 0;
    }
    int32_t roles = tmap_matrix_roles(x->prediction.matrix);
    int32_t *rank_on = x->has_seats ? malloc(sizeof *rank_on * ((size_t)roles + 1)) : NULL;
    if (x->has_seats && !rank_on)
        return cli_fail(EXIT_TROUBLE, "map", "out of memory");
    for (int32_t rank = 0; rank_on && rank < roles; rank++)
        rank_on[x->prediction.launch[rank]] = rank;
    for (int32_t role = 0; role < roles; role++)
        fprintf(file, "%d %d\n", (int)role,
                (int)(rank_on ? rank_on[x->prediction.best[role]] : x->prediction.best[role]));
    free(rank_on);
    return 0;
}

/* Write the mapping or the launcher's file to --output; an existing file is replaced only by a
 * complete one. */
static int write_output(const struct map_request *r, const struct map_result *x)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return cli_fail(EXIT_TROUBLE, "map", "out of memory");
    int status = r->emit ? map_write_launcher_file(memory, r, x) : write_mapping(memory, x);
    if (fclose(memory) && !status)
        status = cli_fail(EXIT_TROUBLE, "map", "out of memory");
    if (!status)
        status = save_text(r->output, text, size, "map");
    free(text);
    return !status && r->emit && !r->tsv ? map_say_use(r, x) : status;
}

/* One line for each level with a network. */
static int print_loads(const struct map_result *x)
{
    const struct prediction *p = &x->prediction;
    const char *unit = x->metric == RESEAT_METRIC_MSG    ? "messages"
                       : x->metric == RESEAT_METRIC_TIME ? "ns"
                                                         : "B";
    struct reseat_error error;
    struct loads loads;
    char text[80], where[64];
    for (int level = 0; level < tmap_tree_depth(p->tree); level++) {
        if (tmap_tree_shape(p->tree, level, NULL) == TMAP_SHAPE_NONE)
            continue;
        if (loads_find(p, p->matrix, level, &loads, &error))
            return cli_fail(EXIT_TROUBLE, "map", "%s", error.text);
        printf("links %s: busiest %s", level_crossing(p->tree, level, where),
               amount_change(loads.busiest[p->launch ? 0 : 1], loads.busiest[1], unit, text));
        printf(", mean %s\n",
               amount_change(loads.mean[p->launch ? 0 : 1], loads.mean[1], unit, text));
    }
    return 0;
}

static int print_table(const struct map_result *x)
{
    const struct prediction *p = &x->prediction;
    struct reseat_error error;
    struct loads loads;
    if (loads_find(p, p->matrix, loads_main_level(p->tree), &loads, &error))
        return cli_fail(EXIT_TROUBLE, "map", "%s", error.text);
    printf("method\t%s\nranks\t%d\nslots\t%d\ncost\t%.17g\nhops\t%llu\nseconds\t%.6f\n"
           "identity_cost\t%.17g\n",
           p->method, (int)tmap_matrix_roles(p->matrix), (int)tmap_tree_slots(p->tree),
           p->after.cost, (unsigned long long)p->after.hops, x->seconds, p->before.cost);
    printf("busiest_link\t%.17g\nmean_link\t%.17g\nidentity_busiest_link\t%.17g\n",
           loads.busiest[1], loads.mean[1], loads.busiest[0]);
    time_forecast_write_table(stdout, &x->forecast);
    return 0;
}

/* Write standard output; a launcher's file without --output is all of it. */
static int map_print(const struct map_request *r, const struct map_result *x)
{
    if (r->layouts)
        return map_print_layouts(r, x);
    if (r->emit && !r->output)
        return map_write_launcher_file(stdout, r, x) || (!r->tsv && map_say_use(r, x))
                   ? EXIT_TROUBLE
                   : 0;
    if (r->ranks) {
        int status = map_print_layout(r, x);
        return status || r->output || r->tsv ? status : write_mapping(stdout, x);
    }
    int32_t n = tmap_matrix_roles(x->prediction.matrix);
    if (r->tsv)
        return print_table(x);
    printf("%d roles on %d slots by %s: predicted cost %.6g, in launch order %.6g (%+.1f %%), %.1f "
           "ms\n",
           (int)n, (int)tmap_tree_slots(x->prediction.tree), x->prediction.method,
           x->prediction.after.cost, x->prediction.before.cost,
           x->prediction.before.cost > 0
               ? 100 * (x->prediction.after.cost / x->prediction.before.cost - 1)
               : 0,
           1e3 * x->seconds);
    time_forecast_write(stdout, &x->forecast);
    int status = print_loads(x);
    return status || r->output ? status : write_mapping(stdout, x);
}

/* The same, which takes long with many ranks. */
static int map_solve_visibly(const struct map_request *r, struct map_result *x)
{
    if (x->prediction.matrix)
        progress_say("map", "mapping %d ranks", (int)tmap_matrix_roles(x->prediction.matrix));
    int status = map_solve(r, x);
    progress_end();
    return status;
}

int cmd_map(int argc, char **argv)
{
    struct map_request r = {.command = "map"};
    struct map_result x = {0};
    char lack[TIME_FORECAST_LACK_SIZE];
    tmap_options_init(&r.options, sizeof r.options);
    int status = map_parse(argc, argv, &r);
    if (!status)
        status = map_load_traffic(&r, &x);
    if (!status)
        status = map_load_target(&r, &x);
    if (!status && x.forecast.lack)
        cli_fail(0, "map", "%s", time_forecast_lack_text(&x.forecast, x.metric, lack));
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
