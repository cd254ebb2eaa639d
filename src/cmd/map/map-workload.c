/* SPDX-License-Identifier: BSD-3-Clause */
/* map-workload.c - see map.h: several jobs on one machine, and the methods that map jobs
 * (simulate/workload-map.h). */
#include <stdlib.h>
#include <string.h>

#include "cmd/map/map.h"
#include "simulate/workload-map.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "simulate/workload.h"
#include "treematch/tmap.h"

static const char map_physical[] = "physical";

static int map_is_of_libtmap(const char *method)
{
    const char *name;
    int i = 0;
    while (tmap_method_describe(i, &name, NULL) && strcmp(method, name) != 0)
        i++;
    return tmap_method_describe(i, NULL, NULL);
}

const char *map_job_method(int index)
{
    const char *name;
    for (int i = 0; (name = workload_method_name(i)); i++)
        if (!map_is_of_libtmap(name) && index-- == 0)
            return name;
    return index == 0 ? map_physical : NULL;
}

int map_is_job_method(const char *method)
{
    const char *name;
    for (int i = 0; (name = map_job_method(i)); i++)
        if (strcmp(method, name) == 0)
            return 1;
    return 0;
}

int map_load_workload(const struct map_request *r, struct map_result *x)
{
    struct reseat_error error;
    int status = cli_status(load_workload(&x->workload, r->workload, r->output, &error), &error);
    if (!status && x->workload->taken_nodes)
        return cli_fail(EXIT_USAGE, "cores that are taken are for reseat simulate --method");
    if (!status && reseat_workload_profile(&x->traffic, x->workload, &error))
        status = cli_status(-1, &error);
    return status;
}

/* The jobs of the request: those of the workload, or the traffic as one. 0, or -1 with *error. */
static int map_find_jobs(const struct map_request *r, struct map_result *x,
                         struct reseat_error *error)
{
    return x->workload ? 0
                       : reseat_workload_of_profile(&x->workload, x->traffic, r->profile, 0, error);
}

int map_jobs(const struct map_request *r, struct map_result *x, int32_t **slot_of,
             struct reseat_error *error)
{
    const struct simulate_options options = {.queueing.seed = r->options.seed};
    struct reseat_rates rates;
    struct reseat_error why = {"out of memory"};
    if (strcmp(r->options.method, map_physical) == 0)
        return map_by_numbers(r, x, slot_of, error);
    int32_t *found = malloc(((size_t)x->traffic->ranks + 1) * sizeof *found);
    reseat_rates_init(&rates);
    if (!found || map_find_jobs(r, x, &why) ||
        reseat_rates_set_shape(&rates, x->prediction.tree, &why) ||
        workload_map(x->workload, &rates, r->options.method, &options, found, &why)) {
        free(found);
        return reseat_fail(error, "--method %s: %s", r->options.method, why.text);
    }
    *slot_of = found;
    return 0;
}
