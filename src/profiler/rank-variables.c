/* SPDX-License-Identifier: BSD-3-Clause */
/* rank-variables.c - see rank-variables.h. */
#include "profiler/rank-variables.h"

#include <string.h>

static const char names[RANK_VARIABLES][24] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                               "SLURM_PROCID"};
static unsigned bits;

const char *rank_variable_name(int bit)
{
    return names[bit];
}

int rank_variable_find(const char *name)
{
    for (int bit = 0; bit < RANK_VARIABLES; bit++)
        if (name[0] == names[bit][0] && strcmp(name, names[bit]) == 0)
            return bit;
    return -1;
}

void rank_variable_add(int bit)
{
    __atomic_fetch_or(&bits, 1u << bit, __ATOMIC_RELAXED);
}

unsigned rank_variable_bits(void)
{
    return __atomic_load_n(&bits, __ATOMIC_RELAXED);
}
