/* SPDX-License-Identifier: BSD-3-Clause */
/* one-run.h - one of many runs of a job: in a child process, so that its environment is its own,
 * with its output collected, and how long it takes. */
#ifndef RESEAT_ONE_RUN_H
#define RESEAT_ONE_RUN_H

#include <sys/types.h>

#include "cmd/run/collector.h"
#include "cmd/run/job-run.h"

struct one_run {
    struct job_run *run;
    int with;
    off_t input;                    /* one_run_input, before the first run */
    struct collector collectors[2]; /* of standard output and error; open */
};

/* Where standard input begins, since every run reads all of it; -1: it is not a file. */
off_t one_run_input(void);

/* Run the job as job_run_start does. Returns its exit status, and its time in *seconds. */
int one_run_time(struct one_run *one, double *seconds);

/* Print what a run has kept of its standard error, but not lines that contain `without`. */
void one_run_pass_on_errors(const struct one_run *one, const char *without);

#endif
