/* SPDX-License-Identifier: BSD-3-Clause */
/* store.c - see store.h: folders, and what a program is. */
#include "cmd/auto/store.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "cmd/auto/store-jobs.h"
#include "text/lines.h"
#include "text/replace-file.h"

static const char store_head[] = "# reseat store 1";
enum { STORE_NAME = 40 }; /* letters of a program's name in that of its folder */

/* ---- folders ---- */

int store_find(char store[PATH_MAX], struct reseat_error *error)
{
    const char *given = getenv("RESEAT_STORE"), *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int size = 0;
    if (given && *given)
        size = snprintf(store, PATH_MAX, "%s", given);
    else if (state && *state == '/')
        size = snprintf(store, PATH_MAX, "%s/reseat", state);
    else if (home && *home == '/')
        size = snprintf(store, PATH_MAX, "%s/.local/state/reseat", home);
    else
        return reseat_fail(error, "neither RESEAT_STORE nor HOME names a folder");
    return size < PATH_MAX ? 0 : reseat_fail(error, "the name of the folder is too long");
}

/* Make a folder with those above it. 0, or -1 with errno. */
static int store_make_folder(const char *path)
{
    char part[PATH_MAX];
    for (size_t i = 1; path[i]; i++)
        if (path[i] == '/') {
            snprintf(part, sizeof part, "%.*s", (int)i, path);
            if (mkdir(part, 0777) && errno != EEXIST && access(part, F_OK))
                return -1;
        }
    return mkdir(path, 0700) && errno != EEXIST ? -1 : 0;
}

/* NAME-RANKS-HASH. 0, or -1: the path is too long. */
static int store_name_folder(char folder[PATH_MAX], const char *store,
                             const struct program_key *key)
{
    char name[STORE_NAME + 1], whole[STORE_NAME + 64];
    snprintf(name, sizeof name, "%s", job_base_name(key->path));
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("._+-", *at))
            *at = '_';
    snprintf(whole, sizeof whole, "%s-%d-%016" PRIx64, name[0] == '.' ? "program" : name,
             key->ranks, key->hash);
    return store_path(folder, store, whole);
}

/* Returns 1 if a folder may be one of ours. */
static int store_is_ours(const char *name)
{
    const char *dash = strrchr(name, '-');
    return name[0] != '.' && dash && strlen(dash) == 17 &&
           strspn(dash + 1, "0123456789abcdef") == 16;
}

const char *store_profile(const struct stored_program *program, char path[PATH_MAX])
{
    if (store_path(path, program->folder, "reseat.profile"))
        path[0] = '\0';
    return path;
}

/* ---- what a program is ---- */

/* Returns the value if the line has this key, else NULL. */
static const char *store_value(const char *line, const char *key)
{
    size_t length = strlen(key);
    return strncmp(line, key, length) == 0 && strncmp(line + length, ": ", 2) == 0
               ? line + length + 2
               : NULL;
}

/* 0, or -1 with *error: it is not there, or not ours. */
static int store_read_about(struct stored_program *program, struct reseat_error *error)
{
    char path[PATH_MAX];
    const char *value;
    struct lines lines;
    if (store_path(path, program->folder, "about"))
        return reseat_fail(error, "the name of the folder is too long");
    if (lines_check_file(path, error) || lines_open(&lines, path, error))
        return -1;
    int rc = lines_next(&lines) == 1 && strcmp(lines.line, store_head) == 0 ? 1 : -1;
    if (rc < 0)
        reseat_fail(error, "%s: is not of a store", path);
    while (rc > 0 && (rc = lines_next(&lines)) > 0)
        if ((value = store_value(lines.line, "program")))
            snprintf(program->path, sizeof program->path, "%s", value);
        else if ((value = store_value(lines.line, "arguments")) && !program->arguments)
            program->arguments = strdup(value);
        else if ((value = store_value(lines.line, "ranks")))
            program->ranks = atoi(value);
        else if ((value = store_value(lines.line, "mpi")))
            snprintf(program->mpi, sizeof program->mpi, "%s", value);
        else if ((value = store_value(lines.line, "file")))
            snprintf(program->build, sizeof program->build, "%s", value);
    lines_close(&lines);
    return rc;
}

/* 0, or -1 with errno. */
static int store_write_about(const struct stored_program *program)
{
    char path[PATH_MAX];
    struct replaced_file file;
    if (store_path(path, program->folder, "about") || replace_file_begin(&file, path))
        return -1;
    fprintf(file.file, "%s\nprogram: %s\n", store_head, program->path);
    if (program->arguments)
        fprintf(file.file, "arguments: %s\n", program->arguments);
    fprintf(file.file, "ranks: %d\nmpi: %s\nfile: %s\n", program->ranks, program->mpi,
            program->build);
    return replace_file_finish(&file);
}

/* Make the text a line. */
static char *store_one_line(char *text)
{
    for (char *at = text; at && *at; at++)
        if (iscntrl((unsigned char)*at))
            *at = '?';
    return text;
}

/* Describe the program of a key; without `keeps_arguments` only a hash of them. 0, or -1: out of
 * memory. */
static int store_describe(struct stored_program *program, const struct program_key *key,
                          int keeps_arguments)
{
    snprintf(program->path, sizeof program->path, "%s", key->path);
    store_one_line(program->path);
    snprintf(program->build, sizeof program->build, "%s", key->build);
    snprintf(program->mpi, sizeof program->mpi, "%s", key->mpi);
    program->ranks = key->ranks;
    if (key->arguments && keeps_arguments)
        program->arguments = store_one_line(strdup(key->arguments));
    else if (key->arguments &&
             asprintf(&program->arguments, "(not kept; hash %016" PRIx64 ")", key->hash) < 0)
        program->arguments = NULL;
    return key->arguments && !program->arguments ? -1 : 0;
}

/* Returns 1 if there is nothing to be written. */
static int store_is_described(const struct stored_program *program)
{
    struct stored_program was = {.folder = ""};
    struct reseat_error error;
    memcpy(was.folder, program->folder, sizeof was.folder);
    int same = store_read_about(&was, &error) == 0 && strcmp(was.path, program->path) == 0 &&
               !was.arguments == !program->arguments &&
               (!was.arguments || strcmp(was.arguments, program->arguments) == 0);
    stored_program_free(&was);
    return same;
}

int store_open_program(struct stored_program *program, const char *store,
                       const struct program_key *key, int keeps_arguments,
                       struct reseat_error *error)
{
    *program = (struct stored_program){.folder = ""};
    if (store_name_folder(program->folder, store, key))
        return reseat_fail(error, "the name of the folder is too long");
    if (store_make_folder(store) || store_make_folder(program->folder))
        return reseat_fail(error, "%s: %s", program->folder, strerror(errno));
    if (store_describe(program, key, keeps_arguments))
        return reseat_fail(error, "out of memory");
    if (!store_is_described(program) && store_write_about(program))
        return reseat_fail(error, "%s: %s", program->folder, strerror(errno));
    return store_read_jobs(program, error);
}

void stored_program_free(struct stored_program *program)
{
    free(program->arguments);
    free(program->job);
    program->arguments = NULL;
    program->job = NULL;
}

/* ---- all programs ---- */

/* Find the time of its last change, and its size. */
static void store_measure(struct stored_program *program)
{
    char path[PATH_MAX];
    struct stat status;
    const struct dirent *entry;
    DIR *names = opendir(program->folder);
    while (names && (entry = readdir(names)))
        if (store_path(path, program->folder, entry->d_name) == 0 && lstat(path, &status) == 0 &&
            S_ISREG(status.st_mode)) {
            program->bytes += (double)status.st_size;
            if (status.st_mtime > program->latest)
                program->latest = status.st_mtime;
        }
    if (names)
        closedir(names);
}

static int store_compare_latest(const void *a, const void *b)
{
    const struct stored_program *p = a, *q = b;
    if (p->latest != q->latest)
        return p->latest < q->latest ? 1 : -1;
    return strcmp(p->folder, q->folder);
}

/* Add a folder of the store to a list, if it is a program's. 0, or -1: out of memory. */
static int store_list_folder(struct stored_program **list, size_t *count, const char *store,
                             const char *name)
{
    struct reseat_error ignored;
    struct stored_program program = {.folder = ""};
    int rc = 0;
    if (!store_is_ours(name))
        return 0;
    if (store_path(program.folder, store, name) == 0 && store_read_about(&program, &ignored) == 0) {
        store_measure(&program);
        rc = array_add(list, count, &program, sizeof program);
        if (rc == 0)
            return 0;
    }
    stored_program_free(&program);
    return rc;
}

int store_list(struct stored_program **list, size_t *count, const char *store,
               struct reseat_error *error)
{
    const struct dirent *entry;
    int rc = 0;
    *list = NULL;
    *count = 0;
    DIR *names = opendir(store);
    if (!names)
        return errno == ENOENT ? 0 : reseat_fail(error, "%s: %s", store, strerror(errno));
    while (!rc && (entry = readdir(names)))
        if (store_list_folder(list, count, store, entry->d_name))
            rc = reseat_fail(error, "out of memory");
    closedir(names);
    if (*count)
        qsort(*list, *count, sizeof **list, store_compare_latest);
    return rc;
}

void store_limit(const char *store, const char *keep)
{
    struct stored_program *list;
    struct reseat_error ignored;
    size_t count;
    double bytes = 0;
    const time_t oldest = time(NULL) - (time_t)STORE_MOST_DAYS * 86400;
    if (store_list(&list, &count, store, &ignored))
        count = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].folder, keep) == 0)
            continue; /* it stays, and pushes out no other */
        bytes += list[i].bytes;
        if ((bytes > STORE_MOST_BYTES || list[i].latest < oldest) &&
            store_forget(&list[i], &ignored) == 0)
            bytes -= list[i].bytes;
    }
    for (size_t i = 0; i < count; i++)
        stored_program_free(&list[i]);
    free(list);
}

/* Returns 1 if a file is one that auto makes. */
static int store_is_file(const char *name)
{
    static const char *const begins[] = {"about", "reseat.profile", "jobs",        "lock",
                                         "job-",  "left-",          ".reseat-mark"};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return 1;
    return 0;
}

int store_forget(const struct stored_program *program, struct reseat_error *error)
{
    char path[PATH_MAX];
    const struct dirent *entry;
    DIR *names = opendir(program->folder);
    while (names && (entry = readdir(names)))
        if (store_is_file(entry->d_name) && store_path(path, program->folder, entry->d_name) == 0)
            unlink(path);
    if (names)
        closedir(names);
    return rmdir(program->folder) && errno != ENOENT
               ? reseat_fail(error, "%s: %s", program->folder, strerror(errno))
               : 0;
}
