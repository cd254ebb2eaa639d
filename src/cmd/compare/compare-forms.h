/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare-forms.h - what follows from the rows of `reseat compare`, found once for all its forms.
 *
 *   compare-findings.c   finds it
 *   compare-summary.c    of it the ratios of costs, as text and as the table of --summary
 *   compare-document.c   as a document, which is written as JSON: doc/compare-json.md
 *   compare-page.c       and as a page: src/page/compare.html
 */
#ifndef RESEAT_COMPARE_FORMS_H
#define RESEAT_COMPARE_FORMS_H

#include <stdio.h>
#include <time.h>

#include "cmd/compare/compare.h"
#include "cmd/shell/profile-summary.h"
#include "draw/chart.h"
#include "page/document.h"
#include "text/error.h"

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
    char sentence[800]; /* without its full stop */
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

/* Print the ratios for people, if there are any, and write them to the file that is requested. 0,
 * or -1 with *error. */
int compare_sum_up(const struct compare_findings *findings, struct reseat_error *error);

/* Fill a document with all of it. The findings outlive the document. */
void compare_fill(struct document *document, const struct compare_findings *findings);
/* The values of the page that are drawn, or depend on its size. */
void compare_fill_page(struct document *document, const struct compare_findings *findings);

/* Of such a document; page_save calls it. */
int compare_write_page(FILE *file, const void *document);

/* All traffic of a pattern; 0: it is not known (NULL). */
void compare_sum_traffic(struct profile_summary_amount *sum, const struct reseat_profile *traffic);

#endif
