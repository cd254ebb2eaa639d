/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.c - see messages.h. */
#include "reorder/messages.h"

#include <stdlib.h>

static uint64_t messages_between(const struct pattern *pattern, const int *node_of)
{
    uint64_t count = 0;
    for (size_t i = 0; i < pattern->messages_count; i++) {
        const struct tmap_entry *entry = &pattern->messages[i];
        if (node_of[entry->source] != node_of[entry->target])
            count += entry->weight;
    }
    return count;
}

void messages_count(const struct pattern *pattern, const struct seats *seats, const int *roles,
                    uint64_t between[2])
{
    int size = seats->rank_tree.last;
    int *launch = malloc(sizeof *launch * (size_t)size);
    int *ordered = malloc(sizeof *ordered * (size_t)size);
    between[0] = between[1] = 0;
    for (int r = 0; launch && ordered && r < size; r++) {
        launch[r] = seats->all[r].location.node;
        ordered[roles[r]] = launch[r];
    }
    if (pattern->messages && launch && ordered) {
        between[0] = messages_between(pattern, launch);
        between[1] = messages_between(pattern, ordered);
    }
    free(launch);
    free(ordered);
}
