/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collect.c - see answers.h. Rank 0 asks all processes at once and writes their answers to the
 * file one after the other, as they come (relay.h). It asks for rows in the order of the file, so
 * nothing is sorted or stored. If writing fails, the gathering still ends in order, or the other
 * ranks would wait forever.
 */
#include "profiler/answers.h"

#include <stdio.h>
#include <string.h>

#include "base/handles.h"
#include "base/hash.h"
#include "base/processors.h"
#include "network/card.h"
#include "network/location.h"
#include "profile/origin.h"
#include "profiler/domain-index.h"
#include "profiler/run-info.h"
#include "profiler/unseen.h"
#include "profiler/windows.h"

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

/* A profile while it is written. */
struct collecting {
    struct relay *relay;
    const struct gathering *gathering;
    struct reseat_writer *writer;
    struct domain_index domains;
    struct cards_of_all cards;
    struct calls_of_all calls[RUN_TIME_KINDS];
    struct window_products products;
    uint64_t windows;     /* the phases that were found in them */
    struct question rows; /* the last question for rows */
    int has_begun;        /* there were some in answer to it */
    size_t written;       /* rows */
};

/* The part of an answer that begins at `at`; returns where the rest begins. */
static size_t collect_read_busy(struct domain_index *domains, const struct relay_answer *answer,
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

/* A process that was out of memory is given an unknown seat: a profile has seats for all ranks or
 * for none. */
static void collect_write_seat(const struct relay_answer *answer, int32_t rank,
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
static size_t collect_add_card(const struct relay_answer *answer, struct cards_of_all *cards)
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

static void collect_write_cards(const struct cards_of_all *cards, struct reseat_writer *writer)
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
static size_t collect_write_times(const struct relay_answer *answer, size_t at, int32_t rank,
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
static size_t collect_add_calls(const struct relay_answer *answer, size_t at,
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
static void collect_write_calls(const struct gathering *gathering,
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

/* The domains that a process leads, in the part of an answer that begins at `at`. */
static void collect_domains(struct domain_index *domains, const struct relay_answer *answer,
                            size_t at)
{
    struct domain_message message;
    while (at + sizeof message <= answer->size) {
        memcpy(&message, answer->data + at, sizeof message);
        at += sizeof message;
        size_t members = sizeof(int32_t) * (size_t)message.identity.size;
        if (members > answer->size - at)
            return; /* the other rank was out of memory */
        if (domain_index_add(domains, &message, (const int32_t *)(answer->data + at)))
            unseen_add(UNSEEN_MEMORY);
        at += members;
    }
}

static void collect_hello(void *context, int32_t rank, const struct relay_answer *answer)
{
    struct collecting *collecting = context;
    int is_measured = collecting->gathering->time.measured != RESEAT_TIME_NO;
    size_t at = collect_add_card(answer, &collecting->cards);
    if (answer->is_cut)
        unseen_add(UNSEEN_MEMORY);
    collect_write_seat(answer, rank, collecting->writer);
    at = collect_write_times(answer, at, rank, is_measured, collecting->writer);
    at = collect_add_calls(answer, at, collecting->calls);
    at = collect_read_busy(&collecting->domains, answer, at);
    collect_domains(&collecting->domains, answer, at);
}

static void collect_rows(void *context, int32_t rank, const struct relay_answer *answer)
{
    struct collecting *collecting = context;
    const struct question *question = &collecting->rows;
    size_t count = answer->size / sizeof(struct reseat_entry);
    (void)rank;
    if (answer->is_cut)
        unseen_add(UNSEEN_MEMORY);
    if (count && !collecting->has_begun)
        reseat_writer_traffic(collecting->writer, (enum reseat_traffic)question->kind,
                              question->phase);
    collecting->has_begun |= count > 0;
    collecting->written +=
        reseat_writer_rows(collecting->writer, (const struct reseat_entry *)answer->data, count);
}

static int collect_is_ascending(const struct domain_index *domains, size_t index)
{
    for (int32_t role = 1; role < domains->list[index].domain.size; role++)
        if (domain_index_world_rank(domains, index, role) <
            domain_index_world_rank(domains, index, role - 1))
            return 0;
    return 1;
}

/* The roles from `role` on that are asked together, since they are played by ascending ranks. If
 * those of all roles ascend, the ranks between them have nothing to say, but hear the question; so
 * it is put to at most `gap` of them at a time. Returns the next role. */
static int32_t collect_run(const struct domain_index *domains, size_t index, int32_t role,
                           int32_t gap, struct question *question)
{
    const int32_t size = domains->list[index].domain.size;
    question->first = question->last = domain_index_world_rank(domains, index, role);
    for (; role < size; role++) {
        int32_t rank = domain_index_world_rank(domains, index, role);
        if (rank < question->last || rank - question->last > gap)
            return role;
        question->last = rank + 1;
    }
    return size;
}

static void collect_traffic(struct collecting *collecting, size_t index, enum reseat_traffic kind,
                            int32_t phase)
{
    const struct domain_record *record = &collecting->domains.list[index];
    const int32_t gap = collect_is_ascending(&collecting->domains, index) ? RANK_TREE_FAN_OUT : 0;
    collecting->rows =
        (struct question){.what = ASK_ROWS, .kind = kind, .phase = phase, .key = record->key};
    collecting->has_begun = 0;
    for (int32_t role = 0; role < record->domain.size;) {
        role = collect_run(&collecting->domains, index, role, gap, &collecting->rows);
        if (relay_ask(collecting->relay, &collecting->rows, collect_rows, collecting))
            return;
    }
}

/* ---- phases that were found ---- */

static void collect_products(void *context, int32_t rank, const struct relay_answer *answer)
{
    struct collecting *collecting = context;
    struct window_products products;
    (void)rank;
    if (answer->size < sizeof products)
        return;
    memcpy(&products, answer->data, sizeof products);
    for (int i = 0; i < WINDOWS; i++)
        for (int j = 0; j <= i; j++)
            collecting->products.of[i][j] += products.of[i][j];
}

/* Unless a process has no windows, or all have only one. They are as long as those of the process
 * that has merged them most often; one that has been outside of MPI for long has not yet. */
static void collect_find_phases(struct collecting *collecting)
{
    struct question question = {.last = traffic_world()->identity.size, .what = ASK_WINDOWS};
    uint64_t job = collecting->gathering->seen.job;
    while (job / SEEN_MERGED >> (question.key + 1))
        question.key++;
    if (job & SEEN_WINDOWS && !(job & SEEN_NO_WINDOW) &&
        relay_ask(collecting->relay, &question, collect_products, collecting) == 0)
        collecting->windows = windows_find_phases(&collecting->products, WINDOWS);
}

/* Returns 1 if there may be such traffic: of windows it is not known to which phase it belongs. */
static int collect_has(const struct collecting *collecting, int kind, int32_t phase)
{
    uint64_t phases = collecting->gathering->seen.phases[kind], found = 1;
    for (int window = 0; window < WINDOWS; window++)
        found |= UINT64_C(1) << windows_phase(collecting->windows, RESEAT_PHASES + window);
    return (phases & UINT64_C(1) << phase) || (phases & 1 && found & UINT64_C(1) << phase);
}

/* ---- the file ---- */

static void collect_write_headers(const struct gathering *gathering, struct reseat_writer *writer)
{
    const struct profiler_run *run = gathering->run;
    const struct seen *seen = &gathering->seen;
    char text[ORIGIN_SIZE];
    reseat_writer_header(writer, "program", origin_own_program(text));
    if (run->arguments)
        reseat_writer_header(writer, "arguments", origin_own_arguments(text));
    if (run->arguments && *origin_own_command(text))
        reseat_writer_header(writer, "command", text);
    if (run->job)
        reseat_writer_header(writer, "job", run->job);
    if (run->reordered)
        reseat_writer_header(writer, "reordered", run->reordered);
    if (run->sessions)
        reseat_writer_header(writer, "sessions", "yes");
    reseat_writer_header(writer, "mpi", run->mpi);
    reseat_writer_header(writer, "date", run_info_date(text));
    reseat_writer_duration(writer, gathering->time.microseconds);
    reseat_writer_header(writer, "collectives", gathering->collectives);
    reseat_writer_header(writer, RESEAT_SIZES_HEADER, "by powers of two");
    if (!reseat_place_is_known(&gathering->own->seat.place)) { /* they are those of the host */
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
static void collect_write_late(const struct seen *seen, struct reseat_writer *writer)
{
    if (unseen_bits() & ~seen->not_seen & UNSEEN_MEMORY)
        reseat_writer_header(writer, "not_seen", unseen_text(UNSEEN_MEMORY_BIT));
}

/* The head of a domain, after those of its parents. */
static void collect_write_domain(struct domain_index *domains, size_t index,
                                 struct reseat_writer *writer)
{
    struct domain_record *record = &domains->list[index];
    struct reseat_domain domain = record->domain;
    if (record->id >= 0)
        return;
    if (domain.parent >= 0) {
        collect_write_domain(domains, (size_t)domain.parent, writer);
        domain.parent = domains->list[domain.parent].id;
    }
    record->id = domains->written++;
    reseat_writer_domain(writer, &domain);
}

int collect_say_missing(int rank, int is_late, double patience, struct reseat_error *error)
{
    return is_late ? reseat_fail(error,
                                 "rank %d has not said what it has sent within RESEAT_WAIT (%g s)",
                                 rank, patience)
                   : reseat_fail(error, "MPI failed to ask rank %d what it has sent", rank);
}

/* Each domain that has traffic, after the world. */
static void collect_all_traffic(struct collecting *collecting)
{
    struct domain_index *domains = &collecting->domains;
    for (size_t i = 0; i < domains->count; i++) {
        int busy = handles_find(&domains->busy, (uintptr_t)domains->list[i].key) != NULL;
        if (i > 0 && !busy)
            continue;
        collect_write_domain(domains, i, collecting->writer);
        for (int32_t phase = 0; phase < RESEAT_PHASES; phase++)
            for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
                if (collect_has(collecting, kind, phase))
                    collect_traffic(collecting, i, (enum reseat_traffic)kind, phase);
    }
}

/* 0, or -1 with *error: an answer is missing. */
static int collect_all(struct collecting *collecting, struct reseat_error *error)
{
    const struct gathering *gathering = collecting->gathering;
    const struct domain *world = traffic_world();
    struct question hello = {.last = world->identity.size, .what = ASK_HELLO};
    struct domain_message message = {.identity = world->identity, .key = world->key};
    struct relay *relay = collecting->relay;
    collect_find_phases(collecting);
    hello.key = collecting->windows;
    collect_write_headers(gathering, collecting->writer);
    if (collecting->windows)
        reseat_writer_header(collecting->writer, RESEAT_PHASES_HEADER, "found");
    if (domain_index_add(&collecting->domains, &message, NULL) == 0 &&
        relay_ask(relay, &hello, collect_hello, collecting) == 0) {
        collect_write_calls(gathering, collecting->calls, collecting->writer);
        collect_write_cards(&collecting->cards, collecting->writer);
        domain_index_order(&collecting->domains);
        collect_all_traffic(collecting);
    }
    domain_index_destroy(&collecting->domains);
    handles_clear(&collecting->cards.seen, NULL);
    collect_write_late(&gathering->seen, collecting->writer);
    return relay->failed == RANK_TREE_NOBODY ? 0
                                             : collect_say_missing(relay->failed, relay->is_late,
                                                                   gathering->run->patience, error);
}

int collect_profile(struct relay *relay, const struct gathering *gathering, size_t *entries,
                    struct reseat_error *error)
{
    struct collecting collecting = {.relay = relay,
                                    .gathering = gathering,
                                    .domains.busy = HANDLES_INIT,
                                    .cards.seen = HANDLES_INIT};
    int status = reseat_writer_open(&collecting.writer, gathering->run->path,
                                    traffic_world()->identity.size, error);
    if (status == 0)
        status = collect_all(&collecting, error);
    *entries = collecting.written;
    relay_end(relay); /* the disk may take its time */
    if (status == 0)
        return reseat_writer_commit(collecting.writer, error);
    reseat_writer_abort(collecting.writer);
    return status;
}
