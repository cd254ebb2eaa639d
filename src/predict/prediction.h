/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prediction.h - what another order of a job's processes would gain, by the model: the same for the
 * library, which reorders by it, and for the commands, which say what it would do. No MPI.
 *
 *   struct prediction p = {0};
 *   if (prediction_set_profile(&p, profile, metric, &error) ||           // what is sent,
 *       prediction_set_locations(&p, locations, network, &error) ||      // where they run
 *       prediction_find(&p, &(struct prediction_request){.role0 = ROLE0_STAYS}, &error))
 *       ... error.text ...
 *   else
 *       ... prediction_gain(&p), p.method, p.best ...
 *   prediction_close(&p);
 */
#ifndef RESEAT_PREDICTION_H
#define RESEAT_PREDICTION_H

#include "format/location.h"
#include "format/profile.h"
#include "format/settings.h"

enum { PREDICTION_CANDIDATES = 4 };

/* Names of candidates stay valid, but for that of a method which the caller has named. */
struct prediction_candidate {
    const char *name;
    double cost;
};

/* Filled from the top to the bottom; all of it is the prediction's own. */
struct prediction {
    struct tmap_matrix *matrix; /* traffic between roles */
    struct tmap_tree *tree;
    int32_t *launch;    /* slot of each role as launched; NULL: they cannot be launched there */
    int32_t *best;      /* slot of each role in the order found */
    const char *method; /* who found that; "launch order": nothing is better */
    struct tmap_cost before, after; /* of launch (0: there is none) and best */
    int candidates;
    struct prediction_candidate candidate[PREDICTION_CANDIDATES];
};

/* What becomes of role 0, which has standard input and whose process people look at. */
enum prediction_role0 {
    ROLE0_MOVES,
    ROLE0_STAYS_IF_FREE, /* where that costs nothing */
    ROLE0_STAYS          /* as MPI_COMM_WORLD is reordered */
};

/* As the library keeps it when it reorders by these settings. */
static inline enum prediction_role0 prediction_role0_of_run(const struct reseat_settings *settings)
{
    return settings->scope == RESEAT_SCOPE_GRAPH ? ROLE0_STAYS_IF_FREE : ROLE0_STAYS;
}

/* Asks one method, as tmap_mapping_find does. */
typedef enum tmap_status prediction_map_fn(const struct tmap_matrix *matrix,
                                           const struct tmap_tree *tree,
                                           const struct tmap_options *options, int32_t *slot_of,
                                           struct tmap_error *error);

struct prediction_request {
    enum prediction_role0 role0;
    const struct tmap_options *options; /* NULL: the defaults; a method that is named is alone */
    prediction_map_fn *map;             /* NULL: tmap_mapping_find */
};

/* The matrix of a profile's whole traffic by a metric. 0, or -1 with *error. */
int prediction_load_matrix(struct tmap_matrix **matrix, const struct reseat_profile *profile,
                           enum reseat_metric metric, struct reseat_error *error);

/* The traffic, in the place of what was there. 0, or -1 with *error. */
int prediction_set_profile(struct prediction *p, const struct reseat_profile *profile,
                           enum reseat_metric metric, struct reseat_error *error);
int prediction_set_entries(struct prediction *p, int32_t roles, const struct tmap_entry *entries,
                           size_t count, struct reseat_error *error);

/* The tree and the launch order of processes, as many as there are roles, in the place of what was
 * there; `network` may be NULL. 0, or -1 with *error. */
int prediction_set_locations(struct prediction *p, const struct reseat_location *locations,
                             const struct reseat_network *network, struct reseat_error *error);

/* The same with a tree and a launch order (or NULL) that are there; both are the prediction's then. */
void prediction_set_tree(struct prediction *p, struct tmap_tree *tree, int32_t *launch);

/* Launch rank r on slot r, and forget the other slots: an order of the ranks hands out none that
 * nobody has. 0, or -1 with *error: there are too few slots. */
int prediction_launch_in_order(struct prediction *p, struct reseat_error *error);

/*
 * Fill best, method, both costs and the candidates: the launch order, the default method of
 * libtmap, packed and round robin; the cheapest wins, the launch order on a tie. A method that is
 * named in the options is the only candidate. 0, or -1 with *error.
 */
int prediction_find(struct prediction *p, const struct prediction_request *request,
                    struct reseat_error *error);

/* Fill best and both costs for an order that is there: process_of[role]. 0, or -1 with *error. */
int prediction_judge(struct prediction *p, const int32_t *process_of, struct reseat_error *error);

/* The order found, where there are as many slots as roles: process_of[role] was launched on the
 * slot that the role gets. 0, or -1 with *error. */
int prediction_order(const struct prediction *p, int32_t *process_of, struct reseat_error *error);

/* What other traffic between the same roles costs in both orders. 0, or -1 with *error. */
int prediction_compare(const struct prediction *p, const struct tmap_matrix *matrix,
                       struct tmap_cost *before, struct tmap_cost *after,
                       struct reseat_error *error);

/* By which fraction the predicted cost falls (format/gain.h). */
double prediction_gain(const struct prediction *p);

/* Free what is in it; it is empty afterwards. */
void prediction_close(struct prediction *p);

#endif
