/* SPDX-License-Identifier: BSD-3-Clause */
/* unseen.c - see unseen.h; the hooks that calls.tbl names for what is not recorded. */
#include "profiler/unseen.h"

#include "profiler/call-hooks.h"

static unsigned bits, rank_lookups;

void unseen_add(enum unseen what)
{
    if (!(__atomic_load_n(&bits, __ATOMIC_RELAXED) & what))
        __atomic_fetch_or(&bits, what, __ATOMIC_RELAXED);
}

unsigned unseen_bits(void)
{
    return __atomic_load_n(&bits, __ATOMIC_RELAXED);
}

const char *unseen_text(int bit)
{
#define UNSEEN_TEXT(name, text) text,
    static const char *const texts[] = {UNSEEN_LIST(UNSEEN_TEXT)};
#undef UNSEEN_TEXT
    return texts[bit];
}

void rank_lookup_add(int variable)
{
    __atomic_fetch_or(&rank_lookups, 1u << variable, __ATOMIC_RELAXED);
}

unsigned rank_lookup_bits(void)
{
    return __atomic_load_n(&rank_lookups, __ATOMIC_RELAXED);
}

void unseen_other_jobs(void)
{
    unseen_add(UNSEEN_OTHER_JOBS);
}

void unseen_sessions(void)
{
    unseen_add(UNSEEN_SESSIONS);
}
