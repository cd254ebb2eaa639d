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
 */
#include "profiler/relay.h"

#include <stdlib.h>

enum { TAG_QUESTION = 1, TAG_ANSWER = 2, FAN_OUT = 32, END = -1 };

struct run {
    int parent; /* of its first rank */
    int first, last;
};

/* The length of the runs of the children. */
static int relay_step(const struct run *run)
{
    return (run->last - run->first - 1 + FAN_OUT - 1) / FAN_OUT;
}

/* The child's run that has `rank`. */
static struct run relay_is_below(const struct run *run, int rank)
{
    int length = relay_step(run);
    int first = run->first + 1 + (rank - run->first - 1) / length * length;
    int last = first + length < run->last ? first + length : run->last;
    return (struct run){run->first, first, last};
}

static struct run relay_own(MPI_Comm comm)
{
    int rank = 0, size = 1;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    struct run run = {-1, 0, size};
    while (run.first != rank)
        run = relay_is_below(&run, rank);
    return run;
}

/* The last byte of a message says whether the answer is cut. */
static void relay_send_answer(MPI_Comm comm, int to, const struct relay_answer *answer)
{
    char is_cut = answer->is_cut != 0, *data = answer->data ? answer->data : &is_cut;
    size_t size = answer->data ? answer->size : 0;
    data[size] = is_cut;
    PMPI_Send(data, (int)size + 1, MPI_BYTE, to, TAG_ANSWER, comm);
}

static struct relay_answer relay_receive(MPI_Comm comm, int from)
{
    struct relay_answer answer = {NULL, 0, 0};
    MPI_Status status;
    int size = 0;
    if (PMPI_Probe(from, TAG_ANSWER, comm, &status) || PMPI_Get_count(&status, MPI_BYTE, &size) ||
        size < 0)
        return answer;
    answer.data = malloc((size_t)size + 1);
    answer.is_cut = !answer.data;
    if (PMPI_Recv(answer.data, answer.data ? size : 0, MPI_BYTE, from, TAG_ANSWER, comm,
                  MPI_STATUS_IGNORE) == MPI_SUCCESS &&
        answer.data && size > 0) {
        answer.size = (size_t)size - 1;
        answer.is_cut = answer.data[answer.size];
    }
    return answer;
}

/* At the first rank of `run`: the answer to a question that has arrived there. */
static struct relay_answer relay_find(MPI_Comm comm, const struct run *run,
                                      const struct question *question, answering *answer)
{
    if (question->rank == run->first)
        return answer(question);
    int child = relay_is_below(run, question->rank).first;
    if (PMPI_Send(question, sizeof *question, MPI_BYTE, child, TAG_QUESTION, comm))
        return (struct relay_answer){NULL, 0, 0};
    return relay_receive(comm, child);
}

static void relay_pass_end(MPI_Comm comm, const struct run *run)
{
    struct question end = {.what = END};
    int length = relay_step(run);
    for (int child = run->first + 1; child < run->last; child += length)
        PMPI_Send(&end, sizeof end, MPI_BYTE, child, TAG_QUESTION, comm);
}

/* Who cannot receive any more ends as well, and so do those below, who would wait for it. */
void relay_serve(MPI_Comm comm, answering *answer)
{
    struct run run = relay_own(comm);
    struct question question;
    while (PMPI_Recv(&question, sizeof question, MPI_BYTE, run.parent, TAG_QUESTION, comm,
                     MPI_STATUS_IGNORE) == MPI_SUCCESS &&
           question.what != END) {
        struct relay_answer a = relay_find(comm, &run, &question, answer);
        relay_send_answer(comm, run.parent, &a);
        free(a.data);
    }
    relay_pass_end(comm, &run);
}

struct relay_answer relay_ask(MPI_Comm comm, const struct question *question, answering *answer)
{
    struct run run = relay_own(comm);
    return relay_find(comm, &run, question, answer);
}

void relay_end(MPI_Comm comm)
{
    struct run run = relay_own(comm);
    relay_pass_end(comm, &run);
}
