/* SPDX-License-Identifier: BSD-3-Clause */
/* mark.h - whether any rank of a job reached MPI_Init with the library, and whether the ranks took
 * a better order: one of them then leaves a mark (src/interpose/meeting/leave-mark.h) in a file
 * that exists while the job runs. */
#ifndef RESEAT_MARK_H
#define RESEAT_MARK_H

#include <limits.h>

#include "cmd/job/variables.h"

struct mark {
    char path[PATH_MAX]; /* empty: none */
    char folder[PATH_MAX];
};

/* MARK_UNKNOWN: there was no file, it has disappeared, or it cannot be read. */
enum mark_found { MARK_UNKNOWN, MARK_MISSING, MARK_LEFT, MARK_REORDERED };

/* The folder of `near` (NULL: the current one), as an absolute path. 0, or -1. */
int mark_folder(const char *near, char folder[PATH_MAX]);

/* Make the file next to `near` (NULL: in the current folder) and pass its name on in `variables`.
 * If that fails there is no mark. Call mark_remove in either case. */
void mark_create(struct mark *mark, const char *near, struct variables *variables);

enum mark_found mark_find(const struct mark *mark);
void mark_remove(struct mark *mark);

#endif
