/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host-places.h - where the hosts of a job are in the network of a file that may name many more. A
 * reader goes through the file once and puts each host that it meets; only those of the job are
 * kept, so that memory follows the job. Without a job (`hosts` NULL) all are kept, in the order of
 * the file.
 *
 *   struct host_places places;
 *   if (host_places_open(&places, path, hosts, count, error) == 0)
 *       ... host_places_put(&places, name, &at, line) ...
 *       rc = host_places_network(&places, shapes, network, error);
 *   host_places_close(&places);
 */
#ifndef RESEAT_HOST_PLACES_H
#define RESEAT_HOST_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "text/error.h"
#include "network/network.h"

struct host_place {
    struct network_path at;
    size_t line;     /* 0: not found yet */
    size_t conflict; /* another line with another place; 0: none */
    int is_exact;    /* the names are the same, not only up to a domain */
};

struct host_places {
    const char *path; /* of the file */
    const char *const *host;
    int32_t hosts;
    struct reseat_error *error;
    int names;                /* put so far */
    int32_t *sorted;          /* hosts by their name without domain */
    struct host_place *place; /* by host */
    /* Without a job: the hosts put so far, which `host` are as well, and a hash table of them. */
    char **all;
    int32_t *bucket, *next;
};

/* For the hosts of a job, whose names stay the caller's, as does `error`; or for all (`hosts`
 * NULL). 0, or -1 with *error; close it in any case. */
int host_places_open(struct host_places *places, const char *path, const char *const *hosts,
                     int32_t count, struct reseat_error *error);
void host_places_close(struct host_places *places);

/* Returns 1 if a host of the job goes by this name, with or without a domain (network_same_host),
 * and has not been put: so not for most hosts of a large machine. */
int host_places_lacks(const struct host_places *places, const char *name);

/* The host `name` of the file is at `at`. 0, or HOST_PLACES_FULL with the error: there are more
 * than HOSTLIST_MOST_NAMES, which could take any time, or no memory is left. (Not -1, which is
 * hostlist_expand's.) */
enum { HOST_PLACES_FULL = -2 };
int host_places_put(struct host_places *places, const char *name, const struct network_path *at,
                    size_t line);

/* Begin again with the next description of the file. */
void host_places_forget(struct host_places *places);

/* Returns 1 if there were too many names. */
int host_places_is_full(const struct host_places *places);

/* 0, or -1 with *error: a host has not been put, or is at two places; there is none at all. */
int host_places_check(const struct host_places *places, struct reseat_error *error);

/*
 * The network of all of them; `shapes` has an entry for each level of the paths, which then have
 * the same length (network.h); NULL: no level has one. Without a job the names move to the network.
 * 0, or -1 with *error, as above.
 */
int host_places_network(struct host_places *places, const struct tmap_shape *const *shapes,
                        struct reseat_network *network, struct reseat_error *error);

#endif
