/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fabric.c - see fabric.h. Switches are numbered as they are met, as the header of a section or the
 * other end of a link; a hash table has their identifiers. Of the hosts only those of the job are
 * kept. Time O(text + links log links), memory O(switches + links between them + hosts of the job).
 */
#include "network/fabric.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "network/fabric-lines.h"
#include "text/lines.h"

struct fabric_switch {
    uint64_t guid;
    int32_t next; /* of the same bucket; -1: none */
};

enum { FABRIC_FIRST_BITS = 6, FABRIC_NAME_SIZE = 256 };
enum fabric_section { FABRIC_NONE, FABRIC_SWITCH, FABRIC_HOST };

struct fabric_reader {
    struct lines lines;
    struct host_places places;
    struct fabric_switch *switches;
    int32_t switches_count;
    int32_t *bucket; /* by hash: a switch, -1: none */
    int bits;        /* there are 2^bits buckets, at least as many as switches */
    struct fabric_links links;
    enum fabric_section section;
    int32_t of_section; /* the switch */
    char host[FABRIC_NAME_SIZE];
    int is_placed; /* the host's first port has been met */
};

/* ---- words of a line ---- */

/* "S-0002c9020040a8f8" in quotes at *text: the letter, or 0; *text is moved past it. */
static char fabric_read_id(const char **text, uint64_t *guid)
{
    const char *at = *text + strspn(*text, " \t");
    char kind = at[0] == '"' ? at[1] : '\0';
    uint64_t value = 0;
    int digits = 0;
    if (!kind || at[2] != '-')
        return '\0';
    for (at += 3; strchr("0123456789abcdefABCDEF", *at) && *at && digits < 16; at++, digits++)
        value = 16 * value + (uint64_t)(*at <= '9' ? *at - '0' : (*at | 32) - 'a' + 10);
    if (!digits || *at != '"')
        return '\0';
    *guid = value;
    *text = at + 1;
    return kind;
}

/* The first word of the description behind the #, as the name of a host; empty: there is none. */
static void fabric_read_host(const char *line, char name[FABRIC_NAME_SIZE])
{
    const char *at = strchr(line, '#');
    size_t length = 0;
    at = at ? strchr(at, '"') : NULL;
    if (at) {
        at += 1 + strspn(at + 1, " '");
        length = strcspn(at, " \t\"'");
    }
    if (length >= FABRIC_NAME_SIZE)
        length = 0;
    if (length)
        memcpy(name, at, length);
    name[length] = '\0';
}

/* Returns the letter of the ID if a line is the header of a section, "WORD NUMBER "ID"", else 0. */
static char fabric_header(const char *line, const char *word, uint64_t *guid)
{
    size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || !strchr(" \t", line[length]) || !line[length])
        return '\0';
    line += length + strspn(line + length, " \t");
    line += strspn(line, "0123456789");
    return fabric_read_id(&line, guid);
}

int reseat_fabric_begins(const char *line)
{
    static const char *const keys[] = {
        "vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "Non-Chassis Nodes"};
    uint64_t guid;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (strncmp(line, keys[k], strlen(keys[k])) == 0)
            return 1;
    return fabric_header(line, "Switch", &guid) == 'S' || fabric_header(line, "Ca", &guid) == 'H';
}

/* ---- switches and links ---- */

static int32_t *fabric_bucket(const struct fabric_reader *r, uint64_t guid)
{
    return &r->bucket[reseat_hash_word(guid) >> (64 - r->bits)];
}

/* Deal the switches to 2^bits buckets. */
static int fabric_make_buckets(struct fabric_reader *r, int bits)
{
    size_t size = sizeof *r->bucket << bits;
    int32_t *bucket = realloc(r->bucket, size);
    if (!bucket)
        return lines_no_memory(&r->lines);
    memset(bucket, 0xff, size);
    r->bucket = bucket;
    r->bits = bits;
    for (int32_t s = 0; s < r->switches_count; s++) {
        int32_t *first = fabric_bucket(r, r->switches[s].guid);
        r->switches[s].next = *first;
        *first = s;
    }
    return 0;
}

/* The number of a switch, which may be new; -1 with the error. */
static int32_t fabric_number(struct fabric_reader *r, uint64_t guid)
{
    for (int32_t s = *fabric_bucket(r, guid); s >= 0; s = r->switches[s].next)
        if (r->switches[s].guid == guid)
            return s;
    if (r->switches_count == FABRIC_MOST_SWITCHES)
        return lines_fail(&r->lines, "more than %d switches", FABRIC_MOST_SWITCHES);
    struct fabric_switch *grown = array_grow(r->switches, (size_t)r->switches_count, sizeof *grown);
    if (!grown)
        return lines_no_memory(&r->lines);
    r->switches = grown;
    if (r->switches_count == 1 << r->bits && fabric_make_buckets(r, r->bits + 1))
        return -1;
    int32_t *bucket = fabric_bucket(r, guid);
    grown[r->switches_count] = (struct fabric_switch){guid, *bucket};
    *bucket = r->switches_count;
    return r->switches_count++;
}

/* Both ends tell of a link: it counts once in the end. */
static int fabric_add_link(struct fabric_reader *r, int32_t to)
{
    if (fabric_links_add(&r->links, r->of_section, to) == 0)
        return 0;
    return r->links.count < TMAP_MAX_LINKS
               ? lines_no_memory(&r->lines)
               : lines_fail(&r->lines, "more than %d links", TMAP_MAX_LINKS);
}

/* ---- the file ---- */

static int fabric_read_header(struct fabric_reader *r, const char *line)
{
    uint64_t guid;
    r->section = FABRIC_NONE;
    if (fabric_header(line, "Switch", &guid) == 'S') {
        r->section = FABRIC_SWITCH;
        r->of_section = fabric_number(r, guid);
        return r->of_section < 0 ? -1 : 0;
    }
    if (fabric_header(line, "Ca", &guid) == 'H') {
        r->section = FABRIC_HOST;
        fabric_read_host(line, r->host);
        r->is_placed = !r->host[0] || !host_places_lacks(&r->places, r->host);
    }
    return 0;
}

/* "[1](2c9030008fd85) "S-0002c9020040a8f8"[1] # ...": a link of the section. */
static int fabric_read_link(struct fabric_reader *r, const char *line)
{
    uint64_t guid;
    const char *at = strchr(line, ']');
    if (!at || r->section == FABRIC_NONE)
        return 0;
    if (*++at == '(')
        at += strcspn(at, ")") + (strchr(at, ')') != NULL);
    char kind = fabric_read_id(&at, &guid);
    if (kind == 'H' || kind == 'R')
        return 0;
    if (kind != 'S')
        return lines_fail(&r->lines, "the other end of a link, like \"S-0002c9020040a8f8\"[1], is "
                                     "expected");
    int32_t other = fabric_number(r, guid);
    if (other < 0)
        return -1;
    if (r->section == FABRIC_SWITCH)
        return fabric_add_link(r, other);
    if (!r->is_placed) {
        const struct network_path path = {.length = 1, .at = {other}};
        r->is_placed = 1;
        return host_places_put(&r->places, r->host, &path, r->lines.number);
    }
    return 0;
}

static int fabric_read_lines(struct fabric_reader *r)
{
    int rc;
    while ((rc = lines_next(&r->lines)) > 0) {
        const char *line = r->lines.line;
        if (*line == '[' ? fabric_read_link(r, line)
                         : *line >= 'A' && *line <= 'Z' && fabric_read_header(r, line))
            return -1;
    }
    return rc;
}

int reseat_fabric_of_file(const char *path, const char *const *hosts, int32_t nodes,
                          struct reseat_network *network, struct reseat_error *error)
{
    struct fabric_reader r = {.bucket = NULL};
    int rc =
        host_places_open(&r.places, path, hosts, nodes, error) || lines_open(&r.lines, path, error)
            ? -1
            : 0;
    r.lines.open_end = 1;
    rc = rc || fabric_make_buckets(&r, FABRIC_FIRST_BITS) || fabric_read_lines(&r) ? -1 : 0;
    r.links.switches = r.switches_count;
    rc = rc || fabric_network(&r.links, &r.places, network, error) ? -1 : 0;
    lines_close(&r.lines);
    host_places_close(&r.places);
    free(r.bucket);
    free(r.switches);
    free(r.links.pair);
    return rc;
}
