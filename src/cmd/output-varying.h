/* SPDX-License-Identifier: BSD-3-Clause */
/* output-varying.h - words that a program never prints twice: a name that is made up, a key without
 * a digit. (Numbers are output.c's.) */
#ifndef RESEAT_OUTPUT_VARYING_H
#define RESEAT_OUTPUT_VARYING_H

#include "cmd/output.h"

/* A line of one of the runs, of which plain ones come first. */
struct entry {
    const struct output_line *line;
    int run;
    int32_t position;
};

/* What stands for lines with such words. */
struct varying {
    struct output_line *lines;
    char **texts;
    size_t lines_count, texts_count;
};

/*
 * `entries` are the lines of all runs, those of a shape side by side. Each whose shape has words in
 * which plain runs differ gets a line whose shape and words are the same but for an @ in the place
 * of those. The caller destroys *varying, which the entries then need. 0, or -1 when memory is
 * short.
 */
int varying_replace(struct varying *varying, struct entry *entries, size_t count, int plain);
void varying_destroy(struct varying *varying);

#endif
