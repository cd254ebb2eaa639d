/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.h - communication matrices as plain text: the number of ranks in the first line, then a
 * line `source target messages bytes` for each directed pair with traffic. */
#ifndef RESEAT_MATRIX_H
#define RESEAT_MATRIX_H

#include "profile/profile.h"

/* Read a matrix into a profile with only the world and no seats. Refuses what is not a matrix, with
 * file, line and reason. 0, or -1 with *error and *profile untouched. */
int reseat_matrix_read(struct reseat_profile **profile, const char *path,
                       struct reseat_error *error);

#endif
