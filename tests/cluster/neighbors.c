/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighbors ROUNDS OFFSET:BYTES... - each rank exchanges BYTES with the ranks OFFSET above and below it, the last one
 * followed by the first; all of that ROUNDS times. Then the seconds of the slowest rank, `SECONDS s`, a line for
 * each rank, `RANK HOST`, and `that is all`.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lines.h"

enum { OFFSETS = 8 };

struct exchange {
    int above, below, bytes;
    char *out, *in; /* twice as many: what goes both ways */
};

/* 0: not an exchange of different ranks. */
static int parse_exchange(struct exchange *exchange, const char *text, int rank, int size)
{
    int offset;
    if (sscanf(text, "%d:%d", &offset, &exchange->bytes) != 2 || offset < 1 || offset >= size ||
        exchange->bytes < 1)
        return 0;
    exchange->above = (rank + offset) % size;
    exchange->below = (rank + size - offset) % size;
    exchange->out = calloc(2, (size_t)exchange->bytes);
    exchange->in = calloc(2, (size_t)exchange->bytes);
    return exchange->out && exchange->in;
}

static void exchange_all(const struct exchange *exchanges, int count)
{
    MPI_Request requests[4 * OFFSETS];
    MPI_Status statuses[4 * OFFSETS]; /* gcc warns of MPICH's MPI_STATUSES_IGNORE */
    int n = 0;
    for (int i = 0; i < count; i++) {
        const struct exchange *e = &exchanges[i];
        MPI_Irecv(e->in, e->bytes, MPI_BYTE, e->below, 0, MPI_COMM_WORLD, &requests[n++]);
        MPI_Irecv(e->in + e->bytes, e->bytes, MPI_BYTE, e->above, 1, MPI_COMM_WORLD,
                  &requests[n++]);
        MPI_Isend(e->out, e->bytes, MPI_BYTE, e->above, 0, MPI_COMM_WORLD, &requests[n++]);
        MPI_Isend(e->out + e->bytes, e->bytes, MPI_BYTE, e->below, 1, MPI_COMM_WORLD,
                  &requests[n++]);
    }
    MPI_Waitall(n, requests, statuses);
}

/* Seconds of the slowest rank, at rank 0. */
static double run_rounds(const struct exchange *exchanges, int count, int rounds)
{
    double most = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double took = MPI_Wtime();
    for (int i = 0; i < rounds; i++)
        exchange_all(exchanges, count);
    took = MPI_Wtime() - took;
    MPI_Reduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return most;
}

int main(int argc, char **argv)
{
    struct exchange exchanges[OFFSETS];
    char host[64], line[LINE] = "";
    int rank, size, count = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (count < OFFSETS && count + 2 < argc &&
           parse_exchange(&exchanges[count], argv[count + 2], rank, size))
        count++;
    if (argc < 3 || count != argc - 2) {
        fprintf(stderr, "usage: neighbors ROUNDS OFFSET:BYTES...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    double seconds = run_rounds(exchanges, count, atoi(argv[1]));
    if (rank == 0)
        printf("%.3f s\n", seconds);
    gethostname(host, sizeof host);
    snprintf(line, sizeof line, "%d %s", rank, host);
    print_lines(line);
    for (int i = 0; i < count; i++) {
        free(exchanges[i].out);
        free(exchanges[i].in);
    }
    MPI_Finalize();
    return 0;
}
