/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pretended-machines.c - a program on machines that do not exist: `pretended-machines FILE`. Line r
 * of the file is rank r: the name of its host, the machine for hwloc (- for the real one, none for
 * an hwloc that fails, a path for an XML file), the PUs that it is bound to (0-3,8). After MPI_Init
 * the functions below, which come before libc's, pretend it.
 *
 * Rank r and rank r + n/2 exchange much, ranks r and r + 2 a little. Rank 0 prints for each role of
 * the new communicator where it is: `role host PUs`.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RANKS = 64 };

struct seat {
    char host[64], machine[200], cpus[64];
};

static struct seat seats[MOST_RANKS];
static int pretending, rank, size;

#define IN_FRONT __attribute__((visibility("default")))

IN_FRONT int gethostname(char *name, size_t length)
{
    if (!pretending)
        return snprintf(name, length, "this") < 0;
    snprintf(name, length, "%s", seats[rank].host);
    return 0;
}

/* Before it pretends the machine is whole. */
IN_FRONT int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    const char *at = pretending ? seats[rank].cpus : "0-63";
    int first, last, length;
    (void)pid;
    memset(set, 0, bytes);
    while (sscanf(at, "%d%n", &first, &length) == 1) {
        at += length;
        last = first;
        if (*at == '-' && sscanf(at + 1, "%d%n", &last, &length) == 1)
            at += 1 + length;
        for (int cpu = first; cpu <= last; cpu++)
            CPU_SET_S((size_t)cpu, bytes, set);
        at += *at == ',';
    }
    return 0;
}

static int read_seats(const char *name)
{
    FILE *file = fopen(name, "r");
    int count = 0;
    while (file && count < MOST_RANKS &&
           fscanf(file, "%63s %199s %63s", seats[count].host, seats[count].machine,
                  seats[count].cpus) == 3)
        count++;
    if (file)
        fclose(file);
    return count >= size ? 0 : -1;
}

static void pretend(void)
{
    const char *machine = seats[rank].machine;
    char text[200];
    snprintf(text, sizeof text, "%s", machine);
    for (char *c = text; *c; c++)
        if (*c == '+')
            *c = ' ';
    setenv("HWLOC_THISSYSTEM", "1", 1);
    if (strcmp(machine, "none") == 0)
        setenv("HWLOC_COMPONENTS", "stop", 1);
    else if (strchr(machine, '/'))
        setenv("HWLOC_XMLFILE", machine, 1);
    else if (strcmp(machine, "-") != 0)
        setenv("HWLOC_SYNTHETIC", text, 1);
    pretending = 1;
}

static MPI_Comm make_graph(void)
{
    int half = size / 2, partners = 0, partner[3], weight[3];
    MPI_Comm graph;
    for (int r = 0; r < size; r++) {
        int apart = abs(r - rank), heavy = apart == half && (r < rank ? rank : r) < 2 * half;
        if (heavy || apart == 2 || (size % 2 == 0 && apart == size - 2 && size > 4)) {
            partner[partners] = r;
            weight[partners++] = heavy ? 1000 : 10;
        }
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, partners, partner, weight, partners, partner,
                                   weight, MPI_INFO_NULL, 1, &graph);
    return graph;
}

int main(int argc, char **argv)
{
    struct seat all[MOST_RANKS];
    int fails;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 2 || size > MOST_RANKS || read_seats(argv[1]))
        MPI_Abort(MPI_COMM_WORLD, 1);
    pretend();
    MPI_Comm graph = make_graph();
    pretending = 0;
    fails = MPI_Gather(&seats[rank], sizeof seats[rank], MPI_BYTE, all, sizeof all[0], MPI_BYTE, 0,
                       graph);
    MPI_Comm_rank(graph, &rank);
    for (int r = 0; rank == 0 && r < size; r++)
        printf("%d %s %s\n", r, all[r].host, all[r].cpus);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return fails;
}
