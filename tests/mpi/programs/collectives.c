/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collectives.c - every collective, blocking, nonblocking and (MPI-4) with large counts and
 * persistent, on the world and on others. Usage: collectives [NAME [BYTES...]]: only that one, on
 * the world, once for each size; `own`: all but those between two groups; `phases NAME BYTES... NAME
 * BYTES...`: one after the other, each NAME in a phase of its own, 1, 2, and so on. From the environment are ROOT and
 * OPERATION: `ordered`, which does not commute, or `any`, both of the program's.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 64, ROOM = 1 << 22 };

static int rank, size; /* in `comm` */
static int root;
static MPI_Comm comm;
static int count; /* of chars: a block */
static char *in, *out;
static int counts[MOST_RANKS], starts[MOST_RANKS];
static MPI_Datatype types[MOST_RANKS];
static MPI_Request request;
static MPI_Op op = MPI_BOR;

/* What is sent does not depend on the result. */
static void take_either(void *from, void *to, int *length, MPI_Datatype *type)
{
    (void)from;
    (void)to;
    (void)length;
    (void)type;
}

static void make_operation(const char *name)
{
    if (name && name[0])
        MPI_Op_create(take_either, strcmp(name, "any") == 0, &op);
}

static void wait(void)
{
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void prepare(MPI_Comm on, int bytes)
{
    int inter;
    comm = on;
    count = bytes;
    MPI_Comm_rank(on, &rank);
    MPI_Comm_size(on, &size);
    MPI_Comm_test_inter(on, &inter);
    if (inter)
        MPI_Comm_remote_size(on, &size);
    for (int i = 0; i < MOST_RANKS; i++) {
        counts[i] = count;
        starts[i] = i * count;
        types[i] = MPI_CHAR;
    }
}

#define OP MPI_CHAR, op
#define ALL(X)                                                                                     \
    X(barrier, MPI_Barrier(comm))                                                                  \
    X(bcast, MPI_Bcast(in, count, MPI_CHAR, root, comm))                                           \
    X(reduce, MPI_Reduce(in, out, count, OP, root, comm))                                          \
    X(allreduce, MPI_Allreduce(in, out, count, OP, comm))                                          \
    X(gather, MPI_Gather(in, count, MPI_CHAR, out, count, MPI_CHAR, root, comm))                   \
    X(gatherv, MPI_Gatherv(in, count, MPI_CHAR, out, counts, starts, MPI_CHAR, root, comm))        \
    X(scatter, MPI_Scatter(in, count, MPI_CHAR, out, count, MPI_CHAR, root, comm))                 \
    X(scatterv, MPI_Scatterv(in, counts, starts, MPI_CHAR, out, count, MPI_CHAR, root, comm))      \
    X(allgather, MPI_Allgather(in, count, MPI_CHAR, out, count, MPI_CHAR, comm))                   \
    X(allgatherv, MPI_Allgatherv(in, count, MPI_CHAR, out, counts, starts, MPI_CHAR, comm))        \
    X(alltoall, MPI_Alltoall(in, count, MPI_CHAR, out, count, MPI_CHAR, comm))                     \
    X(alltoallv, MPI_Alltoallv(in, counts, starts, MPI_CHAR, out, counts, starts, MPI_CHAR, comm)) \
    X(alltoallw, MPI_Alltoallw(in, counts, starts, types, out, counts, starts, types, comm))       \
    X(reduce_scatter, MPI_Reduce_scatter(in, out, counts, OP, comm))                               \
    X(reduce_scatter_block, MPI_Reduce_scatter_block(in, out, count, OP, comm))                    \
    X(scan, MPI_Scan(in, out, count, OP, comm))                                                    \
    X(exscan, MPI_Exscan(in, out, count, OP, comm))

/* Only by their names. */
#define MORE(X)                                                                             \
    X(reduce_scatter_uneven, counts[1] /= 2; MPI_Reduce_scatter(in, out, counts, OP, comm)) \
    X(ireduce, MPI_Ireduce(in, out, count, OP, root, comm, &request); wait())               \
    X(iallreduce, MPI_Iallreduce(in, out, count, OP, comm, &request); wait())               \
    X(ireduce_scatter, MPI_Ireduce_scatter(in, out, counts, OP, comm, &request); wait())

#define NONBLOCKING                                                                                \
    MPI_Ibarrier(comm, &request), wait();                                                          \
    MPI_Ibcast(in, count, MPI_CHAR, root, comm, &request), wait();                                 \
    MPI_Ireduce(in, out, count, OP, root, comm, &request), wait();                                 \
    MPI_Iallreduce(in, out, count, OP, comm, &request), wait();                                    \
    MPI_Igather(in, count, MPI_CHAR, out, count, MPI_CHAR, root, comm, &request), wait();          \
    MPI_Igatherv(in, count, MPI_CHAR, out, counts, starts, MPI_CHAR, root, comm, &request),        \
        wait();                                                                                    \
    MPI_Iscatter(in, count, MPI_CHAR, out, count, MPI_CHAR, root, comm, &request), wait();         \
    MPI_Iscatterv(in, counts, starts, MPI_CHAR, out, count, MPI_CHAR, root, comm, &request),       \
        wait();                                                                                    \
    MPI_Iallgather(in, count, MPI_CHAR, out, count, MPI_CHAR, comm, &request), wait();             \
    MPI_Iallgatherv(in, count, MPI_CHAR, out, counts, starts, MPI_CHAR, comm, &request), wait();   \
    MPI_Ialltoall(in, count, MPI_CHAR, out, count, MPI_CHAR, comm, &request), wait();              \
    MPI_Ialltoallv(in, counts, starts, MPI_CHAR, out, counts, starts, MPI_CHAR, comm, &request),   \
        wait();                                                                                    \
    MPI_Ialltoallw(in, counts, starts, types, out, counts, starts, types, comm, &request), wait(); \
    MPI_Ireduce_scatter(in, out, counts, OP, comm, &request), wait();                              \
    MPI_Ireduce_scatter_block(in, out, count, OP, comm, &request), wait();                         \
    MPI_Iscan(in, out, count, OP, comm, &request), wait();                                         \
    MPI_Iexscan(in, out, count, OP, comm, &request), wait();

/* What inter-communicators have; the root is rank 0 of the lower half. */
static void across(int lower)
{
    int root = !lower ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Barrier(comm);
    MPI_Bcast(in, count, MPI_CHAR, root, comm);
    MPI_Reduce(in, out, count, OP, root, comm);
    MPI_Allreduce(in, out, count, OP, comm);
    MPI_Gather(in, count, MPI_CHAR, out, count, MPI_CHAR, root, comm);
    MPI_Scatter(in, count, MPI_CHAR, out, count, MPI_CHAR, root, comm);
    MPI_Allgather(in, count, MPI_CHAR, out, count, MPI_CHAR, comm);
    MPI_Alltoall(in, count, MPI_CHAR, out, count, MPI_CHAR, comm);
    MPI_Allgatherv(in, count, MPI_CHAR, out, counts, starts, MPI_CHAR, comm);
}

static void in_place(void)
{
    MPI_Allreduce(MPI_IN_PLACE, out, count, OP, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, MPI_CHAR, comm);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, MPI_CHAR, comm);
    MPI_Alltoallv(MPI_IN_PLACE, counts, starts, MPI_CHAR, out, counts, starts, MPI_CHAR, comm);
    MPI_Reduce(rank ? in : MPI_IN_PLACE, out, count, OP, 0, comm);
    MPI_Gather(rank ? in : MPI_IN_PLACE, count, MPI_CHAR, out, count, MPI_CHAR, 0, comm);
    MPI_Scatter(in, count, MPI_CHAR, rank ? out : MPI_IN_PLACE, count, MPI_CHAR, 0, comm);
}

static void everything(void)
{
#define CALL(name, call) call;
    ALL(CALL)
    NONBLOCKING
    in_place();
}

/* On the world, on its halves in reverse order, and between these. */
static void on_others(int between)
{
    MPI_Comm half, bridge;
    int lower = rank < size / 2, all = size;
    everything();
    prepare(MPI_COMM_WORLD, 20000);
    everything();
    MPI_Comm_split(MPI_COMM_WORLD, lower, -rank, &half);
    prepare(half, 100);
    everything();
    if (!between) {
        MPI_Comm_free(&half);
        return;
    }
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, lower ? all - 1 : all / 2 - 1, 5, &bridge);
    prepare(bridge, 48);
    across(lower);
    MPI_Comm_free(&bridge);
    MPI_Comm_free(&half);
}

static void call_by_name(const char *name, int bytes)
{
#define CHOOSE(its_name, call)          \
    if (strcmp(name, #its_name) == 0) { \
        call;                           \
    }
    prepare(MPI_COMM_WORLD, bytes);
    ALL(CHOOSE)
    MORE(CHOOSE)
}

static void one_phase_each(char **words)
{
    const char *name = NULL;
    int phase = 0;
    for (; *words; words++) {
        if ((*words)[0] >= '0' && (*words)[0] <= '9') {
            call_by_name(name, atoi(*words));
            continue;
        }
        name = *words;
        MPI_Pcontrol(++phase);
    }
    MPI_Pcontrol(0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    in = calloc(1, ROOM);
    out = calloc(1, ROOM);
    if (!in || !out)
        MPI_Abort(MPI_COMM_WORLD, 3);
    root = getenv("ROOT") ? atoi(getenv("ROOT")) : 0;
    make_operation(getenv("OPERATION"));
    int i = 2;
    if (argc > 1 && strcmp(argv[1], "phases") == 0) {
        one_phase_each(argv + 2);
    } else if (argc > 1) {
        do {
            call_by_name(argv[1], i < argc ? atoi(argv[i]) : 24);
        } while (++i < argc);
    }
    prepare(MPI_COMM_WORLD, 24);
    if (argc == 1 || strcmp(argv[1], "own") == 0)
        on_others(argc == 1);
    if (op != MPI_BOR)
        MPI_Op_free(&op);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
