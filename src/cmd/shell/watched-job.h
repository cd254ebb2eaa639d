/* SPDX-License-Identifier: BSD-3-Clause */
/* watched-job.h - the command line of the job that a profile was recorded from, for people to type
 * again. */
#ifndef RESEAT_WATCHED_JOB_H
#define RESEAT_WATCHED_JOB_H

#include <stdio.h>

#include "profile/profile.h"

/* Print it as a shell reads it: as it was typed, or as far as the profile knows it. */
void watched_job_print(FILE *file, const struct reseat_profile *profile);

/* A sentence: the words of it that a person has to replace; NULL: none. */
const char *watched_job_lack(const struct reseat_profile *profile);

/* Returns 1 if it comes from the file of a profile, which the ranks can read; 0: it is a matrix or
 * a pattern, which only the command reads. */
int watched_job_is_known(const struct reseat_profile *profile);

#endif
