/* SPDX-License-Identifier: BSD-3-Clause */
/* rank-variables.c - see rank-variables.h. */
#include "launcher/rank-variables.h"

#include <string.h>

#define RANK_VARIABLE_NAME(name) #name,
static const char rank_variable_names[RANK_VARIABLES][24] = {
    RANK_VARIABLE_LIST(RANK_VARIABLE_NAME)};

const char *rank_variable_name(int number)
{
    return rank_variable_names[number];
}

int rank_variable_find(const char *name)
{
    for (int number = 0; number < RANK_VARIABLES; number++)
        if (name[0] == rank_variable_names[number][0] &&
            strcmp(name, rank_variable_names[number]) == 0)
            return number;
    return -1;
}
