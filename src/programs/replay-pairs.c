/* SPDX-License-Identifier: BSD-3-Clause */
/* replay-pairs.c - see replay-pairs.h. */
#include "programs/replay-pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* ---- scaling ---- */

/* A number in [0, 1) that both ranks of a pair compute, and that is evenly distributed over
 * pairs. */
static double replay_rounding(const struct replay_pair *pair)
{
    uint64_t ends = (uint64_t)(uint32_t)pair->source << 32 | (uint32_t)pair->target;
    uint64_t hash = reseat_hash_add(reseat_hash_empty, &ends, sizeof ends);
    return (double)(reseat_hash_word(hash) >> 11) * 0x1p-53;
}

void replay_pairs_scale(struct replay_pairs *pairs, double scale)
{
    for (size_t i = 0; i < pairs->n; i++) {
        struct replay_pair *pair = &pairs->pair[i];
        if (scale <= 0)
            pair->count = 1;
        else if (scale == 1)
            pair->count = pair->messages;
        else
            pair->count = (uint64_t)((double)pair->messages * scale + replay_rounding(pair));
    }
}

/* ---- order ---- */

static int replay_pair_compare(const void *a, const void *b, void *ranks)
{
    int32_t x = replay_pair_offset(a, *(int32_t *)ranks);
    int32_t y = replay_pair_offset(b, *(int32_t *)ranks);
    return (x > y) - (x < y);
}

void replay_pairs_sort(struct replay_pairs *pairs)
{
    qsort_r(pairs->pair, pairs->n, sizeof *pairs->pair, replay_pair_compare, &pairs->ranks);
}

size_t replay_pairs_stage_end(const struct replay_pairs *pairs, const struct replay_plan *plan,
                              int32_t stage, size_t from)
{
    while (from < pairs->n && (int64_t)replay_pair_offset(&pairs->pair[from], pairs->ranks) *
                                      plan->stages / pairs->ranks <=
                                  stage)
        from++;
    return from;
}

/* ---- sums ---- */

/* Number `kind`, the last of which is what is not of the others. */
static struct replay_part replay_part_of(const struct replay_pair *pair, int kind)
{
    struct replay_part part = {pair->messages, pair->bytes};
    if (kind < REPLAY_KINDS - 1)
        return pair->other[kind];
    for (int i = 0; i < REPLAY_KINDS - 1; i++) {
        part.messages -= pair->other[i].messages;
        part.bytes -= pair->other[i].bytes;
    }
    return part;
}

void replay_pair_add(struct replay_pair *pair, const struct replay_part *kind)
{
    int i = 0;
    pair->messages += kind->messages;
    pair->bytes += kind->bytes;
    while (i < REPLAY_KINDS - 1 && pair->other[i].messages)
        i++;
    if (i < REPLAY_KINDS - 1)
        pair->other[i] = *kind;
    if (pair->messages > UINT32_MAX) /* else products fit in 64 bits */
        memset(pair->other, 0, sizeof pair->other);
}

uint64_t replay_bytes_before(const struct replay_pair *pair, uint64_t message)
{
    uint64_t left = message % pair->messages, among = pair->messages; /* of kinds to come */
    uint64_t sum = message / pair->messages * pair->bytes;
    for (int kind = 0; kind < REPLAY_KINDS; kind++) {
        struct replay_part part = replay_part_of(pair, kind);
        if (part.messages == 0)
            continue;
        uint64_t of_kind = replay_before(part.messages, among, left);
        uint64_t rest = part.bytes % part.messages;
        sum += part.bytes / part.messages * of_kind + (of_kind < rest ? of_kind : rest);
        left -= of_kind;
        among -= part.messages;
    }
    return sum;
}

/* The larger of the two sizes that the messages of a kind have. */
static uint64_t replay_part_size(const struct replay_part *part)
{
    return part->messages ? part->bytes / part->messages + (part->bytes % part->messages > 0) : 0;
}

uint64_t replay_largest_of(const struct replay_pair *pair)
{
    uint64_t most = 0;
    for (int kind = 0; kind < REPLAY_KINDS; kind++) {
        struct replay_part part = replay_part_of(pair, kind);
        uint64_t size = replay_part_size(&part);
        most = size > most ? size : most;
    }
    return most;
}

uint64_t replay_bytes_of_small(const struct replay_pair *pair, uint64_t most)
{
    uint64_t sum = 0;
    for (int kind = 0; kind < REPLAY_KINDS; kind++) {
        struct replay_part part = replay_part_of(pair, kind);
        if (replay_part_size(&part) <= most)
            sum += part.bytes;
    }
    return (uint64_t)((double)sum / (double)pair->messages * (double)pair->count);
}

uint64_t replay_pairs_most(const struct replay_pairs *pairs)
{
    uint64_t most = 0;
    for (size_t i = 0; i < pairs->n; i++)
        most = pairs->pair[i].count > most ? pairs->pair[i].count : most;
    return most;
}

struct replay_need replay_pairs_sum(const struct replay_pairs *pairs)
{
    struct replay_need sum = {0, 0};
    for (size_t i = 0; i < pairs->n; i++) {
        sum.messages += pairs->pair[i].count;
        sum.bytes += replay_bytes_before(&pairs->pair[i], pairs->pair[i].count);
    }
    return sum;
}

struct replay_need replay_pairs_need(const struct replay_pairs *pairs,
                                     const struct replay_plan *plan)
{
    struct replay_need most = {0, 0};
    size_t i = 0;
    for (int32_t stage = 0; stage < plan->stages; stage++) {
        struct replay_need need = {0, 0};
        for (size_t end = replay_pairs_stage_end(pairs, plan, stage, i); i < end; i++) {
            uint64_t messages =
                pairs->pair[i].count / plan->rounds + (pairs->pair[i].count % plan->rounds != 0);
            need.messages += messages;
            need.bytes += messages * replay_largest_of(&pairs->pair[i]);
        }
        most.messages = need.messages > most.messages ? need.messages : most.messages;
        most.bytes = need.bytes > most.bytes ? need.bytes : most.bytes;
    }
    return most;
}
