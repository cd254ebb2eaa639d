/* SPDX-License-Identifier: BSD-3-Clause */
/* tally.c - see tally.h. */
#include "profiler/tally.h"

#include <stdlib.h>

#include "base/array.h"
#include "profiler/unseen.h"

struct tally_item {
    struct peer *peer;
    enum reseat_traffic kind;
    uint64_t msgs;
    uint64_t bytes;
};

struct tally {
    size_t count;
    struct tally_item *items;
};

static __thread struct tally *filling __attribute__((tls_model("initial-exec")));

void tally_begin(void)
{
    filling = calloc(1, sizeof *filling);
}

int tally_is_open(void)
{
    return filling != NULL;
}

struct tally *tally_end(void)
{
    struct tally *tally = filling;
    filling = NULL;
    return tally;
}

static int tally_size(const struct tally_item *item)
{
    return message_size_of_mean(item->msgs, item->bytes);
}

/* Consecutive ones of the same size to the same peer are merged. */
static void tally_append(struct tally *tally, struct tally_item item)
{
    struct tally_item *last = tally->count ? &tally->items[tally->count - 1] : NULL;
    if (last && last->peer == item.peer && last->kind == item.kind &&
        tally_size(last) == tally_size(&item)) {
        last->msgs += item.msgs;
        last->bytes += item.bytes;
        return;
    }
    if (array_add(&tally->items, &tally->count, &item, sizeof item)) {
        unseen_add(UNSEEN_MEMORY);
        return;
    }
}

void tally_add(struct peer *peer, enum reseat_traffic kind, uint64_t msgs, uint64_t bytes)
{
    if (filling)
        tally_append(filling, (struct tally_item){peer, kind, msgs, bytes});
    else
        traffic_count(peer, kind, msgs, bytes);
}

void tally_count(const struct tally *tally, uint64_t times)
{
    for (size_t i = 0; tally && i < tally->count; i++) {
        const struct tally_item *item = &tally->items[i];
        tally_add(item->peer, item->kind, times * item->msgs, times * item->bytes);
    }
}

size_t tally_length(const struct tally *tally)
{
    return tally ? tally->count : 0;
}

void tally_free(struct tally *tally)
{
    if (tally)
        free(tally->items);
    free(tally);
}
