/* SPDX-License-Identifier: BSD-3-Clause */
/* picture-file.c - see picture-file.h. */
#include "cmd/picture-file.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"

/* cairo may or may not be installed: only a module needs it, which is loaded on demand and stays loaded.
 * NULL with *error: not available. */
static picture_write_png_fn *picture_load_cairo(struct reseat_error *error)
{
    char path[LIBRARY_PATH_SIZE], where[LIBRARY_WHERE_SIZE];
    picture_write_png_fn *write;
    if (locate_module("reseat-cairo.so", path, where)) {
        reseat_fail(error, "--png needs cairo (--svg does not), and reseat-cairo.so %.300s", where);
        return NULL;
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = module ? dlsym(module, "picture_write_png") : NULL;
    if (!found) {
        reseat_fail(error, "--png needs cairo (--svg does not): %.300s", dlerror());
        return NULL;
    }
    memcpy(&write, &found, sizeof write);
    return write;
}

int picture_as_svg(FILE *file, const struct picture *picture, struct reseat_error *error)
{
    if (picture->is_short)
        return reseat_fail(error, "out of memory");
    picture_write_svg(file, picture);
    return 0;
}

int picture_as_png(FILE *file, const struct picture *picture, struct reseat_error *error)
{
    if (picture->is_short)
        return reseat_fail(error, "out of memory");
    picture_write_png_fn *write = picture_load_cairo(error);
    if (!write)
        return -1;
    return write(file, picture) ? reseat_fail(error, "cairo cannot make the picture") : 0;
}

int save_picture(const char *path, picture_form_fn *form, const struct picture *picture,
                 const char *command)
{
    struct reseat_error error;
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return complain(EXIT_TROUBLE, command, "out of memory");
    int rc = form(memory, picture, &error);
    if (fclose(memory) && rc == 0)
        rc = reseat_fail(&error, "out of memory");
    int status = rc ? complain(EXIT_TROUBLE, command, "%s", error.text)
                    : save_text(path, text, size, command);
    free(text);
    return status;
}
