/* SPDX-License-Identifier: BSD-3-Clause */
/* rank-lookups.c - see rank-lookups.h. */
#include "profiler/rank-lookups.h"

static unsigned rank_lookups;

void rank_lookup_add(int variable)
{
    __atomic_fetch_or(&rank_lookups, 1u << variable, __ATOMIC_RELAXED);
}

unsigned rank_lookup_bits(void)
{
    return __atomic_load_n(&rank_lookups, __ATOMIC_RELAXED);
}
