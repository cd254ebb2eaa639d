/* SPDX-License-Identifier: BSD-3-Clause */
/* shell-word.h - words as a shell reads them. */
#ifndef RESEAT_SHELL_WORD_H
#define RESEAT_SHELL_WORD_H

#include <stdio.h>

/* Print a word that a shell reads as `text`: quoted only if necessary, and by printf if it has
 * control characters. */
void shell_word_print(FILE *file, const char *text);

/* Print words, ended by NULL, with blanks between them, and `before` before the first one. */
void shell_words_print(FILE *file, const char *before, char *const *words);

#endif
