/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * switches.c - see switches.h.
 *
 * Reading makes links: a host or switch, the switch above it, the line. Then the switches are
 * sorted by name and numbered, and each gets the one above it. Hosts are sorted by name up to the
 * first dot, then by the whole name, so that they are found with and without a domain.
 * Time O(n log n), memory O(n) for n names in the file, at most HOSTLIST_MOST_NAMES.
 */
#include "format/switches.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/array.h"
#include "format/block-sizes.h"
#include "format/host-name.h"
#include "format/hostlist.h"
#include "format/lines.h"

/* Results of switches_take_name; -1 is hostlist_expand's own. */
enum { NO_MEMORY = -2, TOO_MANY = -3, NO_HOST = -4 };

struct link {
    char *child;
    char *parent;
    size_t line;
    int is_host;
};

struct host {
    const struct link *link;
    int32_t above;
};

struct reseat_switches {
    char *path;
    struct link *links;
    size_t links_count;
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
    for (size_t i = 0; i < s->links_count; i++) {
        free(s->links[i].child);
        free(s->links[i].parent);
    }
    free(s->path);
    free(s->links);
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

/* ---- reading ---- */

struct switches_reader {
    struct lines lines;
    struct reseat_switches *switches;
    char *text; /* the line and its continuations, without comment */
    size_t room;
    size_t number;      /* of its first line */
    const char *parent; /* of the names being read */
    int is_host;        /* whether these are hosts */
    char **blocks;      /* of topology/block, in their order */
    size_t blocks_count;
    struct block_sizes sizes;
};

static int switches_fail(struct switches_reader *r, const char *reason)
{
    return reseat_fail(r->lines.error, "%s:%zu: %s", r->lines.path, r->number, reason);
}

/* Add a link; hostlist_name_fn. 0, NO_MEMORY, TOO_MANY, or NO_HOST with the error. */
static int switches_take_name(void *context, const char *name)
{
    struct switches_reader *r = context;
    struct reseat_switches *s = r->switches;
    if (s->links_count == HOSTLIST_MOST_NAMES)
        return TOO_MANY;
    if (r->is_host && !host_name_is_valid(name)) {
        reseat_fail(r->lines.error, "%s:%zu: '%.100s' is not a host name", r->lines.path, r->number,
                    name);
        return NO_HOST;
    }
    struct link *links = array_grow(s->links, s->links_count, sizeof *links);
    if (!links)
        return NO_MEMORY;
    s->links = links;
    struct link link = {strdup(name), strdup(r->parent), r->number, r->is_host};
    s->links[s->links_count++] = link;
    return link.child && link.parent ? 0 : NO_MEMORY;
}

/* Check the result for a name. 0, or nonzero with the error. */
static int switches_check_name(struct switches_reader *r, int rc)
{
    if (rc == TOO_MANY)
        return reseat_fail(r->lines.error, "%s:%zu: more than %d names in the file", r->lines.path,
                           r->number, HOSTLIST_MOST_NAMES);
    return rc == NO_MEMORY ? lines_no_memory(&r->lines) : rc;
}

static int switches_take_list(struct switches_reader *r, const char *list, const char *parent,
                              int is_host)
{
    const char *reason = "";
    r->parent = parent;
    r->is_host = is_host;
    int rc = hostlist_expand(list, switches_take_name, r, &reason);
    return rc == -1 ? switches_fail(r, reason) : switches_check_name(r, rc);
}

/* Add the present line to the text; *more: the next line continues it. */
static int switches_add_line(struct switches_reader *r, size_t *length, int *more)
{
    char *line = r->lines.line;
    line[strcspn(line, "#\r")] = '\0';
    size_t size = strlen(line);
    *more = size > 0 && line[size - 1] == '\\';
    size -= (size_t)*more;
    if (*length + size + 2 > r->room) {
        size_t room = 2 * (*length + size + 2);
        char *text = realloc(r->text, room);
        if (!text)
            return lines_no_memory(&r->lines);
        r->text = text;
        r->room = room;
    }
    memcpy(r->text + *length, line, size);
    *length += size;
    r->text[*length] = '\0';
    return 0;
}

/* Go to the next line that is not empty. 1; 0 at the end; -1. */
static int switches_next_line(struct switches_reader *r)
{
    int rc;
    do {
        size_t length = 0;
        int more = 0;
        if ((rc = lines_next(&r->lines)) <= 0)
            return rc;
        r->number = r->lines.number;
        do
            if (switches_add_line(r, &length, &more))
                return -1;
        while (more && (rc = lines_next(&r->lines)) > 0);
    } while (rc >= 0 && lines_at_end(r->text));
    return rc < 0 ? -1 : 1;
}

/* The value of a parameter KEY=VALUE; NULL: another parameter. */
static const char *switches_value_of(const char *word, const char *key)
{
    size_t length = strlen(key);
    return strncasecmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

/* The sizes of blocks, `4,16'. 0, or -1 with the error. */
static int switches_read_sizes(struct switches_reader *r, const char *list)
{
    const char *reason = NULL;
    char size[16];
    for (size_t length; *list && !reason; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        snprintf(size, sizeof size, "%.*s", length < sizeof size ? (int)length : 0, list);
        reason = block_sizes_add(&r->sizes, size);
    }
    return reason ? switches_fail(r, reason) : 0;
}

static int switches_add_block(struct switches_reader *r, const char *name)
{
    char **blocks = array_grow(r->blocks, r->blocks_count, sizeof *blocks);
    if (!blocks)
        return lines_no_memory(&r->lines);
    r->blocks = blocks;
    blocks[r->blocks_count] = strdup(name);
    return blocks[r->blocks_count++] ? 0 : lines_no_memory(&r->lines);
}

/* Put each block below the larger ones that it is a part of. 0, or -1 with the error. */
static int switches_join_blocks(struct switches_reader *r)
{
    int rc = 0;
    r->is_host = 0;
    for (size_t b = 0; b < r->blocks_count && rc == 0; b++) {
        char name[2][64];
        const char *below = r->blocks[b];
        for (int i = 0; i < r->sizes.count && rc == 0; i++) {
            snprintf(name[i % 2], sizeof name[0], "%d blocks, %zu", (int)r->sizes.joined[i],
                     b / (size_t)r->sizes.joined[i]);
            r->parent = name[i % 2];
            rc = switches_check_name(r, switches_take_name(r, below));
            below = r->parent;
        }
    }
    return rc;
}

static int switches_read_slurm_line(struct switches_reader *r)
{
    const char *name = NULL, *block = NULL, *nodes = NULL, *below = NULL, *sizes = NULL, *value;
    char *save = NULL;
    for (char *word = strtok_r(r->text, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
        if (strcasecmp(word, "include") == 0)
            return switches_fail(r, "Include is not followed");
        if (!strchr(word, '='))
            return switches_fail(r, "a word that is not NAME=VALUE");
        if ((value = switches_value_of(word, "SwitchName")))
            name = value;
        else if ((value = switches_value_of(word, "BlockName")))
            name = block = value;
        else if ((value = switches_value_of(word, "BlockSizes")))
            sizes = value;
        else if (switches_value_of(word, "RingName"))
            return switches_fail(r, "rings are read from a topology.yaml only");
        else if ((value = switches_value_of(word, "Nodes")))
            nodes = value;
        else if ((value = switches_value_of(word, "Switches")))
            below = value;
    }
    if (sizes && switches_read_sizes(r, sizes))
        return -1;
    if (sizes && !name)
        return 0;
    if (!name || !*name)
        return switches_fail(r, "SwitchName=... is missing");
    if (block && switches_add_block(r, block))
        return -1;
    if (nodes && switches_take_list(r, nodes, name, 1))
        return -1;
    return below ? switches_take_list(r, below, name, 0) : 0;
}

static int switches_read_plain_line(struct switches_reader *r)
{
    char *save = NULL, *below = strtok_r(r->text, " \t", &save);
    char *above = strtok_r(NULL, " \t", &save);
    if (!above)
        return switches_fail(r, "a host without a switch");
    if (switches_take_list(r, below, above, 1))
        return -1;
    r->is_host = 0;
    for (below = above; (above = strtok_r(NULL, " \t", &save)); below = above) {
        r->parent = above;
        if (switches_check_name(r, switches_take_name(r, below)))
            return -1;
    }
    return 0;
}

static int switches_read_lines(struct switches_reader *r)
{
    int rc = switches_next_line(r);
    if (rc == 0)
        return reseat_fail(r->lines.error, "%s: names no host", r->lines.path);
    int slurm = rc > 0 && strchr(r->text, '=') != NULL;
    for (; rc > 0; rc = switches_next_line(r))
        if (slurm ? switches_read_slurm_line(r) : switches_read_plain_line(r))
            return -1;
    return rc < 0 ? -1 : switches_join_blocks(r);
}

/* ---- evaluating the links ---- */

static int switches_by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int32_t switches_find_switch(const struct reseat_switches *s, const char *name)
{
    const char **found =
        bsearch(&name, s->names, (size_t)s->names_count, sizeof *s->names, switches_by_text);
    return (int32_t)(found - s->names);
}

/* Number the switches. */
static void switches_name_switches(struct reseat_switches *s)
{
    size_t count = 0;
    int32_t unique = 0;
    for (size_t i = 0; i < s->links_count; i++) {
        s->names[count++] = s->links[i].parent;
        if (!s->links[i].is_host)
            s->names[count++] = s->links[i].child;
    }
    qsort(s->names, count, sizeof *s->names, switches_by_text);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(s->names[i], s->names[i - 1]) != 0)
            s->names[unique++] = s->names[i];
    s->names_count = unique;
}

static int switches_fail_two(const struct reseat_switches *s, const char *what,
                             const struct link *link, size_t before, struct reseat_error *error)
{
    return reseat_fail(error,
                       "%s:%zu: %s '%.60s' is below '%.60s' here and below another one in line %zu",
                       s->path, link->line, what, link->child, link->parent, before);
}

static int switches_connect_switches(struct reseat_switches *s, struct reseat_error *error)
{
    for (int32_t i = 0; i < s->names_count; i++)
        s->above[i] = -1;
    for (size_t i = 0; i < s->links_count; i++) {
        const struct link *link = &s->links[i];
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

static int switches_compare_short(const char *a, const char *b)
{
    size_t length_a = strcspn(a, "."), length_b = strcspn(b, ".");
    int order = memcmp(a, b, length_a < length_b ? length_a : length_b);
    return order ? order : (length_a > length_b) - (length_a < length_b);
}

static int switches_by_host(const void *a, const void *b)
{
    const struct host *x = a, *y = b;
    int order = switches_compare_short(x->link->child, y->link->child);
    order = order ? order : strcmp(x->link->child, y->link->child);
    return order ? order : (x->link > y->link) - (x->link < y->link);
}

static int switches_sort_hosts(struct reseat_switches *s, struct reseat_error *error)
{
    int32_t unique = 0, count = 0;
    for (size_t i = 0; i < s->links_count; i++)
        if (s->links[i].is_host)
            s->hosts[count++] =
                (struct host){&s->links[i], switches_find_switch(s, s->links[i].parent)};
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
    size_t names = 2 * s->links_count;
    s->names = malloc((names + 1) * sizeof *s->names);
    s->above = malloc((names + 1) * sizeof *s->above);
    s->line = calloc(names + 1, sizeof *s->line);
    s->hosts = malloc((s->links_count + 1) * sizeof *s->hosts);
    if (!s->names || !s->above || !s->line || !s->hosts || s->links_count > INT32_MAX / 2)
        return reseat_fail(error, "%s: out of memory", s->path);
    switches_name_switches(s);
    return switches_connect_switches(s, error) || switches_check_depth(s, error) ||
                   switches_sort_hosts(s, error)
               ? -1
               : 0;
}

int reseat_switches_read(struct reseat_switches **result, const char *path,
                         struct reseat_error *error)
{
    struct switches_reader r = {.switches = calloc(1, sizeof *r.switches)};
    if (!r.switches || !(r.switches->path = strdup(path))) {
        reseat_switches_destroy(r.switches);
        return reseat_fail(error, "%s: out of memory", path);
    }
    int rc = lines_open(&r.lines, path, error);
    if (rc == 0) {
        r.lines.open_end = 1;
        rc = switches_read_lines(&r);
    }
    if (rc == 0)
        rc = switches_connect(r.switches, error);
    lines_close(&r.lines);
    free(r.text);
    for (size_t b = 0; b < r.blocks_count; b++)
        free(r.blocks[b]);
    free(r.blocks);
    if (rc == 0)
        *result = r.switches;
    else
        reseat_switches_destroy(r.switches);
    return rc;
}

/* ---- queries ---- */

/* NULL: not found, or ambiguous. */
static const struct host *switches_find_host(const struct reseat_switches *s, const char *name)
{
    const struct host *meant = NULL;
    int32_t low = 0, high = s->hosts_count, meanings = 0;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (switches_compare_short(s->hosts[middle].link->child, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < s->hosts_count; low++) {
        const char *there = s->hosts[low].link->child;
        if (switches_compare_short(there, name) != 0)
            break;
        if (strcmp(there, name) == 0)
            return &s->hosts[low];
        if (network_same_host(there, name)) {
            meant = &s->hosts[low];
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
        if (s->links[i].is_host && switches_find_host(s, s->links[i].child)->link == &s->links[i])
            is_full = !(names[h++] = strdup(s->links[i].child));
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
