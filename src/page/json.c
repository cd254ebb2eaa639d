/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - see json.h. */
#include "page/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/printable.h"

/* ---- texts ---- */

/* Writes the character at `text` as JSON has to have it, in `escape`; returns 0 if it stands for
 * itself. */
static int json_escape(char escape[8], const char *text, size_t size, int is_control)
{
    unsigned char byte = (unsigned char)*text;
    if (*text == '"' || *text == '\\')
        snprintf(escape, 8, "\\%c", *text);
    else if (size == 1 && (byte < 0x20 || byte == 0x7f || byte == '<'))
        snprintf(escape, 8, "\\u%04x", byte);
    else if (size == 1 && byte >= 0x80)
        strcpy(escape, "\\ufffd");
    else if (size == 2 && is_control)
        snprintf(escape, 8, "\\u00%02x", (unsigned char)text[1]);
    else if (size == 3 &&
             (memcmp(text, "\xe2\x80\xa8", 3) == 0 || memcmp(text, "\xe2\x80\xa9", 3) == 0))
        snprintf(escape, 8, "\\u202%c", text[2] == '\xa8' ? '8' : '9');
    else
        return 0;
    return 1;
}

static void json_write_text(FILE *file, const char *text)
{
    char escape[8];
    putc('"', file);
    for (size_t left = strlen(text), size; left > 0; text += size, left -= size) {
        int is_control;
        size = printable_next(text, left, &is_control);
        if (json_escape(escape, text, size, is_control))
            fputs(escape, file);
        else
            fwrite(text, 1, size, file);
    }
    putc('"', file);
}

/* ---- members ---- */

static void json_indent(const struct json *json)
{
    fprintf(json->file, "\n%*s", json->depth, "");
}

/* Writes what precedes a value. */
static void json_begin(struct json *json, const char *key)
{
    if (json->depth > 0) {
        int is_line = json->level[json->depth].is_line;
        if (json->level[json->depth].members++)
            putc(',', json->file);
        if (!is_line)
            json_indent(json);
    }
    if (key) {
        json_write_text(json->file, key);
        fputs(": ", json->file);
    }
}

void json_open(struct json *json, const char *key, char kind)
{
    json_begin(json, key);
    putc(kind == '{' ? '{' : '[', json->file);
    if (json->depth < JSON_DEPTH)
        json->depth++;
    json->level[json->depth].end = kind == '{' ? '}' : ']';
    json->level[json->depth].is_line = kind == '(' || json->level[json->depth - 1].is_line;
    json->level[json->depth].members = 0;
}

void json_close(struct json *json)
{
    int has_lines = json->level[json->depth].members && !json->level[json->depth].is_line;
    char end = json->level[json->depth].end;
    json->depth--;
    if (has_lines)
        json_indent(json);
    putc(end, json->file);
    if (json->depth == 0)
        putc('\n', json->file);
}

void json_text(struct json *json, const char *key, const char *text)
{
    json_begin(json, key);
    if (text)
        json_write_text(json->file, text);
    else
        fputs("null", json->file);
}

void json_number(struct json *json, const char *key, double value)
{
    char text[40];
    int digits = 15;
    json_begin(json, key);
    if (!isfinite(value)) {
        fputs("null", json->file);
        return;
    }
    do
        snprintf(text, sizeof text, "%.*g", digits++, value);
    while (digits <= 17 && strtod(text, NULL) != value);
    fputs(text, json->file);
}

void json_integer(struct json *json, const char *key, uint64_t value)
{
    json_begin(json, key);
    fprintf(json->file, "%llu", (unsigned long long)value);
}

void json_boolean(struct json *json, const char *key, int value)
{
    json_begin(json, key);
    fputs(value ? "true" : "false", json->file);
}
