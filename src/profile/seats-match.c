/* SPDX-License-Identifier: BSD-3-Clause */
/* seats-match.c - see seats-match.h. */
#include "profile/seats-match.h"

#include <stdlib.h>
#include <string.h>

/* Returns 1 if a and b are as far from each other as c and d, as far as that is known. Trees as
 * text number the objects of all nodes, and hwloc those of one. */
static int seats_same_step(const struct tmap_place *a, const struct tmap_place *b,
                           const struct tmap_place *c, const struct tmap_place *d)
{
    int same = reseat_place_is_known(b) == reseat_place_is_known(d);
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++) {
        int known =
            a->at[level] >= 0 && b->at[level] >= 0 && c->at[level] >= 0 && d->at[level] >= 0;
        same &= !known || b->at[level] - a->at[level] == d->at[level] - c->at[level];
    }
    return same;
}

static int seats_by_host(const void *a, const void *b)
{
    const struct reseat_seat *const *x = a, *const *y = b;
    return strcmp((*x)->host, (*y)->host);
}

/* Each node is one host; then they are the same if no two nodes are. */
int reseat_seats_match(const struct reseat_location *locations, const struct reseat_seat *seats,
                       int32_t processes)
{
    const struct reseat_seat **first = calloc((size_t)processes + 1, sizeof *first);
    int same = first != NULL;
    int32_t nodes = 0;
    for (int32_t p = 0; same && p < processes; p++) {
        int32_t node = locations[p].node;
        same = node >= 0 && node < processes;
        if (same && !first[node])
            first[node] = &seats[p];
        if (same)
            same = strcmp(first[node]->host, seats[p].host) == 0 &&
                   seats_same_step(&locations[first[node] - seats].place, &locations[p].place,
                                   &first[node]->place, &seats[p].place);
    }
    for (int32_t node = 0; same && node < processes; node++)
        if (first[node])
            first[nodes++] = first[node];
    if (same)
        qsort(first, (size_t)nodes, sizeof *first, seats_by_host);
    for (int32_t node = 1; same && node < nodes; node++)
        same = strcmp(first[node - 1]->host, first[node]->host) != 0;
    free(first);
    return same;
}
