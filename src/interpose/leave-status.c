/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leave-status.c - see leave-status.h. A name is changed in one step, on a network's file system as
 * well, and needs no room on a disk that is full:
 *
 *   left-1.profile      until the writer has ended
 *   left-1.profile.0    it has, with 0
 *   left-1.profile.7    or a process has ended with 7, before the writer or after it
 */
#include "interpose/leave-status.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static struct {
    char path[PATH_MAX]; /* "": there is none */
    pid_t process;       /* not one that it has forked */
    int is_writer;
} leaving;

void status_leave(const char *path, int is_writer)
{
    snprintf(leaving.path, sizeof leaving.path, "%s", path);
    leaving.process = getpid();
    leaving.is_writer = is_writer;
}

static void status_at_exit(int status, void *unused)
{
    char good[PATH_MAX + 16], path[PATH_MAX + 16];
    (void)unused;
    status &= 0xff; /* as whoever waits for the process sees it */
    if (!leaving.path[0] || leaving.process != getpid() || (!leaving.is_writer && !status))
        return;
    snprintf(path, sizeof path, "%s.%d", leaving.path, status);
    if (rename(leaving.path, path) == 0 || errno != ENOENT || !status)
        return;
    snprintf(good, sizeof good, "%s.0", leaving.path);
    rename(good, path);
}

/* Before all others, so that it runs after them: destructors of the program may still fail. */
static void status_prepare(void) __attribute__((constructor));
static void status_prepare(void)
{
    on_exit(status_at_exit, NULL);
}
