/* SPDX-License-Identifier: BSD-3-Clause */
/* place.h - a placement at launch being made: private to place.c, place-order.c and
 * place-check.c. */
#ifndef RESEAT_PLACE_H
#define RESEAT_PLACE_H

#include <limits.h>

#include "cmd/place/rewrite.h"
#include "cmd/place/placement.h"
#include "cmd/place/probe.h"
#include "cmd/shell/time-forecast.h"
#include "profile/gain.h"
#include "profile/settings.h"
#include "predict/prediction.h"

struct placement {
    struct job job; /* its launcher has been asked for its version, once the probe has told seats */
    char **command;
    const char *profile; /* NULL: by the layout, and there is no traffic */
    const char *layout;  /* NULL: by the profile */
    const struct reseat_settings *settings;
    struct probe probe;
    struct time_forecast forecast;
    struct prediction prediction; /* of the ranks on their seats */
    struct tmap_entry *messages;  /* between ranks; NULL: the matrix counts messages already */
    size_t messages_count;
    int32_t *seat_of;        /* by rank: the seat it gets, as the rank that was launched there */
    struct emit_seat *seats; /* the same for the launcher's file */
    int by_core;             /* seats are PUs, not just hosts */
    int by_thread;           /* a rankfile must number PUs, not cores */
    int in_pieces;           /* Hydra starts a host more than once */
    const struct launcher_format *format;
    enum binding binding;
    struct reseat_worth worth; /* its gain: with hosts in pieces as MPI sees them */
    double cost_gain;          /* of that, the fall of the cost */
    char number[16];           /* of ranks */
    char folder[PATH_MAX], file[PATH_MAX + 16];
    struct emit_use use;
    char **words;                 /* of the placed job; NULL: it runs unchanged */
    char **environment;           /* the environment of the placed job */
    char variable[PATH_MAX + 64]; /* NAME=VALUE, which it has in addition */
    struct reseat_error error;    /* why there is no placement */
    FILE *said;                   /* output of a launcher that failed; NULL: none */
};

/*
 * place-order.c: fill seat_of, seats, format, prediction and gain from the probe, the matrix and
 * the settings; by_core becomes 0 if the launcher cannot be told PUs. 0, or -1 with p->error.
 */
int placement_order(struct placement *p);

/* The gain if Hydra must come back to a host, which MPI then takes for another node. Returns as
 * placement_order. */
int placement_order_in_pieces(struct placement *p);

/*
 * place-check.c: start the probe with a command line and fill `probe`, by rank. 0, or -1 with
 * p->error and the launcher's output in p->said.
 */
int placement_probe(struct placement *p, struct probe *probe, const struct job *job,
                    char **command);

/* Run the probe through the changed command line, to see whether each rank is where the file says.
 * 0, or -1 with p->error. */
int placement_try(struct placement *p);

/*
 * place-memo.c: whether this changed command line was the last one that was tried with this
 * profile, and was obeyed; and note that it is. If that cannot be noted, it is tried each time.
 */
int placement_was_tried(const struct placement *p);
void placement_keep_tried(const struct placement *p);

/* Print why there is no placement, what is done instead, and the end of the launcher's output if it
 * failed. */
void placement_complain(const struct placement *p, const char *instead);

#endif
