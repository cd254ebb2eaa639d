/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.h - reading text line by line, with errors that say where. */
#ifndef RESEAT_LINES_H
#define RESEAT_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "format/error.h"

struct lines {
    const char *path;
    FILE *file;
    char *line; /* the line now, without its end */
    size_t room;
    size_t number; /* of the line, from 1 */
    int open_end;  /* to be set: the last line need not have an end */
    size_t most;   /* to be set: the most bytes of the lines that follow; 0: as lines.c has it */
    int again;     /* the line has been looked at by lines_peek only */
    struct reseat_error *error;
};

/* 0, or -1 with *error. */
int lines_open(struct lines *lines, const char *path, struct reseat_error *error);
void lines_close(struct lines *lines);

/* Go to the next line, which may end with CR LF too. 1; 0 at the end of the file; -1 with the error
 * when reading fails, the last line has no end, a line is too long, or holds a NUL or another
 * control character (printable.h). */
int lines_next(struct lines *lines);
/* The same, and lines_next goes there once more: 1. */
int lines_peek(struct lines *lines);
/* As lines_next past lines that begin with `comment` or are blank. 0; -1 also at the end of the
 * file, where `missing` says what was expected. */
int lines_need(struct lines *lines, char comment, const char *missing);

/* -1 with "FILE:LINE: reason". */
int lines_fail(const struct lines *lines, const char *reason);
/* -1 with "FILE: out of memory". */
int lines_no_memory(const struct lines *lines);

/*
 * Numbers of a line: `text` moves behind blanks and the number. 0, or -1 when there is none up to
 * `most`. A value may have a fraction and an exponent: it is rounded to the nearest whole number.
 */
int lines_number(const char **text, uint64_t most, uint64_t *number);
int lines_value(const char **text, uint64_t *value);
/* Whether nothing but blanks is left. */
int lines_at_end(const char *text);

#endif
