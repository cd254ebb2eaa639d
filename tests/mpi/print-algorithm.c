/* SPDX-License-Identifier: BSD-3-Clause */
/* print-algorithm NAME RANKS BYTES - what algorithms.c says that all ranks send: `source target
 * msgs bytes`, a line for each pair. BYTES: all of it, or a block where each rank has one. Root 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profiler/algorithms.h"
#include "profiler/record.h"

static uint64_t *msgs, *bytes_to;

void record_traffic(struct communicator *communicator, int rank, enum reseat_traffic kind,
                    uint64_t count, uint64_t bytes)
{
    (void)communicator;
    (void)kind;
    msgs[rank] += count;
    bytes_to[rank] += bytes;
}

static int run(const char *name, struct communicator *c, uint64_t bytes)
{
    uint64_t *start = malloc(sizeof *start * ((size_t)c->size + 1));
    for (int i = 0; start && i <= c->size; i++)
        start[i] = (uint64_t)i * bytes;
    if (!start)
        return -1;
    int known = 1;
    if (strcmp(name, "dissemination") == 0)
        send_dissemination(c);
    else if (strcmp(name, "down") == 0)
        send_down_binomial(c, 0, bytes, 1);
    else if (strcmp(name, "up") == 0)
        send_up_binomial(c, 0, bytes, 1);
    else if (strcmp(name, "tree") == 0)
        send_up_binomial(c, 0, bytes, 0);
    else if (strcmp(name, "scatter-ring") == 0)
        send_scatter_ring(c, 0, bytes);
    else if (strcmp(name, "scatter-doubling") == 0)
        send_scatter_doubling(c, 0, bytes);
    else if (strcmp(name, "doubling") == 0)
        send_doubling(c, bytes);
    else if (strcmp(name, "rabenseifner") == 0)
        send_rabenseifner(c, bytes, 1);
    else if (strcmp(name, "rabenseifner-to") == 0)
        send_rabenseifner_to(c, 0, bytes, 1);
    else if (strcmp(name, "halving") == 0)
        send_halving(c, start);
    else if (strcmp(name, "pairwise") == 0)
        send_pairwise(c, start);
    else if (strcmp(name, "gather-doubling") == 0)
        send_gather_doubling(c, start);
    else if (strcmp(name, "gather-bruck") == 0)
        send_gather_bruck(c, start);
    else if (strcmp(name, "gather-ring") == 0)
        send_gather_ring(c, start, UINT64_MAX);
    else if (strcmp(name, "bruck") == 0)
        send_bruck(c, bytes);
    else if (strcmp(name, "scan-doubling") == 0)
        send_scan_doubling(c, bytes);
    else
        known = 0;
    free(start);
    return known ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct communicator c = {0};
    if (argc != 4)
        return 2;
    c.size = atoi(argv[2]);
    msgs = calloc((size_t)c.size, sizeof *msgs);
    bytes_to = calloc((size_t)c.size, sizeof *bytes_to);
    for (c.rank = 0; msgs && bytes_to && c.rank < c.size; c.rank++) {
        memset(msgs, 0, sizeof *msgs * (size_t)c.size);
        memset(bytes_to, 0, sizeof *bytes_to * (size_t)c.size);
        if (run(argv[1], &c, (uint64_t)atoll(argv[3])))
            return 2;
        for (int j = 0; j < c.size; j++)
            if (msgs[j])
                printf("%d %d %llu %llu\n", c.rank, j, (unsigned long long)msgs[j],
                       (unsigned long long)bytes_to[j]);
    }
    free(msgs);
    free(bytes_to);
    return 0;
}
