/* SPDX-License-Identifier: BSD-3-Clause */
/* report-page-machine.c - the machine with its traffic, before and after, for the page of a report. */
#include <stdlib.h>

#include "cmd/amount.h"
#include "cmd/report-page.h"
#include "draw/diagram.h"
#include "draw/links.h"

/* The roles by slot; *rank_of is NULL if slots have room for several. 0, or -1: out of memory. */
static int machine_find_roles(const struct report_page *page, int order, int32_t **rank_of)
{
    const struct tmap_tree *tree = page->report->by_metric.tree;
    int32_t slots = tmap_tree_slots(tree), ranks = page->report->profile->ranks;
    const int32_t *slot_of = report_slot_of(page->report, order);
    *rank_of = NULL;
    if (slots != ranks || !tmap_permutation_is_valid(slot_of, ranks))
        return 0;
    *rank_of = malloc(((size_t)slots + 1) * sizeof **rank_of);
    if (*rank_of)
        tmap_permutation_invert(slot_of, *rank_of, ranks);
    return *rank_of ? 0 : -1;
}

/* The load of the busiest link in any of the orders. 0, or -1 with *error. */
static int machine_find_busiest(struct draw_view *view, int orders, const struct report_page *page,
                                struct reseat_error *error)
{
    double busiest = 0;
    int rc = 0;
    for (int order = 0; order < orders && rc == 0; order++) {
        struct draw_loads loads;
        view->slot_of = report_slot_of(page->report, order);
        rc = draw_loads_open(&loads, view, error);
        busiest = loads.busiest > busiest ? loads.busiest : busiest;
        draw_loads_close(&loads);
    }
    view->busiest = busiest;
    return rc;
}

static int machine_draw_order(struct report_page *page, struct draw_view *view, int order,
                              struct reseat_error *error)
{
    int32_t *rank_of;
    if (machine_find_roles(page, order, &rank_of))
        return reseat_fail(error, "out of memory");
    view->slot_of = report_slot_of(page->report, order);
    view->rank_of = rank_of;
    page->has_rank_numbers = rank_of != NULL;
    int rc = draw_diagram(&page->machine[order], view, amount, error);
    free(rank_of);
    return rc;
}

int page_draw_machine(struct report_page *page, struct reseat_error *error)
{
    const struct report *r = page->report;
    const struct report_nodes *nodes = page->nodes;
    char **host = NULL;
    int orders = r->is_gain ? 2 : 1;
    struct draw_view view = {.tree = r->by_metric.tree,
                             .host_level = nodes->nodes ? nodes->level : -1,
                             .matrix = r->sent};
    if (tmap_tree_slots(view.tree) > DRAW_MOST_SLOTS)
        return 0;
    if (nodes->name) {
        host = malloc(((size_t)nodes->nodes + 1) * sizeof *host);
        if (!host)
            return reseat_fail(error, "out of memory");
        for (int32_t n = 0; n < nodes->nodes; n++)
            host[n] = (char *)nodes->name[n];
    }
    view.host = host;
    int rc =
        draw_view_open(&view, error) || machine_find_busiest(&view, orders, page, error) ? -1 : 0;
    for (int order = 0; order < orders && rc == 0; order++)
        rc = machine_draw_order(page, &view, order, error);
    draw_view_close(&view);
    free(host);
    return rc;
}
