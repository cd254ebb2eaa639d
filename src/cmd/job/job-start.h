/* SPDX-License-Identifier: BSD-3-Clause */
/* job-start.h - start a job so that its ranks, and only they, get the variables, in the way that
 * suits its launcher (struct launcher, delivery.h). */
#ifndef RESEAT_JOB_START_H
#define RESEAT_JOB_START_H

#include "cmd/job/variables.h"

struct answer;

/* As run_and_wait (child.h). May change the environment of this process. */
int job_start(const struct job *job, const struct variables *v, char **argv, struct answer *answer);

/* The same with all output in `answer`; `v` NULL: without variables. Returns the exit status, 128 +
 * the signal that ended it, or -1 with errno; EINTR: a signal asks us to end. */
int job_start_and_ask(const struct job *job, const struct variables *v, char **argv,
                      struct answer *answer);

#endif
