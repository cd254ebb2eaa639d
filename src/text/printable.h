/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * printable.h - foreign text (arguments, host names, output of launchers) without characters that
 * control a terminal: C0 except the tab, DEL, and C1, as one raw byte or as UTF-8. All other UTF-8
 * is text, and so are Latin-1 bytes from 0xa0 on.
 */
#ifndef RESEAT_PRINTABLE_H
#define RESEAT_PRINTABLE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* The longest piece that printable_piece makes, with its end. */
enum { PRINTABLE_PIECE = 16 };

/* The length of the first character of `length` bytes, at least 1; a byte of 0x80 and above that is
 * 1 long is no UTF-8. *is_control: it is a control character. */
size_t printable_next(const char *text, size_t length, int *is_control);

/* Index of the first control character in `length` bytes; `length`: none. */
size_t printable_length(const char *text, size_t length);

/* Copy like snprintf "%s", with control characters, including newlines, as \xHH, so that it stays
 * one line. No escape and no UTF-8 character is cut in two. */
void printable_copy(char *to, size_t size, const char *from);

/* The same to a stream. */
void printable_print(FILE *file, const char *text);

/*
 * For files: put the next character of *text into `piece`, escaped so that printable_restore gives
 * the text back: control characters and tabs are \xHH, and so is a backslash that looks like the
 * start of such an escape. *text is moved past it. Returns the length of the piece, 0 at the end.
 */
size_t printable_piece(const char **text, char piece[PRINTABLE_PIECE]);

/* Turn escapes back into bytes, in place. 0, or -1 if one of them is a NUL. */
int printable_restore(char *text);

/* Print "reseat: ", the formatted text and a newline on standard error, without control characters,
 * cut at 1,000 bytes. It is one write, so that output of other ranks cannot get in between (glibc's
 * fprintf makes several, from 2.37 on). */
void printable_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void printable_vsay(const char *format, va_list arguments);

/* For who runs in somebody else's program: what descriptor 2 is now is standard error. Where it is
 * anything else later, a file of the program may be, printable_say prints nothing. */
void printable_keep_to_stderr(void);

#endif
