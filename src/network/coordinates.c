/* SPDX-License-Identifier: BSD-3-Clause */
/* coordinates.c - see coordinates.h. The coordinates of the job's hosts are kept until the extents
 * are known; then each is a position, row-major. */
#include "network/coordinates.h"

#include <stdlib.h>
#include <string.h>

#include "network/host-places.h"
#include "text/hostlist.h"
#include "text/lines.h"
#include "text/number.h"

struct coordinates_reader {
    struct lines lines;
    struct host_places places;
    struct tmap_shape shape; /* kind NONE: not stated */
    int is_dragonfly;
    int dimensions; /* 0: not known yet */
    int32_t largest[TMAP_SWITCH_LEVELS];
    struct network_path at; /* coordinates of the present line */
};

/* ---- what the network is ---- */

/* "16x8x24" at *text. Returns how many numbers there are, at most `most`; -1: something else. */
static int coordinates_read_extents(const char *text, int32_t *extent, int most)
{
    int count = 0;
    for (;;) {
        if (count == most || read_number32(&text, &extent[count]) || extent[count] < 1)
            return -1;
        count++;
        if (*text != 'x')
            break;
        text++;
    }
    return lines_at_end(text) ? count : -1;
}

/* The extents behind a word of a comment, if this is it; NULL: it is not. */
static const char *coordinates_behind(const char *comment, const char *word)
{
    comment += strspn(comment, " \t");
    size_t length = strlen(word);
    if (strncmp(comment, word, length) != 0 || !strchr(" \t", comment[length]) || !comment[length])
        return NULL;
    comment += length;
    return comment + strspn(comment, " \t");
}

/* Reads what a comment says of the network, if anything. 0, or -1: it names one, and is wrong. */
static int coordinates_read_comment(const char *comment, struct tmap_shape *shape,
                                    int *is_dragonfly)
{
    static const char *const words[] = {"torus", "mesh", "dragonfly"};
    for (int w = 0; w < 3; w++) {
        const char *extents = coordinates_behind(comment, words[w]);
        if (!extents || *extents < '0' || *extents > '9')
            continue; /* prose */
        *shape = (struct tmap_shape){.size = sizeof *shape,
                                     .kind = w == 0   ? TMAP_SHAPE_TORUS
                                             : w == 1 ? TMAP_SHAPE_MESH
                                                      : TMAP_SHAPE_GRAPH};
        shape->dimensions = coordinates_read_extents(extents, shape->extent, TMAP_SWITCH_LEVELS);
        *is_dragonfly = w == 2;
        int64_t positions = 1;
        for (int d = 0; d < shape->dimensions && positions <= TMAP_MAX_POSITIONS; d++)
            positions *= shape->extent[d];
        return shape->dimensions < 1 || positions > TMAP_MAX_POSITIONS ||
                       (w == 2 && shape->dimensions != 2)
                   ? -1
                   : 0;
    }
    return 0;
}

int reseat_coordinates_begins(const char *line)
{
    struct tmap_shape shape = {0};
    int is_dragonfly, numbers = 0;
    uint64_t number;
    line += strspn(line, " \t");
    if (*line == '#') {
        int rc = coordinates_read_comment(line + 1, &shape, &is_dragonfly);
        return rc == 0 && shape.kind != TMAP_SHAPE_NONE;
    }
    line += strcspn(line, " \t");
    while (lines_number(&line, UINT64_MAX, &number) == 0)
        numbers++;
    return numbers >= 2 && (lines_at_end(line) || line[strspn(line, " \t")] == '#');
}

/* ---- the file ---- */

static int coordinates_put(void *context, const char *name)
{
    struct coordinates_reader *r = context;
    return host_places_put(&r->places, name, &r->at, r->lines.number);
}

static int coordinates_read_numbers(struct coordinates_reader *r, const char *at)
{
    uint64_t number;
    r->at.length = 0;
    while (!lines_at_end(at)) {
        int d = r->at.length;
        if (lines_number(&at, TMAP_MAX_POSITIONS, &number))
            return lines_fail(&r->lines, "a host and its coordinates, which are numbers from 0, "
                                         "are expected");
        if (d == TMAP_SWITCH_LEVELS)
            return lines_fail(&r->lines, "more than %d coordinates", TMAP_SWITCH_LEVELS);
        if (r->shape.kind != TMAP_SHAPE_NONE && d < r->dimensions &&
            (int64_t)number >= r->shape.extent[d])
            return lines_fail(&r->lines, "coordinate %d is %d, and the extent %d", d + 1,
                              (int)number, (int)r->shape.extent[d]);
        r->at.at[d] = (int32_t)number;
        if (r->at.at[d] > r->largest[d])
            r->largest[d] = r->at.at[d];
        r->at.length++;
    }
    if (r->dimensions == 0)
        r->dimensions = r->at.length;
    if (r->at.length == 0 || r->at.length != r->dimensions)
        return lines_fail(&r->lines, "%d coordinates, where %d are expected", r->at.length,
                          r->dimensions);
    return 0;
}

static int coordinates_read_line(struct coordinates_reader *r)
{
    char *line = r->lines.line + strspn(r->lines.line, " \t");
    char *comment = strchr(line, '#');
    const char *reason = "";
    if (comment == line && r->dimensions == 0) {
        if (coordinates_read_comment(line + 1, &r->shape, &r->is_dragonfly))
            return lines_fail(&r->lines,
                              "torus or mesh and up to %d extents like 4x4x4, or "
                              "dragonfly GROUPSxROUTERS, of at most %d positions, are expected",
                              TMAP_SWITCH_LEVELS, TMAP_MAX_POSITIONS);
        r->dimensions = r->shape.dimensions;
    }
    if (comment)
        *comment = '\0';
    if (lines_at_end(line))
        return 0;
    char *end = line + strcspn(line, " \t");
    if (coordinates_read_numbers(r, end))
        return -1;
    *end = '\0';
    int rc = hostlist_expand(line, coordinates_put, r, &reason);
    return rc == -1 ? lines_fail(&r->lines, "%s", reason) : rc;
}

static int coordinates_read_lines(struct coordinates_reader *r)
{
    int rc;
    while ((rc = lines_next(&r->lines)) > 0)
        if (coordinates_read_line(r))
            return -1;
    return rc;
}

/* ---- the network ---- */

/* Without a statement: a torus of the extents that are there. */
static int coordinates_find_extents(struct coordinates_reader *r)
{
    int64_t positions = 1;
    if (r->shape.kind != TMAP_SHAPE_NONE)
        return 0;
    r->shape.size = sizeof r->shape;
    r->shape.kind = TMAP_SHAPE_TORUS;
    r->shape.dimensions = r->dimensions;
    for (int d = 0; d < r->dimensions; d++) {
        r->shape.extent[d] = r->largest[d] + 1;
        if ((positions *= r->shape.extent[d]) > TMAP_MAX_POSITIONS)
            return reseat_fail(r->lines.error, "%s: a torus of more than %d positions",
                               r->lines.path, TMAP_MAX_POSITIONS);
    }
    return 0;
}

/* Turn the coordinates of each host into a position. */
static void coordinates_number(struct coordinates_reader *r)
{
    for (int32_t h = 0; h < r->places.hosts; h++) {
        struct network_path *at = &r->places.place[h].at;
        int32_t position = 0;
        for (int d = 0; d < at->length; d++)
            position = position * r->shape.extent[d] + at->at[d];
        *at = (struct network_path){.length = 1, .at = {position}};
    }
}

static int coordinates_make(struct coordinates_reader *r, struct reseat_network *network)
{
    const struct tmap_shape *shapes[] = {&r->shape};
    struct tmap_link *link = NULL;
    if (coordinates_find_extents(r))
        return -1;
    coordinates_number(r);
    if (r->is_dragonfly) {
        int32_t groups = r->shape.extent[0], routers = r->shape.extent[1];
        int64_t links = tmap_shape_dragonfly(groups, routers, NULL);
        if (links < 0 || links > TMAP_MAX_LINKS)
            return reseat_fail(r->lines.error, "%s: a dragonfly of %dx%d has too many links",
                               r->lines.path, (int)groups, (int)routers);
        link = malloc(((size_t)links + 1) * sizeof *link);
        if (!link)
            return lines_no_memory(&r->lines);
        tmap_shape_dragonfly(groups, routers, link);
        r->shape = (struct tmap_shape){.size = sizeof r->shape,
                                       .kind = TMAP_SHAPE_GRAPH,
                                       .positions = groups * routers,
                                       .group = routers,
                                       .links = (size_t)links,
                                       .link = link};
    }
    int rc = host_places_network(&r->places, shapes, network, r->lines.error);
    free(link);
    return rc;
}

int reseat_coordinates_of_file(const char *path, const char *const *hosts, int32_t nodes,
                               struct reseat_network *network, struct reseat_error *error)
{
    struct coordinates_reader r = {.dimensions = 0};
    int rc = host_places_open(&r.places, path, hosts, nodes, error);
    if (rc == 0)
        rc = lines_open(&r.lines, path, error);
    if (rc == 0) {
        r.lines.open_end = 1;
        rc = coordinates_read_lines(&r) || coordinates_make(&r, network) ? -1 : 0;
    }
    lines_close(&r.lines);
    host_places_close(&r.places);
    return rc;
}
