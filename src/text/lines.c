/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c - see lines.h. */
#include "text/lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "text/number.h"
#include "text/printable.h"

/* No line of any form is longer: a domain of 2^24 ranks has nine characters for each member. */
enum { LINES_LONGEST = 1 << 28 };

/* In UTF-8; what Windows programs write begins with it. */
static const char byte_order_mark[] = "\xef\xbb\xbf";
enum { BYTE_ORDER_MARK = sizeof byte_order_mark - 1 };

int lines_open(struct lines *lines, const char *path, struct reseat_error *error)
{
    *lines = (struct lines){.path = path, .error = error};
    lines->file = fopen(path, "re");
    return lines->file ? 0 : reseat_fail(error, "%s: %s", path, strerror(errno));
}

void lines_close(struct lines *lines)
{
    if (lines->file)
        fclose(lines->file);
    free(lines->line);
}

int lines_check_file(const char *path, struct reseat_error *error)
{
    struct stat status;
    if (stat(path, &status) || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
        return 0;
    return reseat_fail(error, "%s: not a regular file", path);
}

int lines_fail(const struct lines *lines, const char *format, ...)
{
    char reason[sizeof lines->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return reseat_fail(lines->error, "%s:%zu: %s", lines->path, lines->number, reason);
}

int lines_no_memory(const struct lines *lines)
{
    return reseat_fail(lines->error, "%s: out of memory", lines->path);
}

/* Double the room. 0, or -1 with the error. */
static int lines_grow(struct lines *lines)
{
    size_t room = lines->room ? 2 * lines->room : 128;
    char *line = realloc(lines->line, room);
    if (!line)
        return lines_no_memory(lines);
    lines->line = line;
    lines->room = room;
    return 0;
}

/* The number of bytes of the line with its end; -1 with the error. Read byte by byte, so that an
 * endless line is refused as soon as it is too long. */
static ssize_t lines_get(struct lines *lines)
{
    size_t length = 0, most = lines->most ? lines->most : LINES_LONGEST;
    int byte = 0;
    while (byte != '\n' && (byte = getc_unlocked(lines->file)) != EOF) {
        if (byte == '\0')
            return lines_fail(lines, "a NUL byte: this is not text");
        if (length == most)
            return lines_fail(lines, "a line of more than %zu bytes", most);
        if (length + 2 > lines->room && lines_grow(lines))
            return -1;
        lines->line[length++] = (char)byte;
    }
    if (ferror(lines->file))
        return reseat_fail(lines->error, "%s: %s", lines->path, strerror(errno));
    return (ssize_t)length;
}

int lines_peek(struct lines *lines)
{
    int more = lines_next(lines);
    lines->again = more > 0;
    return more;
}

int lines_next(struct lines *lines)
{
    if (lines->again) {
        lines->again = 0;
        return 1;
    }
    lines->number++;
    ssize_t size = lines_get(lines);
    if (size <= 0) {
        lines->number -= size == 0;
        return (int)size;
    }
    size_t length = (size_t)size;
    if (lines->line[length - 1] == '\n')
        length--;
    else if (!lines->open_end)
        return lines_fail(lines, "torn: the last line is not complete");
    if (length && lines->line[length - 1] == '\r')
        length--;
    lines->line[length] = '\0';
    if (lines->number == 1 && strncmp(lines->line, byte_order_mark, BYTE_ORDER_MARK) == 0) {
        length -= BYTE_ORDER_MARK;
        memmove(lines->line, lines->line + BYTE_ORDER_MARK, length + 1);
    }
    size_t good = printable_length(lines->line, length);
    if (good < length)
        return lines_fail(lines, "a control character (0x%02x) at byte %zu",
                          (unsigned char)lines->line[good], good + 1);
    return 1;
}

int lines_need(struct lines *lines, char comment, const char *missing)
{
    int more;
    while ((more = lines_next(lines)) > 0)
        if (lines->line[0] != comment && !lines_at_end(lines->line))
            return 0;
    if (more < 0)
        return -1;
    return lines->number ? lines_fail(lines, "torn: %s missing", missing)
                         : reseat_fail(lines->error, "%s: is empty", lines->path);
}

static const char *lines_behind_blanks(const char *text)
{
    return text + strspn(text, " \t\r");
}

int lines_at_end(const char *text)
{
    return *lines_behind_blanks(text) == '\0';
}

int lines_word(const char **text, const char *word)
{
    const char *at = lines_behind_blanks(*text);
    size_t length = strcspn(at, " \t\r");
    if (length != strlen(word) || strncmp(at, word, length) != 0)
        return 0;
    *text = at + length;
    return 1;
}

int lines_number(const char **text, uint64_t most, uint64_t *number)
{
    const char *at = lines_behind_blanks(*text);
    if (read_number(&at, most, number) || (*at && !strchr(" \t\r,", *at)))
        return -1;
    *text = at;
    return 0;
}

/* "e+12" after a number: its power of ten, 0 if there is none; -1: invalid. */
static int lines_read_exponent(const char **text, int *exponent)
{
    uint64_t number;
    *exponent = 0;
    if (**text != 'e' && **text != 'E')
        return 0;
    const char *at = *text + 1;
    int minus = *at == '-';
    at += *at == '-' || *at == '+';
    if (read_number(&at, 400, &number))
        return -1;
    *exponent = minus ? -(int)number : (int)number;
    *text = at;
    return 0;
}

/* Digits and powers of ten that are exact in a double, so that writing a number gives it back. */
enum { LINES_REAL_DIGITS = 15, LINES_REAL_POWER = 22 };

int lines_real(const char **text, double *number)
{
    const char *at = lines_behind_blanks(*text);
    double value = 0, scale = 1;
    int digits = 0, significant = 0, power = 0, exponent, is_fraction = 0;
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !is_fraction); at++) {
        is_fraction |= *at == '.';
        if (*at == '.')
            continue;
        value = 10 * value + (*at - '0');
        digits++;
        significant += significant > 0 || *at != '0';
        power -= is_fraction;
    }
    if (!digits || lines_read_exponent(&at, &exponent) || (*at && !strchr(" \t\r", *at)))
        return -1;
    power += exponent;
    if (significant > LINES_REAL_DIGITS || abs(power) > LINES_REAL_POWER)
        return -1;
    for (int p = abs(power); p > 0; p--)
        scale *= 10;
    *number = power < 0 ? value / scale : value * scale;
    *text = at;
    return 0;
}

int lines_value(const char **text, uint64_t *value, double *exact)
{
    const char *at = lines_behind_blanks(*text), *start = at;
    double number = 0;
    int exponent, digits = 0, point = 0, places = 0;
    if (lines_number(text, UINT64_MAX, value) == 0) {
        *exact = (double)*value;
        return 0; /* an integer: no digit is lost */
    }
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = 1;
            continue;
        }
        number = 10 * number + (*at - '0');
        digits++;
        places += point;
    }
    if (!digits || lines_read_exponent(&at, &exponent) || (*at && !strchr(" \t\r,", *at)))
        return -1;
    for (exponent -= places; exponent > 0; exponent--)
        number *= 10;
    for (; exponent < 0; exponent++)
        number /= 10;
    if (at == start || number >= 18446744073709551615.0)
        return -1;
    *value = (uint64_t)(number + 0.5);
    *exact = number;
    *text = at;
    return 0;
}
