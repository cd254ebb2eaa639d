/* SPDX-License-Identifier: BSD-3-Clause */
/* markup.h - foreign text in HTML and SVG, between tags and in quoted attributes: nothing in it is
 * markup. */
#ifndef RESEAT_MARKUP_H
#define RESEAT_MARKUP_H

#include <stdio.h>

/* Write a text. Control characters become \xHH, as on a terminal (text/printable.h); bytes that are
 * no UTF-8 become U+FFFD. The caller checks `file` for write errors. */
void markup_write(FILE *file, const char *text);

/* The same with <br> between the lines of a text, and nothing after the last one. No line is broken
 * inside of an option, or before a `%': these are in a <span class="whole">. */
void markup_write_lines(FILE *file, const char *text);

#endif
