/* SPDX-License-Identifier: BSD-3-Clause */
/* replay-load.c - see replay-load.h. */
#include "programs/replay-load.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "profile/order.h"
#include "profile/profile.h"
#include "programs/finish.h"

enum { TAG_PAIRS = 1 };

/* ---- rank 0 ---- */

static int replay_compare(const struct reseat_entry *x, const struct reseat_entry *y)
{
    if (x->msgs != y->msgs) /* as reseat_profile_phases has kinds: at both ends alike */
        return (x->msgs > y->msgs) - (x->msgs < y->msgs);
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int replay_by_target(const void *a, const void *b)
{
    const struct reseat_entry *x = a, *y = b;
    if (x->target != y->target)
        return (x->target > y->target) - (x->target < y->target);
    if (x->source != y->source)
        return (x->source > y->source) - (x->source < y->source);
    return replay_compare(x, y);
}

#ifdef RESEAT_SIMULATED
static int replay_by_source(const void *a, const void *b)
{
    const struct reseat_entry *x = a, *y = b;
    return x->source != y->source ? (x->source > y->source) - (x->source < y->source)
                                  : replay_by_target(a, b);
}

/* Nothing is preloaded that would reorder the ranks: here the traffic of a role is sent by the rank
 * that plays it, as RESEAT_MAPPING says. 0, or -1 with *error. */
static int replay_reorder(struct reseat_entry *entries, size_t count, int ranks,
                          struct reseat_error *error)
{
    const char *path = getenv("RESEAT_MAPPING");
    int32_t *rank_of = path && *path ? malloc((size_t)ranks * sizeof *rank_of) : NULL;
    if (!rank_of)
        return path && *path ? reseat_fail(error, "out of memory for the order") : 0;
    int rc = reseat_order_read_slots(rank_of, ranks, ranks, path, error);
    for (size_t i = 0; rc == 0 && i < count; i++) {
        entries[i].source = rank_of[entries[i].source];
        entries[i].target = rank_of[entries[i].target];
    }
    free(rank_of);
    if (rc == 0 && count)
        qsort(entries, count, sizeof *entries, replay_by_source);
    return rc;
}
#endif

/* Phases count as one. */
static void replay_join_phases(struct reseat_profile *profile)
{
    for (size_t d = 0; d < profile->domains_count; d++)
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            for (size_t i = 0; i < profile->domains[d].count[kind]; i++)
                profile->domains[d].entries[kind][i].phase = 0;
}

/* Read the traffic of all ranks, by kind and size. 0, or -1 with *error. */
static int replay_read(struct reseat_entry **entries, size_t *count, const char *path, int phase,
                       int ranks, struct reseat_error *error)
{
    struct reseat_profile *profile;
    if (reseat_profile_read(&profile, path, error))
        return -1;
    int rc = 0;
    if (profile->ranks != ranks)
        rc = reseat_fail(error, "the profile is of %d ranks, and the launcher starts %d",
                         (int)profile->ranks, ranks);
    if (!rc && phase >= 0)
        reseat_profile_keep_phase(profile, phase);
    replay_join_phases(profile);
    if (!rc)
        rc = reseat_profile_phases(profile, 0, 1, entries, count, error);
    reseat_profile_destroy(profile);
#ifdef RESEAT_SIMULATED
    if (!rc)
        rc = replay_reorder(*entries, *count, ranks, error);
#endif
    return rc;
}

/* A message is at most as large as MPI can count, and what was counted without messages is one. */
static struct replay_pair replay_pair_of(const struct reseat_entry *entry)
{
    struct replay_pair pair = {.source = entry->source,
                               .target = entry->target,
                               .messages = entry->msgs,
                               .bytes = entry->bytes};
    uint64_t least = entry->bytes / REPLAY_MOST_MESSAGE + 1;
    if (pair.messages == 0 || pair.bytes / pair.messages >= REPLAY_MOST_MESSAGE)
        pair.messages = least;
    return pair;
}

/* Add an entry to the list of a rank, in which those of the same pair come one after the other. */
static size_t replay_put(struct replay_pair *list, size_t n, const struct reseat_entry *entry)
{
    struct replay_pair pair = replay_pair_of(entry), *last = n ? &list[n - 1] : NULL;
    if (!last || last->source != pair.source || last->target != pair.target) {
        list[n] = pair;
        return n + 1;
    }
    replay_pair_add(last, &(struct replay_part){pair.messages, pair.bytes});
    return n;
}

/* Send each rank the entries that have it as target, or as source, by which they are sorted; ours
 * stay here. 0, or -1: out of memory for ours. */
static int replay_deal(const struct reseat_entry *entries, size_t count, int by_target,
                       struct replay_pairs *ours, struct replay_pair *room)
{
    int rc = 0;
    for (int rank = 0; rank < ours->ranks; rank++) {
        size_t n = 0;
        for (; count && (by_target ? entries->target : entries->source) == rank; entries++, count--)
            n = replay_put(room, n, entries);
        if (rank > 0) {
            MPI_Send(room, (int)(n * sizeof *room), MPI_BYTE, rank, TAG_PAIRS, MPI_COMM_WORLD);
            continue;
        }
        ours->pair = malloc((n + 1) * sizeof *room);
        if (ours->pair)
            memcpy(ours->pair, room, n * sizeof *room);
        ours->n = ours->pair ? n : 0;
        rc = ours->pair ? 0 : -1;
    }
    return rc;
}

/* The most entries of a rank, in either direction. */
static size_t replay_widest(const struct reseat_entry *entries, size_t count, size_t *of_rank,
                            int ranks)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        of_rank[entries[i].source]++;
        of_rank[ranks + entries[i].target]++;
    }
    for (int i = 0; i < 2 * ranks; i++)
        most = of_rank[i] > most ? of_rank[i] : most;
    return most;
}

/* Deal what has been read. 0, or -1: out of memory, after every rank has got something. */
static int replay_deal_all(struct replay_traffic *traffic, struct reseat_entry *entries,
                           size_t count, struct replay_pair *room)
{
    int rc = replay_deal(entries, count, 0, &traffic->out, room);
    if (count)
        qsort(entries, count, sizeof *entries, replay_by_target);
    return replay_deal(entries, count, 1, &traffic->in, room) ? -1 : rc;
}

/* Read, agree with the others that there is something to deal, and deal. 0, or -1 with *error. */
static int replay_lead(struct replay_traffic *traffic, const char *path, int phase,
                       struct reseat_error *error)
{
    struct reseat_entry *entries = NULL;
    struct replay_pair *room = NULL;
    size_t count = 0, *of_rank = NULL, widest = 0;
    int rc = replay_read(&entries, &count, path, phase, traffic->ranks, error);
    if (!rc) {
        of_rank = calloc(2 * (size_t)traffic->ranks, sizeof *of_rank);
        widest = of_rank ? replay_widest(entries, count, of_rank, traffic->ranks) : 0;
        room = malloc((widest + 1) * sizeof *room);
        if (!of_rank || !room)
            rc = reseat_fail(error, "out of memory for the pairs");
        else if (widest > INT_MAX / sizeof *room)
            rc = reseat_fail(error, "a rank has too many partners");
    }
    MPI_Bcast(&rc, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!rc && replay_deal_all(traffic, entries, count, room))
        rc = reseat_fail(error, "out of memory for the pairs");
    free(of_rank);
    free(room);
    free(entries);
    return rc;
}

/* ---- the others ---- */

/* Get one list. Without memory for it the job ends: rank 0 may wait until all is received. */
static void replay_receive(struct replay_pairs *pairs)
{
    MPI_Status status;
    int bytes = 0;
    MPI_Probe(0, TAG_PAIRS, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    pairs->pair = malloc((size_t)bytes + 1);
    if (!pairs->pair)
        finish_without_memory();
    MPI_Recv(pairs->pair, bytes, MPI_BYTE, 0, TAG_PAIRS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pairs->n = (size_t)bytes / sizeof *pairs->pair;
}

static int replay_follow(struct replay_traffic *traffic)
{
    int rc;
    MPI_Bcast(&rc, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rc)
        return -1;
    replay_receive(&traffic->out);
    replay_receive(&traffic->in);
    return 0;
}

/* ---- all ---- */

int replay_load(struct replay_traffic *traffic, const char *path, int phase,
                struct reseat_error *error)
{
    memset(traffic, 0, sizeof *traffic);
    MPI_Comm_rank(MPI_COMM_WORLD, &traffic->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &traffic->ranks);
    traffic->out.ranks = traffic->in.ranks = traffic->ranks;
    int rc = traffic->rank == 0 ? replay_lead(traffic, path, phase, error) : replay_follow(traffic);
    int any = 0;
    MPI_Allreduce(&rc, &any, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (any)
        return -1;
    replay_pairs_sort(&traffic->out);
    replay_pairs_sort(&traffic->in);
    return 0;
}

void replay_unload(struct replay_traffic *traffic)
{
    free(traffic->out.pair);
    free(traffic->in.pair);
    traffic->out.pair = traffic->in.pair = NULL;
}
