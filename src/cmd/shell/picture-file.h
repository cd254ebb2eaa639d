/* SPDX-License-Identifier: BSD-3-Clause */
/* picture-file.h - pictures as files: SVG, and PNG by a module that needs cairo. */
#ifndef RESEAT_PICTURE_FILE_H
#define RESEAT_PICTURE_FILE_H

#include <stdio.h>

#include "draw/picture.h"
#include "text/error.h"

/* Write a picture in a form; the caller checks `file` for write errors. 0, or -1 with *error:
 * memory ran out while it was drawn; for PNG, cairo is not there or cannot make it. */
typedef int picture_form_fn(FILE *file, const struct picture *picture, struct reseat_error *error);
int picture_as_svg(FILE *file, const struct picture *picture, struct reseat_error *error);
int picture_as_png(FILE *file, const struct picture *picture, struct reseat_error *error);

/* The same into a file, completely or not at all. 0, or -1 with *error. */
int save_picture(const char *path, picture_form_fn *form, const struct picture *picture,
                 struct reseat_error *error);

/* ---- several pictures, each by its name in the folders of a command ---- */

struct picture_folders {
    const char *svg, *png; /* NULL: that form is not requested */
    /* Files that the command reads or writes; NULL for one that it does not. */
    const char *const *other;
    size_t others;
};

/* Make the folders that are missing, and try whether pictures can be made as PNG, if any are
 * requested. Another file of the command that has the name of a picture in such a folder, whichever
 * pictures there will be, is refused. 0, or -1 with *error. */
int picture_folders_make(const struct picture_folders *folders, struct reseat_error *error);

/* Write a picture in the forms that are requested, as NAME.svg and NAME.png, and free it. Returns
 * as above. */
int picture_folders_save(const struct picture_folders *folders, const char *name,
                         struct picture *picture, struct reseat_error *error);

#endif
