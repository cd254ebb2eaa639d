/* SPDX-License-Identifier: BSD-3-Clause */
/* report-blocks.h - pictures for the text of a report, of block characters in color: who talks to
 * whom in launch order and in the better one (report-heat.h), and the bytes of each level before
 * and after, as bars. */
#ifndef RESEAT_REPORT_BLOCKS_H
#define RESEAT_REPORT_BLOCKS_H

#include "cmd/report/report-heat.h"
#include "cmd/shell/terminal.h"

struct report_blocks {
    struct terminal terminal;
    struct heat heat;
    int maps;             /* side by side; 0: there is no room for one, or nothing to see */
    int scale;            /* characters across a cell */
    signed char *cell[2]; /* of each map: its color, or that of an empty cell (report-blocks.c) */
};

/* Find what fits on the terminal, which may be too narrow for anything. 0, or -1 with *error. Close
 * it in any case; it begins with all zeros except for `terminal`. */
int blocks_open(struct report_blocks *blocks, const struct report *report,
                struct reseat_error *error);
void blocks_close(struct report_blocks *blocks);

/* Each with an empty line before it; or nothing. */
void blocks_write_maps(FILE *file, const struct report_blocks *blocks, const struct report *report);
void blocks_write_bars(FILE *file, const struct report_blocks *blocks, const struct report *report);

#endif
