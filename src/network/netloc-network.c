/* SPDX-License-Identifier: BSD-3-Clause */
/* netloc-network.c - the network of Netloc's lines for the hosts of a job, see netloc.h. */
#include <stdlib.h>

#include "network/host-places.h"
#include "network/netloc-lines.h"
#include "network/netloc.h"

static int netloc_put_hosts(const struct netloc_text *t, struct host_places *places)
{
    for (size_t h = 0; h < t->hosts; h++) {
        struct network_path path = {.length = t->levels};
        for (int l = 0; l < t->levels; l++)
            path.at[l] = t->above[h * (size_t)t->levels + (size_t)l];
        if (host_places_put(places, t->host[h].name, &path, t->host[h].line))
            return -1;
    }
    return 0;
}

/* The shapes of the levels above the hosts, and their links, which are allocated. */
struct netloc_shapes {
    struct tmap_shape shape[TMAP_SWITCH_LEVELS];
    const struct tmap_shape *shapes[TMAP_SWITCH_LEVELS]; /* NULL: the level has none */
    struct tmap_link *link[TMAP_SWITCH_LEVELS];
};

/* 0, or -1 with *error. */
static int netloc_find_shapes(struct netloc_shapes *s, const struct netloc_text *t,
                              struct reseat_error *error)
{
    int level = 0;
    if (t->levels > TMAP_SWITCH_LEVELS)
        return reseat_fail(error, "%s: %d levels above the hosts; %d can be", t->path, t->levels,
                           TMAP_SWITCH_LEVELS);
    for (int i = 0; i < t->depth; level += netloc_levels(&t->form[i++]))
        if (t->form[i].kind != TMAP_SHAPE_NONE) {
            if (netloc_shape(&s->shape[level], &s->link[level], &t->form[i]))
                return reseat_fail(error, "%s: out of memory", t->path);
            s->shapes[level] = &s->shape[level];
        }
    return 0;
}

static int netloc_make_network(const struct netloc_text *t, struct host_places *places,
                               struct reseat_network *network, struct reseat_error *error)
{
    struct netloc_shapes s = {.link = {NULL}};
    int rc = netloc_find_shapes(&s, t, error) || netloc_put_hosts(t, places) ||
                     host_places_network(places, s.shapes, network, error)
                 ? -1
                 : 0;
    for (int level = 0; level < TMAP_SWITCH_LEVELS; level++)
        free(s.link[level]);
    return rc;
}

int reseat_netloc_network_of_file(const char *path, const char *const *hosts, int32_t nodes,
                                  struct reseat_network *network, struct reseat_error *error)
{
    struct netloc_text text = {.path = path};
    struct host_places places;
    int rc = host_places_open(&places, path, hosts, nodes, error) ||
                     netloc_text_read(&text, path, error) ||
                     netloc_make_network(&text, &places, network, error)
                 ? -1
                 : 0;
    netloc_text_free(&text);
    host_places_close(&places);
    return rc;
}
