/* SPDX-License-Identifier: BSD-3-Clause */
/* map-layouts.c - see map.h: `map --layouts`, the regular layouts of the machine, and the options
 * of launchers that say them. */
#include <math.h>

#include "base/clock.h"
#include "cmd/map/map.h"
#include "regular/regular-words.h"
#include "cmd/shell/page-parts.h"
#include "treematch/tmap.h"

enum { LAYOUTS_SHOWN = 6 };

/* The table that is printed: the layouts, their words, and the costs that they are compared
 * with. */
struct layouts_table {
    struct regular_layouts layouts;
    struct regular_words words;
    struct regular_option option[LAUNCHER_FAMILIES]; /* the cheapest one of each; no words: none */
    double launch, free; /* cost of the launch order and of the free mapping */
    double seconds;      /* to find and price the layouts, and their words */
};

static void layouts_add_cost(struct document *d, const struct layouts_table *table, double cost)
{
    const double gain = table->launch - table->free;
    document_number(d, "cost", cost);
    document_number(d, "@change", table->launch > 0 ? cost / table->launch - 1 : NAN);
    /* of the free mapping's gain; negative: it costs more than the launch order */
    document_number(d, "share", gain > 0 ? (table->launch - cost) / gain : NAN);
}

static void layouts_add_layout(struct document *d, const struct layouts_table *table, size_t i)
{
    document_open(d, NULL, '{');
    document_text(d, "layout", table->layouts.layout[i].text);
    layouts_add_cost(d, table, table->layouts.layout[i].cost);
    document_boolean(d, "@is_shown", i < LAYOUTS_SHOWN);
    document_open(d, "options", '(');
    for (int family = 0; family < LAUNCHER_FAMILIES; family++)
        document_text(d, NULL, table->words.words[i][family]);
    document_close(d);
    document_open(d, "@options", '[');
    for (int family = 0; family < LAUNCHER_FAMILIES; family++)
        page_add_fact(d, launcher_family_title((enum launcher_family)family),
                      table->words.words[i][family]);
    document_close(d);
    document_close(d);
}

static void layouts_add_option(struct document *d, const struct layouts_table *table, int family)
{
    const struct regular_option *option = &table->option[family];
    document_open(d, NULL, '{');
    document_text(d, "launcher", launcher_family_name((enum launcher_family)family));
    document_text(d, "@title", launcher_family_title((enum launcher_family)family));
    document_text(d, "option", option->words[0] ? option->words : NULL);
    layouts_add_cost(d, table, option->words[0] ? option->cost : NAN);
    document_close(d);
}

static void layouts_fill(struct document *d, const struct layouts_table *table,
                         const struct map_result *x)
{
    const struct prediction *p = &x->prediction;
    const struct regular_layouts *layouts = &table->layouts;
    document_integer(d, "reseat_layouts", 1);
    document_text(d, "method", p->method);
    document_integer(d, "ranks", (uint64_t)tmap_matrix_roles(p->matrix));
    document_integer(d, "slots", (uint64_t)tmap_tree_slots(p->tree));
    document_numbers(d, "cost", 2, (double[]){table->launch, table->free});
    document_number(d, "@change", table->launch > 0 ? table->free / table->launch - 1 : NAN);
    document_number(d, "seconds", x->seconds);
    document_number(d, "layouts_seconds", table->seconds);
    document_integer(d, "unnamed_levels", (uint64_t)layouts->unnamed);
    document_integer(d, "@count", layouts->count);
    document_boolean(d, "@is_one", layouts->count == 1);
    document_text(d, "@unnamed",
                  layouts->unnamed == 0   ? NULL
                  : layouts->unnamed == 1 ? " that branches is"
                                          : "s that branch are");
    document_integer(d, "@left",
                     layouts->count > LAYOUTS_SHOWN ? layouts->count - LAYOUTS_SHOWN : 0);
    document_boolean(d, "@is_left", layouts->count > LAYOUTS_SHOWN);
    document_open(d, "launchers", '(');
    for (int family = 0; family < LAUNCHER_FAMILIES; family++)
        document_text(d, NULL, launcher_family_name((enum launcher_family)family));
    document_close(d);
    document_open(d, "layouts", '[');
    for (size_t i = 0; i < layouts->count; i++)
        layouts_add_layout(d, table, i);
    document_close(d);
    document_open(d, "options", '[');
    for (int family = 0; family < LAUNCHER_FAMILIES; family++)
        layouts_add_option(d, table, family);
    document_close(d);
}

/* 0, or -1 with *error. */
static int layouts_find_options(struct layouts_table *table, const struct regular_machine *machine,
                                const struct prediction *p, struct reseat_error *error)
{
    for (int family = 0; family < LAUNCHER_FAMILIES; family++) {
        int rc = regular_option_find(&table->option[family], (enum launcher_family)family, machine,
                                     p->matrix, p->tree);
        if (rc < 0)
            return reseat_fail(error, "out of memory");
    }
    return 0;
}

int map_fill_layouts(struct document *d, const struct map_request *r, const struct map_result *x,
                     struct reseat_error *error)
{
    (void)r;
    const struct prediction *p = &x->prediction;
    struct layouts_table table = {.launch = p->before.cost, .free = p->after.cost};
    struct regular_machine machine = {.slot_at = NULL};
    int32_t ranks = tmap_matrix_roles(p->matrix);
    double start = clock_now();
    int rc = regular_layouts_find(&table.layouts, p->matrix, p->tree, error);
    if (rc == 0)
        rc = x->has_seats ? regular_machine_open_launch(&machine, p->tree, p->launch, ranks, error)
                          : regular_machine_open(&machine, p->tree, error);
    if (rc == 0)
        rc = regular_words_find(&table.words, &table.layouts, &machine, ranks, error);
    if (rc == 0)
        rc = layouts_find_options(&table, &machine, p, error);
    table.seconds = clock_now() - start;
    if (rc == 0)
        layouts_fill(d, &table, x);
    regular_machine_close(&machine);
    regular_words_free(&table.words);
    regular_layouts_free(&table.layouts);
    return rc ? -1 : 0;
}
