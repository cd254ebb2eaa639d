/* SPDX-License-Identifier: BSD-3-Clause */
/* complain.h - how a command reports what is wrong: one line on standard error and an exit
 * status. */
#ifndef RESEAT_COMPLAIN_H
#define RESEAT_COMPLAIN_H

enum { EXIT_TROUBLE = 1, EXIT_USAGE = 2, EXIT_NO_PROFILE = 3 };

/* No exit status: returned by a command whose help is requested, which main prints. */
enum { EXIT_HELP = 256 };

/* Print one line on standard error, `reseat COMMAND: ...`, with any control characters escaped
 * (printable.h). Returns `status`, so that failing is one statement. */
int cli_fail(int status, const char *command, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* From now on cli_fail prints nothing (`quiet`), or what it is told. */
void cli_keep_quiet(int quiet);

/* Returns 1 if the word is --help or -h. NULL is neither. */
int cli_is_help(const char *word);

#endif
