/* SPDX-License-Identifier: BSD-3-Clause */
/* markup.c - see markup.h. */
#include "page/markup.h"

#include <string.h>

#include "text/printable.h"

/* NULL: the character stands for itself. */
static const char *markup_entity(char character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static void markup_write_part(FILE *file, const char *text, size_t left)
{
    for (size_t size; left > 0; text += size, left -= size) {
        int is_control;
        const char *entity = markup_entity(*text);
        size = printable_next(text, left, &is_control);
        if (entity)
            fputs(entity, file);
        else if (is_control)
            for (size_t i = 0; i < size; i++)
                fprintf(file, "\\x%02x", (unsigned)(unsigned char)text[i]);
        else if (size == 1 && (unsigned char)*text >= 0x80)
            fputs("\xef\xbf\xbd", file);
        else
            fwrite(text, 1, size, file);
    }
}

void markup_write(FILE *file, const char *text)
{
    markup_write_part(file, text, strlen(text));
}

void markup_write_lines(FILE *file, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        markup_write_part(file, text, length);
        text += length + (text[length] == '\n');
        if (*text)
            fputs("<br>\n", file);
    }
}
