/* SPDX-License-Identifier: BSD-3-Clause */
/* unseen.h - what is seen of the program besides its traffic, one bit each, named in the profile:
 * what it used but the profile does not contain, and which of the launchers' rank variables it has
 * looked up in its environment. May be called by any thread at any time. */
#ifndef RESEAT_UNSEEN_H
#define RESEAT_UNSEEN_H

#include "launcher/rank-variables.h"

/* clang-format off */
#define UNSEEN_LIST(row)                                                      \
    row(UNSEEN_FILES, "MPI-IO")                                               \
    row(UNSEEN_OTHER_JOBS, "traffic with spawned or connected processes")     \
    row(UNSEEN_COLLECTIVES, "collectives")                                    \
    row(UNSEEN_SHARED, "loads and stores in windows of shared memory")        \
    row(UNSEEN_SESSIONS, "traffic of sessions before MPI_Init")               \
    row(UNSEEN_LEFT, "some traffic after a handler left MPI by a jump")       \
    row(UNSEEN_MEMORY, "traffic for which there was no memory")
/* clang-format on */

#define UNSEEN_ENUM(name, text) name##_BIT,
enum unseen_bit { UNSEEN_LIST(UNSEEN_ENUM) UNSEEN_COUNT };
#undef UNSEEN_ENUM
#define UNSEEN_ENUM(name, text) name = 1 << name##_BIT,
enum unseen { UNSEEN_LIST(UNSEEN_ENUM) };
#undef UNSEEN_ENUM

void unseen_add(enum unseen what);
/* All bits that were added here. */
unsigned unseen_bits(void);
/* The text of bit number `bit`. */
const char *unseen_text(int bit);

/* A bit for each of launcher/rank-variables.h. */
void rank_lookup_add(int variable);
unsigned rank_lookup_bits(void);

#endif
