/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * printable.c - see printable.h. UTF-8 is decoded by RFC 3629: an overlong, surrogate or truncated
 * sequence is not a character, and each of its bytes counts by itself; the bytes 0x80 to 0x9f are
 * C1.
 */
#include "text/printable.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The length of the multibyte UTF-8 character at `text`; 0: there is none. */
static size_t printable_utf8(const unsigned char *text, size_t length)
{
    static const struct {
        unsigned char low, high, second_low, second_high;
        size_t length;
    } forms[] = {{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                 {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
                 {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
                 {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    size_t form = 0, count = sizeof forms / sizeof forms[0];
    while (form < count && (text[0] < forms[form].low || text[0] > forms[form].high))
        form++;
    if (form == count || length < forms[form].length || text[1] < forms[form].second_low ||
        text[1] > forms[form].second_high)
        return 0;
    for (size_t i = 2; i < forms[form].length; i++)
        if (text[i] < 0x80 || text[i] > 0xbf)
            return 0;
    return forms[form].length;
}

size_t printable_next(const char *at, size_t length, int *is_control)
{
    const unsigned char *text = (const unsigned char *)at;
    size_t size = text[0] < 0x80 ? 0 : printable_utf8(text, length);
    if (size > 1) {
        *is_control = text[0] == 0xc2 && text[1] < 0xa0;
        return size;
    }
    *is_control = (text[0] < 0x20 && text[0] != '\t') || (text[0] >= 0x7f && text[0] < 0xa0);
    return 1;
}

size_t printable_length(const char *text, size_t length)
{
    int is_control = 0;
    size_t at = 0, size = 0;
    while (at < length && !is_control) {
        size = 1;
        if (text[at] < ' ' || text[at] > '~') /* most are plain ASCII */
            size = printable_next(text + at, length - at, &is_control);
        at += size;
    }
    return is_control ? at - size : length;
}

/* Write `size` bytes at `from` as \xHH; returns the length of that. */
static size_t printable_escape(char piece[PRINTABLE_PIECE], const char *from, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)from[i];
        const char escape[4] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        memcpy(piece + 4 * i, escape, 4);
    }
    piece[4 * size] = '\0';
    return 4 * size;
}

static size_t printable_show(const char **text, char piece[PRINTABLE_PIECE])
{
    if (!**text)
        return 0;
    int is_control;
    const char *from = *text;
    size_t size = printable_next(from, strnlen(from, 4), &is_control);
    *text += size;
    if (is_control)
        return printable_escape(piece, from, size);
    memcpy(piece, from, size);
    piece[size] = '\0';
    return size;
}

void printable_copy(char *to, size_t size, const char *from)
{
    char piece[PRINTABLE_PIECE];
    size_t length = 0, more;
    while ((more = printable_show(&from, piece)) > 0 && length + more < size) {
        memcpy(to + length, piece, more);
        length += more;
    }
    if (size)
        to[length] = '\0';
}

void printable_print(FILE *file, const char *text)
{
    char piece[PRINTABLE_PIECE];
    while (printable_show(&text, piece))
        fputs(piece, file);
}

/* ---- restoring ---- */

static int printable_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte of the escape at `text`; -1: there is none. */
static int printable_escaped(const char *text)
{
    if (text[0] != '\\' || text[1] != 'x' || printable_digit(text[2]) < 0 ||
        printable_digit(text[3]) < 0)
        return -1;
    return 16 * printable_digit(text[2]) + printable_digit(text[3]);
}

size_t printable_piece(const char **text, char piece[PRINTABLE_PIECE])
{
    if (**text != '\t' && printable_escaped(*text) < 0)
        return printable_show(text, piece);
    ++*text;
    return printable_escape(piece, *text - 1, 1);
}

int printable_restore(char *text)
{
    char *to = text;
    int has_end = 0;
    while (*text) {
        int byte = printable_escaped(text);
        has_end |= byte == 0;
        *to++ = byte < 0 ? *text : (char)byte;
        text += byte < 0 ? 1 : 4;
    }
    *to = '\0';
    return has_end ? -1 : 0;
}

static struct {
    int is_kept;
    int is_open;
    struct stat file;
} printable_stderr;

void printable_keep_to_stderr(void)
{
    printable_stderr.is_kept = 1;
    printable_stderr.is_open = fstat(STDERR_FILENO, &printable_stderr.file) == 0;
}

static int printable_is_stderr(void)
{
    struct stat now;
    return !printable_stderr.is_kept ||
           (printable_stderr.is_open && fstat(STDERR_FILENO, &now) == 0 &&
            now.st_dev == printable_stderr.file.st_dev &&
            now.st_ino == printable_stderr.file.st_ino);
}

void printable_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printable_vsay(format, arguments);
    va_end(arguments);
}

void printable_vsay(const char *format, va_list arguments)
{
    char text[1000], shown[2 * sizeof text], line[2 * sizeof text + 16];
    vsnprintf(text, sizeof text, format, arguments);
    printable_copy(shown, sizeof shown, text);
    snprintf(line, sizeof line, "reseat: %s\n", shown);
    if (printable_is_stderr())
        fputs(line, stderr);
}
