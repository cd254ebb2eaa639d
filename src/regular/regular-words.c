/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regular-words.c - see regular-words.h. A layout is not translated: all options of a launcher are
 * tried on the machine (launcher/rank-dealing.h), and one that puts each rank where the layout does
 * is what says it. So there is one description of what an option does, for any machine and number
 * of ranks, and a launcher that cannot say a layout has no words by itself.
 */
#include "regular/regular-words.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascending.h"
#include "base/array.h"

/* ---- the machine ---- */

/* The level whose objects are the hosts: `node`; or else the first one, unless that is a part of a
 * node; 0: all is one host. */
static int regular_host_level(const struct tmap_tree *tree)
{
    static const char *const inside[] = {"s", "N", "L1", "L2", "L3", "d", "g", "b", "c"};
    int level = tmap_layout_find_level(tree, "n");
    if (level > 0)
        return level;
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++)
        if (tmap_layout_find_level(tree, inside[i]) == 1)
            return 0;
    return strcmp(tmap_tree_level(tree, 0)->name, "pu") != 0;
}

/* The level of the tree for a kind; 0: it has none, or it is not inside of a host. */
static int regular_level_of(const struct tmap_tree *tree, enum launcher_unit unit)
{
    static const char *const letters[LAUNCHER_UNITS] = {
        [LAUNCHER_UNIT_NODE] = "n", [LAUNCHER_UNIT_PACKAGE] = "s", [LAUNCHER_UNIT_NUMA] = "N",
        [LAUNCHER_UNIT_L3] = "L3",  [LAUNCHER_UNIT_L2] = "L2",     [LAUNCHER_UNIT_L1] = "L1",
        [LAUNCHER_UNIT_CORE] = "c", [LAUNCHER_UNIT_THREAD] = "h"};
    int level = tmap_layout_find_level(tree, letters[unit]);
    const char *name = level > 0 ? tmap_tree_level(tree, level - 1)->name : "";
    int is_other = (unit == LAUNCHER_UNIT_THREAD && strcmp(name, "pu") != 0) ||
                   (unit == LAUNCHER_UNIT_CORE && strcmp(name, "core") != 0);
    return level > 0 && !is_other && level > regular_host_level(tree) ? level : 0;
}

/* The kind of the slots: of the kinds that have as many objects as there are slots, the outermost
 * below the hosts that ranks are usually bound to. */
static enum launcher_unit regular_slot_kind(const struct tmap_tree *tree)
{
    static const enum launcher_unit kinds[] = {
        LAUNCHER_UNIT_CORE, LAUNCHER_UNIT_THREAD, LAUNCHER_UNIT_PACKAGE, LAUNCHER_UNIT_NUMA,
        LAUNCHER_UNIT_L3,   LAUNCHER_UNIT_L2,     LAUNCHER_UNIT_L1};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        int level = regular_level_of(tree, kinds[i]);
        if (level && tmap_tree_objects(tree, level) == tmap_tree_slots(tree))
            return kinds[i];
    }
    return LAUNCHER_UNITS;
}

static int regular_machine_init(struct regular_machine *machine, int32_t slots,
                                struct reseat_error *error)
{
    *machine = (struct regular_machine){.machine.slot = LAUNCHER_UNITS};
    machine->slot_at = malloc(sizeof *machine->slot_at * ((size_t)slots + 1));
    return machine->slot_at ? 0 : reseat_fail(error, "out of memory");
}

/* The numbers of the objects of a level; 0 is one host. */
static int regular_number(struct regular_machine *machine, const struct tmap_tree *tree,
                          enum launcher_unit unit, int level, struct reseat_error *error)
{
    int32_t slots = tmap_tree_slots(tree);
    int32_t *number = malloc(sizeof *number * ((size_t)slots + 1));
    if (!number)
        return reseat_fail(error, "out of memory");
    for (int32_t slot = 0; slot < slots; slot++)
        number[slot] = tmap_tree_ancestor(tree, slot, level);
    machine->numbers[unit] = number;
    machine->machine.object_of[unit] = number;
    return 0;
}

static int regular_has_capacity_1(const struct tmap_tree *tree)
{
    int32_t slot = tmap_tree_slots(tree);
    while (slot > 0 && tmap_tree_slot_capacity(tree, slot - 1) == 1)
        slot--;
    return slot == 0;
}

int regular_machine_open(struct regular_machine *machine, const struct tmap_tree *tree,
                         struct reseat_error *error)
{
    int32_t slots = tmap_tree_slots(tree);
    if (regular_machine_init(machine, slots, error) ||
        regular_number(machine, tree, LAUNCHER_UNIT_NODE, regular_host_level(tree), error))
        return -1;
    for (int32_t slot = 0; slot < slots; slot++)
        machine->slot_at[slot] = slot;
    machine->machine.slot = regular_slot_kind(tree);
    for (int unit = LAUNCHER_UNIT_PACKAGE;
         unit < LAUNCHER_UNITS && machine->machine.slot != LAUNCHER_UNITS; unit++) {
        int level = regular_level_of(tree, (enum launcher_unit)unit);
        if (level && regular_number(machine, tree, (enum launcher_unit)unit, level, error))
            return -1;
    }
    machine->machine.nodes = machine->machine.object_of[LAUNCHER_UNIT_NODE][slots - 1] + 1;
    machine->machine.slots = regular_has_capacity_1(tree) ? slots : 0;
    return 0;
}

/* The hosts by the order of their first ranks, and the room to sort ranks by them. */
struct regular_hosts {
    int32_t *place_of; /* by object: its place in that order + 1; 0: no rank yet */
    int32_t *next;     /* by place: where its next rank goes; before that, how many it has */
    int32_t *of;       /* by rank: the place of its host */
    int32_t found;
};

static void regular_count_hosts(struct regular_hosts *hosts, const struct tmap_tree *tree,
                                const int32_t *launch, int32_t ranks)
{
    const int level = regular_host_level(tree);
    int32_t begin = 0;
    for (int32_t rank = 0; rank < ranks; rank++) {
        int32_t *place = &hosts->place_of[tmap_tree_ancestor(tree, launch[rank], level)];
        if (*place == 0)
            *place = ++hosts->found;
        hosts->of[rank] = *place - 1;
        hosts->next[*place - 1]++;
    }
    for (int32_t host = 0; host < hosts->found; host++) {
        int32_t count = hosts->next[host];
        hosts->next[host] = begin;
        begin += count;
    }
}

static void regular_hosts_free(struct regular_hosts *hosts)
{
    free(hosts->place_of);
    free(hosts->next);
    free(hosts->of);
}

int regular_machine_open_launch(struct regular_machine *machine, const struct tmap_tree *tree,
                                const int32_t *launch, int32_t ranks, struct reseat_error *error)
{
    size_t objects = (size_t)tmap_tree_objects(tree, regular_host_level(tree));
    struct regular_hosts hosts = {
        .place_of = calloc(objects + 1, sizeof *hosts.place_of),
        .next = calloc((size_t)ranks + 1, sizeof *hosts.next),
        .of = malloc(sizeof *hosts.of * ((size_t)ranks + 1)),
    };
    int32_t *number = malloc(sizeof *number * ((size_t)ranks + 1));
    int rc = regular_machine_init(machine, ranks, error);
    if (rc == 0 && (!number || !hosts.place_of || !hosts.next || !hosts.of))
        rc = reseat_fail(error, "out of memory");
    if (rc == 0)
        regular_count_hosts(&hosts, tree, launch, ranks);
    for (int32_t rank = 0; rank < ranks && rc == 0; rank++) {
        int32_t at = hosts.next[hosts.of[rank]]++;
        machine->slot_at[at] = launch[rank];
        number[at] = hosts.of[rank];
    }
    machine->numbers[LAUNCHER_UNIT_NODE] = number;
    machine->machine.object_of[LAUNCHER_UNIT_NODE] = number;
    machine->machine.nodes = hosts.found;
    machine->machine.slots = rc == 0 ? ranks : 0;
    regular_hosts_free(&hosts);
    return rc;
}

void regular_machine_close(struct regular_machine *machine)
{
    free(machine->slot_at);
    for (int unit = 0; unit < LAUNCHER_UNITS; unit++)
        free(machine->numbers[unit]);
    *machine = (struct regular_machine){.machine.slot = LAUNCHER_UNITS};
}

/* ---- the words ---- */

/* A layout by its key. */
struct regular_place {
    uint64_t key;
    size_t layout;
};

struct regular_matching {
    struct regular_words *words;
    const struct regular_machine *machine;
    int32_t ranks;
    enum launcher_family family;
    struct regular_place *place; /* sorted by key */
    int32_t *slot_of;
    int has_no_memory;
};

static void regular_match(void *context, const char *words, const int32_t *slot_of)
{
    struct regular_matching *matching = context;
    for (int32_t rank = 0; rank < matching->ranks; rank++)
        matching->slot_of[rank] = matching->machine->slot_at[slot_of[rank]];
    const struct regular_place wanted = {
        .key = regular_mapping_key(matching->slot_of, matching->ranks)};
    const struct regular_place *found = bsearch(&wanted, matching->place, matching->words->layouts,
                                                sizeof wanted, ascending_uint64);
    char **result = found ? &matching->words->words[found->layout][matching->family] : NULL;
    if (!result || *result)
        return;
    *result = strdup(words);
    matching->has_no_memory |= !*result;
}

static int regular_match_all(struct regular_matching *matching,
                             const struct regular_layouts *layouts)
{
    for (size_t i = 0; i < layouts->count; i++)
        matching->place[i] = (struct regular_place){layouts->layout[i].key, i};
    qsort(matching->place, layouts->count, sizeof *matching->place, ascending_uint64);
    for (int family = 0; family < LAUNCHER_FAMILIES; family++) {
        matching->family = (enum launcher_family)family;
        if (launcher_visit_options(matching->family, &matching->machine->machine, matching->ranks,
                                   regular_match, matching) ||
            matching->has_no_memory)
            return -1;
    }
    return 0;
}

int regular_words_find(struct regular_words *words, const struct regular_layouts *layouts,
                       const struct regular_machine *machine, int32_t ranks,
                       struct reseat_error *error)
{
    struct regular_words mine = {.layouts = layouts->count};
    struct regular_matching matching = {.words = &mine, .machine = machine, .ranks = ranks};
    *words = (struct regular_words){0};
    mine.words = calloc(layouts->count + 1, sizeof *mine.words);
    matching.place = malloc(sizeof *matching.place * (layouts->count + 1));
    matching.slot_of = malloc(sizeof *matching.slot_of * ((size_t)ranks + 1));
    int rc = mine.words && matching.place && matching.slot_of
                 ? regular_match_all(&matching, layouts)
                 : -1;
    free(matching.place);
    free(matching.slot_of);
    if (rc) {
        regular_words_free(&mine);
        return reseat_fail(error, "out of memory");
    }
    *words = mine;
    return 0;
}

void regular_words_free(struct regular_words *words)
{
    for (size_t i = 0; i < words->layouts && words->words; i++)
        for (int family = 0; family < LAUNCHER_FAMILIES; family++)
            free(words->words[i][family]);
    free(words->words);
    *words = (struct regular_words){0};
}

/* ---- the cheapest option ---- */

struct regular_pricing {
    const struct regular_machine *machine;
    const struct tmap_matrix *matrix;
    const struct tmap_tree *tree;
    int32_t ranks;
    int32_t *slot_of;
    uint64_t *key; /* of those priced so far */
    size_t keys;
    struct regular_option best;
    int status; /* 1: there is a best one; -1: out of memory */
};

static int regular_is_new(struct regular_pricing *pricing, uint64_t key)
{
    for (size_t i = 0; i < pricing->keys; i++)
        if (pricing->key[i] == key)
            return 0;
    if (array_add(&pricing->key, &pricing->keys, &key, sizeof key)) {
        pricing->status = -1;
        return 0;
    }
    return 1;
}

static void regular_price_option(void *context, const char *words, const int32_t *slot_of)
{
    struct regular_pricing *pricing = context;
    struct tmap_cost cost;
    for (int32_t rank = 0; rank < pricing->ranks; rank++)
        pricing->slot_of[rank] = pricing->machine->slot_at[slot_of[rank]];
    if (pricing->status < 0 ||
        !regular_is_new(pricing, regular_mapping_key(pricing->slot_of, pricing->ranks)))
        return;
    if (tmap_mapping_evaluate(pricing->matrix, pricing->tree, pricing->slot_of, &cost, NULL))
        pricing->status = -1;
    else if (pricing->status == 0 || cost.cost < pricing->best.cost) {
        pricing->best.cost = cost.cost;
        strcpy(pricing->best.words, words);
        pricing->status = 1;
    }
}

int regular_option_find(struct regular_option *option, enum launcher_family family,
                        const struct regular_machine *machine, const struct tmap_matrix *matrix,
                        const struct tmap_tree *tree)
{
    struct regular_pricing pricing = {
        .machine = machine, .matrix = matrix, .tree = tree, .ranks = tmap_matrix_roles(matrix)};
    pricing.slot_of = malloc(sizeof *pricing.slot_of * ((size_t)pricing.ranks + 1));
    if (!pricing.slot_of || launcher_visit_options(family, &machine->machine, pricing.ranks,
                                                   regular_price_option, &pricing))
        pricing.status = -1;
    free(pricing.slot_of);
    free(pricing.key);
    if (pricing.status == 1)
        *option = pricing.best;
    return pricing.status;
}
