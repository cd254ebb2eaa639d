/* SPDX-License-Identifier: BSD-3-Clause */
/* report-nodes.h - the bytes between nodes, in launch order and in the better one. */
#ifndef RESEAT_REPORT_NODES_H
#define RESEAT_REPORT_NODES_H

#include "cmd/report/report-numbers.h"

/* Of so many pairs of nodes the traffic is kept, the heaviest. */
enum { REPORT_MOST_LINKS = 4096 };

struct report_link {
    int32_t a, b; /* nodes, a < b */
    uint64_t bytes[2];
};

struct report_nodes {
    int level;                /* of the tree: its objects are the nodes; 0: no level is */
    int32_t nodes;            /* 0: not known */
    const char **name;        /* by node; NULL: they have no names. The texts are the profile's */
    uint64_t *bytes[2];       /* by node: to and from all others */
    struct report_link *link; /* the heaviest first */
    size_t links, left_out;
};

/* 0, or -1 with *error. Close it in any case; it begins with all zeros. */
int report_nodes_find(struct report_nodes *nodes, const struct report *report,
                      struct reseat_error *error);
void report_nodes_close(struct report_nodes *nodes);

/* A name for people: the host, or "node 3"; returns `text` or one that stays valid. */
const char *report_node_name(const struct report_nodes *nodes, int32_t node, char text[32]);

/* Visit each pair a < b that either of two matrices has, in ascending order, with its weight in
 * both (0: that one has not got it). */
typedef void report_pair_fn(void *context, int32_t a, int32_t b, const uint64_t weight[2]);
void report_visit_pairs(const struct tmap_matrix *const matrix[2], report_pair_fn *visit,
                        void *context);

#endif
