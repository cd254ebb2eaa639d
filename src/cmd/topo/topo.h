/* SPDX-License-Identifier: BSD-3-Clause */
/* topo.h - `reseat topo`: what is requested (topo.c), and the machine (topo-machine.c), also of
 * `compare`. */
#ifndef RESEAT_TOPO_H
#define RESEAT_TOPO_H

#include "draw/view.h"
#include "network/machine.h"
#include "profile/profile.h"

struct topo_request {
    const char *tree, *topology, *costs, *to, *output, *svg, *png, *json, *profile, *mapping, *mpi;
    const char *timings, *network; /* of --to simgrid */
    int phase;                     /* -1: all */
    enum reseat_metric metric;
    char **command; /* the words of a job, of which the machine is meant; NULL: none */
};

/* The machine; the view refers to the rest. */
struct topo_machine {
    struct draw_view view;
    struct tmap_tree *tree;
    struct reseat_machine *netloc; /* NULL: the description is no Netloc's */
    char **host;                   /* by object of view.host_level; NULL: netloc's, or no names */
    int32_t hosts;
    int32_t *rank_of; /* by slot; NULL: no job */
    int32_t ranks;
    struct reseat_profile *traffic; /* NULL: none */
    struct tmap_matrix *matrix;
    int32_t *slot_of;
    struct draw_device *device;     /* of a machine by itself */
    struct reseat_timings *timings; /* NULL: none */
};

/* Fill all of it, and open the view. 0, or -1 or CLI_REFUSED with *error. Free it in any case. */
int topo_find_machine(const struct topo_request *r, struct topo_machine *m,
                      struct reseat_error *error);
void topo_free_machine(struct topo_machine *m);

#endif
