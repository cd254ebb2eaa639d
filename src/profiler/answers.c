/* SPDX-License-Identifier: BSD-3-Clause */
/* answers.c - see answers.h. */
#include "profiler/answers.h"

#include <stdlib.h>
#include <string.h>

#include "profiler/domain-index.h"
#include "profiler/traffic.h"
#include "profiler/unseen.h"
#include "profiler/windows.h"

/* After a part that found no memory nothing more is appended, or a later part would be read in its
 * place. */
static void answer_append(struct relay_answer *answer, const void *data, size_t size)
{
    if (!size)
        return;
    char *grown = answer->is_cut ? NULL : realloc(answer->data, answer->size + size);
    if (!grown) {
        answer->is_cut = 1;
        unseen_add(UNSEEN_MEMORY);
        return;
    }
    memcpy(grown + answer->size, data, size);
    answer->data = grown;
    answer->size += size;
}

static void answer_find_traffic(const struct domain *domain, struct peer *peer, void *found)
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
        traffic_visit(d, answer_find_traffic, &found);
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

static void answer_hello(const struct gathering *gathering, uint64_t windows,
                         struct relay_answer *answer)
{
    struct run_time now;
    const int has_windows = windows_count() > 0; /* the clock stands then, in MPI_Finalize */
    windows_become(windows);
    run_time_get(&now);
    answer_append(answer, gathering->own, sizeof *gathering->own);
    answer_times(has_windows ? &now : &gathering->time, answer);
    answer_calls(&gathering->time, answer); /* before calls of ours */
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

static void answer_windows(uint64_t merged, struct relay_answer *answer)
{
    struct window_products products = {{{0}}};
    windows_merge(merged);
    windows_add_products(&products);
    answer_append(answer, &products, sizeof products);
}

struct relay_answer answer_to(const void *context, const struct question *question)
{
    struct relay_answer answer = {.data = NULL};
    if (question->what == ASK_HELLO)
        answer_hello(context, question->key, &answer);
    else if (question->what == ASK_ROWS)
        answer_rows(question, &answer);
    else if (question->what == ASK_WINDOWS)
        answer_windows(question->key, &answer);
    return answer;
}
