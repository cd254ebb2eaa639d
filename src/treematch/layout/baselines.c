/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * baselines.c - the simple placements that all others are compared with: packed, round robin and
 * random. A slot of capacity c counts as c units.
 *
 *   packed      role i on unit i, from left to right: a node is filled before the next one.
 *   roundrobin  roles are dealt out to the children of the root in turn, each of which takes them
 *               on its units from left to right and is passed over when it is full. With nodes
 *               below the root that is "by node". The papers put process i on physical unit i;
 *               physical numbers, which a tree does not have, usually run across the packages or
 *               nodes in just this way (TreeMatch 2010, Fig. 1: 6010 for their example).
 *   random      roles on shuffled units.
 */
#include "treematch/model/problem.h"
#include "treematch/layout/baselines.h"

enum tmap_status tmap_method_packed(const struct tmap_problem *problem, int32_t *slot_of,
                                    struct tmap_error *error)
{
    const struct tmap_tree *tree = problem->tree;
    int32_t slot = 0, used = 0;
    (void)error;
    for (int32_t role = 0; role < problem->matrix->roles; role++) {
        while (used >= tmap_capacity_of(tree, slot)) {
            slot++;
            used = 0;
        }
        slot_of[role] = slot;
        used++;
    }
    return TMAP_OK;
}

/* Take the next unit of a child, on its next slot with room; 0 if the child is full. */
static int take_unit(const struct tmap_tree *tree, int32_t *slot, int32_t *used, int32_t end)
{
    while (*slot < end && *used >= tree->capacity[*slot]) {
        (*slot)++;
        *used = 0;
    }
    (*used)++;
    return *slot < end;
}

/* If all children of the root are alike, capacities need not be looked at. */
static void deal_evenly(const struct tmap_problem *problem, int32_t *slot_of)
{
    int32_t children = problem->tree->count[1], below = tmap_uniform_below(problem->tree, 1);
    for (int32_t role = 0; role < problem->matrix->roles; role++)
        slot_of[role] = role % children * below + role / children;
}

enum tmap_status tmap_method_roundrobin(const struct tmap_problem *problem, int32_t *slot_of,
                                        struct tmap_error *error)
{
    const struct tmap_tree *tree = problem->tree;
    if (tree->uniform) {
        deal_evenly(problem, slot_of);
        return TMAP_OK;
    }
    const int32_t *first = tree->first_slot[1];
    int32_t children = tree->count[1], role = 0;
    int32_t *next = tmap_new((size_t)children, 2 * sizeof *next);
    if (!next)
        return tmap_fail_memory(error);
    int32_t *used = next + children;
    memcpy(next, first, sizeof *next * (size_t)children);
    memset(used, 0, sizeof *used * (size_t)children);
    while (role < problem->matrix->roles) {
        for (int32_t c = 0; c < children && role < problem->matrix->roles; c++) {
            if (take_unit(tree, &next[c], &used[c], first[c + 1]))
                slot_of[role++] = next[c];
        }
    }
    free(next);
    return TMAP_OK;
}

/* For a tree without arrays: draw slots, and draw again for one that was drawn before. `seen` is a
 * hash table of them; its size is a power of two, more than twice the number of roles. */
static enum tmap_status draw_slots(const struct tmap_problem *problem, struct tmap_random *random,
                                   int32_t *slot_of)
{
    uint32_t slots = (uint32_t)problem->tree->count[problem->tree->depth];
    size_t entries = 4;
    while (entries / 2 <= (size_t)problem->matrix->roles)
        entries *= 2;
    int32_t *seen = tmap_new(entries, sizeof *seen);
    if (!seen)
        return TMAP_ENOMEM;
    memset(seen, 0xff, sizeof *seen * entries);
    for (int32_t role = 0; role < problem->matrix->roles;) {
        int32_t slot = (int32_t)tmap_random_below(random, slots);
        size_t at = (uint64_t)slot * UINT64_C(11400714819323198485) >> 32 & (entries - 1);
        while (seen[at] >= 0 && seen[at] != slot)
            at = (at + 1) & (entries - 1);
        if (seen[at] < 0)
            slot_of[role++] = seen[at] = slot;
    }
    free(seen);
    return TMAP_OK;
}

/* Only min(capacity, roles) units of a slot can ever be used, so no more are shuffled. */
enum tmap_status tmap_method_random(const struct tmap_problem *problem, int32_t *slot_of,
                                    struct tmap_error *error)
{
    const struct tmap_tree *tree = problem->tree;
    struct tmap_random random;
    int64_t seen = 0;
    int32_t roles = problem->matrix->roles;
    tmap_random_init(&random, problem->seed);
    if (!tree->capacity)
        return draw_slots(problem, &random, slot_of) ? tmap_fail_memory(error) : TMAP_OK;
    for (int32_t slot = 0; slot < tree->count[tree->depth]; slot++) {
        int32_t units = tree->capacity[slot] < roles ? tree->capacity[slot] : roles;
        for (int32_t unit = 0; unit < units; unit++, seen++) {
            int64_t at = seen;
            if (seen >= roles)
                at = (int64_t)(tmap_random_next(&random) % (uint64_t)(seen + 1));
            if (at < roles)
                slot_of[at] = slot;
        }
    }
    tmap_random_shuffle(&random, slot_of, roles);
    return TMAP_OK;
}
