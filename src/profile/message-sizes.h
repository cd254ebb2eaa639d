/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message-sizes.h - the sizes of messages, by powers of two: class 0 is empty messages, class k
 * from 2^(k-1) to 2^k - 1 bytes. So the mean size of messages of one class is in this class, and
 * tells it.
 */
#ifndef RESEAT_MESSAGE_SIZES_H
#define RESEAT_MESSAGE_SIZES_H

#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

enum { MESSAGE_SIZES = 64 };

/* The class of one message: the bits of its length, 64 bits counting as 63. */
static inline int message_size(uint64_t bytes)
{
    return bytes >> 63 ? MESSAGE_SIZES - 1 : 63 - __builtin_clzll(2 * bytes + 1);
}

/* The class of messages whose mean size is that of one class. */
static inline int message_size_of_mean(uint64_t msgs, uint64_t bytes)
{
    return message_size(msgs > 1 ? bytes / msgs : bytes);
}

/* The bytes of the shortest and the longest message of a class. */
static inline uint64_t message_size_least(int size)
{
    return size ? UINT64_C(1) << (size - 1) : 0;
}

static inline uint64_t message_size_most(int size)
{
    return (UINT64_C(1) << size) - 1;
}

/* Append messages of a pair to `parts`, of which there are n, all of that pair and ascending by
 * class: those of no larger class than the new ones are joined with them, since what two threads
 * counted at once, or a mean of several runs, can be next to its class. Returns the new number, at
 * most MESSAGE_SIZES. */
size_t message_sizes_append(struct reseat_entry *parts, size_t n, const struct reseat_entry *entry);

/* The messages of a whole profile, by kind of traffic and class. */
struct message_sizes {
    int is_known; /* no: the profile has only the mean size of each pair, and all else is 0 */
    struct {
        double msgs, bytes;
    } of[RESEAT_TRAFFIC_KINDS][MESSAGE_SIZES];
};

void message_sizes_find(struct message_sizes *sizes, const struct reseat_profile *profile);

#endif
