/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * constraints.c - mapping with closed slots and roles that are pinned to a slot.
 *
 * A closed slot gets capacity 0, which all methods handle. Pins are met afterwards: the mapping
 * that the method found without them is repaired, by moving each pinned role to its slot in
 * exchange for a role that may leave it, and then improved by exchanges that do not touch pinned
 * roles. The first pin usually costs nothing, because equal subtrees can trade places
 * (keep-role.c).
 *
 * If many roles are pinned, the free ones belong near them; starting from the repaired mapping, the
 * exchanges find that as well.
 */
#include "treematch/improve/improve.h"
#include "treematch/model/problem.h"
#include "treematch/improve/swaps.h"

#include <math.h>

struct pins {
    const int32_t *pinned; /* -1: free */
    const struct tmap_tree *tree;
    int32_t *slot_of;
    int32_t *load;  /* by slot */
    int32_t *first; /* by slot: a role on it, -1: none */
    int32_t *next;  /* by role: the next one on the same slot */
    int32_t roles;
};

static void pins_enter(struct pins *p, int32_t role, int32_t slot)
{
    p->slot_of[role] = slot;
    p->next[role] = p->first[slot];
    p->first[slot] = role;
    p->load[slot]++;
}

static void pins_leave(struct pins *p, int32_t role)
{
    int32_t slot = p->slot_of[role], *link = &p->first[slot];
    while (*link != role)
        link = &p->next[*link];
    *link = p->next[role];
    p->load[slot]--;
}

/* A role on `slot` that is not pinned there; a full slot has one. */
static int32_t guest_of(const struct pins *p, int32_t slot)
{
    int32_t role = p->first[slot];
    while (role >= 0 && p->pinned[role] == slot)
        role = p->next[role];
    return role;
}

static void pins_repair(struct pins *p)
{
    memset(p->load, 0, sizeof *p->load * (size_t)p->tree->count[p->tree->depth]);
    memset(p->first, 0xff, sizeof *p->first * (size_t)p->tree->count[p->tree->depth]);
    for (int32_t role = p->roles - 1; role >= 0; role--)
        pins_enter(p, role, p->slot_of[role]);
    for (int32_t role = 0; role < p->roles; role++) {
        int32_t from = p->slot_of[role], to = p->pinned[role];
        if (to < 0 || to == from)
            continue;
        pins_leave(p, role);
        if (p->load[to] == p->tree->capacity[to]) {
            int32_t guest = guest_of(p, to);
            pins_leave(p, guest);
            pins_enter(p, guest, from);
        }
        pins_enter(p, role, to);
    }
}

/* Before the repair: meet the first pin by letting whole subtrees trade places. */
static enum tmap_status keep_first(const struct tmap_problem *problem, const int32_t *pinned,
                                   int32_t *slot_of, struct tmap_error *error)
{
    int32_t role = 0;
    int kept;
    while (role < problem->matrix->roles && pinned[role] < 0)
        role++;
    if (role == problem->matrix->roles)
        return TMAP_OK;
    return tmap_mapping_keep_role(problem->matrix, problem->tree, role, pinned[role], slot_of,
                                  &kept, error);
}

static enum tmap_status meet_pins(const struct tmap_problem *problem, const int32_t *pinned,
                                  int32_t *slot_of, struct tmap_error *error)
{
    size_t roles = (size_t)problem->matrix->roles;
    size_t slots = (size_t)problem->tree->count[problem->tree->depth];
    struct pins p = {pinned, problem->tree, slot_of, NULL, NULL, NULL, problem->matrix->roles};
    struct tmap_swaps swaps = tmap_swaps_for(problem->effort);
    char *fixed = tmap_new(roles, 1);
    enum tmap_status status = keep_first(problem, pinned, slot_of, error);
    p.load = tmap_new(slots, sizeof *p.load);
    p.first = tmap_new(slots, sizeof *p.first);
    p.next = tmap_new(roles, sizeof *p.next);
    if (status == TMAP_OK && (!fixed || !p.load || !p.first || !p.next))
        status = tmap_fail_memory(error);
    if (status == TMAP_OK) {
        pins_repair(&p);
        for (size_t role = 0; role < roles; role++)
            fixed[role] = pinned[role] >= 0;
        swaps.fixed = fixed;
        if (tmap_improve(problem->matrix, problem->tree, &swaps, slot_of))
            status = tmap_fail_memory(error);
    }
    free(fixed);
    free(p.load);
    free(p.first);
    free(p.next);
    return status;
}

/* Checks that the pins can be met on the open slots. `room` is scratch, one entry a slot. */
static enum tmap_status check_pins(const struct tmap_tree *tree, int32_t roles,
                                   const int32_t *pinned, int32_t *room, struct tmap_error *error)
{
    int32_t slots = tree->count[tree->depth];
    memcpy(room, tree->capacity, sizeof *room * (size_t)slots);
    for (int32_t role = 0; role < roles; role++) {
        if (pinned[role] < -1 || pinned[role] >= slots)
            return tmap_fail(error, TMAP_EINVAL, "role %ld is pinned to slot %ld of %ld",
                             (long)role, (long)pinned[role], (long)slots);
        if (pinned[role] >= 0 && room[pinned[role]]-- == 0)
            return tmap_fail(error, TMAP_EINVAL, "slot %ld cannot take all roles pinned to it",
                             (long)pinned[role]);
    }
    return TMAP_OK;
}

/* `capacity`, one entry a slot, gets the capacity of open slots, and 0 for closed ones. */
static void open_slots(const struct tmap_tree *tree, const unsigned char *closed, int32_t *capacity)
{
    for (int32_t slot = 0; slot < tree->count[tree->depth]; slot++)
        capacity[slot] = closed && closed[slot] ? 0 : tree->capacity[slot];
}

/* A mapping that is cheaper without pins may not be with them. So the pins are met for every effort
 * up to the requested one, and the cheapest mapping is taken. */
static enum tmap_status map_pinned(const struct tmap_problem *problem, tmap_method_fn *map,
                                   const int32_t *pinned, int32_t *slot_of,
                                   struct tmap_error *error)
{
    const size_t bytes = sizeof *slot_of * (size_t)problem->matrix->roles;
    struct tmap_problem mine = *problem;
    struct tmap_cost cost;
    double least = INFINITY;
    int32_t *tried = tmap_new(bytes, 1);
    enum tmap_status status = tried ? TMAP_OK : tmap_fail_memory(error);
    for (int e = TMAP_EFFORT_FAST; e <= (int)problem->effort && status == TMAP_OK; e++) {
        mine.effort = (enum tmap_effort)e;
        status = map(&mine, tried, error);
        if (status == TMAP_OK)
            status = meet_pins(&mine, pinned, tried, error);
        if (status == TMAP_OK)
            status = tmap_mapping_evaluate(problem->matrix, problem->tree, tried, &cost, error);
        if (status == TMAP_OK && cost.cost < least) {
            least = cost.cost;
            memcpy(slot_of, tried, bytes);
        }
    }
    free(tried);
    return status;
}

static enum tmap_status map_open(const struct tmap_problem *problem, tmap_method_fn *map,
                                 const int32_t *pinned, int32_t *slot_of, int32_t *scratch,
                                 struct tmap_error *error)
{
    const struct tmap_tree *tree = problem->tree;
    enum tmap_status status = TMAP_OK;
    if (problem->matrix->roles > tree->total_capacity)
        return tmap_fail(error, TMAP_ENOSPACE, "%ld roles, but the open slots take %lld",
                         (long)problem->matrix->roles, (long long)tree->total_capacity);
    if (pinned)
        status = check_pins(tree, problem->matrix->roles, pinned, scratch, error);
    if (status == TMAP_OK && !pinned)
        return map(problem, slot_of, error);
    return status == TMAP_OK ? map_pinned(problem, map, pinned, slot_of, error) : status;
}

enum tmap_status tmap_mapping_find_constrained(const struct tmap_problem *problem,
                                               tmap_method_fn *map,
                                               const struct tmap_options *options, int32_t *slot_of,
                                               struct tmap_error *error)
{
    struct tmap_problem open = *problem;
    struct tmap_tree *tree = NULL;
    if (!problem->tree->capacity)
        return tmap_fail(error, TMAP_ENOTSUP,
                         "pinned roles and closed slots are possible with up to %d slots",
                         TMAP_FILLED_SLOTS);
    size_t slots = (size_t)problem->tree->count[problem->tree->depth];
    size_t bytes = sizeof *slot_of * (size_t)problem->matrix->roles;
    int32_t *capacity = tmap_new(slots, sizeof *capacity), *found = tmap_new(bytes, 1);
    enum tmap_status status = capacity && found ? TMAP_OK : tmap_fail_memory(error);
    if (status == TMAP_OK) {
        open_slots(problem->tree, options->closed, capacity);
        status = tmap_tree_copy_part(&tree, problem->tree, 0, 0, capacity, error);
    }
    if (status == TMAP_OK) {
        open.tree = tree;
        status = map_open(&open, map, options->pinned, found, capacity, error);
    }
    if (status == TMAP_OK)
        memcpy(slot_of, found, bytes);
    tmap_tree_destroy(tree);
    free(capacity);
    free(found);
    return status;
}
