/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * derived-communicators.c - communicators created in every way. In each, every rank sends the next
 * one a message, of another size than in the others; and what is not recorded: files, other jobs.
 * Usage: derived-communicators PREFIX [others]
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "declared.h"
#include "own-books.h"

static int rank, size;
static char in[256], out[256];

/* `world`: the traffic belongs to the world's domain. */
static void talk(MPI_Comm comm, int bytes, int world)
{
    int me, n, to, role;
    MPI_Group all, ours;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    to = (me + 1) % n;
    MPI_Sendrecv(out, bytes, MPI_CHAR, to, 0, in, 256, MPI_CHAR, (me + n - 1) % n, 0, comm,
                 MPI_STATUS_IGNORE);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_group(comm, &ours);
    MPI_Group_translate_ranks(ours, 1, &to, all, &role);
    MPI_Group_free(&all);
    MPI_Group_free(&ours);
    if (world)
        expect(role, bytes);
}

static void copies(void)
{
    MPI_Comm twin;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    talk(twin, 1, 1);
    MPI_Comm_free(&twin);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &twin);
    talk(twin, 2, 1);
    MPI_Comm_free(&twin);
    MPI_Comm_idup(MPI_COMM_WORLD, &twin, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    talk(twin, 3, 1);
    MPI_Comm_disconnect(&twin);
#if DECLARES_MPI_Comm_idup_with_info
    MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &twin, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    talk(twin, 4, 1);
    MPI_Comm_free(&twin);
#endif
}

/* All but the last rank, in reverse order. */
static void parts(void)
{
    int reverse[EXPECT_MOST];
    MPI_Group all, some;
    MPI_Comm part;
    for (int i = 0; i < size - 1; i++)
        reverse[i] = size - 2 - i;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, size - 1, reverse, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &part);
    if (part != MPI_COMM_NULL) {
        talk(part, 5, 1);
        MPI_Comm_free(&part);
        MPI_Comm_create_group(MPI_COMM_WORLD, some, 7, &part);
        talk(part, 6, 1);
        MPI_Comm_free(&part);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&some);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &part);
    talk(part, 7, 1);
    MPI_Comm_free(&part);
}

static void merged(void)
{
    MPI_Comm half, bridge, both;
    int upper = rank >= size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 9, &bridge);
    MPI_Intercomm_merge(bridge, !upper, &both);
    talk(both, 8, 1);
    MPI_Comm_free(&both);
    MPI_Comm_free(&bridge);
    MPI_Comm_free(&half);
}

/* A ring as a grid and as a graph, with reorder: domains of their own; and a row of the grid. */
static void topologies(void)
{
    int dims[2] = {size / 2, 2}, periodic[2] = {1, 1}, keep[2] = {1, 0};
    int index[EXPECT_MOST], edges[EXPECT_MOST];
    MPI_Comm grid, line, graph;
    for (int i = 0; i < size; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 1, &grid);
    talk(grid, 9, 0);
    MPI_Cart_sub(grid, keep, &line);
    talk(line, 10, 0);
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 1, &graph);
    talk(graph, 11, 0);
    MPI_Comm_free(&line);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&graph);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 0, &grid);
    talk(grid, 12, 1);
    MPI_Comm_free(&grid);
}

/* Ranks 0 and 1 join over a socket. */
static void join(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    MPI_Comm there;
    int port = 0, end = socket(AF_INET, SOCK_STREAM, 0), listener = end;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (rank == 0) {
        if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1))
            MPI_Abort(MPI_COMM_WORLD, 4);
        getsockname(listener, (struct sockaddr *)&address, &length);
        port = address.sin_port;
        MPI_Send(&port, 1, MPI_INT, 1, 11, MPI_COMM_WORLD);
        end = accept(listener, NULL, NULL);
        close(listener);
    } else {
        MPI_Recv(&port, 1, MPI_INT, 0, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        address.sin_port = (in_port_t)port;
        if (connect(end, (struct sockaddr *)&address, length))
            MPI_Abort(MPI_COMM_WORLD, 4);
    }
    MPI_Comm_join(end, &there);
    MPI_Comm_disconnect(&there);
    close(end);
}

/* A file, and two halves that find each other through a port. */
static void others(const char *prefix)
{
    char name[4096], port[MPI_MAX_PORT_NAME] = "";
    MPI_File file;
    MPI_Comm half, there;
    int upper = rank >= size / 2;
    snprintf(name, sizeof name, "%s.file", prefix);
    MPI_File_open(MPI_COMM_WORLD, name,
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_close(&file);
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (upper)
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &there);
    else
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &there);
    MPI_Comm_disconnect(&there);
    MPI_Comm_free(&half);
    if (rank < 2)
        join();
}

/* Two more processes, by both calls; `children` alone is what they are. */
static void spawn(char *program)
{
    char *commands[] = {program, program};
    int most[] = {1, 1};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm parent, there;
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        MPI_Comm_disconnect(&parent);
        return;
    }
    MPI_Comm_spawn(program, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &there,
                   MPI_ERRCODES_IGNORE);
    MPI_Comm_disconnect(&there);
    MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, most, infos, 0, MPI_COMM_WORLD, &there,
                            MPI_ERRCODES_IGNORE);
    MPI_Comm_disconnect(&there);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 2) {
        spawn(argv[0]);
    } else if (argc > 2 && strcmp(argv[2], "others") == 0) {
        others(argv[1]);
    } else {
        copies();
        parts();
        merged();
        topologies();
        expect_write(argv[1], rank);
    }
    MPI_Finalize();
    return 0;
}
