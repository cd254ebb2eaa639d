/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare-forms.h - what follows from the rows of `reseat compare`, found once, for its page and its JSON.
 *
 *   compare-findings.c   finds it
 *   compare-json.c       for programs: doc/compare-json.md
 *   compare-page.c       for browsers: src/page/compare.html
 */
#ifndef RESEAT_COMPARE_FORMS_H
#define RESEAT_COMPARE_FORMS_H

#include <stdio.h>
#include <time.h>

#include "cmd/compare/compare.h"
#include "cmd/shell/profile-summary.h"
#include "draw/chart.h"

/* Of sorted numbers. */
struct compare_spread {
    size_t count; /* 0: none, and the rest is 0 */
    double least, lower, median, upper, most;
};

/* The costs by one method over those by another one. */
struct compare_pair {
    size_t method, over;
    struct chart_ratios ratios;
};

struct compare_findings {
    const struct compare_request *request;
    const struct compare_rows *rows;
    char **words; /* of the command line, ended by NULL; first the subcommand */
    time_t began;
    char host[RESEAT_HOST_SIZE];
    char sentence[600]; /* without its full stop */
    size_t methods, cases;
    size_t reference; /* the method whose cost is 1 */
    /* By method: */
    struct compare_spread *fraction; /* of the costs by the reference */
    size_t *lowest;                  /* in how many cases no other cost is lower */
    double *map_seconds;             /* medians */
    /* All pairs of methods: */
    size_t pairs;
    struct compare_pair *pair;
    struct compare_spread *ratio_spread;
};

/* Fill all but `words` and `began`, from these. 0, or -1: out of memory. Close it in any case. */
int compare_find(struct compare_findings *findings, const struct compare_request *request,
                 const struct compare_rows *rows);
void compare_free_findings(struct compare_findings *findings);

/* Of a struct compare_findings; page_save calls them. */
int compare_write_json(FILE *file, const void *findings);
int compare_write_page(FILE *file, const void *findings);

/* For both: */

struct compare_page {
    const struct compare_findings *findings;
    int *is_short; /* out of memory: something is missing */
};

/* All traffic of a pattern; 0: it is not known (NULL). */
void compare_sum_traffic(struct profile_summary_amount *sum, const struct reseat_profile *traffic);

#endif
