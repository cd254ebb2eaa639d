/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * relay.c - over the tree of rank-tree.h. A question goes down to all children whose runs have
 * ranks that are asked, and then this process answers: first its own, then what comes from each
 * child, in order. Of 70 ranks, rank 64 passes on its answer, then those of ranks 65 and 66:
 *
 *   question   0 -> 1, 4, ... 64, 67        64 -> 65, 66
 *   answers    65 -> 64, 66 -> 64           64 -> 0: | 64 ... | 65 ... | 66 ... |
 *
 * All processes work on their answers at once. From a child the answers come as one stream, cut
 * into pieces without regard to where one of them ends, so that small ones travel together, and
 * large ones need no memory on the way. A piece is sent synchronously: it completes when it is
 * received, so a child is at most one piece ahead of its parent, however slowly rank 0 writes. In
 * time, that is the depth of the tree, and a step for each piece that arrives at rank 0.
 *
 * Whoever has sent a question waits for a last piece. So there is one to each question, also where
 * MPI fails: it says that it has failed, and who receives no more questions says that it leaves.
 * After a failure the other children are read to their end all the same, for they wait to be read.
 *
 * A message that MPI neither carries nor refuses would keep the ranks here for ever, at the end of
 * a job that was good. So all waiting has a limit (rank-tree.h). Before the answers of a process
 * come those of all lower ranks. So rank 0 tells all that it still asks, and who hears nothing for
 * so long leaves. What MPI_Finalize does with a message that has not been taken is up to the MPI.
 */
#include "profiler/relay.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "comm/waiting.h"

enum { TAG_QUESTION = 1, TAG_ANSWER = 2, END = -1, STILL = -2 };

/* Flags of a piece. Only a last one may have the others. */
enum { PIECE_LAST = 1, PIECE_LATE = 2, PIECE_LEAVES = 4 };

struct relay_piece {
    int32_t flags;
    int32_t failed; /* as in struct relay */
    int32_t size;
    char data[RELAY_PIECE];
};

/* Before each answer in the stream. */
struct relay_head {
    int32_t rank;
    int32_t is_cut;
    uint64_t size;
};

/* The answers to a question, on their way through this process. */
struct relay_stream {
    struct relay *relay;
    int is_over;              /* nothing is passed on any more */
    struct relay_piece piece; /* the next to the parent; rank 0 has the rest instead */
    taking *take;
    void *to;
    struct relay_head head;
    struct relay_answer answer;
    size_t has; /* bytes of head and answer that have come */
};

void relay_open(struct relay *relay, MPI_Comm comm, answering *answer, const void *context)
{
    *relay = (struct relay){
        .answer = answer, .context = context, .spoken = clock_now(), .failed = RANK_TREE_NOBODY};
    rank_tree_open(&relay->rank_tree, comm);
}

/* ---- down ---- */

static enum waiting relay_send_question(const struct relay *relay, int child,
                                        const struct question *question)
{
    return waiting_send(question, sizeof *question, rank_tree_child(&relay->rank_tree, child),
                        TAG_QUESTION, relay->rank_tree.comm, relay->rank_tree.patience);
}

/* To all children but those. */
static void relay_tell(const struct relay *relay, int what, uint32_t but)
{
    const struct question told = {.what = what};
    for (int child = 0; rank_tree_child(&relay->rank_tree, child) < relay->rank_tree.last; child++)
        if (!(but >> child & 1))
            relay_send_question(relay, child, &told);
}

/* At rank 0, from time to time. */
static void relay_remind(struct relay *relay)
{
    if (relay->rank_tree.parent >= 0 || clock_now() - relay->spoken <= relay->rank_tree.patience)
        return;
    relay_tell(relay, STILL, relay->lost);
    relay->spoken = clock_now();
}

/* At another rank, where no question is expected: returns 1 if rank 0 has been heard. */
static int relay_is_reminded(struct relay *relay)
{
    const struct rank_tree *tree = &relay->rank_tree;
    struct question question;
    int is_there = 0, is_reminded = 0;
    while (!relay->is_ended &&
           PMPI_Iprobe(tree->parent, TAG_QUESTION, tree->comm, &is_there, MPI_STATUS_IGNORE) ==
               MPI_SUCCESS &&
           is_there &&
           waiting_receive(&question, sizeof question, tree->parent, TAG_QUESTION, tree->comm,
                           tree->patience) == WAITING_DONE) {
        relay->is_ended = question.what == END;
        is_reminded = 1;
        if (!relay->is_ended)
            relay_tell(relay, STILL, relay->lost);
    }
    return is_reminded;
}

/* ---- up ---- */

/* A copy is sent: one that was not taken in time stays with MPI, and is never freed. */
static enum waiting relay_send_piece(struct relay *relay, const struct relay_piece *piece)
{
    const struct rank_tree *tree = &relay->rank_tree;
    size_t size = offsetof(struct relay_piece, data) + (size_t)piece->size;
    MPI_Request request;
    enum waiting how = WAITING_TOO_LONG;
    void *copy = malloc(size);
    if (!copy)
        return WAITING_FAILED;
    memcpy(copy, piece, size);
    if (PMPI_Issend(copy, (int)size, MPI_BYTE, tree->parent, TAG_ANSWER, tree->comm, &request) !=
        MPI_SUCCESS) {
        free(copy);
        return WAITING_FAILED;
    }
    for (double left = rank_tree_patience_up(tree);
         left > 0 && how == WAITING_TOO_LONG && !relay->is_ended; left -= tree->patience) {
        how = waiting_for(&request, 1, tree->patience);
        if (how == WAITING_TOO_LONG && relay_is_reminded(relay))
            left = rank_tree_patience_up(tree);
    }
    if (how == WAITING_DONE)
        free(copy);
    relay->gave_up |= how != WAITING_DONE;
    return how;
}

/* Send the next piece as it is. */
static void relay_flush(struct relay_stream *stream, int flags)
{
    const struct relay_piece failed = {.flags = PIECE_LAST,
                                       .failed = stream->relay->rank_tree.first};
    stream->piece.flags = flags;
    enum waiting how = relay_send_piece(stream->relay, &stream->piece);
    if (how == WAITING_FAILED)
        relay_send_piece(stream->relay, &failed);
    stream->is_over = how != WAITING_DONE || flags & PIECE_LAST;
    stream->piece.size = 0;
}

/* The answer of a rank is missing: now that is known, the others need not come. */
static void relay_fail(struct relay_stream *stream, int rank, int is_late)
{
    if (stream->is_over)
        return;
    if (stream->relay->rank_tree.parent >= 0) {
        stream->piece.failed = rank;
        stream->piece.size = 0;
        relay_flush(stream, PIECE_LAST | (is_late ? PIECE_LATE : 0));
    } else {
        stream->relay->failed = rank;
        stream->relay->is_late = is_late;
        stream->is_over = 1;
    }
}

/* At rank 0: what comes next of the stream, up to the end of a head or an answer. Returns how much
 * that is. */
static size_t relay_take_part(struct relay_stream *stream, const char *data, size_t size)
{
    const size_t head = sizeof stream->head;
    struct relay_answer *answer = &stream->answer;
    size_t end = stream->has < head ? head : head + answer->size;
    size_t part = end - stream->has < size ? end - stream->has : size;
    if (stream->has < head)
        memcpy((char *)&stream->head + stream->has, data, part);
    else if (answer->data)
        memcpy(answer->data + (stream->has - head), data, part);
    stream->has += part;
    if (stream->has == head) {
        answer->size = (size_t)stream->head.size;
        answer->data = answer->size ? malloc(answer->size) : NULL;
        answer->is_cut = stream->head.is_cut || (answer->size && !answer->data);
    }
    return part;
}

static void relay_take(struct relay_stream *stream, const char *data, size_t size)
{
    struct relay_answer *answer = &stream->answer;
    while (size && !stream->is_over) {
        size_t part = relay_take_part(stream, data, size);
        data += part;
        size -= part;
        if (stream->has < sizeof stream->head || stream->has < sizeof stream->head + answer->size)
            continue;
        if (!answer->data)
            answer->size = 0;
        stream->take(stream->to, stream->head.rank, answer);
        free(answer->data);
        answer->data = NULL;
        stream->has = 0;
    }
}

static void relay_put(struct relay_stream *stream, const char *data, size_t size)
{
    struct relay_piece *piece = &stream->piece;
    if (stream->relay->rank_tree.parent < 0) {
        relay_take(stream, data, size);
        return;
    }
    while (size && !stream->is_over) {
        size_t room = RELAY_PIECE - (size_t)piece->size, part = size < room ? size : room;
        memcpy(piece->data + piece->size, data, part);
        piece->size += (int32_t)part;
        data += part;
        size -= part;
        if (piece->size == RELAY_PIECE)
            relay_flush(stream, 0);
    }
}

static void relay_put_own(struct relay_stream *stream, const struct question *question)
{
    const struct relay *relay = stream->relay;
    const int own = relay->rank_tree.first;
    if (stream->is_over || own < question->first || own >= question->last)
        return;
    struct relay_answer answer = relay->answer(relay->context, question);
    struct relay_head head = {.rank = own, .is_cut = answer.is_cut, .size = answer.size};
    if ((answer.size || answer.is_cut) && relay->rank_tree.parent < 0) {
        stream->take(stream->to, own, &answer);
    } else if (answer.size || answer.is_cut) {
        relay_put(stream, (const char *)&head, sizeof head);
        relay_put(stream, answer.data, answer.size);
    }
    free(answer.data);
}

/* All that a child says to a question. If a piece cannot be received, it is not known whether that
 * comes later, in the place of another. */
static void relay_put_child(struct relay_stream *stream, int child)
{
    struct relay *relay = stream->relay;
    const struct rank_tree *tree = &relay->rank_tree;
    const int from = rank_tree_child(tree, child);
    struct relay_piece piece = {.flags = 0};
    while (!(piece.flags & PIECE_LAST)) {
        enum waiting how = waiting_receive(&piece, sizeof piece, from, TAG_ANSWER, tree->comm,
                                           rank_tree_patience_down(tree));
        if (how != WAITING_DONE)
            piece = (struct relay_piece){
                .flags = PIECE_LAST | (how == WAITING_TOO_LONG ? PIECE_LATE : 0), .failed = from};
        if (how != WAITING_DONE || piece.flags & PIECE_LEAVES)
            relay->lost |= UINT32_C(1) << child;
        if (piece.flags & PIECE_LEAVES)
            relay->left |= UINT32_C(1) << child;
        if (piece.failed != RANK_TREE_NOBODY)
            relay_fail(stream, piece.failed, piece.flags & PIECE_LATE);
        else
            relay_put(stream, piece.data, (size_t)piece.size);
        relay_remind(relay);
    }
}

/* ---- both ---- */

static int relay_has_asked(const struct rank_tree *tree, int child, const struct question *question)
{
    return rank_tree_child(tree, child) < question->last &&
           rank_tree_child(tree, child + 1) > question->first;
}

static void relay_pass(struct relay_stream *stream, const struct question *question)
{
    struct relay *relay = stream->relay;
    const struct rank_tree *tree = &relay->rank_tree;
    uint32_t asked = 0;
    for (int child = 0; rank_tree_child(tree, child) < tree->last; child++) {
        if (!relay_has_asked(tree, child, question))
            continue;
        if (relay->lost >> child & 1 || relay_send_question(relay, child, question))
            relay_fail(stream, rank_tree_child(tree, child), 0);
        else
            asked |= UINT32_C(1) << child;
    }
    relay_put_own(stream, question);
    for (int child = 0; child < RANK_TREE_FAN_OUT; child++)
        if (asked >> child & 1)
            relay_put_child(stream, child);
    if (tree->parent >= 0 && !stream->is_over)
        relay_flush(stream, PIECE_LAST);
}

int relay_ask(struct relay *relay, const struct question *question, taking *take, void *to)
{
    struct relay_stream stream = {.relay = relay, .take = take, .to = to};
    if (relay->failed != RANK_TREE_NOBODY)
        return -1;
    relay_remind(relay);
    relay_pass(&stream, question);
    free(stream.answer.data);
    return relay->failed == RANK_TREE_NOBODY ? 0 : -1;
}

void relay_end(struct relay *relay)
{
    relay_tell(relay, END, relay->left);
}

/* Who cannot receive any more ends as well, and so do those below, who would wait for it. Nobody
 * may be waiting to hear that. */
void relay_serve(struct relay *relay)
{
    const struct rank_tree *tree = &relay->rank_tree;
    const struct relay_piece leaves = {.flags = PIECE_LAST | PIECE_LEAVES, .failed = tree->first};
    struct question question;
    enum waiting how = WAITING_DONE;
    while (!relay->is_ended &&
           (how = waiting_receive(&question, sizeof question, tree->parent, TAG_QUESTION,
                                  tree->comm, rank_tree_patience_up(tree))) == WAITING_DONE) {
        relay->is_ended = question.what == END;
        if (question.what == STILL)
            relay_tell(relay, STILL, relay->lost);
        if (question.what < 0)
            continue;
        struct relay_stream stream = {.relay = relay, .piece.failed = RANK_TREE_NOBODY};
        relay_pass(&stream, &question);
    }
    if (how != WAITING_DONE) {
        relay->gave_up = 1;
        waiting_send(&leaves, offsetof(struct relay_piece, data), tree->parent, TAG_ANSWER,
                     tree->comm, tree->patience);
    }
    relay_end(relay);
}

int relay_has_leftovers(const struct relay *relay)
{
    int has_come = 0; /* with any tag: what the places of a node are told by, too */
    return relay->gave_up || relay->lost || relay->rank_tree.lost != RANK_TREE_NOBODY ||
           PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, relay->rank_tree.comm, &has_come,
                       MPI_STATUS_IGNORE) != MPI_SUCCESS ||
           has_come;
}
