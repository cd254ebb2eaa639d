/* SPDX-License-Identifier: BSD-3-Clause */
/* report-json.h - a report as JSON, for programs: doc/report-json.md. */
#ifndef RESEAT_REPORT_JSON_H
#define RESEAT_REPORT_JSON_H

#include <stdio.h>

#include "cmd/report/report-nodes.h"
#include "cmd/report/report-numbers.h"

/* 0, or -1 with *error: out of memory. The caller checks `file` for write errors. */
int report_write_json(FILE *file, const struct report *report, const struct report_nodes *nodes,
                      struct reseat_error *error);

#endif
