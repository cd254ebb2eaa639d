/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profiler.c - start, stop, and the gathering of the profile in between.
 *
 * In the gathering, rank 0 asks one process after the other (relay.c) and writes the answers to the
 * file. It asks for rows in the order of the file, so nothing is sorted or stored. The messages are
 * sent on a communicator of our own, so that no receive of the application can match them. If
 * writing fails, the gathering still ends in order, or the other ranks would wait forever.
 *
 * Two threads of a process may write at the same time, each on a communicator of its own
 * (sessions.c). At another process the two may come in the other order, so a lock in every process
 * could deadlock. Therefore only rank 0 runs one gathering after the other (its caller sees to
 * that); in the other ranks both threads wait for rank 0 to begin theirs. The later profile has
 * everything that was sent before either began.
 */
#include "profiler/profiler.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/handles.h"
#include "base/hash.h"
#include "base/processors.h"
#include "collectives/choices.h"
#include "network/card.h"
#include "network/location.h"
#include "profile/origin.h"
#include "profiler/communicators.h"
#include "profiler/domain-index.h"
#include "profiler/fetched.h"
#include "profiler/call-hooks.h"
#include "profiler/monitoring.h"
#include "profiler/mpi-release.h"
#include "profiler/rank-lookups.h"
#include "profiler/call-cache.h"
#include "profiler/record.h"
#include "profiler/relay.h"
#include "profiler/run-info.h"
#include "profiler/run-time.h"
#include "profiler/unseen.h"
#include "treematch/tmap-hwloc.h"

/* Questions, with their answers. */
enum what {
    /* struct told_seat; the number of phases with times, uint64_t, and a struct reseat_rank_time
     * of each, without the rank; the number of kinds of calls, uint64_t, and a struct told_calls of
     * each; the number of domains with traffic from here, uint64_t, and their keys; for each domain
     * led, a struct domain_message and the members */
    ASK_HELLO,
    /* struct reseat_entry, ascending by target and size; `kind` is an enum reseat_traffic, `key` a
     * domain's */
    ASK_ROWS
};

struct told_seat {
    struct reseat_seat seat;
    struct card card;     /* of its node */
    int32_t accelerators; /* of its node; 0: none, or another process there tells them */
};

static struct profiler {
    pthread_once_t seat_once;
    struct told_seat own; /* set when a profile is written */
    uint64_t written;     /* messages of this process in the profile */
    uint64_t gives_up;    /* 1: profiler_give_up was called */
} profiler = {.seat_once = PTHREAD_ONCE_INIT};

struct told_calls {
    uint64_t kind;
    struct run_calls calls;
};

/* Bits that are set if they are set in any process. */
struct seen {
    uint64_t not_seen;       /* unseen_bits() */
    uint64_t rank_variables; /* rank_lookup_bits() */
    uint64_t gives_up;
    uint64_t phases[RESEAT_TRAFFIC_KINDS]; /* bit p: there is traffic of the kind in phase p */
};

/* The cards of all nodes. */
enum { CARDS_OF_ALL = 16 };
struct cards_of_all {
    struct handles seen; /* hosts, by a hash */
    int count;           /* of cards that differ */
    struct {
        struct card card;
        unsigned long hosts;
    } list[CARDS_OF_ALL];
};

/* The calls of a kind of all ranks. */
struct calls_of_all {
    uint64_t calls;
    double seconds;
    uint64_t most; /* nanoseconds of a rank */
};

/* Sums over all hellos, at rank 0. */
struct told_by_all {
    struct cards_of_all cards;
    struct calls_of_all calls[RUN_TIME_KINDS];
};

/* One gathering, as this process sees it; several threads may each be in one. */
struct gathering {
    const struct profiler_run *run;
    struct run_time
        time;         /* of this process; at rank 0 microseconds and error are the most of any */
    struct seen seen; /* at rank 0: of all processes */
};

void phase_begins(int level)
{
    int32_t phase = level < 0 ? 0 : level < RESEAT_PHASES ? level : RESEAT_PHASES - 1;
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

/* ---- answers ---- */

/* After a part that found no memory nothing more is appended, or a later part would be read in its
 * place. Leaves room for the byte that relay.h asks for. */
static void answer_append(struct relay_answer *answer, const void *data, size_t size)
{
    char *grown = answer->is_cut ? NULL : realloc(answer->data, answer->size + size + 1);
    if (!grown) {
        answer->is_cut = 1;
        unseen_add(UNSEEN_MEMORY);
        return;
    }
    memcpy(grown + answer->size, data, size);
    answer->data = grown;
    answer->size += size;
}

static void profiler_find_own_seat(void)
{
    run_info_seat(&profiler.own.seat);
    card_find(&profiler.own.card, "/sys/class");
}

/* All ranks at once, before rank 0 asks one after the other, since it takes time. */
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

static void profiler_find_traffic(const struct domain *domain, struct peer *peer, void *found)
{
    (void)domain;
    for (const struct phase_counters *s = peer->past; s; s = s->next)
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            *(int *)found |= traffic_messages_of(&s->counters[kind]) > 0;
}

static void answer_busy(struct relay_answer *answer)
{
    uint64_t count = 0;
    size_t at = answer->size;
    answer_append(answer, &count, sizeof count);
    for (struct domain *d = traffic_next(NULL); d; d = traffic_next(d)) {
        int found = 0;
        traffic_visit(d, profiler_find_traffic, &found);
        if (found)
            answer_append(answer, &d->key, sizeof d->key);
    }
    if (answer->size < at + sizeof count)
        return;
    count = (answer->size - at) / sizeof count - 1;
    memcpy(answer->data + at, &count, sizeof count);
}

/* The number of phases that took time, and their times; none if that is not measured. */
static void answer_times(const struct run_time *time, struct relay_answer *answer)
{
    struct reseat_rank_time times[RESEAT_PHASES];
    uint64_t count = 0;
    for (int phase = 0; phase < RESEAT_PHASES && time->measured; phase++)
        if (phase == 0 || time->phase[phase].all > 0)
            times[count++] = time->phase[phase];
    answer_append(answer, &count, sizeof count);
    answer_append(answer, times, sizeof times[0] * (size_t)count);
}

/* The number of kinds of calls that were made, and the time in them. */
static void answer_calls(const struct run_time *time, struct relay_answer *answer)
{
    struct told_calls told[RUN_TIME_KINDS];
    uint64_t count = 0;
    for (uint64_t kind = 0; kind < RUN_TIME_KINDS; kind++)
        if (time->kind[kind].calls)
            told[count++] = (struct told_calls){.kind = kind, .calls = time->kind[kind]};
    answer_append(answer, &count, sizeof count);
    answer_append(answer, told, sizeof told[0] * (size_t)count);
}

static void answer_hello(const struct gathering *gathering, struct relay_answer *answer)
{
    answer_append(answer, &profiler.own, sizeof profiler.own);
    answer_times(&gathering->time, answer);
    answer_calls(&gathering->time, answer);
    answer_busy(answer);
    for (const struct domain *d = traffic_next(NULL); d; d = traffic_next(d)) {
        if (!d->members)
            continue;
        struct domain_message message = {.identity = d->identity, .key = d->key};
        answer_append(answer, &message, sizeof message);
        answer_append(answer, d->members, sizeof d->members[0] * (size_t)d->identity.size);
    }
}

struct reply {
    const struct question *question;
    struct relay_answer *answer;
};

static void answer_size(struct relay_answer *answer, int32_t source, int32_t target,
                        const struct counter *counter)
{
    if (!counter || !counter->msgs)
        return;
    struct reseat_entry row = {
        .source = source, .target = target, .msgs = counter->msgs, .bytes = counter->bytes};
    answer_append(answer, &row, sizeof row);
}

static void answer_row(const struct domain *domain, struct peer *peer, void *context)
{
    const struct reply *reply = context;
    struct phase_counters *past = peer->past;
    int32_t kind = reply->question->kind;
    while (past && past->phase != reply->question->phase)
        past = past->next;
    for (int size = 0; past && size < MESSAGE_SIZES; size++)
        answer_size(reply->answer, domain->role, peer->role,
                    traffic_find_size(&past->counters[kind], size));
}

static void answer_rows(const struct question *question, struct relay_answer *answer)
{
    struct reply reply = {question, answer};
    struct domain *domain = traffic_find(question->key);
    if (domain)
        traffic_visit(domain, answer_row, &reply);
}

/* `context`: a struct gathering. */
static struct relay_answer answer_to(const void *context, const struct question *question)
{
    struct relay_answer answer = {.data = NULL};
    if (question->what == ASK_HELLO)
        answer_hello(context, &answer);
    else if (question->what == ASK_ROWS)
        answer_rows(question, &answer);
    return answer;
}

/* ---- rank 0 writes ---- */

/* The part of an answer that begins at `at`; returns where the rest begins. */
static size_t profiler_read_busy(struct domain_index *domains, const struct relay_answer *answer,
                                 size_t at)
{
    uint64_t count, key;
    if (answer->size < at + sizeof count)
        return at;
    memcpy(&count, answer->data + at, sizeof count);
    for (at += sizeof count; count && at + sizeof key <= answer->size; count--, at += sizeof key) {
        memcpy(&key, answer->data + at, sizeof key);
        if (!handles_insert(&domains->busy, (uintptr_t)key, domains))
            unseen_add(UNSEEN_MEMORY);
    }
    return at;
}

/* The answer of a process, noting whether there was no memory for all of it. After one that is
 * missing nobody is asked any more: there will be no profile. */
static struct relay_answer profiler_ask(struct domain_index *domains,
                                        const struct question *question)
{
    struct relay_answer answer = {.has_failed = RELAY_BROKEN};
    if (domains->failed >= 0)
        return answer;
    answer = relay_ask(domains->relay, question);
    if (answer.is_cut)
        unseen_add(UNSEEN_MEMORY);
    if (answer.has_failed)
        domains->failed = question->rank;
    domains->is_late = answer.has_failed == RELAY_LATE;
    return answer;
}

/* A process that was out of memory is given an unknown seat: a profile has seats for all ranks or
 * for none. */
static void profiler_write_seat(const struct relay_answer *answer, int32_t rank,
                                struct reseat_writer *writer)
{
    struct told_seat told = {.seat.host = "unknown"};
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        told.seat.place.at[level] = -1;
    if (answer->size >= sizeof told)
        memcpy(&told, answer->data, sizeof told);
    reseat_writer_seat(writer, rank, &told.seat);
    if (told.accelerators > 0)
        reseat_writer_accelerators(writer, told.seat.host, told.accelerators);
}

/* The card of the host whose seat this is, once for each host. Returns where the rest begins. */
static size_t profiler_add_card(const struct relay_answer *answer, struct cards_of_all *cards)
{
    struct told_seat told;
    int at = 0;
    if (answer->size < sizeof told)
        return answer->size;
    memcpy(&told, answer->data, sizeof told);
    uintptr_t host =
        (uintptr_t)reseat_hash_add(reseat_hash_empty, told.seat.host, strlen(told.seat.host));
    host += host == 0;
    if (!handles_find(&cards->seen, host) && handles_insert(&cards->seen, host, cards)) {
        while (at < cards->count &&
               memcmp(&cards->list[at].card, &told.card, sizeof told.card) != 0)
            at++;
        if (at == cards->count && at < CARDS_OF_ALL)
            cards->list[cards->count++].card = told.card;
        if (at < CARDS_OF_ALL)
            cards->list[at].hosts++;
    }
    return sizeof told;
}

static void profiler_write_cards(const struct cards_of_all *cards, struct reseat_writer *writer)
{
    char text[CARD_TEXT], line[CARD_TEXT + 32];
    for (int i = 0; i < cards->count; i++) {
        snprintf(line, sizeof line, "%s on %lu host%s", card_print(&cards->list[i].card, text),
                 cards->list[i].hosts, cards->list[i].hosts == 1 ? "" : "s");
        reseat_writer_header(writer, RESEAT_CARD_HEADER, line);
    }
}

/* The part of an answer that begins at `at`; returns where the rest begins. A process that was out
 * of memory is given no time at all. */
static size_t profiler_write_times(const struct relay_answer *answer, size_t at, int32_t rank,
                                   int is_measured, struct reseat_writer *writer)
{
    struct reseat_rank_time time = {.rank = rank};
    uint64_t count = 0, taken = 0;
    if (answer->size >= at + sizeof count) {
        memcpy(&count, answer->data + at, sizeof count);
        at += sizeof count;
    }
    for (; taken < count && at + sizeof time <= answer->size; taken++, at += sizeof time) {
        memcpy(&time, answer->data + at, sizeof time);
        time.rank = rank;
        if (is_measured)
            reseat_writer_time(writer, &time);
    }
    if (taken == 0 && is_measured)
        reseat_writer_time(writer, &time);
    return at;
}

/* The part of an answer that begins at `at`, added to the sums of all ranks; returns where the rest
 * begins. */
static size_t profiler_add_calls(const struct relay_answer *answer, size_t at,
                                 struct calls_of_all calls[RUN_TIME_KINDS])
{
    struct told_calls told;
    uint64_t count = 0;
    if (answer->size >= at + sizeof count) {
        memcpy(&count, answer->data + at, sizeof count);
        at += sizeof count;
    }
    for (; count && at + sizeof told <= answer->size; count--, at += sizeof told) {
        memcpy(&told, answer->data + at, sizeof told);
        if (told.kind >= RUN_TIME_KINDS)
            continue;
        struct calls_of_all *sum = &calls[told.kind];
        sum->calls += told.calls.calls;
        sum->seconds += 1e-9 * (double)told.calls.nanoseconds;
        if (told.calls.nanoseconds > sum->most)
            sum->most = told.calls.nanoseconds;
    }
    return at;
}

/* After the times of all ranks. */
static void profiler_write_calls(const struct gathering *gathering,
                                 const struct calls_of_all calls[RUN_TIME_KINDS],
                                 struct reseat_writer *writer)
{
    double ranks = traffic_world()->identity.size;
    const char *const *names = gathering->run->time_kinds;
    if (gathering->time.measured == RESEAT_TIME_SAMPLED)
        reseat_writer_sampled(writer, gathering->time.error);
    for (int kind = 0; names && kind < RUN_TIME_KINDS && names[kind]; kind++) {
        struct reseat_call_time time = {.calls = calls[kind].calls,
                                        .mean = (uint64_t)(1e6 * calls[kind].seconds / ranks),
                                        .most = calls[kind].most / 1000};
        time.mean = time.mean < time.most ? time.mean : time.most; /* doubles are not exact */
        snprintf(time.kind, sizeof time.kind, "%s", names[kind]);
        if (time.calls && gathering->time.measured != RESEAT_TIME_NO)
            reseat_writer_calls(writer, &time);
    }
}

static void profiler_collect_hello(struct domain_index *domains, int32_t rank,
                                   const struct gathering *gathering, struct told_by_all *told,
                                   struct reseat_writer *writer)
{
    int is_measured = gathering->time.measured != RESEAT_TIME_NO;
    struct question question = {.rank = rank, .what = ASK_HELLO};
    struct relay_answer answer = profiler_ask(domains, &question);
    size_t at = profiler_add_card(&answer, &told->cards);
    profiler_write_seat(&answer, rank, writer);
    at = profiler_write_times(&answer, at, rank, is_measured, writer);
    at = profiler_add_calls(&answer, at, told->calls);
    at = profiler_read_busy(domains, &answer, at);
    while (at + sizeof(struct domain_message) <= answer.size) {
        struct domain_message message;
        memcpy(&message, answer.data + at, sizeof message);
        at += sizeof message;
        size_t members = sizeof(int32_t) * (size_t)message.identity.size;
        if (members > answer.size - at)
            break; /* the other rank was out of memory */
        if (domain_index_add(domains, &message, (const int32_t *)(answer.data + at)))
            unseen_add(UNSEEN_MEMORY);
        at += members;
    }
    free(answer.data);
}

static size_t profiler_collect_rows(struct domain_index *domains, size_t index,
                                    enum reseat_traffic kind, int32_t phase,
                                    struct reseat_writer *writer)
{
    const struct domain_record *record = &domains->list[index];
    struct question question = {.what = ASK_ROWS, .kind = kind, .phase = phase, .key = record->key};
    size_t rows = 0;
    for (int32_t role = 0; role < record->domain.size; role++) {
        question.rank = domain_index_world_rank(domains, index, role);
        struct relay_answer answer = profiler_ask(domains, &question);
        size_t count = answer.size / sizeof(struct reseat_entry);
        if (count && !rows)
            reseat_writer_traffic(writer, kind, phase);
        rows += reseat_writer_rows(writer, (const struct reseat_entry *)answer.data, count);
        free(answer.data);
    }
    return rows;
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
                looking->seen.phases[kind] |= UINT64_C(1) << s->phase;
                looking->messages += traffic_messages_of(&s->counters[kind]);
            }
}

/* This process's bits. Also notes how many messages the profile will have at least. */
static struct seen profiler_unseen(void)
{
    struct looking looking = {
        .seen = {.not_seen = unseen_bits(),
                 .rank_variables = rank_lookup_bits(),
                 .gives_up = __atomic_load_n(&profiler.gives_up, __ATOMIC_RELAXED)}};
    traffic_visit(NULL, profiler_unseen_of, &looking);
    __atomic_store_n(&profiler.written, looking.messages, __ATOMIC_RELAXED);
    return looking.seen;
}

static void profiler_write_headers(const struct gathering *gathering, struct reseat_writer *writer)
{
    const struct profiler_run *run = gathering->run;
    const struct seen *seen = &gathering->seen;
    char text[ORIGIN_SIZE];
    reseat_writer_header(writer, "program", origin_own_program(text));
    if (run->arguments)
        reseat_writer_header(writer, "arguments", origin_own_arguments(text));
    if (run->arguments && *origin_own_command(text))
        reseat_writer_header(writer, "command", text);
    reseat_writer_header(writer, "mpi", run->mpi);
    reseat_writer_header(writer, "date", run_info_date(text));
    reseat_writer_duration(writer, gathering->time.microseconds);
    reseat_writer_header(writer, "collectives", profiler_collectives());
    reseat_writer_header(writer, RESEAT_SIZES_HEADER, "by powers of two");
    if (!reseat_place_is_known(&profiler.own.seat.place)) { /* they are those of the host */
        snprintf(text, sizeof text, "%d", processors_allowed());
        reseat_writer_header(writer, "processors", text);
    }
    for (int bit = 0; bit < UNSEEN_COUNT; bit++)
        if (seen->not_seen & 1u << bit)
            reseat_writer_header(writer, "not_seen", unseen_text(bit));
    for (int bit = 0; bit < RANK_VARIABLES; bit++)
        if (seen->rank_variables & 1u << bit)
            reseat_writer_header(writer, "rank_variable", rank_variable_name(bit));
}

/* At the end of the profile: what was found out only while it was written. */
static void profiler_write_late(const struct seen *seen, struct reseat_writer *writer)
{
    if (unseen_bits() & ~seen->not_seen & UNSEEN_MEMORY)
        reseat_writer_header(writer, "not_seen", unseen_text(UNSEEN_MEMORY_BIT));
}

/* The head of a domain, after those of its parents. */
static void profiler_write_domain(struct domain_index *domains, size_t index,
                                  struct reseat_writer *writer)
{
    struct domain_record *record = &domains->list[index];
    struct reseat_domain domain = record->domain;
    if (record->id >= 0)
        return;
    if (domain.parent >= 0) {
        profiler_write_domain(domains, (size_t)domain.parent, writer);
        domain.parent = domains->list[domain.parent].id;
    }
    record->id = domains->written++;
    reseat_writer_domain(writer, &domain);
}

static int profiler_say_missing(int rank, int is_late, double patience, struct reseat_error *error)
{
    return is_late ? reseat_fail(error,
                                 "rank %d has not said what it has sent within RESEAT_WAIT (%g s)",
                                 rank, patience)
                   : reseat_fail(error, "MPI failed to ask rank %d what it has sent", rank);
}

/* The number of rows in *rows. 0, or -1 with *error: an answer is missing. */
static int profiler_write_all(struct relay *relay, const struct gathering *gathering, size_t *rows,
                              struct reseat_writer *writer, struct reseat_error *error)
{
    const struct seen *seen = &gathering->seen;
    int32_t ranks = traffic_world()->identity.size;
    struct domain_index domains = {.relay = relay, .failed = -1, .busy = HANDLES_INIT};
    struct domain_message world = {.identity = traffic_world()->identity,
                                   .key = traffic_world()->key};
    struct told_by_all told = {.cards.seen = HANDLES_INIT};
    *rows = 0;
    profiler_write_headers(gathering, writer);
    if (domain_index_add(&domains, &world, NULL) == 0) {
        for (int32_t rank = 0; rank < ranks; rank++)
            profiler_collect_hello(&domains, rank, gathering, &told, writer);
        profiler_write_calls(gathering, told.calls, writer);
        profiler_write_cards(&told.cards, writer);
        domain_index_order(&domains);
    }
    for (size_t i = 0; i < domains.count; i++) {
        int busy = handles_find(&domains.busy, (uintptr_t)domains.list[i].key) != NULL;
        if (i > 0 && !busy)
            continue;
        profiler_write_domain(&domains, i, writer);
        for (int32_t phase = 0; phase < RESEAT_PHASES; phase++)
            for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
                if (seen->phases[kind] & UINT64_C(1) << phase)
                    *rows += profiler_collect_rows(&domains, i, kind, phase, writer);
    }
    domain_index_destroy(&domains);
    handles_clear(&told.cards.seen, NULL);
    profiler_write_late(seen, writer);
    return domains.failed < 0 ? 0
                              : profiler_say_missing(domains.failed, domains.is_late,
                                                     gathering->run->patience, error);
}

/* At rank 0: ask, write, and let the others go. 0, or -1 with *error. */
static int profiler_lead(struct relay *relay, const struct gathering *gathering, size_t *entries,
                         struct reseat_error *error)
{
    struct reseat_writer *writer = NULL;
    int status =
        reseat_writer_open(&writer, gathering->run->path, traffic_world()->identity.size, error);
    if (status == 0)
        status = profiler_write_all(relay, gathering, entries, writer, error);
    relay_end(relay); /* the disk may take its time */
    if (status == 0)
        return reseat_writer_commit(writer, error);
    reseat_writer_abort(writer);
    return status;
}

/* Wait here until rank 0 begins this gathering. 0, or -1: no word of that has come, nor do the
 * ranks below hear of more. */
static int profiler_begin_gathering(struct rank_tree *rank_tree)
{
    const struct rank_tree_wanted nothing = {.data = NULL};
    return rank_tree_broadcast(rank_tree, RANK_TREE_NOBODY, NULL, 0, &nothing) == RANK_TREE_NOBODY
               ? 0
               : -1;
}

/* Given once by each process. */
struct given {
    struct seen seen;
    uint64_t microseconds;
    uint64_t error; /* of the sampled times */
};

/* Rank 0 gets what is so for any process. Returns there the first rank from which it does not, or
 * that does not have all rows of its own; RANK_TREE_NOBODY: none. Collective. */
static int profiler_gather_seen(struct gathering *gathering, struct rank_tree *rank_tree,
                                int has_all)
{
    struct given theirs = {.seen = profiler_unseen(),
                           .microseconds = gathering->time.microseconds,
                           .error = gathering->time.error};
    struct rank_tree_parts parts;
    size_t at = 0, size;
    const void *part;
    gathering->seen = theirs.seen;
    int failed = rank_tree_gather(rank_tree, has_all ? RANK_TREE_NOBODY : rank_tree->first, &theirs,
                                  sizeof theirs, &parts);
    if (parts.is_cut && failed == RANK_TREE_NOBODY)
        failed = rank_tree->first;
    while ((part = rank_tree_next(&parts, &at, &size))) {
        memcpy(&theirs, part, sizeof theirs);
        for (size_t i = 0; i < sizeof theirs.seen / sizeof(uint64_t); i++)
            ((uint64_t *)&gathering->seen)[i] |= ((const uint64_t *)&theirs.seen)[i];
        if (theirs.microseconds > gathering->time.microseconds)
            gathering->time.microseconds = theirs.microseconds;
        if (theirs.error > gathering->time.error)
            gathering->time.error = theirs.error;
    }
    free(parts.data);
    return failed;
}

int profiler_write(const struct profiler_run *run, size_t *entries, struct reseat_error *error)
{
    MPI_Comm own = run->own;
    struct relay relay;
    struct gathering gathering = {.run = run};
    int rank, status = 0;
    monitoring_pause();
    run_time_get(&gathering.time);
    PMPI_Comm_rank(own, &rank);
    relay_open(&relay, own, answer_to, &gathering);
    relay.rank_tree.patience = run->patience;
    profiler_find_seat(run, &relay.rank_tree);
    if (profiler_begin_gathering(&relay.rank_tree)) {
        monitoring_resume();
        return 0; /* rank 0, which waits for this one, says so */
    }
    call_cache_flush();
    traffic_flush_phase();
    int is_returned = fetched_return(&relay.rank_tree) == 0;
    int failed = profiler_gather_seen(&gathering, &relay.rank_tree, is_returned);
    if (rank != 0) {
        relay_serve(&relay);
    } else if (gathering.seen.gives_up) {
        relay_end(&relay);
        status = reseat_fail(error, "the program has called MPI_Abort");
    } else if (failed != RANK_TREE_NOBODY) {
        relay_end(&relay);
        status = profiler_say_missing(failed, relay.rank_tree.is_late, run->patience, error);
    } else {
        status = profiler_lead(&relay, &gathering, entries, error);
    }
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
