/* SPDX-License-Identifier: BSD-3-Clause */
/* seconds-processors.c - see seconds-processors.h. */
#include "predict/seconds-processors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int seconds_processors_open(struct seconds_processors *p, int32_t roles)
{
    size_t n = (size_t)roles + 1;
    *p = (struct seconds_processors){.roles = roles};
    p->ranks = malloc(n * sizeof *p->ranks);
    p->node = malloc(n * sizeof *p->node);
    p->wait_node = malloc(n * sizeof *p->wait_node);
    p->wait_all = malloc(n * sizeof *p->wait_all);
    return p->ranks && p->node && p->wait_node && p->wait_all ? 0 : -1;
}

void seconds_processors_close(struct seconds_processors *p)
{
    free(p->ranks);
    free(p->node);
    free(p->wait_node);
    free(p->wait_all);
}

void seconds_processors_clear(struct seconds_processors *p, const int32_t *node_of, int32_t nodes)
{
    p->node_of = node_of;
    p->nodes = nodes;
    p->all = (struct seconds_turns){0, 0};
    p->network = 0;
    memset(p->ranks, 0, (size_t)nodes * sizeof *p->ranks);
    memset(p->node, 0, (size_t)nodes * sizeof *p->node);
    for (int32_t role = 0; role < p->roles; role++) {
        p->ranks[node_of[role]]++;
        p->wait_node[role] = p->wait_all[role] = 0;
    }
}

/* What was measured with some ranks is not known to be slower with more. */
static double seconds_share(double measured, int32_t ranks)
{
    return 1 / fmax(measured, ranks);
}

static void seconds_processors_of_node(struct seconds_processors *p, int32_t role, double bytes,
                                       const struct timings_effort *effort, double count,
                                       int is_inside)
{
    int32_t node = p->node_of[role];
    /* between nodes, half of the ranks that exchanged were on this one */
    double share = seconds_share(is_inside ? effort->ranks : effort->ranks / 2.0, p->ranks[node]);
    double work = count * effort->message + (is_inside ? bytes * effort->byte : 0);
    p->node[node].work += work * share / 2;
    p->wait_node[role] = fmax(p->wait_node[role], count * effort->wait * share);
}

void seconds_processors_add(struct seconds_processors *p, const struct reseat_entry *entry,
                            const struct timings_effort effort[TIMINGS_SCOPES], double count)
{
    const struct timings_effort *node = &effort[TIMINGS_NODE], *all = &effort[TIMINGS_ALL];
    const int32_t ends[] = {entry->source, entry->target};
    int is_inside = p->node_of[entry->source] == p->node_of[entry->target];
    double bytes = (double)entry->bytes;
    for (int i = 0; i < 2 && node->ranks; i++)
        seconds_processors_of_node(p, ends[i], bytes, node, count, is_inside);
    if (!all->ranks)
        return;
    double share = seconds_share(all->ranks, p->roles);
    p->all.work += (count * all->message + (is_inside ? bytes * all->byte : 0)) * share;
    p->network += is_inside ? 0 : bytes * all->byte * share;
    for (int i = 0; i < 2; i++)
        p->wait_all[ends[i]] = fmax(p->wait_all[ends[i]], count * all->wait * share);
}

void seconds_processors_end(struct seconds_processors *p)
{
    for (int32_t role = 0; role < p->roles; role++) {
        p->node[p->node_of[role]].wait += p->wait_node[role];
        p->all.wait += p->wait_all[role];
    }
}
