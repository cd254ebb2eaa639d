/* SPDX-License-Identifier: BSD-3-Clause */
/* key-space.c - see key-space.h. */
#include "interpose/meeting/key-space.h"

#include <mpi.h>
#include <stdlib.h>

#include "launcher/rank-variables.h"

#ifdef OPEN_MPI

static const enum rank_variable key_space_ranks[] = {RANK_VARIABLE_PMIX_RANK};

void key_space_put(int value)
{
    key_space_pmix_put(value);
}

int key_space_get(int rank, int seconds)
{
    return key_space_pmix_get(rank, seconds);
}

const char *key_space_name(void)
{
    return "PMIx";
}

#else

static const enum rank_variable key_space_ranks[] = {RANK_VARIABLE_PMI_RANK,
                                                     RANK_VARIABLE_PMIX_RANK};

void key_space_put(int value)
{
    key_space_pmix_put(value);
    key_space_pmi_put(value);
}

int key_space_get(int rank, int seconds)
{
    int value = key_space_pmi_get(rank);
    return value < 0 ? key_space_pmix_get(rank, seconds) : value;
}

const char *key_space_name(void)
{
    return "PMI of Hydra and PMIx";
}

#endif

int key_space_all_wait(int size)
{
    return key_space_pmix_all_wait(size);
}

int key_space_check(void)
{
    for (size_t i = 0; i < sizeof key_space_ranks / sizeof key_space_ranks[0]; i++) {
        const char *self = getenv(rank_variable_name(key_space_ranks[i]));
        if (self)
            return key_space_get(atoi(self), 0) < 0 ? -1 : 0;
    }
    return -1;
}
