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

/* Make the tree of the seats, with a slot for each rank as launched. 0, or -1 with *error. */
static int order_make_tree(struct place_model *m, const struct probe *probe, int by_core,
                           const struct reseat_settings *settings, struct reseat_error *error)
{
    struct reseat_location *locations = probe_locations(probe, by_core);
    m->prediction.keep_local = settings->keep_local;
    int rc = locations ? prediction_set_locations(&m->prediction, locations, &probe->network, error)
                       : reseat_fail(error, "out of memory");
    enum reseat_metric metric = settings->metric;
    char lack[TIME_FORECAST_LACK_SIZE];
    int had_timings = m->forecast.timings != NULL;
    free(locations);
    rc = rc ? rc : time_forecast_set(&m->forecast, &m->prediction, &metric, error);
    if (had_timings && m->forecast.lack && settings->verbose >= 1)
        cli_fail(0, "%s", time_forecast_lack_text(&m->forecast, metric, lack));
    return rc;
}

/* ---- choosing the seats ---- */

/* Find the best order for the tree; rank 0, which has standard input, stays if that costs nothing.
 * 0, or -1 with *error. */
static int order_search(int32_t *seat_of, struct prediction *prediction,
                        const struct reseat_settings *settings, struct reseat_error *error)
{
    const struct prediction_request request = {.role0 = ROLE0_STAYS_IF_FREE,
                                               .objective = settings->objective,
                                               .method = prediction_method_of(settings)};
    return prediction_find(prediction, &request, error) ||
                   prediction_order(prediction, seat_of, error)
               ? -1
               : 0;
}

/* The order of a layout, of the ranks on the seats that there are. 0, or -1 with *error. */
static int order_lay_out(int32_t *seat_of, struct prediction *prediction, const char *text,
                         int32_t ranks, struct reseat_error *error)
{
    const struct tmap_layout layout = {.size = sizeof layout, .text = text};
    struct tmap_error why = {"out of memory"};
    int32_t *slot_of = malloc(sizeof *slot_of * (size_t)ranks);
    if (!slot_of || tmap_mapping_lay_out(prediction->tree, &layout, ranks, slot_of, &why)) {
        free(slot_of);
        return reseat_fail(error, "%s", why.text);
    }
    free(prediction->best);
    prediction->best = slot_of;
    return prediction_order(prediction, seat_of, error);
}

/* By the layout, by RESEAT_MAPPING, or the best one. 0, or -1 with *error. */
static int order_choose(struct place_order *o, struct prediction *prediction,
                        const struct place_input *input, struct reseat_error *error)
{
    if (input->layout)
        return order_lay_out(o->seat_of, prediction, input->layout, o->ranks, error);
    return input->settings->mapping[0]
               ? reseat_order_read(o->seat_of, o->ranks, input->settings->mapping, error)
               : order_search(o->seat_of, prediction, input->settings, error);
}

/* On each host, give the lowest rank the first seat, and so on. */
static int order_sort_on_hosts(int32_t *seat_of, const struct probe *probe,
                               struct reseat_error *error)
{
    int32_t ranks = probe->ranks, first = 0;
    int32_t *seats = malloc(sizeof *seats * (size_t)ranks);
    int32_t *next = malloc(sizeof *next * (size_t)probe->hosts);
    if (!seats || !next) {
        free(seats);
        free(next);
        return reseat_fail(error, "out of memory");
    }
    for (int32_t host = 0; host < probe->hosts; first += probe->host[host++].ranks)
        next[host] = first;
    for (int32_t rank = 0; rank < ranks; rank++)
        seats[next[probe->seat[rank].host]++] = rank;
    first = 0;
    for (int32_t host = 0; host < probe->hosts; first += probe->host[host++].ranks)
        next[host] = first;
    for (int32_t rank = 0; rank < ranks; rank++)
        seat_of[rank] = seats[next[probe->seat[seat_of[rank]].host]++];
    free(seats);
    free(next);
    return 0;
}

static int order_predict(struct place_model *m, const int32_t *seat_of, double min_gain,
                         struct reseat_error *error)
{
    if (prediction_judge(&m->prediction, seat_of, error) ||
        time_forecast_compare(&m->forecast, &m->prediction, error))
        return -1;
    m->worth.gain = time_forecast_gain(&m->forecast, &m->prediction);
    m->worth.min_gain = min_gain;
    for (int i = 0; i < 2; i++)
        m->worth.seconds[i] = m->forecast.seconds[i].estimate;
    m->cost_gain = m->forecast.timings
                       ? m->worth.gain
                       : reseat_gain(m->prediction.before.cost, m->prediction.after.cost);
    return 0;
}

static void order_fill_seats(struct place_order *o, const struct probe *probe)
{
    for (int32_t rank = 0; rank < o->ranks; rank++) {
        const struct probe_seat *seat = &probe->seat[o->seat_of[rank]];
        o->seats[rank] = (struct emit_seat){.host = probe->host[seat->host].name, .core = -1};
        if (o->by_core) {
            o->seats[rank].slots = o->by_thread ? seat->pus : seat->cores;
            o->seats[rank].cpus = seat->cpus;
        }
    }
}

/* The cost of the traffic if rank r is at locations[r] (NULL: out of memory). */
static int order_cost(const struct tmap_matrix *matrix, const struct reseat_location *locations,
                      const struct reseat_network *network, struct tmap_cost *cost,
                      struct reseat_error *error)
{
    struct tmap_tree *tree = NULL;
    struct tmap_error why = {"out of memory"};
    int32_t ranks = tmap_matrix_roles(matrix);
    int32_t *slot_of = malloc((size_t)ranks * sizeof *slot_of);
    int rc = locations && slot_of
                 ? reseat_location_tree(&tree, locations, ranks, network, slot_of, error)
                 : reseat_fail(error, "%s", why.text);
    if (rc == 0 && tmap_mapping_evaluate(matrix, tree, slot_of, cost, &why))
        rc = reseat_fail(error, "%s", why.text);
    tmap_tree_destroy(tree);
    free(slot_of);
    return rc;
}

/* The gain if Hydra must come back to a host, comparing nodes only: MPI then takes each start of a
 * host for a node of its own, so ranks of one host that were started separately are as far apart as
 * two nodes below its switch. */
int place_order_in_pieces(const struct place_order *o, struct place_model *m,
                          const struct probe *probe, struct reseat_error *error)
{
    const struct tmap_matrix *matrix = m->prediction.matrix;
    struct reseat_network network = {0};
    struct tmap_cost before, after;
    struct reseat_location *hosts = probe_locations(probe, 0), *starts = NULL;
    int32_t *start_of = malloc((size_t)o->ranks * sizeof *start_of);
    for (int32_t r = 0; start_of && r < o->ranks; r++)
        start_of[r] = r ? start_of[r - 1] + !emit_same_host(o->seats, r - 1, r) : 0;
    if (start_of)
        starts = probe_locations_of_starts(probe, o->seat_of, start_of, &network);
    int rc = order_cost(matrix, hosts, &probe->network, &before, error) ||
             order_cost(matrix, starts, &network, &after, error);
    m->worth.seconds[0] = m->worth.seconds[1] = 0;
    if (rc == 0)
        m->worth.gain = m->cost_gain = reseat_gain(before.cost, after.cost);
    reseat_network_free(&network);
    free(hosts);
    free(starts);
    free(start_of);
    return rc ? -1 : 0;
}

static int order_once(struct place_order *o, struct place_model *m, const struct place_input *input,
                      const struct probe *probe, struct reseat_error *error)
{
    int sorts = !o->by_core || (o->format->list != LAUNCHER_NO_LIST && !input->layout);
    if (order_make_tree(m, probe, o->by_core, input->settings, error) ||
        order_choose(o, &m->prediction, input, error) ||
        (sorts && order_sort_on_hosts(o->seat_of, probe, error)))
        return -1;
    order_fill_seats(o, probe);
    return order_predict(m, o->seat_of, input->settings->min_gain, error);
}

/* By PUs if the file can name them, or if one list serves all hosts; else by hosts. */
int place_order_find(struct place_order *o, struct place_model *m, const struct place_input *input,
                     const struct probe *probe, struct reseat_error *error)
{
    const struct launcher *launcher = input->job.launcher;
    char *list;
    o->by_core &= launcher->by_core && !(o->by_thread && launcher->by_core->cores_only);
    o->format = o->by_core ? launcher->by_core : launcher->by_host;
    if (order_once(o, m, input, probe, error))
        return -1;
    if (!o->by_core || o->format->list == LAUNCHER_NO_LIST)
        return 0;
    if (emit_binding(&list, o->format, o->seats, o->ranks))
        return reseat_fail(error, "out of memory");
    free(list);
    o->by_core = list != NULL;
    o->format = o->by_core ? launcher->by_core : launcher->by_host;
    return list ? 0 : order_once(o, m, input, probe, error);
}
