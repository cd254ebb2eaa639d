/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output-lines.c - the lines of an output as shapes and numbers, for output.c to compare:
 *
 *   the line     "Loop time of 1.25 on 4 procs for 100 steps"
 *   its shape    "Loop time of # on # procs for # steps"
 *   its numbers  1.25 4 100
 *
 * A number is free (any value is accepted) if words show that it is a time, a rate or a place: the
 * nearest words before it ("Loop time of", "node"), a unit after it ("s", "MB/s"), or a clock or
 * date in the line. Most times need no words, because they differ from run to run; a time of one
 * digit may not.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/output/output.h"

enum { MOST_BYTES = 8 << 20, MOST_WORD = 64 };

static int is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words != NULL;
}

static int is_time_word(const char *word)
{
    static const char *const words[] = {
        "elapsed",    "wall",   "clock",  "cpu",    "seconds",   "secs",    "sec",
        "duration",   "took",   "speed",  "rate",   "bandwidth", "latency", "performance",
        "throughput", "flops",  "mflops", "gflops", "tflops",    "date",    "started",
        "ended",      "memory", "seed",   NULL};
    return is_one_of(word, words) || (strstr(word, "time") && !strstr(word, "timestep"));
}

static int is_place_word(const char *word)
{
    static const char *const words[] = {"host", "hostname", "node",   "processor", "core",   "pu",
                                        "pid",  "tid",      "device", "gpu",       "socket", "numa",
                                        "lwp",  "job",      "jobid",  NULL};
    return is_one_of(word, words);
}

static int is_unit(const char *word)
{
    static const char *const words[] = {"s",
                                        "sec",
                                        "secs",
                                        "second",
                                        "seconds",
                                        "ms",
                                        "msec",
                                        "us",
                                        "usec",
                                        "ns",
                                        "min",
                                        "mins",
                                        "minutes",
                                        "h",
                                        "hr",
                                        "hrs",
                                        "hours",
                                        "milliseconds",
                                        "microseconds",
                                        "mflops",
                                        "gflops",
                                        "tflops",
                                        "flops",
                                        "mflop",
                                        "gflop",
                                        NULL};
    return is_one_of(word, words);
}

static int is_day(const char *word)
{
    static const char *const words[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun",
                                        "jan", "feb", "mar", "apr", "may", "jun", "jul",
                                        "aug", "sep", "oct", "nov", "dec", NULL};
    return is_one_of(word, words);
}

/* Copy the letters at `text` in lower case; returns their number. */
static size_t take_word(const char *text, const char *end, char word[MOST_WORD])
{
    size_t length = 0;
    while (text + length < end && (isalpha((unsigned char)text[length]) || text[length] == '_'))
        length++;
    size_t kept = length < MOST_WORD ? length : MOST_WORD - 1;
    for (size_t i = 0; i < kept; i++)
        word[i] = (char)tolower((unsigned char)text[i]);
    word[kept] = '\0';
    return length;
}

/* The state of reading one line. */
struct scan {
    const char *at, *begin, *end;
    char *shape; /* where the next character goes */
    struct output_number *number;
    const struct output_hosts *hosts;
    int is_time, is_place, is_behind_on; /* by the words since the last number */
    int had_number;                      /* since the last word */
};

/* Returns 1 if the first `length` characters, none of them NUL, are a host name. There may be
 * thousands of hosts, and many more words. */
static int is_host(const struct scan *s, size_t length)
{
    size_t low = 0, high = s->hosts->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *name = s->hosts->name[middle];
        int order = strncmp(name, s->at, length);
        if (order == 0 && !name[length])
            return 1;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

/* Read a whole word that is a host name. Returns whether there was one. */
static int scan_host(struct scan *s)
{
    size_t length = 0;
    if (s->at > s->begin && (isalnum((unsigned char)s->at[-1]) || s->at[-1] == '-'))
        return 0;
    while (s->at + length < s->end && s->at[length] &&
           (isalnum((unsigned char)s->at[length]) || strchr("-._", s->at[length])))
        length++;
    size_t name = 0; /* without its domain */
    while (name < length && s->at[name] != '.')
        name++;
    if (!name || (!is_host(s, length) && !is_host(s, name)))
        return 0;
    *s->shape++ = '@';
    s->at += length;
    return 1;
}

static void scan_word(struct scan *s)
{
    char word[MOST_WORD];
    size_t length = take_word(s->at, s->end, word);
    if (s->had_number)
        s->had_number = s->is_time = s->is_place = s->is_behind_on = 0;
    s->is_time |= is_time_word(word);
    s->is_place |= is_place_word(word);
    s->is_behind_on |= strcmp(word, "on") == 0;
    if (is_day(word)) {
        *s->shape++ = '@';
    } else {
        memcpy(s->shape, s->at, length);
        s->shape += length;
    }
    s->at += length;
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && isdigit((unsigned char)*at))
        at++;
    return at;
}

/* The end of an exponent of C or Fortran at `at`, or `at`. */
static const char *skip_exponent(const char *at, const char *end)
{
    const char *digits = at + 1;
    if (at >= end || !strchr("eEdD", *at))
        return at;
    if (digits < end && (*digits == '+' || *digits == '-'))
        digits++;
    const char *after = skip_digits(digits, end);
    return after > digits ? after : at;
}

/* Read `text` .. `end` as a number, whose last digit counts `step`. */
static void read_value(const char *text, const char *end, struct output_number *number)
{
    char copy[64];
    size_t length = 0, decimals = 0;
    int is_behind_point = 0, is_float = 0;
    const char *at = text;
    for (; at < end && length + 1 < sizeof copy; at++) {
        copy[length++] = strchr("dD", *at) ? 'e' : *at;
        if (strchr("eEdD", *at))
            break;
        decimals += is_behind_point && isdigit((unsigned char)*at);
        is_behind_point |= *at == '.';
    }
    is_float = is_behind_point || (at < end && strchr("eEdD", *at));
    long exponent = at < end && strchr("eEdD", *at) ? strtol(at + 1, NULL, 10) : 0;
    for (at++; at < end && length + 1 < sizeof copy; at++)
        copy[length++] = *at;
    copy[length] = '\0';
    number->value = strtod(copy, NULL);
    number->step = 0;
    if (is_float && exponent > -300 && exponent < 300)
        for (number->step = 1; (long)decimals > exponent; exponent++)
            number->step /= 10;
    for (; is_float && exponent > (long)decimals && exponent < 300; exponent--)
        number->step *= 10;
}

/* Returns 1 if a unit of time or a rate follows the number. */
static int has_unit(const char *at, const char *end)
{
    char word[MOST_WORD];
    while (at < end && strchr(" \t[(", *at))
        at++;
    size_t length = take_word(at, end, word);
    if (is_unit(word))
        return 1;
    if (at + length + 1 >= end || at[length] != '/')
        return 0;
    take_word(at + length + 1, end, word); /* MB/s, ns/day */
    return is_unit(word) || strcmp(word, "day") == 0;
}

/* Read a number at s->at, including its sign. Returns whether there is one. */
static int scan_number(struct scan *s)
{
    const char *text = s->at, *digits = text;
    int is_glued = text > s->begin && isalnum((unsigned char)text[-1]);
    if ((*digits == '-' || *digits == '+') && !is_glued && (text == s->begin || text[-1] != '.'))
        digits++;
    const char *after = skip_digits(digits, s->end);
    int has_digits = after > digits;
    if (after < s->end && *after == '.' && !is_glued) {
        const char *fraction = skip_digits(after + 1, s->end);
        int counts = fraction > after + 1 || skip_exponent(fraction, s->end) > fraction;
        has_digits |= fraction > after + 1;
        after = counts ? fraction : after; /* else it ends a sentence */
    }
    if (!has_digits)
        return 0;
    if (!is_glued)
        after = skip_exponent(after, s->end);
    read_value(text, after, s->number);
    s->number->is_free =
        s->is_time || s->is_place || (s->is_behind_on && is_glued) || has_unit(after, s->end);
    s->number++;
    *s->shape++ = '#';
    s->had_number = 1;
    s->at = after;
    return 1;
}

/* Read an address like 0x7ffe12, which differs in every run. */
static int scan_address(struct scan *s)
{
    const char *at = s->at + 2;
    if (s->end - s->at < 3 || s->at[0] != '0' || s->at[1] != 'x')
        return 0;
    while (at < s->end && isxdigit((unsigned char)*at))
        at++;
    *s->number++ = (struct output_number){.is_free = 1};
    *s->shape++ = '#';
    s->at = at;
    return 1;
}

/* Returns 1 if the shape of a line has something like 12:34:56, 2026-11-22 or 22/11/2026. */
static int has_date(const char *shape)
{
    return strstr(shape, "#:#:#") || strstr(shape, "#-#-#") || strstr(shape, "#/#/#");
}

/* Copy another character: several blanks become one, and our own # and @ are replaced. */
static void scan_other(struct scan *s)
{
    int is_blank = isspace((unsigned char)*s->at);
    char c = *s->at == '#' || *s->at == '@' || *s->at == '\0' ? '?' : *s->at;
    if (!is_blank || (s->at > s->begin && !isspace((unsigned char)s->at[-1])))
        *s->shape++ = is_blank ? ' ' : c;
    s->at++;
}

/* Skip the tag with which launchers label lines: Open MPI [1,3]<stdout>:, Hydra [3]. */
static const char *behind_tag(const char *text, const char *end)
{
    const char *at = text;
    if (at == end || *at != '[')
        return text;
    at = skip_digits(at + 1, end);
    if (at < end && *at == ',')
        at = skip_digits(at + 1, end);
    if (at == end || *at != ']' || at == text + 1)
        return text;
    at++;
    if (end - at > 9 && at[0] == '<' && strncmp(at + 7, ">:", 2) == 0)
        return at + 9;
    return at;
}

char *output_write_words(char *to, const char *shape)
{
    while (*shape) {
        size_t length = strcspn(shape, " ");
        if (memchr(shape, '#', length) || memchr(shape, '@', length)) {
            *to++ = '#';
        } else {
            memcpy(to, shape, length);
            to += length;
        }
        shape += length;
        if (*shape)
            *to++ = *shape++;
    }
    *to++ = '\0';
    return to;
}

/* Read one line; `s` moves past it. */
static void scan_line(struct scan *s, struct output_line *line, const char *end)
{
    struct output_number *first = s->number;
    char *shape = s->shape;
    line->text = s->at;
    line->length = (int32_t)(end - s->at);
    s->begin = s->at = behind_tag(s->at, end);
    s->end = end > s->at && end[-1] == '\r' ? end - 1 : end;
    s->is_time = s->is_place = s->is_behind_on = s->had_number = 0;
    while (s->at < s->end)
        if (!scan_host(s) && !scan_address(s) && !scan_number(s)) {
            if (isalpha((unsigned char)*s->at))
                scan_word(s);
            else
                scan_other(s);
        }
    while (s->shape > shape && s->shape[-1] == ' ')
        s->shape--;
    *s->shape++ = '\0';
    for (struct output_number *n = first; has_date(shape) && n < s->number; n++)
        n->is_free = 1;
    line->shape = shape;
    line->words = s->shape;
    s->shape = output_write_words(s->shape, shape);
    line->numbers = first;
    line->count = (int32_t)(s->number - first);
}

/* Returns 1 if a line on standard error is not the program's: our own lines, and those of
 * launchers, which begin with a host and process in brackets or are in a ruled box. */
static int is_noise(const char *text, const char *end)
{
    size_t length = (size_t)(end - text);
    return length == 0 || *text == '[' || (length >= 6 && strncmp(text, "reseat", 6) == 0) ||
           (length >= 8 && strncmp(text, "--------", 8) == 0);
}

static int read_text(struct output *output, FILE *file, size_t *size)
{
    if (fflush(file) || fseek(file, 0, SEEK_END))
        return -1;
    long whole = ftell(file);
    *size = whole > MOST_BYTES ? MOST_BYTES : whole > 0 ? (size_t)whole : 0;
    output->text = malloc(*size + 1);
    rewind(file);
    if (!output->text || fread(output->text, 1, *size, file) != *size)
        return -1;
    while (whole > MOST_BYTES && *size && output->text[*size - 1] != '\n')
        --*size;
    output->text[*size] = '\0';
    return 0;
}

int output_read(struct output *output, FILE *file, enum output_stream stream,
                const struct output_hosts *hosts)
{
    size_t size = 0, most = 1;
    *output = (struct output){.shapes = NULL};
    if (read_text(output, file, &size)) {
        output_destroy(output);
        return -1;
    }
    for (size_t i = 0; i < size; i++)
        most += output->text[i] == '\n';
    output->lines = malloc(most * sizeof *output->lines);
    output->shapes = malloc(2 * (size + most) + 2);
    output->numbers = malloc((size + 1) * sizeof *output->numbers);
    if (!output->lines || !output->shapes || !output->numbers) {
        output_destroy(output);
        return -1;
    }
    struct scan s = {.shape = output->shapes, .number = output->numbers, .hosts = hosts};
    const char *at = output->text, *all = at + size;
    while (at < all) {
        const char *end = memchr(at, '\n', (size_t)(all - at));
        end = end ? end : all;
        s.at = at;
        if (stream != OUTPUT_STDERR || !is_noise(at, end))
            scan_line(&s, &output->lines[output->count++], end);
        at = end + 1;
    }
    return 0;
}

void output_destroy(struct output *output)
{
    free(output->text);
    free(output->shapes);
    free(output->numbers);
    free(output->lines);
    *output = (struct output){.shapes = NULL};
}
