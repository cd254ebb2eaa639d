/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * relay.c - the tree. A process stands for a run of ranks and is the first of them; the rest of the
 * run is cut into at most FAN_OUT runs of equal length, whose first ranks are its children. A
 * process that gets a question for another rank passes it to the child whose run has that rank, and
 * the answer back. 70 ranks (69 below rank 0, in runs of 3), and the way of a question to rank 66:
 *
 *   0 ... 69
 *   |-- 1 2 3          1 asks 2 and 3
 *   |-- 4 5 6
 *   :
 *   |-- 64 65 66       0 -> 64 -> 66, and the answer 66 -> 64 -> 0
 *   `-- 67 68 69
 *
 * Whoever has sent a question waits for an answer. So there is one to each question, also where MPI
 * fails: that it has failed, and who receives no more questions says that it leaves.
 */
#include "profiler/relay.h"

#include <stdlib.h>

enum { TAG_QUESTION = 1, TAG_ANSWER = 2, FAN_OUT = 32, END = -1 };

/* Bits of the last byte of an answer. */
enum { RELAY_CUT = 1, RELAY_FAILED = 2, RELAY_LEAVES = 4 };

/* The length of the runs of the children. */
static int relay_step(const struct relay *relay)
{
    return (relay->last - relay->first - 1 + FAN_OUT - 1) / FAN_OUT;
}

/* The number of the child whose run has `rank`. */
static int relay_child_of(const struct relay *relay, int rank)
{
    return (rank - relay->first - 1) / relay_step(relay);
}

static int relay_child_rank(const struct relay *relay, int child)
{
    return relay->first + 1 + child * relay_step(relay);
}

/* From the root down to this process. */
void relay_open(struct relay *relay, MPI_Comm comm, answering *answer, const void *context)
{
    int rank = 0, size = 1;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    *relay = (struct relay){
        .comm = comm, .answer = answer, .context = context, .parent = -1, .first = 0, .last = size};
    while (relay->first != rank) {
        int length = relay_step(relay), last = relay->last;
        int first = relay_child_rank(relay, relay_child_of(relay, rank));
        relay->parent = relay->first;
        relay->first = first;
        relay->last = first + length < last ? first + length : last;
    }
}

static void relay_send_answer(const struct relay *relay, const struct relay_answer *answer,
                              int leaves)
{
    char flags = (char)((answer->is_cut ? RELAY_CUT : 0) | (answer->has_failed ? RELAY_FAILED : 0) |
                        (leaves ? RELAY_LEAVES : 0));
    char *data = answer->data ? answer->data : &flags;
    size_t size = answer->data ? answer->size : 0;
    data[size] = flags;
    if (PMPI_Send(data, (int)size + 1, MPI_BYTE, relay->parent, TAG_ANSWER, relay->comm) ==
        MPI_SUCCESS)
        return;
    flags |= RELAY_FAILED; /* perhaps it was too long */
    PMPI_Send(&flags, 1, MPI_BYTE, relay->parent, TAG_ANSWER, relay->comm);
}

/* Returns whether the message has come. */
static int relay_receive_bytes(const struct relay *relay, int from, struct relay_answer *answer)
{
    MPI_Status status;
    int size = 0;
    if (PMPI_Probe(from, TAG_ANSWER, relay->comm, &status) ||
        PMPI_Get_count(&status, MPI_BYTE, &size) || size < 1)
        return 0;
    answer->data = malloc((size_t)size);
    answer->size = (size_t)size - 1;
    answer->is_cut = !answer->data;
    int rc = PMPI_Recv(answer->data, answer->data ? size : 0, MPI_BYTE, from, TAG_ANSWER,
                       relay->comm, MPI_STATUS_IGNORE);
    return !answer->data || rc == MPI_SUCCESS;
}

/* From a child that was sent a question. If its answer cannot be received, it is not known whether
 * that comes later, in the place of another. */
static struct relay_answer relay_receive(struct relay *relay, int child)
{
    struct relay_answer answer = {.data = NULL};
    int has_come = relay_receive_bytes(relay, relay_child_rank(relay, child), &answer);
    int flags = !has_come ? RELAY_FAILED : answer.data ? answer.data[answer.size] : RELAY_CUT;
    if (!has_come || flags & RELAY_LEAVES)
        relay->lost |= UINT32_C(1) << child;
    if (flags & RELAY_LEAVES)
        relay->left |= UINT32_C(1) << child;
    answer.is_cut = (flags & RELAY_CUT) != 0;
    answer.has_failed = (flags & RELAY_FAILED) != 0;
    if (!answer.data || answer.has_failed) {
        free(answer.data);
        answer.data = NULL;
        answer.size = 0;
    }
    return answer;
}

struct relay_answer relay_ask(struct relay *relay, const struct question *question)
{
    if (question->rank == relay->first)
        return relay->answer(relay->context, question);
    int child = relay_child_of(relay, question->rank);
    if (relay->lost >> child & 1 ||
        PMPI_Send(question, sizeof *question, MPI_BYTE, relay_child_rank(relay, child),
                  TAG_QUESTION, relay->comm))
        return (struct relay_answer){.has_failed = 1};
    return relay_receive(relay, child);
}

void relay_end(struct relay *relay)
{
    const struct question end = {.what = END};
    for (int child = 0; relay_child_rank(relay, child) < relay->last; child++)
        if (!(relay->left >> child & 1))
            PMPI_Send(&end, sizeof end, MPI_BYTE, relay_child_rank(relay, child), TAG_QUESTION,
                      relay->comm);
}

/* Who cannot receive any more ends as well, and so do those below, who would wait for it. */
void relay_serve(struct relay *relay)
{
    const struct relay_answer failed = {.has_failed = 1};
    struct question question;
    int rc;
    while ((rc = PMPI_Recv(&question, sizeof question, MPI_BYTE, relay->parent, TAG_QUESTION,
                           relay->comm, MPI_STATUS_IGNORE)) == MPI_SUCCESS &&
           question.what != END) {
        struct relay_answer a = relay_ask(relay, &question);
        relay_send_answer(relay, &a, 0);
        free(a.data);
    }
    if (rc != MPI_SUCCESS)
        relay_send_answer(relay, &failed, 1);
    relay_end(relay);
}
