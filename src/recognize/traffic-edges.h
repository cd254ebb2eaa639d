/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic-edges.h - the traffic in which patterns are sought, and the best one offered so far. */
#ifndef RESEAT_TRAFFIC_EDGES_H
#define RESEAT_TRAFFIC_EDGES_H

#include "recognize/recognize.h"

/* Nearly all of what a pattern has. */
static const double RECOGNIZE_NEARLY_ALL = 0.9;
/* The least share of the traffic that is worth a word. */
static const double RECOGNIZE_LEAST_SHARE = 0.05;
/* A pattern carries so many times what as many pairs would by chance, of what others leave. */
static const double RECOGNIZE_LEAST_LIFT = 2.25;
/* Except for a pattern that holds all but noise: of a few ranks any has a good part of the
 * pairs. */
static const double RECOGNIZE_ALL = 0.95;

struct traffic_edge {
    int32_t a, b; /* a < b */
    int explained;
    uint64_t weight;
};

struct traffic {
    int32_t ranks;
    size_t count;
    struct traffic_edge *edge;
    double total, unexplained;
    double *weight_at; /* by distance of the ranks' numbers: of what is not explained yet */
    int32_t *count_at; /* of all pairs */
    size_t tries_left; /* how many patterns the present search may still look at */
    struct recognized_part best; /* of those offered */
    double best_score;           /* 0: none */
};

/* A search looks at patterns until so many pairs have been read, but at least at so many
 * patterns. */
enum { RECOGNIZE_MOST_PAIRS = 1 << 25, RECOGNIZE_LEAST_TRIES = 16 };

static inline void traffic_begin(struct traffic *traffic)
{
    size_t tries = RECOGNIZE_MOST_PAIRS / (traffic->count + 1);
    traffic->tries_left = tries > RECOGNIZE_LEAST_TRIES ? tries : RECOGNIZE_LEAST_TRIES;
}

/* Returns 1 if the search may look at one more pattern. */
static inline int traffic_may_try(struct traffic *traffic)
{
    if (traffic->tries_left == 0)
        return 0;
    traffic->tries_left--;
    return 1;
}

/* Keep a part if it is better than the best: it holds more of what is not explained yet, with fewer
 * pairs. */
void traffic_offer(struct traffic *traffic, const struct recognized_part *part);

#endif
