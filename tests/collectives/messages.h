/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.h - the messages of a collective among some ranks, asked of one rank after the other:
 *
 *   for (messages_begin(&m, ranks); messages_more(&m); m.self.rank++)
 *       send_doubling(&m.self, bytes);
 */
#ifndef TESTS_MESSAGES_H
#define TESTS_MESSAGES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "collectives/algorithms.h"

enum { MESSAGES_RANKS = 40 };

struct flow {
    uint64_t msgs, bytes;
};

struct messages {
    struct sender self;
    struct flow flow[MESSAGES_RANKS][MESSAGES_RANKS]; /* from, to */
};

/* No algorithm has messages to itself, to nobody, or none. */
static inline void messages_add(void *context, int rank, uint64_t msgs, uint64_t bytes)
{
    struct messages *m = context;
    assert_in_range(rank, 0, m->self.size - 1);
    assert_int_not_equal(rank, m->self.rank);
    assert_int_not_equal(msgs, 0);
    m->flow[m->self.rank][rank].msgs += msgs;
    m->flow[m->self.rank][rank].bytes += bytes;
}

static inline void messages_begin(struct messages *m, int ranks)
{
    assert_in_range(ranks, 1, MESSAGES_RANKS);
    memset(m, 0, sizeof *m);
    m->self = (struct sender){0, ranks, messages_add, m};
}

static inline int messages_more(const struct messages *m)
{
    return m->self.rank < m->self.size;
}

static inline struct flow messages_from(const struct messages *m, int rank)
{
    struct flow sum = {0, 0};
    for (int i = 0; i < m->self.size; i++) {
        sum.msgs += m->flow[rank][i].msgs;
        sum.bytes += m->flow[rank][i].bytes;
    }
    return sum;
}

static inline struct flow messages_to(const struct messages *m, int rank)
{
    struct flow sum = {0, 0};
    for (int i = 0; i < m->self.size; i++) {
        sum.msgs += m->flow[i][rank].msgs;
        sum.bytes += m->flow[i][rank].bytes;
    }
    return sum;
}

static inline struct flow messages_all(const struct messages *m)
{
    struct flow sum = {0, 0};
    for (int i = 0; i < m->self.size; i++) {
        sum.msgs += messages_from(m, i).msgs;
        sum.bytes += messages_from(m, i).bytes;
    }
    return sum;
}

/* "0>1:100 0>2:2x50": bytes, and how many messages where that is not one. */
static inline const char *messages_text(const struct messages *m)
{
    static char text[8192];
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < m->self.size; i++)
        for (int j = 0; j < m->self.size; j++) {
            const struct flow *f = &m->flow[i][j];
            char times[24] = "";
            if (!f->msgs)
                continue;
            if (f->msgs > 1)
                snprintf(times, sizeof times, "%llux", (unsigned long long)f->msgs);
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%d>%d:%s%llu",
                                     used ? " " : "", i, j, times, (unsigned long long)f->bytes);
            assert_in_range(used, 0, sizeof text - 1);
        }
    return text;
}

#endif
