/* SPDX-License-Identifier: BSD-3-Clause */
/* job-start.h - start a job so that its ranks, and they only, get the variables, in the way of its
 * launcher (struct launcher, delivery.h). */
#ifndef RESEAT_JOB_START_H
#define RESEAT_JOB_START_H

#include "cmd/variables.h"

struct answer;

/* As run_and_wait (child.h); -2: has complained. The environment of this process may change. */
int job_start(const char *command, const struct job *job, const struct variables *v, char **argv,
              struct answer *answer, int *status);

/* The same with all that is printed in `answer`, and without variables where `v` is NULL. Returns
 * the exit status, 128 + the signal that ended it, or -1 with errno; EINTR: a signal asks us to
 * end. */
int job_start_and_ask(const char *command, const struct job *job, const struct variables *v,
                      char **argv, struct answer *answer);

#endif
