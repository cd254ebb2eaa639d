/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * switches-lines.c - the lines of a file of switches as links (switches-lines.h).
 *
 * A switch is named by each host below it, mostly by one after the other, so names of switches that
 * have been met lately are kept once. Time O(text), memory O(names), at most HOSTLIST_MOST_NAMES
 * links.
 */
#include "network/switches-lines.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "network/block-sizes.h"
#include "text/host-name.h"
#include "text/hostlist.h"
#include "text/lines.h"

/* Results of switches_take_name; -1 is hostlist_expand's own. */
enum { NO_MEMORY = -2, TOO_MANY = -3, NO_HOST = -4 };

struct switches_reader {
    struct lines lines;
    struct switches_links *links;
    char *text; /* the line and its continuations, without comment */
    size_t room;
    size_t number;      /* of its first line */
    const char *parent; /* of the names being read */
    int is_host;        /* whether these are hosts */
    char **blocks;      /* of topology/block, in their order */
    size_t blocks_count;
    struct block_sizes sizes;
};

/* Names of switches that are looked through: those of a few hosts. */
enum { RECENT_SWITCHES = 2 * TMAP_SWITCH_LEVELS };

static int switches_fail(struct switches_reader *r, const char *reason)
{
    return reseat_fail(r->lines.error, "%s:%zu: %s", r->lines.path, r->number, reason);
}

/* A copy of the name of a switch, which is among the links' names. NULL: out of memory. */
static const char *switches_keep_name(struct switches_links *links, const char *name)
{
    size_t count = links->names_count,
           lately = count < RECENT_SWITCHES ? 0 : count - RECENT_SWITCHES;
    for (size_t i = count; i > lately; i--)
        if (strcmp(links->names[i - 1], name) == 0)
            return links->names[i - 1];
    char *copy = strdup(name);
    if (copy && array_add(&links->names, &links->names_count, &copy, sizeof copy) == 0)
        return copy;
    free(copy);
    return NULL;
}

/* Add a link; hostlist_name_fn. 0, NO_MEMORY, TOO_MANY, or NO_HOST with the error. */
static int switches_take_name(void *context, const char *name)
{
    struct switches_reader *r = context;
    struct switches_links *all = r->links;
    if (all->count == HOSTLIST_MOST_NAMES)
        return TOO_MANY;
    if (r->is_host && !host_name_is_valid(name)) {
        reseat_fail(r->lines.error, "%s:%zu: '%.100s' is not a host name", r->lines.path, r->number,
                    name);
        return NO_HOST;
    }
    const struct switches_link link = {strdup(name), switches_keep_name(all, r->parent), r->number,
                                       r->is_host};
    if (link.child && link.parent && array_add(&all->link, &all->count, &link, sizeof link) == 0)
        return 0;
    free(link.child);
    return NO_MEMORY;
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
    char *block = strdup(name);
    if (block && array_add(&r->blocks, &r->blocks_count, &block, sizeof block) == 0)
        return 0;
    free(block);
    return lines_no_memory(&r->lines);
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

void switches_links_free(struct switches_links *links)
{
    for (size_t i = 0; i < links->count; i++)
        free(links->link[i].child);
    for (size_t i = 0; i < links->names_count; i++)
        free(links->names[i]);
    free(links->link);
    free(links->names);
}

int switches_links_read(struct switches_links *links, const char *path, struct reseat_error *error)
{
    struct switches_reader r = {.links = links};
    int rc = lines_open(&r.lines, path, error);
    if (rc == 0) {
        r.lines.open_end = 1;
        rc = switches_read_lines(&r);
    }
    lines_close(&r.lines);
    free(r.text);
    for (size_t b = 0; b < r.blocks_count; b++)
        free(r.blocks[b]);
    free(r.blocks);
    return rc;
}
