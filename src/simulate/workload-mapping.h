/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workload-mapping.h - where the ranks of a workload are, as text; # begins a comment:
 *
 *   RANK SLOT           of one job; of several, the ranks of all of them, one job after the other
 *   JOB RANK SLOT       a rank of job number JOB, from 0
 */
#ifndef RESEAT_WORKLOAD_MAPPING_H
#define RESEAT_WORKLOAD_MAPPING_H

#include <stdint.h>
#include <stdio.h>

#include "text/error.h"
#include "simulate/workload.h"

/* Read slot_of[rank], workload->ranks entries, each below `slots`. 0, or -1 with *error (file, line
 * and reason): something else, a rank that is missing or there twice. */
int reseat_workload_mapping_read(const struct reseat_workload *workload, const char *path,
                                 int32_t slots, int32_t *slot_of, struct reseat_error *error);

/* The first form for one job; for several the second, below a comment with the name of each. The
 * caller checks `file` for errors. */
void reseat_workload_mapping_write(FILE *file, const struct reseat_workload *workload,
                                   const int32_t *slot_of);

#endif
