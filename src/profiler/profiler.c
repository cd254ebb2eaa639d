/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profiler.c - start, stop, and the gathering of the profile in between.
 *
 * In the gathering, rank 0 asks the others (collect.c), which answer (answers.c). The messages are
 * sent on a communicator of our own, so that no receive of the application can match them.
 *
 * Two threads of a process may write at the same time, each on a communicator of its own
 * (sessions.c). At another process the two may come in the other order, so a lock in every process
 * could deadlock. Therefore only rank 0 runs one gathering after the other (its caller sees to
 * that); in the other ranks both threads wait for rank 0 to begin theirs. The later profile has
 * everything that was sent before either began.
 */
#include "profiler/profiler.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "collectives/choices.h"
#include "network/card.h"
#include "network/location.h"
#include "profiler/answers.h"
#include "profiler/call-cache.h"
#include "profiler/call-hooks.h"
#include "profiler/communicators.h"
#include "profiler/fetched.h"
#include "profiler/monitoring.h"
#include "profiler/mpi-release.h"
#include "profiler/record.h"
#include "profiler/relay.h"
#include "profiler/run-info.h"
#include "profiler/run-time.h"
#include "profiler/unseen.h"
#include "profiler/windows.h"

static struct profiler {
    pthread_once_t seat_once;
    struct told_seat own; /* set when a profile is written */
    uint64_t written;     /* messages of this process in the profile */
    uint64_t gives_up;    /* 1: profiler_give_up was called */
} profiler = {.seat_once = PTHREAD_ONCE_INIT};

void phase_begins(int level)
{
    int32_t phase = level < 0 ? 0 : level < RESEAT_PHASES ? level : RESEAT_PHASES - 1;
    windows_stop();
    call_cache_flush();
    traffic_set_phase(phase);
    run_time_phase(phase);
}

int profiler_start(MPI_Group world, int threads)
{
    traffic_threads = threads;
    record_prepare();
    if (traffic_start(world) == 0)
        return 0;
    profiler_stop();
    return -1;
}

void profiler_listen(enum reseat_collectives collectives, MPI_Comm launched)
{
    if (monitoring_start(collectives, launched) == RESEAT_COLLECTIVES_OFF)
        unseen_add(UNSEEN_COLLECTIVES);
}

void profiler_stop(void)
{
    monitoring_stop();
    record_stop();
    one_sided_stop();
    communicators_stop();
    traffic_stop();
}

static void profiler_find_own_seat(void)
{
    run_info_seat(&profiler.own.seat);
    card_find(&profiler.own.card, "/sys/class");
}

/* Before rank 0 asks, since it takes time. */
static void profiler_find_seat(const struct profiler_run *run, struct rank_tree *all)
{
    if (!run->find_place) {
        pthread_once(&profiler.seat_once, profiler_find_own_seat);
        return;
    }
    struct tmap_error why;
    struct reseat_location location = {.node = -1};
    run_info_host(&profiler.own.seat);
    card_find(&profiler.own.card, "/sys/class");
    run->find_place(all, &location, &why);
    profiler.own.seat.place = location.place;
    profiler.own.accelerators = location.accelerators;
}

const char *profiler_collectives(void)
{
    return monitoring_source == RESEAT_COLLECTIVES_MONITORING ? "monitoring (as sent by Open MPI)"
           : monitoring_source == RESEAT_COLLECTIVES_MODEL    ? choices_name(mpi_release())
                                                              : "off";
}

struct looking {
    struct seen seen;
    uint64_t messages;
};

static void profiler_unseen_of(const struct domain *domain, struct peer *peer, void *context)
{
    struct looking *looking = context;
    (void)domain;
    for (const struct phase_counters *s = peer->past; s; s = s->next)
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            if (traffic_messages_of(&s->counters[kind])) {
                looking->seen.phases[kind] |= UINT64_C(1) << windows_phase(0, s->phase);
                looking->messages += traffic_messages_of(&s->counters[kind]);
            }
}

/* This process's bits. Also notes how many messages the profile will have at least. */
static struct seen profiler_unseen(void)
{
    int windows = windows_count();
    int gives_up = __atomic_load_n(&profiler.gives_up, __ATOMIC_RELAXED) != 0;
    struct looking looking = {.seen = {.not_seen = unseen_bits(),
                                       .rank_variables = rank_lookup_bits(),
                                       .job = (gives_up ? SEEN_GIVES_UP : 0) |
                                              (windows ? 0 : SEEN_NO_WINDOW) |
                                              (windows > 1 ? SEEN_WINDOWS : 0) |
                                              (uint64_t)SEEN_MERGED << windows_merged()}};
    traffic_visit(NULL, profiler_unseen_of, &looking);
    __atomic_store_n(&profiler.written, looking.messages, __ATOMIC_RELAXED);
    return looking.seen;
}

/* Wait here until rank 0 begins this gathering. 0, or -1: no word of that has come, nor do the
 * ranks below hear of more. */
static int profiler_begin_gathering(const struct profiler_run *run, struct rank_tree *rank_tree)
{
    const struct rank_tree_wanted left = {.data = run->left, .size = PATH_MAX};
    size_t size = rank_tree->parent < 0 && run->job ? strlen(run->path) + 1 : 0;
    return rank_tree_broadcast(rank_tree, RANK_TREE_NOBODY, run->path, size, &left) ==
                   RANK_TREE_NOBODY
               ? 0
               : -1;
}

/* Facts that hold if they hold for any process. */
struct given {
    struct seen seen;
    uint64_t microseconds;
    uint64_t error; /* of the sampled times */
};

static void profiler_combine(void *mine, const void *theirs)
{
    struct given *all = mine, other;
    memcpy(&other, theirs, sizeof other);
    for (size_t i = 0; i < sizeof other.seen / sizeof(uint64_t); i++)
        ((uint64_t *)&all->seen)[i] |= ((const uint64_t *)&other.seen)[i];
    if (other.microseconds > all->microseconds)
        all->microseconds = other.microseconds;
    if (other.error > all->error)
        all->error = other.error;
}

/* Rank 0 gets what is so for any process. Returns there the first rank from which it does not, or
 * that does not have all rows of its own; RANK_TREE_NOBODY: none. Collective. */
static int profiler_gather_seen(struct gathering *gathering, struct rank_tree *rank_tree,
                                int has_all)
{
    struct given given = {.seen = profiler_unseen(),
                          .microseconds = gathering->time.microseconds,
                          .error = gathering->time.error};
    int failed = rank_tree_reduce(rank_tree, has_all ? RANK_TREE_NOBODY : rank_tree->first, &given,
                                  sizeof given, profiler_combine);
    gathering->seen = given.seen;
    gathering->time.microseconds = given.microseconds;
    gathering->time.error = given.error;
    return failed;
}

int profiler_write(const struct profiler_run *run, size_t *entries, struct reseat_error *error)
{
    MPI_Comm own = run->own;
    struct relay relay;
    struct gathering gathering = {
        .run = run, .own = &profiler.own, .collectives = profiler_collectives()};
    int rank, status = 0;
    monitoring_pause();
    run_time_get(&gathering.time);
    PMPI_Comm_rank(own, &rank);
    relay_open(&relay, own, answer_to, &gathering);
    relay.rank_tree.patience = run->patience;
    profiler_find_seat(run, &relay.rank_tree);
    if (profiler_begin_gathering(run, &relay.rank_tree)) {
        *run->has_leftovers = 1;
        monitoring_resume();
        return 0; /* rank 0, which waits for this one, says so */
    }
    call_cache_flush();
    traffic_flush_phase();
    int is_returned = fetched_return(&relay.rank_tree) == 0;
    int failed = profiler_gather_seen(&gathering, &relay.rank_tree, is_returned);
    if (rank != 0) {
        relay_serve(&relay);
    } else if (gathering.seen.job & SEEN_GIVES_UP) {
        relay_end(&relay);
        status = reseat_fail(error, "the program has called MPI_Abort");
    } else if (failed != RANK_TREE_NOBODY) {
        relay_end(&relay);
        status = collect_say_missing(failed, relay.rank_tree.is_late, run->patience, error);
    } else {
        status = collect_profile(&relay, &gathering, entries, error);
    }
    *run->has_leftovers = relay_has_leftovers(&relay);
    monitoring_resume();
    return status;
}

void profiler_give_up(void)
{
    __atomic_store_n(&profiler.gives_up, 1, __ATOMIC_RELAXED);
}

uint64_t profiler_messages(void)
{
    call_cache_flush();
    return traffic_messages();
}

int profiler_has_written_all(void)
{
    return profiler_messages() == __atomic_load_n(&profiler.written, __ATOMIC_RELAXED);
}
