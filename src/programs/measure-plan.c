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

static void measure_choose_levels(struct measure_plan *plan, const struct measure_machine *machine)
{
    const struct tmap_tree *tree = machine->tree;
    const int32_t *slot_of = machine->slot_of;
    int32_t ranks = machine->ranks;
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

/* The levels of the tree that a kind stands for. */
struct measure_kind_levels {
    unsigned char is_kind[TMAP_MAX_LEVELS + 1];
    int deepest;   /* of them; -1: none */
    int has_shape; /* one of them is a network with hops */
};

static void measure_find_kind(struct measure_kind_levels *levels, const struct tmap_tree *tree,
                              const char *kind)
{
    char found[TMAP_NAME_SIZE];
    *levels = (struct measure_kind_levels){.deepest = -1};
    for (int level = 0; level <= tmap_tree_depth(tree); level++) {
        reseat_timings_kind(tree, level, found);
        if (strcmp(found, kind) != 0)
            continue;
        levels->is_kind[level] = 1;
        levels->deepest = level;
        levels->has_shape |=
            level < tmap_tree_depth(tree) && tmap_tree_shape(tree, level, NULL) != TMAP_SHAPE_NONE;
    }
}

/* Give each rank that has none a partner at the level, so that as many as possible exchange; `node`
 * -1: or only those of this node. The search begins half the job further on: from the next rank on,
 * the first switches would take each other's ranks, and later ones find none. On networks with hops
 * and inside nodes partners are to be near. Where one rank has found none, others of the same part
 * are not tried. `has` is room for a mark of each rank. */
static void measure_match(struct measure_partners *partners, const struct measure_machine *machine,
                          const char *kind, int32_t node, unsigned char *has)
{
    struct measure_kind_levels levels;
    const int32_t *slot_of = machine->slot_of;
    int32_t ranks = machine->ranks, failed = 0, last = -1;
    measure_find_kind(&levels, machine->tree, kind);
    const int32_t ahead =
        reseat_timings_is_network(kind) && !levels.has_shape ? ranks / 2 : ranks > 1;
    memset(has, 0, (size_t)ranks);
    for (int32_t a = 0;
         a < ranks && failed < MEASURE_EXCHANGING && partners->count < MEASURE_EXCHANGING; a++) {
        if (has[a] || (node >= 0 && machine->locations[a].node != node) ||
            (last >= 0 &&
             tmap_tree_common_level(machine->tree, slot_of[a], slot_of[last]) > levels.deepest))
            continue;
        int32_t tried = 0, b = (a + ahead) % ranks;
        for (; tried < ranks; tried++, b = (b + 1) % ranks)
            if (b != a && !has[b] &&
                levels.is_kind[tmap_tree_common_level(machine->tree, slot_of[a], slot_of[b])])
                break;
        if (tried == ranks) {
            last = a;
            failed++;
            continue;
        }
        partners->pair[partners->count++] = (struct measure_pair){a, b};
        has[a] = has[b] = 1;
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
    int32_t node, part; /* such as a package; -1: the whole node */
    int32_t turn;       /* of the ranks of a group those with a lower one come first */
    int32_t rank;
    int32_t number;  /* of the rank in its group */
    double distance; /* from the node whose card is measured */
};

static int measure_group_compare(const void *a, const void *b)
{
    const struct measure_group *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->turn != y->turn)
        return x->turn < y->turn ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int measure_group_is_same(const struct measure_group *a, const struct measure_group *b)
{
    return a->node == b->node && a->part == b->part;
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

/* ---- cards ---- */

static int32_t measure_part_at(const struct measure_machine *machine, int32_t rank, int level)
{
    return level >= 0 && level < TMAP_PLACE_LEVELS ? machine->locations[rank].place.at[level] : -1;
}

/* The level of the parts of a node that have cards; TMAP_PLACE_LEVELS: the node has. */
static int measure_card_level(const struct measure_machine *machine)
{
    static const int levels[] = {TMAP_PLACE_PACKAGE, TMAP_PLACE_NUMA};
    if (machine->card_level >= 0)
        return machine->card_level;
    for (int l = 0; l < 2; l++)
        for (int32_t rank = 1; rank < machine->ranks; rank++)
            if (measure_part_at(machine, rank, levels[l]) != measure_part_at(machine, 0, levels[l]))
                return levels[l];
    return TMAP_PLACE_LEVELS;
}

/* Sort the ranks by node, and let the parts of each take turns. Returns where the fullest node
 * begins, and its size. */
static int32_t measure_take_turns(struct measure_group *group,
                                  const struct measure_machine *machine, int level, int32_t *size)
{
    int32_t ranks = machine->ranks;
    for (int32_t i = 0; i < ranks; i++)
        group[i] = (struct measure_group){.node = machine->locations[i].node,
                                          .part = measure_part_at(machine, i, level),
                                          .rank = i};
    measure_largest_group(group, ranks, size);
    for (int32_t i = 0; i < ranks; i++) {
        group[i].turn = group[i].number;
        group[i].part = -1;
    }
    return measure_largest_group(group, ranks, size);
}

/* From the ranks of a node, of whose parts the fullest has the last turn. */
static void measure_choose_firsts(struct measure_plan *plan, const struct measure_group *group,
                                  int32_t size, const struct measure_machine *machine)
{
    int level = measure_card_level(machine);
    int32_t part = measure_part_at(machine, group[size - 1].rank, level), near = 0;
    plan->cards = size < MEASURE_USERS ? size : MEASURE_USERS;
    for (int32_t i = 0; i < size && i < MEASURE_USERS; i++)
        plan->card[i].first = group[i].rank;
    for (int32_t i = 0; i < size; i++)
        if (part >= 0 && measure_part_at(machine, group[i].rank, level) == part) {
            if (near < MEASURE_USERS)
                plan->near_card[near].first = group[i].rank;
            near++;
        }
    if (near == size || near < 2)
        return;
    plan->near_cards = near < MEASURE_USERS ? near : MEASURE_USERS;
    plan->near = tmap_place_level_name(level);
}

/* From the ranks of the fullest node to those of the others, whose nodes take turns, the nearest
 * first: those further away share links on the way. Returns that node. */
static int32_t measure_choose_card(struct measure_plan *plan, struct measure_group *group,
                                   const struct measure_machine *machine)
{
    int32_t size, others = 0, ranks = machine->ranks;
    int32_t begin = measure_take_turns(group, machine, measure_card_level(machine), &size);
    int32_t node = group[begin].node, from = machine->slot_of[group[begin].rank];
    measure_choose_firsts(plan, group + begin, size, machine);
    for (int32_t i = 0; i < ranks; i++) {
        if (group[i].node == node)
            continue;
        group[others] = group[i];
        group[others++].distance =
            tmap_tree_distance(machine->tree, from, machine->slot_of[group[i].rank]);
    }
    qsort(group, (size_t)others, sizeof *group, measure_by_number);
    plan->cards = plan->cards < others ? plan->cards : others;
    plan->near_cards = plan->near_cards < others ? plan->near_cards : others;
    for (int32_t i = 0; i < others && i < MEASURE_USERS; i++) {
        plan->card[i].second = plan->near_card[i].second = group[i].rank;
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
        group[i] = (struct measure_group){.node = locations[i].node,
                                          .part = locations[i].place.at[TMAP_PLACE_PACKAGE],
                                          .rank = i};
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

int measure_plan_make(struct measure_plan *plan, const struct measure_machine *machine)
{
    int32_t ranks = machine->ranks;
    struct measure_group *group = malloc(((size_t)ranks + 1) * sizeof *group);
    unsigned char *has = malloc((size_t)ranks + 1);
    if (group && has) {
        memset(plan, 0, sizeof *plan);
        measure_choose_levels(plan, machine);
        int32_t fullest = measure_choose_card(plan, group, machine);
        measure_choose_memory(plan, group, machine->locations, ranks);
        measure_choose_partners(plan, machine, fullest, has);
    }
    int rc = group && has ? 0 : -1;
    free(group);
    free(has);
    return rc;
}
