/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node-place.c - see node-place.h.
 *
 *   all processes       find out what they are bound to, and agree: may any of them be?
 *   all processes       tell each other which machine they are on, and who may be bound there
 *   the bound ones      -- binding -->    the reader, the first of those on the machine
 *   the bound ones      <-- place ----    the reader
 *
 * No communicator is made for that. The reader answers one process after the other, so that it
 * needs no memory for their bindings. A process sleeps while it waits for its answer: there may be
 * more processes than processors, and the reader should have one to itself.
 */
#include "reorder/node-place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "format/host-name.h"
#include "format/location.h"
#include "treematch/adapters/binding.h"

/* The profiler also sends messages over `comm`, with other tags. */
enum { TAG_BINDING = 11, TAG_PLACE = 12 };

struct node_places {
    MPI_Comm comm;
    int rank, size;
    uint64_t *machine; /* by rank: node_place_machine's; NULL: out of memory */
    struct tmap_binding binding;
};

/* An identifier that is equal for the processes of one running system, apart from the lowest bit,
 * which tells whether this process may be bound. If the system cannot be identified, the process
 * counts as alone. */
static uint64_t node_place_machine(const struct node_places *p)
{
    char boot[64] = "", host[RESEAT_HOST_SIZE] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    int known = file && fgets(boot, sizeof boot, file) && gethostname(host, sizeof host - 1) == 0;
    if (file)
        fclose(file);
    uint64_t hash = reseat_hash_add(reseat_hash_empty, boot, strlen(boot));
    hash = reseat_hash_add(hash, host, strlen(host));
    if (!known)
        hash = reseat_hash_add(hash, &p->rank, sizeof p->rank);
    return (hash & ~UINT64_C(1)) | (p->binding.words > 0);
}

/* The first rank, from `rank` on, that is on the machine of this process and may be bound; `size`:
 * none. */
static int node_place_next(const struct node_places *p, int rank)
{
    while (rank < p->size && p->machine[rank] != p->machine[p->rank])
        rank++;
    return rank;
}

/* ---- the reader ---- */

static void node_place_find(const struct tmap_machine *machine, const struct tmap_binding *binding,
                            struct tmap_place *place)
{
    int bound;
    reseat_place_clear(place);
    if (machine)
        tmap_machine_find_binding(machine, binding, place, &bound, NULL);
}

static void node_place_answer(const struct node_places *p, const struct tmap_machine *machine,
                              int rank)
{
    struct tmap_binding binding;
    struct tmap_place place;
    MPI_Status status;
    int bytes = 0;
    if (PMPI_Recv(binding.word, sizeof binding.word, MPI_BYTE, rank, TAG_BINDING, p->comm,
                  &status) != MPI_SUCCESS ||
        PMPI_Get_count(&status, MPI_BYTE, &bytes) != MPI_SUCCESS)
        bytes = 0;
    binding.words = (size_t)bytes / sizeof binding.word[0];
    node_place_find(machine, &binding, &place);
    PMPI_Send(&place, sizeof place, MPI_BYTE, rank, TAG_PLACE, p->comm);
}

static void node_place_answer_all(const struct node_places *p, struct tmap_place *place,
                                  struct tmap_error *why)
{
    struct tmap_machine *machine = NULL;
    if (tmap_machine_create(&machine, NULL, why) == TMAP_OK)
        why->text[0] = '\0';
    node_place_find(machine, &p->binding, place);
    for (int rank = p->rank; (rank = node_place_next(p, rank + 1)) < p->size;)
        node_place_answer(p, machine, rank);
    tmap_machine_destroy(machine);
}

/* ---- the others ---- */

static int node_place_wait(MPI_Request *request)
{
    const struct timespec pause = {0, 100000};
    int done = 0, rc;
    while ((rc = PMPI_Test(request, &done, MPI_STATUS_IGNORE)) == MPI_SUCCESS && !done)
        nanosleep(&pause, NULL);
    return rc;
}

static void node_place_ask(const struct node_places *p, int reader, struct tmap_place *place)
{
    MPI_Request question = MPI_REQUEST_NULL, answer = MPI_REQUEST_NULL;
    struct tmap_place found;
    int bytes = (int)(p->binding.words * sizeof p->binding.word[0]);
    int rc = PMPI_Irecv(&found, sizeof found, MPI_BYTE, reader, TAG_PLACE, p->comm, &answer);
    PMPI_Isend(p->binding.word, bytes, MPI_BYTE, reader, TAG_BINDING, p->comm, &question);
    if (rc == MPI_SUCCESS && node_place_wait(&answer) == MPI_SUCCESS)
        *place = found;
    PMPI_Wait(&question, MPI_STATUS_IGNORE);
}

/* ---- all ---- */

static void node_place_alone(struct tmap_place *place, struct tmap_error *why)
{
    struct tmap_place found;
    int bound;
    if (tmap_place_find_self(&found, &bound, why) != TMAP_OK)
        return;
    why->text[0] = '\0';
    *place = found;
}

static void node_place_together(const struct node_places *p, struct tmap_place *place,
                                struct tmap_error *why)
{
    uint64_t mine = node_place_machine(p);
    p->machine[p->rank] = mine;
    if (PMPI_Allgather(&mine, 1, MPI_UINT64_T, p->machine, 1, MPI_UINT64_T, p->comm) !=
            MPI_SUCCESS ||
        !p->binding.words)
        return;
    int reader = node_place_next(p, 0);
    if (reader == p->rank)
        node_place_answer_all(p, place, why);
    else
        node_place_ask(p, reader, place);
}

void node_place(MPI_Comm comm, struct tmap_place *place, struct tmap_error *why)
{
    struct node_places p = {.comm = comm};
    why->text[0] = '\0';
    reseat_place_clear(place);
    tmap_binding_read(&p.binding);
    PMPI_Comm_rank(comm, &p.rank);
    PMPI_Comm_size(comm, &p.size);
    p.machine = malloc(sizeof *p.machine * (size_t)p.size);
    int mine[2] = {p.binding.words > 0, !p.machine}, any[2] = {0, 0};
    PMPI_Allreduce(mine, any, 2, MPI_INT, MPI_MAX, comm);
    if (any[0] && any[1])
        node_place_alone(place, why);
    else if (any[0])
        node_place_together(&p, place, why);
    free(p.machine);
}
