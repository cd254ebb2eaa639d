/* SPDX-License-Identifier: BSD-3-Clause */
/* world-profile.h - building a profile with only the world, for the readers of other formats. */
#ifndef RESEAT_WORLD_PROFILE_H
#define RESEAT_WORLD_PROFILE_H

#include "profile/profile.h"

/* A profile of `ranks` ranks without seats or traffic. NULL: out of memory. */
struct reseat_profile *world_create(int32_t ranks);

/* Add a header. 0, or -1 if out of memory. */
int world_header(struct reseat_profile *profile, const char *key, const char *value);

/* Add traffic, in any order. 0, or -1 if out of memory. */
int world_add(struct reseat_profile *profile, enum reseat_traffic kind,
              const struct reseat_entry *entry);

/* Sort all entries and drop those without messages and bytes. If a pair was given twice: -1, and
 * *twice is that entry. */
int world_finish(struct reseat_profile *profile, struct reseat_entry *twice);

#endif
