/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.h - a placement at launch being made, a struct for each stage, so that a function takes
 * those that it needs: private to
 *
 *   place.c         the stages in turn, and what is printed
 *   place-order.c   the order: which rank gets which seat, and what that gains
 *   place-job.c     the job in that order: file, command line and environment
 *   place-check.c   the launcher is tried, with the job as it is and as it is to be
 *   place-memo.c    which job has been tried
 */
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

/* The job to be placed, and what tells the places. */
struct place_input {
    struct job job; /* its launcher has been asked for its version, once the probe has told seats */
    char **command;
    const char *profile; /* NULL: by the layout, and there is no traffic */
    const char *layout;  /* NULL: by the profile */
    const struct reseat_settings *settings;
};

/* The model by which an order is found and judged. */
struct place_model {
    struct time_forecast forecast;
    struct prediction prediction; /* of the ranks on their seats */
    struct tmap_entry *messages;  /* between ranks; NULL: the matrix counts messages already */
    size_t messages_count;
    struct reseat_worth worth; /* the gain: with hosts in pieces as MPI sees them */
    double cost_gain;          /* of that, the fall of the cost */
};

/* The order: a seat for each rank. */
struct place_order {
    int32_t ranks;
    int32_t *seat_of;        /* by rank: the seat it gets, as the rank that was launched there */
    struct emit_seat *seats; /* the same for the launcher's file */
    int by_core;             /* seats are PUs, not just hosts */
    int by_thread;           /* a rankfile must number PUs, not cores */
    int in_pieces;           /* Hydra starts a host more than once */
    const struct launcher_format *format;
    enum binding binding;
};

/* The job in that order. */
struct placed_job {
    char number[16]; /* of ranks */
    char folder[PATH_MAX], file[PATH_MAX + 16];
    struct emit_use use;
    char **words; /* NULL: there is none, it runs unchanged */
    char **environment;
    char variable[PATH_MAX + 64]; /* NAME=VALUE, which it has in addition */
};

/* Why there is no placement. */
struct place_refusal {
    struct reseat_error error;
    FILE *said; /* output of a launcher that failed; NULL: none */
};

struct placement {
    struct place_input input;
    struct probe probe;
    struct place_model model;
    struct place_order order;
    struct placed_job placed;
};

/*
 * place-order.c: find the order, and what it gains; by_core becomes 0 if the launcher cannot be
 * told PUs. 0, or -1 with *error.
 */
int place_order_find(struct place_order *order, struct place_model *model,
                     const struct place_input *input, const struct probe *probe,
                     struct reseat_error *error);

/* The gain if Hydra must come back to a host, which MPI then takes for another node. Returns as
 * place_order_find. */
int place_order_in_pieces(const struct place_order *order, struct place_model *model,
                          const struct probe *probe, struct reseat_error *error);

/* place-job.c: write the file, and change the command line and a copy of the environment. 0, or -1
 * with *error; placed_job_free removes what there is, and the file. */
int placed_job_make(struct placed_job *placed, const struct place_order *order,
                    const struct place_input *input, struct reseat_error *error);
void placed_job_free(struct placed_job *placed);

/*
 * place-check.c: start the probe with a command line and fill `probe`, by rank. 0, or -1 with *why
 * and the launcher's output in it.
 */
int placement_probe(struct probe *probe, const struct job *job, char **command,
                    struct place_refusal *why);

/* Run the probe through the changed command line, to see whether each rank is where the file says.
 * 0, or -1 with *why. */
int placement_try(const struct placement *p, struct place_refusal *why);

/*
 * place-memo.c: whether this changed command line was the last one that was tried with this
 * profile, and was obeyed; and note that it is. If that cannot be noted, it is tried each time.
 */
int placement_was_tried(const struct placement *p);
void placement_keep_tried(const struct placement *p);

/* Print why there is no placement, what is done instead, and the end of the launcher's output if it
 * failed. */
void place_refusal_print(const struct place_refusal *why, const char *instead);

#endif
