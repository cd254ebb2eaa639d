/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * temporary.h - files that exist only while a process of ours works, next to those of the user:
 * what will take the place of a file when it is complete, and marks of jobs. No two processes have
 * one of the same name, whatever container or machine they run in, and what a killed process has
 * left goes away.
 */
#ifndef RESEAT_TEMPORARY_H
#define RESEAT_TEMPORARY_H

#include <sys/types.h>

/* Create a file named `stem`, a dash and some letters, `ending`, and open it for writing; others of
 * this stem and ending are removed if they are ours and no process can be at work on them any more.
 * The caller frees *name. Returns the descriptor, or -1 with errno. */
int temporary_create(char **name, const char *stem, const char *ending, mode_t mode);

#endif
