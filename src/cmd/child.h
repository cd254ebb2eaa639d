/* SPDX-License-Identifier: BSD-3-Clause */
/* child.h - run a command in a process of its own, to which signals are passed on, and end as it
 * has ended. */
#ifndef RESEAT_CHILD_H
#define RESEAT_CHILD_H

#include <stdio.h>

/* From now on a write behind the limit on the size of files fails here, and does not end us with a
 * file that is half there. Commands that are run have what was before. */
void outlive_file_limit(void);

/* Run `body` in a process of its own; *status as waitpid has it. 0, or -1 with errno. */
int fork_and_wait(void (*body)(void *context), void *context, int *status);

/* What a command that nobody sees says, and how long it may take. */
struct answer {
    FILE *file;  /* gets all its output */
    int seconds; /* then it is ended, with all of its process group; 0: there is no limit */
    int is_late; /* result: that was done */
};

/* A file in memory for that: no folder has to have room for it, and no command gets it unasked.
 * NULL with errno. */
FILE *open_answer(void);

/* Run a command: with our own input and output, or without input in a process group of its own
 * (`answer` is not NULL). `command` is the one of ours that complains when it cannot be started. As
 * fork_and_wait. */
int run_and_wait(const char *command, char **argv, struct answer *answer, int *status);

/* Run a command and nothing else; what waitpid tells, or -1 with errno. Then end_as turns that into
 * an exit status, or dies of the same signal. */
int run_plainly(const char *name, char **command);
int end_as(const char *name, int status);

/* Whether a signal has asked us to end: then nothing is started any more. Clean up, and
 * end_if_asked dies of it. */
int is_asked_to_end(void);
void end_if_asked(void);

#endif
