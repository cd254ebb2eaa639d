/* SPDX-License-Identifier: BSD-3-Clause */
/* report-page.h - a report as an HTML page that needs nothing else: its source is src/page/report.html. */
#ifndef RESEAT_REPORT_PAGE_H
#define RESEAT_REPORT_PAGE_H

#include <stdio.h>

#include "cmd/report/report-heat.h"
#include "cmd/report/report-nodes.h"
#include "cmd/report/report-numbers.h"
#include "draw/picture.h"

struct report_page {
    const struct report *report;
    const struct report_request *request;
    const struct report_nodes *nodes;
    char **words; /* of the command line that made it, ended by NULL; first the subcommand */
    struct heat heat;
    /* By the number of the map: in launch order, in the better one, and by the other methods. Empty: not drawn. */
    struct picture machine[HEAT_MOST_MAPS];
    int has_rank_numbers; /* the pictures say which rank is where */
    int *is_short;        /* out of memory: something is missing */
};

/* Write the page. 0, or -1 with *error. The caller checks `file` for write errors. */
int report_write_page(FILE *file, const struct report *report, const struct report_request *request,
                      const struct report_nodes *nodes, char **words, struct reseat_error *error);

/* ---- parts of it ---- */

/* What `write` writes, as text. */
typedef void page_text_fn(FILE *file, const struct report_page *page);
void page_escape(FILE *file, const struct report_page *page, page_text_fn *write);

/* The commands that follow from the report (report-page-next.c). */
void page_write_next(FILE *file, const void *page);

/* ---- tables (report-page-tables.c) ---- */

/* "-25 %", "12.0 times", "new" (`before` is 0) or "none" in a cell of a table. */
void page_write_change(FILE *file, double before, double after);
/* One bar or two, one above the other; `most` is as long as there is room. */
void page_write_bars(FILE *file, int bars, double before, double after, double most);
void page_write_levels(FILE *file, const void *page);
void page_write_methods(FILE *file, const void *page);
void page_write_methods_head(FILE *file, const void *page);
void page_write_node_matrix(FILE *file, const void *page);
void page_write_links_caption(FILE *file, const void *page);
void page_write_links(FILE *file, const void *page);
void page_write_pairs(FILE *file, const void *page);
void page_write_communicators(FILE *file, const void *page);
void page_write_headers(FILE *file, const void *page);

#endif
