/* SPDX-License-Identifier: BSD-3-Clause */
/* target.h - the file that a name stands for when it is written. */
#ifndef RESEAT_TARGET_H
#define RESEAT_TARGET_H

/* The file to which `path` leads through symbolic links, whether it exists or not; `path` itself if
 * it is not a link. The caller frees it; NULL with errno if out of memory or if links form a
 * loop. */
char *target_follow(const char *path);

/*
 * Expand `pattern`: %j: the job's name in the batch system, or else in the launcher; %p: the number
 * of this process; %n: the smallest number from 1 that makes the name new; %%: %. A % with any
 * other letter, or none, stays. With %n the file is created, empty, so that no other process takes
 * the name, and *created is set. The caller frees the name; NULL: out of memory.
 */
char *target_expand(const char *pattern, int *created);

/* Returns 1 if a pattern gives different names at different times. */
int target_is_pattern(const char *pattern);

/* A glob(3) pattern that matches all names of `pattern`. The caller frees it; NULL: out of
 * memory. */
char *target_glob(const char *pattern);

#endif
