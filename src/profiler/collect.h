/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.h - rank 0's part of the profile: it asks all processes and writes what they answer. */
#ifndef RESEAT_COLLECT_H
#define RESEAT_COLLECT_H

#include "profiler/answers.h"
#include "profiler/relay.h"
#include "text/error.h"

/* Ask, write, and let the others go. The number of rows in *entries. 0, or -1 with *error. */
int collect_profile(struct relay *relay, const struct gathering *gathering, size_t *entries,
                    struct reseat_error *error);

/* The error that a rank's answer is missing. Returns -1. */
int collect_say_missing(int rank, int is_late, double patience, struct reseat_error *error);

#endif
