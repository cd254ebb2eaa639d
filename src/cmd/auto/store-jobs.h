/* SPDX-License-Identifier: BSD-3-Clause */
/* store-jobs.h - the jobs of a program in the store: reading their lines; store.h adds them. */
#ifndef RESEAT_STORE_JOBS_H
#define RESEAT_STORE_JOBS_H

#include "cmd/auto/store.h"

/* A path in the store. 0, or -1: it is too long. */
int store_path(char path[PATH_MAX], const char *folder, const char *name);

/* Read the jobs of program->folder. A file that is not there has none. 0, or -1 with *error. */
int store_read_jobs(struct stored_program *program, struct reseat_error *error);

#endif
