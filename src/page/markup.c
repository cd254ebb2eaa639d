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

/* Longer options than this may be wider than a phone. */
enum { MARKUP_LONGEST_WHOLE = 32 };

/* The length of a word that stays on one line, with the sign behind a number; 0: it need not. */
static size_t markup_whole(const char *text, size_t left)
{
    size_t length = 0;
    while (length < left && text[length] != ' ')
        length++;
    if (length + 1 < left && text[length + 1] == '%' && length)
        return length + 2;
    return length > 1 && length <= MARKUP_LONGEST_WHOLE && text[0] == '-' ? length : 0;
}

static void markup_write_line(FILE *file, const char *text, size_t left)
{
    for (size_t length; left > 0; text += length, left -= length) {
        length = markup_whole(text, left);
        if (length) {
            fputs("<span class=\"whole\">", file);
            markup_write_part(file, text, length);
            fputs("</span>", file);
            continue;
        }
        while (length < left && text[length] != ' ')
            length++;
        while (length < left && text[length] == ' ')
            length++;
        markup_write_part(file, text, length);
    }
}

void markup_write_lines(FILE *file, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        markup_write_line(file, text, length);
        text += length + (text[length] == '\n');
        if (*text)
            fputs("<br>\n", file);
    }
}
