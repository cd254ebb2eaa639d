/* SPDX-License-Identifier: BSD-3-Clause */
/* output-file.h - what commands write: none of the files that they read, and completely or not at
 * all. */
#ifndef RESEAT_OUTPUT_FILE_H
#define RESEAT_OUTPUT_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "text/error.h"

/* Checks that a command may write `output` (NULL: nothing is written): the name is not too long,
 * and it is none of the files that are read, any of which may be NULL. 0, or -1 with *error. */
int check_output_name(const char *output, const char *const *inputs, size_t count,
                      struct reseat_error *error);

/* Checks that save_text can put a file there, as far as that is known before long work. 0, or -1
 * with *error. */
int check_output_folder(const char *output, struct reseat_error *error);

/* An output, by the option that names it. */
struct named_output {
    const char *option, *path; /* NULL: nothing is written */
};

/* Checks that a command may write `count` outputs, that it can as far as is known before long work,
 * and that none of them is another one. 0, or -1 with *error. */
int check_outputs(const struct named_output *output, int count, const char *const *inputs,
                  size_t input_count, struct reseat_error *error);

/* Returns 1 if two outputs ("-": standard output) are one file, or will be: of what is written to
 * both, only one would be left, or one would be inside of the other. A device can take both. */
int outputs_are_one(const char *a, const char *b);

/* Returns 1 if a file's name ends so. */
int output_ends(const char *path, const char *ending);

/* Find out by its name which form *output (NULL: none) is, and make it that of *html or *json; one
 * of a picture stays, where there are any. 0, or -1 with *error. */
int output_choose_form(const char **output, const char **html, const char **json, int has_pictures,
                       struct reseat_error *error);

/* Replace a file by a text, completely or not at all; `path` NULL or "-": standard output. 0, or -1
 * with *error. */
int save_text(const char *path, const char *text, size_t size, struct reseat_error *error);

/* A text that is being made in memory, by writing to `file`. The caller frees the text. */
struct made_text {
    FILE *file;
    char *text;
    size_t size;
};

/* Begin; end it, after what was written to it has returned `rc`: both 0, or -1 with *error. */
int made_text_open(struct made_text *made, struct reseat_error *error);
int made_text_end(struct made_text *made, int rc, struct reseat_error *error);

/* End it, replace a file by it (save_text), and free it. 0, or `rc`, or -1 with *error. */
int made_text_save(struct made_text *made, const char *path, int rc, struct reseat_error *error);

#endif
