/* SPDX-License-Identifier: BSD-3-Clause */
/* replace-file.h - a file is replaced completely or not at all: what is written goes to a new file
 * next to it, which takes its place at the end. */
#ifndef RESEAT_REPLACE_FILE_H
#define RESEAT_REPLACE_FILE_H

#include <stdio.h>

struct replaced_file {
    FILE *file;      /* to write to */
    char *target;    /* the file to which the name leads */
    char *temporary; /* next to the target */
};

/* Begin to replace the file that `path` leads to, or to create it. The new one has the permissions
 * of the old one. Returns 0, or -1 with errno; then there is nothing to finish or to give up. */
int replace_file_begin(struct replaced_file *replaced, const char *path);

/* Close the new file and put it in place. Returns 0, or -1 with errno: the old file is as it
 * was. */
int replace_file_finish(struct replaced_file *replaced);

/* Leave the old file as it was. */
void replace_file_give_up(struct replaced_file *replaced);

#endif
