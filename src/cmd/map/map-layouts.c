/* SPDX-License-Identifier: BSD-3-Clause */
/* map-layouts.c - see map.h: `map --layouts`, the regular layouts of the machine, and the options
 * of launchers that say them. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cmd/map/map.h"
#include "regular/regular-words.h"
#include "cmd/shell/complain.h"
#include "treematch/tmap.h"

enum { LAYOUTS_SHOWN = 6 };

int map_check_layouts(const struct map_request *r)
{
    const char *other = r->layout      ? "layout"
                        : r->workload  ? "workload"
                        : r->emit      ? "emit"
                        : r->output    ? "output"
                        : r->objective ? "objective"
                                       : NULL;
    if (!r->layouts)
        return 0;
    if (other)
        return cli_fail(EXIT_USAGE, "map", "--layouts and --%s cannot be combined", other);
    return 0;
}

/* The table that is printed: the layouts, their words, and the costs that they are compared
 * with. */
struct layouts_table {
    struct regular_layouts layouts;
    struct regular_words words;
    struct regular_option option[LAUNCHER_FAMILIES]; /* the cheapest one of each; no words: none */
    double launch, free; /* cost of the launch order and of the free mapping */
    double seconds;      /* to find and price the layouts, and their words */
};

/* Finds the share of the free mapping's gain that a layout has; negative: it costs more than the
 * launch order. Returns 0 if there is no gain to have a part of. */
static int layouts_share(const struct layouts_table *table, double cost, double *share)
{
    if (table->free >= table->launch)
        return 0;
    *share = (table->launch - cost) / (table->launch - table->free);
    return 1;
}

static void layouts_print_row(const struct layouts_table *table, size_t i)
{
    const struct regular_layout *layout = &table->layouts.layout[i];
    double share;
    printf("%-12s %12.6g ", layout->text, layout->cost);
    if (table->launch > 0)
        printf("%+7.1f %%", 100 * (layout->cost / table->launch - 1));
    else
        printf("%9s", "-");
    if (layouts_share(table, layout->cost, &share))
        printf(" %7.0f %%\n", 100 * share);
    else
        printf(" %9s\n", "-");
    for (int family = 0; family < LAUNCHER_FAMILIES; family++) {
        const char *words = table->words.words[i][family];
        printf("    %-12s %s\n", launcher_family_title((enum launcher_family)family),
               words ? words : "-");
    }
}

static void layouts_print_options(const struct layouts_table *table)
{
    printf("the cheapest option of each launcher, of all that it has\n");
    for (int family = 0; family < LAUNCHER_FAMILIES; family++) {
        const struct regular_option *option = &table->option[family];
        char text[24] = "-";
        double share;
        if (option->words[0] && layouts_share(table, option->cost, &share))
            snprintf(text, sizeof text, "%.0f %%", 100 * share);
        printf("    %-12s %8s  %s\n", launcher_family_title((enum launcher_family)family), text,
               option->words[0] ? option->words : "-");
    }
}

static void layouts_print(const struct layouts_table *table, const struct map_result *x)
{
    const struct prediction *p = &x->prediction;
    size_t count = table->layouts.count, shown = count < LAYOUTS_SHOWN ? count : LAYOUTS_SHOWN;
    printf("%d roles on %d slots: %zu regular layout%s, in launch order cost %.6g, by %s %.6g",
           (int)tmap_matrix_roles(p->matrix), (int)tmap_tree_slots(p->tree), count,
           count == 1 ? "" : "s", table->launch, p->method, table->free);
    if (table->launch > 0)
        printf(" (%+.1f %%)", 100 * (table->free / table->launch - 1));
    printf("\n");
    if (table->layouts.unnamed)
        printf("%d level%s that branch%s in no layout\n", table->layouts.unnamed,
               table->layouts.unnamed == 1 ? "" : "s",
               table->layouts.unnamed == 1 ? "es is" : " are");
    printf("%-12s %12s %9s %9s\n", "layout", "cost", "change", "of gain");
    for (size_t i = 0; i < shown; i++)
        layouts_print_row(table, i);
    if (shown < count)
        printf("(%zu dearer ones: --tsv has all)\n", count - shown);
    layouts_print_options(table);
}

static void layouts_print_tsv(const struct layouts_table *table, const struct map_result *x)
{
    const struct prediction *p = &x->prediction;
    double share;
    printf("method\t%s\nranks\t%d\nslots\t%d\ncost\t%.17g\nidentity_cost\t%.17g\nseconds\t%.6f\n"
           "layouts\t%zu\nunnamed_levels\t%d\nlayouts_seconds\t%.6f\ncolumns\tlayout\tcost\tshare",
           p->method, (int)tmap_matrix_roles(p->matrix), (int)tmap_tree_slots(p->tree), table->free,
           table->launch, x->seconds, table->layouts.count, table->layouts.unnamed, table->seconds);
    for (int family = 0; family < LAUNCHER_FAMILIES; family++)
        printf("\t%s", launcher_family_name((enum launcher_family)family));
    printf("\n");
    for (size_t i = 0; i < table->layouts.count; i++) {
        const struct regular_layout *layout = &table->layouts.layout[i];
        printf("layout\t%s\t%.17g\t", layout->text, layout->cost);
        if (layouts_share(table, layout->cost, &share))
            printf("%.4f", share);
        else
            printf("-");
        for (int family = 0; family < LAUNCHER_FAMILIES; family++)
            printf("\t%s", table->words.words[i][family] ? table->words.words[i][family] : "-");
        printf("\n");
    }
    for (int family = 0; family < LAUNCHER_FAMILIES; family++)
        if (table->option[family].words[0])
            printf("option\t%s\t%.17g\t%s\n", launcher_family_name((enum launcher_family)family),
                   table->option[family].cost, table->option[family].words);
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

int map_print_layouts(const struct map_request *r, const struct map_result *x)
{
    const struct prediction *p = &x->prediction;
    struct layouts_table table = {.launch = p->before.cost, .free = p->after.cost};
    struct regular_machine machine = {.slot_at = NULL};
    struct reseat_error error;
    int32_t ranks = tmap_matrix_roles(p->matrix);
    double start = clock_now();
    int rc = regular_layouts_find(&table.layouts, p->matrix, p->tree, &error);
    if (rc == 0)
        rc = x->has_seats ? regular_machine_open_launch(&machine, p->tree, p->launch, ranks, &error)
                          : regular_machine_open(&machine, p->tree, &error);
    if (rc == 0)
        rc = regular_words_find(&table.words, &table.layouts, &machine, ranks, &error);
    if (rc == 0)
        rc = layouts_find_options(&table, &machine, p, &error);
    table.seconds = clock_now() - start;
    if (rc == 0 && r->tsv)
        layouts_print_tsv(&table, x);
    else if (rc == 0)
        layouts_print(&table, x);
    regular_machine_close(&machine);
    regular_words_free(&table.words);
    regular_layouts_free(&table.layouts);
    return rc ? cli_fail(EXIT_TROUBLE, "map", "%s", error.text) : 0;
}
