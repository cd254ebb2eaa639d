/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output-varying.c - see output-varying.h. Two lines of different plain runs that have equally many
 * words, and some of them in common, give a frame: the common words, in their places.
 *
 *     one plain run   session qwhzt opened, # ranks      frame   session @ opened, # ranks
 *     the next one    session mkrbv opened, # ranks
 *
 * Lines that all plain runs have are not used and not changed: what a program prints each time is a
 * result. All others that fit a frame become lines of one shape, in which output.c counts and
 * compares what is left of them. A line of one word fits a frame of one word.
 *
 * Each line is compared with all that fit no frame: these are few if few words vary; if many do,
 * the search ends after a number of steps and finds less.
 */
#include "cmd/output/output-varying.h"

#include <stdlib.h>
#include <string.h>

enum { VARYING_STEPS = 1 << 22, VARYING_WORDS = 64 };

/* All lines of one shape. */
struct varying_shape {
    struct output_entry *entry;
    size_t count;
    unsigned runs; /* bit r: plain run r has one */
};

struct varying_frame {
    const char *shape;
    uint64_t varies; /* bit i: its word i */
};

struct varying_search {
    struct varying_shape *shapes; /* those that are missing in some plain run */
    size_t count;
    struct varying_frame *frames;
    size_t frames_count;
    unsigned all; /* plain runs, as bits */
    size_t steps;
};

static size_t varying_lines_of(const struct output_entry *entries, size_t count)
{
    size_t lines = 0;
    while (lines < count && strcmp(entries[lines].line->shape, entries->line->shape) == 0)
        lines++;
    return lines;
}

static void varying_find_shapes(struct varying_search *s, struct output_entry *entries,
                                size_t count)
{
    for (size_t lines; count; entries += lines, count -= lines) {
        struct varying_shape shape = {.entry = entries};
        shape.count = lines = varying_lines_of(entries, count);
        for (size_t i = 0; i < lines; i++)
            shape.runs |= 1u << entries[i].run & s->all;
        if (shape.runs != s->all)
            s->shapes[s->count++] = shape;
    }
}

/* The words in which two shapes differ, as bits; -1: their numbers of words differ (an empty line
 * has none), or a differing word has digits. *common: the number of equal words. */
static int varying_compare(const char *a, const char *b, uint64_t *differ, int *common)
{
    *differ = 0;
    *common = 0;
    if (!*a != !*b)
        return -1;
    for (int word = 0;; word++, a++, b++) {
        size_t x = strcspn(a, " "), y = strcspn(b, " ");
        int is_same = x == y && memcmp(a, b, x) == 0;
        if (!is_same && (word >= VARYING_WORDS || memchr(a, '#', x) || memchr(b, '#', y)))
            return -1;
        *common += is_same;
        *differ |= is_same ? 0 : UINT64_C(1) << word;
        a += x;
        b += y;
        if (!*a || !*b)
            return *a || *b ? -1 : 0;
    }
}

static const struct varying_frame *varying_find_frame(struct varying_search *s, const char *shape)
{
    uint64_t differ;
    int common;
    for (size_t i = 0; i < s->frames_count && s->steps < VARYING_STEPS; i++, s->steps++)
        if (varying_compare(s->frames[i].shape, shape, &differ, &common) == 0 &&
            !(differ & ~s->frames[i].varies))
            return &s->frames[i];
    return NULL;
}

/* The shape of other plain runs that has the most words in common with this one, at least one
 * unless it has only one word; NULL: none. *common: how many. */
static const struct varying_shape *varying_find_nearest(struct varying_search *s,
                                                        const struct varying_shape *one,
                                                        uint64_t *differ, int *common)
{
    const struct varying_shape *nearest = NULL;
    *common = -1;
    for (size_t i = 0; i < s->count && s->steps < VARYING_STEPS; i++, s->steps++) {
        const struct varying_shape *other = &s->shapes[i];
        uint64_t words;
        int same;
        if (!other->runs || other->runs & one->runs ||
            varying_compare(one->entry->line->shape, other->entry->line->shape, &words, &same) ||
            same <= *common || (!same && words != 1))
            continue;
        nearest = other;
        *differ = words;
        *common = same;
    }
    return nearest;
}

/* Learn a frame from a shape of some plain runs: how it differs from the nearest one, unless that
 * one has a nearer one itself. */
static void varying_learn(struct varying_search *s, const struct varying_shape *one)
{
    struct varying_frame frame = {.shape = one->entry->line->shape};
    uint64_t differ;
    int common, theirs;
    const struct varying_shape *other = varying_find_nearest(s, one, &frame.varies, &common);
    if (other && varying_find_nearest(s, other, &differ, &theirs) && theirs == common)
        s->frames[s->frames_count++] = frame;
}

/* The text of a frame, followed, after its NUL, by the same as words (output.h). NULL: out of
 * memory. */
static char *varying_write(const struct varying_frame *frame)
{
    const char *from = frame->shape;
    char *text = malloc(2 * (strlen(from) + 1)), *to = text;
    for (int word = 0; text; word++) {
        size_t length = strcspn(from, " ");
        if (word < VARYING_WORDS && frame->varies >> word & 1)
            *to++ = '@';
        else
            to = (char *)memcpy(to, from, length) + length;
        from += length;
        if (!*from)
            break;
        *to++ = *from++;
    }
    if (!text)
        return NULL;
    *to++ = '\0';
    output_write_words(to, text);
    return text;
}

/* Give the lines of a shape the shape of its frame. 0, or -1. */
static int varying_apply(struct varying *v, const struct varying_shape *shape,
                         const struct varying_frame *frame)
{
    char *text = varying_write(frame);
    if (!text)
        return -1;
    v->texts[v->texts_count++] = text;
    for (size_t i = 0; i < shape->count; i++) {
        struct output_line *line = &v->lines[v->lines_count++];
        *line = *shape->entry[i].line;
        line->shape = text;
        line->words = text + strlen(text) + 1;
        shape->entry[i].line = line;
    }
    return 0;
}

int varying_replace(struct varying *varying, struct output_entry *entries, size_t count, int plain)
{
    struct varying_search s = {.all = (1u << plain) - 1};
    int rc = -1;
    *varying = (struct varying){.lines = malloc((count + 1) * sizeof *varying->lines),
                                .texts = malloc((count + 1) * sizeof *varying->texts)};
    s.shapes = malloc((count + 1) * sizeof *s.shapes);
    s.frames = malloc((count + 1) * sizeof *s.frames);
    if (!varying->lines || !varying->texts || !s.shapes || !s.frames)
        goto out;
    varying_find_shapes(&s, entries, count);
    for (size_t i = 0; i < s.count; i++)
        if (s.shapes[i].runs && !varying_find_frame(&s, s.shapes[i].entry->line->shape))
            varying_learn(&s, &s.shapes[i]);
    s.steps = 0;
    rc = 0;
    for (size_t i = 0; i < s.count && rc == 0; i++) {
        const struct varying_frame *frame = varying_find_frame(&s, s.shapes[i].entry->line->shape);
        if (frame)
            rc = varying_apply(varying, &s.shapes[i], frame);
    }
out:
    free(s.shapes);
    free(s.frames);
    return rc;
}

void varying_destroy(struct varying *varying)
{
    for (size_t i = 0; i < varying->texts_count; i++)
        free(varying->texts[i]);
    free(varying->texts);
    free(varying->lines);
    *varying = (struct varying){.lines = NULL};
}
