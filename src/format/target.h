/* SPDX-License-Identifier: BSD-3-Clause */
/* target.h - the file that a name stands for when something is written. */
#ifndef RESEAT_TARGET_H
#define RESEAT_TARGET_H

/* The file at the end of the symbolic links that `path` is, whether it is there or not; `path`
 * itself when it is no link. The caller frees it; NULL, with errno, when memory is short or links
 * go in a circle. */
char *target_follow(const char *path);

/*
 * `pattern` with %j: the job, as the batch system calls it, or the launcher where there is none;
 * %p: the number of this process; %n: the smallest count from 1 that makes the name new; %%: %.
 * Another letter, or none, leaves the % as it is. Where there is %n the file is created, empty, so
 * that it is nobody else's; *created says so. The caller frees the name; NULL when memory is short.
 */
char *target_expand(const char *pattern, int *created);

/* Whether the name of a file differs from one time to the next. */
int target_is_pattern(const char *pattern);

/* `pattern` as one for glob(3) that all its names match. The caller frees it; NULL: no memory. */
char *target_glob(const char *pattern);

#endif
