/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * netloc-machine.c - the machine of Netloc's lines, see netloc.h.
 *
 * Each leaf is a row with the child taken at each level: first those that lead to its host, then
 * its own inside the host. If hosts differ, the levels inside are the different costs, falling:
 *
 *     node a tree 3 2 80 2 40 4 10 -1       levels 80 40 20 10: of a 2 2 1 4
 *     node b tree 3 2 80 4 20 2 10 -1                           of b 2 1 4 2
 *
 * libtmap makes the tree of these rows, and then each level with a shape gets it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network/netloc-lines.h"

struct netloc_builder {
    struct netloc_text *text;
    struct reseat_error *error;
    struct reseat_machine *machine;
    int inside;    /* levels below a host */
    int is_merged; /* the levels inside are the different costs of the hosts */
    double cost[TMAP_MAX_LEVELS];
    int32_t *path; /* by leaf, `depth` numbers */
    int32_t *slot_of;
    int depth;
};

static int netloc_no_memory(const struct netloc_builder *b)
{
    return reseat_fail(b->error, "%s: out of memory", b->text->path);
}

/* ---- levels inside the hosts ---- */

/* Add a cost to the levels, which fall. */
static int netloc_add_cost(struct netloc_builder *b, double cost, size_t line)
{
    int at = 0;
    while (at < b->inside && b->cost[at] > cost)
        at++;
    if (at < b->inside && b->cost[at] == cost)
        return 0;
    if (b->text->levels + b->inside == TMAP_MAX_LEVELS)
        return reseat_fail(b->error, "%s:%zu: the hosts have more different costs than %d levels",
                           b->text->path, line, TMAP_MAX_LEVELS);
    memmove(&b->cost[at + 1], &b->cost[at], (size_t)(b->inside - at) * sizeof *b->cost);
    b->cost[at] = cost;
    b->inside++;
    return 0;
}

static int netloc_merge_costs(struct netloc_builder *b)
{
    const struct netloc_text *t = b->text;
    for (size_t f = 0; f < t->host_forms; f++) {
        const struct netloc_form *form = &t->host_form[f];
        if (form->kind != TMAP_SHAPE_NONE)
            return reseat_fail(b->error, "%s:%zu: a host with a network inside, and others differ",
                               t->path, form->line);
        for (int d = 0; d < form->dimensions; d++)
            if (d && form->cost[d] >= form->cost[d - 1])
                return reseat_fail(b->error,
                                   "%s:%zu: hosts differ, and here costs do not fall from the root",
                                   t->path, form->line);
            else if (netloc_add_cost(b, form->cost[d], form->line))
                return -1;
    }
    return 0;
}

/* Returns 1 if all hosts have the same levels: then only numbers of children can differ. */
static int netloc_has_same_levels(const struct netloc_text *t)
{
    const struct netloc_form *first = t->host_form;
    for (size_t f = 1; f < t->host_forms; f++) {
        const struct netloc_form *form = &t->host_form[f];
        if (first->kind != TMAP_SHAPE_NONE || form->kind != TMAP_SHAPE_NONE ||
            form->dimensions != first->dimensions ||
            memcmp(form->cost, first->cost, sizeof form->cost) != 0)
            return 0;
    }
    return 1;
}

static int netloc_find_inside(struct netloc_builder *b)
{
    const struct netloc_text *t = b->text;
    const struct netloc_form *form = t->host_form;
    b->is_merged = !netloc_has_same_levels(t);
    if (b->is_merged)
        return netloc_merge_costs(b);
    b->inside = netloc_levels(form);
    memcpy(b->cost, form->cost, sizeof b->cost);
    return t->levels + b->inside <= TMAP_MAX_LEVELS
               ? 0
               : reseat_fail(b->error, "%s:%zu: more than %d levels", t->path, form->line,
                             TMAP_MAX_LEVELS);
}

/* The level inside the hosts of a dimension of a form. */
static int netloc_level_of(const struct netloc_builder *b, const struct netloc_form *form, int d)
{
    int level = 0;
    if (!b->is_merged)
        return d;
    while (b->cost[level] != form->cost[d])
        level++;
    return level;
}

/* ---- names and costs ---- */

static void netloc_name_inside(const struct netloc_builder *b, struct tmap_level *levels)
{
    static const char *const names[4][4] = {{"core"},
                                            {"package", "core"},
                                            {"package", "numa", "core"},
                                            {"package", "numa", "core", "pu"}};
    for (int l = 0; l < b->inside; l++) {
        struct tmap_level *level = &levels[b->text->levels + l];
        level->cost = b->cost[l];
        if (b->inside <= 4)
            snprintf(level->name, sizeof level->name, "%s", names[b->inside - 1][l]);
        else
            snprintf(level->name, sizeof level->name, "part%d", l + 1);
    }
}

static void netloc_name_levels(const struct netloc_builder *b, struct tmap_level *levels)
{
    const struct netloc_text *t = b->text;
    int at = 0;
    for (int i = 0; i < t->depth; i++)
        for (int l = 0; l < netloc_levels(&t->form[i]); l++, at++) {
            int has_shape = t->form[i].kind != TMAP_SHAPE_NONE;
            snprintf(levels[at].name, sizeof levels[at].name, "%s",
                     at == t->levels - 1 ? "node"
                     : has_shape         ? "router"
                                         : "switch");
            levels[at].cost = t->form[i].cost[l];
        }
    netloc_name_inside(b, levels);
}

/* ---- leaves ---- */

static void netloc_fill_paths(struct netloc_builder *b)
{
    const struct netloc_text *t = b->text;
    int32_t *path = b->path, child[TMAP_MAX_LEVELS];
    for (size_t h = 0; h < t->hosts; h++) {
        const struct netloc_host *host = &t->host[h];
        const struct netloc_form *form = &t->host_form[host->form];
        for (int32_t i = 0; i < host->count; i++, path += b->depth) {
            if (t->levels)
                memcpy(path, t->above + h * (size_t)t->levels, (size_t)t->levels * sizeof *path);
            memset(path + t->levels, 0, (size_t)b->inside * sizeof *path);
            netloc_split(form, host->index ? host->index[i] : i, child);
            for (int l = 0; l < netloc_levels(form); l++)
                path[t->levels + netloc_level_of(b, form, l)] = child[l];
        }
    }
}

static int netloc_make_tree(struct netloc_builder *b)
{
    struct tmap_level levels[TMAP_MAX_LEVELS] = {0};
    struct tmap_error why;
    size_t slots = (size_t)b->text->slots;
    b->path = malloc(slots * (size_t)b->depth * sizeof *b->path);
    b->slot_of = malloc(slots * sizeof *b->slot_of);
    if (!b->path || !b->slot_of)
        return netloc_no_memory(b);
    netloc_fill_paths(b);
    netloc_name_levels(b, levels);
    return tmap_tree_create_from_paths(&b->machine->tree, (int32_t)slots, b->depth, b->path, NULL,
                                       levels, b->slot_of, &why)
               ? reseat_fail(b->error, "%s: %s", b->text->path, why.text)
               : 0;
}

/* ---- what is beside the tree ---- */

/* The number of each object of a level among those of its parent. */
static int32_t *netloc_children(const struct netloc_builder *b, int level)
{
    const struct tmap_tree *tree = b->machine->tree;
    size_t objects = (size_t)tmap_tree_objects(tree, level);
    int32_t *child = malloc(objects * sizeof *child);
    for (int32_t leaf = 0; child && leaf < b->text->slots; leaf++)
        child[tmap_tree_ancestor(tree, b->slot_of[leaf], level)] =
            b->path[(size_t)leaf * (size_t)b->depth + (size_t)level - 1];
    return child;
}

int netloc_shape(struct tmap_shape *shape, struct tmap_link **link, const struct netloc_form *form)
{
    *link = NULL;
    *shape = (struct tmap_shape){.size = sizeof *shape, .kind = form->kind};
    if (form->kind == TMAP_SHAPE_GRAPH) { /* a single group of a dragonfly: all are connected */
        int64_t links = tmap_shape_dragonfly(1, form->extent[0], NULL);
        *link = malloc(((size_t)links + 1) * sizeof **link);
        shape->positions = form->extent[0];
        shape->links = (size_t)tmap_shape_dragonfly(1, form->extent[0], *link);
        shape->link = *link;
        return *link ? 0 : -1;
    }
    shape->dimensions = form->dimensions;
    for (int d = 0; d < form->dimensions && d < TMAP_MAX_DIMENSIONS; d++) {
        shape->extent[d] = form->extent[d];
        shape->length[d] = form->cost[d] / form->cost[0];
    }
    return 0;
}

static int netloc_add_shape(struct netloc_builder *b, const struct netloc_form *form, int level)
{
    struct tmap_shape shape;
    struct tmap_link *link;
    struct tmap_tree *shaped = NULL;
    struct tmap_error why = {"out of memory"};
    int32_t *position = netloc_children(b, level + 1);
    int failed =
        netloc_shape(&shape, &link, form) || !position ||
        tmap_tree_copy_with_shape(&shaped, b->machine->tree, level, &shape, position, &why);
    free(link);
    free(position);
    if (failed)
        return reseat_fail(b->error, "%s: %s", b->text->path, why.text);
    tmap_tree_destroy(b->machine->tree);
    b->machine->tree = shaped;
    return 0;
}

static int netloc_add_shapes(struct netloc_builder *b)
{
    const struct netloc_text *t = b->text;
    int level = 0;
    for (int i = 0; i < t->depth; level += netloc_levels(&t->form[i++]))
        if (t->form[i].kind != TMAP_SHAPE_NONE && netloc_add_shape(b, &t->form[i], level))
            return -1;
    return t->host_form->kind != TMAP_SHAPE_NONE ? netloc_add_shape(b, t->host_form, level) : 0;
}

static int netloc_add_levels(struct netloc_builder *b)
{
    const struct netloc_text *t = b->text;
    struct reseat_machine *m = b->machine;
    int level = 0;
    for (int i = 0; i < t->depth; i++) {
        const struct netloc_form *form = &t->form[i];
        m->begins[level] = 1;
        for (int l = 0; l < netloc_levels(form); l++)
            m->extent[level++] =
                form->kind == TMAP_SHAPE_NONE ? form->extent[l] : (int32_t)netloc_size(form);
    }
    for (level = 1; level <= m->host_level; level++)
        if (!(m->child[level] = netloc_children(b, level)))
            return netloc_no_memory(b);
    return 0;
}

static void netloc_fill_extents(const struct netloc_builder *b, size_t host, int32_t *inside)
{
    const struct netloc_form *form = &b->text->host_form[b->text->host[host].form];
    if (form->kind != TMAP_SHAPE_NONE)
        inside[0] = (int32_t)netloc_size(form);
    else
        for (int d = 0; d < form->dimensions; d++)
            inside[netloc_level_of(b, form, d)] = form->extent[d];
}

/* Names move to the machine, in the order of its tree. */
static int netloc_add_hosts(struct netloc_builder *b)
{
    const struct netloc_text *t = b->text;
    struct reseat_machine *m = b->machine;
    m->host = calloc(t->hosts, sizeof *m->host);
    m->number_of = malloc((size_t)t->slots * sizeof *m->number_of);
    m->inside = calloc(t->hosts * (size_t)b->inside, sizeof *m->inside);
    if (!m->host || !m->number_of || !m->inside)
        return netloc_no_memory(b);
    m->hosts = (int32_t)t->hosts;
    int32_t leaf = 0;
    for (size_t h = 0; h < t->hosts; h++) {
        struct netloc_host *host = &t->host[h];
        int32_t object = tmap_tree_ancestor(m->tree, b->slot_of[leaf], m->host_level);
        m->host[object] = host->name;
        host->name = NULL;
        netloc_fill_extents(b, h, m->inside + (size_t)object * (size_t)b->inside);
        for (int32_t i = 0; i < host->count; i++)
            m->number_of[b->slot_of[leaf++]] = host->index ? host->index[i] : i;
    }
    return 0;
}

static int netloc_by_name(const void *a, const void *b)
{
    const struct netloc_host *const *x = a, *const *y = b;
    int order = strcmp((*x)->name, (*y)->name);
    return order ? order : ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
}

static int netloc_check_names(const struct netloc_builder *b)
{
    const struct netloc_text *t = b->text;
    const struct netloc_host **sorted = malloc(t->hosts * sizeof *sorted);
    int rc = sorted ? 0 : netloc_no_memory(b);
    for (size_t h = 0; sorted && h < t->hosts; h++)
        sorted[h] = &t->host[h];
    if (sorted)
        qsort(sorted, t->hosts, sizeof *sorted, netloc_by_name);
    for (size_t h = 1; rc == 0 && h < t->hosts; h++)
        if (strcmp(sorted[h]->name, sorted[h - 1]->name) == 0)
            rc = reseat_fail(b->error, "%s:%zu: host %.100s is in line %zu already", t->path,
                             sorted[h]->line, sorted[h]->name, sorted[h - 1]->line);
    free(sorted);
    return rc;
}

int netloc_make_machine(struct reseat_machine **machine, struct netloc_text *text,
                        struct reseat_error *error)
{
    struct netloc_builder b = {
        .text = text, .error = error, .machine = calloc(1, sizeof *b.machine)};
    int rc = b.machine ? netloc_check_names(&b) : netloc_no_memory(&b);
    rc = rc || netloc_find_inside(&b) ? -1 : 0;
    b.depth = text->levels + b.inside;
    if (b.machine)
        b.machine->host_level = text->levels;
    rc = rc || netloc_make_tree(&b) || netloc_add_shapes(&b) || netloc_add_levels(&b) ||
                 netloc_add_hosts(&b)
             ? -1
             : 0;
    free(b.path);
    free(b.slot_of);
    if (rc == 0)
        *machine = b.machine;
    else
        reseat_machine_destroy(b.machine);
    return rc;
}
