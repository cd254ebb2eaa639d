/* SPDX-License-Identifier: BSD-3-Clause */
/* report-lines.h - how our MPI programs report to the command that has started them: rank 0 prints
 * lines `reseat-NAME KEY VALUE...` on standard output, the last one `reseat-NAME end`. Launchers
 * may put labels before them. */
#ifndef RESEAT_REPORT_LINES_H
#define RESEAT_REPORT_LINES_H

#define REPLAY_LINE "reseat-replay "
#define MEASURE_LINE "reseat-measure "

#endif
