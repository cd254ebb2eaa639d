/* SPDX-License-Identifier: BSD-3-Clause */
/* repeated-collectives.c - the same collectives again and again, with others between them, whose
 * counts, types, operations and roots differ; handles of types and operations are reused for
 * others. Each round is a phase, and each call comes twice. `repeated-collectives fresh`: each on a
 * new communicator of its own. `repeated-collectives returning`: with an error handler that
 * returns. */
#include <mpi.h>
#include <string.h>

#include "declared.h"

#if DECLARES_MPI_Allreduce_init
#define ALLREDUCE_INIT MPI_Allreduce_init
#elif DECLARES_MPIX_Allreduce_init
#include <mpi-ext.h>
#define ALLREDUCE_INIT MPIX_Allreduce_init
#endif

enum { MOST = 6000 };
static double out[MOST], in[4 * MOST];
static int rank, size, is_fresh;

static MPI_Comm begin(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    if (is_fresh)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return comm;
}

static void end(MPI_Comm comm)
{
    if (is_fresh)
        MPI_Comm_free(&comm);
}

static void first(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int bytes;
    MPI_Type_size(*type, &bytes);
    memcpy(inout, in, (size_t)*count * (size_t)bytes);
}

#ifdef ALLREDUCE_INIT
static void reduce_thrice(int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;
    ALLREDUCE_INIT(out, in, count, type, op, comm, MPI_INFO_NULL, &request);
    for (int start = 0; start < 3; start++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}
#endif

#define TAKE(call)                \
    for (int i = 0; i < 2; i++) { \
        MPI_Comm c = begin();     \
        call;                     \
        end(c);                   \
    }

static void all(int count, MPI_Datatype type, MPI_Op op)
{
    MPI_Request request;
    for (int root = 0; root < size; root++) {
        TAKE(MPI_Bcast(out, count, type, root, c));
        TAKE(MPI_Reduce(out, in, count, type, op, root, c));
        TAKE(MPI_Gather(out, count, type, in, count, type, root, c));
        TAKE(MPI_Scatter(in, count, type, out, count, type, root, c));
    }
    TAKE(MPI_Barrier(c));
    TAKE(MPI_Allreduce(out, in, count, type, op, c));
    TAKE(MPI_Iallreduce(out, in, count, type, op, c, &request);
         MPI_Wait(&request, MPI_STATUS_IGNORE));
#ifdef ALLREDUCE_INIT
    TAKE(reduce_thrice(count, type, op, c));
#endif
    TAKE(MPI_Allreduce(MPI_IN_PLACE, in, count, type, op, c));
    TAKE(MPI_Reduce_scatter_block(in, out, count, type, op, c));
    TAKE(MPI_Scan(out, in, count, type, op, c));
    TAKE(MPI_Allgather(out, count, type, in, count, type, c));
    TAKE(MPI_Alltoall(in, count, type, in + 2 * MOST, count, type, c));
    TAKE(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, count, type, c));
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 2, 1, 700, 1, 3};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    is_fresh = argc > 1 && strcmp(argv[1], "fresh") == 0;
    if (argc > 1 && strcmp(argv[1], "returning") == 0)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int round = 0; round < 6; round++) {
        MPI_Op op;
        MPI_Pcontrol(round);
        all(counts[round], MPI_DOUBLE, MPI_SUM);
        all(counts[round], MPI_INT, round % 2 ? MPI_MAX : MPI_BAND);
        MPI_Op_create(first, round % 2, &op);
        for (int length = 1; length < 500; length *= 20) {
            MPI_Datatype several;
            MPI_Type_contiguous(length, MPI_INT, &several);
            MPI_Type_commit(&several);
            all(1, several, op);
            MPI_Type_free(&several);
        }
        all(1, MPI_INT, op);
        MPI_Op_free(&op);
    }
    MPI_Finalize();
    return 0;
}
