/* SPDX-License-Identifier: BSD-3-Clause */
/* time-resources.c - see time-resources.h. */
#include "time-model/time-resources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int time_processors_open(struct time_processors *p, int32_t roles)
{
    size_t n = (size_t)roles + 1;
    *p = (struct time_processors){.roles = roles};
    p->ranks = malloc(n * sizeof *p->ranks);
    p->node = malloc(n * sizeof *p->node);
    p->wait_node = malloc(n * sizeof *p->wait_node);
    p->wait_all = malloc(n * sizeof *p->wait_all);
    return p->ranks && p->node && p->wait_node && p->wait_all ? 0 : -1;
}

void time_processors_close(struct time_processors *p)
{
    free(p->ranks);
    free(p->node);
    free(p->wait_node);
    free(p->wait_all);
}

void time_processors_clear(struct time_processors *p, const int32_t *node_of, int32_t nodes)
{
    p->node_of = node_of;
    p->nodes = nodes;
    p->all = (struct time_turns){0, 0};
    memset(p->ranks, 0, (size_t)nodes * sizeof *p->ranks);
    memset(p->node, 0, (size_t)nodes * sizeof *p->node);
    for (int32_t role = 0; role < p->roles; role++) {
        p->ranks[node_of[role]]++;
        p->wait_node[role] = p->wait_all[role] = 0;
    }
}

/* A share of the time that was measured with some ranks: with more ranks it is not known to be
 * slower. */
static double time_share(double measured, int32_t ranks)
{
    return 1 / fmax(measured, ranks);
}

/* The part of a node's ranks that one of them is, of an exchange as it was measured. */
static double time_share_of_node(const struct time_processors *p, int32_t node,
                                 const struct timings_effort *effort, int is_inside)
{
    /* between nodes, half of the ranks that exchanged were on this one */
    return time_share(is_inside ? effort->ranks : effort->ranks / 2.0, p->ranks[node]);
}

void time_processors_add(struct time_processors *p, const struct reseat_entry *entry,
                         const struct timings_effort effort[TIMINGS_SCOPES], double count,
                         double of_pair)
{
    const struct timings_effort *node = &effort[TIMINGS_NODE], *all = &effort[TIMINGS_ALL];
    const int32_t ends[] = {entry->source, entry->target};
    int is_inside = p->node_of[entry->source] == p->node_of[entry->target];
    double copied = is_inside ? (double)entry->bytes : 0;
    for (int i = 0; i < 2 && node->ranks; i++) {
        int32_t here = p->node_of[ends[i]];
        double share = time_share_of_node(p, here, node, is_inside);
        p->node[here].work += (count * node->message + copied * node->byte) * share / 2;
        p->wait_node[ends[i]] = fmax(p->wait_node[ends[i]], of_pair * node->wait * share);
    }
    if (!all->ranks)
        return;
    double share = time_share(all->ranks, p->roles);
    p->all.work += (count * all->message + copied * all->byte) * share;
    for (int i = 0; i < 2; i++)
        p->wait_all[ends[i]] = fmax(p->wait_all[ends[i]], of_pair * all->wait * share);
}

void time_processors_end(struct time_processors *p)
{
    for (int32_t role = 0; role < p->roles; role++) {
        p->node[p->node_of[role]].wait += p->wait_node[role];
        p->all.wait += p->wait_all[role];
    }
}
