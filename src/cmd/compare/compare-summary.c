/* SPDX-License-Identifier: BSD-3-Clause */
/* compare-summary.c - see compare-forms.h. Ratios are as in Jeannot and Mercier 2010, figures 3 to
 * 5: the cost of the method that is named later over that of the one that is named first, in the
 * same case. */
#include <math.h>
#include <string.h>

#include "cmd/compare/compare-forms.h"
#include "cmd/shell/page-parts.h"

static void compare_write_ratios(FILE *file, const char *method, const char *over,
                                 const struct chart_ratios *s)
{
    double all = s->count ? (double)s->count : NAN;
    fprintf(file, "%s\t%s\t%zu", method, over, s->count);
    const double numbers[] = {
        (double)s->above / all, (double)s->equal / all, s->median, s->mean, s->least, s->most};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fprintf(file, isnan(numbers[i]) ? "\t-" : "\t%.9g", numbers[i]);
    fputc('\n', file);
}

static void compare_print_ratios(int width, const char *method, const char *over,
                                 const struct chart_ratios *s)
{
    char pair[256];
    snprintf(pair, sizeof pair, "%s / %s", method, over);
    if (s->count == 0)
        printf("%-*s  %6d\n", width, pair, 0);
    else
        printf("%-*s  %6zu  %5.1f %%  %5.1f %%  %8.3f  %8.3f  %8.3f  %8.3f\n", width, pair,
               s->count, 100 * (double)s->above / (double)s->count,
               100 * (double)s->equal / (double)s->count, s->median, s->mean, s->least, s->most);
}

static void compare_print_summary(const struct compare_findings *f)
{
    const struct listed_method *method = f->request->method;
    size_t longest = 0;
    if (f->methods < 2 || f->cases < 2)
        return; /* of one case the rows say it all */
    for (size_t i = 0; i < f->methods; i++)
        if (strlen(method[i].name) > longest)
            longest = strlen(method[i].name);
    int width = (int)(2 * longest + strlen(" / "));
    printf("\nThe costs of two methods in the same case; above 1 the second one is better:\n"
           "%-*s  %6s  %7s  %7s  %8s  %8s  %8s  %8s\n",
           width, "", "cases", "above 1", "equal", "median", "mean", "least", "most");
    for (size_t i = 0; i < f->pairs; i++)
        compare_print_ratios(width, method[f->pair[i].method].name, method[f->pair[i].over].name,
                             &f->pair[i].ratios);
}

static int compare_write_summary(FILE *file, const void *context)
{
    const struct compare_findings *f = context;
    const struct listed_method *method = f->request->method;
    fputs("method\tover\tcases\tabove_1\tequal_1\tmedian\tmean\tleast\tmost\n", file);
    for (size_t i = 0; i < f->pairs; i++)
        compare_write_ratios(file, method[f->pair[i].method].name, method[f->pair[i].over].name,
                             &f->pair[i].ratios);
    return 0;
}

int compare_sum_up(const struct compare_findings *f, struct reseat_error *error)
{
    if (!f->request->tsv && !f->request->is_quiet)
        compare_print_summary(f);
    return page_save(f->request->summary, compare_write_summary, f, error);
}
