/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm-torus.c - Slurm's plugin topology/3d_torus (until 24.05), see coordinates.h. */
#include "network/coordinates.h"

#include <string.h>
#include <strings.h>

#include "network/host-places.h"
#include "text/lines.h"

enum { SLURM_TORUS_DIMENSIONS = 3, SLURM_TORUS_BASE = 36 };

/* A digit of base 36; -1: none. */
static int slurm_torus_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : -1;
}

/* Three digits; 0, or -1: something else. */
static int slurm_torus_read(const char *text, int32_t at[SLURM_TORUS_DIMENSIONS])
{
    for (int d = 0; d < SLURM_TORUS_DIMENSIONS; d++)
        if ((at[d] = slurm_torus_digit(text[d])) < 0)
            return -1;
    return 0;
}

static void slurm_torus_raise(int32_t *extent, const char *text)
{
    int32_t at[SLURM_TORUS_DIMENSIONS];
    if (slurm_torus_read(text, at))
        return;
    for (int d = 0; d < SLURM_TORUS_DIMENSIONS; d++)
        if (at[d] >= extent[d])
            extent[d] = at[d] + 1;
}

/* The extents of "tux[000x377,400]" or "tux012": of each three digits in brackets, or at the
 * end. */
static void slurm_torus_take_names(int32_t *extent, const char *names, size_t length)
{
    const char *end = names + length, *run = names;
    for (const char *c = names; c <= end; c++) {
        int is_end = c == end || strchr("[]x-,", *c);
        if (is_end && c - run >= SLURM_TORUS_DIMENSIONS)
            slurm_torus_raise(extent, c - SLURM_TORUS_DIMENSIONS);
        if (is_end)
            run = c + 1;
    }
}

static void slurm_torus_read_line(int32_t *extent, char *line)
{
    static const char key[] = "NodeName=";
    line[strcspn(line, "#")] = '\0';
    const char *names = line + strspn(line, " \t");
    if (strncasecmp(names, key, sizeof key - 1) != 0)
        return;
    names += sizeof key - 1;
    size_t length = strcspn(names, " \t");
    if (length != 7 || strncasecmp(names, "DEFAULT", 7) != 0)
        slurm_torus_take_names(extent, names, length);
}

/* Put each host of the job. 0, or -1 with *error. */
static int slurm_torus_put(struct host_places *places, const int32_t *extent,
                           struct reseat_error *error)
{
    for (int32_t h = 0; h < places->hosts; h++) {
        const char *name = places->host[h];
        size_t length = strcspn(name, ".");
        int32_t at[SLURM_TORUS_DIMENSIONS];
        if (length < SLURM_TORUS_DIMENSIONS ||
            slurm_torus_read(name + length - SLURM_TORUS_DIMENSIONS, at))
            return reseat_fail(error,
                               "%s: topology/3d_torus, and '%.100s' does not end with three "
                               "coordinates (0-9, A-Z)",
                               places->path, name);
        for (int d = 0; d < SLURM_TORUS_DIMENSIONS; d++)
            if (at[d] >= extent[d])
                return reseat_fail(error, "%s: host '%.100s' is not in it", places->path, name);
        const struct network_path path = {.length = 1,
                                          .at = {(at[0] * extent[1] + at[1]) * extent[2] + at[2]}};
        if (host_places_put(places, name, &path, 1))
            return -1;
    }
    return 0;
}

int reseat_slurm_torus_of_file(const char *path, const char *const *hosts, int32_t nodes,
                               struct reseat_network *network, struct reseat_error *error)
{
    struct tmap_shape shape = {
        .size = sizeof shape, .kind = TMAP_SHAPE_TORUS, .dimensions = SLURM_TORUS_DIMENSIONS};
    const struct tmap_shape *shapes[] = {&shape};
    struct host_places places;
    struct lines lines = {0};
    int more = 0;
    if (!hosts)
        return reseat_fail(error,
                           "%s: a slurm.conf lists no hosts one by one, only those of a job can "
                           "be shown",
                           path);
    int rc =
        host_places_open(&places, path, hosts, nodes, error) || lines_open(&lines, path, error);
    lines.open_end = 1;
    while (rc == 0 && (more = lines_next(&lines)) > 0)
        slurm_torus_read_line(shape.extent, lines.line);
    rc = rc || more < 0 || slurm_torus_put(&places, shape.extent, error) ||
                 host_places_network(&places, shapes, network, error)
             ? -1
             : 0;
    lines_close(&lines);
    host_places_close(&places);
    return rc;
}
