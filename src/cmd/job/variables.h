/* SPDX-License-Identifier: BSD-3-Clause */
/* variables.h - the environment variables that the ranks of a job get, and only they. */
#ifndef RESEAT_VARIABLES_H
#define RESEAT_VARIABLES_H

#include <limits.h>
#include <stdio.h>

#include "cmd/job/job.h"

enum { MOST_VARIABLES = 28 };
struct variables {
    int count;
    const char *name[MOST_VARIABLES];
    char value[MOST_VARIABLES][2 * PATH_MAX];
};

/* Add or replace a variable. `name` stays the caller's. */
void variables_add(struct variables *v, const char *name, const char *value);

/* The index of a variable; `count`: it was not added. */
int variables_find(const struct variables *v, const char *name);

/* Add or replace a path, or a setting that may be one, made absolute: ranks may start in another
 * folder. */
void variables_add_path(struct variables *v, const char *name, const char *path);
void variables_add_setting(struct variables *v, const char *name, const char *value);

/* Preload the library of the job, if there is one for it, before what is already preloaded, and add
 * what a program with AddressSanitizer needs to accept it. */
void variables_add_preload(struct variables *v, const struct job *job);

/* Check that the launcher can pass the values on. 0, or -1 with *error. */
int variables_fit(const struct job *job, const struct variables *v, struct reseat_error *error);

#endif
