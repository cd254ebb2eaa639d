/* SPDX-License-Identifier: BSD-3-Clause */
/* report-nodes.c - see report-nodes.h. */
#include "cmd/report/report-nodes.h"

#include <stdlib.h>
#include <string.h>

#include "treematch/model/objects.h"

/* The names of the hosts on which the ranks ran, if each is one node. 0, or -1: out of memory. */
static int nodes_name(struct report_nodes *nodes, const struct report *report)
{
    const struct prediction *p = &report->by_metric;
    int is_one = 1;
    if (!report->has_seats)
        return 0;
    nodes->name = calloc((size_t)nodes->nodes + 1, sizeof *nodes->name);
    if (!nodes->name)
        return -1;
    for (int32_t r = 0; r < report->profile->ranks; r++) {
        const char *host = report->seats_of->seats[r].host;
        const char **name = &nodes->name[tmap_tree_ancestor(p->tree, p->launch[r], nodes->level)];
        is_one &= !*name || strcmp(*name, host) == 0;
        *name = host;
    }
    if (is_one)
        return 0;
    free(nodes->name);
    nodes->name = NULL;
    return 0;
}

/* The traffic between nodes in an order. NULL: out of memory. */
static struct tmap_matrix *nodes_matrix(const struct report_nodes *nodes,
                                        const struct report *report, const int32_t *slot_of)
{
    const int32_t ranks = report->profile->ranks;
    int32_t *node_of = malloc(((size_t)ranks + 1) * sizeof *node_of);
    struct tmap_matrix *matrix = NULL;
    for (int32_t r = 0; node_of && r < ranks; r++)
        node_of[r] = tmap_tree_ancestor(report->by_metric.tree, slot_of[r], nodes->level);
    if (node_of)
        matrix = tmap_matrix_aggregate(report->sent, node_of, nodes->nodes);
    free(node_of);
    return matrix;
}

static int nodes_by_weight(const void *a, const void *b)
{
    const struct report_link *x = a, *y = b;
    uint64_t p = x->bytes[0] > x->bytes[1] ? x->bytes[0] : x->bytes[1];
    uint64_t q = y->bytes[0] > y->bytes[1] ? y->bytes[0] : y->bytes[1];
    if (p != q)
        return p > q ? -1 : 1;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

/* The next partner of a role that comes after it; the number of roles: there is none. */
static int32_t pairs_next(const struct tmap_matrix *matrix, int32_t role, size_t *at,
                          uint64_t *weight)
{
    int32_t partner;
    while (tmap_matrix_next(matrix, role, at, &partner, weight))
        if (partner > role)
            return partner;
    return tmap_matrix_roles(matrix);
}

void report_visit_pairs(const struct tmap_matrix *const matrix[2], report_pair_fn *visit,
                        void *context)
{
    const int32_t roles = tmap_matrix_roles(matrix[0]);
    for (int32_t a = 0; a < roles; a++) {
        size_t at[2] = {0, 0};
        uint64_t found[2];
        int32_t partner[2];
        for (int i = 0; i < 2; i++)
            partner[i] = pairs_next(matrix[i], a, &at[i], &found[i]);
        while (partner[0] < roles || partner[1] < roles) {
            const int32_t b = partner[0] < partner[1] ? partner[0] : partner[1];
            uint64_t weight[2] = {0, 0};
            for (int i = 0; i < 2; i++)
                if (partner[i] == b) {
                    weight[i] = found[i];
                    partner[i] = pairs_next(matrix[i], a, &at[i], &found[i]);
                }
            visit(context, a, b, weight);
        }
    }
}

static void nodes_add_link(void *context, int32_t a, int32_t b, const uint64_t bytes[2])
{
    struct report_nodes *nodes = context;
    nodes->link[nodes->links++] = (struct report_link){a, b, {bytes[0], bytes[1]}};
    for (int i = 0; i < 2; i++) {
        nodes->bytes[i][a] += bytes[i];
        nodes->bytes[i][b] += bytes[i];
    }
}

/* Put the pairs of both matrices together. */
static void nodes_merge(struct report_nodes *nodes, struct tmap_matrix *const matrix[2])
{
    report_visit_pairs((const struct tmap_matrix *const[2]){matrix[0], matrix[1]}, nodes_add_link,
                       nodes);
    qsort(nodes->link, nodes->links, sizeof *nodes->link, nodes_by_weight);
    nodes->left_out = nodes->links > REPORT_MOST_LINKS ? nodes->links - REPORT_MOST_LINKS : 0;
    nodes->links -= nodes->left_out;
}

int report_nodes_find(struct report_nodes *nodes, const struct report *report,
                      struct reseat_error *error)
{
    const struct tmap_tree *tree = report->by_metric.tree;
    struct tmap_matrix *matrix[2] = {NULL, NULL};
    int level = tmap_layout_find_level(tree, "n"), rc = 0;
    if (level <= 0)
        return 0;
    nodes->level = level;
    nodes->nodes = tmap_tree_objects(tree, level);
    for (int i = 0; i < 2; i++) {
        nodes->bytes[i] = calloc((size_t)nodes->nodes + 1, sizeof *nodes->bytes[i]);
        matrix[i] = nodes_matrix(nodes, report, report_slot_of(report, i));
        rc |= !nodes->bytes[i] || !matrix[i];
    }
    if (rc == 0) {
        size_t most = tmap_matrix_pairs(matrix[0]) + tmap_matrix_pairs(matrix[1]);
        nodes->link = malloc((most + 1) * sizeof *nodes->link);
        rc = !nodes->link || nodes_name(nodes, report);
    }
    if (rc == 0)
        nodes_merge(nodes, matrix);
    tmap_matrix_destroy(matrix[0]);
    tmap_matrix_destroy(matrix[1]);
    return rc ? reseat_fail(error, "the nodes: out of memory") : 0;
}

void report_nodes_close(struct report_nodes *nodes)
{
    free(nodes->name);
    free(nodes->bytes[0]);
    free(nodes->bytes[1]);
    free(nodes->link);
}

const char *report_node_name(const struct report_nodes *nodes, int32_t node, char text[32])
{
    if (nodes->name && nodes->name[node])
        return nodes->name[node];
    snprintf(text, 32, "node %d", (int)node);
    return text;
}
