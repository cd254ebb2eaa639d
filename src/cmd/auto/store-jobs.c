/* SPDX-License-Identifier: BSD-3-Clause */
/* store-jobs.c - see store.h: the file `jobs`, a line for each job. */
#include "cmd/auto/store-jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "text/lines.h"
#include "text/replace-file.h"

enum { STORE_LOCK_TRIES = 40, STORE_LOCK_NANOSECONDS = 50000000 };

int store_path(char path[PATH_MAX], const char *folder, const char *name)
{
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX ? 0 : -1;
}

/* ---- reading ---- */

/* Add the job of a line, if it is one. 0, or -1: out of memory. */
static int store_read_line(struct stored_program *program, const char *line)
{
    struct past_job job;
    return history_read_line(&job, line)
               ? array_add(&program->job, &program->jobs, &job, sizeof job)
               : 0;
}

int store_read_jobs(struct stored_program *program, struct reseat_error *error)
{
    char path[PATH_MAX], *line = NULL;
    size_t room = 0;
    ssize_t length;
    int rc = 0;
    program->jobs = 0;
    if (store_path(path, program->folder, "jobs"))
        return reseat_fail(error, "the name of the folder is too long");
    if (lines_check_file(path, error))
        return -1;
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT ? 0 : reseat_fail(error, "%s: %s", path, strerror(errno));
    while (!rc && (length = getline(&line, &room, file)) > 0)
        if (line[length - 1] == '\n') { /* else it is torn */
            line[length - 1] = '\0';
            if (store_read_line(program, line))
                rc = reseat_fail(error, "out of memory");
        }
    if (!rc && ferror(file))
        rc = reseat_fail(error, "%s: %s", path, strerror(errno));
    free(line);
    fclose(file);
    return rc;
}

/* ---- writing ---- */

/* Lock the folder, also against other hosts where the file system can: then what they have written
 * is seen, too. The lock goes with the process. Returns a descriptor to be closed, which holds it;
 * -1: there is no lock, because the file system has none, the file cannot be opened, or somebody
 * has held it for seconds. The caller goes on without one. */
static int store_lock(const char *folder)
{
    char path[PATH_MAX];
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const struct timespec pause = {0, STORE_LOCK_NANOSECONDS};
    int fd = store_path(path, folder, "lock")
                 ? -1
                 : open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    for (int i = 0; fd >= 0 && fcntl(fd, F_SETLK, &lock); i++) {
        if ((errno != EAGAIN && errno != EACCES) || i == STORE_LOCK_TRIES) {
            close(fd);
            return -1;
        }
        nanosleep(&pause, NULL);
    }
    return fd;
}

/* Write a line to the end of a file that may end in the middle of one. 0, or -1 with errno: the
 * file is as it was. */
static int store_append(int fd, const char *line, size_t length)
{
    char text[HISTORY_LINE_SIZE + 1] = "\n", last = '\n';
    struct stat status;
    if (fstat(fd, &status))
        return -1;
    if (status.st_size > 0 && pread(fd, &last, 1, status.st_size - 1) != 1)
        return -1;
    size_t before = last != '\n';
    memcpy(text + before, line, length);
    errno = ENOSPC;
    ssize_t written = write(fd, text, before + length);
    if (written == (ssize_t)(before + length) && fsync(fd) == 0)
        return 0;
    int why = errno;
    if (ftruncate(fd, status.st_size))
        why = errno;
    errno = why;
    return -1;
}

/* Keep the latest half of the lines, where there are too many. What fails is left for the next
 * time. */
static void store_shorten(const char *path)
{
    struct replaced_file file;
    struct stat status;
    int c = 0;
    if (stat(path, &status) || status.st_size <= STORE_MOST_LINES)
        return;
    FILE *from = fopen(path, "re");
    if (!from || fseek(from, (long)status.st_size / 2, SEEK_SET) ||
        replace_file_begin(&file, path)) {
        if (from)
            fclose(from);
        return;
    }
    while ((c = getc(from)) != EOF && c != '\n')
        ;
    while ((c = getc(from)) != EOF)
        putc(c, file.file);
    if (ferror(from))
        replace_file_give_up(&file);
    else
        replace_file_finish(&file);
    fclose(from);
}

int store_add_job(const struct stored_program *program, const struct past_job *job,
                  struct reseat_error *error)
{
    char path[PATH_MAX], line[HISTORY_LINE_SIZE];
    size_t length = history_write_line(line, job);
    if (store_path(path, program->folder, "jobs"))
        return reseat_fail(error, "the name of the folder is too long");
    int lock = store_lock(program->folder);
    store_shorten(path);
    int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    int rc = fd < 0 || store_append(fd, line, length)
                 ? reseat_fail(error, "%s: %s", path, strerror(errno))
                 : 0;
    if (fd >= 0)
        close(fd);
    if (lock >= 0)
        close(lock);
    return rc;
}
