/* SPDX-License-Identifier: BSD-3-Clause */
/* sent.h - what one rank of any number sends, in order, to compare a choice with the algorithm that it should be. */
#ifndef TESTS_SENT_H
#define TESTS_SENT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "collectives/choices.h"

enum { SENT_MESSAGES = 8192 };

struct sent {
    int count;
    struct {
        int rank;
        uint64_t msgs, bytes;
    } item[SENT_MESSAGES];
};

static inline void sent_add(void *context, int rank, uint64_t msgs, uint64_t bytes)
{
    struct sent *sent = context;
    assert_in_range(sent->count, 0, SENT_MESSAGES - 1);
    sent->item[sent->count].rank = rank;
    sent->item[sent->count].msgs = msgs;
    sent->item[sent->count++].bytes = bytes;
}

static inline int sent_is_same(const struct sent *a, const struct sent *b)
{
    if (a->count != b->count)
        return 0;
    for (int i = 0; i < a->count; i++)
        if (a->item[i].rank != b->item[i].rank || a->item[i].msgs != b->item[i].msgs ||
            a->item[i].bytes != b->item[i].bytes)
            return 0;
    return 1;
}

typedef void sending(const struct call *call);

/* Whether both send the same for a call, at the first, the last, the root and ranks in between. */
static inline int sent_by_both(struct call call, sending *one, sending *other)
{
    static struct sent a, b;
    const int n = call.self.size;
    const int ranks[] = {0, 1, call.root, n / 3, n / 2, n - 2, n - 1};
    int same = 1;
    for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
        a.count = b.count = 0;
        call.self = (struct sender){ranks[i], n, sent_add, &a};
        one(&call);
        call.self.context = &b;
        other(&call);
        same &= sent_is_same(&a, &b);
    }
    return same;
}

/* A call with `bytes` elements of one byte, or as many a block. */
static inline struct call sent_call(int ranks, uint64_t bytes)
{
    return (struct call){.self = {.size = ranks},
                         .root = ranks / 2,
                         .count = bytes,
                         .size = 1,
                         .bytes = bytes,
                         .blocks = {.each = bytes}};
}

#endif
