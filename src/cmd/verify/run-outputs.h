/* SPDX-License-Identifier: BSD-3-Clause */
/* run-outputs.h - the output of the runs of `reseat verify`. */
#ifndef RESEAT_RUN_OUTPUTS_H
#define RESEAT_RUN_OUTPUTS_H

#include <stdio.h>

#include "cmd/run/collector.h"
#include "cmd/output/output.h"
#include "predict/prediction.h"

struct heard {
    struct output_hosts hosts;            /* of the profile, and this host */
    struct output run[2][2][OUTPUT_RUNS]; /* by stream, by launch order or another */
    int count[2];
    char token[64];             /* marks the line with which the library reports to verify */
    int told;                   /* the library has reported whether it reordered */
    int kept;                   /* the ranks kept the launch order in a run with the library */
    struct predicted predicted; /* as the ranks say, for all communicators together */
    char reason[256];           /* their last message before that; "": none */
};

/* `profile` may be NULL. */
void heard_open(struct heard *heard, const char *profile);
void heard_close(struct heard *heard);

/* Add the output and standard error of one run; more than OUTPUT_RUNS of a kind are ignored. 0, or
 * -1 if out of memory. */
int heard_add(struct heard *heard, int with, const struct collector collectors[2]);

/* Read what the library has reported, if it has. */
void heard_outcome(struct heard *heard, FILE *errors);

/* Whether the order changes what the job prints. */
enum heard_kind {
    HEARD_NOT_COMPARED,
    HEARD_SAME,
    HEARD_SOME_DIFFER, /* too few runs to blame the order */
    HEARD_CHANGES
};

struct heard_judgement {
    enum heard_kind kind;
    char text[512];              /* a sentence without its full stop */
    int runs;                    /* with another order, that were compared */
    int stream;                  /* where they differ: 0 standard output, 1 standard error */
    struct output_finding found; /* there, or in standard output; all 0: not compared */
};

void heard_judge(const struct heard *heard, struct heard_judgement *judgement);

#endif
