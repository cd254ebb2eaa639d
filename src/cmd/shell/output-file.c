/* SPDX-License-Identifier: BSD-3-Clause */
/* output-file.c - see output-file.h. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/shell/complain.h"
#include "cmd/shell/output-file.h"
#include "text/replace-file.h"
#include "text/target.h"

int check_output_name(const char *output, const char *const *inputs, size_t count,
                      struct reseat_error *error)
{
    struct stat written, read;
    if (output && !*output)
        return cli_refuse(error, "the name of the output is empty");
    if (output && strlen(output) >= PATH_MAX)
        return cli_refuse(error, "the name of the output is too long");
    if (!output || stat(output, &written) || !S_ISREG(written.st_mode))
        return 0;
    for (size_t i = 0; i < count; i++)
        if (inputs[i] && stat(inputs[i], &read) == 0 && read.st_dev == written.st_dev &&
            read.st_ino == written.st_ino)
            return cli_refuse(error, "%s is read: another name is needed for the output",
                              inputs[i]);
    return 0;
}

/* The place of an output: a file that is there, or the folder where it will be and its name
 * there. */
struct output_place {
    struct stat status;
    char name[PATH_MAX]; /* empty: it is there */
};

/* 0, or -1: not even its folder is there. */
static int find_output(struct output_place *place, const char *path)
{
    place->name[0] = '\0';
    if (strcmp(path, "-") == 0)
        return fstat(STDOUT_FILENO, &place->status);
    if (stat(path, &place->status) == 0)
        return 0;
    char *target = target_follow(path), *slash = target ? strrchr(target, '/') : NULL;
    if (!target)
        return -1;
    snprintf(place->name, sizeof place->name, "%s", slash ? slash + 1 : target);
    if (slash)
        slash[1] = '\0';
    int rc = stat(slash ? target : ".", &place->status);
    free(target);
    return rc;
}

int check_output_folder(const char *output, struct reseat_error *error)
{
    char folder[PATH_MAX + 1] = ".";
    struct stat status;
    if (!output || strcmp(output, "-") == 0 ||
        (stat(output, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
        return 0;
    char *target = target_follow(output);
    const char *slash = target ? strrchr(target, '/') : NULL;
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - target) + 1, target);
    int rc = target ? access(folder, W_OK | X_OK) : -1;
    free(target);
    if (rc == 0 && stat(output, &status) == 0 && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        rc = -1;
    }
    return rc ? reseat_fail(error, "%s: %s", output, strerror(errno)) : 0;
}

int outputs_are_one(const char *a, const char *b)
{
    struct output_place p, q;
    if (strcmp(a, "-") == 0 && strcmp(b, "-") == 0)
        return 1;
    if (find_output(&p, a) || find_output(&q, b))
        return strcmp(a, b) == 0;
    return p.status.st_dev == q.status.st_dev && p.status.st_ino == q.status.st_ino &&
           strcmp(p.name, q.name) == 0 && (*p.name || S_ISREG(p.status.st_mode));
}

int check_outputs(const struct named_output *output, int count, const char *const *inputs,
                  size_t input_count, struct reseat_error *error)
{
    int status = 0;
    for (int i = 0; !status && i < count; i++) {
        status = check_output_name(output[i].path, inputs, input_count, error);
        if (!status)
            status = check_output_folder(output[i].path, error);
        for (int k = 0; !status && k < i; k++)
            if (output[i].path && output[k].path && outputs_are_one(output[i].path, output[k].path))
                status = cli_refuse(error, "--%s and --%s need different outputs", output[k].option,
                                    output[i].option);
    }
    return status;
}

/* Signals that end us wait, so that none leaves the new file beside the old one. 0, or -1 with
 * errno. */
static int output_replace_regular(const char *path, const char *text, size_t size)
{
    static const int number[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct replaced_file replaced;
    sigset_t signals, before;
    sigemptyset(&signals);
    for (int i = 0; i < 4; i++)
        sigaddset(&signals, number[i]);
    sigprocmask(SIG_BLOCK, &signals, &before);
    int rc = replace_file_begin(&replaced, path), why = errno;
    if (rc == 0 && fwrite(text, 1, size, replaced.file) != size) {
        rc = -1;
        why = errno;
        replace_file_give_up(&replaced);
    } else if (rc == 0) {
        rc = replace_file_finish(&replaced);
        why = errno;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return rc;
}

/* 0, or -1 with errno. */
static int output_replace(const char *path, const char *text, size_t size)
{
    struct stat status;
    if (stat(path, &status) || S_ISREG(status.st_mode))
        return output_replace_regular(path, text, size);
    FILE *file = fopen(path, "we");
    int rc = file && fwrite(text, 1, size, file) == size ? 0 : -1;
    return file && fclose(file) ? -1 : rc;
}

int save_text(const char *path, const char *text, size_t size, struct reseat_error *error)
{
    if (!path || strcmp(path, "-") == 0)
        return fwrite(text, 1, size, stdout) == size
                   ? 0
                   : reseat_fail(error, "standard output: %s", strerror(errno));
    return output_replace(path, text, size) ? reseat_fail(error, "%s: %s", path, strerror(errno))
                                            : 0;
}

int made_text_open(struct made_text *made, struct reseat_error *error)
{
    *made = (struct made_text){.file = NULL};
    made->file = open_memstream(&made->text, &made->size);
    return made->file ? 0 : reseat_fail(error, "out of memory");
}

int made_text_end(struct made_text *made, int rc, struct reseat_error *error)
{
    return fclose(made->file) && rc == 0 ? reseat_fail(error, "out of memory") : rc;
}

int made_text_save(struct made_text *made, const char *path, int rc, struct reseat_error *error)
{
    rc = made_text_end(made, rc, error);
    if (rc == 0)
        rc = save_text(path, made->text, made->size, error);
    free(made->text);
    return rc;
}

/* ---- forms ---- */

int output_ends(const char *path, const char *ending)
{
    size_t length = strlen(path), size = strlen(ending);
    return length > size && strcmp(path + length - size, ending) == 0;
}

int output_choose_form(const char **output, const char **html, const char **json, int has_pictures,
                       struct reseat_error *error)
{
    const struct {
        const char *ending, **path;
    } forms[] = {{".html", html}, {".json", json}};
    if (!*output ||
        (has_pictures && (output_ends(*output, ".svg") || output_ends(*output, ".png"))))
        return 0;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (!output_ends(*output, forms[i].ending))
            continue;
        if (*forms[i].path)
            return cli_refuse(error, "--output %s and --%s are the same form", *output,
                              forms[i].ending + 1);
        *forms[i].path = *output;
        *output = NULL;
        return 0;
    }
    return cli_refuse(error, "--output takes a file of .html%s, not '%s'",
                      has_pictures ? ", .json, .svg or .png" : " or .json", *output);
}
