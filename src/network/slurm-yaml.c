/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm-yaml.c - see slurm-yaml.h. The lists of names are gone through once for each topology that
 * is tried; only the hosts of the job are kept (host-places.h). */
#include "network/slurm-yaml.h"

#include <stdlib.h>
#include <string.h>

#include "network/block-sizes.h"
#include "network/host-places.h"
#include "text/hostlist.h"
#include "text/number.h"
#include "text/yaml.h"

enum { SLURM_AXES = 3 };

/* A topology that is being read. */
struct slurm_topology {
    struct yaml yaml;
    struct host_places places;
    struct reseat_error *error;
    struct tmap_shape shape; /* of the last level of the paths; kind NONE: none */
};

static int slurm_fail(const struct slurm_topology *t, int32_t node, const char *reason)
{
    return reseat_fail(t->error, "%s:%zu: %s", t->places.path, t->yaml.node[node].line, reason);
}

static int slurm_no_memory(const struct slurm_topology *t)
{
    return reseat_fail(t->error, "%s: out of memory", t->places.path);
}

/* Expand a list that is the value of `node` (0: no list). */
static int slurm_expand(const struct slurm_topology *t, int32_t node, hostlist_name_fn *take,
                        void *context)
{
    const char *reason = "";
    if (!node || !t->yaml.node[node].value)
        return 0;
    int rc = hostlist_expand(t->yaml.node[node].value, take, context, &reason);
    return rc == -1 ? slurm_fail(t, node, reason) : rc;
}

/* ---- hosts at one place ---- */

struct slurm_group {
    struct host_places *places;
    struct network_path at;
    size_t line;
};

static int slurm_put_name(void *context, const char *name)
{
    struct slurm_group *group = context;
    return host_places_put(group->places, name, &group->at, group->line);
}

static int slurm_put_list(struct slurm_topology *t, int32_t list, const struct network_path *at)
{
    struct slurm_group group = {&t->places, *at, t->yaml.node[list].line};
    return slurm_expand(t, list, slurm_put_name, &group);
}

/* ---- tree ---- */

struct slurm_switch {
    const char *name;
    int32_t item;
    int32_t above; /* -1: none */
};

struct slurm_switches {
    struct slurm_topology *topology;
    struct slurm_switch *sorted; /* by name */
    int32_t count;
    int32_t parent; /* of the names being read */
};

static int slurm_by_name(const void *a, const void *b)
{
    const struct slurm_switch *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int slurm_take_child(void *context, const char *name)
{
    struct slurm_switches *s = context;
    struct slurm_switch key = {.name = name};
    struct slurm_switch *found =
        bsearch(&key, s->sorted, (size_t)s->count, sizeof *s->sorted, slurm_by_name);
    const struct slurm_topology *t = s->topology;
    size_t line = t->yaml.node[s->sorted[s->parent].item].line;
    if (!found)
        return reseat_fail(t->error, "%s:%zu: there is no switch '%.60s'", t->places.path, line,
                           name) -
               1;
    if (found->above >= 0 && found->above != s->parent)
        return reseat_fail(t->error, "%s:%zu: switch '%.60s' is below two others", t->places.path,
                           line, name) -
               1;
    found->above = s->parent;
    return 0;
}

/* The switches above a node of switch `at`, outermost first. */
static int slurm_climb(const struct slurm_switches *s, int32_t at, struct network_path *path)
{
    const struct slurm_topology *t = s->topology;
    path->length = 0;
    for (int32_t up = at; up >= 0; up = s->sorted[up].above)
        if (path->length++ == TMAP_SWITCH_LEVELS)
            return reseat_fail(
                t->error,
                "%s:%zu: more than %d switches above each other, or '%.60s' is below "
                "itself",
                t->places.path, t->yaml.node[s->sorted[at].item].line, TMAP_SWITCH_LEVELS,
                s->sorted[at].name);
    for (int l = path->length - 1; l >= 0; l--, at = s->sorted[at].above)
        path->at[l] = at;
    return 0;
}

static int slurm_connect(struct slurm_switches *s)
{
    struct slurm_topology *t = s->topology;
    struct network_path path;
    for (s->parent = 0; s->parent < s->count; s->parent++) {
        int32_t list = yaml_find(&t->yaml, s->sorted[s->parent].item, "children");
        if (slurm_expand(t, list, slurm_take_child, s))
            return -1;
    }
    for (int32_t i = 0; i < s->count; i++) {
        int32_t list = yaml_find(&t->yaml, s->sorted[i].item, "nodes");
        if (slurm_climb(s, i, &path) || (list && slurm_put_list(t, list, &path)))
            return -1;
    }
    return 0;
}

static int slurm_read_tree(struct slurm_topology *t, int32_t kind)
{
    int32_t list = yaml_find(&t->yaml, kind, "switches"), room = 1;
    for (int32_t item = t->yaml.node[list].first; list && item; item = t->yaml.node[item].next)
        room++;
    struct slurm_switches s = {t, malloc((size_t)room * sizeof *s.sorted), 0, 0};
    int rc = s.sorted ? 0 : slurm_no_memory(t);
    for (int32_t item = t->yaml.node[list].first; rc == 0 && list && item;
         item = t->yaml.node[item].next) {
        const char *name = yaml_value(&t->yaml, item, "switch");
        s.sorted[s.count++] = (struct slurm_switch){name, item, -1};
        rc = name ? 0 : slurm_fail(t, item, "a switch without a name");
    }
    if (rc == 0)
        qsort(s.sorted, (size_t)s.count, sizeof *s.sorted, slurm_by_name);
    for (int32_t i = 1; rc == 0 && i < s.count; i++)
        if (strcmp(s.sorted[i].name, s.sorted[i - 1].name) == 0)
            rc = slurm_fail(t, s.sorted[i].item, "two switches with the same name");
    rc = rc ? rc : slurm_connect(&s);
    free(s.sorted);
    return rc;
}

/* ---- blocks ---- */

/* 0, or -1 with the error. */
static int slurm_block_sizes(struct slurm_topology *t, int32_t kind, struct block_sizes *sizes)
{
    int32_t list = yaml_find(&t->yaml, kind, "block_sizes");
    *sizes = (struct block_sizes){0};
    for (int32_t item = t->yaml.node[list].first; list && item; item = t->yaml.node[item].next) {
        const char *text = t->yaml.node[item].value;
        const char *reason = block_sizes_add(sizes, text ? text : "");
        if (reason)
            return slurm_fail(t, item, reason);
    }
    return 0;
}

static int slurm_read_blocks(struct slurm_topology *t, int32_t kind)
{
    int32_t list = yaml_find(&t->yaml, kind, "blocks"), block = 0;
    struct block_sizes sizes;
    if (slurm_block_sizes(t, kind, &sizes))
        return -1;
    for (int32_t item = t->yaml.node[list].first; list && item;
         item = t->yaml.node[item].next, block++) {
        struct network_path path = {.length = sizes.count + 1};
        for (int l = 0; l < sizes.count; l++)
            path.at[l] = block / sizes.joined[sizes.count - 1 - l];
        path.at[sizes.count] = block;
        int32_t nodes = yaml_find(&t->yaml, item, "nodes");
        if (nodes && slurm_put_list(t, nodes, &path))
            return -1;
    }
    return 0;
}

/* ---- rings and toruses ---- */

/* A box of positions, x first, which is the axis that varies fastest. */
struct slurm_box {
    int32_t anchor[SLURM_AXES], extent[SLURM_AXES];
};

/* Nodes that fill a box of a network. */
struct slurm_fill {
    struct slurm_topology *topology;
    const int32_t *extent; /* of the network */
    struct slurm_box box;
    int32_t network; /* number of the network */
    int64_t next;    /* node in the box */
    size_t line;
};

static int slurm_count_name(void *context, const char *name)
{
    (void)name;
    ++*(int32_t *)context;
    return 0;
}

static int slurm_fill_name(void *context, const char *name)
{
    struct slurm_fill *f = context;
    struct slurm_topology *t = f->topology;
    int32_t at[SLURM_AXES];
    int64_t rest = f->next++;
    for (int a = 0; a < SLURM_AXES; a++) {
        at[a] = f->box.anchor[a] + (int32_t)(rest % f->box.extent[a]);
        rest /= f->box.extent[a];
    }
    if (rest)
        return reseat_fail(t->error, "%s:%zu: more nodes than positions", t->places.path, f->line) -
               1;
    const struct network_path path = {
        .length = 2, .at = {f->network, (at[2] * f->extent[1] + at[1]) * f->extent[0] + at[0]}};
    return host_places_put(&t->places, name, &path, f->line);
}

static int slurm_fill_box(struct slurm_topology *t, int32_t list, const int32_t *extent,
                          const struct slurm_box *box, int32_t network)
{
    struct slurm_fill fill = {t, extent, *box, network, 0, t->yaml.node[list].line};
    for (int a = 0; a < SLURM_AXES; a++)
        if (box->anchor[a] + (int64_t)box->extent[a] > extent[a])
            return slurm_fail(t, list, "a region that is not inside its torus");
    return slurm_expand(t, list, slurm_fill_name, &fill);
}

/* {x: 1, y: 2, z: 3} */
static int slurm_read_axes(const struct slurm_topology *t, int32_t item, const char *key,
                           int32_t least, int32_t *axis)
{
    static const char *const names[] = {"x", "y", "z"};
    int32_t node = yaml_find(&t->yaml, item, key);
    int64_t size = 1;
    for (int a = 0; a < SLURM_AXES; a++) {
        const char *text = node ? yaml_value(&t->yaml, node, names[a]) : NULL;
        if (!text || read_number32(&text, &axis[a]) || *text || axis[a] < least ||
            (least && (size *= axis[a]) > TMAP_MAX_POSITIONS))
            return reseat_fail(t->error, "%s:%zu: %s with x, y and z are expected", t->places.path,
                               t->yaml.node[item].line, key);
    }
    return 0;
}

/* The extents of a ring or torus, and the hosts on it. */
static int slurm_read_ring(struct slurm_topology *t, int32_t item, int32_t number, int32_t *extent)
{
    int32_t list = yaml_find(&t->yaml, item, "nodes"), count = 0;
    if (slurm_expand(t, list, slurm_count_name, &count))
        return -1;
    if (!count)
        return slurm_fail(t, item, "a ring without nodes");
    struct slurm_box box = {.extent = {count, 1, 1}};
    memcpy(extent, box.extent, sizeof box.extent);
    return slurm_fill_box(t, list, extent, &box, number);
}

static int slurm_read_torus(struct slurm_topology *t, int32_t item, int32_t number, int32_t *extent)
{
    struct slurm_box box = {.extent = {0}};
    int32_t list = yaml_find(&t->yaml, item, "nodes");
    int32_t regions = yaml_find(&t->yaml, item, "regions");
    if (slurm_read_axes(t, item, "dims", 1, extent))
        return -1;
    memcpy(box.extent, extent, sizeof box.extent);
    if (list && slurm_fill_box(t, list, extent, &box, number))
        return -1;
    for (int32_t region = t->yaml.node[regions].first; regions && region;
         region = t->yaml.node[region].next) {
        list = yaml_find(&t->yaml, region, "nodes");
        if (slurm_read_axes(t, region, "anchor", 0, box.anchor) ||
            slurm_read_axes(t, region, "dims", 1, box.extent) ||
            (list && slurm_fill_box(t, list, extent, &box, number)))
            return -1;
    }
    return 0;
}

/* The shape, if the job's hosts are in networks of one size; else the positions are dropped. */
static void slurm_choose_shape(struct slurm_topology *t, const int32_t *extents)
{
    int32_t first = -1;
    int same = 1;
    for (int32_t h = 0; h < t->places.hosts; h++) {
        int32_t number = t->places.place[h].at.at[0];
        if (t->places.place[h].line == 0)
            continue;
        first = first < 0 ? number : first;
        same &= memcmp(extents + (size_t)number * SLURM_AXES, extents + (size_t)first * SLURM_AXES,
                       SLURM_AXES * sizeof *extents) == 0;
    }
    if (same && first >= 0) {
        t->shape = (struct tmap_shape){
            .size = sizeof t->shape, .kind = TMAP_SHAPE_TORUS, .dimensions = SLURM_AXES};
        for (int a = 0; a < SLURM_AXES; a++)
            t->shape.extent[a] = extents[(size_t)first * SLURM_AXES + SLURM_AXES - 1 - (size_t)a];
    }
    for (int32_t h = 0; !same && h < t->places.hosts; h++)
        t->places.place[h].at.length = 1;
}

static int slurm_read_networks(struct slurm_topology *t, int32_t kind, const char *key,
                               int (*read)(struct slurm_topology *t, int32_t item, int32_t number,
                                           int32_t *extent))
{
    int32_t list = yaml_find(&t->yaml, kind, key), room = 1, number = 0;
    for (int32_t item = t->yaml.node[list].first; list && item; item = t->yaml.node[item].next)
        room++;
    int32_t *extents = calloc((size_t)room * SLURM_AXES, sizeof *extents);
    int rc = extents ? 0 : slurm_no_memory(t);
    for (int32_t item = t->yaml.node[list].first; rc == 0 && list && item;
         item = t->yaml.node[item].next, number++)
        rc = read(t, item, number, extents + (size_t)number * SLURM_AXES);
    if (rc == 0)
        slurm_choose_shape(t, extents);
    free(extents);
    return rc;
}

/* ---- topologies ---- */

/* Put the hosts of one topology. 0, or nonzero with the error. */
static int slurm_read_kind(struct slurm_topology *t, int32_t item)
{
    static const struct network_path nowhere = {0};
    int32_t kind;
    if ((kind = yaml_find(&t->yaml, item, "tree")))
        return slurm_read_tree(t, kind);
    if ((kind = yaml_find(&t->yaml, item, "block")))
        return slurm_read_blocks(t, kind);
    if ((kind = yaml_find(&t->yaml, item, "ring")))
        return slurm_read_networks(t, kind, "rings", slurm_read_ring);
    if ((kind = yaml_find(&t->yaml, item, "torus3d")))
        return slurm_read_networks(t, kind, "toruses", slurm_read_torus);
    if (!yaml_find(&t->yaml, item, "flat"))
        return slurm_fail(t, item, "a topology has one of tree, block, ring, torus3d and flat");
    int rc = 0;
    for (int32_t h = 0; rc == 0 && h < t->places.hosts; h++)
        rc = host_places_put(&t->places, t->places.host[h], &nowhere, t->yaml.node[item].line);
    return rc;
}

static int slurm_try(struct slurm_topology *t, int32_t item, struct reseat_network *network)
{
    const struct tmap_shape *shapes[TMAP_SWITCH_LEVELS] = {NULL, &t->shape};
    t->shape = (struct tmap_shape){.kind = TMAP_SHAPE_NONE};
    host_places_forget(&t->places);
    return slurm_read_kind(t, item) ||
                   host_places_network(&t->places, t->shape.kind == TMAP_SHAPE_NONE ? NULL : shapes,
                                       network, t->error)
               ? -1
               : 0;
}

static int slurm_is_default(const struct slurm_topology *t, int32_t item)
{
    const char *value = yaml_value(&t->yaml, item, "cluster_default");
    return value && (strcmp(value, "true") == 0 || strcmp(value, "True") == 0);
}

/* The one that counts, else the first other one that has all hosts; the error is of the former. */
static int slurm_try_all(struct slurm_topology *t, struct reseat_network *network)
{
    struct reseat_error unused;
    int32_t first = t->yaml.node[0].first, chosen = first;
    while (chosen && !slurm_is_default(t, chosen))
        chosen = t->yaml.node[chosen].next;
    chosen = chosen ? chosen : first;
    if (!chosen || !yaml_find(&t->yaml, chosen, "topology"))
        return reseat_fail(t->error, "%s: names no topology", t->places.path);
    if (slurm_try(t, chosen, network) == 0)
        return 0;
    struct reseat_error *error = t->error;
    int rc = -1;
    t->error = t->places.error = &unused;
    for (int32_t item = first; rc && item && !host_places_is_full(&t->places);
         item = t->yaml.node[item].next)
        if (item != chosen && !yaml_find(&t->yaml, item, "flat"))
            rc = slurm_try(t, item, network);
    t->error = t->places.error = error;
    return rc;
}

int reseat_slurm_yaml_of_file(const char *path, const char *const *hosts, int32_t nodes,
                              struct reseat_network *network, struct reseat_error *error)
{
    struct slurm_topology t = {.error = error};
    struct lines lines = {0};
    int rc =
        host_places_open(&t.places, path, hosts, nodes, error) || lines_open(&lines, path, error);
    lines.open_end = 1;
    rc = rc || yaml_read(&t.yaml, &lines) || slurm_try_all(&t, network) ? -1 : 0;
    lines_close(&lines);
    yaml_free(&t.yaml);
    host_places_close(&t.places);
    return rc;
}
