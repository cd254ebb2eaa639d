/* SPDX-License-Identifier: BSD-3-Clause */
/* decide.h - the best order for a group of processes, by the model; no MPI. */
#ifndef RESEAT_DECIDE_H
#define RESEAT_DECIDE_H

#include "predict/loads.h"

struct decide_input {
    int32_t processes; /* process p plays role p now */
    const struct reseat_location *locations;
    const struct reseat_network *network; /* above the nodes, which are its rows; NULL: none */
    const struct time_costs *costs;       /* of levels; NULL: the default */
    const struct tmap_entry *entries;     /* traffic between roles */
    size_t entries_count;
    int by_pair;                          /* they have no direction: the metric avg */
    const struct reseat_timings *timings; /* by which orders are compared; NULL: by the cost */
    struct reseat_entry *traffic;         /* with them: what is sent (reseat_profile_phases) */
    size_t traffic_count;
    enum reseat_metric metric; /* with them: of the entries */
    enum reseat_objective objective;
    enum reseat_keep_local keep_local;
    const char *method; /* of libtmap, which alone is to be used; NULL: the best of several */
    int keep_first;     /* role 0 must stay with process 0 */
    int with_loads; /* the decision tells the loads of links, which takes time in large networks */
};

struct decision {
    double before;      /* predicted cost of the launch order */
    double after;       /* and of the order found; never more than before, unless there are timings,
                           or 1.02 x that with the objective congestion */
    double busiest[2];  /* the load of the busiest link in both; zeros if that is no objective */
    const char *method; /* the method that found it; "launch order" if nothing is better */
    struct local_ranks_summary local;
    int candidates;
    struct prediction_candidate candidate[PREDICTION_CANDIDATES];
    int levels; /* of the tree, from the root */
    struct {
        char name[TMAP_NAME_SIZE]; /* before, after: the cost of pairs in two objects of it */
        double before, after;
        int has_loads; /* the level has a network, and its loads were asked for */
        struct loads loads;
    } level[TMAP_MAX_LEVELS];
};

/*
 * role_of[p] = the role that process p should play: a permutation, the best that prediction_find
 * finds. Role 0 stays with process 0 if that costs nothing, or if keep_first. 0, or -1 with *error
 * filled.
 */
int decide(const struct decide_input *input, int32_t *role_of, struct decision *decision,
           struct reseat_error *error);

/* The decision for a given order, without candidates: process p plays role_of[p]. 0, or -1 with
 * *error filled. */
int decide_compare(const struct decide_input *input, const int32_t *role_of,
                   struct decision *decision, struct reseat_error *error);

#endif
