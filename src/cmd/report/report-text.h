/* SPDX-License-Identifier: BSD-3-Clause */
/* report-text.h - a report for a person at a terminal, and its sentences, which other forms have as well. */
#ifndef RESEAT_REPORT_TEXT_H
#define RESEAT_REPORT_TEXT_H

#include <stdio.h>

#include "cmd/report/report-blocks.h"
#include "cmd/report/report-numbers.h"

/* The sentence that matters, as a line. */
void report_write_verdict(FILE *file, const struct report *report);

/* For which machine the order is where that is not the job's, as a line; nothing where run does not look for the order. */
void report_write_machine(FILE *file, const struct report *report);

/* The whole report, with pictures where the terminal can show them. */
void report_write_text(FILE *file, const struct report *report, const struct report_blocks *blocks);

/* The same numbers as lines `key<TAB>value`, for programs. */
void report_write_table(FILE *file, const struct report *report);

#endif
