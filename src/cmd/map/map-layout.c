/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map-layout.c - see map.h: `map --layout`, with or without traffic, and --bind.
 *
 * A binding does not move ranks, but for its width: a rank that needs several cores takes their
 * places. It is a range of objects, beginning with that of the rank's slot, so its cores and PUs
 * are ranges, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cmd/map/map.h"
#include "text/number.h"
#include "cmd/shell/complain.h"
#include "treematch/tmap.h"

enum { LAYOUT_MOST_OBJECTS = 1 << 20 };

/* ---- the request ---- */

int map_load_ranks(const struct map_request *r, struct map_result *x)
{
    struct reseat_error error;
    x->traffic = calloc(1, sizeof *x->traffic);
    if (!x->traffic)
        return cli_no_memory();
    x->traffic->ranks = r->ranks;
    return cli_status(prediction_set_entries(&x->prediction, r->ranks, NULL, 0, &error), &error);
}

/* ---- bindings ---- */

/* Kinds of objects as launchers name them, and their letters. */
static const char *layout_letter_of(const char *kind)
{
    static const char *const kinds[][2] = {
        {"node", "n"}, {"board", "b"},    {"package", "s"}, {"socket", "s"}, {"numa", "N"},
        {"die", "d"},  {"group", "g"},    {"l1", "L1"},     {"l2", "L2"},    {"l3", "L3"},
        {"core", "c"}, {"hwthread", "h"}, {"pu", "h"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i][0], kind) == 0)
            return kinds[i][1];
    return NULL;
}

/* The binding of a rank: `count` objects of `level`. */
struct layout_binding {
    int is_given, is_none, level;
    int32_t count;
};

/* Read --bind for a tree. 0, or an exit status after an error message. */
static int layout_read_binding(struct layout_binding *binding, const char *text,
                               const struct tmap_tree *tree)
{
    uint64_t count = 1;
    *binding = (struct layout_binding){.is_given = text != NULL};
    if (!text)
        return 0;
    binding->is_none = strcmp(text, "none") == 0;
    if (binding->is_none)
        return 0;
    const char *letter = text;
    int has_width = *text >= '0' && *text <= '9';
    if (!has_width)
        letter = layout_letter_of(text);
    else if (read_number(&letter, LAYOUT_MOST_OBJECTS, &count) || count == 0)
        letter = NULL;
    int level = letter ? tmap_layout_find_level(tree, letter) : -1;
    if (level < 0)
        return cli_fail(EXIT_USAGE,
                        "--bind takes none, a kind of object (core, package, numa ...) or a width "
                        "like 2c, not '%s'",
                        text);
    if (level == 0)
        return cli_fail(EXIT_USAGE, "--bind %s: the machine has no such objects", text);
    if (level < map_host_level(tree))
        return cli_fail(EXIT_USAGE, "--bind %s: a rank is on one node", text);
    binding->level = level;
    binding->count = (int32_t)count;
    return 0;
}

/* ---- the mapping ---- */

int map_lay_out(const struct map_request *r, struct map_result *x, int32_t **slot_of)
{
    const struct tmap_tree *tree = x->prediction.tree;
    struct layout_binding binding;
    struct tmap_error why;
    int status = layout_read_binding(&binding, r->bind, tree);
    if (status)
        return status;
    const struct tmap_layout layout = {.size = sizeof layout,
                                       .text = r->layout,
                                       .oversubscribe = r->oversubscribe,
                                       .width_level = binding.level,
                                       .width = binding.count};
    int32_t *found = malloc(sizeof *found * ((size_t)x->traffic->ranks + 1));
    if (!found)
        return cli_no_memory();
    enum tmap_status rc = tmap_mapping_lay_out(tree, &layout, x->traffic->ranks, found, &why);
    if (rc != TMAP_OK) {
        free(found);
        return cli_fail(
            rc == TMAP_ESYNTAX || rc == TMAP_EINVAL ? EXIT_USAGE : EXIT_TROUBLE, "%s%s", why.text,
            rc == TMAP_ENOSPACE && !r->oversubscribe && r->ranks ? " (--oversubscribe begins again)"
                                                                 : "");
    }
    *slot_of = found;
    return 0;
}

int map_solve_layout(const struct map_request *r, struct map_result *x)
{
    int32_t *slot_of;
    double start = clock_now();
    int status = map_lay_out(r, x, &slot_of);
    x->seconds = clock_now() - start;
    if (status)
        return status;
    x->prediction.best = slot_of;
    x->prediction.method = r->options.method;
    return 0;
}

/* ---- the seats of a launcher's file ---- */

/* The slots of what a rank on a slot is bound to, and what they are called. */
struct layout_range {
    int32_t first, last; /* slots */
    int32_t origin;      /* the first slot of the host */
};

/* first[object] of each object of `level`, allocated with an end; NULL: out of memory. */
static int32_t *layout_first_slots(const struct tmap_tree *tree, int level)
{
    int32_t slots = tmap_tree_slots(tree), objects = tmap_tree_objects(tree, level);
    int32_t *first = malloc(sizeof *first * ((size_t)objects + 1));
    for (int32_t slot = slots; first && slot-- > 0;)
        first[tmap_tree_ancestor(tree, slot, level)] = slot;
    if (first)
        first[objects] = slots;
    return first;
}

static void layout_print_range(char text[MAP_RANGE_SIZE], int32_t first, int32_t last)
{
    snprintf(text, MAP_RANGE_SIZE, first == last ? "%d" : "%d-%d", (int)first, (int)last);
}

/* Name the slots of a range for a rankfile, by cores if it has these whole, and for lists of
 * PUs. */
static void layout_name(struct map_binding_text *text, struct emit_seat *seat,
                        const struct tmap_tree *tree, struct layout_range range, int core_level)
{
    int32_t first = range.first - range.origin, last = range.last - range.origin;
    layout_print_range(text->cpus, first, last);
    if (core_level) {
        int32_t origin = tmap_tree_ancestor(tree, range.origin, core_level);
        first = tmap_tree_ancestor(tree, range.first, core_level) - origin;
        last = tmap_tree_ancestor(tree, range.last, core_level) - origin;
    }
    layout_print_range(text->slots, first, last);
    seat->slots = text->slots;
    seat->cpus = text->cpus;
}

/* Finds out whether slots are PUs. Returns the level of cores above them, or 0. */
static int layout_core_level(const struct tmap_tree *tree, int *are_pus)
{
    int depth = tmap_tree_depth(tree), level = tmap_layout_find_level(tree, "c");
    *are_pus = strcmp(tmap_tree_level(tree, depth - 1)->name, "pu") == 0;
    return *are_pus && level < depth ? level : 0;
}

static int layout_bind(struct map_result *x, const struct layout_binding *binding)
{
    const struct tmap_tree *tree = x->prediction.tree;
    int host_level = map_host_level(tree), are_pus;
    int core_level = layout_core_level(tree, &are_pus);
    int32_t slots = tmap_tree_slots(tree), *first = layout_first_slots(tree, binding->level);
    int32_t *origin = layout_first_slots(tree, host_level);
    x->binding = calloc((size_t)slots, sizeof *x->binding);
    int rc = first && origin && x->binding ? 0 : cli_no_memory();
    if (binding->level > core_level)
        core_level = 0;
    x->by_thread = are_pus && !core_level;
    for (int32_t slot = 0; rc == 0 && slot < slots; slot++) {
        int32_t object = tmap_tree_ancestor(tree, slot, binding->level);
        int32_t host = tmap_tree_ancestor(tree, slot, host_level);
        int32_t end = object + binding->count;
        if (end > tmap_tree_objects(tree, binding->level)) /* no rank is there */
            continue;
        const struct layout_range range = {first[object], first[end] - 1, origin[host]};
        layout_name(&x->binding[slot], &x->seats[slot], tree, range, core_level);
    }
    free(first);
    free(origin);
    return rc;
}

int map_bind_seats(const struct map_request *r, struct map_result *x)
{
    struct layout_binding binding;
    int are_pus, status = layout_read_binding(&binding, r->bind, x->prediction.tree);
    if (status)
        return status;
    if (binding.is_given && (x->has_seats || x->machine))
        return cli_fail(EXIT_USAGE, "--bind with --emit needs --tree and --hosts");
    if (!binding.is_given && !x->has_seats && !x->machine) {
        layout_core_level(x->prediction.tree, &are_pus);
        x->by_thread = are_pus;
    }
    for (int32_t slot = 0; binding.is_none && slot < tmap_tree_slots(x->prediction.tree); slot++)
        x->seats[slot].core = -1;
    if (binding.is_given && !binding.is_none && (status = layout_bind(x, &binding)))
        return status;
    if (x->by_thread && r->emit->cores_only)
        return cli_fail(EXIT_USAGE, "--emit %s names cores, not threads: add --bind core",
                        r->emit->name);
    if (binding.is_given && !binding.is_none && r->emit->content != LAUNCHER_RANKFILE &&
        r->emit->list == LAUNCHER_NO_LIST)
        cli_fail(0, "--emit %s has no place for the binding: give it to the launcher",
                 r->emit->name);
    return 0;
}
