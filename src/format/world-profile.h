/* SPDX-License-Identifier: BSD-3-Clause */
/* world-profile.h - making a profile that has the world only: what the readers of other formats build. */
#ifndef RESEAT_WORLD_PROFILE_H
#define RESEAT_WORLD_PROFILE_H

#include "format/profile.h"

/* As in profiles: callers allocate by the number of ranks. */
enum { WORLD_MOST_RANKS = 1 << 24 };

/* A profile of `ranks` ranks without seats and traffic. NULL when memory is short. */
struct reseat_profile *world_create(int32_t ranks);

/* Add a header. 0, or -1 when memory is short. */
int world_header(struct reseat_profile *profile, const char *key, const char *value);

/* Add traffic, in any order. 0, or -1 when memory is short. */
int world_add(struct reseat_profile *profile, enum reseat_traffic kind,
              const struct reseat_entry *entry);

/* Put all in order, without entries that have neither messages nor bytes. A pair that was given
 * twice: its place in *twice and -1. */
int world_finish(struct reseat_profile *profile, struct reseat_entry *twice);

#endif
