/* SPDX-License-Identifier: BSD-3-Clause */
/* profile-file.h - the file of this job's profile. For the process that writes it. */
#ifndef RESEAT_PROFILE_FILE_H
#define RESEAT_PROFILE_FILE_H

/* The name, made from the pattern `wanted` (target.h) when a profile is first written; later
 * profiles of the same job replace it. Valid until the process ends. */
const char *output_name(const char *wanted);

/* Whether that file is a profile written by another job. */
int output_replaces(void);

/* The profile has been written there, or (0) could not be: then remove a file that output_name has
 * created. */
void output_end(int written);

#endif
