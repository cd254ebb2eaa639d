/* SPDX-License-Identifier: BSD-3-Clause */
/* compare-summary.c - see compare.h. Ratios are as in Jeannot and Mercier 2010, figures 3 to 5: the
 * cost of the method that is named later over that of the one that is named first, in the same
 * case. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/compare/compare.h"
#include "draw/chart.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/output-file.h"

/* The costs by a method of all cases in turn, allocated. NULL: out of memory. */
static double *compare_costs(const struct compare_rows *rows, size_t methods, size_t method)
{
    size_t cases = rows->count / methods;
    double *costs = malloc((cases + 1) * sizeof *costs);
    for (size_t i = 0; costs && i < cases; i++)
        costs[i] = rows->row[i * methods + method].cost;
    return costs;
}

double *compare_ratios(const struct compare_rows *rows, size_t methods, size_t method, size_t over,
                       size_t *count)
{
    double *taken = compare_costs(rows, methods, method);
    double *than = compare_costs(rows, methods, over);
    double *sorted = taken && than ? chart_ratios(taken, than, rows->count / methods, count) : NULL;
    free(taken);
    free(than);
    return sorted;
}

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

/* Print or write (`file` not NULL) all pairs. 0, or -1: out of memory. */
static int compare_put_pairs(FILE *file, const struct compare_request *r,
                             const struct compare_rows *rows, int width)
{
    size_t methods = r->methods.count;
    for (size_t later = 1; later < methods; later++)
        for (size_t first = 0; first < later; first++) {
            const char *method = r->method[later].name, *over = r->method[first].name;
            size_t count;
            double *sorted = compare_ratios(rows, methods, later, first, &count);
            if (!sorted)
                return -1;
            const struct chart_ratios ratios = chart_sum_up_ratios(sorted, count);
            free(sorted);
            if (file)
                compare_write_ratios(file, method, over, &ratios);
            else
                compare_print_ratios(width, method, over, &ratios);
        }
    return 0;
}

/* Wide enough for the names of two methods. */
static int compare_pair_width(const struct compare_request *r)
{
    size_t longest = 0;
    for (size_t i = 0; i < r->methods.count; i++)
        if (strlen(r->method[i].name) > longest)
            longest = strlen(r->method[i].name);
    return (int)(2 * longest + strlen(" / "));
}

/* 0, or an exit status after an error message. */
static int compare_print_summary(const struct compare_request *r, const struct compare_rows *rows)
{
    int width = compare_pair_width(r);
    if (r->methods.count < 2 || rows->count < 2 * r->methods.count)
        return 0; /* of one case the rows say it all */
    printf("\nThe costs of two methods in the same case; above 1 the second one is better:\n"
           "%-*s  %6s  %7s  %7s  %8s  %8s  %8s  %8s\n",
           width, "", "cases", "above 1", "equal", "median", "mean", "least", "most");
    return compare_put_pairs(NULL, r, rows, width) ? cli_no_memory() : 0;
}

static int compare_save_summary(const struct compare_request *r, const struct compare_rows *rows)
{
    struct reseat_error error;
    struct made_text made;
    int rc = made_text_open(&made, &error);
    if (rc == 0) {
        fputs("method\tover\tcases\tabove_1\tequal_1\tmedian\tmean\tleast\tmost\n", made.file);
        if (compare_put_pairs(made.file, r, rows, 0))
            rc = reseat_fail(&error, "out of memory");
        rc = made_text_save(&made, r->summary, rc, &error);
    }
    return cli_status(rc, &error);
}

int compare_sum_up(const struct compare_request *r, const struct compare_rows *rows)
{
    int status = r->tsv || r->is_quiet ? 0 : compare_print_summary(r, rows);
    return !status && r->summary ? compare_save_summary(r, rows) : status;
}
