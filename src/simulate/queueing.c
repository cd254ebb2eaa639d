/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queueing.c - see queueing.h.
 *
 * As servers serve in the order of arrival, it is known when a message arrives when its service
 * will end: the server's free_at. So a message is one event at each stage, its arrival there. What
 * leaves a server with the same delay before it arrives at the next stage does so in order: a lane.
 * The heap of events then holds the next message of each flow and of each lane, and does not grow
 * with the number of messages that wait: some thousand entries also where millions do. An event is
 * handled by replacing the first entry of the heap by what follows it, which sifts once. The heap
 * has four children a node: half as deep as a binary one, and the four are in one line of cache.
 *
 *   flow 0: 0 -> 1 through servers 2, 5          heap: (time, stream); streams are the flows and,
 *   flow 1: 0 -> 3 through servers 2, 7                behind them, the lanes
 *   lane 0: what server 2 has served             at most 3 entries
 */
#include "simulate/queueing.h"

#include <stdlib.h>
#include <string.h>

#include "simulate/sample.h"

/* A message in a lane. */
struct queueing_transit {
    uint64_t arrival; /* at the second stage */
    uint32_t flow;
    float size; /* of the mean length */
};

/* A ring; its room is a power of two. */
struct queueing_lane {
    uint64_t delay;
    struct queueing_transit *ring;
    uint64_t head, tail, room;
    int in_heap;
};

struct queueing_event {
    uint64_t time;
    uint32_t stream;
};

struct queueing {
    const struct queueing_flow *flows;
    size_t count;
    struct queueing_server *servers;
    const struct queueing_options *options;
    struct draw draw;
    uint64_t *left;   /* by flow: messages to send */
    int32_t *lane_of; /* by flow; -1: one stage */
    struct queueing_lane *lanes;
    size_t lanes_count;
    struct queueing_event *heap;
    size_t heap_count;
    struct queueing_result result;
};

/* ---- events ---- */

static int queueing_is_before(struct queueing_event a, struct queueing_event b)
{
    return a.time != b.time ? a.time < b.time : a.stream < b.stream;
}

/* Put an event at the root, from where it sinks. */
static void queueing_sift_down(struct queueing *q, struct queueing_event event)
{
    size_t at = 0, count = q->heap_count;
    for (;;) {
        size_t first = 4 * at + 1, last = first + 4 < count ? first + 4 : count, least = first;
        if (first >= count)
            break;
        for (size_t child = first + 1; child < last; child++)
            if (queueing_is_before(q->heap[child], q->heap[least]))
                least = child;
        if (!queueing_is_before(q->heap[least], event))
            break;
        q->heap[at] = q->heap[least];
        at = least;
    }
    q->heap[at] = event;
}

static void queueing_push(struct queueing *q, struct queueing_event event)
{
    size_t at = q->heap_count++;
    while (at > 0 && queueing_is_before(event, q->heap[(at - 1) / 4])) {
        q->heap[at] = q->heap[(at - 1) / 4];
        at = (at - 1) / 4;
    }
    q->heap[at] = event;
}

/* Take the first event away. */
static void queueing_drop(struct queueing *q)
{
    struct queueing_event last = q->heap[--q->heap_count];
    if (q->heap_count > 0)
        queueing_sift_down(q, last);
}

/* ---- lanes ---- */

static int queueing_grow_lane(struct queueing_lane *lane)
{
    uint64_t room = lane->room ? 2 * lane->room : 16;
    struct queueing_transit *ring = malloc((size_t)room * sizeof *ring);
    if (!ring)
        return -1;
    for (uint64_t i = lane->head; i < lane->tail; i++)
        ring[i & (room - 1)] = lane->ring[i & (lane->room - 1)];
    free(lane->ring);
    lane->ring = ring;
    lane->room = room;
    return 0;
}

/* A message sets out. 0, or -1: out of memory. */
static int queueing_depart(struct queueing *q, int32_t number, struct queueing_transit transit)
{
    struct queueing_lane *lane = &q->lanes[number];
    if (lane->tail - lane->head == lane->room && queueing_grow_lane(lane))
        return -1;
    lane->ring[lane->tail++ & (lane->room - 1)] = transit;
    if (!lane->in_heap) {
        lane->in_heap = 1;
        queueing_push(
            q, (struct queueing_event){transit.arrival, (uint32_t)(q->count + (size_t)number)});
    }
    return 0;
}

/* ---- messages ---- */

static uint64_t queueing_scaled(uint64_t mean, double factor)
{
    return (uint64_t)((double)mean * factor + 0.5);
}

/* When a message that arrives at `now` leaves this stage. */
static uint64_t queueing_serve(struct queueing *q, const struct queueing_stage *stage, uint64_t now,
                               float size)
{
    int is_mean = q->options->lengths == QUEUEING_FIXED;
    uint64_t service = is_mean ? stage->service : queueing_scaled(stage->service, (double)size);
    q->result.events++;
    if (stage->server < 0)
        return now + service;
    struct queueing_server *server = &q->servers[stage->server];
    uint64_t begin = server->free_at > now ? server->free_at : now;
    server->waited += (double)(begin - now);
    if (begin - now > server->longest)
        server->longest = begin - now;
    server->busy += (double)service;
    server->served++;
    server->free_at = begin + service;
    return server->free_at;
}

static void queueing_deliver(struct queueing *q, uint64_t when)
{
    q->result.delivered++;
    if (when > q->result.last)
        q->result.last = when;
}

static uint64_t queueing_gap(struct queueing *q, const struct queueing_flow *flow)
{
    return q->options->gaps == QUEUEING_FIXED
               ? flow->interval
               : queueing_scaled(flow->interval, draw_exponential(&q->draw));
}

/* The first event is a flow's: it sends. 0, or -1: out of memory. */
static int queueing_send(struct queueing *q, struct queueing_event event)
{
    const struct queueing_flow *flow = &q->flows[event.stream];
    uint64_t now = event.time;
    float size = 1;
    if (q->options->lengths == QUEUEING_EXPONENTIAL)
        size = (float)draw_exponential(&q->draw);
    q->result.sent++;
    event.time += queueing_gap(q, flow);
    if (--q->left[event.stream] > 0)
        queueing_sift_down(q, event);
    else
        queueing_drop(q);
    uint64_t done = queueing_serve(q, &flow->stage[0], now, size);
    if (flow->stages < 2) {
        queueing_deliver(q, done);
        return 0;
    }
    return queueing_depart(q, q->lane_of[event.stream],
                           (struct queueing_transit){done + flow->delay, event.stream, size});
}

/* The first event is a lane's: a message arrives at its second stage. */
static void queueing_arrive(struct queueing *q, struct queueing_event event)
{
    struct queueing_lane *lane = &q->lanes[event.stream - q->count];
    struct queueing_transit transit = lane->ring[lane->head++ & (lane->room - 1)];
    lane->in_heap = lane->head < lane->tail;
    if (lane->in_heap) {
        event.time = lane->ring[lane->head & (lane->room - 1)].arrival;
        queueing_sift_down(q, event);
    } else {
        queueing_drop(q);
    }
    queueing_deliver(
        q, queueing_serve(q, &q->flows[transit.flow].stage[1], transit.arrival, transit.size));
}

/* ---- the run ---- */

struct queueing_lane_key {
    uint64_t delay;
    int32_t server;
    uint32_t flow;
};

static int queueing_compare_keys(const void *a, const void *b)
{
    const struct queueing_lane_key *x = a, *y = b;
    if (x->server != y->server)
        return x->server < y->server ? -1 : 1;
    if (x->delay != y->delay)
        return x->delay < y->delay ? -1 : 1;
    return x->flow < y->flow ? -1 : x->flow > y->flow;
}

/* A lane for each first server and delay of a flow with two stages. 0, or -1: out of memory. */
static int queueing_make_lanes(struct queueing *q)
{
    size_t keys_count = 0;
    struct queueing_lane_key *keys = malloc((q->count + 1) * sizeof *keys);
    if (!keys)
        return -1;
    for (size_t f = 0; f < q->count; f++) {
        q->lane_of[f] = -1;
        if (q->flows[f].stages == 2)
            keys[keys_count++] = (struct queueing_lane_key){
                q->flows[f].delay, q->flows[f].stage[0].server, (uint32_t)f};
    }
    qsort(keys, keys_count, sizeof *keys, queueing_compare_keys);
    for (size_t k = 0; k < keys_count; k++) {
        q->lanes_count +=
            k == 0 || keys[k].server != keys[k - 1].server || keys[k].delay != keys[k - 1].delay;
        q->lane_of[keys[k].flow] = (int32_t)q->lanes_count - 1;
    }
    free(keys);
    q->lanes = calloc(q->lanes_count + 1, sizeof *q->lanes);
    return q->lanes ? 0 : -1;
}

/* Nothing overflows: all messages sent and then served one after the other would end before. (No
 * exponential number is more than 37 times its mean.) 0, or -1 with *error. */
static int queueing_check(const struct queueing *q, struct reseat_error *error)
{
    int is_fixed = q->options->gaps == QUEUEING_FIXED && q->options->lengths == QUEUEING_FIXED;
    double most = (double)QUEUEING_LONGEST / (is_fixed ? 1 : 64), sending = 0, serving = 0;
    for (size_t f = 0; f < q->count; f++) {
        const struct queueing_flow *flow = &q->flows[f];
        double end = (double)flow->start + (double)flow->interval * (double)flow->messages;
        double service = (double)flow->delay;
        for (int s = 0; s < flow->stages; s++)
            service += (double)flow->stage[s].service;
        sending = end > sending ? end : sending;
        serving += service * (double)flow->messages;
    }
    return sending > most || serving > most
               ? reseat_fail(error,
                             "too long: %.3g s of sending, and %.3g s of serving all messages one "
                             "after the other; at most %.3g s can be simulated",
                             sending / QUEUEING_SECOND, serving / QUEUEING_SECOND,
                             most / QUEUEING_SECOND)
               : 0;
}

/* 0, or -1: out of memory. */
static int queueing_begin(struct queueing *q)
{
    q->left = malloc((q->count + 1) * sizeof *q->left);
    q->lane_of = malloc((q->count + 1) * sizeof *q->lane_of);
    if (!q->left || !q->lane_of || queueing_make_lanes(q))
        return -1;
    q->heap = malloc((q->count + q->lanes_count + 1) * sizeof *q->heap);
    if (!q->heap)
        return -1;
    for (size_t f = 0; f < q->count; f++) {
        uint64_t start = q->flows[f].start;
        q->left[f] = q->flows[f].messages;
        if (q->options->gaps == QUEUEING_EXPONENTIAL)
            start += queueing_gap(q, &q->flows[f]);
        if (q->left[f] > 0)
            queueing_push(q, (struct queueing_event){start, (uint32_t)f});
    }
    return 0;
}

static void queueing_end(struct queueing *q)
{
    for (size_t l = 0; q->lanes && l < q->lanes_count; l++)
        free(q->lanes[l].ring);
    free(q->lanes);
    free(q->lane_of);
    free(q->left);
    free(q->heap);
}

int queueing_run(const struct queueing_flow *flows, size_t count, struct queueing_server *servers,
                 size_t servers_count, const struct queueing_options *options,
                 struct queueing_result *result, struct reseat_error *error)
{
    struct queueing q = {.flows = flows,
                         .count = count,
                         .servers = servers,
                         .options = options,
                         .draw = {options->seed}};
    if (queueing_check(&q, error))
        return -1;
    memset(servers, 0, servers_count * sizeof *servers);
    int rc = queueing_begin(&q);
    while (rc == 0 && q.heap_count > 0) {
        struct queueing_event event = q.heap[0];
        if (event.stream < q.count)
            rc = queueing_send(&q, event);
        else
            queueing_arrive(&q, event);
    }
    queueing_end(&q);
    if (rc)
        return reseat_fail(error, "out of memory");
    *result = q.result;
    return 0;
}
