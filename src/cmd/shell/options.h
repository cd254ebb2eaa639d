/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the options of all commands, in one table: what the parser takes, what --help says, and
 * what shells complete. The manual is compared with it (tests/cmd/options.tap). */
#ifndef RESEAT_CMD_OPTIONS_H
#define RESEAT_CMD_OPTIONS_H

#include <stdio.h>

struct command_option {
    const char *commands; /* that have it, separated by spaces */
    int letter;           /* by which the parser of these commands knows it */
    int is_short;         /* whether users may write the letter, too */
    const char *name;
    const char *argument; /* NULL: none. Words of small letters separated by `|` are all that it
                           * takes; FILE and FOLDER may be completed */
    const char *help;
};

/* An index of the next option of a command, beginning at `from`; -1: no more. */
int options_find(const char *command, int from);
const struct command_option *options_row(int index);

/* Like getopt_long, with the options of the command argv[0]. `order` is "+:": options end at the
 * first other word; or ":": they may stand anywhere before `--`. */
int options_next(int argc, char **argv, const char *order);

/* The name of a command's option, which must have this letter. */
const char *options_name(const char *command, int letter);

/* What --help says of a command's options. */
void options_print(FILE *file, const char *command);

/* The name of the option of a command that the user may have meant with `word`, without its dashes;
 * NULL: nothing is similar. */
const char *options_similar(const char *command, const char *word);

#endif
