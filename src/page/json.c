/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - see json.h. */
#include "page/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/printable.h"

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

void json_write_text(FILE *file, const char *text)
{
    char escape[8];
    if (!text) {
        fputs("null", file);
        return;
    }
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

void json_write_number(FILE *file, double value)
{
    char text[40];
    int digits = 15;
    if (!isfinite(value)) {
        fputs("null", file);
        return;
    }
    do
        snprintf(text, sizeof text, "%.*g", digits++, value);
    while (digits <= 17 && strtod(text, NULL) != value);
    fputs(text, file);
}
