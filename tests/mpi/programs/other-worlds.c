/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * other-worlds.c - topologies on communicators with processes that are not of the same MPI_COMM_WORLD:
 * other-worlds WAY [PORT-FILE]
 *
 * WAY is how they come together: a row of `ways`. On what they share, every topology call is made with and without
 * reorder, and what follows from it; a line from each process says what it has received. No line depends on an order of
 * ranks that MPI or we may choose.
 */
#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 64 };

static int rank, size; /* in MPI_COMM_WORLD */
static char *program, *port_file;
static const char *here; /* which processes these are, in what is printed */

/* ---- the topology calls, a ring or a grid ---- */

static MPI_Comm make_cart(MPI_Comm comm, int me, int all, int reorder)
{
    int dims[2] = {0, 0}, periods[2] = {1, 1};
    MPI_Comm made;
    (void)me;
    MPI_Dims_create(all, 2, dims);
    MPI_Cart_create(comm, 2, dims, periods, reorder, &made);
    return made;
}

static MPI_Comm make_graph(MPI_Comm comm, int me, int all, int reorder)
{
    int index[MOST], edges[2 * MOST];
    MPI_Comm made;
    (void)me;
    for (int i = 0; i < all; i++) {
        index[i] = 2 * (i + 1);
        edges[2 * i] = (i + all - 1) % all;
        edges[2 * i + 1] = (i + 1) % all;
    }
    MPI_Graph_create(comm, all, index, edges, reorder, &made);
    return made;
}

static MPI_Comm make_dist(MPI_Comm comm, int me, int all, int reorder)
{
    int two = 2, to[2] = {(me + all - 1) % all, (me + 1) % all}, weights[2] = {1, 3};
    MPI_Comm made;
    MPI_Dist_graph_create(comm, 1, &me, &two, to, weights, MPI_INFO_NULL, reorder, &made);
    return made;
}

static MPI_Comm make_adjacent(MPI_Comm comm, int me, int all, int reorder)
{
    int to[2] = {(me + all - 1) % all, (me + 1) % all}, weights[2] = {1, 3};
    MPI_Comm made;
    MPI_Dist_graph_create_adjacent(comm, 2, to, weights, 2, to, weights, MPI_INFO_NULL, reorder,
                                   &made);
    return made;
}

static const struct {
    const char *name;
    MPI_Comm (*make)(MPI_Comm comm, int me, int all, int reorder);
} calls[] = {
    {"cart", make_cart}, {"graph", make_graph}, {"dist", make_dist}, {"adjacent", make_adjacent}};

/* The neighbors that MPI names. */
static void name_neighbors(MPI_Comm made, int role, int named[4])
{
    int kind, weights[4], in[4];
    MPI_Topo_test(made, &kind);
    if (kind == MPI_CART) {
        MPI_Cart_shift(made, 0, 1, &named[0], &named[1]);
        MPI_Cart_shift(made, 1, 1, &named[2], &named[3]);
    } else if (kind == MPI_GRAPH) {
        MPI_Graph_neighbors(made, role, 2, named);
    } else {
        MPI_Dist_graph_neighbors(made, 2, named, weights, 2, in, weights);
    }
}

static int add_up(MPI_Comm comm, int mine)
{
    int sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    return sum;
}

/* What a program does next, with a result that is known: on the old communicator, where a message of anybody else would be
 * taken for one of these, on the new one, and on its parts. */
static void use(MPI_Comm comm, MPI_Comm made, const char *name, int reorder)
{
    int me, role, told, kind, row = 0, remain[2] = {1, 0}, from[4] = {0}, named[4] = {0};
    MPI_Comm part;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_rank(made, &role);
    told = me == 0 ? 4711 : -me;
    MPI_Bcast(&told, 1, MPI_INT, 0, comm);
    MPI_Neighbor_allgather(&role, 1, MPI_INT, from, 1, MPI_INT, made);
    name_neighbors(made, role, named);
    MPI_Topo_test(made, &kind);
    if (kind == MPI_CART) {
        MPI_Cart_sub(made, remain, &part);
        row = add_up(part, 1);
        MPI_Comm_free(&part);
    }
    MPI_Comm_split(made, me % 2, role, &part);
    printf("%s %d, %d there: %s, reorder %d: told %d, neighbors %s, row %d, %d in all, half %d\n",
           here, rank, me, name, reorder, told,
           memcmp(from, named, sizeof from) ? "wrong" : "right", row, add_up(made, 1),
           add_up(part, me));
    MPI_Comm_free(&part);
}

static void topologies(MPI_Comm comm)
{
    int me, all;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &all);
    for (int reorder = 0; reorder < 2; reorder++)
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            if (all == 2 && reorder && calls[i].make == make_dist)
                continue; /* Open MPI's topo/treematch may end the program */
            MPI_Comm made = calls[i].make(comm, me, all, reorder);
            use(comm, made, calls[i].name, reorder);
            MPI_Comm_free(&made);
        }
}

/* The two sides of an intercommunicator; both call this. */
static void together(MPI_Comm there, int high)
{
    MPI_Comm all;
    MPI_Intercomm_merge(there, high, &all);
    topologies(all);
    MPI_Comm_free(&all);
}

/* ---- how they come together ---- */

static MPI_Comm spawn(MPI_Comm comm, const char *way, int count)
{
    char *arguments[] = {(char *)way, NULL};
    MPI_Comm there;
    MPI_Comm_spawn(program, arguments, count, MPI_INFO_NULL, 0, comm, &there, MPI_ERRCODES_IGNORE);
    return there;
}

static void way_spawn(MPI_Comm parent)
{
    MPI_Comm there = parent == MPI_COMM_NULL ? spawn(MPI_COMM_WORLD, "spawn", 2) : parent;
    together(there, parent != MPI_COMM_NULL);
    topologies(MPI_COMM_WORLD);
    MPI_Comm_disconnect(&there);
}

/* The child has a child of its own. */
static void way_nested(MPI_Comm parent)
{
    MPI_Comm next = MPI_COMM_NULL;
    if (parent == MPI_COMM_NULL)
        next = spawn(MPI_COMM_WORLD, "child", 1);
    else if (strcmp(here, "child") == 0)
        next = spawn(MPI_COMM_WORLD, "grandchild", 2);
    if (parent != MPI_COMM_NULL)
        together(parent, 1);
    if (next != MPI_COMM_NULL)
        together(next, 0);
    if (parent != MPI_COMM_NULL)
        MPI_Comm_disconnect(&parent);
    if (next != MPI_COMM_NULL)
        MPI_Comm_disconnect(&next);
}

/* Half of the world spawns; the other one works by itself meanwhile. */
static void way_half(MPI_Comm parent)
{
    MPI_Comm half, there = parent;
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &half);
    if (parent == MPI_COMM_NULL && rank < size / 2)
        there = spawn(half, "half", 1);
    if (there != MPI_COMM_NULL)
        together(there, parent != MPI_COMM_NULL);
    else
        topologies(half);
    topologies(MPI_COMM_WORLD);
    MPI_Comm_free(&half);
    if (there != MPI_COMM_NULL)
        MPI_Comm_disconnect(&there);
}

/* Only the first process spawns; the others meet the child in a communicator that two groups make. */
static void way_bridge(MPI_Comm parent)
{
    MPI_Comm pair, rest, there = parent, far;
    if (parent == MPI_COMM_NULL)
        MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &rest);
    if (parent == MPI_COMM_NULL && rank == 0)
        there = spawn(MPI_COMM_SELF, "bridge", 1);
    if (there != MPI_COMM_NULL)
        MPI_Intercomm_merge(there, parent != MPI_COMM_NULL, &pair);
    if (there == MPI_COMM_NULL)
        MPI_Intercomm_create(rest, 0, MPI_COMM_WORLD, 0, 7, &far);
    else
        MPI_Intercomm_create(pair, 0, MPI_COMM_WORLD, 1, 7, &far);
    together(far, there == MPI_COMM_NULL);
    MPI_Comm_free(&far);
    if (parent == MPI_COMM_NULL)
        MPI_Comm_free(&rest);
    if (there == MPI_COMM_NULL)
        return;
    MPI_Comm_free(&pair);
    MPI_Comm_disconnect(&there);
}

/* A topology first, and an intercommunicator between a part of it and processes that know nothing of it. */
static void way_between(MPI_Comm parent)
{
    int dims[1] = {size / 2}, periods[1] = {1};
    MPI_Comm half, grid, there;
    if (parent != MPI_COMM_NULL)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &half);
    if (rank < size / 2)
        MPI_Cart_create(half, 1, dims, periods, 1, &grid);
    else
        MPI_Comm_dup(half, &grid);
    MPI_Intercomm_create(grid, 0, MPI_COMM_WORLD, rank < size / 2 ? size / 2 : 0, 7, &there);
    together(there, rank < size / 2);
    MPI_Comm_free(&there);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&half);
}

/* Two halves of one world. */
static void way_accept(MPI_Comm parent)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm half, there;
    (void)parent;
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &half);
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank < size / 2)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &there);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &there);
    together(there, rank < size / 2);
    MPI_Comm_disconnect(&there);
    MPI_Comm_free(&half);
}

/* The spawned ones come again, through a port. */
static void way_port(MPI_Comm parent)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm there = parent == MPI_COMM_NULL ? spawn(MPI_COMM_WORLD, "port", 2) : parent, again;
    int root = parent != MPI_COMM_NULL ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    if (root == MPI_ROOT)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, sizeof port, MPI_CHAR, root, there);
    if (parent == MPI_COMM_NULL)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &again);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &again);
    together(again, parent == MPI_COMM_NULL);
    MPI_Comm_disconnect(&again);
    MPI_Comm_disconnect(&there);
}

/* The first process and one that it has spawned, over a socket. */
static void way_join(MPI_Comm parent)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    MPI_Comm there = parent == MPI_COMM_NULL ? spawn(MPI_COMM_WORLD, "join", 1) : parent, joined;
    int port = 0, end = socket(AF_INET, SOCK_STREAM, 0);
    int root = parent != MPI_COMM_NULL ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (root == MPI_ROOT && (bind(end, (struct sockaddr *)&address, length) || listen(end, 1) ||
                             getsockname(end, (struct sockaddr *)&address, &length)))
        MPI_Abort(MPI_COMM_WORLD, 4);
    port = address.sin_port;
    MPI_Bcast(&port, 1, MPI_INT, root, there);
    address.sin_port = (in_port_t)port;
    if (root == 0 && connect(end, (struct sockaddr *)&address, length))
        MPI_Abort(MPI_COMM_WORLD, 4);
    if (root == MPI_ROOT)
        end = accept(end, NULL, NULL);
    if (root != MPI_PROC_NULL) {
        MPI_Comm_join(end, &joined);
        together(joined, root == 0);
        MPI_Comm_disconnect(&joined);
    }
    MPI_Comm_disconnect(&there);
}

/* Two jobs: the one that finds the file of the port connects. */
static void way_jobs(MPI_Comm parent)
{
    char port[MPI_MAX_PORT_NAME] = "";
    FILE *file;
    MPI_Comm there;
    int accepts = strcmp(here, "first") == 0;
    (void)parent;
    if (rank == 0 && accepts) {
        char name[4096];
        MPI_Open_port(MPI_INFO_NULL, port);
        snprintf(name, sizeof name, "%s.new", port_file);
        if (!(file = fopen(name, "w")) || fprintf(file, "%s\n", port) < 0 || fclose(file) ||
            rename(name, port_file))
            MPI_Abort(MPI_COMM_WORLD, 5);
    } else if (rank == 0) {
        while (!(file = fopen(port_file, "r")))
            usleep(10000);
        if (!fgets(port, sizeof port, file))
            MPI_Abort(MPI_COMM_WORLD, 5);
        port[strcspn(port, "\n")] = '\0';
        fclose(file);
    }
    if (accepts)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &there);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &there);
    together(there, accepts);
    topologies(MPI_COMM_WORLD);
    MPI_Comm_disconnect(&there);
}

static const struct {
    const char *name;
    void (*go)(MPI_Comm parent);
} ways[] = {{"spawn", way_spawn},       {"nested", way_nested}, {"child", way_nested},
            {"grandchild", way_nested}, {"half", way_half},     {"bridge", way_bridge},
            {"between", way_between},   {"accept", way_accept}, {"port", way_port},
            {"join", way_join},         {"first", way_jobs},    {"second", way_jobs}};

int main(int argc, char **argv)
{
    MPI_Comm parent;
    program = argv[0];
    port_file = argc > 2 ? argv[2] : NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_parent(&parent);
    here = strcmp(argv[1], "child") == 0 || parent == MPI_COMM_NULL ? argv[1] : "spawned";
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0)
            ways[i].go(parent);
    MPI_Finalize();
    return 0;
}
