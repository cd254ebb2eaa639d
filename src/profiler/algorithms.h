/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algorithms.h - what this process sends in the algorithms that MPIs use for collectives
 * (algorithms.c has the sources). Sizes are in bytes, ranks those of the communicator; `start`
 * where given: n + 1 entries, block i is start[i] .. start[i + 1].
 */
#ifndef RESEAT_ALGORITHMS_H
#define RESEAT_ALGORITHMS_H

#include <stdint.h>

#include "profiler/communicators.h"

/* A message of a collective, or several to the same rank. */
void algorithm_send(struct communicator *c, int rank, uint64_t msgs, uint64_t bytes);

/* The largest power of two that is not above n. */
int largest_power(int n);

void send_dissemination(struct communicator *c);

/* Binomial trees: `each`: every rank has a block of `bytes` of its own. */
void send_down_binomial(struct communicator *c, int root, uint64_t bytes, int each);
void send_up_binomial(struct communicator *c, int root, uint64_t bytes, int each);

/* A broadcast as scatter and allgather: by recursive doubling (n a power of two) or a ring. */
void send_scatter_doubling(struct communicator *c, int root, uint64_t bytes);
void send_scatter_ring(struct communicator *c, int root, uint64_t bytes);

/* Reductions to all, and to `root`; `count` elements of `size` bytes. */
void send_doubling(struct communicator *c, uint64_t bytes);
void send_rabenseifner(struct communicator *c, uint64_t count, uint64_t size);
void send_rabenseifner_to(struct communicator *c, int root, uint64_t count, uint64_t size);

/* Reduce_scatter. */
void send_halving(struct communicator *c, const uint64_t *start);
void send_pairwise(struct communicator *c, const uint64_t *start);

/* Allgather. */
void send_gather_doubling(struct communicator *c, const uint64_t *start);
void send_gather_bruck(struct communicator *c, const uint64_t *start);
/* Blocks go in pieces of at most `chunk` bytes. */
void send_gather_ring(struct communicator *c, const uint64_t *start, uint64_t chunk);

/* Alltoall of equal blocks. */
void send_bruck(struct communicator *c, uint64_t bytes);

/* Scan, Exscan. */
void send_scan_doubling(struct communicator *c, uint64_t bytes);

#endif
