/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c - see progress.h. A thread of its own draws the line, and takes no signals. The
 * handlers of those that usually end a process erase it first; where somebody else handles or
 * ignores a signal, that stays so. */
#include "cmd/shell/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/shell/terminal.h"

#define PROGRESS_DELAY 1.0  /* seconds before the line appears */
#define PROGRESS_REDRAW 0.2 /* between two times that it is drawn */
#define PROGRESS_PLAIN 10.0 /* between two lines that stay */
#define PROGRESS_ERASE "\r\033[K"

enum { PROGRESS_SIZE = 256, PROGRESS_LINE = PROGRESS_SIZE + 64 };

static struct {
    const char *command;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t over;
    pid_t owner; /* 0: nothing is shown */
    int is_over;
    char text[PROGRESS_SIZE];
    char drawn[PROGRESS_LINE];
    double begun, due; /* when the line is drawn next */
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* These are the handler's, too. */
static atomic_int progress_is_shown, progress_is_writing, progress_is_stopped;

/* ---- drawing ---- */

/* "12 s", "2 min 10 s", "1 h 5 min" */
static const char *progress_duration(double seconds, char text[32])
{
    long s = (long)seconds;
    if (s < 60)
        snprintf(text, 32, "%ld s", s);
    else if (s < 3600)
        snprintf(text, 32, "%ld min %ld s", s / 60, s % 60);
    else
        snprintf(text, 32, "%ld h %ld min", s / 3600, s / 60 % 60);
    return text;
}

static void progress_write(const char *text, size_t size)
{
    atomic_store(&progress_is_writing, 1);
    if (!atomic_load(&progress_is_stopped)) {
        ssize_t written = write(STDERR_FILENO, text, size);
        (void)written; /* a terminal that is gone needs no line */
    }
    atomic_store(&progress_is_writing, 0);
}

/* After Ctrl-Z and `bg' the line that we are in is the shell's. */
static void progress_erase(void)
{
    if (atomic_exchange(&progress_is_shown, 0) && terminal_is_foreground())
        progress_write(PROGRESS_ERASE, sizeof PROGRESS_ERASE - 1);
}

static void progress_draw(double now)
{
    char line[PROGRESS_LINE], text[32];
    int columns = terminal_width(STDERR_FILENO);
    if (columns < 2 || !terminal_is_foreground())
        return;
    int size = snprintf(line, sizeof line, "\r%s, %s", progress.text,
                        progress_duration(now - progress.begun, text));
    if (size >
        columns) /* of which the last one stays free: some terminals go on to the next line */
        size = columns;
    size += snprintf(line + size, sizeof line - (size_t)size, "\033[K");
    if (atomic_exchange(&progress_is_shown, 1) == 0 || strcmp(line, progress.drawn) != 0)
        progress_write(line, (size_t)size);
    strcpy(progress.drawn, line);
}

/* Until the line is due, or all is over. */
static void progress_wait(void)
{
    time_t seconds = (time_t)progress.due;
    const struct timespec until = {seconds, (long)(1e9 * (progress.due - (double)seconds))};
    pthread_cond_timedwait(&progress.over, &progress.lock, &until);
}

static void *progress_run(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&progress.lock);
    while (!progress.is_over) {
        double now = clock_now();
        if (now >= progress.due) {
            progress_draw(now);
            progress.due = now + PROGRESS_REDRAW;
        }
        progress_wait();
    }
    pthread_mutex_unlock(&progress.lock);
    return NULL;
}

/* ---- signals ---- */

static const int progress_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { PROGRESS_SIGNALS = sizeof progress_signals / sizeof *progress_signals };

void progress_interrupt(void)
{
    const struct timespec moment = {0, 1000000};
    if (progress.owner != getpid() || atomic_exchange(&progress_is_stopped, 1))
        return;
    for (int i = 0; i < 100 && atomic_load(&progress_is_writing); i++)
        nanosleep(&moment, NULL);
    if (atomic_load(
            &progress_is_writing)) /* a terminal that is stopped (Ctrl-S) would stop us, too */
        return;
    if (atomic_load(&progress_is_shown) && terminal_is_foreground()) {
        ssize_t written = write(STDERR_FILENO, PROGRESS_ERASE, sizeof PROGRESS_ERASE - 1);
        (void)written;
    }
}

static void progress_die(int number)
{
    progress_interrupt();
    signal(number, SIG_DFL);
    raise(number);
}

static void progress_replace_handlers(void (*from)(int), void (*to)(int))
{
    struct sigaction now;
    for (int i = 0; i < PROGRESS_SIGNALS; i++)
        if (sigaction(progress_signals[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
            now.sa_handler == from)
            signal(progress_signals[i], to);
}

/* ---- beginning and end ---- */

/* 0, or -1: there will be no line. */
static int progress_start(void)
{
    pthread_condattr_t attributes;
    sigset_t all, before;
    if (!terminal_is_redrawn())
        return -1;
    progress.begun = clock_now();
    progress.due = progress.begun + PROGRESS_DELAY;
    progress.is_over = 0;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&progress.over, &attributes);
    pthread_condattr_destroy(&attributes);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&progress.thread, NULL, progress_run, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        return -1;
    progress.owner = getpid();
    progress_replace_handlers(SIG_DFL, progress_die);
    return 0;
}

void progress_of(const char *command)
{
    progress.command = command;
}

void progress_say(const char *format, ...)
{
    va_list arguments;
    if (progress.owner && progress.owner != getpid())
        return;
    pthread_mutex_lock(&progress.lock);
    int size = snprintf(progress.text, sizeof progress.text, "reseat %s: ", progress.command);
    va_start(arguments, format);
    vsnprintf(progress.text + size, sizeof progress.text - (size_t)size, format, arguments);
    va_end(arguments);
    pthread_mutex_unlock(&progress.lock);
    if (!progress.owner)
        progress_start();
}

void progress_clear(void)
{
    if (progress.owner != getpid())
        return;
    pthread_mutex_lock(&progress.lock);
    progress_erase();
    progress.due = clock_now() + PROGRESS_DELAY;
    pthread_mutex_unlock(&progress.lock);
}

void progress_end(void)
{
    if (progress.owner != getpid())
        return;
    pthread_mutex_lock(&progress.lock);
    progress.is_over = 1;
    progress_erase();
    pthread_cond_signal(&progress.over);
    pthread_mutex_unlock(&progress.lock);
    pthread_join(progress.thread, NULL);
    pthread_cond_destroy(&progress.over);
    progress_replace_handlers(progress_die, SIG_DFL);
    progress.owner = 0;
}

/* ---- runs of a job ---- */

void progress_after_run(int done, int all, double seconds)
{
    static double last;
    char each[32], left[32];
    if (seconds - last < PROGRESS_PLAIN || done >= all || !isatty(STDERR_FILENO))
        return;
    last = seconds;
    fprintf(stderr, "reseat %s: %d of %d runs in %s, about %s left\n", progress.command, done, all,
            progress_duration(seconds, each),
            progress_duration(seconds / done * (all - done), left));
}
