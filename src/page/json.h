/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.h - texts and numbers as JSON has them (RFC 8259), also in an HTML page: `<' is escaped. The
 * caller checks `file` for write errors.
 */
#ifndef RESEAT_JSON_H
#define RESEAT_JSON_H

#include <stdio.h>

/* A text with its quotes; bytes that are no UTF-8 become U+FFFD. NULL: null. */
void json_write_text(FILE *file, const char *text);

/* In as many digits as give the same number back; null if it is not finite. */
void json_write_number(FILE *file, double value);

#endif
