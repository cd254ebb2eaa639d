/* SPDX-License-Identifier: BSD-3-Clause */
/* host-places.c - see host-places.h. The hosts of the job are sorted by name up to the first dot;
 * all hosts of a file are in a hash table by that. */
#include "network/host-places.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/search.h"
#include "text/host-name.h"
#include "text/hostlist.h"

enum { HOST_PLACES_BUCKETS = 1 << 14 };

struct named_host {
    const char *name;
    int32_t host;
};

static int host_places_by_name(const void *a, const void *b)
{
    const struct named_host *x = a, *y = b;
    int order = host_name_compare_short(x->name, y->name);
    return order ? order : (x->host > y->host) - (x->host < y->host);
}

/* Without a job. */
static int host_places_open_all(struct host_places *places, const char *path,
                                struct reseat_error *error)
{
    *places = (struct host_places){
        .path = path, .error = error, .bucket = malloc(HOST_PLACES_BUCKETS * sizeof(int32_t))};
    if (!places->bucket)
        return reseat_fail(error, "%s: out of memory", path);
    host_places_forget(places);
    return 0;
}

int host_places_open(struct host_places *places, const char *path, const char *const *hosts,
                     int32_t count, struct reseat_error *error)
{
    if (!hosts)
        return host_places_open_all(places, path, error);
    size_t room = (size_t)count + 1;
    struct named_host *sorted = malloc(room * sizeof *sorted);
    *places = (struct host_places){.path = path,
                                   .host = hosts,
                                   .error = error,
                                   .hosts = count,
                                   .sorted = malloc(room * sizeof *places->sorted),
                                   .place = calloc(room, sizeof *places->place)};
    int rc = sorted && places->sorted && places->place
                 ? 0
                 : reseat_fail(error, "%s: out of memory", path);
    for (int32_t h = 0; rc == 0 && h < count; h++)
        sorted[h] = (struct named_host){hosts[h], h};
    if (rc == 0)
        qsort(sorted, (size_t)count, sizeof *sorted, host_places_by_name);
    for (int32_t h = 0; rc == 0 && h < count; h++)
        places->sorted[h] = sorted[h].host;
    free(sorted);
    return rc;
}

void host_places_close(struct host_places *places)
{
    for (int32_t h = 0; places->all && h < places->hosts; h++)
        free(places->all[h]);
    free(places->all);
    free(places->bucket);
    free(places->next);
    free(places->sorted);
    free(places->place);
}

void host_places_forget(struct host_places *places)
{
    for (int32_t h = 0; h < places->hosts; h++) {
        places->place[h] = (struct host_place){.line = 0};
        if (places->all)
            free(places->all[h]);
    }
    if (places->bucket) {
        memset(places->bucket, 0xff, HOST_PLACES_BUCKETS * sizeof *places->bucket);
        places->hosts = 0;
    }
}

/* ---- all hosts ---- */

static int32_t *host_places_bucket(const struct host_places *places, const char *name)
{
    uint64_t hash = reseat_hash_add(reseat_hash_empty, name, strcspn(name, "."));
    return &places->bucket[reseat_hash_word(hash) >> 50];
}

/* -1: it has not been put. */
static int32_t host_places_find_put(const struct host_places *places, const char *name)
{
    int32_t host = *host_places_bucket(places, name);
    while (host >= 0 && !network_same_host(places->host[host], name))
        host = places->next[host];
    return host;
}

/* A new host, at no place. Its number; -1 with the error. */
static int32_t host_places_add(struct host_places *places, const char *name)
{
    size_t count = (size_t)places->hosts;
    struct host_place *place = array_grow(places->place, count, sizeof *place);
    places->place = place ? place : places->place;
    int32_t *next = place ? array_grow(places->next, count, sizeof *next) : NULL;
    places->next = next ? next : places->next;
    char **all = next ? array_grow(places->all, count, sizeof *all) : NULL;
    places->all = all ? all : places->all;
    char *copy = all ? strdup(name) : NULL;
    if (!copy)
        return reseat_fail(places->error, "%s: out of memory", places->path);
    int32_t *bucket = host_places_bucket(places, name);
    all[count] = copy;
    next[count] = *bucket;
    place[count] = (struct host_place){.line = 0};
    *bucket = places->hosts++;
    places->host = (const char *const *)all;
    return *bucket;
}

static int host_places_same(const struct network_path *a, const struct network_path *b)
{
    return a->length == b->length && memcmp(a->at, b->at, (size_t)a->length * sizeof *a->at) == 0;
}

/* One host is at this place. */
static void host_places_set(struct host_places *places, int32_t host, const char *name,
                            const struct network_path *at, size_t line)
{
    struct host_place *place = &places->place[host];
    int is_exact = strcmp(places->host[host], name) == 0;
    if (place->line == 0 || is_exact > place->is_exact)
        *place = (struct host_place){*at, line, 0, is_exact};
    else if (is_exact == place->is_exact && !host_places_same(&place->at, at))
        place->conflict = line;
}

/* ---- those of a job ---- */

struct host_places_sought {
    const struct host_places *places;
    const char *name;
};

static int host_places_is_before(const void *sought, size_t at)
{
    const struct host_places_sought *s = sought;
    return host_name_compare_short(s->places->host[s->places->sorted[at]], s->name) < 0;
}

/* Index, in the sorted hosts, of the first that is not before this name. */
static int32_t host_places_lower(const struct host_places *places, const char *name)
{
    return (int32_t)search_first((size_t)places->hosts, host_places_is_before,
                                 &(struct host_places_sought){places, name});
}

/* The next host from *at on that goes by this name; -1: none. */
static int32_t host_places_next(const struct host_places *places, const char *name, int32_t *at)
{
    while (*at < places->hosts) {
        int32_t host = places->sorted[(*at)++];
        if (host_name_compare_short(places->host[host], name) != 0)
            return -1;
        if (network_same_host(places->host[host], name))
            return host;
    }
    return -1;
}

int host_places_lacks(const struct host_places *places, const char *name)
{
    if (places->bucket) {
        int32_t host = host_places_find_put(places, name);
        return host < 0 || places->place[host].line == 0;
    }
    int32_t at = host_places_lower(places, name), host = host_places_next(places, name, &at);
    return host >= 0 && places->place[host].line == 0;
}

int host_places_is_full(const struct host_places *places)
{
    return places->names > HOSTLIST_MOST_NAMES;
}

int host_places_put(struct host_places *places, const char *name, const struct network_path *at,
                    size_t line)
{
    if (places->names <= HOSTLIST_MOST_NAMES)
        places->names++;
    if (host_places_is_full(places)) {
        reseat_fail(places->error, "%s:%zu: more than %d names in the file", places->path, line,
                    HOSTLIST_MOST_NAMES);
        return HOST_PLACES_FULL;
    }
    if (places->bucket) {
        int32_t one = host_places_find_put(places, name);
        one = one < 0 ? host_places_add(places, name) : one;
        if (one >= 0)
            host_places_set(places, one, name, at, line);
        return one < 0 ? HOST_PLACES_FULL : 0;
    }
    int32_t next = host_places_lower(places, name), host;
    while ((host = host_places_next(places, name, &next)) >= 0)
        host_places_set(places, host, name, at, line);
    return 0;
}

int host_places_check(const struct host_places *places, struct reseat_error *error)
{
    if (places->bucket && places->hosts == 0)
        return reseat_fail(error, "%s: names no host", places->path);
    for (int32_t h = 0; h < places->hosts; h++) {
        const struct host_place *place = &places->place[h];
        if (place->line == 0)
            return reseat_fail(error, "%s: host '%.100s' is not in it", places->path,
                               places->host[h]);
        if (place->conflict)
            return reseat_fail(error,
                               "%s:%zu: host '%.100s' is at another place here than in line %zu",
                               places->path, place->conflict, places->host[h], place->line);
    }
    return 0;
}

int host_places_network(struct host_places *places, const struct tmap_shape *const *shapes,
                        struct reseat_network *network, struct reseat_error *error)
{
    struct network_path *paths;
    if (host_places_check(places, error))
        return -1;
    paths = malloc(((size_t)places->hosts + 1) * sizeof *paths);
    int rc = paths ? 0 : reseat_fail(error, "%s: out of memory", places->path);
    for (int32_t h = 0; rc == 0 && h < places->hosts; h++)
        paths[h] = places->place[h].at;
    if (rc == 0)
        rc = reseat_network_create(network, paths, places->hosts, shapes, error);
    if (rc == 0 && places->bucket) {
        network->host = places->all;
        places->all = NULL;
        places->host = NULL;
        places->hosts = 0;
    }
    free(paths);
    return rc;
}
