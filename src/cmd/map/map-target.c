/* SPDX-License-Identifier: BSD-3-Clause */
/* map-target.c - see map.h: the traffic, and the machine that it is mapped to. */
#include <stdlib.h>

#include "cmd/map/map.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/machine-load.h"
#include "cmd/shell/profile-seats.h"
#include "network/location.h"
#include "treematch/tmap.h"

int map_load_traffic(const struct map_request *r, struct map_result *x)
{
    struct reseat_error error;
    const struct traffic_part part = {r->metric, r->phase, r->kind_is_given ? r->kind : -1,
                                      r->options.seed};
    if (r->ranks)
        return map_load_ranks(r, x);
    int status = r->workload
                     ? map_load_workload(r, x)
                     : cli_status(load_part(&x->traffic, r->profile, &part, &error), &error);
    if (status)
        return status;
    return cli_status(prediction_set_profile(&x->prediction, x->traffic, r->metric, &error),
                      &error);
}

/* Rank r on slot r; NULL if the tree does not allow it. 0, or -1 with *error. */
static int map_launch_in_order(int32_t **result, const struct tmap_tree *tree, int32_t ranks,
                               struct reseat_error *error)
{
    int32_t *launch = malloc(sizeof *launch * ((size_t)ranks + 1));
    if (!launch)
        return reseat_fail(error, "out of memory");
    for (int32_t rank = 0; rank < ranks; rank++)
        launch[rank] = rank;
    if (!tmap_mapping_is_valid(tree, ranks, launch)) {
        free(launch);
        launch = NULL;
    }
    *result = launch;
    return 0;
}

/* The seats of the profile. 0, or -1 with *error. */
static int map_load_seats(const struct map_request *r, struct map_result *x,
                          struct reseat_error *error)
{
    struct reseat_location *locations = NULL;
    struct reseat_network network = {0};
    /* A layout is taken as it is. */
    x->prediction.keep_local = r->layout ? RESEAT_KEEP_LOCAL_NO : r->keep_local;
    int rc = seats_locations(x->traffic, r->topology, &locations, &network, error) ||
             prediction_set_locations(&x->prediction, locations, &network, error) ||
             (r->costs && set_costs(&x->prediction.tree, r->costs, error));
    reseat_network_free(&network);
    free(locations);
    return rc ? -1 : 0;
}

/* The requested machine, or this one. 0, or -1 with *error. */
static int map_load_machine(const struct map_request *r, struct map_result *x,
                            struct reseat_error *error)
{
    struct tmap_tree *tree;
    int32_t *launch = NULL;
    if (load_tree(&tree, &x->machine, r->tree, r->topology, r->costs, error))
        return -1;
    int rc = map_launch_in_order(&launch, tree, x->traffic->ranks, error);
    prediction_set_tree(&x->prediction, tree, launch);
    return rc;
}

int map_load_target(const struct map_request *r, struct map_result *x)
{
    struct reseat_error error;
    int switches = !r->tree && names_switches(r->topology);
    if (switches && !x->traffic->seats)
        return cli_fail(EXIT_TROUBLE, "%s names hosts, and the traffic comes without any",
                        r->topology);
    x->has_seats = switches || ((r->emit || r->layouts) && !r->tree && !r->topology &&
                                x->traffic->seats != NULL);
    if (x->has_seats ? map_load_seats(r, x, &error) : map_load_machine(r, x, &error))
        return cli_status(-1, &error);
    int64_t room = tmap_tree_capacity(x->prediction.tree);
    if (!r->tree && !r->topology && room < x->traffic->ranks && !r->oversubscribe)
        return cli_fail(EXIT_TROUBLE,
                        "%d ranks, but this machine takes %lld: name another one by --tree or "
                        "--topology",
                        (int)x->traffic->ranks, (long long)room);
    x->metric = r->metric;
    return cli_status(time_forecast_open(&x->forecast, r->timings, x->traffic, &error) ||
                          time_forecast_set(&x->forecast, &x->prediction, &x->metric, &error),
                      &error);
}
