/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make-and-free.c - create and free many objects of each kind and print by how many bytes each the
 * memory of rank 0 has grown: `KIND BYTES`.
 */
#include <malloc.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "declared.h"

enum { FIRST = 500, MANY = 4000 };

static int rank, size;

static int same(MPI_Comm comm, int keyval, void *state, void *value, void *result, int *flag)
{
    (void)comm, (void)keyval, (void)state;
    *(void **)result = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int gone(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)value, (void)state;
    return MPI_SUCCESS;
}

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void talk(MPI_Comm comm)
{
    int value = 0, next, count;
    MPI_Comm_rank(comm, &next);
    MPI_Comm_size(comm, &count);
    MPI_Sendrecv_replace(&value, 1, MPI_INT, (next + 1) % count, 0, (next + count - 1) % count, 0,
                         comm, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, comm);
}

static void dup(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    talk(comm);
    MPI_Comm_free(&comm);
}

static void split(void)
{
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
    talk(comm);
    MPI_Comm_free(&comm);
}

static void cart(void)
{
    const int periodic = 1;
    MPI_Comm comm, below;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 1, &comm);
    talk(comm);
    MPI_Comm_dup(comm, &below);
    talk(below);
    MPI_Comm_free(&below);
    MPI_Comm_free(&comm);
}

static void silent(void)
{
    const int periodic = 1;
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 1, &comm);
    MPI_Comm_free(&comm);
}

static void graph(void)
{
    int next = (rank + 1) % size, one = 1;
    MPI_Comm comm;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &next, &one, MPI_INFO_NULL, 1, &comm);
    talk(comm);
    MPI_Comm_free(&comm);
}

static void group(void)
{
    MPI_Group all;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_free(&all);
}

static void type(void)
{
    double values[4] = {0};
    MPI_Datatype pair;
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Sendrecv(values, 1, pair, 0, 0, values + 1, 1, pair, 0, 0, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&pair);
}

static void request(void)
{
    int out = 1, in;
    MPI_Request both[2];
    MPI_Send_init(&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &both[0]);
    MPI_Recv_init(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &both[1]);
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
}

static void window(void)
{
    int there = 0, out = 1;
    MPI_Win win;
    MPI_Win_create(&there, sizeof there, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&out, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* Each with its own extra state, which may be any number. */
static void keyval(void)
{
    static intptr_t state;
    int key;
    MPI_Comm comm;
    MPI_Comm_create_keyval(same, gone, &key, (void *)++state);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_free(&comm);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_free_keyval(&key);
}

static void errhandler(void)
{
    MPI_Errhandler own;
    MPI_Comm_create_errhandler(handler, &own);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, own);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&own);
}

static void file(void)
{
    MPI_File opened;
    if (MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &opened) ==
        MPI_SUCCESS)
        MPI_File_close(&opened);
}

#if DECLARES_MPI_Session_init
static void session(void)
{
    MPI_Session opened;
    MPI_Group world;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &opened);
    MPI_Group_from_session_pset(opened, "mpi://WORLD", &world);
    MPI_Group_free(&world);
    MPI_Session_finalize(&opened);
}
#endif

static long used(void)
{
    struct mallinfo2 now = mallinfo2();
    return (long)(now.uordblks + now.hblkhd);
}

static void grow(const char *name, void (*make)(void), int many)
{
    for (int i = 0; i < FIRST; i++)
        make();
    long before = used();
    for (int i = 0; i < many; i++)
        make();
    if (rank == 0)
        printf("%s %ld\n", name, (used() - before) / many);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    grow("dup", dup, MANY);
    grow("split", split, MANY);
    grow("cart", cart, MANY);
    grow("silent", silent, MANY);
    grow("graph", graph, MANY);
    grow("group", group, MANY);
    grow("type", type, MANY);
    grow("request", request, MANY);
    if (size > 1) /* Open MPI 4.1 makes no window of one process */
        grow("window", window, MANY / 4);
    grow("keyval", keyval, MANY);
    grow("errhandler", errhandler, MANY);
    grow("file", file, MANY / 16);
#if DECLARES_MPI_Session_init
    grow("session", session, MANY);
#endif
    MPI_Finalize();
    return 0;
}
