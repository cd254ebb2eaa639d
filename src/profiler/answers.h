/* SPDX-License-Identifier: BSD-3-Clause */
/* answers.h - the profile gathered: what rank 0 asks each process, how that answers, and what is
 * made of it. */
#ifndef RESEAT_ANSWERS_H
#define RESEAT_ANSWERS_H

#include <stdint.h>

#include "network/card.h"
#include "profile/profile.h"
#include "profiler/profiler.h"
#include "profiler/relay.h"
#include "profiler/run-time.h"
#include "text/error.h"

/* Questions, with their answers. */
enum what {
    /* struct told_seat; the number of phases with times, uint64_t, and a struct reseat_rank_time
     * of each, without the rank; the number of kinds of calls, uint64_t, and a struct told_calls of
     * each; the number of domains with traffic from here, uint64_t, and their keys; for each domain
     * led, a struct domain_message and the members. `key` has the phases of windows, which those
     * become */
    ASK_HELLO,
    /* struct reseat_entry, ascending by target and size; `kind` is an enum reseat_traffic, `key` a
     * domain's */
    ASK_ROWS,
    /* struct window_products of this process; `key` says how often windows are merged */
    ASK_WINDOWS
};

struct told_seat {
    struct reseat_seat seat;
    struct card card;     /* of its node */
    int32_t accelerators; /* of its node; 0: none, or another process there tells them */
};

struct told_calls {
    uint64_t kind;
    struct run_calls calls;
};

enum seen_job {
    SEEN_GIVES_UP = 1,  /* no profile is written any more */
    SEEN_NO_WINDOW = 2, /* of this process there are none, though there may be of others */
    SEEN_WINDOWS = 4,   /* of this one there are several */
    SEEN_MERGED = 8     /* and this, shifted by windows_merged() */
};

/* Bits that are set if they are set in any process. */
struct seen {
    uint64_t not_seen;                     /* unseen_bits() */
    uint64_t rank_variables;               /* rank_lookup_bits() */
    uint64_t job;                          /* enum seen_job */
    uint64_t phases[RESEAT_TRAFFIC_KINDS]; /* bit p: there is traffic of the kind in phase p */
};

/* One gathering, as this process sees it; several threads may each be in one. */
struct gathering {
    const struct profiler_run *run;
    const struct told_seat *own;
    const char *collectives; /* in the words of the profile's header */
    struct run_time
        time;         /* of this process; at rank 0 microseconds and error are the most of any */
    struct seen seen; /* at rank 0: of all processes */
};

/* This process's answer; `context`: a struct gathering. */
struct relay_answer answer_to(const void *context, const struct question *question);

/* ---- collect.c: rank 0's part ---- */

/* Ask, write, and let the others go. The number of rows in *entries. 0, or -1 with *error. */
int collect_profile(struct relay *relay, const struct gathering *gathering, size_t *entries,
                    struct reseat_error *error);

/* The error that a rank's answer is missing. Returns -1. */
int collect_say_missing(int rank, int is_late, double patience, struct reseat_error *error);

#endif
