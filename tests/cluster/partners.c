/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partners DISTANCE - each rank sends a lot to the rank DISTANCE away (0 to DISTANCE, 1 to
 * DISTANCE + 1, ... and back) and a little to the next one. Then a line for each rank:
 * `RANK HOST PUS PRELOADED`, and `that is all`.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"

enum { HEAVY = 100000, LIGHT = 10 };

static void exchange(int to, int from, int bytes)
{
    static char out[HEAVY], in[HEAVY];
    MPI_Sendrecv(out, bytes, MPI_BYTE, to, 0, in, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* The PUs on which this process may run, as the system lists them. */
static void find_pus(char *pus, size_t size)
{
    char line[LINE];
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Cpus_allowed_list: %63s", pus) == 1)
            break;
    if (file)
        fclose(file);
    pus[size - 1] = '\0';
}

int main(int argc, char **argv)
{
    char host[64], line[LINE] = "", pus[64] = "?";
    int rank, size, distance = argc > 1 ? atoi(argv[1]) : 1;
    const char *preload = getenv("LD_PRELOAD");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int partner = rank % (2 * distance) < distance ? rank + distance : rank - distance;
    exchange(partner, partner, HEAVY);
    exchange((rank + 1) % size, (rank + size - 1) % size, LIGHT);
    gethostname(host, sizeof host);
    find_pus(pus, sizeof pus);
    snprintf(line, sizeof line, "%d %s %s %s", rank, host, pus,
             preload && strstr(preload, "reseat") ? "preloaded" : "alone");
    print_lines(line);
    MPI_Finalize();
    return 0;
}
