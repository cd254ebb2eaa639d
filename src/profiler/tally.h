/* SPDX-License-Identifier: BSD-3-Clause */
/* tally.h - a list of what a call sends, to be counted later, possibly many times. */
#ifndef RESEAT_TALLY_H
#define RESEAT_TALLY_H

#include "profiler/traffic.h"

struct tally;

/* From now until tally_end, what the calling thread records goes into a new list. */
void tally_begin(void);
int tally_is_open(void);

/* The list, for tally_free. NULL: tally_begin ran out of memory, and everything has been counted at
 * once. */
struct tally *tally_end(void);

/* `msgs` messages of about the same size, of `bytes` bytes in all: into the list that is open, or
 * into the counters. */
void tally_add(struct peer *peer, enum reseat_traffic kind, uint64_t msgs, uint64_t bytes);

/* tally_add all of a list, `times` over. NULL is an empty one, here and below. */
void tally_count(const struct tally *tally, uint64_t times);

size_t tally_length(const struct tally *tally);
void tally_free(struct tally *tally);

#endif
