/* SPDX-License-Identifier: BSD-3-Clause */
/* run-outputs.h - the output of the runs of `reseat verify`. */
#ifndef RESEAT_RUN_OUTPUTS_H
#define RESEAT_RUN_OUTPUTS_H

#include <stdio.h>

#include "cmd/run/collector.h"
#include "cmd/output/output.h"
#include "predict/prediction.h"

struct run_outputs {
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
void run_outputs_open(struct run_outputs *outputs, const char *profile);
void run_outputs_close(struct run_outputs *outputs);

/* Add the output and standard error of one run; more than OUTPUT_RUNS of a kind are ignored. 0, or
 * -1 if out of memory. */
int run_outputs_add(struct run_outputs *outputs, int with, const struct collector collectors[2]);

/* Read what the library has reported, if it has. */
void run_outputs_outcome(struct run_outputs *outputs, FILE *errors);

/* Whether the order changes what the job prints. */
enum run_outputs_kind {
    RUN_OUTPUTS_NOT_COMPARED,
    RUN_OUTPUTS_SAME,
    RUN_OUTPUTS_SOME_DIFFER, /* too few runs to blame the order */
    RUN_OUTPUTS_CHANGES
};

struct run_outputs_judgement {
    enum run_outputs_kind kind;
    char text[512];              /* a sentence without its full stop */
    int runs;                    /* with another order, that were compared */
    int stream;                  /* where they differ: 0 standard output, 1 standard error */
    struct output_finding found; /* there, or in standard output; all 0: not compared */
};

void run_outputs_judge(const struct run_outputs *outputs, struct run_outputs_judgement *judgement);

#endif
