/* SPDX-License-Identifier: BSD-3-Clause */
/* place.h - a placement at launch in the making:
 * what place.c, place-order.c and place-try.c share. */
#ifndef RESEAT_PLACE_H
#define RESEAT_PLACE_H

#include <limits.h>

#include "cmd/rewrite.h"
#include "cmd/placement.h"
#include "cmd/probe.h"
#include "format/settings.h"
#include "predict/prediction.h"

struct placement {
    const char *name; /* of the subcommand */
    struct job job; /* its launcher has been asked for its version, once the probe has told seats */
    char **command;
    const char *profile;
    const struct reseat_settings *settings;
    struct probe probe;
    struct prediction prediction; /* of the ranks on their seats */
    struct tmap_entry *messages;  /* between ranks; NULL: they are not told apart from the matrix */
    size_t messages_count;
    int32_t *seat_of;        /* the seat that each rank gets: that of a rank as launched */
    struct emit_seat *seats; /* the same for the launcher's file */
    int by_core;             /* seats are PUs, not only hosts */
    int by_thread;           /* and a rankfile has to number PUs, not cores */
    int in_pieces;           /* Hydra starts a host more than once */
    const struct launcher_format *format;
    enum binding binding;
    double gain;     /* predicted, as a fraction; what MPI makes of pieces is thought of */
    char number[16]; /* of ranks */
    char folder[PATH_MAX], file[PATH_MAX + 16];
    struct emit_use use;
    char **words;                 /* of the placed job; NULL: it runs as it is */
    char **environment;           /* and this is its own */
    char variable[PATH_MAX + 64]; /* NAME=VALUE, the one that it has more */
    char why[512];                /* no placement */
    FILE *said;                   /* what a launcher said that failed; NULL: nothing more */
};

/* Say why there is no placement: always -1. */
int placement_fail(struct placement *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * place-order.c: fill seat_of, seats, format, prediction and gain from the probe, the matrix and the
 * settings; by_core becomes 0 where the launcher cannot be told PUs. 0, or -1: why not.
 */
int placement_order(struct placement *p);

/* The gain where Hydra has to come back to a host, which MPI takes for a node of its own. As
 * placement_order. */
int placement_order_in_pieces(struct placement *p);

/*
 * place-try.c: start the probe with a command line and fill `probe`, by rank. 0, or -1: why not, with what the launcher said in p->said.
 */
int placement_probe(struct placement *p, struct probe *probe, const struct job *job,
                    char **command);

/* Start the probe through the changed command line: whether each rank is where the file says. 0, or
 * -1: why not. */
int placement_try(struct placement *p);

/*
 * place-tried.c: whether this changed command line was the last one to be tried with this profile,
 * and was obeyed; keep it as that. Where nothing can be kept it is tried each time.
 */
int placement_was_tried(const struct placement *p);
void placement_keep_tried(const struct placement *p);

/* Why there is no placement, what is done instead,
 * and the launcher's last words where it failed. */
void placement_complain(const struct placement *p, const char *instead);

#endif
