/* SPDX-License-Identifier: BSD-3-Clause */
/* profile-seats.h - where the ranks of a profile ran. */
#ifndef RESEAT_PROFILE_SEATS_H
#define RESEAT_PROFILE_SEATS_H

#include "network/location.h"
#include "profile/profile.h"

/* Finds where the ranks of a profile that has seats ran, and the switches above their hosts by a
 * file of switches (NULL: none). *locations is allocated, as is what is in *network. 0, or -1 with
 * *error. */
int seats_locations(const struct reseat_profile *profile, const char *switches,
                    struct reseat_location **locations, struct reseat_network *network,
                    struct reseat_error *error);

#endif
