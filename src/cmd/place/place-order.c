/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place-order.c - which rank gets which seat, for a placement at launch (place.h).
 *
 * Open MPI binds each rank individually. Hydra and Slurm have one list of PUs for all hosts and
 * apply it in order of rank: with these, and when only hosts count, the ranks of a host take its
 * seats in that order (order_sort_on_hosts), and the predicted gain is that of the resulting order.
 * A layout is the same on equal hosts, so the list can have its order.
 */
#include <stdlib.h>

#include "cmd/place/place.h"
#include "profile/gain.h"
#include "profile/order.h"
#include "cmd/shell/complain.h"

/* Make the tree of the seats, with a slot for each rank as launched. */
static int order_make_tree(struct placement *p)
{
    struct reseat_location *locations = probe_locations(&p->probe, p->by_core);
    p->prediction.keep_local = p->settings->keep_local;
    int rc = locations
                 ? prediction_set_locations(&p->prediction, locations, &p->probe.network, &p->error)
                 : reseat_fail(&p->error, "out of memory");
    enum reseat_metric metric = p->settings->metric;
    char lack[TIME_FORECAST_LACK_SIZE];
    int had_timings = p->forecast.timings != NULL;
    free(locations);
    rc = rc ? rc : time_forecast_set(&p->forecast, &p->prediction, &metric, &p->error);
    if (had_timings && p->forecast.lack && p->settings->verbose >= 1)
        cli_fail(0, "%s", time_forecast_lack_text(&p->forecast, metric, lack));
    return rc;
}

/* ---- choosing the seats ---- */

/* The order of RESEAT_MAPPING. */
static int order_read(struct placement *p)
{
    return reseat_order_read(p->seat_of, p->probe.ranks, p->settings->mapping, &p->error);
}

/* Find the best order for the tree; rank 0, which has standard input, stays if that costs
 * nothing. */
static int order_find(struct placement *p)
{
    const struct prediction_request request = {.role0 = ROLE0_STAYS_IF_FREE,
                                               .objective = p->settings->objective,
                                               .method = prediction_method_of(p->settings)};
    return prediction_find(&p->prediction, &request, &p->error) ||
                   prediction_order(&p->prediction, p->seat_of, &p->error)
               ? -1
               : 0;
}

/* The order of a layout, of the ranks on the seats that there are. */
static int order_lay_out(struct placement *p)
{
    const struct tmap_layout layout = {.size = sizeof layout, .text = p->layout};
    struct tmap_error why = {"out of memory"};
    int32_t *slot_of = malloc(sizeof *slot_of * (size_t)p->probe.ranks);
    if (!slot_of ||
        tmap_mapping_lay_out(p->prediction.tree, &layout, p->probe.ranks, slot_of, &why)) {
        free(slot_of);
        return reseat_fail(&p->error, "%s", why.text);
    }
    free(p->prediction.best);
    p->prediction.best = slot_of;
    return prediction_order(&p->prediction, p->seat_of, &p->error);
}

/* On each host, give the lowest rank the first seat, and so on. */
static int order_sort_on_hosts(struct placement *p)
{
    int32_t ranks = p->probe.ranks, first = 0;
    int32_t *seats = malloc(sizeof *seats * (size_t)ranks);
    int32_t *next = malloc(sizeof *next * (size_t)p->probe.hosts);
    if (!seats || !next) {
        free(seats);
        free(next);
        return reseat_fail(&p->error, "out of memory");
    }
    for (int32_t host = 0; host < p->probe.hosts; first += p->probe.host[host++].ranks)
        next[host] = first;
    for (int32_t rank = 0; rank < ranks; rank++)
        seats[next[p->probe.seat[rank].host]++] = rank;
    first = 0;
    for (int32_t host = 0; host < p->probe.hosts; first += p->probe.host[host++].ranks)
        next[host] = first;
    for (int32_t rank = 0; rank < ranks; rank++)
        p->seat_of[rank] = seats[next[p->probe.seat[p->seat_of[rank]].host]++];
    free(seats);
    free(next);
    return 0;
}

static int order_predict(struct placement *p)
{
    if (prediction_judge(&p->prediction, p->seat_of, &p->error) ||
        time_forecast_compare(&p->forecast, &p->prediction, &p->error))
        return -1;
    p->worth.gain = time_forecast_gain(&p->forecast, &p->prediction);
    p->worth.min_gain = p->settings->min_gain;
    for (int i = 0; i < 2; i++)
        p->worth.seconds[i] = p->forecast.seconds[i].estimate;
    p->cost_gain = p->forecast.timings
                       ? p->worth.gain
                       : reseat_gain(p->prediction.before.cost, p->prediction.after.cost);
    return 0;
}

static void order_fill_seats(struct placement *p)
{
    for (int32_t rank = 0; rank < p->probe.ranks; rank++) {
        const struct probe_seat *seat = &p->probe.seat[p->seat_of[rank]];
        p->seats[rank] = (struct emit_seat){.host = p->probe.host[seat->host].name, .core = -1};
        if (p->by_core) {
            p->seats[rank].slots = p->by_thread ? seat->pus : seat->cores;
            p->seats[rank].cpus = seat->cpus;
        }
    }
}

/* The cost of the traffic if rank r is at locations[r] (NULL: out of memory). */
static int order_cost(const struct placement *p, const struct reseat_location *locations,
                      const struct reseat_network *network, struct tmap_cost *cost,
                      struct reseat_error *error)
{
    struct tmap_tree *tree = NULL;
    struct tmap_error why = {"out of memory"};
    int32_t *slot_of = malloc((size_t)p->probe.ranks * sizeof *slot_of);
    int rc = locations && slot_of
                 ? reseat_location_tree(&tree, locations, p->probe.ranks, network, slot_of, error)
                 : reseat_fail(error, "%s", why.text);
    if (rc == 0 && tmap_mapping_evaluate(p->prediction.matrix, tree, slot_of, cost, &why))
        rc = reseat_fail(error, "%s", why.text);
    tmap_tree_destroy(tree);
    free(slot_of);
    return rc;
}

/* The gain if Hydra must come back to a host, comparing nodes only: MPI then takes each start of a
 * host for a node of its own, so ranks of one host that were started separately are as far apart as
 * two nodes below its switch. */
int placement_order_in_pieces(struct placement *p)
{
    struct reseat_network network = {0};
    struct tmap_cost before, after;
    struct reseat_location *hosts = probe_locations(&p->probe, 0), *starts = NULL;
    int32_t *start_of = malloc((size_t)p->probe.ranks * sizeof *start_of);
    for (int32_t r = 0; start_of && r < p->probe.ranks; r++)
        start_of[r] = r ? start_of[r - 1] + !emit_same_host(p->seats, r - 1, r) : 0;
    if (start_of)
        starts = probe_locations_of_starts(&p->probe, p->seat_of, start_of, &network);
    int rc = order_cost(p, hosts, &p->probe.network, &before, &p->error) ||
             order_cost(p, starts, &network, &after, &p->error);
    p->worth.seconds[0] = p->worth.seconds[1] = 0;
    if (rc == 0)
        p->worth.gain = p->cost_gain = reseat_gain(before.cost, after.cost);
    reseat_network_free(&network);
    free(hosts);
    free(starts);
    free(start_of);
    return rc ? -1 : 0;
}

static int order_once(struct placement *p)
{
    int sorts = !p->by_core || (p->format->list != LAUNCHER_NO_LIST && !p->layout);
    if (order_make_tree(p) ||
        (p->layout                 ? order_lay_out(p)
         : p->settings->mapping[0] ? order_read(p)
                                   : order_find(p)) ||
        (sorts && order_sort_on_hosts(p)))
        return -1;
    order_fill_seats(p);
    return order_predict(p);
}

/* By PUs if the file can name them, or if one list serves all hosts; else by hosts. */
int placement_order(struct placement *p)
{
    const struct launcher *launcher = p->job.launcher;
    char *list;
    p->by_core &= launcher->by_core && !(p->by_thread && launcher->by_core->cores_only);
    p->format = p->by_core ? launcher->by_core : launcher->by_host;
    if (order_once(p))
        return -1;
    if (!p->by_core || p->format->list == LAUNCHER_NO_LIST)
        return 0;
    if (emit_binding(&list, p->format, p->seats, p->probe.ranks))
        return reseat_fail(&p->error, "out of memory");
    free(list);
    p->by_core = list != NULL;
    p->format = p->by_core ? launcher->by_core : launcher->by_host;
    return list ? 0 : order_once(p);
}
