/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.h - reading text line by line, with errors that tell where. */
#ifndef RESEAT_LINES_H
#define RESEAT_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "text/error.h"

struct lines {
    const char *path;
    FILE *file;
    char *line; /* the present line, without its end */
    size_t room;
    size_t number; /* of the line, from 1 */
    int open_end;  /* set by the caller: the last line need not be terminated */
    size_t most; /* set by the caller: limit on the bytes of each following line; 0: the default */
    int again;   /* the line has only been seen by lines_peek */
    struct reseat_error *error;
};

/* 0, or -1 with *error. */
int lines_open(struct lines *lines, const char *path, struct reseat_error *error);
void lines_close(struct lines *lines);

/* Before reading where nobody may have to wait: 0, or -1 with *error if the path is a pipe, a
 * terminal or another device. A file that does not exist is left to lines_open. */
int lines_check_file(const char *path, struct reseat_error *error);

/* Go to the next line, which may end with CR LF too. A UTF-8 byte order mark at the beginning of
 * the file is skipped. 1; 0 at the end of the file; -1 with the error if reading fails, the last
 * line is not terminated, or a line is too long or has a NUL or another control character
 * (printable.h). */
int lines_next(struct lines *lines);
/* The same, except that lines_next will return this line again. */
int lines_peek(struct lines *lines);
/* Like lines_next, skipping blank lines and those that begin with `comment`. 0; -1 also at the end
 * of the file, where `missing` tells what was expected. */
int lines_need(struct lines *lines, char comment, const char *missing);

/* -1 with "FILE:LINE: " and what follows, like printf. */
int lines_fail(const struct lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* -1 with "FILE: out of memory". */
int lines_no_memory(const struct lines *lines);

/*
 * Read a number of a line: `text` moves past blanks and the number. 0, or -1 if there is none up to
 * `most`. A value may have a fraction and an exponent: it is rounded to the nearest integer, and
 * *exact is what it was.
 */
int lines_number(const char **text, uint64_t most, uint64_t *number);
int lines_value(const char **text, uint64_t *value, double *exact);
/* A number that need not be an integer, such as 80, 0.25 or 1e3, whatever the locale: up to 15
 * digits and powers of ten up to 22, which are exact. 0, or -1: something else. */
int lines_real(const char **text, double *number);
/* Returns 1 if the next word is this one, and moves `text` past it. */
int lines_word(const char **text, const char *word);
/* Returns 1 if only blanks are left. */
int lines_at_end(const char *text);

#endif
