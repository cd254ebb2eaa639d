/* SPDX-License-Identifier: BSD-3-Clause */
/* completions.h - `reseat completions`: what shells complete, from the tables of commands and
 * options. Each of these writes the script of one shell. */
#ifndef RESEAT_CMD_COMPLETIONS_H
#define RESEAT_CMD_COMPLETIONS_H

#include <stdio.h>

#include "cmd/shell/options.h"

void completions_bash(FILE *file);
void completions_zsh(FILE *file);
void completions_fish(FILE *file);

/* What an option takes besides the words that completions_words has. */
enum completions_kind {
    COMPLETIONS_NOTHING,
    COMPLETIONS_TEXT,
    COMPLETIONS_FILE,
    COMPLETIONS_FOLDER
};
enum completions_kind completions_kind_of(const struct command_option *option);

/* The words that an option takes, separated by blanks; "": there are none, or too many. Returns
 * `words`. */
enum { COMPLETIONS_WORDS = 1024 };
const char *completions_words(const struct command_option *option, char words[COMPLETIONS_WORDS]);

/* The words, all of them, that a command takes where no option is; NULL: files. */
const char *completions_operands(const char *command);

/* Write a sentence within single quotes, with the characters of `escaped` behind a backslash. */
void completions_sentence(FILE *file, const char *text, const char *escaped);

#endif
