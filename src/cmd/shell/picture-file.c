/* SPDX-License-Identifier: BSD-3-Clause */
/* picture-file.c - see picture-file.h. */
#include "cmd/shell/picture-file.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "text/target.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/library.h"
#include "cmd/shell/output-file.h"

/* cairo may or may not be installed: only a module needs it, which is loaded on demand and stays
 * loaded. NULL with *error: not available. */
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
                 struct reseat_error *error)
{
    struct made_text made;
    return made_text_open(&made, error)
               ? -1
               : made_text_save(&made, path, form(made.file, picture, error), error);
}

/* ---- folders ---- */

static int picture_make_folder(const char *folder, struct reseat_error *error)
{
    struct stat found;
    if (mkdir(folder, 0777) == 0 ||
        (errno == EEXIST && stat(folder, &found) == 0 && S_ISDIR(found.st_mode)))
        return 0;
    return reseat_fail(error, "%s: %s", folder,
                       errno == EEXIST ? "is not a folder" : strerror(errno));
}

/* Returns 1 if `name` in the folder is named as a picture, and writing it would write `path`. */
static int picture_replaces(const char *folder, const char *name, const char *suffix,
                            const char *path)
{
    size_t length = strlen(name), of_suffix = strlen(suffix);
    char *picture = NULL;
    if (length <= of_suffix || strcmp(name + length - of_suffix, suffix) != 0 ||
        asprintf(&picture, "%s/%s", folder, name) < 0)
        return 0;
    int is_one = outputs_are_one(picture, path);
    free(picture);
    return is_one;
}

/* Returns 1 if a file could be one of the pictures in `folder`, which is there: by its name, or
 * that of a link there. */
static int picture_is_in(const char *path, const char *folder, const char *suffix)
{
    char *target = target_follow(path), *slash = target ? strrchr(target, '/') : NULL;
    int is_in = target && picture_replaces(folder, slash ? slash + 1 : target, suffix, path);
    DIR *names = is_in ? NULL : opendir(folder);
    const struct dirent *entry;
    while (names && !is_in && (entry = readdir(names)))
        is_in = picture_replaces(folder, entry->d_name, suffix, path);
    if (names)
        closedir(names);
    free(target);
    return is_in;
}

/* 0, or -1 with *error. */
static int picture_check_others(const struct picture_folders *f, const char *folder,
                                const char *suffix, struct reseat_error *error)
{
    for (size_t i = 0; folder && i < f->others; i++)
        if (f->other[i] && picture_is_in(f->other[i], folder, suffix))
            return cli_refuse(error,
                              "%s is where pictures are written: another folder is needed for them",
                              f->other[i]);
    return 0;
}

/* Checks that pictures can be made as PNG here. */
static int picture_try_png(struct reseat_error *error)
{
    struct picture picture = {.width = 8, .height = 8};
    struct made_text made;
    if (made_text_open(&made, error))
        return -1;
    int rc = made_text_end(&made, picture_as_png(made.file, &picture, error), error);
    free(made.text);
    return rc;
}

int picture_folders_make(const struct picture_folders *folders, struct reseat_error *error)
{
    int rc = folders->svg ? picture_make_folder(folders->svg, error) : 0;
    if (!rc && folders->png)
        rc = picture_make_folder(folders->png, error);
    if (!rc)
        rc = picture_check_others(folders, folders->svg, ".svg", error);
    if (!rc)
        rc = picture_check_others(folders, folders->png, ".png", error);
    return !rc && folders->png ? picture_try_png(error) : rc;
}

int picture_folders_save(const struct picture_folders *folders, const char *name,
                         struct picture *picture, struct reseat_error *error)
{
    const char *const folder[] = {folders->svg, folders->png}, *const suffix[] = {"svg", "png"};
    int rc = 0;
    for (int i = 0; !rc && i < 2; i++) {
        char *path = NULL;
        if (!folder[i])
            continue;
        if (asprintf(&path, "%s/%s.%s", folder[i], name, suffix[i]) < 0)
            rc = reseat_fail(error, "out of memory");
        else
            rc = save_picture(path, i == 0 ? picture_as_svg : picture_as_png, picture, error);
        free(path);
    }
    picture_free(picture);
    return rc;
}
