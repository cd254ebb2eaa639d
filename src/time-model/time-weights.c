/* SPDX-License-Identifier: BSD-3-Clause */
/* time-weights.c - see time-weights.h. */
#include "time-model/time-weights.h"

#include <string.h>

static const char *const time_kinds[TIME_KINDS] = {
    "machine", "switch8",  "switch7", "switch6", "switch5", "switch4", "switch3",
    "switch2", "switch",   "node",    "package", "pack",    "socket",  "die",
    "numa",    "numanode", "group",   "l5",      "l4",      "l3",      "l2",
    "l1",      "core",     "pu",      "router",  "process"};

double time_costs_of_kind(const struct time_costs *costs, const char *kind)
{
    int node = 0;
    for (int k = 0; k < TIME_KINDS; k++) {
        if (strcmp(time_kinds[k], kind) == 0)
            return costs->of_kind[k];
        if (strcmp(time_kinds[k], "node") == 0)
            node = k;
    }
    return costs->of_kind[strncmp(kind, "switch", 6) == 0 ? 1 : node];
}

/* The seconds of all traffic at a level; without traffic, of an empty message. */
static double time_of_all(const struct timings_level *level, const struct reseat_entry *entries,
                          size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (entries[i].source != entries[i].target)
            sum += reseat_timings_sum(level, entries[i].msgs, entries[i].bytes);
    return sum > 0 ? sum : reseat_timings_seconds(level, 0);
}

void time_costs_find(struct time_costs *costs, const struct reseat_timings *timings,
                     const struct reseat_entry *entries, size_t count, const char *outermost)
{
    const struct timings_level *level[TIME_KINDS];
    double whole = time_of_all(reseat_timings_level(timings, outermost), entries, count);
    for (int k = 0; k < TIME_KINDS; k++) {
        int same = 0; /* many kinds have the timings of another one */
        level[k] = reseat_timings_level(timings, time_kinds[k]);
        while (level[same] != level[k])
            same++;
        costs->of_kind[k] =
            same < k ? costs->of_kind[same] : time_of_all(level[k], entries, count) / whole;
    }
}

int time_costs_set(const struct time_costs *costs, struct tmap_tree **tree,
                   struct reseat_error *error)
{
    double cost[TMAP_MAX_LEVELS];
    int depth = tmap_tree_depth(*tree);
    char kind[TMAP_NAME_SIZE];
    struct tmap_tree *priced;
    struct tmap_error why;
    for (int level = 0; level < depth; level++) {
        reseat_timings_kind(*tree, level, kind);
        cost[level] = time_costs_of_kind(costs, kind);
        if (level > 0 && cost[level] > cost[level - 1])
            cost[level] = cost[level - 1];
    }
    if (tmap_tree_copy_with_costs(&priced, *tree, cost, depth, &why))
        return reseat_fail(error, "%s", why.text);
    tmap_tree_destroy(*tree);
    *tree = priced;
    return 0;
}

uint64_t time_weight(const struct timings_level *outermost, const struct reseat_entry *entry)
{
    double most = 4e18, weight = 1e9 * reseat_timings_sum(outermost, entry->msgs, entry->bytes);
    if (!entry->msgs && !entry->bytes)
        return 0;
    return weight < 1 ? 1 : weight < most ? (uint64_t)(weight + 0.5) : (uint64_t)most;
}
