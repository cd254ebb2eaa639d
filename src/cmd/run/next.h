/* SPDX-License-Identifier: BSD-3-Clause */
/* next.h - what to type next, as a line on standard error that can be pasted into a shell. It is for somebody who is
 * there: standard error is a terminal, and RESEAT_VERBOSE not 0. */
#ifndef RESEAT_NEXT_H
#define RESEAT_NEXT_H

#include "cmd/job/variables.h"

/* After `profile`: look at the profile. `v` has the settings of the job. */
void next_say_report(const struct variables *v, const char *profile);

/* After `run`, whose words these are, from its own name on: the same job by `verify`. */
void next_say_verify(const struct variables *v, char **words);

#endif
