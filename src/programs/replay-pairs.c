/* SPDX-License-Identifier: BSD-3-Clause */
/* replay-pairs.c - see replay-pairs.h. */
#include "programs/replay-pairs.h"

#include <stdlib.h>

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

uint64_t replay_bytes_before(const struct replay_pair *pair, uint64_t message)
{
    uint64_t rest = pair->bytes % pair->messages, last = message % pair->messages;
    return pair->bytes / pair->messages * message + message / pair->messages * rest +
           (last < rest ? last : rest);
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
            need.bytes += messages * replay_size(&pairs->pair[i], 0);
        }
        most.messages = need.messages > most.messages ? need.messages : most.messages;
        most.bytes = need.bytes > most.bytes ? need.bytes : most.bytes;
    }
    return most;
}
