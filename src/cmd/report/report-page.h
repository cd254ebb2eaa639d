/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report-page.h - a report as an HTML page that needs nothing else. Its source is
 * src/page/report.html, its values those of report-document.h and, for it alone (`@'), of here.
 */
#ifndef RESEAT_REPORT_PAGE_H
#define RESEAT_REPORT_PAGE_H

#include <stdio.h>

#include "cmd/report/report-heat.h"
#include "cmd/report/report-nodes.h"
#include "cmd/report/report-numbers.h"
#include "draw/picture.h"
#include "page/document.h"
#include "page/frame.h"
#include "profile/origin.h"

struct report_page {
    const struct report *report;
    const struct report_request *request;
    const struct report_nodes *nodes;
    char **words; /* of the command line that made it, ended by NULL; first the subcommand */
    struct heat heat;
    /* By the number of the map: in launch order, in the better one, and by the other methods.
     * Empty: not drawn. */
    struct picture machine[HEAT_MOST_MAPS];
    int has_rank_numbers; /* the pictures say which rank is where */
};

/* Write the page, from the document of the report, to which its own values are added. 0, or -1 with
 * *error. The caller checks `file` for write errors. */
int report_write_page(FILE *file, struct document *document, const struct report *report,
                      const struct report_request *request, const struct report_nodes *nodes,
                      char **words, struct reseat_error *error);

/* Write a page whose document is filled. Returns as above. */
int report_finish_page(FILE *file, const struct document *document, const struct frame *frame,
                       struct reseat_error *error);

/* The program that was watched; where the profile does not say, the file. Returns `text`. */
const char *page_program_name(const struct reseat_profile *profile, const char *path,
                              char text[ORIGIN_TITLE_SIZE]);

/* ---- parts of it ---- */

/* The commands that follow from the report (report-page-next.c). */
void page_add_next_steps(struct document *document, const struct report_page *page);

/* The busiest ranks (report-page-ranks.c). */
void page_add_ranks(struct document *document, const struct report_page *page);

/* From node to node (report-page-tables.c). */
void page_add_nodes(struct document *document, const struct report_page *page);

#endif
