/* SPDX-License-Identifier: BSD-3-Clause */
/* unseen.h - what the program used but the profile does not contain: one bit each, named in the
 * profile. */
#ifndef RESEAT_UNSEEN_H
#define RESEAT_UNSEEN_H

/* clang-format off */
#define UNSEEN_LIST(row)                                                      \
    row(UNSEEN_FILES, "MPI-IO")                                               \
    row(UNSEEN_OTHER_JOBS, "traffic with spawned or connected processes")     \
    row(UNSEEN_COLLECTIVES, "collectives")                                    \
    row(UNSEEN_SHARED, "loads and stores in windows of shared memory")        \
    row(UNSEEN_SESSIONS, "traffic of sessions before MPI_Init")               \
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

#endif
