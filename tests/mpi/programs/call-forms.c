/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call-forms.c - the same traffic in every form of a call: `plain`, `i` (nonblocking), `p`
 * (persistent; Open MPI 4 has it as an extension), and where mpi.h has them `c` (large counts),
 * `ic`, `pc`. All have to be recorded alike, except collectives for which an MPI takes other
 * algorithms. Usage: call-forms FORM [PART...]: all parts that this MPI has, or only these
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "declared.h"
#if !DECLARES_MPI_Bcast_init
#include <mpi-ext.h>
#endif

enum form { PLAIN, NONBLOCKING, LARGE, NONBLOCKING_LARGE, PERSISTENT, PERSISTENT_LARGE };
enum { MOST = 64, BLOCK = 24, ROOM = MOST * BLOCK };

static enum form form;
static int rank, size;
static MPI_Comm comm;
static MPI_Request request;
static char in[ROOM], out[ROOM];
static int starts_each = 2; /* of a persistent request */
static int counts[MOST], starts[MOST];
static MPI_Aint places[MOST];
static MPI_Datatype types[MOST];

static void wait_for(void)
{
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

#define LIST(...) __VA_ARGS__

static void start_twice(void)
{
    for (int i = 0; i < starts_each; i++) {
        if (i)
            MPI_Startall(1, &request);
        else
            MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

#if DECLARES_MPI_Send_c
static MPI_Count large[MOST];
#define WIDE(call) call
#else
#define WIDE(call) MPI_Abort(MPI_COMM_WORLD, 1)
#endif
#if DECLARES_MPI_Bcast_init
#define COLLECTIVE_INIT(Name) MPI_##Name##_init
#else
#define COLLECTIVE_INIT(Name) MPIX_##Name##_init
#endif

/* Everything is done twice, as a persistent request is started twice. */
#define EACH(Name, name, plain, wide)                                                       \
    for (int round = 0; round < (form < PERSISTENT || starts_each == 1 ? 2 : 1); round++) { \
        if (form == PLAIN)                                                                  \
            MPI_##Name(LIST plain);                                                         \
        else if (form == LARGE)                                                             \
            WIDE(MPI_##Name##_c(LIST wide));                                                \
        else if (form == NONBLOCKING)                                                       \
            MPI_I##name(LIST plain, &request), wait_for();                                  \
        else if (form == NONBLOCKING_LARGE)                                                 \
            WIDE(MPI_I##name##_c(LIST wide, &request)), wait_for();                         \
        else if (form == PERSISTENT)                                                        \
            COLLECTIVE_INIT(Name)(LIST plain, MPI_INFO_NULL, &request), start_twice();      \
        else                                                                                \
            WIDE(MPI_##Name##_init_c(LIST wide, MPI_INFO_NULL, &request)), start_twice();   \
    }

#define T MPI_CHAR
#define OP MPI_CHAR, MPI_BOR

static void collectives(void)
{
    EACH(Bcast, bcast, (in, BLOCK, T, 1, comm), (in, BLOCK, T, 1, comm))
    EACH(Reduce, reduce, (in, out, BLOCK, OP, 1, comm), (in, out, BLOCK, OP, 1, comm))
    /* more than 8 bytes (up to 2,048) MPICH reduces by another algorithm where it is nonblocking */
    EACH(Allreduce, allreduce, (in, out, 8, OP, comm), (in, out, 8, OP, comm))
    EACH(Gather, gather, (in, BLOCK, T, out, BLOCK, T, 1, comm),
         (in, BLOCK, T, out, BLOCK, T, 1, comm))
    EACH(Gatherv, gatherv, (in, BLOCK, T, out, counts, starts, T, 1, comm),
         (in, BLOCK, T, out, large, places, T, 1, comm))
#ifdef MPICH
    starts_each = 1; /* 4.0 starts a persistent one once only */
#endif
    EACH(Scatter, scatter, (in, BLOCK, T, out, BLOCK, T, 0, comm),
         (in, BLOCK, T, out, BLOCK, T, 0, comm))
    starts_each = 2;
    EACH(Scatterv, scatterv, (in, counts, starts, T, out, BLOCK, T, 1, comm),
         (in, large, places, T, out, BLOCK, T, 1, comm))
    EACH(Allgather, allgather, (in, BLOCK, T, out, BLOCK, T, comm),
         (in, BLOCK, T, out, BLOCK, T, comm))
    EACH(Allgatherv, allgatherv, (in, BLOCK, T, out, counts, starts, T, comm),
         (in, BLOCK, T, out, large, places, T, comm))
    EACH(Alltoall, alltoall, (in, BLOCK, T, out, BLOCK, T, comm),
         (in, BLOCK, T, out, BLOCK, T, comm))
    EACH(Alltoallv, alltoallv, (in, counts, starts, T, out, counts, starts, T, comm),
         (in, large, places, T, out, large, places, T, comm))
    EACH(Alltoallw, alltoallw, (in, counts, starts, types, out, counts, starts, types, comm),
         (in, large, places, types, out, large, places, types, comm))
    EACH(Reduce_scatter, reduce_scatter, (in, out, counts, OP, comm), (in, out, large, OP, comm))
    EACH(Reduce_scatter_block, reduce_scatter_block, (in, out, BLOCK, OP, comm),
         (in, out, BLOCK, OP, comm))
    EACH(Scan, scan, (in, out, BLOCK, OP, comm), (in, out, BLOCK, OP, comm))
    EACH(Exscan, exscan, (in, out, BLOCK, OP, comm), (in, out, BLOCK, OP, comm))
}

static void neighbors(void)
{
    int periodic[2] = {1, 1}, dims[2] = {0, 0};
    MPI_Comm world = comm;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(world, 2, dims, periodic, 0, &comm);
    EACH(Neighbor_allgather, neighbor_allgather, (in, BLOCK, T, out, BLOCK, T, comm),
         (in, BLOCK, T, out, BLOCK, T, comm))
    EACH(Neighbor_allgatherv, neighbor_allgatherv, (in, BLOCK, T, out, counts, starts, T, comm),
         (in, BLOCK, T, out, large, places, T, comm))
    EACH(Neighbor_alltoall, neighbor_alltoall, (in, BLOCK, T, out, BLOCK, T, comm),
         (in, BLOCK, T, out, BLOCK, T, comm))
    EACH(Neighbor_alltoallv, neighbor_alltoallv,
         (in, counts, starts, T, out, counts, starts, T, comm),
         (in, large, places, T, out, large, places, T, comm))
    EACH(Neighbor_alltoallw, neighbor_alltoallw,
         (in, counts, places, types, out, counts, places, types, comm),
         (in, large, places, types, out, large, places, types, comm))
    MPI_Comm_free(&comm);
    comm = world;
}

static void barriers(void)
{
    for (int round = 0; round < (form < PERSISTENT || starts_each == 1 ? 2 : 1); round++) {
        if (form == PLAIN || form == LARGE)
            MPI_Barrier(comm);
        else if (form == NONBLOCKING || form == NONBLOCKING_LARGE)
            MPI_Ibarrier(comm, &request), wait_for();
        else
            COLLECTIVE_INIT(Barrier)(comm, MPI_INFO_NULL, &request), start_twice();
    }
}

/* One message to the next rank by each kind of send; the receiver does not mind how. */
#define SEND(Name, name)                                                                    \
    for (int round = 0; round < (form < PERSISTENT || starts_each == 1 ? 2 : 1); round++) { \
        MPI_Irecv(out, 2 * BLOCK, T, MPI_ANY_SOURCE, 0, comm, &receive);                    \
        MPI_Barrier(MPI_COMM_WORLD);                                                        \
        if (form == PLAIN)                                                                  \
            MPI_##Name(in, BLOCK, T, next, 0, comm);                                        \
        else if (form == LARGE)                                                             \
            WIDE(MPI_##Name##_c(in, BLOCK, T, next, 0, comm));                              \
        else if (form == NONBLOCKING)                                                       \
            MPI_I##name(in, BLOCK, T, next, 0, comm, &request), wait_for();                 \
        else if (form == NONBLOCKING_LARGE)                                                 \
            WIDE(MPI_I##name##_c(in, BLOCK, T, next, 0, comm, &request)), wait_for();       \
        else {                                                                              \
            if (form == PERSISTENT)                                                         \
                MPI_##Name##_init(in, BLOCK, T, next, 0, comm, &request);                   \
            else                                                                            \
                WIDE(MPI_##Name##_init_c(in, BLOCK, T, next, 0, comm, &request));           \
            MPI_Start(&request);                                                            \
            MPI_Wait(&request, MPI_STATUS_IGNORE);                                          \
            MPI_Wait(&receive, MPI_STATUS_IGNORE);                                          \
            MPI_Irecv(out, 2 * BLOCK, T, MPI_ANY_SOURCE, 0, comm, &receive);                \
            MPI_Barrier(MPI_COMM_WORLD);                                                    \
            MPI_Start(&request);                                                            \
            MPI_Wait(&request, MPI_STATUS_IGNORE);                                          \
            MPI_Request_free(&request);                                                     \
        }                                                                                   \
        MPI_Wait(&receive, MPI_STATUS_IGNORE);                                              \
    }

static void sends(void)
{
    static char buffer[4 * (BLOCK + MPI_BSEND_OVERHEAD)];
    MPI_Request receive;
    void *address;
    int next = (rank + 1) % size, bytes;
    MPI_Buffer_attach(buffer, sizeof buffer);
    SEND(Send, send)
    SEND(Ssend, ssend)
    SEND(Rsend, rsend)
    SEND(Bsend, bsend)
    MPI_Buffer_detach(&address, &bytes);
}

#if DECLARES_MPI_Isendrecv && DECLARES_MPI_Psend_init
/* Both ways at once; 48 bytes in all to the next but one. */
static void exchanges(void)
{
    int to = (rank + 2) % size, from = (rank + size - 2) % size;
    MPI_Request requests[2];
    if (form == PLAIN) {
        MPI_Sendrecv(in, BLOCK, T, to, 1, out, BLOCK, T, from, 1, comm, MPI_STATUS_IGNORE);
        MPI_Sendrecv_replace(in, BLOCK, T, to, 1, from, 1, comm, MPI_STATUS_IGNORE);
    } else if (form == LARGE) {
        WIDE(MPI_Sendrecv_c(in, BLOCK, T, to, 1, out, BLOCK, T, from, 1, comm, MPI_STATUS_IGNORE));
        WIDE(MPI_Sendrecv_replace_c(in, BLOCK, T, to, 1, from, 1, comm, MPI_STATUS_IGNORE));
    } else if (form == NONBLOCKING) {
        MPI_Isendrecv(in, BLOCK, T, to, 1, out, BLOCK, T, from, 1, comm, &request), wait_for();
        MPI_Isendrecv_replace(in, BLOCK, T, to, 1, from, 1, comm, &request), wait_for();
    } else if (form == NONBLOCKING_LARGE) {
        WIDE(MPI_Isendrecv_c(in, BLOCK, T, to, 1, out, BLOCK, T, from, 1, comm, &request)),
            wait_for();
        WIDE(MPI_Isendrecv_replace_c(in, BLOCK, T, to, 1, from, 1, comm, &request)), wait_for();
    } else {
        /* partitioned: 2 x 12 bytes, started twice */
        MPI_Psend_init(in, 2, BLOCK / 2, T, to, 1, comm, MPI_INFO_NULL, &requests[0]);
        MPI_Precv_init(out, 2, BLOCK / 2, T, from, 1, comm, MPI_INFO_NULL, &requests[1]);
        for (int i = 0; i < 2; i++) {
            MPI_Startall(2, requests);
            MPI_Pready(0, requests[0]);
            MPI_Pready(1, requests[0]);
            for (int j = 0; j < 2; j++)
                MPI_Wait(&requests[j], MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[1]);
    }
}
#else
static void exchanges(void)
{
}
#endif

static void one_sided(void)
{
    int next = (rank + 1) % size, wide = form == LARGE || form == NONBLOCKING_LARGE;
    MPI_Win win;
    void *memory;
    static char target[ROOM];
    if (wide)
        WIDE(MPI_Win_create_c(target, sizeof target, 1, MPI_INFO_NULL, comm, &win));
    else
        MPI_Win_create(target, sizeof target, 1, MPI_INFO_NULL, comm, &win);
    MPI_Win_lock_all(0, win);
    if (form == PLAIN) {
        MPI_Put(in, BLOCK, T, next, 0, BLOCK, T, win);
        MPI_Get(out, BLOCK, T, next, 0, BLOCK, T, win);
        MPI_Accumulate(in, BLOCK, T, next, 0, BLOCK, T, MPI_BOR, win);
        MPI_Get_accumulate(in, BLOCK, T, out, BLOCK, T, next, 0, BLOCK, T, MPI_BOR, win);
    } else if (form == LARGE) {
        WIDE(MPI_Put_c(in, BLOCK, T, next, 0, BLOCK, T, win));
        WIDE(MPI_Get_c(out, BLOCK, T, next, 0, BLOCK, T, win));
        WIDE(MPI_Accumulate_c(in, BLOCK, T, next, 0, BLOCK, T, MPI_BOR, win));
        WIDE(MPI_Get_accumulate_c(in, BLOCK, T, out, BLOCK, T, next, 0, BLOCK, T, MPI_BOR, win));
    } else if (form == NONBLOCKING || form == PERSISTENT) {
        MPI_Rput(in, BLOCK, T, next, 0, BLOCK, T, win, &request), wait_for();
        MPI_Rget(out, BLOCK, T, next, 0, BLOCK, T, win, &request), wait_for();
        MPI_Raccumulate(in, BLOCK, T, next, 0, BLOCK, T, MPI_BOR, win, &request), wait_for();
        MPI_Rget_accumulate(in, BLOCK, T, out, BLOCK, T, next, 0, BLOCK, T, MPI_BOR, win, &request);
        wait_for();
    } else {
        WIDE(MPI_Rput_c(in, BLOCK, T, next, 0, BLOCK, T, win, &request)), wait_for();
        WIDE(MPI_Rget_c(out, BLOCK, T, next, 0, BLOCK, T, win, &request)), wait_for();
        WIDE(MPI_Raccumulate_c(in, BLOCK, T, next, 0, BLOCK, T, MPI_BOR, win, &request)),
            wait_for();
        WIDE(MPI_Rget_accumulate_c(in, BLOCK, T, out, BLOCK, T, next, 0, BLOCK, T, MPI_BOR, win,
                                   &request));
        wait_for();
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    for (int shared = 0; shared < 2; shared++) {
        int is_made = 0; /* MPICH 5.0.2 as Debian builds it shares no memory */
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        if (shared && wide)
            is_made =
                !WIDE(MPI_Win_allocate_shared_c(BLOCK, 1, MPI_INFO_NULL, comm, &memory, &win));
        else if (shared)
            is_made = !MPI_Win_allocate_shared(BLOCK, 1, MPI_INFO_NULL, comm, &memory, &win);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
        if (!is_made && wide)
            WIDE(MPI_Win_allocate_c(BLOCK, 1, MPI_INFO_NULL, comm, &memory, &win));
        else if (!is_made)
            MPI_Win_allocate(BLOCK, 1, MPI_INFO_NULL, comm, &memory, &win);
        MPI_Win_fence(0, win);
        MPI_Put(in, BLOCK, T, next, 0, BLOCK, T, win);
        MPI_Win_fence(0, win);
        MPI_Win_free(&win);
    }
}

static int is_wanted(const char *part, int argc, char **argv)
{
    int found = argc < 3;
    for (int i = 2; i < argc; i++)
        found |= strcmp(argv[i], part) == 0;
    return found;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"plain", "i", "c", "ic", "p", "pc"};
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"collectives", barriers}, {"collectives", collectives}, {"neighbors", neighbors},
                 {"sends", sends},          {"exchanges", exchanges},     {"one-sided", one_sided}};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 6; i++)
        if (argc > 1 && strcmp(argv[1], names[i]) == 0)
            form = (enum form)i;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < MOST; i++) {
        counts[i] = BLOCK;
        starts[i] = i * BLOCK;
        places[i] = i * BLOCK;
        types[i] = T;
#if DECLARES_MPI_Send_c
        large[i] = BLOCK;
#endif
    }
    comm = MPI_COMM_WORLD;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (is_wanted(parts[i].name, argc, argv))
            parts[i].run();
    MPI_Finalize();
    return 0;
}
