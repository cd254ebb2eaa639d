/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report-document.h - a report as a document, which is written as JSON for programs, and as a page
 * (report-page.h). doc/report-json.md says what the members mean.
 */
#ifndef RESEAT_REPORT_DOCUMENT_H
#define RESEAT_REPORT_DOCUMENT_H

#include "cmd/report/report-nodes.h"
#include "cmd/report/report-numbers.h"
#include "page/document.h"

/* Fill a document with the report. 0, or -1 with *error: out of memory. */
int report_fill(struct document *document, const struct report *report,
                const struct report_nodes *nodes, struct reseat_error *error);

#endif
