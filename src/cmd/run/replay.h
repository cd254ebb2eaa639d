/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.h - the messages of a profile, sent by a program of ours (programs/replay-program.c), and
 * how long that took. */
#ifndef RESEAT_REPLAY_H
#define RESEAT_REPLAY_H

#include <limits.h>

#include "cmd/place/program.h"

enum { REPLAY_MOST_REPETITIONS = 1000 };

/* How the messages are sent. */
struct replay_options {
    const char *way; /* "isend", "alltoallv" */
    int phase;       /* -1: all */
    double scale;    /* 0: by the following */
    double seconds;  /* of all repetitions, about */
    double most_scale;
    int repetitions;
    int shows_progress; /* rank 0 says on standard error how far it is */
};

struct replay_result {
    char error[512]; /* what the program complained about; empty: nothing */
    int is_complete;
    int ranks;
    double recorded[2], sent[2]; /* messages, bytes */
    double scale, rounds;
    double seconds[REPLAY_MOST_REPETITIONS]; /* ascending */
    int repetitions;
};

/* As program_prepare. The words stay valid until program_free. */
struct replay_words {
    struct program program;
    char path[PATH_MAX], text[6][32];
};
int replay_prepare(struct replay_words *words, const char *profile,
                   const struct replay_options *options, const char *mpi, char **argv);

/* Read what the job has printed. */
void replay_read_result(const struct program *program, FILE *said, struct replay_result *result);

/* Seconds for all that was recorded, by the median of the repetitions. */
double replay_recorded_seconds(const struct replay_result *result);

#endif
