/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * switches.c - see switches.h.
 *
 * Reading makes links (switches-lines.h). Then the switches are sorted by name and numbered, and
 * each gets the one above it. Hosts are sorted by name up to the first dot, then by the whole name,
 * so that they are found with and without a domain. Time O(n log n), memory O(n) for n links.
 */
#include "network/switches.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ascending.h"
#include "base/search.h"
#include "network/switches-lines.h"
#include "text/host-name.h"

struct host {
    const struct switches_link *link;
    int32_t above;
};

struct reseat_switches {
    char *path;
    struct switches_links links;
    const char **names; /* of switches, ascending */
    int32_t names_count;
    int32_t *above; /* by switch: the one above it, -1: none */
    size_t *line;   /* by switch: the line of that link */
    struct host *hosts;
    int32_t hosts_count;
};

void reseat_switches_destroy(struct reseat_switches *s)
{
    if (!s)
        return;
    switches_links_free(&s->links);
    free(s->path);
    free(s->names);
    free(s->above);
    free(s->line);
    free(s->hosts);
    free(s);
}

int reseat_switches_is_path(const char *text)
{
    return strchr(text, '/') || access(text, F_OK) == 0;
}

/* ---- links ---- */

static int32_t switches_find_switch(const struct reseat_switches *s, const char *name)
{
    const char **found =
        bsearch(&name, s->names, (size_t)s->names_count, sizeof *s->names, ascending_text);
    return (int32_t)(found - s->names);
}

/* Number the switches. 0, or -1: out of memory. */
static int switches_name_switches(struct reseat_switches *s)
{
    const struct switches_links *links = &s->links;
    size_t count = 0, most = links->names_count;
    int32_t unique = 0;
    for (size_t i = 0; i < links->count; i++)
        most += !links->link[i].is_host;
    s->names = malloc((most + 1) * sizeof *s->names);
    if (!s->names)
        return -1;
    for (size_t i = 0; i < links->names_count; i++)
        s->names[count++] = links->names[i];
    for (size_t i = 0; i < links->count; i++)
        if (!links->link[i].is_host)
            s->names[count++] = links->link[i].child;
    qsort(s->names, count, sizeof *s->names, ascending_text);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(s->names[i], s->names[i - 1]) != 0)
            s->names[unique++] = s->names[i];
    s->names_count = unique;
    return 0;
}

static int switches_fail_two(const struct reseat_switches *s, const char *what,
                             const struct switches_link *link, size_t before,
                             struct reseat_error *error)
{
    return reseat_fail(error,
                       "%s:%zu: %s '%.60s' is below '%.60s' here and below another one in line %zu",
                       s->path, link->line, what, link->child, link->parent, before);
}

static int switches_connect_switches(struct reseat_switches *s, struct reseat_error *error)
{
    for (int32_t i = 0; i < s->names_count; i++)
        s->above[i] = -1;
    for (size_t i = 0; i < s->links.count; i++) {
        const struct switches_link *link = &s->links.link[i];
        if (link->is_host)
            continue;
        int32_t below = switches_find_switch(s, link->child),
                above = switches_find_switch(s, link->parent);
        if (s->above[below] >= 0 && s->above[below] != above)
            return switches_fail_two(s, "switch", link, s->line[below], error);
        if (s->above[below] < 0)
            s->line[below] = link->line;
        s->above[below] = above;
    }
    return 0;
}

/* Check that no switch is below itself, or too deep. */
static int switches_check_depth(const struct reseat_switches *s, struct reseat_error *error)
{
    for (int32_t i = 0; i < s->names_count; i++) {
        int32_t at = i, steps = 1;
        while (s->above[at] >= 0 && steps <= s->names_count) {
            at = s->above[at];
            steps++;
        }
        if (s->above[at] >= 0)
            return reseat_fail(error, "%s:%zu: switch '%.60s' is below itself", s->path,
                               s->line[at], s->names[at]);
        if (steps > TMAP_SWITCH_LEVELS)
            return reseat_fail(error, "%s:%zu: %d switches above each other; %d can be", s->path,
                               s->line[i], (int)steps, TMAP_SWITCH_LEVELS);
    }
    return 0;
}

static int switches_by_host(const void *a, const void *b)
{
    const struct host *x = a, *y = b;
    int order = host_name_compare_short(x->link->child, y->link->child);
    order = order ? order : strcmp(x->link->child, y->link->child);
    return order ? order : (x->link > y->link) - (x->link < y->link);
}

static int switches_sort_hosts(struct reseat_switches *s, struct reseat_error *error)
{
    int32_t unique = 0, count = 0;
    for (size_t i = 0; i < s->links.count; i++)
        if (s->links.link[i].is_host)
            s->hosts[count++] =
                (struct host){&s->links.link[i], switches_find_switch(s, s->links.link[i].parent)};
    qsort(s->hosts, (size_t)count, sizeof *s->hosts, switches_by_host);
    for (int32_t i = 0; i < count; i++) {
        const struct host *host = &s->hosts[i], *last = unique ? &s->hosts[unique - 1] : NULL;
        if (!last || strcmp(host->link->child, last->link->child) != 0)
            s->hosts[unique++] = *host;
        else if (host->above != last->above)
            return switches_fail_two(s, "host", host->link, last->link->line, error);
    }
    s->hosts_count = unique;
    return 0;
}

static int switches_connect(struct reseat_switches *s, struct reseat_error *error)
{
    if (switches_name_switches(s))
        return reseat_fail(error, "%s: out of memory", s->path);
    size_t switches = (size_t)s->names_count, hosts = 0;
    for (size_t i = 0; i < s->links.count; i++)
        hosts += (size_t)s->links.link[i].is_host;
    s->above = malloc((switches + 1) * sizeof *s->above);
    s->line = calloc(switches + 1, sizeof *s->line);
    s->hosts = malloc((hosts + 1) * sizeof *s->hosts);
    if (!s->above || !s->line || !s->hosts)
        return reseat_fail(error, "%s: out of memory", s->path);
    return switches_connect_switches(s, error) || switches_check_depth(s, error) ||
                   switches_sort_hosts(s, error)
               ? -1
               : 0;
}

int reseat_switches_read(struct reseat_switches **result, const char *path,
                         struct reseat_error *error)
{
    struct reseat_switches *s = calloc(1, sizeof *s);
    if (!s || !(s->path = strdup(path))) {
        reseat_switches_destroy(s);
        return reseat_fail(error, "%s: out of memory", path);
    }
    if (switches_links_read(&s->links, path, error) || switches_connect(s, error)) {
        reseat_switches_destroy(s);
        return -1;
    }
    *result = s;
    return 0;
}

/* ---- queries ---- */

struct switches_sought {
    const struct reseat_switches *switches;
    const char *name;
};

static int switches_is_before(const void *sought, size_t at)
{
    const struct switches_sought *s = sought;
    return host_name_compare_short(s->switches->hosts[at].link->child, s->name) < 0;
}

/* NULL: not found, or ambiguous. */
static const struct host *switches_find_host(const struct reseat_switches *s, const char *name)
{
    const struct host *meant = NULL;
    int32_t meanings = 0;
    size_t count = (size_t)s->hosts_count;
    size_t at = search_first(count, switches_is_before, &(struct switches_sought){s, name});
    for (; at < count; at++) {
        const char *there = s->hosts[at].link->child;
        if (host_name_compare_short(there, name) != 0)
            break;
        if (strcmp(there, name) == 0)
            return &s->hosts[at];
        if (network_same_host(there, name)) {
            meant = &s->hosts[at];
            meanings++;
        }
    }
    return meanings == 1 ? meant : NULL;
}

static void switches_climb(const struct reseat_switches *s, int32_t at, struct network_path *path)
{
    path->length = 0;
    for (int32_t up = at; up >= 0; up = s->above[up])
        path->length++;
    for (int l = path->length - 1; l >= 0; l--, at = s->above[at])
        path->at[l] = at;
}

int reseat_switches_above(const struct reseat_switches *s, const char *const *hosts, int32_t nodes,
                          struct reseat_network *network, struct reseat_error *error)
{
    struct network_path *paths = malloc(sizeof *paths * ((size_t)nodes + 1));
    int rc = paths ? 0 : reseat_fail(error, "out of memory for the switches");
    for (int32_t n = 0; rc == 0 && n < nodes; n++) {
        const struct host *host = switches_find_host(s, hosts[n]);
        if (host)
            switches_climb(s, host->above, &paths[n]);
        else
            rc = reseat_fail(error, "%s: host '%.100s' is not in it", s->path, hosts[n]);
    }
    if (rc == 0)
        rc = reseat_network_create(network, paths, nodes, NULL, error);
    free(paths);
    return rc;
}

/* The network of all hosts, in the order of the file, with their names. */
static int switches_above_all(const struct reseat_switches *s, struct reseat_network *network,
                              struct reseat_error *error)
{
    size_t count = (size_t)s->hosts_count;
    char **names = calloc(count + 1, sizeof *names);
    int is_full = 0;
    for (size_t i = 0, h = 0; names && !is_full && h < count; i++)
        if (s->links.link[i].is_host &&
            switches_find_host(s, s->links.link[i].child)->link == &s->links.link[i])
            is_full = !(names[h++] = strdup(s->links.link[i].child));
    int rc = count == 0          ? reseat_fail(error, "%s: names no host", s->path)
             : !names || is_full ? reseat_fail(error, "%s: out of memory", s->path)
                                 : 0;
    rc = rc || reseat_switches_above(s, (const char *const *)names, s->hosts_count, network, error);
    if (rc == 0) {
        network->host = names;
        return 0;
    }
    for (size_t h = 0; names && h < count; h++)
        free(names[h]);
    free(names);
    return -1;
}

int reseat_switches_of_file(const char *path, const char *const *hosts, int32_t nodes,
                            struct reseat_network *network, struct reseat_error *error)
{
    struct reseat_switches *switches;
    if (reseat_switches_read(&switches, path, error))
        return -1;
    int rc = hosts ? reseat_switches_above(switches, hosts, nodes, network, error)
                   : switches_above_all(switches, network, error);
    reseat_switches_destroy(switches);
    return rc;
}
