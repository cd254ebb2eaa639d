/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.h - what can be shown on the terminal, if there is one, behind a standard stream. */
#ifndef RESEAT_TERMINAL_H
#define RESEAT_TERMINAL_H

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

/* Whether lines on `fd` can be erased and written anew, and whether we are in its foreground, where
 * that is allowed. */
int terminal_is_redrawn(int fd);
int terminal_is_foreground(int fd);

#endif
