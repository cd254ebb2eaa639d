/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c - see matrix.h. */
#include "format/matrix.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct reseat_profile *world_of(int32_t ranks)
{
    struct reseat_profile *profile = calloc(1, sizeof *profile);
    struct reseat_domain *world = calloc(1, sizeof *world);
    if (!profile || !world) {
        free(profile);
        free(world);
        return NULL;
    }
    strcpy(world->function, "MPI_COMM_WORLD");
    world->parent = -1;
    world->size = profile->ranks = ranks;
    profile->domains = world;
    profile->domains_count = 1;
    return profile;
}

static int add(struct reseat_domain *world, struct reseat_entry entry)
{
    size_t n = world->count[RESEAT_P2P];
    if ((n & (n - 1)) == 0) {
        struct reseat_entry *entries =
            realloc(world->entries[RESEAT_P2P], (n ? 2 * n : 1) * sizeof *entries);
        if (!entries)
            return -1;
        world->entries[RESEAT_P2P] = entries;
    }
    world->entries[RESEAT_P2P][n] = entry;
    world->count[RESEAT_P2P]++;
    return 0;
}

static int read_line(const char *line, struct reseat_domain *world)
{
    struct reseat_entry e;
    int end = 0;
    if (strchr(line, '-') ||
        sscanf(line, "%" SCNd32 " %" SCNd32 " %" SCNu64 " %" SCNu64 " %n", &e.source, &e.target,
               &e.msgs, &e.bytes, &end) != 4 ||
        line[end])
        return -1;
    if (e.source >= world->size || e.target >= world->size)
        return -1;
    return add(world, e);
}

static int read_lines(FILE *file, const char *path, struct reseat_profile **profile,
                      struct reseat_error *error)
{
    char line[256];
    int32_t ranks = 0;
    int end = 0;
    if (!fgets(line, sizeof line, file))
        return reseat_fail(error, "%s: is empty", path);
    if (sscanf(line, "%" SCNd32 " %n", &ranks, &end) != 1 || line[end] || ranks < 1)
        return reseat_fail(error, "%s:1: the number of ranks is expected here", path);
    struct reseat_profile *result = world_of(ranks);
    if (!result)
        return reseat_fail(error, "%s: out of memory", path);
    for (size_t number = 2; fgets(line, sizeof line, file); number++) {
        if (read_line(line, &result->domains[0]) == 0)
            continue;
        reseat_profile_destroy(result);
        return reseat_fail(error,
                           "%s:%zu: `source target messages bytes` with ranks below %d is expected",
                           path, number, (int)ranks);
    }
    *profile = result;
    return 0;
}

int reseat_matrix_read(struct reseat_profile **profile, const char *path,
                       struct reseat_error *error)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return reseat_fail(error, "%s: %s", path, strerror(errno));
    int rc = read_lines(file, path, profile, error);
    fclose(file);
    return rc;
}
