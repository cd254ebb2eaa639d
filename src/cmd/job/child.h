/* SPDX-License-Identifier: BSD-3-Clause */
/* child.h - run a command in a child process, pass signals on to it, and end the way it ended. */
#ifndef RESEAT_CHILD_H
#define RESEAT_CHILD_H

#include <stdio.h>

/* From now on a write beyond the file size limit just fails, instead of ending us with a file half
 * written. Commands that are run keep the previous behavior. */
void outlive_file_limit(void);

/* Run `body` in a child process. The status from waitpid, or -1 with errno. */
int fork_and_wait(void (*body)(void *context), void *context);

/* The output of a command in the background, and its time limit. */
struct answer {
    FILE *file;  /* gets all its output */
    int seconds; /* then it is ended, with its whole process group; 0: no limit */
    int is_late; /* result: it was ended */
};

/* A file in memory for that: it needs no room in any folder, and no command inherits it by
 * accident. NULL with errno. */
FILE *open_answer(void);

/* Run a command: with our own input and output, or (`answer` is not NULL) without input in a
 * process group of its own. Returns as fork_and_wait; end_as turns that into an exit status, or
 * dies of the same signal. */
int run_and_wait(char **argv, struct answer *answer);
int end_as(int status);

/* Become a command: returns only if that fails, 127 or 126, after an error message. */
int become_command(char **argv);

/* Returns 1 if a signal has asked us to end: then nothing more is started. After cleaning up,
 * end_if_asked dies of that signal. */
int is_asked_to_end(void);
void end_if_asked(void);

/* From the first command on, signals are passed on to the one that runs, and noticed by
 * is_asked_to_end: except ignored ones, which commands ignore as well. release_signals: until the
 * next command, or catch_signals, they end us at once. */
void catch_signals(void);
void release_signals(void);

#endif
