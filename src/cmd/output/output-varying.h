/* SPDX-License-Identifier: BSD-3-Clause */
/* output-varying.h - words that differ in every run: a generated name, a key without digits.
 * (output.c handles numbers.) */
#ifndef RESEAT_OUTPUT_VARYING_H
#define RESEAT_OUTPUT_VARYING_H

#include "cmd/output/output.h"

/* A line of one of the runs; plain runs come first. */
struct output_entry {
    const struct output_line *line;
    int run;
    int32_t position;
};

/* The replacements of lines with such words. */
struct varying {
    struct output_line *lines;
    char **texts;
    size_t lines_count, texts_count;
};

/*
 * `entries` are the lines of all runs, those of one shape together. Each line whose shape has words
 * in which plain runs differ is replaced by one with @ for those words. The caller destroys
 * *varying, to which the entries refer then. 0, or -1 if out of memory.
 */
int varying_replace(struct varying *varying, struct output_entry *entries, size_t count, int plain);
void varying_destroy(struct varying *varying);

#endif
