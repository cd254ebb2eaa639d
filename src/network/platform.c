/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform.c - see platform.h. Of XML only tags, attributes and comments are looked at: platforms
 * have no more. The file is read as a whole; hosts and routers are sorted by their IDs when a
 * route follows them. Time O(n log n), and that of fabric_find_levels; memory O(text).
 *
 * Hosts of a cluster are numbered in the order of `radical'. topo_parameters are, with numbers
 * separated by commas,
 *
 *   TORUS       extents, the first of which varies fastest
 *   FAT_TREE    LEVELS;CHILDREN of an object of each level, from the nodes upwards;...
 *   DRAGONFLY   GROUPS,n;CHASSIS,n;ROUTERS,n;NODES of a router
 */
#include "network/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "network/fabric-lines.h"
#include "text/hostlist.h"

enum { PLATFORM_MOST_BYTES = 1 << 30 };

enum { PLATFORM_VALUE = 4096 };

/* An opening tag: its words, from the name of the element to the end. */
struct platform_tag {
    const char *at;
    size_t length;
};

/* The clusters of a platform. */
struct platform_clusters {
    int32_t count;
    struct tmap_shape shape; /* of the only one; kind TMAP_SHAPE_NONE: none, or levels */
    struct tmap_link *link;  /* of the shape */
};

/* A host or router. */
struct platform_point {
    char *id;
    int is_host;
    int32_t number; /* of the switch that it is; -1: none, but a leaf */
    int32_t links;
    int32_t neighbor; /* of the last of them */
};

struct platform_id {
    const char *id;
    int32_t point;
};

struct platform {
    struct host_places places;
    struct platform_clusters clusters;
    struct platform_point *point;
    int32_t points;
    struct platform_id *sorted; /* of the first `known` points */
    int32_t known;
    struct fabric_links links; /* between points */
    struct reseat_error *error;
};

/* ---- tags ---- */

/* Returns 1 if the tag is of this element. */
static int platform_is(const struct platform_tag *tag, const char *element)
{
    size_t length = strlen(element);
    return tag->length >= length && strncmp(tag->at, element, length) == 0 &&
           (tag->length == length || strchr(" \t\r\n/", tag->at[length]));
}

static int platform_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The value of an attribute, in `value`. 0, or -1: it is not there, or too long. */
static int platform_attribute(const struct platform_tag *tag, const char *name,
                              char value[PLATFORM_VALUE])
{
    const char *at = tag->at, *end = tag->at + tag->length;
    size_t length = strlen(name);
    while (at < end && (at = memchr(at, '=', (size_t)(end - at)))) {
        const char *word = at, *open = at + 1, *close;
        while (word > tag->at && platform_is_blank(word[-1]))
            word--;
        const char *word_end = word;
        while (word > tag->at && !strchr(" \t\r\n\"'", word[-1]))
            word--;
        while (open < end && platform_is_blank(*open))
            open++;
        if (open >= end || (*open != '"' && *open != '\'') ||
            !(close = memchr(open + 1, *open, (size_t)(end - open - 1))))
            return -1;
        if ((size_t)(word_end - word) == length && strncmp(word, name, length) == 0) {
            if (close - open > PLATFORM_VALUE)
                return -1;
            memcpy(value, open + 1, (size_t)(close - open - 1));
            value[close - open - 1] = '\0';
            return 0;
        }
        at = close + 1;
    }
    return -1;
}

/* The next opening tag at or after *text, which moves past it. 1; 0: no more. */
static int platform_next(const char **text, struct platform_tag *tag)
{
    for (const char *at = *text; (at = strchr(at, '<')); at++) {
        const char *end = strchr(at, '>');
        if (strncmp(at, "<!--", 4) == 0 && !(end = strstr(at, "-->")))
            return 0;
        if (!end)
            return 0;
        if (strchr("!?/", at[1])) {
            at = end;
            continue;
        }
        *tag = (struct platform_tag){at + 1, (size_t)(end - at - 1)};
        *text = end;
        return 1;
    }
    return 0;
}

struct cluster {
    struct platform_clusters *all;
    struct host_places *places;
    int32_t hosts;                     /* put so far */
    int levels;                        /* of switches below the root */
    int32_t below[TMAP_SWITCH_LEVELS]; /* hosts of a switch of each, from the nodes upwards */
};

/* ---- clusters: parameters ---- */

/* The next number, of 1 or more, at *text, which moves past it. -1: there is none. */
static int32_t cluster_number(const char **text)
{
    char *end;
    long value = strtol(*text, &end, 10);
    int is_number = end != *text && value >= 1 && value <= TMAP_MAX_POSITIONS;
    *text = end;
    return is_number ? (int32_t)value : -1;
}

/* The first number of "A,n;", of which the rest is passed over. */
static int32_t cluster_first(const char **text)
{
    int32_t number = cluster_number(text);
    *text += strcspn(*text, ";");
    *text += **text == ';';
    return number;
}

static int cluster_torus(struct cluster *c, const char *text)
{
    int32_t extent[TMAP_MAX_DIMENSIONS];
    struct tmap_shape *shape = &c->all->shape;
    int64_t positions = 1;
    int n = 0;
    do {
        if (n == TMAP_MAX_DIMENSIONS || (extent[n] = cluster_number(&text)) < 0)
            return -1;
        positions *= extent[n++];
        if (positions > TMAP_MAX_POSITIONS)
            return -1;
    } while (*text++ == ',');
    *shape = (struct tmap_shape){.size = sizeof *shape, .kind = TMAP_SHAPE_TORUS, .dimensions = n};
    for (int d = 0; d < n; d++) /* in this order: routes go along the first one first, ours too */
        shape->extent[d] = extent[d];
    c->levels = 1;
    c->below[0] = 1;
    return 0;
}

static int cluster_fat_tree(struct cluster *c, const char *text)
{
    int32_t levels = cluster_number(&text);
    int64_t hosts = 1;
    if (levels < 1 || levels > TMAP_SWITCH_LEVELS || *text != ';')
        return -1;
    for (c->levels = 0; c->levels < levels - 1; c->levels++) { /* the last one is the root's */
        text++;
        hosts *= cluster_number(&text);
        if (hosts < 1 || hosts > TMAP_MAX_POSITIONS || *text != ',')
            return -1;
        c->below[c->levels] = (int32_t)hosts;
    }
    return 0;
}

/* The links of a dragonfly: routers of a chassis are all connected, those of the same number in the
 * chassis of a group as well, and router j of group i with router i of group j. Returns how many;
 * `link` NULL: only counts. */
static size_t cluster_dragonfly_links(struct tmap_link *link, int32_t groups, int32_t chassis,
                                      int32_t routers)
{
    int32_t of_group = chassis * routers;
    size_t count = 0;
    for (int32_t a = 0; a < groups * of_group; a++)
        for (int32_t b = a + 1; b < groups * of_group; b++) {
            int32_t ga = a / of_group, gb = b / of_group, in_a = a % of_group, in_b = b % of_group;
            int is_near =
                ga == gb && (in_a / routers == in_b / routers || in_a % routers == in_b % routers);
            if (!is_near && !(ga != gb && in_a == gb && in_b == ga))
                continue;
            if (link)
                link[count] = (struct tmap_link){a, b, 1};
            count++;
        }
    return count;
}

static int cluster_dragonfly(struct cluster *c, const char *text)
{
    struct tmap_shape *shape = &c->all->shape;
    int32_t groups = cluster_first(&text), chassis = cluster_first(&text);
    int32_t routers = cluster_first(&text), nodes = cluster_number(&text);
    if (groups < 1 || chassis < 1 || routers < 1 || nodes < 1 ||
        (int64_t)groups * chassis * routers > TMAP_MAX_USED)
        return -1;
    size_t links = cluster_dragonfly_links(NULL, groups, chassis, routers);
    if (links > TMAP_MAX_LINKS)
        return -1;
    c->all->link = malloc((links + 1) * sizeof *c->all->link);
    if (!c->all->link)
        return -1;
    cluster_dragonfly_links(c->all->link, groups, chassis, routers);
    *shape = (struct tmap_shape){.size = sizeof *shape,
                                 .kind = TMAP_SHAPE_GRAPH,
                                 .positions = groups * chassis * routers,
                                 .group = chassis * routers,
                                 .links = links,
                                 .link = c->all->link};
    c->levels = 1;
    c->below[0] = nodes;
    return 0;
}

/* 0, or -1: the topology of the cluster cannot be understood. */
static int cluster_topology(struct cluster *c, const struct platform_tag *tag)
{
    char kind[PLATFORM_VALUE] = "FLAT", parameters[PLATFORM_VALUE] = "";
    platform_attribute(tag, "topology", kind);
    platform_attribute(tag, "topo_parameters", parameters);
    if (strcmp(kind, "TORUS") == 0)
        return cluster_torus(c, parameters);
    if (strcmp(kind, "FAT_TREE") == 0)
        return cluster_fat_tree(c, parameters);
    return strcmp(kind, "DRAGONFLY") == 0 ? cluster_dragonfly(c, parameters) : 0;
}

/* ---- clusters: hosts ---- */

/* The position of the next host, beyond all where there are too many: ours vary fastest in the
 * last dimension of a torus. */
static int32_t cluster_position(const struct cluster *c)
{
    const struct tmap_shape *shape = &c->all->shape;
    int32_t position = 0, rest = c->hosts;
    for (int d = 0; d < shape->dimensions; d++) {
        position = position * shape->extent[d] + rest % shape->extent[d];
        rest /= shape->extent[d];
    }
    return rest == 0 ? position : c->hosts;
}

static int cluster_put(void *context, const char *name)
{
    struct cluster *c = context;
    struct network_path path = {.length = 0};
    if (c->all->shape.kind == TMAP_SHAPE_NONE) /* several clusters are a switch each */
        path.at[path.length++] = c->all->count;
    for (int l = c->levels - 1; l >= 0; l--)
        path.at[path.length++] = c->hosts / c->below[l];
    if (c->all->shape.kind == TMAP_SHAPE_TORUS)
        path.at[0] = cluster_position(c);
    c->hosts++;
    return host_places_put(c->places, name, &path, 1);
}

/* Put the hosts of one more cluster. 0, or -1 with *error: it cannot be understood, or out of
 * memory. */
static int platform_cluster(struct platform_clusters *clusters, const struct platform_tag *tag,
                            struct host_places *places, struct reseat_error *error)
{
    struct cluster c = {.all = clusters, .places = places};
    char prefix[PLATFORM_VALUE], suffix[PLATFORM_VALUE], radical[PLATFORM_VALUE];
    char *list = NULL;
    const char *reason = "";
    if (clusters->shape.kind != TMAP_SHAPE_NONE)
        return reseat_fail(error, "%s: a cluster beside a torus or dragonfly", places->path);
    if (platform_attribute(tag, "prefix", prefix) || platform_attribute(tag, "suffix", suffix) ||
        platform_attribute(tag, "radical", radical) || cluster_topology(&c, tag))
        return reseat_fail(error, "%s: a cluster whose hosts or topology cannot be understood",
                           places->path);
    if (clusters->count > 0 && clusters->shape.kind != TMAP_SHAPE_NONE)
        return reseat_fail(error, "%s: a torus or dragonfly beside a cluster", places->path);
    if (asprintf(&list, "%s[%s]%s", prefix, radical, suffix) < 0)
        return reseat_fail(error, "%s: out of memory", places->path);
    int rc = hostlist_expand(list, cluster_put, &c, &reason);
    free(list);
    clusters->count++;
    if (rc == -1)
        return reseat_fail(error, "%s: radical '%.40s': %s", places->path, radical, reason);
    return rc ? -1 : 0;
}

/* ---- hosts, routers and links ---- */

static int platform_no_memory(const struct platform *p)
{
    return reseat_fail(p->error, "%s: out of memory", p->places.path);
}

static int platform_by_id(const void *a, const void *b)
{
    return strcmp(((const struct platform_id *)a)->id, ((const struct platform_id *)b)->id);
}

/* Sort what has been added. 0, or -1 with the error. */
static int platform_sort(struct platform *p)
{
    if (p->known == p->points)
        return 0;
    struct platform_id *grown = realloc(p->sorted, (size_t)p->points * sizeof *grown);
    if (!grown)
        return platform_no_memory(p);
    p->sorted = grown;
    for (int32_t i = 0; i < p->points; i++)
        grown[i] = (struct platform_id){p->point[i].id, i};
    qsort(grown, (size_t)p->points, sizeof *grown, platform_by_id);
    p->known = p->points;
    return 0;
}

/* The point of an ID; -1: there is none. */
static int32_t platform_find(const struct platform *p, const char *id)
{
    const struct platform_id key = {id, 0}, *found = NULL;
    if (p->known)
        found = bsearch(&key, p->sorted, (size_t)p->known, sizeof key, platform_by_id);
    return found ? found->point : -1;
}

/* 0, or -1 with the error. */
static int platform_add_point(struct platform *p, const struct platform_tag *tag, int is_host)
{
    char id[PLATFORM_VALUE];
    if (platform_attribute(tag, "id", id))
        return reseat_fail(p->error, "%s: a host or router without id", p->places.path);
    struct platform_point *grown = array_grow(p->point, (size_t)p->points, sizeof *grown);
    if (!grown)
        return platform_no_memory(p);
    p->point = grown;
    grown[p->points] =
        (struct platform_point){.id = strdup(id), .is_host = is_host, .number = -1, .neighbor = -1};
    return grown[p->points++].id ? 0 : platform_no_memory(p);
}

static void platform_count_link(struct platform *p, int32_t point, int32_t neighbor)
{
    p->point[point].links += p->point[point].neighbor != neighbor;
    p->point[point].neighbor = neighbor;
}

/* A route between two points, or between the gateways of two zones. 0, or -1 with the error. */
static int platform_add_route(struct platform *p, const struct platform_tag *tag, const char *from,
                              const char *to)
{
    char source[PLATFORM_VALUE], target[PLATFORM_VALUE];
    if (platform_attribute(tag, from, source) || platform_attribute(tag, to, target))
        return 0;
    if (platform_sort(p))
        return -1;
    int32_t a = platform_find(p, source), b = platform_find(p, target);
    if (a < 0 || b < 0 || a == b)
        return 0;
    platform_count_link(p, a, b);
    platform_count_link(p, b, a);
    return fabric_links_add(&p->links, a, b) ? platform_no_memory(p) : 0;
}

static int platform_take(struct platform *p, const struct platform_tag *tag)
{
    if (platform_is(tag, "cluster"))
        return platform_cluster(&p->clusters, tag, &p->places, p->error);
    if (platform_is(tag, "host") || platform_is(tag, "router"))
        return platform_add_point(p, tag, platform_is(tag, "host"));
    if (platform_is(tag, "route"))
        return platform_add_route(p, tag, "src", "dst");
    if (platform_is(tag, "zoneRoute") || platform_is(tag, "ASroute"))
        return platform_add_route(p, tag, "gw_src", "gw_dst");
    return 0;
}

/* ---- the network ---- */

/* Number the switches: routers, and hosts that are not at the end of a single link to a router. */
static void platform_number(struct platform *p)
{
    int32_t count = 0;
    for (int32_t i = 0; i < p->points; i++) {
        struct platform_point *point = &p->point[i];
        int is_leaf = point->is_host && point->links == 1 && !p->point[point->neighbor].is_host;
        point->number = is_leaf ? -1 : count++;
    }
    p->links.switches = count;
}

/* Links between switches, and hosts at theirs. 0, or -1 with the error. */
static int platform_zones(struct platform *p, struct reseat_network *network)
{
    size_t kept = 0;
    platform_number(p);
    for (size_t i = 0; i < p->links.count; i++) {
        int32_t a = p->point[p->links.pair[i].from].number;
        int32_t b = p->point[p->links.pair[i].to].number;
        if (a >= 0 && b >= 0)
            p->links.pair[kept++] = a < b ? (struct fabric_pair){a, b} : (struct fabric_pair){b, a};
    }
    p->links.count = kept;
    for (int32_t i = 0; i < p->points; i++) {
        const struct platform_point *point = &p->point[i];
        int32_t at = point->number < 0 ? p->point[point->neighbor].number : point->number;
        const struct network_path path = {.length = 1, .at = {at}};
        if (point->is_host && host_places_put(&p->places, point->id, &path, 1))
            return -1;
    }
    return fabric_network(&p->links, &p->places, network, p->error);
}

static int platform_make(struct platform *p, struct reseat_network *network)
{
    const struct tmap_shape *shapes[] = {&p->clusters.shape};
    if (p->clusters.count == 0)
        return platform_zones(p, network);
    for (int32_t i = 0; i < p->points; i++)
        if (p->point[i].is_host)
            return reseat_fail(p->error, "%s: host '%.100s' beside a cluster", p->places.path,
                               p->point[i].id);
    int has_shape = p->clusters.shape.kind != TMAP_SHAPE_NONE;
    return host_places_network(&p->places, has_shape ? shapes : NULL, network, p->error);
}

/* ---- the file ---- */

/* All of the file, allocated; NULL with *error. */
static char *platform_read(const char *path, struct reseat_error *error)
{
    char *text = NULL;
    size_t size = 0, room = 0;
    FILE *file = fopen(path, "re");
    ssize_t length = file ? getdelim(&text, &room, '\0', file) : -1;
    size = length > 0 ? (size_t)length : 0;
    int is_whole = size > 0 && strlen(text) == size && size < PLATFORM_MOST_BYTES &&
                   strstr(text, "</platform>");
    if (file)
        fclose(file);
    if (is_whole)
        return text;
    free(text);
    reseat_fail(error, "%s: no whole platform", path);
    return NULL;
}

static void platform_free(struct platform *p)
{
    host_places_close(&p->places);
    for (int32_t i = 0; i < p->points; i++)
        free(p->point[i].id);
    free(p->point);
    free(p->links.pair);
    free(p->clusters.link);
    free(p->sorted);
}

int reseat_platform_of_file(const char *path, const char *const *hosts, int32_t nodes,
                            struct reseat_network *network, struct reseat_error *error)
{
    struct platform p = {.error = error};
    struct platform_tag tag;
    char *text = platform_read(path, error);
    const char *at = text;
    if (!text)
        return -1;
    int rc = host_places_open(&p.places, path, hosts, nodes, error);
    while (!rc && platform_next(&at, &tag))
        rc = platform_take(&p, &tag);
    rc = rc || platform_make(&p, network) ? -1 : 0;
    platform_free(&p);
    free(text);
    return rc;
}

int reseat_platform_is(const char *path)
{
    char text[4096];
    struct platform_tag tag;
    const char *at = text;
    FILE *file = fopen(path, "re");
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[size] = '\0';
    if (file)
        fclose(file);
    return platform_next(&at, &tag) && platform_is(&tag, "platform");
}
