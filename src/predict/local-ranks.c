/* SPDX-License-Identifier: BSD-3-Clause */
/* local-ranks.c - see local-ranks.h. The slots of a node follow each other, as in every tree of
 * processes. */
#include "predict/local-ranks.h"

#include <stdlib.h>
#include <string.h>

/* The slots `begin` to `end` - 1 are a node. */
static void local_ranks_add_node(struct local_ranks *local, int32_t begin, int32_t end, int is_kept)
{
    for (int32_t slot = begin; slot < end; slot++)
        local->first[slot] = is_kept ? begin : -1;
    local->of_all.nodes++;
    local->of_all.kept += is_kept;
}

static void local_ranks_divide(struct local_ranks *local, enum reseat_keep_local keep,
                               const struct reseat_location *locations, const int32_t *process_on,
                               int32_t slots)
{
    for (int32_t begin = 0, end; begin < slots; begin = end) {
        int32_t accelerators = 0;
        for (end = begin;
             end < slots && locations[process_on[end]].node == locations[process_on[begin]].node;
             end++)
            if (locations[process_on[end]].accelerators > accelerators)
                accelerators = locations[process_on[end]].accelerators;
        if (keep == RESEAT_KEEP_LOCAL_AUTO && accelerators > local->of_all.accelerators)
            local->of_all.accelerators = accelerators;
        local_ranks_add_node(local, begin, end,
                             keep == RESEAT_KEEP_LOCAL_YES ||
                                 (keep == RESEAT_KEEP_LOCAL_AUTO && accelerators > 0));
    }
}

/* local->slot, from the processes in the order of their ranks. */
static void local_ranks_number(struct local_ranks *local, const int32_t *launch, int32_t processes)
{
    memset(local->next, 0, (size_t)processes * sizeof *local->next);
    for (int32_t process = 0; process < processes; process++) {
        int32_t first = local->first[launch[process]];
        if (first >= 0)
            local->slot[first + local->next[first]++] = launch[process];
    }
}

int local_ranks_find(struct local_ranks *local, enum reseat_keep_local keep,
                     const struct reseat_location *locations, const int32_t *launch,
                     int32_t processes, struct reseat_error *error)
{
    size_t n = (size_t)processes + 1;
    int32_t *process_on = malloc(n * sizeof *process_on);
    *local = (struct local_ranks){.first = malloc(n * sizeof *local->first),
                                  .slot = malloc(n * sizeof *local->slot),
                                  .next = malloc(n * sizeof *local->next)};
    int has_room = process_on && local->first && local->slot && local->next;
    if (has_room) {
        tmap_permutation_invert(launch, process_on, processes);
        local_ranks_divide(local, keep, locations, process_on, processes);
        local_ranks_number(local, launch, processes);
    }
    free(process_on);
    if (has_room)
        return 0;
    local_ranks_free(local);
    return reseat_fail(error, "out of memory");
}

const char *local_ranks_words(const struct local_ranks_summary *of_all)
{
    if (of_all->kept == 0)
        return "";
    return of_all->accelerators > 0
               ? "local ranks stay where there are accelerators (RESEAT_KEEP_LOCAL)"
               : "local ranks stay (RESEAT_KEEP_LOCAL)";
}

void local_ranks_free(struct local_ranks *local)
{
    free(local->first);
    free(local->slot);
    free(local->next);
    *local = (struct local_ranks){.first = NULL};
}

void local_ranks_keep(const struct local_ranks *local, int32_t *slot_of, int32_t roles)
{
    if (!local->of_all.kept)
        return;
    memset(local->next, 0, (size_t)roles * sizeof *local->next);
    for (int32_t role = 0; role < roles; role++) {
        int32_t first = local->first[slot_of[role]];
        if (first >= 0)
            slot_of[role] = local->slot[first + local->next[first]++];
    }
}
