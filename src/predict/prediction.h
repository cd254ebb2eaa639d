/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prediction.h - what another order of a job's processes would gain by the cost model. The library
 * reorders by it, and the commands say by it what the library would do. No MPI.
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

#include "predict/local-ranks.h"
#include "profile/profile.h"
#include "profile/settings.h"
#include "time-model/time-weights.h"

/* The methods that are candidates; all that can be named; candidates with those that are found
 * without timings. */
enum { PREDICTION_TRIED = 4, PREDICTION_METHODS, PREDICTION_CANDIDATES };

/* Names are static strings, except that of a method which the caller named. */
struct prediction_candidate {
    const char *name;
    double cost;
};

/* Filled in from top to bottom. The prediction owns everything it points to, but not strings. */
struct prediction {
    struct tmap_matrix *matrix; /* traffic between roles */
    struct tmap_tree *tree;
    int32_t *launch;    /* slot of each role as launched; NULL: they cannot be launched there */
    int32_t *best;      /* slot of each role in the order found */
    const char *method; /* the method that found it; "launch order" if nothing is better */
    /* Of the trees that are made from locations; NULL: the default costs. The caller's. */
    const struct time_costs *costs;
    enum reseat_keep_local keep_local; /* of the nodes of locations; the caller's */
    struct local_ranks local;          /* what it has found; empty: all nodes are free */
    /* The model of time, by which candidates are compared; NULL: by cost. The caller's:
     * time-prediction.h */
    const struct time_pricing *pricing;
    int is_priced; /* the tree has the costs of timings, and had these: */
    double untimed[TMAP_MAX_LEVELS];
    struct tmap_cost before, after; /* of launch (0 if NULL) and of best */
    enum reseat_objective objective;
    double busiest[2]; /* load of the busiest link in these two; zeros if that is no objective */
    int by_pair;       /* entries that are set have no direction: they are of the metric avg */
    int candidates;
    struct prediction_candidate candidate[PREDICTION_CANDIDATES];
};

/* Role 0 may have to stay: it has standard input, and users watch its process. */
enum prediction_role0 {
    ROLE0_MOVES,
    ROLE0_STAYS_IF_FREE, /* where that costs nothing */
    ROLE0_STAYS          /* as when MPI_COMM_WORLD is reordered */
};

/* Finds a mapping by one method, as tmap_mapping_find does. */
typedef enum tmap_status prediction_map_fn(const struct tmap_matrix *matrix,
                                           const struct tmap_tree *tree,
                                           const struct tmap_options *options, int32_t *slot_of,
                                           struct tmap_error *error);

struct prediction_request {
    enum prediction_role0 role0;
    enum reseat_objective objective;
    const struct tmap_options *options; /* NULL: defaults; a method named here is tried alone */
    const char *method;                 /* in the place of that of the options; NULL: that */
    prediction_map_fn *map;             /* NULL: tmap_mapping_find */
    const int32_t *mapping; /* what the method that is named has found; NULL: map finds it */
    int by_metric;          /* the only candidates are those by the metric, none without timings */
    int threads;            /* at most, with the caller's; what is found does not depend on it */
};

/* The method that the settings name; NULL: none. */
static inline const char *prediction_method_of(const struct reseat_settings *settings)
{
    return settings->method[0] ? settings->method : NULL;
}

/* The request of the library when it reorders by these settings. */
static inline struct prediction_request prediction_of_run(const struct reseat_settings *settings)
{
    return (struct prediction_request){
        .role0 = settings->scope == RESEAT_SCOPE_GRAPH ? ROLE0_STAYS_IF_FREE : ROLE0_STAYS,
        .objective = settings->objective,
        .method = prediction_method_of(settings)};
}

/* The matrix of a profile's whole traffic by a metric. 0, or -1 with *error. */
int prediction_load_matrix(struct tmap_matrix **matrix, const struct reseat_profile *profile,
                           enum reseat_metric metric, struct reseat_error *error);

/* The names of methods by number: the candidates, of which 0 is the launch order, and the exchanges
 * that changed it for the links. */
const char *prediction_method_name(int number);
/* Its number; 0 also for any other method. */
int prediction_method_number(const char *name);

/* Room for a slot of each role, allocated; NULL: out of memory. */
int32_t *prediction_new_slots(const struct prediction *p);

/* Say that exchanges found the order, if they have begun with the launch order. */
void prediction_name_exchanges(struct prediction *p);

/* Set the traffic, or replace it by other traffic of as many roles: launch and best have one entry
 * for each. 0, or -1 with *error. */
int prediction_set_profile(struct prediction *p, const struct reseat_profile *profile,
                           enum reseat_metric metric, struct reseat_error *error);
int prediction_set_entries(struct prediction *p, int32_t roles, const struct tmap_entry *entries,
                           size_t count, struct reseat_error *error);

/* Set or replace the tree and the launch order by the locations of the processes, one for each
 * role; `network` may be NULL. By p->keep_local, nodes then keep their local ranks. 0, or -1 with
 * *error. */
int prediction_set_locations(struct prediction *p, const struct reseat_location *locations,
                             const struct reseat_network *network, struct reseat_error *error);

/* The same by an existing tree and launch order (or NULL). Takes ownership of both. */
void prediction_set_tree(struct prediction *p, struct tmap_tree *tree, int32_t *launch);

/* The nodes of a tree with a launch order keep their local ranks by p->keep_local, if rank r is at
 * locations[r]. 0, or -1 with *error. */
int prediction_keep_local(struct prediction *p, const struct reseat_location *locations,
                          struct reseat_error *error);

/* Give the tree the costs of p->costs, and keep those that it had. 0, or -1 with *error. */
int prediction_price(struct prediction *p, struct reseat_error *error);

/* Launch rank r on slot r, and drop the slots without a rank, which no order of the ranks can use.
 * 0, or -1 with *error, for instance because there are too few slots. */
int prediction_launch_in_order(struct prediction *p, struct reseat_error *error);

/*
 * Fill best, method, both costs and the candidates: the launch order, the default method of
 * libtmap, packed and round robin; the cheapest wins, or the launch order on a tie. A method that
 * is named is the only candidate. With the objective congestion the winner is then
 * improved, at 1.02 x its cost at most.
 *
 * Every order that is compared, and the one found, has the roles of a node that keeps its local
 * ranks in ascending order on its processes.
 *
 * With a model of time the fastest wins, and the orders found without timings are candidates, too:
 * by bytes and by messages if the metric is time. So the order found is, by the model, never slower
 * than one that is found without it. With the objective time the winner is then improved
 * (time-search.h). 0, or -1 with *error.
 */
int prediction_find(struct prediction *p, const struct prediction_request *request,
                    struct reseat_error *error);

/* Fill best, both costs and, by p->objective, busiest for a given order, process_of[role]. 0, or -1
 * with *error. */
int prediction_judge(struct prediction *p, const int32_t *process_of, struct reseat_error *error);

/* Fill busiest of launch and best, by p->objective. 0, or -1 with *error. */
int prediction_find_busiest(struct prediction *p, struct reseat_error *error);

/* Returns 1 if the order found is one of processes: as many slots as roles, each with one of
 * them. */
int prediction_is_order(const struct prediction *p);

/* The order found, if it is one: process_of[role] is the process that was launched on the role's
 * slot in `best`. 0, or -1 with *error. */
int prediction_order(const struct prediction *p, int32_t *process_of, struct reseat_error *error);

/* The costs of other traffic between the same roles, in both orders. 0, or -1 with *error. */
int prediction_compare(const struct prediction *p, const struct tmap_matrix *matrix,
                       struct tmap_cost *before, struct tmap_cost *after,
                       struct reseat_error *error);

/* The gain by the objective (profile/gain.h). */
double prediction_gain(const struct prediction *p);

/* Figures of a model for the messages, without another order and with it; all 0: none. */
struct predicted {
    double seconds[2];
    double between_nodes[2]; /* bytes */
    char unknown[512];       /* why not, where there are timings that lack something; "" */
};

/* Free its contents; it is empty afterwards. */
void prediction_close(struct prediction *p);

#endif
