/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.h - what the runs of `reseat verify` have printed. */
#ifndef RESEAT_VERIFY_H
#define RESEAT_VERIFY_H

#include <stdio.h>

#include "cmd/collector.h"
#include "cmd/output.h"

struct heard {
    struct output_hosts hosts;            /* of the profile, and this one */
    struct output run[2][2][OUTPUT_RUNS]; /* by stream, by whether with another order */
    int count[2];
    char token[64];   /* in the line with which the library tells verify what it has done */
    int told;         /* the library has told what it has done */
    int kept;         /* the ranks have kept the launch order in a run with us */
    char reason[256]; /* and what they said last before; "": nothing */
};

/* `profile` may be NULL. */
void heard_open(struct heard *heard, const char *profile);
void heard_close(struct heard *heard);

/* Add one run, its output and standard error; more than OUTPUT_RUNS of a way are left out. 0, or -1
 * when memory is short. */
int heard_add(struct heard *heard, int with, const struct collector collectors[2]);

/* What the library has told, where it has. */
void heard_outcome(struct heard *heard, FILE *errors);

/* A sentence on what is printed with and without; returns whether the order changes it. */
int heard_judge(const struct heard *heard, char text[512]);

#endif
