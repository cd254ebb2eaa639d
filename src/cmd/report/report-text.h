/* SPDX-License-Identifier: BSD-3-Clause */
/* report-text.h - sentences of a report, which all its forms have; its text is
 * src/page/report.txt. They are for document_written, and are given the struct report. */
#ifndef RESEAT_REPORT_TEXT_H
#define RESEAT_REPORT_TEXT_H

#include <stdio.h>

#include "cmd/report/report-numbers.h"

/* The sentence that matters, as a line. */
void report_write_verdict(FILE *file, const void *report);

/* For which machine the order is where that is not the job's, as a line; nothing where run does not
 * look for the order. */
void report_write_machine(FILE *file, const void *report);

#endif
