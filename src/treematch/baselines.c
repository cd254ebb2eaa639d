/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * baselines.c - the simple placements that everything is compared with: packed, round robin and
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
#include "internal.h"

enum tmap_status tmap_method_packed(const struct tmap_problem *problem, int32_t *slot_of,
                                    struct tmap_error *error)
{
    const struct tmap_tree *tree = problem->tree;
    int32_t slot = 0, used = 0;
    (void)error;
    for (int32_t role = 0; role < problem->matrix->roles; role++) {
        while (used >= tree->capacity[slot]) {
            slot++;
            used = 0;
        }
        slot_of[role] = slot;
        used++;
    }
    return TMAP_OK;
}

/* Take the next unit of a child: its next slot with room; 0 when the child is full. */
static int take_unit(const struct tmap_tree *tree, int32_t *slot, int32_t *used, int32_t end)
{
    while (*slot < end && *used >= tree->capacity[*slot]) {
        (*slot)++;
        *used = 0;
    }
    (*used)++;
    return *slot < end;
}

enum tmap_status tmap_method_roundrobin(const struct tmap_problem *problem, int32_t *slot_of,
                                        struct tmap_error *error)
{
    const struct tmap_tree *tree = problem->tree;
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

/* Reservoir of units: with far more units than roles only min(capacity, roles) units of a slot can
 * ever be used. */
enum tmap_status tmap_method_random(const struct tmap_problem *problem, int32_t *slot_of,
                                    struct tmap_error *error)
{
    const struct tmap_tree *tree = problem->tree;
    struct tmap_random random;
    int64_t seen = 0;
    int32_t roles = problem->matrix->roles;
    (void)error;
    tmap_random_init(&random, problem->seed);
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
