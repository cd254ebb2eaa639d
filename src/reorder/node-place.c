/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node-place.c - see node-place.h.
 *
 *   all processes     find out what they are bound to, and agree: is any of them?
 *   the other ones    -- binding -->    the first one, which has read the machine
 *   the other ones    <-- place ----    the first one
 *
 * The first one answers one after the other, which needs no memory that could be short. A process
 * that waits for its answer sleeps in between: there may be more processes than processors, and the
 * one that reads should have one to itself.
 */
#include "reorder/node-place.h"

#include <time.h>

#include "treematch/adapters/binding.h"

enum { TAG_BINDING = 1, TAG_PLACE = 2 };

static void node_place_clear(struct tmap_place *place)
{
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        place->at[level] = -1;
}

static void node_place_find(const struct tmap_machine *machine, const struct tmap_binding *binding,
                            struct tmap_place *place)
{
    int bound;
    node_place_clear(place);
    if (machine && binding->words)
        tmap_machine_find_binding(machine, binding, place, &bound, NULL);
}

/* The first process, for one other. */
static void node_place_answer(const struct tmap_machine *machine, int rank, MPI_Comm node)
{
    struct tmap_binding binding;
    struct tmap_place place;
    MPI_Status status;
    int bytes = 0;
    if (PMPI_Recv(binding.word, sizeof binding.word, MPI_BYTE, rank, TAG_BINDING, node, &status) !=
            MPI_SUCCESS ||
        PMPI_Get_count(&status, MPI_BYTE, &bytes) != MPI_SUCCESS)
        bytes = 0;
    binding.words = (size_t)bytes / sizeof binding.word[0];
    node_place_find(machine, &binding, &place);
    PMPI_Send(&place, sizeof place, MPI_BYTE, rank, TAG_PLACE, node);
}

static void node_place_answer_all(const struct tmap_binding *binding, MPI_Comm node,
                                  struct tmap_place *place, struct tmap_error *why)
{
    struct tmap_machine *machine = NULL;
    int size = 1;
    PMPI_Comm_size(node, &size);
    if (tmap_machine_create(&machine, NULL, why) == TMAP_OK)
        why->text[0] = '\0';
    node_place_find(machine, binding, place);
    for (int rank = 1; rank < size; rank++)
        node_place_answer(machine, rank, node);
    tmap_machine_destroy(machine);
}

static int node_place_wait(MPI_Request *request)
{
    const struct timespec pause = {0, 100000};
    int done = 0, rc;
    while ((rc = PMPI_Test(request, &done, MPI_STATUS_IGNORE)) == MPI_SUCCESS && !done)
        nanosleep(&pause, NULL);
    return rc;
}

static void node_place_ask(const struct tmap_binding *binding, MPI_Comm node,
                           struct tmap_place *place)
{
    MPI_Request question = MPI_REQUEST_NULL, answer = MPI_REQUEST_NULL;
    struct tmap_place found;
    int bytes = (int)(binding->words * sizeof binding->word[0]);
    int rc = PMPI_Irecv(&found, sizeof found, MPI_BYTE, 0, TAG_PLACE, node, &answer);
    PMPI_Isend(binding->word, bytes, MPI_BYTE, 0, TAG_BINDING, node, &question);
    if (rc == MPI_SUCCESS && node_place_wait(&answer) == MPI_SUCCESS)
        *place = found;
    PMPI_Wait(&question, MPI_STATUS_IGNORE);
}

static int node_place_any_bound(const struct tmap_binding *binding, MPI_Comm comm)
{
    int mine = binding->words > 0, any = 0;
    PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm);
    return any;
}

void node_place(MPI_Comm node, struct tmap_place *place, struct tmap_error *why)
{
    struct tmap_binding binding;
    int rank = 0;
    why->text[0] = '\0';
    node_place_clear(place);
    tmap_binding_read(&binding);
    if (!node_place_any_bound(&binding, node))
        return;
    PMPI_Comm_rank(node, &rank);
    if (rank == 0)
        node_place_answer_all(&binding, node, place, why);
    else
        node_place_ask(&binding, node, place);
}

void node_place_among(MPI_Comm all, struct tmap_place *place)
{
    struct tmap_binding binding;
    struct tmap_error why;
    MPI_Comm node = MPI_COMM_NULL;
    node_place_clear(place);
    tmap_binding_read(&binding);
    if (!node_place_any_bound(&binding, all))
        return;
    PMPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    if (node == MPI_COMM_NULL)
        return;
    node_place(node, place, &why);
    PMPI_Comm_free(&node);
}
