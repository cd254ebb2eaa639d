/* SPDX-License-Identifier: BSD-3-Clause */
/* command-lines.h - random command lines and files for commands.c,
 * the same ones for the same seed. */
#ifndef TESTS_COMMAND_LINES_H
#define TESTS_COMMAND_LINES_H

#include <stddef.h>
#include <stdint.h>

enum { LINE_WORDS = 40 };

struct command_line {
    int count;
    const char *words[LINE_WORDS + 1]; /* behind `reseat`, NULL at the end; constants */
};

void command_lines_seed(uint64_t seed);
uint32_t command_lines_random(void);

void command_line_make(struct command_line *line);

/* What a fake launcher is to do, for the environment variable FAKE. */
const char *command_line_launcher(void);

/* Change `size` bytes of a file in room for `most`: bytes, lines, pieces that mean harm. The new
 * size. */
size_t command_line_mutate(char *text, size_t size, size_t most);

#endif
