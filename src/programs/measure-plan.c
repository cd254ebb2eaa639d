/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure-plan.c - see measure-plan.h. Levels are found by looking from some ranks at all others:
 * exactly in jobs of up to MEASURE_VIEWS ranks, and in larger ones all that are common.
 */
#include "programs/measure-plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timings/timings.h"

enum { MEASURE_VIEWS = 64 };

/* The ranks of a job and where they are; all is the caller's. */
struct measure_machine {
    const struct tmap_tree *tree;
    const int32_t *slot_of;
    const struct reseat_location *locations;
    int32_t ranks;
};

/* ---- levels ---- */

static struct measure_level *measure_find_level(struct measure_plan *plan, const char *kind)
{
    for (int i = 0; i < plan->levels; i++)
        if (strcmp(plan->level[i].kind, kind) == 0)
            return &plan->level[i];
    if (plan->levels == MEASURE_LEVELS)
        return NULL;
    struct measure_level *level = &plan->level[plan->levels++];
    *level = (struct measure_level){.near = {.count = 0}};
    memcpy(level->kind, kind, strlen(kind) + 1);
    return level;
}

/* Add a pair if there is room and its first rank has no other one. */
static void measure_add_pair(struct measure_pairs *pairs, struct measure_pair pair)
{
    int is_new = pairs->count == 0 || pairs->pair[pairs->count - 1].first != pair.first;
    if (is_new && pairs->count < MEASURE_PAIRS)
        pairs->pair[pairs->count++] = pair;
}

static void measure_see_pair(struct measure_level *level, struct measure_pair pair, int hops)
{
    struct measure_pairs *near = &level->near, *far = &level->far;
    if (near->count == 0 || hops < near->hops)
        *near = (struct measure_pairs){.hops = hops};
    if (hops == near->hops)
        measure_add_pair(near, pair);
    if (hops > far->hops)
        *far = (struct measure_pairs){.hops = hops};
    if (hops == far->hops)
        measure_add_pair(far, pair);
}

static void measure_choose_levels(struct measure_plan *plan, const struct tmap_tree *tree,
                                  const int32_t *slot_of, int32_t ranks)
{
    char kind[TMAP_NAME_SIZE];
    int32_t views = ranks < MEASURE_VIEWS ? ranks : MEASURE_VIEWS;
    for (int32_t view = 0; view < views; view++)
        for (int32_t to = 0; to < ranks; to++) {
            int32_t from = (int32_t)((int64_t)view * ranks / views);
            if (from == to)
                continue;
            int common = tmap_tree_common_level(tree, slot_of[from], slot_of[to]);
            double cost = tmap_tree_level(tree, common)->cost;
            double distance = tmap_tree_distance(tree, slot_of[from], slot_of[to]);
            reseat_timings_kind(tree, common, kind);
            struct measure_level *level = measure_find_level(plan, kind);
            if (level)
                measure_see_pair(level, (struct measure_pair){from, to},
                                 cost > 0 ? (int)lround(distance / cost) : 1);
        }
    for (int i = 0; i < plan->levels; i++)
        if (plan->level[i].far.hops == plan->level[i].near.hops)
            plan->level[i].far.count = 0;
}

/* ---- partners ---- */

/* Give each rank that has none a partner at the level, the next one that has none; `node` -1: or
 * only those of this node. `has` is room for a mark of each rank. */
static void measure_match(struct measure_partners *partners, const struct measure_machine *machine,
                          const char *kind, int32_t node, unsigned char *has)
{
    char found[TMAP_NAME_SIZE];
    int32_t views = 0;
    memset(has, 0, (size_t)machine->ranks);
    for (int32_t a = 0; a < machine->ranks && views < MEASURE_VIEWS * 2; a++) {
        if (has[a] || (node >= 0 && machine->locations[a].node != node))
            continue;
        views++;
        for (int32_t b = 0; b < machine->ranks && partners->count < MEASURE_USERS; b++) {
            if (b == a || has[b])
                continue;
            int common =
                tmap_tree_common_level(machine->tree, machine->slot_of[a], machine->slot_of[b]);
            reseat_timings_kind(machine->tree, common, found);
            if (strcmp(found, kind) != 0)
                continue;
            partners->pair[partners->count++] = (struct measure_pair){a, b};
            has[a] = has[b] = 1;
            break;
        }
    }
}

static void measure_choose_partners(struct measure_plan *plan,
                                    const struct measure_machine *machine, int32_t fullest,
                                    unsigned char *has)
{
    for (int i = 0; i < plan->levels; i++) {
        struct measure_level *level = &plan->level[i];
        measure_match(&level->node, machine, level->kind, fullest, has);
        measure_match(&level->all, machine, level->kind, -1, has);
        if (level->all.count == level->node.count)
            level->all.count = 0;
    }
}

/* ---- groups of ranks ---- */

struct measure_group {
    int32_t node, package; /* package -1: the whole node */
    int32_t rank;
    int32_t number;  /* of the rank in its group */
    double distance; /* from the node whose card is measured */
};

static int measure_group_compare(const void *a, const void *b)
{
    const struct measure_group *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->package != y->package)
        return x->package < y->package ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int measure_group_is_same(const struct measure_group *a, const struct measure_group *b)
{
    return a->node == b->node && a->package == b->package;
}

/* Sort the ranks by group. Returns where the largest group begins, and its size. */
static int32_t measure_largest_group(struct measure_group *group, int32_t ranks, int32_t *size)
{
    int32_t largest = 0;
    *size = 0;
    qsort(group, (size_t)ranks, sizeof *group, measure_group_compare);
    for (int32_t i = 0, begin = 0; i < ranks; i++) {
        if (!measure_group_is_same(&group[begin], &group[i]))
            begin = i;
        group[i].number = i - begin;
        if (group[i].number < *size)
            continue;
        largest = begin;
        *size = group[i].number + 1;
    }
    return largest;
}

static int measure_by_number(const void *a, const void *b)
{
    const struct measure_group *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* From the ranks of the fullest node to those of the others, whose nodes take turns, the nearest
 * first: those further away share links on the way. Returns that node. */
static int32_t measure_choose_card(struct measure_plan *plan, struct measure_group *group,
                                   const struct measure_machine *machine)
{
    int32_t size, others = 0, ranks = machine->ranks;
    for (int32_t i = 0; i < ranks; i++)
        group[i] = (struct measure_group){machine->locations[i].node, -1, i, 0, 0};
    int32_t begin = measure_largest_group(group, ranks, &size), node = group[begin].node;
    int32_t from = machine->slot_of[group[begin].rank];
    for (int32_t i = 0; i < size && i < MEASURE_USERS; i++)
        plan->card[i].first = group[begin + i].rank;
    for (int32_t i = 0; i < ranks; i++) {
        if (group[i].node == node)
            continue;
        group[others] = group[i];
        group[others++].distance =
            tmap_tree_distance(machine->tree, from, machine->slot_of[group[i].rank]);
    }
    qsort(group, (size_t)others, sizeof *group, measure_by_number);
    for (int32_t i = 0; i < others && i < MEASURE_USERS; i++) {
        plan->card[i].second = group[i].rank;
        plan->cards += i < size;
        plan->nearest +=
            i < MEASURE_NEAREST && group[i].number == 0 && group[i].distance == group[0].distance;
    }
    return node;
}

static void measure_choose_memory(struct measure_plan *plan, struct measure_group *group,
                                  const struct reseat_location *locations, int32_t ranks)
{
    int32_t size;
    for (int32_t i = 0; i < ranks; i++)
        group[i] = (struct measure_group){locations[i].node,
                                          locations[i].place.at[TMAP_PLACE_PACKAGE], i, 0, 0};
    int32_t begin = measure_largest_group(group, ranks, &size);
    for (; 2 * plan->memories + 1 < size && plan->memories < MEASURE_USERS; plan->memories++)
        plan->memory[plan->memories] = (struct measure_pair){
            group[begin + 2 * plan->memories].rank, group[begin + 2 * plan->memories + 1].rank};
}

int measure_next_users(int users, int most)
{
    if (users >= most)
        return 0;
    return users == 0 ? 1 : 2 * users < most ? 2 * users : most;
}

int measure_plan_make(struct measure_plan *plan, const struct tmap_tree *tree,
                      const int32_t *slot_of, const struct reseat_location *locations,
                      int32_t ranks)
{
    const struct measure_machine machine = {tree, slot_of, locations, ranks};
    struct measure_group *group = malloc(((size_t)ranks + 1) * sizeof *group);
    unsigned char *has = malloc((size_t)ranks + 1);
    if (group && has) {
        memset(plan, 0, sizeof *plan);
        measure_choose_levels(plan, tree, slot_of, ranks);
        int32_t fullest = measure_choose_card(plan, group, &machine);
        measure_choose_memory(plan, group, locations, ranks);
        measure_choose_partners(plan, &machine, fullest, has);
    }
    int rc = group && has ? 0 : -1;
    free(group);
    free(has);
    return rc;
}
