/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sentinel.c - see sentinel.h. The kernel tells who has sent a signal, but not which other
 * processes got it. A launcher that gets the same signal twice, once from timeout(1) or a batch
 * system and once from us, may take the second for a demand to end at once: mpirun of Open MPI then
 * leaves its ranks behind.
 *
 * The sentinel blocks all signals, so those that it gets stay pending, as /proc shows. A signal
 * that was once sent to the group counts as sent to the group from then on.
 */
#include "cmd/job/sentinel.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SENTINEL_TRIES = 10, SENTINEL_PAUSE = 10000000 }; /* ns */

pid_t sentinel_start(void)
{
    pid_t parent = getpid(), process = fork();
    if (process)
        return process;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == parent) /* all signals are blocked: only SIGKILL ends this */
        pause();
    _exit(0);
}

/* The pending signals of a process, as bits; 0 also if its status cannot be read. */
static unsigned long long sentinel_pending(const char *status)
{
    static const char key[] = "ShdPnd:";
    char text[4096];
    int fd = open(status, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[size < 0 ? 0 : size] = '\0';
    const char *line = strstr(text, key);
    return line ? strtoull(line + sizeof key - 1, NULL, 16) : 0;
}

/* If a signal is sent to one process after the other, the sentinel may get it later than we do. */
int sentinel_has(pid_t sentinel, int number)
{
    const struct timespec pause_for = {0, SENTINEL_PAUSE};
    char status[64];
    if (sentinel < 0)
        return 0;
    snprintf(status, sizeof status, "/proc/%ld/status", (long)sentinel);
    for (int i = 0; i < SENTINEL_TRIES; i++) {
        if (sentinel_pending(status) >> (number - 1) & 1)
            return 1;
        nanosleep(&pause_for, NULL);
    }
    return 0;
}

void sentinel_end(pid_t sentinel)
{
    if (sentinel < 0)
        return;
    kill(sentinel, SIGKILL);
    while (waitpid(sentinel, NULL, 0) < 0 && errno == EINTR)
        ;
}
