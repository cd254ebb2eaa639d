/* SPDX-License-Identifier: BSD-3-Clause */
/* netloc-network.c - the network of Netloc's lines for the hosts of a job, see netloc.h. */
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

static int netloc_make_network(const struct netloc_text *t, struct host_places *places,
                               struct reseat_network *network, struct reseat_error *error)
{
    struct tmap_shape shape[TMAP_SWITCH_LEVELS];
    const struct tmap_shape *shapes[TMAP_SWITCH_LEVELS] = {NULL};
    int level = 0;
    if (t->levels > TMAP_SWITCH_LEVELS)
        return reseat_fail(error, "%s: %d levels above the hosts; %d can be", t->path, t->levels,
                           TMAP_SWITCH_LEVELS);
    for (int i = 0; i < t->depth; level += netloc_levels(&t->form[i++]))
        if (t->form[i].kind != TMAP_SHAPE_NONE) {
            shape[level] = netloc_shape(&t->form[i]);
            shapes[level] = &shape[level];
        }
    return netloc_put_hosts(t, places) || host_places_network(places, shapes, network, error) ? -1
                                                                                              : 0;
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
