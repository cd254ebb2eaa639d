/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frame.h - what all pages have: one file that needs no other, in which only the styles and
 * scripts run that we have put there (a policy with their digests), light and dark, on a screen
 * and on paper.
 *
 *   struct frame frame = {.kind = "report",
 *                         .title = "{{@program}}",
 *                         .heading = "{{@program}}",
 *                         .facts = "{{date}}",
 *                         .body = page_report_html,
 *                         .style = {FRAME_SOURCE (report_css)},
 *                         .root = &document.root,
 *                         .formats = page_formats};
 *   frame_write(file, &frame);
 *
 * The sources of pages are in src/page, and arrays in page/sources.h (embed.sh).
 */
#ifndef RESEAT_FRAME_H
#define RESEAT_FRAME_H

#include "page/template.h"

enum { FRAME_SOURCES = 3 };

struct frame_source {
    const char *text;   /* NULL: none */
    const char *digest; /* as a policy names it */
};

/* One of page/sources.h. */
#define FRAME_SOURCE(name)                \
    {                                     \
        page_##name, page_##name##_digest \
    }

struct frame {
    const char *kind;                           /* of page: "report" */
    const char *title, *heading, *facts, *body; /* templates of the values below */
    struct frame_source style[FRAME_SOURCES];   /* besides those of all pages */
    struct frame_source script[FRAME_SOURCES];
    const struct document_value *root; /* the values of the page */
    const struct template_format *formats;
};

/* Write a page. 0, -1: out of memory, or TEMPLATE_WRONG; this much has been written. The caller
 * checks `file` for write errors. */
int frame_write(FILE *file, const struct frame *frame);

#endif
