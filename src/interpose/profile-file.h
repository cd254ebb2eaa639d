/* SPDX-License-Identifier: BSD-3-Clause */
/* profile-file.h - the file that this job's profile goes to. For the process that writes it. */
#ifndef RESEAT_PROFILE_FILE_H
#define RESEAT_PROFILE_FILE_H

/* The name, made from the pattern `wanted` (target.h) when the profile is written first; later ones
 * of the same job go there again. Valid until the process ends. */
const char *output_name(const char *wanted);

/* Whether a profile that another job has written is there. */
int output_replaces(void);

/* The profile has been written there, or (0) could not be: then nothing of ours is left. */
void output_end(int written);

#endif
