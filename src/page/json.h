/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.h - writing JSON (RFC 8259), which may also stand in an HTML page: `<' is escaped.
 *
 *   struct json json = {.file = file};
 *   json_open(&json, NULL, '{');
 *   json_text(&json, "name", name);
 *   json_open(&json, "sizes", '[');
 *   json_integer(&json, NULL, 7);
 *   json_close(&json);
 *   json_close(&json);
 *
 * Members of an object have a key, those of an array have NULL. The caller checks `file` for write
 * errors.
 */
#ifndef RESEAT_JSON_H
#define RESEAT_JSON_H

#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 16 };

struct json {
    FILE *file;
    int depth; /* of what is open */
    struct {
        char end;     /* what closes it */
        char is_line; /* all on one line */
        int members;
    } level[JSON_DEPTH + 1];
};

/* Open an object `{' or an array `['; an array of numbers `(' is one too, and all on one line. */
void json_open(struct json *json, const char *key, char kind);
void json_close(struct json *json);

/* A text; NULL: null. Bytes that are no UTF-8 become U+FFFD. */
void json_text(struct json *json, const char *key, const char *text);
/* In as many digits as give the same number back; null if it is not finite. */
void json_number(struct json *json, const char *key, double value);
void json_integer(struct json *json, const char *key, uint64_t value);
void json_boolean(struct json *json, const char *key, int value);

#endif
