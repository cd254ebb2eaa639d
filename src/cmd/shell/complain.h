/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * complain.h - how a command reports what is wrong: one line on standard error and an exit status.
 * What commands share prints nothing: it returns -1, or CLI_REFUSED, with a text (error.h), of
 * which the command makes both.
 */
#ifndef RESEAT_COMPLAIN_H
#define RESEAT_COMPLAIN_H

#include "text/error.h"

enum { EXIT_TROUBLE = 1, EXIT_USAGE = 2, EXIT_NO_PROFILE = 3 };

/* No exit status: returned by a command whose help is requested, which main prints. */
enum { EXIT_HELP = 256 };

/* Returned by what commands share, where headers say -1: the user has asked for what cannot be, so
 * that another command line is needed. */
enum { CLI_REFUSED = -2 };

/* The same where the command that is to be run is not there: the shell's exit status of that. */
enum { CLI_NOT_FOUND = -3, EXIT_NOT_FOUND = 127 };

/* The name of the command, with which lines begin. */
void cli_begin(const char *command);

/* Print one line on standard error, `reseat COMMAND: ...`, with any control characters escaped
 * (printable.h). Returns `status`, so that failing is one statement. */
int cli_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for lack of memory. Returns EXIT_TROUBLE. */
int cli_no_memory(void);

/* Returns 0 if `rc`, which has been returned with *error, is 0; else prints the error, and returns
 * its exit status. */
int cli_status(int rc, const struct reseat_error *error);

/* Fill *error as reseat_fail does. Returns CLI_REFUSED. */
int cli_refuse(struct reseat_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* From now on cli_fail prints nothing (`quiet`), or what it is told. */
void cli_keep_quiet(int quiet);

/* Returns 1 if the word is --help or -h. NULL is neither. */
int cli_is_help(const char *word);

#endif
