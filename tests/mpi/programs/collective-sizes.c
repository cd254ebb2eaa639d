/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective-sizes.c - every collective of one group in a phase of its own, with blocks of several
 * sizes. Usage: collective-sizes blocking|nonblocking ROOT BYTES...; phase 1 is the first line of
 * ALL.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 64 };

static int rank, size, root;
static int count;   /* of chars: a block */
static int doubles; /* as many bytes, at least one */
static char *in, *out;
static int counts[MOST_RANKS], starts[MOST_RANKS];
static int uneven[MOST_RANKS], uneven_starts[MOST_RANKS]; /* some blocks are empty */
static int each[MOST_RANKS];                              /* the same both ways; some are empty */
static MPI_Datatype types[MOST_RANKS], large;             /* large: a block in one element */
static MPI_Op in_order, any_order;
static MPI_Request request;

static void leave(void *from, void *to, int *length, MPI_Datatype *type)
{
    (void)from;
    (void)to;
    (void)length;
    (void)type;
}

static void prepare(int bytes)
{
    int next = 0;
    count = bytes;
    doubles = bytes > 8 ? bytes / 8 : 1;
    for (int i = 0; i < size; i++) {
        counts[i] = count;
        starts[i] = i * count;
        uneven[i] = i % 3 == 1 ? 0 : count / (i + 1);
        uneven_starts[i] = next;
        next += uneven[i];
        each[i] = (rank + i) % 3 ? count : 0;
        types[i] = MPI_CHAR;
    }
    MPI_Type_contiguous(count, MPI_CHAR, &large);
    MPI_Type_commit(&large);
}

#define C MPI_CHAR
#define CHARS count, C
#define OR count, C, MPI_BOR
#define SUM doubles, MPI_DOUBLE, MPI_SUM
#define ORDER count, C, in_order
#define LARGE 1, large, any_order
#define HERE MPI_IN_PLACE
#define AT_ROOT(buffer) (rank == root ? HERE : (void *)(buffer))
#define W MPI_COMM_WORLD

#define ALL(X)                                                                          \
    X(Bcast, Ibcast, in, CHARS, root, W)                                                \
    X(Bcast, Ibcast, in, doubles, MPI_DOUBLE, root, W)                                  \
    X(Bcast, Ibcast, in, 1, large, root, W)                                             \
    X(Reduce, Ireduce, in, out, OR, root, W)                                            \
    X(Reduce, Ireduce, in, out, SUM, root, W)                                           \
    X(Reduce, Ireduce, in, out, ORDER, root, W)                                         \
    X(Reduce, Ireduce, in, out, LARGE, root, W)                                         \
    X(Allreduce, Iallreduce, in, out, OR, W)                                            \
    X(Allreduce, Iallreduce, in, out, SUM, W)                                           \
    X(Allreduce, Iallreduce, in, out, ORDER, W)                                         \
    X(Allreduce, Iallreduce, in, out, LARGE, W)                                         \
    X(Allreduce, Iallreduce, HERE, out, OR, W)                                          \
    X(Gather, Igather, in, CHARS, out, CHARS, root, W)                                  \
    X(Gather, Igather, AT_ROOT(in), CHARS, out, CHARS, root, W)                         \
    X(Gatherv, Igatherv, in, uneven[rank], C, out, uneven, uneven_starts, C, root, W)   \
    X(Scatter, Iscatter, in, CHARS, out, CHARS, root, W)                                \
    X(Scatter, Iscatter, in, CHARS, AT_ROOT(out), CHARS, root, W)                       \
    X(Scatterv, Iscatterv, in, uneven, uneven_starts, C, out, uneven[rank], C, root, W) \
    X(Allgather, Iallgather, in, CHARS, out, CHARS, W)                                  \
    X(Allgather, Iallgather, HERE, 0, C, out, CHARS, W)                                 \
    X(Allgatherv, Iallgatherv, in, CHARS, out, counts, starts, C, W)                    \
    X(Allgatherv, Iallgatherv, in, uneven[rank], C, out, uneven, uneven_starts, C, W)   \
    X(Alltoall, Ialltoall, in, CHARS, out, CHARS, W)                                    \
    X(Alltoall, Ialltoall, HERE, 0, C, out, CHARS, W)                                   \
    X(Alltoallv, Ialltoallv, in, each, starts, C, out, each, starts, C, W)              \
    X(Alltoallv, Ialltoallv, HERE, each, starts, C, out, each, starts, C, W)            \
    X(Alltoallw, Ialltoallw, in, each, starts, types, out, each, starts, types, W)      \
    X(Reduce_scatter, Ireduce_scatter, in, out, counts, C, MPI_BOR, W)                  \
    X(Reduce_scatter, Ireduce_scatter, in, out, uneven, C, MPI_BOR, W)                  \
    X(Reduce_scatter, Ireduce_scatter, in, out, counts, C, in_order, W)                 \
    X(Reduce_scatter_block, Ireduce_scatter_block, in, out, OR, W)                      \
    X(Reduce_scatter_block, Ireduce_scatter_block, in, out, SUM, W)                     \
    X(Reduce_scatter_block, Ireduce_scatter_block, in, out, ORDER, W)                   \
    X(Scan, Iscan, in, out, OR, W)                                                      \
    X(Exscan, Iexscan, in, out, OR, W)                                                  \
    X(Barrier, Ibarrier, W)

static void climb(int nonblocking)
{
    int phase = 0;
#define CALL(name, iname, ...)                 \
    MPI_Pcontrol(++phase);                     \
    if (nonblocking) {                         \
        MPI_##iname(__VA_ARGS__, &request);    \
        MPI_Wait(&request, MPI_STATUS_IGNORE); \
    } else {                                   \
        MPI_##name(__VA_ARGS__);               \
    }
    ALL(CALL)
    MPI_Pcontrol(0);
}

int main(int argc, char **argv)
{
    int most = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(W, &rank);
    MPI_Comm_size(W, &size);
    for (int i = 3; i < argc; i++)
        most = atoi(argv[i]) > most ? atoi(argv[i]) : most;
    in = calloc((size_t)size + 1, (size_t)most);
    out = calloc((size_t)size + 1, (size_t)most);
    if (argc < 4 || size > MOST_RANKS || !in || !out)
        MPI_Abort(W, 3);
    root = atoi(argv[2]);
    MPI_Op_create(leave, 0, &in_order);
    MPI_Op_create(leave, 1, &any_order);
    for (int i = 3; i < argc; i++) {
        prepare(atoi(argv[i]));
        climb(strcmp(argv[1], "nonblocking") == 0);
        MPI_Type_free(&large);
    }
    MPI_Op_free(&in_order);
    MPI_Op_free(&any_order);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
