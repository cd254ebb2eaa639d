/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * printable.h - text of others (arguments, host names, what launchers say) without what controls a
 * terminal: C0 but for the tab, DEL, and C1, as one raw byte or as UTF-8. All other UTF-8 is text,
 * and so are bytes of Latin-1 from 0xa0 on.
 */
#ifndef RESEAT_PRINTABLE_H
#define RESEAT_PRINTABLE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* The longest piece that printable_piece makes, with its end. */
enum { PRINTABLE_PIECE = 16 };

/* Where the first control character is in `length` bytes; `length`: nowhere. */
size_t printable_length(const char *text, size_t length);

/* Copy like snprintf "%s", with control characters as \xHH, a newline too, so that it stays one
 * line. No escape and no character of UTF-8 is cut. */
void printable_copy(char *to, size_t size, const char *from);

/* The same to a stream. */
void printable_print(FILE *file, const char *text);

/*
 * For files: the next character of *text in `piece`, escaped so that printable_restore gives the
 * text back: control characters and tabs are \xHH, and so is a backslash that begins what looks
 * like such an escape. *text is moved behind it; the length of the piece, 0 at the end.
 */
size_t printable_piece(const char **text, char piece[PRINTABLE_PIECE]);

/* Escapes back into bytes, in place. 0, or -1 when one of them is the end of the text. */
int printable_restore(char *text);

/* "reseat: ", what `format` makes and a new line on standard error, without control characters, cut
 * at 1,000 bytes. By one write, so that what other ranks write there cannot get between (glibc's
 * fprintf is several, from 2.37 on). */
void printable_say(const char *format, va_list arguments);

#endif
