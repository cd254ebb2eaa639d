/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.h - what can be shown on the terminal, if there is one, behind a standard stream. */
#ifndef RESEAT_TERMINAL_H
#define RESEAT_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

enum terminal_color { TERMINAL_AUTO, TERMINAL_ALWAYS, TERMINAL_NEVER };

struct terminal {
    int columns;   /* 0: no pictures: text only */
    int is_direct; /* 24-bit colors; else the 256 of most terminals */
};

/* What pictures can be made of for the descriptor `fd`: there are none where it is no terminal, or
 * a dumb one (TERM), where NO_COLOR is set and not empty, and where the characters of the locale
 * are not those of UTF-8. TERMINAL_ALWAYS asks for the last of these only. */
struct terminal terminal_of(int fd, enum terminal_color color);

/* The width of the terminal; 80 if it has none. */
int terminal_width(int fd);

/* Returns the length of the first piece of a text, behind which a line may end; then a blank or
 * nothing follows. */
typedef size_t terminal_piece_fn(const char *text);
terminal_piece_fn terminal_word;

/* Write a text from `column` on, in lines that fit 80 columns; the further ones begin with `indent`
 * blanks. */
void terminal_wrap(FILE *file, const char *text, int column, int indent, terminal_piece_fn *piece);

/* Return 1 if lines on standard error can be erased and written anew, and if we are in the
 * foreground of its terminal, where that is allowed. */
int terminal_is_redrawn(void);
int terminal_is_foreground(void);

#endif
