/* SPDX-License-Identifier: BSD-3-Clause */
/* world-profile.c - see world-profile.h. */
#include "profile/world-profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct reseat_profile *world_create(int32_t ranks)
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

int world_header(struct reseat_profile *profile, const char *key, const char *value)
{
    const struct reseat_header header = {strdup(key), strdup(value)};
    if (header.key && header.value &&
        array_add(&profile->headers, &profile->headers_count, &header, sizeof header) == 0)
        return 0;
    free(header.key);
    free(header.value);
    return -1;
}

int world_add(struct reseat_profile *profile, enum reseat_traffic kind,
              const struct reseat_entry *entry)
{
    struct reseat_domain *world = &profile->domains[0];
    return array_add(&world->entries[kind], &world->count[kind], entry, sizeof *entry);
}

/* Drop empty entries; bytes without messages count as one message. Returns the number of remaining
 * entries. */
static size_t world_tidy(struct reseat_entry *e, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (e[i].msgs || e[i].bytes)
            e[kept++] = e[i];
        if (kept && !e[kept - 1].msgs)
            e[kept - 1].msgs = 1;
    }
    return kept;
}

int world_finish(struct reseat_profile *profile, struct reseat_entry *twice)
{
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        struct reseat_entry *e = profile->domains[0].entries[kind];
        size_t count = world_tidy(e, profile->domains[0].count[kind]);
        profile->domains[0].count[kind] = count;
        if (count)
            qsort(e, count, sizeof *e, reseat_entry_compare);
        for (size_t i = 1; i < count; i++)
            if (reseat_entry_compare(&e[i - 1], &e[i]) == 0) {
                *twice = e[i];
                return -1;
            }
    }
    return 0;
}
