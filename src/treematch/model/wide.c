/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wide.c - uniform trees with many more slots than there are roles.
 *
 * All children of an object of a uniform tree are alike, so for R roles any R of them are as good
 * as all. And as costs never fall towards the root, roles lose nothing by staying within one part
 * of the tree that has enough room: whatever is spread over several parts can be packed into one
 * without moving any two roles further apart. Sixteen slots for each role are enough room except
 * for the oddest sizes. So a method gets a small tree, built from the leaves up: at most R children
 * on each level until there is room, and above that only the first child of each level. A slot of
 * the small tree is the slot with the same path in the large one.
 *
 * Example: 8 roles on 4000000 x 4 are mapped on 8 x 4; slot 5 (child 1 of object 1) is slot 5 in
 * both.
 *
 * Large trees are stored as arities and costs only (tree.c), so nothing here depends on the number
 * of slots.
 */
#include "treematch/model/wide.h"

/* Slots that a method sees for each role, and at least in all. */
enum { WIDE_SLOTS_PER_ROLE = 16, WIDE_LEAST_SLOTS = 4096 };

static int64_t wanted_room(int32_t roles)
{
    int64_t room = (int64_t)WIDE_SLOTS_PER_ROLE * roles;
    return room > WIDE_LEAST_SLOTS ? room : WIDE_LEAST_SLOTS;
}

int tmap_tree_is_wide(const struct tmap_tree *tree, int32_t roles)
{
    return tree->uniform && (!tree->capacity || tree->count[tree->depth] > wanted_room(roles));
}

enum tmap_status tmap_tree_narrow(struct tmap_tree **narrow, const struct tmap_tree *tree,
                                  int32_t roles, struct tmap_error *error)
{
    int32_t arity[TMAP_MAX_LEVELS];
    int64_t slots = 1, room = wanted_room(roles);
    for (int l = tree->depth - 1; l >= 0; l--) {
        int64_t children = tmap_uniform_arity(tree, l), enough = (room - 1) / slots + 1;
        children = children < roles ? children : roles;
        arity[l] = (int32_t)(children < enough ? children : enough);
        slots *= arity[l];
    }
    return tmap_tree_create_filled(narrow, tree->depth, arity, tree->level, error);
}

void tmap_widen(const struct tmap_tree *tree, const struct tmap_tree *narrow, int32_t roles,
                int32_t *slot_of)
{
    for (int32_t role = 0; role < roles; role++) {
        int32_t slot = slot_of[role], wide = 0, below = 1;
        for (int l = tree->depth - 1; l >= 0; l--) {
            int32_t arity = tmap_uniform_arity(narrow, l);
            wide += slot % arity * below;
            slot /= arity;
            below *= tmap_uniform_arity(tree, l);
        }
        slot_of[role] = wide;
    }
}

enum tmap_status tmap_mapping_find_wide(const struct tmap_problem *problem, tmap_method_fn *map,
                                        int32_t *slot_of, struct tmap_error *error)
{
    struct tmap_problem small = *problem;
    struct tmap_tree *narrow = NULL;
    enum tmap_status status =
        tmap_tree_narrow(&narrow, problem->tree, problem->matrix->roles, error);
    if (status != TMAP_OK)
        return status;
    small.tree = narrow;
    status = map(&small, slot_of, error);
    if (status == TMAP_OK)
        tmap_widen(problem->tree, narrow, problem->matrix->roles, slot_of);
    tmap_tree_destroy(narrow);
    return status;
}
