/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure-rounds.c - see measure-rounds.h.
 *
 * The first round does everything as rarely as possible, to see how long it takes: sizes that would
 * take too much of the time are left out, and the others are repeated so often that a round takes a
 * share of it. What needs more than its share even so is measured in fewer rounds, but in
 * MEASURE_ENOUGH if there is time: of two, one that was disturbed would count half.
 */
#include "programs/measure-rounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ascending.h"
#include "base/array.h"
#include "base/clock.h"
#include "programs/measure-tasks.h"

/* On a simulated machine no round differs from the first. */
#ifdef RESEAT_SIMULATED
enum { MEASURE_ROUNDS = 1 };
#else
enum { MEASURE_ROUNDS = 31 }; /* at most */
#endif

enum {
    MEASURE_SHARES = 7,                 /* how many rounds there should be */
    MEASURE_ENOUGH = 3,                 /* for a median */
    MEASURE_PINGS = 1000,               /* in a round at most */
    MEASURE_EXCHANGES = 100000,         /* likewise, of pairs that do not begin at once */
    MEASURE_EXCHANGE_BYTES = 128 << 10, /* not sent before the receiver is ready, as a rule */
    MEASURE_EXCHANGE_LARGE = 2          /* messages */
};

/* Seconds that an exchange is repeated at least: several turns of ranks that share a processor.
 * With large messages it takes longer until it no longer counts that the pairs do not begin at
 * once. */
static const double measure_overlap = 0.03, measure_large_overlap = 0.3;
/* Likewise of those that share a card, for each of the first users. */
static const double measure_card_overlap = 0.15;
enum { MEASURE_SLOWER_USERS = 4 };

static const int32_t measure_sizes[] = {
    8, 64, 512, 4096, 16384, 65536, 262144, 1048576, MEASURE_MOST_BYTES};
enum { MEASURE_SIZES = sizeof measure_sizes / sizeof measure_sizes[0] };

/* One thing that is measured. */
struct measure_item {
    const struct measure_level *level; /* NULL: a resource */
    const struct measure_pairs *pairs; /* of a level: one pair a round; NULL: an exchange */
    enum timings_resource resource;
    enum timings_scope scope;         /* of an exchange */
    const struct measure_pair *users; /* of a resource or an exchange: all of them at once */
    int count;                        /* of users */
    int streams;                      /* of a resource, at once: a user can have several */
    struct measure_task task;
    double once;  /* seconds for one of `times` */
    double spent; /* seconds, in all rounds but the first */
    int is_left_out;
    int is_rough;                  /* only the first round has measured it, and more rarely */
    double sample[MEASURE_ROUNDS]; /* seconds one way, or bytes per second */
    int samples;
};

struct measure_items {
    struct measure_item *item;
    size_t n;
    int failed; /* out of memory */
};

/* ---- what is measured ---- */

static void measure_add_item(struct measure_items *items, const struct measure_item *item)
{
    if (array_add(&items->item, &items->n, item, sizeof *item)) {
        items->failed = 1;
        return;
    }
}

static void measure_add_level(struct measure_items *items, const struct measure_level *level)
{
    struct measure_item item = {.level = level, .pairs = &level->near};
    item.task.kind = MEASURE_PING;
    for (int i = 0; i < MEASURE_SIZES; i++) {
        item.task.bytes = measure_sizes[i];
        measure_add_item(items, &item);
    }
    if (level->far.count == 0)
        return;
    item.pairs = &level->far;
    item.task.bytes = measure_sizes[0];
    measure_add_item(items, &item);
}

/* By small messages what an exchange takes, one or many at once; by large ones what a byte does. */
static void measure_add_exchange(struct measure_items *items, const struct measure_level *level,
                                 enum timings_scope scope, const struct measure_pair *users,
                                 int count)
{
    static const int32_t each[][2] = {
        {8, 1}, {8, MEASURE_WINDOW}, {MEASURE_EXCHANGE_BYTES, MEASURE_EXCHANGE_LARGE}};
    struct measure_item item = {.level = level, .scope = scope, .users = users, .count = count};
    item.task.kind = MEASURE_EXCHANGE;
    for (int i = 0; i < 3 && count > 0; i++) {
        item.task.bytes = each[i][0];
        item.task.messages = each[i][1];
        measure_add_item(items, &item);
    }
}

static void measure_add_exchanges(struct measure_items *items, const struct measure_level *level)
{
    measure_add_exchange(items, level, TIMINGS_PAIR, level->near.pair, 1);
    measure_add_exchange(items, level, TIMINGS_NODE, level->node.pair, level->node.count);
    measure_add_exchange(items, level, TIMINGS_ALL, level->all.pair, level->all.count);
}

/* Up to `most` users, more than item.count, who have at least so many streams together. */
static void measure_add_resource(struct measure_items *items, struct measure_item item, int most,
                                 int streams)
{
    item.task.bytes = MEASURE_STREAM_BYTES;
    while ((item.count = measure_next_users(item.count, most))) {
        item.streams = item.count > streams ? item.count : streams;
        measure_add_item(items, &item);
    }
}

static void measure_add_resources(struct measure_items *items, const struct measure_plan *plan)
{
    static const enum measure_kind kinds[] = {MEASURE_SEND, MEASURE_RECEIVE, MEASURE_BOTH};
    static const enum timings_resource ways[] = {TIMINGS_CARD_OUT, TIMINGS_CARD_IN,
                                                 TIMINGS_CARD_BOTH};
    struct measure_item item = {.users = plan->card};
    for (int way = 0; way < 3; way++) {
        item.resource = ways[way];
        item.task.kind = kinds[way];
        measure_add_resource(items, item, plan->cards, plan->nearest);
    }
    for (int way = 0; way < 3; way++) {
        item = (struct measure_item){.users = plan->near_card, .count = 1}; /* one: as before */
        item.resource = (enum timings_resource)(TIMINGS_NEAR_OUT + way);
        item.task.kind = kinds[way];
        measure_add_resource(items, item, plan->near_cards, plan->nearest);
    }
    item = (struct measure_item){.resource = TIMINGS_MEMORY, .users = plan->memory};
    item.task.kind = MEASURE_SEND;
    measure_add_resource(items, item, plan->memories, 0);
}

static void measure_add_all(struct measure_items *items, const struct measure_plan *plan)
{
    for (int i = 0; i < plan->levels; i++)
        measure_add_level(items, &plan->level[i]);
    for (int i = 0; i < plan->levels; i++)
        measure_add_exchanges(items, &plan->level[i]);
    measure_add_resources(items, plan);
}

/* ---- once ---- */

static int measure_is_exchange(const struct measure_item *item)
{
    return item->level && !item->pairs;
}

static int measure_is_large_exchange(const struct measure_item *item)
{
    return measure_is_exchange(item) && item->task.messages == MEASURE_EXCHANGE_LARGE;
}

/* Measure a resource, whose users take turns in getting another stream. */
static double measure_resource_once(const struct measure_item *item, char *room, double *value)
{
    struct measure_pair pair[MEASURE_USERS];
    for (int i = 0; i < item->streams; i++)
        pair[i] = (struct measure_pair){item->users[i % item->count].first, item->users[i].second};
    double seconds = measure_lead(&item->task, pair, item->streams, room);
    double ways = item->task.kind == MEASURE_BOTH ? 2 : 1;
    *value = ways * item->streams * (double)item->task.bytes * item->task.times / seconds;
    return seconds / item->task.times;
}

/* Measure an item; *value gets what was found. Returns seconds for one of task.times. */
static double measure_item_once(const struct measure_item *item, int round, char *room,
                                double *value)
{
    if (measure_is_exchange(item)) {
        *value = measure_lead(&item->task, item->users, item->count, room);
        return *value;
    }
    if (item->level) {
        const struct measure_pair *pair = &item->pairs->pair[round % item->pairs->count];
        *value = measure_lead(&item->task, pair, 1, room);
        return 2 * *value;
    }
    return measure_resource_once(item, room, value);
}

/* Seconds of an exchange with this task if all pairs shared a wire, by one message of that size;
 * INFINITY: that took too long. */
static double measure_exchange_seconds(const struct measure_items *items,
                                       const struct measure_item *exchange,
                                       const struct measure_task *task)
{
    const struct measure_item *one = items->item;
    while (one < exchange &&
           (one->pairs != &exchange->level->near || one->task.bytes < task->bytes))
        one++;
    if (one == exchange || one->is_left_out)
        return INFINITY;
    return one->once / 2 * task->bytes / one->task.bytes * task->messages * exchange->count;
}

/* Halve the pairs, down to MEASURE_USERS, while a window of small messages or the large ones would
 * take too long: all sizes are exchanged by as many. */
static void measure_fit_exchange(const struct measure_items *items, struct measure_item *exchange,
                                 double most)
{
    const struct measure_task small = {.bytes = measure_sizes[0], .messages = MEASURE_WINDOW};
    const struct measure_task large = {.bytes = MEASURE_EXCHANGE_BYTES,
                                       .messages = MEASURE_EXCHANGE_LARGE};
    while (exchange->count > MEASURE_USERS &&
           fmax(measure_exchange_seconds(items, exchange, &small),
                measure_exchange_seconds(items, exchange, &large)) > most)
        exchange->count = exchange->count / 2 > MEASURE_USERS ? exchange->count / 2 : MEASURE_USERS;
}

/* Returns 1 if a message of this size would take longer than `most`, by the one before it. The
 * first two sizes of a level are always measured. */
static int measure_is_too_long(const struct measure_items *items, size_t i, double most)
{
    const struct measure_item *item = &items->item[i];
    if (measure_is_exchange(item))
        return measure_exchange_seconds(items, item, &item->task) > most;
    if (!item->level || i < 2 || item[-1].level != item->level || item[-2].level != item->level ||
        item->pairs != item[-1].pairs)
        return 0;
    double factor = (double)item->task.bytes / item[-1].task.bytes;
    return item[-1].is_left_out || item[-1].once * factor > most;
}

/* A single message is no stream. */
static int measure_least_times(const struct measure_item *item)
{
    if (measure_is_exchange(item)) /* the pairs have to overlap, and they do not begin at once */
        return measure_is_large_exchange(item) ? 1 : 10;
    return item->level || item->streams > item->count ? 1 : 3;
}

static void measure_first_round(struct measure_items *items, double seconds, char *room)
{
    const double most = seconds / (4 * MEASURE_SHARES);
    for (size_t i = 0; i < items->n; i++) {
        struct measure_item *item = &items->item[i];
        item->task.times = measure_least_times(item);
        if (measure_is_exchange(item))
            measure_fit_exchange(items, item, most);
        item->is_left_out = measure_is_too_long(items, i, most);
        if (!item->is_left_out)
            item->once = measure_item_once(item, 0, room, &item->sample[0]);
        item->samples = item->is_rough = !item->is_left_out;
    }
}

/* ---- often ---- */

static double measure_wanted(const struct measure_item *item, double share)
{
    int users = item->count < MEASURE_SLOWER_USERS ? item->count : MEASURE_SLOWER_USERS;
    if (measure_is_large_exchange(item))
        return fmax(share, measure_large_overlap);
    if (measure_is_exchange(item))
        return fmax(share, measure_overlap);
    return item->level || item->resource == TIMINGS_MEMORY
               ? share
               : fmax(share, users * measure_card_overlap);
}

static void measure_choose_times(struct measure_items *items, double share)
{
    for (size_t i = 0; i < items->n; i++) {
        struct measure_item *item = &items->item[i];
        double wanted = measure_wanted(item, share);
        int least = measure_least_times(item);
        int most = measure_is_exchange(item) ? MEASURE_EXCHANGES : MEASURE_PINGS;
        double times = item->once > 0 ? wanted / item->once : most;
        item->task.times = times < least ? least : times < most ? (int)times : most;
        item->is_rough &= item->task.times > least;
    }
}

static void measure_show(const struct measure_limits *limits, double elapsed)
{
    double part = elapsed / limits->seconds;
    if (limits->progress)
        fprintf(stderr, "\rreseat measure: %3.0f %%", 100 * (part < 1 ? part : 1));
}

static void measure_item_again(struct measure_item *item, int round, char *room)
{
    double value, start = clock_now();
    measure_item_once(item, round, room, &value);
    item->samples = item->is_rough ? 0 : item->samples;
    item->is_rough = 0;
    item->sample[item->samples++] = value;
    item->spent += clock_now() - start;
}

/* Returns 1 if an item is to be measured in this round, of which so many seconds are left. */
static int measure_is_due(const struct measure_item *item, int round, double share, double left)
{
    if (item->is_left_out || item->once * item->task.times > left)
        return 0;
    return item->samples < MEASURE_ENOUGH || item->spent <= share * (round + 1);
}

/* Rounds until the time is over; what takes longer than is left of it is passed over, so that on a
 * slow network small messages are not measured as rarely as large ones. */
static void measure_all_rounds(struct measure_items *items, const struct measure_limits *limits,
                               char *room)
{
    double start = clock_now(), elapsed;
    measure_first_round(items, limits->seconds, room);
    elapsed = clock_now() - start;
    double share = (limits->seconds - elapsed) / ((double)items->n * MEASURE_SHARES);
    measure_choose_times(items, share);
    for (int round = 0; round < MEASURE_ROUNDS - 1 && elapsed < limits->seconds; round++) {
        measure_show(limits, elapsed);
        for (size_t i = 0; i < items->n && elapsed < limits->seconds; i++) {
            if (!measure_is_due(&items->item[i], round, share, limits->seconds - elapsed))
                continue;
            measure_item_again(&items->item[i], round, room);
            elapsed = clock_now() - start;
        }
    }
    if (limits->progress)
        fprintf(stderr, "\r%24s\r", "");
}

/* ---- the result ---- */

static double measure_median(struct measure_item *item, struct timings_sample *sample)
{
    int n = item->samples, low = (n - 1) / 4, high = n - 1 - low;
    double *sorted = item->sample;
    qsort(sorted, (size_t)n, sizeof *sorted, ascending_double);
    double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    double spread = (sorted[high] - sorted[low]) / median;
    *sample =
        (struct timings_sample){n, spread < TIMINGS_MOST_SPREAD ? spread : TIMINGS_MOST_SPREAD};
    return median;
}

static int measure_keep(struct reseat_timings *timings, struct measure_item *item, double *nearest,
                        struct reseat_error *error)
{
    struct timings_sample sample;
    double median = measure_median(item, &sample);
    if (measure_is_exchange(item)) {
        struct timings_exchange exchange = {
            item->scope,         2 * item->count, (uint64_t)item->task.bytes,
            item->task.messages, median,          sample};
        return reseat_timings_add_exchange(timings, item->level->kind, &exchange, error);
    }
    if (!item->level) {
        struct timings_rate rate = {item->count, median, sample};
        return reseat_timings_add_rate(timings, item->resource, &rate, error);
    }
    const struct measure_level *level = item->level;
    if (item->pairs == &level->near) {
        struct timings_point point = {(uint64_t)item->task.bytes, median, sample};
        if (item->task.bytes == measure_sizes[0])
            *nearest = median;
        return reseat_timings_add_point(timings, level->kind, &point, error);
    }
    double hop = (median - *nearest) / (level->far.hops - level->near.hops);
    if (hop < TIMINGS_LEAST) /* less than what it varies by */
        return 0;
    return reseat_timings_add_hop(timings, level->kind, hop, &sample, error);
}

int measure_rounds(struct reseat_timings *timings, const struct measure_plan *plan,
                   const struct measure_limits *limits, char *room, struct reseat_error *error)
{
    struct measure_items items = {NULL, 0, 0};
    double nearest = 0;
    int rc = 0;
    if (plan->near_cards && reseat_timings_add_near(timings, plan->near, error))
        return -1;
    measure_add_all(&items, plan);
    if (items.failed)
        rc = reseat_fail(error, "out of memory");
    else
        measure_all_rounds(&items, limits, room);
    for (size_t i = 0; i < items.n && !rc; i++)
        if (!items.item[i].is_left_out)
            rc = measure_keep(timings, &items.item[i], &nearest, error);
    free(items.item);
    return rc ? -1 : 0;
}
