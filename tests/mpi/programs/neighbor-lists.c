/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighbor-lists.c - is the reordered communicator as the standard requires? A random directed
 * multigraph, known to all, is given to one of the two calls, by the process itself or (edges of
 * others) by its neighbor in rank; then the process with rank r must have exactly the lists that
 * rank r's were, and neighborhood collectives must bring what rank r's neighbors sent.
 *
 * usage: neighbor-lists adjacent|create|foreign weighted|unweighted|empty [calls] [sub]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, LONGEST = 400 };

static int size, weighted, failures;
/* The graph: edge e goes from tail[e] to head[e] with weight[e]. */
static int edges, tail[MOST * 8], head[MOST * 8], weight[MOST * 8];

/* Partners far apart in rank talk most, so that by-slot placement is bad. */
static void make_graph(unsigned seed, int empty)
{
    edges = 0;
    srand(seed);
    for (int r = 0; r < size && !empty; r++) {
        int degree = 1 + rand() % 4;
        for (int i = 0; i < degree; i++) {
            tail[edges] = r;
            head[edges] = i == 0 ? (r + size / 2) % size : rand() % size;
            weight[edges++] = i == 0 ? 1000 : 1 + rand() % 9;
        }
    }
}

static int out_of(int role, int *targets, int *weights)
{
    int n = 0;
    for (int e = 0; e < edges; e++)
        if (tail[e] == role) {
            targets[n] = head[e];
            weights[n++] = weight[e];
        }
    return n;
}

static int in_of(int role, int *sources, int *weights)
{
    int n = 0;
    for (int e = 0; e < edges; e++)
        if (head[e] == role) {
            sources[n] = tail[e];
            weights[n++] = weight[e];
        }
    return n;
}

static MPI_Comm create_adjacent(MPI_Comm comm, int role)
{
    int sources[LONGEST], targets[LONGEST], in_weights[LONGEST], out_weights[LONGEST];
    int in = in_of(role, sources, in_weights), out = out_of(role, targets, out_weights);
    MPI_Comm result;
    MPI_Dist_graph_create_adjacent(comm, in, sources, weighted ? in_weights : MPI_UNWEIGHTED, out,
                                   targets, weighted ? out_weights : MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   1, &result);
    return result;
}

/* Every process gives the edges of one role: its own, or another's. */
static MPI_Comm create_general(MPI_Comm comm, int role, int reorder)
{
    int targets[LONGEST], weights[LONGEST];
    int degree = out_of(role, targets, weights);
    MPI_Comm result;
    MPI_Dist_graph_create(comm, 1, &role, &degree, targets, weighted ? weights : MPI_UNWEIGHTED,
                          MPI_INFO_NULL, reorder, &result);
    return result;
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(int));
}

/* Lists as pairs (rank, weight); in any order when MPI may choose it. */
static void check_list(const char *what, int role, int n, const int *found,
                       const int *found_weights, int expected_n, const int *expected,
                       const int *expected_weights, int sorted)
{
    int a[LONGEST][2], b[LONGEST][2];
    int bad = n != expected_n;
    for (int i = 0; i < n && !bad; i++) {
        a[i][0] = found[i];
        a[i][1] = weighted ? found_weights[i] : 0;
        b[i][0] = expected[i];
        b[i][1] = weighted ? expected_weights[i] : 0;
    }
    if (!bad && sorted) {
        qsort(a, (size_t)n, sizeof a[0], compare);
        qsort(b, (size_t)n, sizeof b[0], compare);
    }
    if (bad || memcmp(a, b, sizeof a[0] * (size_t)n) != 0) {
        fprintf(stderr, "role %d: %s are not those of rank %d\n", role, what, role);
        failures++;
    }
}

/* Everybody sends (its role, number of the edge to that target); doubles go in order. */
static void check_exchange(MPI_Comm comm, int role, int in, const int *sources, int out)
{
    int send[LONGEST], receive[LONGEST], counts[LONGEST], starts[LONGEST], in_counts[LONGEST],
        in_starts[LONGEST];
    for (int i = 0; i < LONGEST; i++)
        receive[i] = -1;
    for (int i = 0; i < out; i++)
        send[i] = role;
    MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm);
    for (int i = 0; i < in; i++)
        failures += receive[i] != sources[i];
    for (int i = 0; i < LONGEST; i++)
        receive[i] = -1;
    for (int i = 0; i < out; i++) { /* role % 3 copies to everyone */
        counts[i] = role % 3;
        starts[i] = 0;
    }
    for (int i = 0; i < 3; i++)
        send[i] = role;
    for (int i = 0; i < in; i++) {
        in_counts[i] = sources[i] % 3;
        in_starts[i] = 3 * i;
    }
    MPI_Neighbor_alltoallv(send, counts, starts, MPI_INT, receive, in_counts, in_starts, MPI_INT,
                           comm);
    for (int i = 0; i < in; i++)
        for (int k = 0; k < 3; k++)
            failures += receive[3 * i + k] != (k < in_counts[i] ? sources[i] : -1);
}

static void check(MPI_Comm comm, int any_order)
{
    int sources[LONGEST], targets[LONGEST], in_weights[LONGEST], out_weights[LONGEST];
    int expected[LONGEST], expected_weights[LONGEST], role, in, out, is_weighted;
    MPI_Comm_rank(comm, &role);
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &is_weighted);
    if (!is_weighted != !weighted) {
        fprintf(stderr, "role %d: weighted is %d\n", role, is_weighted);
        failures++;
    }
    MPI_Dist_graph_neighbors(comm, in, sources, in_weights, out, targets, out_weights);
    int n = in_of(role, expected, expected_weights);
    check_list("sources", role, in, sources, in_weights, n, expected, expected_weights, any_order);
    n = out_of(role, expected, expected_weights);
    check_list("targets", role, out, targets, out_weights, n, expected, expected_weights,
               any_order);
    check_exchange(comm, role, in, sources, out);
}

int main(int argc, char **argv)
{
    int rank, all, moved = 0;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    int calls = argc > 3 ? atoi(argv[3]) : 1;
    MPI_Comm_rank(comm, &rank);
    if (getenv("TEST_NO_HWLOC") && atoi(getenv("TEST_NO_HWLOC")) == rank)
        setenv("HWLOC_COMPONENTS", "stop", 1); /* after MPI's own use of hwloc */
    if (argc > 4) /* a sub-communicator with all ranks but the last, in reverse */
        MPI_Comm_split(MPI_COMM_WORLD, rank < 7, -rank, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    weighted = strcmp(argv[2], "unweighted") != 0;
    for (int call = 0; call < calls; call++) {
        MPI_Comm graph;
        make_graph((unsigned)call + 1, strcmp(argv[2], "empty") == 0);
        if (strcmp(argv[1], "adjacent") == 0)
            graph = create_adjacent(comm, rank);
        else
            graph = create_general(comm, argv[1][0] == 'f' ? (rank + 3) % size : rank, 1);
        int role;
        MPI_Comm_rank(graph, &role);
        moved += role != rank;
        if (rank == 0 && role != 0)
            fprintf(stderr, "rank 0 was moved to role %d\n", role);
        check(graph, strcmp(argv[1], "adjacent") != 0);
        MPI_Comm_free(&graph);
    }
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&moved, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%d failures, %s\n", failures, all ? "moved" : "not moved");
    MPI_Finalize();
    return failures != 0;
}
