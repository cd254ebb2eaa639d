/* SPDX-License-Identifier: BSD-3-Clause */
/* seats-match.h - whether a job runs where that of a profile ran. */
#ifndef RESEAT_SEATS_MATCH_H
#define RESEAT_SEATS_MATCH_H

#include "network/location.h"
#include "profile/profile.h"

/* Returns 1 if processes run where others did: as many, the same ones on a node together, and bound
 * to places as far from each other as it is known. Nodes are numbers below that of the processes,
 * or the answer is 0, as without memory. */
int reseat_seats_match(const struct reseat_location *locations, const struct reseat_seat *seats,
                       int32_t processes);

#endif
