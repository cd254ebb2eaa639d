/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * temporary.c - see temporary.h. A name has who works on the file, and a random number:
 *
 *   app.reseat-5f0c2a91-4711-c03be814.tmp       PLACE-PROCESS-RANDOM
 *
 * The place stands for one start of one kernel and one set of process numbers in it (namespace). So
 * where it is that of this process, the process with that number does not exist only if the file is
 * left over. From anywhere else nobody can tell, and a file has to be a month old. There are no
 * locks, because a file system of a network may let those who ask for one wait for ever.
 */
#include "text/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"

enum { TEMPORARY_LENGTH = 30 }; /* of what is put between stem and ending, at most */
enum { TEMPORARY_TRIES = 100, TEMPORARY_MOST_NAMES = 100000, TEMPORARY_OLD = 30 * 24 * 3600 };

#define TEMPORARY_FORM "-%08" PRIx32 "-%ld-%08" PRIx32

/* 0: not known. */
static uint32_t temporary_place(void)
{
    char text[64];
    struct stat processes;
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, sizeof text);
    if (file >= 0)
        close(file);
    if (length < 32 || stat("/proc/self/ns/pid", &processes))
        return 0;
    uint64_t hash = reseat_hash_add(reseat_hash_empty, text, (size_t)length);
    hash = reseat_hash_add(hash, &processes.st_ino, sizeof processes.st_ino);
    return (uint32_t)(hash ^ hash >> 32);
}

static uint32_t temporary_random(void)
{
    uint32_t number;
    struct timespec now;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number)
        return number;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint32_t)now.tv_nsec ^ (uint32_t)now.tv_sec << 20;
}

/* Returns 1 if a file of ours is left over: of `process` in `place`, found when a new one got the
 * time `now`. */
static int temporary_is_left(const struct stat *file, uint32_t place, long process, time_t now)
{
    if (!S_ISREG(file->st_mode) || file->st_uid != geteuid())
        return 0;
    if (place && place == temporary_place())
        return process > 0 && kill((pid_t)process, 0) && errno == ESRCH;
    return now - file->st_mtime > TEMPORARY_OLD;
}

/* Returns 1 if `name` is one of `stem` and `ending`: made by *process in *place. */
static int temporary_read_name(const char *name, const char *stem, const char *ending,
                               uint32_t *place, long *process)
{
    char made[TEMPORARY_LENGTH + 1];
    uint32_t number;
    size_t length = strlen(name), around = strlen(stem) + strlen(ending);
    if (length <= around || length - around > TEMPORARY_LENGTH ||
        strncmp(name, stem, strlen(stem)) != 0 ||
        strcmp(name + length - strlen(ending), ending) != 0)
        return 0;
    const char *middle = name + strlen(stem);
    if (sscanf(middle, "-%8" SCNx32 "-%ld-%8" SCNx32, place, process, &number) != 3)
        return 0;
    snprintf(made, sizeof made, TEMPORARY_FORM, *place, *process, number);
    return strncmp(middle, made, length - around) == 0 && made[length - around] == '\0';
}

static void temporary_clear(const char *stem, const char *ending, int created)
{
    const char *slash = strrchr(stem, '/');
    char folder[4096];
    struct stat file;
    uint32_t place;
    long process;
    if (snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - stem) + 1 : 2,
                 slash ? stem : "./") >= (int)sizeof folder ||
        fstat(created, &file))
        return;
    time_t now = file.st_mtime; /* by the clock of the file system */
    DIR *names = opendir(folder);
    const struct dirent *entry;
    for (int i = 0; names && i < TEMPORARY_MOST_NAMES && (entry = readdir(names)); i++)
        if (temporary_read_name(entry->d_name, slash ? slash + 1 : stem, ending, &place,
                                &process) &&
            fstatat(dirfd(names), entry->d_name, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
            temporary_is_left(&file, place, process, now))
            unlinkat(dirfd(names), entry->d_name, 0);
    if (names)
        closedir(names);
}

int temporary_create(char **name, const char *stem, const char *ending, mode_t mode)
{
    size_t size = strlen(stem) + TEMPORARY_LENGTH + strlen(ending) + 1;
    char *path = malloc(size);
    int file = -1;
    errno = path ? EEXIST : ENOMEM;
    for (int i = 0; path && file < 0 && errno == EEXIST && i < TEMPORARY_TRIES; i++) {
        snprintf(path, size, "%s" TEMPORARY_FORM "%s", stem, temporary_place(), (long)getpid(),
                 temporary_random(), ending);
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    if (file < 0) {
        int why = errno;
        free(path);
        errno = why;
        return -1;
    }
    temporary_clear(stem, ending, file);
    *name = path;
    return file;
}
