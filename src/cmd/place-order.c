/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place-order.c - who sits where, for a placement at launch (place.h).
 *
 * Open MPI binds each rank as it is told. Hydra and Slurm have one list of PUs for all hosts and go
 * through it in order of rank: there, and by host, a host's ranks take its seats in that order
 * (order_sort_on_hosts), and the predicted gain is that of the order which comes out.
 */
#include <stdlib.h>

#include "cmd/place.h"
#include "format/gain.h"
#include "format/order.h"

/* The tree of the seats, each rank a slot of it as launched. */
static int order_make_tree(struct placement *p)
{
    struct tmap_error why = {""};
    tmap_tree_destroy(p->tree);
    p->tree = NULL;
    return probe_tree(&p->probe, p->by_core, &p->tree, p->launch, &why)
               ? placement_fail(p, "%s", why.text)
               : 0;
}

/* ---- who sits where ---- */

/* The order of RESEAT_MAPPING. */
static int order_read(struct placement *p)
{
    struct reseat_error error;
    return reseat_order_read(p->seat_of, p->probe.ranks, p->settings->mapping, &error)
               ? placement_fail(p, "%s", error.text)
               : 0;
}

/* The best order for the tree; rank 0, which has standard input, stays where that costs nothing. */
static int order_find(struct placement *p)
{
    struct tmap_options options;
    struct tmap_error why = {""};
    int kept;
    size_t n = (size_t)p->probe.ranks;
    int32_t *rank_on = malloc(n * sizeof *rank_on); /* slots are as many as ranks */
    if (!rank_on)
        return placement_fail(p, "out of memory");
    tmap_options_init(&options, sizeof options);
    int rc = best_mapping(p->matrix, p->tree, &options, p->launch, p->seat_of, &p->method, &why) ||
             tmap_mapping_keep_role(p->matrix, p->tree, 0, p->launch[0], p->seat_of, &kept, &why);
    for (size_t r = 0; rc == 0 && r < n; r++)
        rank_on[p->launch[r]] = (int32_t)r;
    for (size_t r = 0; rc == 0 && r < n; r++)
        p->seat_of[r] = rank_on[p->seat_of[r]];
    free(rank_on);
    return rc ? placement_fail(p, "%s", why.text) : 0;
}

/* On each host the lowest rank takes the first seat, and so on. */
static int order_sort_on_hosts(struct placement *p)
{
    int32_t ranks = p->probe.ranks, first = 0;
    int32_t *seats = malloc(sizeof *seats * (size_t)ranks);
    int32_t *next = malloc(sizeof *next * (size_t)p->probe.hosts);
    if (!seats || !next) {
        free(seats);
        free(next);
        return placement_fail(p, "out of memory");
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
    struct tmap_error why;
    struct tmap_cost before, after;
    int32_t *slot_of = malloc(sizeof *slot_of * (size_t)p->probe.ranks);
    if (!slot_of)
        return placement_fail(p, "out of memory");
    for (int32_t rank = 0; rank < p->probe.ranks; rank++)
        slot_of[rank] = p->launch[p->seat_of[rank]];
    int rc = tmap_mapping_evaluate(p->matrix, p->tree, p->launch, &before, &why) ||
             tmap_mapping_evaluate(p->matrix, p->tree, slot_of, &after, &why);
    free(slot_of);
    if (rc)
        return placement_fail(p, "%s", why.text);
    p->gain = reseat_gain(before.cost, after.cost);
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

/* The gain where Hydra has to come back to a host, by nodes on both sides: MPI takes each start of
 * a host for a node of its own then, so that ranks of a host that were started apart are as far
 * from each other as two nodes below its switch. */
int placement_order_in_pieces(struct placement *p)
{
    struct tmap_error why = {"out of memory"};
    struct tmap_cost before, after;
    struct tmap_tree *hosts = NULL, *starts = NULL;
    size_t n = (size_t)p->probe.ranks;
    int32_t *start_of = malloc(n * sizeof *start_of), *slot_of = malloc(n * sizeof *slot_of);
    for (int32_t r = 0; start_of && r < p->probe.ranks; r++)
        start_of[r] = r ? start_of[r - 1] + !emit_same_host(p->seats, r - 1, r) : 0;
    int rc = !start_of || !slot_of || probe_tree(&p->probe, 0, &hosts, slot_of, &why) ||
             tmap_mapping_evaluate(p->matrix, hosts, slot_of, &before, &why) ||
             probe_tree_of_starts(&p->probe, p->seat_of, start_of, &starts, slot_of, &why) ||
             tmap_mapping_evaluate(p->matrix, starts, slot_of, &after, &why);
    if (rc == 0)
        p->gain = reseat_gain(before.cost, after.cost);
    tmap_tree_destroy(hosts);
    tmap_tree_destroy(starts);
    free(start_of);
    free(slot_of);
    return rc ? placement_fail(p, "%s", why.text) : 0;
}

static int order_once(struct placement *p)
{
    if (order_make_tree(p) || (p->settings->mapping[0] ? order_read(p) : order_find(p)) ||
        ((p->format->list != LAUNCHER_NO_LIST || !p->by_core) && order_sort_on_hosts(p)))
        return -1;
    order_fill_seats(p);
    return order_predict(p);
}

/* By PUs where the file can say them, or all hosts can be told the same list, else by hosts. */
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
        return placement_fail(p, "out of memory");
    free(list);
    p->by_core = list != NULL;
    p->format = p->by_core ? launcher->by_core : launcher->by_host;
    return list ? 0 : order_once(p);
}
