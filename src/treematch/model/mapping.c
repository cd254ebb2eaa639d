/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapping.c - the validity of a mapping.
 */
#include "treematch/model/objects.h"

static int within_capacity(const struct tmap_tree *tree, int32_t roles, const int32_t *slot_of,
                           int32_t *load)
{
    for (int32_t role = 0; role < roles; role++) {
        if (++load[slot_of[role]] > tree->capacity[slot_of[role]])
            return 0;
    }
    return 1;
}

/* Without memory for counters: in quadratic time, but correct. */
static int within_capacity_slowly(const struct tmap_tree *tree, int32_t roles,
                                  const int32_t *slot_of)
{
    for (int32_t role = 0; role < roles; role++) {
        int32_t load = 0;
        for (int32_t other = 0; other <= role; other++)
            load += slot_of[other] == slot_of[role];
        if (load > tree->capacity[slot_of[role]])
            return 0;
    }
    return 1;
}

/* For a tree without arrays: memory for each role, not for each slot. Every slot holds one. */
static int is_injective(int32_t roles, const int32_t *slot_of)
{
    int32_t *order = tmap_new((size_t)roles, 2 * sizeof *order), same = 0;
    if (!order) {
        for (int32_t role = 1; role < roles; role++)
            for (int32_t other = 0; other < role; other++)
                same += slot_of[role] == slot_of[other];
        return same == 0;
    }
    for (int32_t role = 0; role < roles; role++)
        order[role] = role;
    tmap_sort(order, order + roles, roles, tmap_by_number, slot_of);
    for (int32_t i = 1; i < roles; i++)
        same += slot_of[order[i]] == slot_of[order[i - 1]];
    free(order);
    return same == 0;
}

int tmap_mapping_is_valid(const struct tmap_tree *tree, int32_t roles, const int32_t *slot_of)
{
    int32_t slots = tmap_tree_slots(tree);
    for (int32_t role = 0; role < roles; role++) {
        if (slot_of[role] < 0 || slot_of[role] >= slots)
            return 0;
    }
    if (!tree->capacity)
        return is_injective(roles, slot_of);
    int32_t *load = tmap_new_zero((size_t)slots, sizeof *load);
    if (!load)
        return within_capacity_slowly(tree, roles, slot_of);
    int valid = within_capacity(tree, roles, slot_of, load);
    free(load);
    return valid;
}
