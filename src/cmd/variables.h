/* SPDX-License-Identifier: BSD-3-Clause */
/* variables.h - what the ranks of a job get in their environment, and they only. */
#ifndef RESEAT_VARIABLES_H
#define RESEAT_VARIABLES_H

#include <limits.h>
#include <stdio.h>

#include "cmd/job.h"

enum { MOST_VARIABLES = 24 };
struct variables {
    int count;
    const char *name[MOST_VARIABLES];
    char value[MOST_VARIABLES][2 * PATH_MAX];
};

/* Each name once: the last value counts. `name` stays the caller's. */
void variables_add(struct variables *v, const char *name, const char *value);

/* A path, or a setting, from where this command was started: ranks may start elsewhere. */
void variables_add_path(struct variables *v, const char *name, const char *path);
void variables_add_setting(struct variables *v, const char *name, const char *value);

/* The library of the job, before what is preloaded already, and what a program with
 * AddressSanitizer needs to bear it. */
void variables_add_preload(struct variables *v, const struct job *job);

/* Whether the launcher can hand the values on. 0, or -1 with `why`; check: 0, or a usage status
 * after having complained. */
int variables_fit(const struct job *job, const struct variables *v, char why[512]);
int variables_check(const char *command, const struct job *job, const struct variables *v);

#endif
