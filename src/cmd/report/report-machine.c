/* SPDX-License-Identifier: BSD-3-Clause */
/* report-machine.c - see report-machine.h. */
#include <stdlib.h>

#include "cmd/shell/amount.h"
#include "cmd/report/report-machine.h"
#include "draw/diagram.h"
#include "draw/links.h"

/* What is drawn of a report. */
struct machine_drawing {
    struct report_machine *machine;
    const struct report *report;
    struct draw_view view;
};

/* The roles by slot; *rank_of is NULL if slots have room for several. 0, or -1: out of memory. */
static int machine_find_roles(const struct machine_drawing *d, const int32_t *slot_of,
                              int32_t **rank_of)
{
    int32_t slots = tmap_tree_slots(d->view.tree), ranks = d->report->profile->ranks;
    *rank_of = NULL;
    if (slots != ranks || !tmap_permutation_is_valid(slot_of, ranks))
        return 0;
    *rank_of = malloc(((size_t)slots + 1) * sizeof **rank_of);
    if (*rank_of)
        tmap_permutation_invert(slot_of, *rank_of, ranks);
    return *rank_of ? 0 : -1;
}

/* The load of the busiest link in any of the orders. 0, or -1 with *error. */
static int machine_find_busiest(struct machine_drawing *d, struct reseat_error *error)
{
    double busiest = 0;
    int rc = 0;
    for (int order = 0; order < d->machine->orders && rc == 0; order++) {
        struct draw_loads loads;
        d->view.slot_of = d->machine->slot_of[order];
        rc = draw_loads_open(&loads, &d->view, error);
        busiest = loads.busiest > busiest ? loads.busiest : busiest;
        draw_loads_close(&loads);
    }
    d->view.busiest = busiest;
    return rc;
}

/* What links carry are bytes, whatever the metric is. */
static const char *machine_bytes(double value, const char *unit, char text[32])
{
    (void)unit;
    return amount(value, "B", text);
}

static int machine_draw_order(struct machine_drawing *d, int order, struct reseat_error *error)
{
    int32_t *rank_of;
    d->view.slot_of = d->machine->slot_of[order];
    if (machine_find_roles(d, d->view.slot_of, &rank_of))
        return reseat_fail(error, "out of memory");
    d->view.rank_of = rank_of;
    d->machine->has_rank_numbers = rank_of != NULL;
    int rc = draw_diagram(&d->machine->picture[order], &d->view, machine_bytes, error);
    free(rank_of);
    return rc;
}

/* The names of the hosts, for a view. 0, or -1: out of memory. */
static int machine_name_hosts(char ***host, const struct report_nodes *nodes)
{
    *host = NULL;
    if (!nodes->name)
        return 0;
    *host = malloc(((size_t)nodes->nodes + 1) * sizeof **host);
    for (int32_t n = 0; *host && n < nodes->nodes; n++)
        (*host)[n] = (char *)nodes->name[n];
    return *host ? 0 : -1;
}

int report_machine_draw(struct report_machine *machine, const struct report *report,
                        const struct report_nodes *nodes, struct reseat_error *error)
{
    struct machine_drawing d = {.machine = machine,
                                .report = report,
                                .view = {.tree = report->by_metric.tree,
                                         .host_level = nodes->nodes ? nodes->level : -1,
                                         .matrix = report->sent}};
    char **host;
    if (tmap_tree_slots(d.view.tree) > DRAW_MOST_SLOTS)
        return 0;
    if (machine_name_hosts(&host, nodes))
        return reseat_fail(error, "out of memory");
    d.view.host = host;
    int rc = draw_view_open(&d.view, error) || machine_find_busiest(&d, error) ? -1 : 0;
    for (int order = 0; order < machine->orders && rc == 0; order++)
        rc = machine_draw_order(&d, order, error);
    draw_view_close(&d.view);
    free(host);
    return rc;
}
