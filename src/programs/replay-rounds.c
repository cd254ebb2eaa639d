/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay-rounds.c - see replay-rounds.h.
 *
 * A program exchanges messages with its neighbors, waits for them, and does so again. So there are
 * as many rounds as the busiest pair has messages, and a rank waits for its own messages of a round
 * only. All messages of a stage are posted before it is waited for, at both ends; therefore a rank
 * in the earliest stage that is under way can always go on, whatever the MPI does with large
 * messages.
 *
 * Received messages have room of their own; what is sent is always the same.
 */
#include "programs/replay-rounds.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "programs/finish.h"

enum {
    REPLAY_ROOM = 32 << 20,     /* bytes that a rank receives at a time, if possible */
    REPLAY_REQUESTS = 1 << 16,  /* likewise */
    REPLAY_MOST_ROUNDS = 10000, /* more messages of a pair go together, ... */
    REPLAY_TOGETHER = 64,       /* ... but not more than this */
    REPLAY_EARLY = 64 << 20,    /* bytes that may reach a rank before it waits for them */
    REPLAY_EAGER = 64 << 10,    /* of a message: more is sent only when the receiver is ready */
    REPLAY_ENVELOPE = 256,      /* of each message in addition, about */
    TAG_MESSAGE = 2
};

/* ---- the plan ---- */

static struct replay_need replay_most_need(const struct replay_traffic *traffic,
                                           const struct replay_plan *plan)
{
    struct replay_need in = replay_pairs_need(&traffic->in, plan);
    struct replay_need out = replay_pairs_need(&traffic->out, plan), most;
    uint64_t mine[2] = {in.bytes, in.messages + out.messages}, all[2];
    MPI_Allreduce(mine, all, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    most.bytes = all[0];
    most.messages = all[1];
    return most;
}

static int replay_fits(struct replay_need need)
{
    return need.bytes <= REPLAY_ROOM && need.messages <= REPLAY_REQUESTS;
}

/* As few stages as there is room for. Returns what they need. */
static struct replay_need replay_plan_stages(struct replay_rounds *rounds)
{
    const struct replay_traffic *traffic = rounds->traffic;
    struct replay_need need;
    rounds->plan.stages = 1;
    while (!replay_fits(need = replay_most_need(traffic, &rounds->plan)) &&
           rounds->plan.stages < traffic->ranks)
        rounds->plan.stages =
            rounds->plan.stages <= traffic->ranks / 2 ? 2 * rounds->plan.stages : traffic->ranks;
    return need;
}

static uint64_t replay_most_messages(const struct replay_traffic *traffic)
{
    uint64_t mine = replay_pairs_most(&traffic->out), most = 0;
    MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return most ? most : 1;
}

static struct replay_need replay_plan_isend(struct replay_rounds *rounds)
{
    uint64_t most = replay_most_messages(rounds->traffic), few = REPLAY_MOST_ROUNDS;
    if (most / REPLAY_TOGETHER > few)
        few = most / REPLAY_TOGETHER;
    rounds->plan.rounds = most < few ? most : few;
    struct replay_need need = replay_plan_stages(rounds);
    if (replay_fits(need) || rounds->plan.rounds == most)
        return need;
    rounds->plan.rounds = most;
    return replay_plan_stages(rounds);
}

/* Bytes can be dealt in any way. */
static void replay_plan_alltoallv(struct replay_rounds *rounds)
{
    uint64_t out = replay_pairs_sum(&rounds->traffic->out).bytes, most = 0;
    uint64_t in = replay_pairs_sum(&rounds->traffic->in).bytes, mine = in > out ? in : out;
    uint64_t few = replay_most_messages(rounds->traffic);
    MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    rounds->plan.stages = 1;
    rounds->plan.rounds = few < REPLAY_MOST_ROUNDS ? few : REPLAY_MOST_ROUNDS;
    if (rounds->plan.rounds < most / REPLAY_ROOM + 1)
        rounds->plan.rounds = most / REPLAY_ROOM + 1;
}

/* The bytes of a round, on average, that can reach this rank early. */
static uint64_t replay_early(const struct replay_rounds *rounds)
{
    const struct replay_pairs *in = &rounds->traffic->in;
    uint64_t sum = 0, parts = rounds->plan.rounds;
    for (size_t i = 0; i < in->n; i++) {
        const struct replay_pair *pair = &in->pair[i];
        uint64_t bytes = replay_bytes_before(pair, pair->count);
        uint64_t early = bytes / parts <= REPLAY_EAGER ? bytes : 0;
        if (rounds->way == REPLAY_BY_ISEND)
            early = replay_bytes_of_small(pair, REPLAY_EAGER);
        sum += pair->count * REPLAY_ENVELOPE + early;
    }
    return sum / parts;
}

/* Nothing holds a rank back that only sends small messages: so that they do not fill the memory of
 * those that receive them, all wait for each other now and then. */
static void replay_plan_apart(struct replay_rounds *rounds)
{
    uint64_t mine = replay_early(rounds), most = 0;
    MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    rounds->apart = REPLAY_EARLY / (most + 1) + 1;
}

/* ---- memory ---- */

/* Room whose pages are there. */
static void *replay_room(size_t size)
{
    void *room = malloc(size + 1);
    if (!room)
        finish_without_memory();
    else
        memset(room, 0, size + 1);
    return room;
}

/* The largest message that this rank sends. */
static size_t replay_largest(const struct replay_pairs *pairs)
{
    uint64_t most = 0;
    for (size_t i = 0; i < pairs->n; i++)
        if (replay_largest_of(&pairs->pair[i]) > most)
            most = replay_largest_of(&pairs->pair[i]);
    return most;
}

void replay_rounds_open(struct replay_rounds *rounds, struct replay_traffic *traffic,
                        enum replay_way way)
{
    size_t ranks = (size_t)traffic->ranks;
    *rounds =
        (struct replay_rounds){.traffic = traffic, .way = way, .statuses = MPI_STATUSES_IGNORE};
    if (way == REPLAY_BY_ISEND) {
        struct replay_need all = replay_plan_isend(rounds);
        replay_plan_apart(rounds);
        struct replay_need in = replay_pairs_need(&traffic->in, &rounds->plan);
        rounds->incoming = replay_room(in.bytes);
        rounds->outgoing = replay_room(replay_largest(&traffic->out));
        rounds->request = replay_room(all.messages * sizeof *rounds->request);
        return;
    }
    replay_plan_alltoallv(rounds);
    replay_plan_apart(rounds);
    /* A round has its part of each pair, rounded up. */
    uint64_t parts = rounds->plan.rounds;
    rounds->incoming = replay_room(replay_pairs_sum(&traffic->in).bytes / parts + ranks);
    rounds->outgoing = replay_room(replay_pairs_sum(&traffic->out).bytes / parts + ranks);
    rounds->counts = replay_room(4 * ranks * sizeof *rounds->counts);
}

void replay_rounds_close(struct replay_rounds *rounds)
{
    free(rounds->incoming);
    free(rounds->outgoing);
    free(rounds->request);
    free(rounds->counts);
    *rounds = (struct replay_rounds){0};
}

/* ---- nonblocking sends ---- */

static int replay_post_receives(struct replay_rounds *rounds, uint64_t round, size_t from,
                                size_t end)
{
    const struct replay_plan *plan = &rounds->plan;
    size_t used = 0;
    int n = 0;
    for (size_t i = from; i < end; i++) {
        const struct replay_pair *pair = &rounds->traffic->in.pair[i];
        uint64_t message = replay_before(pair->count, plan->rounds, round);
        for (; message < replay_before(pair->count, plan->rounds, round + 1); message++) {
            int size = (int)replay_size(pair, message);
            MPI_Irecv(rounds->incoming + used, size, MPI_BYTE, pair->source, TAG_MESSAGE,
                      MPI_COMM_WORLD, &rounds->request[n++]);
            used += (size_t)size;
        }
    }
    return n;
}

static int replay_post_sends(struct replay_rounds *rounds, uint64_t round, size_t from, size_t end,
                             int n)
{
    const struct replay_plan *plan = &rounds->plan;
    for (size_t i = from; i < end; i++) {
        const struct replay_pair *pair = &rounds->traffic->out.pair[i];
        uint64_t message = replay_before(pair->count, plan->rounds, round);
        for (; message < replay_before(pair->count, plan->rounds, round + 1); message++)
            MPI_Isend(rounds->outgoing, (int)replay_size(pair, message), MPI_BYTE, pair->target,
                      TAG_MESSAGE, MPI_COMM_WORLD, &rounds->request[n++]);
    }
    return n;
}

static void replay_round_isend(struct replay_rounds *rounds, uint64_t round)
{
    const struct replay_pairs *in = &rounds->traffic->in, *out = &rounds->traffic->out;
    size_t in_from = 0, out_from = 0;
    for (int32_t stage = 0; stage < rounds->plan.stages; stage++) {
        size_t in_end = replay_pairs_stage_end(in, &rounds->plan, stage, in_from);
        size_t out_end = replay_pairs_stage_end(out, &rounds->plan, stage, out_from);
        int n = replay_post_receives(rounds, round, in_from, in_end);
        n = replay_post_sends(rounds, round, out_from, out_end, n);
        MPI_Waitall(n, rounds->request, rounds->statuses);
        in_from = in_end;
        out_from = out_end;
    }
}

/* ---- MPI_Alltoallv ---- */

static void replay_fill_counts(const struct replay_pairs *pairs, int *counts, int *starts,
                               int by_source, const struct replay_plan *plan, uint64_t round)
{
    int at = 0;
    for (size_t i = 0; i < pairs->n; i++) {
        const struct replay_pair *pair = &pairs->pair[i];
        uint64_t bytes = replay_bytes_before(pair, pair->count);
        int partner = by_source ? pair->source : pair->target;
        counts[partner] = (int)(replay_before(bytes, plan->rounds, round + 1) -
                                replay_before(bytes, plan->rounds, round));
        starts[partner] = at;
        at += counts[partner];
    }
}

static void replay_round_alltoallv(struct replay_rounds *rounds, uint64_t round)
{
    const struct replay_traffic *traffic = rounds->traffic;
    int *out = rounds->counts, *out_at = out + traffic->ranks;
    int *in = out_at + traffic->ranks, *in_at = in + traffic->ranks;
    replay_fill_counts(&traffic->out, out, out_at, 0, &rounds->plan, round);
    replay_fill_counts(&traffic->in, in, in_at, 1, &rounds->plan, round);
    MPI_Alltoallv(rounds->outgoing, out, out_at, MPI_BYTE, rounds->incoming, in, in_at, MPI_BYTE,
                  MPI_COMM_WORLD);
}

/* ---- all ---- */

double replay_rounds_run(struct replay_rounds *rounds)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start = clock_now(), mine, slowest = 0;
    for (uint64_t round = 0; round < rounds->plan.rounds; round++) {
        if (rounds->way == REPLAY_BY_ISEND)
            replay_round_isend(rounds, round);
        else
            replay_round_alltoallv(rounds, round);
        if ((round + 1) % rounds->apart == 0)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    mine = clock_now() - start;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}
