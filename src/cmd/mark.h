/* SPDX-License-Identifier: BSD-3-Clause */
/* mark.h - whether any rank of a job has come to MPI_Init with the library: one of them then leaves
 * a mark (src/interpose/leave-mark.h) in a file that is there for the time of the job. */
#ifndef RESEAT_MARK_H
#define RESEAT_MARK_H

#include <limits.h>

#include "cmd/variables.h"

struct mark {
    char path[PATH_MAX]; /* empty: there is none */
    char folder[PATH_MAX];
};

/* MARK_UNKNOWN: there was no file, it has gone, or it cannot be read. */
enum mark_found { MARK_UNKNOWN, MARK_MISSING, MARK_LEFT };

/* Make the file beside `near` (NULL: where we are) and hand its name on by `variables`. Where that
 * cannot be, there is none. mark_remove in any case. */
void mark_create(struct mark *mark, const char *near, struct variables *variables);

enum mark_found mark_find(const struct mark *mark);
void mark_remove(struct mark *mark);

#endif
