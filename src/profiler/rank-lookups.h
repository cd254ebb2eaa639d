/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank-lookups.h - which of the launchers' rank variables (launcher/rank-variables.h) the
 * application has looked up in its environment, one bit each. May be called by any thread at any
 * time.
 */
#ifndef RESEAT_RANK_LOOKUPS_H
#define RESEAT_RANK_LOOKUPS_H

#include "launcher/rank-variables.h"

void rank_lookup_add(int variable);

/* All bits that were added. */
unsigned rank_lookup_bits(void);

#endif
