/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collector.c - see collector.h. A child process reads what the job writes, so that a job can print
 * more than there is room for. It ends when the last writer has closed its end.
 */
#include "cmd/run/collector.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/job/child.h"

enum { COLLECTOR_BLOCK = 1 << 16 };

/* Write all of it. 0, or -1: not all could be written. */
static int write_all(int to, const char *text, size_t size)
{
    while (size) {
        ssize_t written = write(to, text, size);
        if (written < 0 && errno != EINTR)
            return -1;
        text += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return 0;
}

/* Pass on the complete lines in `block`, or all of it if it is full. Returns the number of
 * bytes. */
static size_t pass_lines(const char *block, size_t used, int live, const char *without)
{
    size_t done = 0;
    const char *end;
    while (done < used && (end = memchr(block + done, '\n', used - done))) {
        size_t length = (size_t)(end + 1 - (block + done));
        if (!memmem(block + done, length, without, strlen(without)))
            write_all(live, block + done, length);
        done += length;
    }
    if (done == 0 && used == COLLECTOR_BLOCK) {
        write_all(live, block, used);
        done = used;
    }
    return done;
}

/* Read until the end. Returns whether some of what should have been kept was lost. */
static int collector_run(int from, int kept, int live, const char *without)
{
    static char block[COLLECTOR_BLOCK];
    size_t used = 0, total = 0;
    int is_torn = 0;
    for (;;) {
        ssize_t got = read(from, block + used, sizeof block - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        if (total < COLLECTOR_MOST && write_all(kept, block + used, (size_t)got))
            is_torn = 1;
        total += (size_t)got;
        used = live < 0 ? 0 : used + (size_t)got;
        size_t done = live < 0 ? 0 : pass_lines(block, used, live, without);
        memmove(block, block + done, used - done);
        used -= done;
    }
    if (used && !memmem(block, used, without, strlen(without)))
        write_all(live, block, used);
    return is_torn;
}

/* Ignores signals, which are for the job: what the job prints when it ends of one is still
 * collected. */
static void start_collecting(int from, int kept, int live, const char *without)
{
    static const int not_ours[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof not_ours / sizeof not_ours[0]; i++)
        signal(not_ours[i], SIG_IGN);
    for (int other = 3; other < 256; other++) /* ends of other pipes must not stay open here */
        if (other != from && other != kept && other != live)
            close(other);
    _exit(collector_run(from, kept, live, without));
}

int collector_open(struct collector *collector, int live, const char *without)
{
    int ends[2];
    *collector = (struct collector){.process = -1, .end = -1};
    collector->kept = open_answer();
    if (!collector->kept || pipe2(ends, O_CLOEXEC))
        return -1;
    collector->end = ends[1];
    collector->process = fork();
    if (collector->process == 0) {
        close(ends[1]);
        start_collecting(ends[0], fileno(collector->kept), live, without);
    }
    close(ends[0]);
    return collector->process < 0 ? -1 : 0;
}

void collector_close(struct collector *collector)
{
    const struct timespec moment = {0, 5000000};
    int status = 0;
    if (collector->end >= 0)
        close(collector->end);
    collector->end = -1;
    for (int i = 0; collector->process > 0; i++) {
        pid_t ended = waitpid(collector->process, &status, WNOHANG);
        if (ended != 0 && !(ended < 0 && errno == EINTR))
            collector->process = -1;
        else if (i == 400)
            kill(collector->process, SIGKILL);
        else
            nanosleep(&moment, NULL);
    }
    collector->is_torn |= WIFEXITED(status) && WEXITSTATUS(status);
}

void collector_free(struct collector *collector)
{
    collector_close(collector);
    if (collector->kept)
        fclose(collector->kept);
    collector->kept = NULL;
}
