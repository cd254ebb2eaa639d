/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay-pairs.h - what one rank sends to its partners in a replay, or gets from them, and how that
 * is dealt to rounds: sender and receiver compute the same numbers. No MPI.
 */
#ifndef RESEAT_REPLAY_PAIRS_H
#define RESEAT_REPLAY_PAIRS_H

#include <stddef.h>
#include <stdint.h>

enum { REPLAY_MOST_MESSAGE = 1 << 30 }; /* bytes: MPI counts with an int */

/* Kinds of traffic and classes of sizes of a pair; if it has more, the others count as one. */
enum { REPLAY_KINDS = 6 };

struct replay_part {
    uint64_t messages, bytes;
};

/* Kinds take turns evenly, each with its average size: 30 messages of 1 kB and 10 empty ones are
 * sent as three and one, and so on. */
struct replay_pair {
    int32_t source, target;
    uint64_t messages, bytes; /* as recorded; at least one message */
    uint64_t count;           /* messages of this replay (replay_pairs_scale) */
    struct replay_part
        other[REPLAY_KINDS - 1]; /* of these, all kinds but one; zeros: there is only one */
};

/* Add a kind; if there is no room for it, to the one that came first. */
void replay_pair_add(struct replay_pair *pair, const struct replay_part *kind);

/* Sorted by how far the target is from the source (replay_pair_offset), so that ranks begin with
 * different partners. */
struct replay_pairs {
    struct replay_pair *pair;
    size_t n;
    int32_t ranks;
};

/* The division of the messages. Each round has a share of the messages of each pair; a stage of a
 * round has the pairs of some offsets, all of whose messages are under way at the same time. */
struct replay_plan {
    uint64_t rounds;
    int32_t stages; /* at most one for each rank */
};

/* The most that a stage needs. */
struct replay_need {
    uint64_t bytes, messages;
};

/* From the source to the target, in a ring of all ranks. */
static inline int32_t replay_pair_offset(const struct replay_pair *pair, int32_t ranks)
{
    return pair->target - pair->source + (pair->target < pair->source ? ranks : 0);
}

void replay_pairs_sort(struct replay_pairs *pairs);

/* Set the messages of each pair to `scale` times those recorded; pairs that would have a fraction
 * of a message are rounded up or down by chance, so that sums are right. 0: one message each. */
void replay_pairs_scale(struct replay_pairs *pairs, double scale);

/* The most messages that a pair has. */
uint64_t replay_pairs_most(const struct replay_pairs *pairs);

/* The sum over all pairs. */
struct replay_need replay_pairs_sum(const struct replay_pairs *pairs);

/* The most that a stage of a round of the plan needs, or slightly more. */
struct replay_need replay_pairs_need(const struct replay_pairs *pairs,
                                     const struct replay_plan *plan);

/* The first pair, from `from` on, of a later stage. */
size_t replay_pairs_stage_end(const struct replay_pairs *pairs, const struct replay_plan *plan,
                              int32_t stage, size_t from);

/* Number of messages, of `count`, that come before a round. */
static inline uint64_t replay_before(uint64_t count, uint64_t rounds, uint64_t round)
{
    return count / rounds * round + count % rounds * round / rounds;
}

/* The bytes of the messages of a pair before number `message`. */
uint64_t replay_bytes_before(const struct replay_pair *pair, uint64_t message);

/* The bytes of a message of a pair: as recorded on average for its kind, and exactly if all are
 * sent. */
static inline uint64_t replay_size(const struct replay_pair *pair, uint64_t message)
{
    if (pair->other[0].messages)
        return replay_bytes_before(pair, message + 1) - replay_bytes_before(pair, message);
    return pair->bytes / pair->messages + (message % pair->messages < pair->bytes % pair->messages);
}

/* The bytes of the largest message of a pair. */
uint64_t replay_largest_of(const struct replay_pair *pair);

/* The bytes of the messages of this replay that are not larger than `most`, about. */
uint64_t replay_bytes_of_small(const struct replay_pair *pair, uint64_t most);

#endif
