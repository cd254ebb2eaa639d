/* SPDX-License-Identifier: BSD-3-Clause */
/* compare-case.c - see compare.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cmd/compare/compare.h"
#include "predict/loads.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/machine-load.h"
#include "cmd/shell/scotch-module.h"
#include "profile/profile.h"
#include "network/machine.h"
#include "simulate/workload.h"
#include "treematch/tmap.h"

int32_t compare_ranks(const struct compare_pattern *pattern, const struct compare_machine *machine)
{
    const struct reseat_profile *traffic = pattern->traffic;
    int64_t most = machine->room < GENERATE_MOST_ROLES ? machine->room : GENERATE_MOST_ROLES;
    int has_seats = !machine->tree && names_switches(machine->topology);
    if (!traffic)
        return (int32_t)most;
    return has_seats ? (traffic->seats ? traffic->ranks : 0)
                     : (traffic->ranks <= machine->room ? traffic->ranks : 0);
}

void compare_begin_case(struct compare_case *c, const struct compare_request *r,
                        const struct compare_pattern *pattern,
                        const struct compare_machine *machine, enum reseat_metric metric)
{
    *c = (struct compare_case){.request = r,
                               .map = {.profile = pattern->name,
                                       .tree = machine->tree,
                                       .topology = machine->topology,
                                       .costs = machine->costs,
                                       .timings = r->timings,
                                       .phase = -1,
                                       .metric = metric}};
    tmap_options_init(&c->map.options, sizeof c->map.options);
    c->map.options.seed = r->seed;
}

int compare_check_timings(const struct compare_case *c, const char *machine)
{
    const struct time_forecast *forecast = &c->found.forecast;
    return forecast->lack
               ? cli_fail(EXIT_TROUBLE,
                          "how long messages take on %s is not known, because %s has no %s: "
                          "without it, bytes are compared",
                          machine, forecast->path, forecast->lack)
               : 0;
}

int compare_open_case(struct compare_case *c, const struct compare_request *r,
                      const struct compare_row *row)
{
    const struct compare_pattern *pattern = &r->pattern[row->pattern];
    struct reseat_error error;
    compare_begin_case(c, r, pattern, &r->machine[row->machine],
                       (enum reseat_metric)r->metric[row->metric]);
    if (!pattern->traffic &&
        load_pattern(&c->made, pattern->name, &pattern->generator, row->ranks, r->seed, &error))
        return cli_status(-1, &error);
    c->found.traffic = c->made ? c->made : pattern->traffic;
    if (prediction_set_profile(&c->found.prediction, c->found.traffic, c->map.metric, &error))
        return cli_fail(EXIT_TROUBLE, "%s: %s", pattern->name, error.text);
    int status = map_load_target(&c->map, &c->found);
    return status ? status : compare_check_timings(c, r->machine[row->machine].name);
}

void compare_close_case(struct compare_case *c)
{
    prediction_close(&c->found.prediction);
    time_forecast_close(&c->found.forecast);
    reseat_workload_destroy(c->found.workload);
    reseat_machine_destroy(c->found.machine);
    reseat_profile_destroy(c->made);
    free(c->slot_of);
    *c = (struct compare_case){.request = NULL};
}

/* ---- a mapping ---- */

static int32_t *compare_new_slots(const struct compare_case *c)
{
    return malloc(((size_t)c->found.traffic->ranks + 1) * sizeof(int32_t));
}

/* The launch order. 0, or -1 with *error. */
static int compare_launch(struct compare_case *c, struct reseat_error *error)
{
    const int32_t *launch = c->found.prediction.launch;
    if (!launch)
        return reseat_fail(error, "rank r cannot be launched on slot r");
    c->slot_of = compare_new_slots(c);
    if (!c->slot_of)
        return reseat_fail(error, "out of memory");
    memcpy(c->slot_of, launch, (size_t)c->found.traffic->ranks * sizeof *launch);
    return 0;
}

/* By a layout, or a method that knows one job. 0, or -1 with *error. */
static int compare_map_ranks(struct compare_case *c, const struct listed_method *method,
                             struct reseat_error *error)
{
    const struct prediction *p = &c->found.prediction;
    const struct tmap_layout layout = {.size = sizeof layout, .text = method->layout};
    struct tmap_error why = {"out of memory"};
    char repairs[MAP_REPAIRS_SIZE] = "";
    enum tmap_status status = TMAP_ENOMEM;
    c->slot_of = compare_new_slots(c);
    if (c->slot_of)
        status =
            method->layout
                ? tmap_mapping_lay_out(p->tree, &layout, c->found.traffic->ranks, c->slot_of, &why)
                : map_and_repair(p->matrix, p->tree, &c->map.options, c->slot_of, repairs, &why);
    if (repairs[0])
        cli_fail(0, "%s by %s: %s", c->map.profile, method->name, repairs);
    return status ? reseat_fail(error, "%s", why.text) : 0;
}

static int compare_find_mapping(struct compare_case *c, const struct listed_method *method,
                                struct reseat_error *error)
{
    c->map.options.method = method->layout ? NULL : method->name;
    if (strcmp(method->name, METHOD_LAUNCH) == 0)
        return compare_launch(c, error);
    if (!method->layout && map_is_job_method(method->name))
        return map_jobs(&c->map, &c->found, &c->slot_of, error);
    return compare_map_ranks(c, method, error);
}

/* ---- what it costs ---- */

/* 0, or -1 with *error. */
static int compare_evaluate(const struct compare_case *c, struct compare_row *row,
                            struct reseat_error *error)
{
    struct prediction p = c->found.prediction; /* of this mapping alone, no launch order */
    struct time_forecast forecast = c->found.forecast;
    struct loads loads;
    struct tmap_cost cost;
    struct tmap_error why;
    p.launch = NULL;
    p.best = c->slot_of;
    if (tmap_mapping_evaluate(p.matrix, p.tree, c->slot_of, &cost, &why))
        return reseat_fail(error, "%s", why.text);
    if (loads_find(&p, p.matrix, loads_main_level(p.tree), &loads, error) ||
        time_forecast_compare(&forecast, &p, error))
        return -1;
    row->cost = cost.cost;
    row->hops = cost.hops;
    row->busiest = loads.busiest[1];
    if (forecast.timings) {
        row->seconds = forecast.seconds[1].estimate;
        row->card_seconds = forecast.seconds[1].longest[TIME_CARD];
    }
    return 0;
}

int compare_map(struct compare_case *c, struct compare_row *row, struct reseat_error *error)
{
    const struct listed_method *method = &c->request->method[row->method];
    row->ranks = c->found.traffic->ranks;
    row->hops = 0;
    row->cost = row->seconds = row->busiest = row->map_seconds = row->card_seconds = NAN;
    c->map.options.effort = (enum tmap_effort)c->request->effort[row->effort];
    free(c->slot_of);
    c->slot_of = NULL;
    double start = clock_processor();
    if (compare_find_mapping(c, method, error))
        return -1;
    double seconds = clock_processor() - start;
    if (compare_evaluate(c, row, error))
        return -1;
    row->map_seconds = seconds;
    return 0;
}
