/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank-tree.c - see rank-tree.h. Data goes in pieces that a process has room for on its stack. So
 * one that is out of memory receives all the same, and passes on what others need.
 */
#include "comm/rank-tree.h"

#include <stdlib.h>
#include <string.h>

#include "comm/waiting.h"

enum { RANK_TREE_TAG = 24232 };

struct rank_tree_piece {
    int failed;
    int is_cut;
    int is_last;
    int size;
    char data[RANK_TREE_PIECE];
};

/* ---- who is where ---- */

/* The length of the runs of the children. */
static int rank_tree_step(const struct rank_tree *rank_tree)
{
    return (rank_tree->last - rank_tree->first - 1 + RANK_TREE_FAN_OUT - 1) / RANK_TREE_FAN_OUT;
}

int rank_tree_child_of(const struct rank_tree *rank_tree, int rank)
{
    return (rank - rank_tree->first - 1) / rank_tree_step(rank_tree);
}

int rank_tree_child(const struct rank_tree *rank_tree, int child)
{
    return rank_tree->last - rank_tree->first > 1
               ? rank_tree->first + 1 + child * rank_tree_step(rank_tree)
               : rank_tree->last;
}

/* From the root down to this process. */
void rank_tree_open(struct rank_tree *rank_tree, MPI_Comm comm)
{
    int rank = 0, size = 1;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    *rank_tree = (struct rank_tree){.comm = comm,
                                    .patience = WAITING_FOREVER,
                                    .lost = RANK_TREE_NOBODY,
                                    .parent = -1,
                                    .last = size};
    while (rank_tree->first != rank) {
        int length = rank_tree_step(rank_tree), last = rank_tree->last;
        int first = rank_tree_child(rank_tree, rank_tree_child_of(rank_tree, rank));
        rank_tree->parent = rank_tree->first;
        rank_tree->first = first;
        rank_tree->last = first + length < last ? first + length : last;
    }
}

double rank_tree_patience_down(const struct rank_tree *rank_tree)
{
    int levels = 0;
    for (int ranks = rank_tree->last - rank_tree->first; ranks > 1; levels++)
        ranks = (ranks - 2) / RANK_TREE_FAN_OUT + 1;
    return rank_tree->patience * levels;
}

double rank_tree_patience_up(const struct rank_tree *rank_tree)
{
    return rank_tree->patience * 10;
}

/* ---- pieces ---- */

static enum waiting rank_tree_send(const struct rank_tree *rank_tree, int to,
                                   const struct rank_tree_piece *piece)
{
    size_t size = offsetof(struct rank_tree_piece, data) + (size_t)piece->size;
    return waiting_send(piece, size, to, RANK_TREE_TAG, rank_tree->comm, rank_tree->patience);
}

/* 0, or -1: rank_tree->lost says who. */
static int rank_tree_receive(struct rank_tree *rank_tree, int from, struct rank_tree_piece *piece)
{
    const int is_parent = from == rank_tree->parent;
    if (rank_tree->lost != RANK_TREE_NOBODY)
        return -1;
    enum waiting how = waiting_receive(piece, sizeof *piece, from, RANK_TREE_TAG, rank_tree->comm,
                                       is_parent ? rank_tree_patience_up(rank_tree)
                                                 : rank_tree_patience_down(rank_tree));
    if (how == WAITING_DONE)
        return 0;
    rank_tree->lost = is_parent ? rank_tree->first : from;
    rank_tree->is_late = how == WAITING_TOO_LONG;
    return -1;
}

/* The next piece of `size` bytes, from `at` on. Returns where it ends. */
static size_t rank_tree_cut(struct rank_tree_piece *piece, const char *data, size_t size, size_t at)
{
    size_t length = size - at < RANK_TREE_PIECE ? size - at : RANK_TREE_PIECE;
    if (length)
        memcpy(piece->data, data + at, length);
    piece->size = (int)length;
    piece->is_last = at + length == size;
    return at + length;
}

/* ---- up ---- */

static void rank_tree_append(struct rank_tree_parts *parts, const void *data, size_t size)
{
    char *grown = parts->is_cut || !size ? parts->data : realloc(parts->data, parts->size + size);
    if (parts->is_cut || !size)
        return;
    if (!grown) {
        parts->is_cut = 1;
        return;
    }
    memcpy(grown + parts->size, data, size);
    parts->data = grown;
    parts->size += size;
}

static int rank_tree_collect(struct rank_tree *rank_tree, int child, struct rank_tree_parts *parts)
{
    struct rank_tree_piece piece = {.failed = RANK_TREE_NOBODY};
    do {
        if (rank_tree_receive(rank_tree, child, &piece)) {
            parts->is_cut = 1;
            return rank_tree->lost;
        }
        parts->is_cut |= piece.is_cut;
        rank_tree_append(parts, piece.data, (size_t)piece.size);
    } while (!piece.is_last);
    return piece.failed;
}

/* Also where MPI fails, a last piece has to come. */
static void rank_tree_hand_up(const struct rank_tree *rank_tree, int failed,
                              const struct rank_tree_parts *parts)
{
    struct rank_tree_piece piece = {.failed = failed, .is_cut = parts->is_cut};
    size_t at = 0;
    enum waiting how;
    do {
        at = rank_tree_cut(&piece, parts->data, parts->size, at);
        how = rank_tree_send(rank_tree, rank_tree->parent, &piece);
    } while (how == WAITING_DONE && !piece.is_last);
    if (how != WAITING_FAILED)
        return;
    piece = (struct rank_tree_piece){.failed = rank_tree->first, .is_cut = 1, .is_last = 1};
    rank_tree_send(rank_tree, rank_tree->parent, &piece);
}

int rank_tree_gather(struct rank_tree *rank_tree, int failed, const void *mine, size_t size,
                     struct rank_tree_parts *parts)
{
    *parts = (struct rank_tree_parts){.data = NULL};
    failed = rank_tree->lost < failed ? rank_tree->lost : failed;
    if (size) {
        rank_tree_append(parts, &size, sizeof size);
        rank_tree_append(parts, mine, size);
    }
    for (int child = 0; rank_tree_child(rank_tree, child) < rank_tree->last; child++) {
        int theirs = rank_tree_collect(rank_tree, rank_tree_child(rank_tree, child), parts);
        failed = theirs < failed ? theirs : failed;
    }
    if (parts->is_cut)
        parts->size = 0;
    if (rank_tree->parent >= 0)
        rank_tree_hand_up(rank_tree, failed, parts);
    return failed;
}

int rank_tree_reduce(struct rank_tree *rank_tree, int failed, void *mine, size_t size,
                     rank_tree_combine *combine)
{
    const struct rank_tree_parts parts = {.data = mine, .size = size};
    struct rank_tree_piece piece;
    failed = rank_tree->lost < failed ? rank_tree->lost : failed;
    for (int child = 0; rank_tree_child(rank_tree, child) < rank_tree->last; child++) {
        if (rank_tree_receive(rank_tree, rank_tree_child(rank_tree, child), &piece))
            piece = (struct rank_tree_piece){.failed = rank_tree->lost};
        if (size && piece.size == (int)size)
            combine(mine, piece.data);
        failed = piece.failed < failed ? piece.failed : failed;
    }
    if (rank_tree->parent >= 0)
        rank_tree_hand_up(rank_tree, failed, &parts);
    return failed;
}

const void *rank_tree_next(const struct rank_tree_parts *parts, size_t *at, size_t *size)
{
    if (*at + sizeof *size > parts->size)
        return NULL;
    memcpy(size, parts->data + *at, sizeof *size);
    const void *part = parts->data + *at + sizeof *size;
    *at += sizeof *size + *size;
    return part;
}

/* ---- down ---- */

/* Take from a piece that begins at `from` what this process wants. */
static void rank_tree_copy(const struct rank_tree_wanted *wanted,
                           const struct rank_tree_piece *piece, size_t from)
{
    size_t size = (size_t)piece->size;
    if (!wanted->data || from >= wanted->size)
        return;
    memcpy((char *)wanted->data + from, piece->data,
           size < wanted->size - from ? size : wanted->size - from);
}

int rank_tree_broadcast(struct rank_tree *rank_tree, int failed, const void *data, size_t size,
                        const struct rank_tree_wanted *wanted)
{
    struct rank_tree_piece piece = {.failed = failed};
    size_t at = 0, from;
    do {
        from = at;
        if (rank_tree->parent < 0)
            at = rank_tree_cut(&piece, data, size, at);
        else if (rank_tree_receive(rank_tree, rank_tree->parent, &piece))
            piece = (struct rank_tree_piece){.failed = rank_tree->lost, .is_last = 1};
        else
            at += (size_t)piece.size;
        rank_tree_copy(wanted, &piece, from);
        for (int child = 0; rank_tree_child(rank_tree, child) < rank_tree->last; child++)
            rank_tree_send(rank_tree, rank_tree_child(rank_tree, child), &piece);
    } while (!piece.is_last);
    return piece.failed;
}

/* A process has been told something for itself and for those below, and passes it on. */
struct rank_tree_deal {
    struct rank_tree *rank_tree;
    size_t size; /* for each rank */
    char *mine;
    size_t at; /* so much of it has been passed on */
};

/* The end of the part that is for a child. */
static size_t rank_tree_end_of(const struct rank_tree_deal *deal, int child)
{
    const struct rank_tree *rank_tree = deal->rank_tree;
    int end = rank_tree_child(rank_tree, child + 1);
    return deal->size *
           (size_t)((end < rank_tree->last ? end : rank_tree->last) - rank_tree->first);
}

/* The next `length` bytes: pieces end where those of a child end. */
static void rank_tree_pass_on(struct rank_tree_deal *deal, const char *data, size_t length)
{
    const struct rank_tree *rank_tree = deal->rank_tree;
    struct rank_tree_piece piece = {.failed = RANK_TREE_NOBODY};
    size_t own = deal->at < deal->size ? deal->size - deal->at : 0;
    own = own < length ? own : length;
    if (own)
        memcpy(deal->mine + deal->at, data, own);
    deal->at += own;
    for (size_t done = own; done < length;) {
        int child = rank_tree_child_of(rank_tree, rank_tree->first + (int)(deal->at / deal->size));
        size_t left = rank_tree_end_of(deal, child) - deal->at;
        size_t part =
            rank_tree_cut(&piece, data + done, left < length - done ? left : length - done, 0);
        piece.is_last = part == left;
        rank_tree_send(rank_tree, rank_tree_child(rank_tree, child), &piece);
        deal->at += part;
        done += part;
    }
}

/* To those children that still wait for something. */
static void rank_tree_pass_failure(const struct rank_tree_deal *deal, int failed)
{
    const struct rank_tree_piece piece = {.failed = failed, .is_last = 1};
    const struct rank_tree *rank_tree = deal->rank_tree;
    for (int child = 0; rank_tree_child(rank_tree, child) < rank_tree->last; child++)
        if (rank_tree_end_of(deal, child) > deal->at)
            rank_tree_send(rank_tree, rank_tree_child(rank_tree, child), &piece);
}

int rank_tree_scatter(struct rank_tree *rank_tree, int failed, const void *data, size_t size,
                      void *mine)
{
    struct rank_tree_deal deal = {.rank_tree = rank_tree, .size = size, .mine = mine};
    struct rank_tree_piece piece = {.failed = failed, .is_last = rank_tree->parent < 0};
    if (piece.is_last && failed == RANK_TREE_NOBODY)
        rank_tree_pass_on(&deal, data, size * (size_t)rank_tree->last);
    while (!piece.is_last) {
        if (rank_tree_receive(rank_tree, rank_tree->parent, &piece))
            piece = (struct rank_tree_piece){.failed = rank_tree->lost, .is_last = 1};
        else
            rank_tree_pass_on(&deal, piece.data, (size_t)piece.size);
    }
    if (piece.failed != RANK_TREE_NOBODY)
        rank_tree_pass_failure(&deal, piece.failed);
    return piece.failed;
}

int rank_tree_agree(struct rank_tree *rank_tree, int failed)
{
    const struct rank_tree_wanted nothing = {.data = NULL};
    failed = rank_tree_reduce(rank_tree, failed, NULL, 0, NULL);
    return rank_tree_broadcast(rank_tree, failed, NULL, 0, &nothing);
}
