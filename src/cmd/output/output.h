/* SPDX-License-Identifier: BSD-3-Clause */
/* output.h - tells whether a job prints the same in another order of its ranks, apart from what
 * varies in every run. */
#ifndef RESEAT_OUTPUT_H
#define RESEAT_OUTPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A number in a line. */
struct output_number {
    double value;
    double step; /* of its last digit; 0: an integer */
    int is_free; /* a time, a date or a place: any value is accepted */
};

struct output_line {
    const char *text;  /* as printed, `length` bytes */
    const char *shape; /* the same with # for each number and @ for hosts, days, months, and words
                          that differ from run to run */
    const char *words; /* coarser: # for each word with a digit */
    const struct output_number *numbers;
    int32_t length, count; /* count: of numbers, which is that of # in shape */
};

/* The output of one run. */
struct output {
    char *text, *shapes;
    struct output_number *numbers;
    struct output_line *lines;
    size_t count;
};

/* Words that are host names, in the order of strcmp. */
struct output_hosts {
    char **name;
    size_t count;
};

enum output_stream { OUTPUT_STDOUT, OUTPUT_STDERR };

/* Read the first few MB of `file`, from its beginning; for standard error without our own lines and
 * those of launchers. The caller destroys *output; `hosts` need not outlive it. 0, or -1 if out of
 * memory or the file cannot be read. */
int output_read(struct output *output, FILE *file, enum output_stream stream,
                const struct output_hosts *hosts);
void output_destroy(struct output *output);

/* Write the `words` of a line with this shape (struct output_line), no longer than the shape;
 * returns their end. */
char *output_write_words(char *to, const char *shape);

enum { OUTPUT_LINE = 160, OUTPUT_RUNS = 5 };

struct output_finding {
    int lines;               /* of the first plain run */
    int compared;            /* lines that all plain runs have */
    int differing;           /* reordered runs that print something else */
    int is_sorted_otherwise; /* runs that print the same lines in another order */
    char plain[OUTPUT_LINE], ordered[OUTPUT_LINE]; /* the first lines that differ; "": none */
};

/* `plain` are runs in launch order, `ordered` those in another order, 1 to OUTPUT_RUNS of each. 0,
 * or -1 if out of memory. */
int output_compare(const struct output *plain, int plain_count, const struct output *ordered,
                   int ordered_count, struct output_finding *finding);

#endif
