/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.h - what a command that takes long is at: a line on standard error, where that is a
 * terminal and we are in the foreground. It appears after a second, is redrawn up to five times a
 * second, and erased before anything else is written. There is none while a job runs, which may
 * write to the same terminal.
 *
 * A thread draws; what is at work is never asked, so nothing depends on whether somebody looks.
 */
#ifndef RESEAT_PROGRESS_H
#define RESEAT_PROGRESS_H

/* The name of the command, with which lines begin. */
void progress_of(const char *command);

/* From now on show this, in ASCII, and how long the command has been at it since the first such
 * call. */
void progress_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Erase the line before something else is written; it returns if nothing is for a second. */
void progress_clear(void);

/* Erase the line for good. */
void progress_end(void);

/* The same in the handler of a signal, or before one ends us. */
void progress_interrupt(void);

/* Between the runs of a job, so many of which have taken `seconds` together: print a line about
 * that, on a terminal only, and every ten seconds at most. */
void progress_after_run(int done, int all, double seconds);

#endif
