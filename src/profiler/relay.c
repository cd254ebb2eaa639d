/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * relay.c - over the tree of rank-tree.h. A process that gets a question for another rank passes it
 * to the child whose run has that rank, and the answer back: of 70 ranks, 0 -> 64 -> 66 is the way
 * to rank 66, and 66 -> 64 -> 0 that of its answer.
 *
 * Whoever has sent a question waits for an answer. So there is one to each question, also where MPI
 * fails: that it has failed, and who receives no more questions says that it leaves.
 *
 * A message that MPI neither carries nor refuses would keep the ranks here for ever, at the end of
 * a job that was good. So all waiting has a limit (rank-tree.h). Between two questions to one rank
 * all others are asked. So rank 0 tells them that it still asks, and who hears nothing for so long
 * leaves. Memory that MPI may still read is not given back. What MPI_Finalize does with such a
 * message is up to the MPI.
 */
#include "profiler/relay.h"

#include <stdlib.h>

#include "base/clock.h"
#include "comm/waiting.h"

enum { TAG_QUESTION = 1, TAG_ANSWER = 2, END = -1, STILL = -2 };

/* Bits of the last byte of an answer. */
enum { FLAG_CUT = 1, FLAG_FAILED = 2, FLAG_LEAVES = 4, FLAG_LATE = 8 };

static enum waiting relay_send(const struct relay *relay, const void *data, size_t size, int to,
                               int tag)
{
    return waiting_send(data, size, to, tag, relay->rank_tree.comm, relay->rank_tree.patience);
}

void relay_open(struct relay *relay, MPI_Comm comm, answering *answer, const void *context)
{
    *relay = (struct relay){.answer = answer, .context = context, .spoken = clock_now()};
    rank_tree_open(&relay->rank_tree, comm);
}

/* Frees what is in the answer. */
static void relay_send_answer(const struct relay *relay, const struct relay_answer *answer,
                              int leaves)
{
    char flags =
        (char)((answer->is_cut ? FLAG_CUT : 0) | (answer->has_failed ? FLAG_FAILED : 0) |
               (answer->has_failed == RELAY_LATE ? FLAG_LATE : 0) | (leaves ? FLAG_LEAVES : 0));
    char *data = answer->data ? answer->data : &flags;
    size_t size = answer->data ? answer->size : 0;
    data[size] = flags;
    enum waiting how = relay_send(relay, data, size + 1, relay->rank_tree.parent, TAG_ANSWER);
    if (how == WAITING_TOO_LONG)
        return;
    free(answer->data);
    flags |= FLAG_FAILED; /* perhaps it was too long */
    if (how == WAITING_FAILED)
        relay_send(relay, &flags, 1, relay->rank_tree.parent, TAG_ANSWER);
}

static enum waiting relay_receive_bytes(const struct relay *relay, int from,
                                        struct relay_answer *answer)
{
    MPI_Status status;
    int size = 0;
    enum waiting how = waiting_probe(from, TAG_ANSWER, relay->rank_tree.comm, &status,
                                     rank_tree_patience_down(&relay->rank_tree));
    if (how != WAITING_DONE)
        return how;
    if (PMPI_Get_count(&status, MPI_BYTE, &size) || size < 1)
        return WAITING_FAILED;
    answer->data = malloc((size_t)size);
    answer->size = (size_t)size - 1;
    answer->is_cut = !answer->data;
    how = waiting_receive(answer->data, answer->data ? (size_t)size : 0, from, TAG_ANSWER,
                          relay->rank_tree.comm, relay->rank_tree.patience);
    if (how == WAITING_TOO_LONG)
        answer->data = NULL;
    return how == WAITING_FAILED && !answer->data ? WAITING_DONE : how;
}

/* From a child that was sent a question. If its answer cannot be received, it is not known whether
 * that comes later, in the place of another. */
static struct relay_answer relay_receive(struct relay *relay, int child)
{
    struct relay_answer answer = {.data = NULL};
    enum waiting how =
        relay_receive_bytes(relay, rank_tree_child(&relay->rank_tree, child), &answer);
    int flags = how == WAITING_TOO_LONG ? FLAG_FAILED | FLAG_LATE
                : how == WAITING_FAILED ? FLAG_FAILED
                : answer.data           ? answer.data[answer.size]
                                        : FLAG_CUT;
    if (how != WAITING_DONE || flags & FLAG_LEAVES)
        relay->lost |= UINT32_C(1) << child;
    if (flags & FLAG_LEAVES)
        relay->left |= UINT32_C(1) << child;
    answer.is_cut = (flags & FLAG_CUT) != 0;
    answer.has_failed = flags & FLAG_LATE     ? RELAY_LATE
                        : flags & FLAG_FAILED ? RELAY_BROKEN
                                              : RELAY_HAS_COME;
    if (!answer.data || answer.has_failed) {
        free(answer.data);
        answer.data = NULL;
        answer.size = 0;
    }
    return answer;
}

/* To all children but those. */
static void relay_tell(const struct relay *relay, int what, uint32_t but)
{
    const struct question told = {.what = what};
    for (int child = 0; rank_tree_child(&relay->rank_tree, child) < relay->rank_tree.last; child++)
        if (!(but >> child & 1))
            relay_send(relay, &told, sizeof told, rank_tree_child(&relay->rank_tree, child),
                       TAG_QUESTION);
}

struct relay_answer relay_ask(struct relay *relay, const struct question *question)
{
    if (relay->rank_tree.parent < 0 && clock_now() - relay->spoken > relay->rank_tree.patience) {
        relay_tell(relay, STILL, relay->lost);
        relay->spoken = clock_now();
    }
    if (question->rank == relay->rank_tree.first)
        return relay->answer(relay->context, question);
    int child = rank_tree_child_of(&relay->rank_tree, question->rank);
    if (relay->lost >> child & 1 ||
        relay_send(relay, question, sizeof *question, rank_tree_child(&relay->rank_tree, child),
                   TAG_QUESTION))
        return (struct relay_answer){.has_failed = RELAY_BROKEN};
    return relay_receive(relay, child);
}

void relay_end(struct relay *relay)
{
    relay_tell(relay, END, relay->left);
}

/* Who cannot receive any more ends as well, and so do those below, who would wait for it. */
void relay_serve(struct relay *relay)
{
    const struct relay_answer failed = {.has_failed = RELAY_BROKEN};
    struct question question;
    enum waiting how;
    while ((how = waiting_receive(&question, sizeof question, relay->rank_tree.parent, TAG_QUESTION,
                                  relay->rank_tree.comm,
                                  rank_tree_patience_up(&relay->rank_tree))) == WAITING_DONE &&
           question.what != END) {
        if (question.what == STILL) {
            relay_tell(relay, STILL, relay->lost);
            continue;
        }
        struct relay_answer a = relay_ask(relay, &question);
        relay_send_answer(relay, &a, 0);
    }
    if (how != WAITING_DONE)
        relay_send_answer(relay, &failed, 1);
    relay_end(relay);
}
