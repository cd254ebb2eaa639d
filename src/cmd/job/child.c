/* SPDX-License-Identifier: BSD-3-Clause */
/* child.c - see child.h. */
#include "cmd/job/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/job/sentinel.h"
#include "cmd/shell/complain.h"

enum { GRACE_SECONDS = 3 }; /* from asking a process group to end to killing it */

static volatile pid_t child;
static volatile pid_t sentinel;           /* in our process group, which is the child's as well */
static volatile sig_atomic_t leads_group; /* the child leads a process group of its own */
static volatile sig_atomic_t ended_by;    /* the signal that asked us to end */
static volatile sig_atomic_t times_late;  /* how often the child has been asked to end */

/* A job in our process group gets signals that the terminal or a process sends to the group by
 * itself; all others are passed on. A job in a group of its own gets everything from us. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    int before = errno;
    (void)context;
    if (number != SIGUSR1 && number != SIGUSR2)
        ended_by = number;
    int has_it = child > 0 && getpgid(child) == getpgrp() &&
                 (info->si_code > 0 || sentinel_has(sentinel, number));
    if (child > 0 && !has_it)
        kill(leads_group ? -child : child, number);
    errno = before;
}

/* A launcher that is asked to end can first end what it has started on other hosts. */
static void end_late(int number)
{
    (void)number;
    int before = errno;
    if (child > 0)
        kill(-child, times_late++ ? SIGKILL : SIGTERM);
    alarm(GRACE_SECONDS);
    errno = before;
}

/* Kill what is left of the group of a command that was late. */
static void end_group(pid_t group)
{
    const struct timespec moment = {0, 20000000};
    for (int i = 0; i < 50 * GRACE_SECONDS && kill(-group, 0) == 0; i++)
        nanosleep(&moment, NULL);
    kill(-group, SIGKILL);
}

FILE *open_answer(void)
{
    int fd = memfd_create("reseat", MFD_CLOEXEC);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");
    if (!file && fd >= 0)
        close(fd);
    return file;
}

/* The job gets no input, writes to a file, and leaves our process group. */
static void child_redirect(const struct answer *answer)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null >= 0)
        dup2(null, STDIN_FILENO);
    dup2(fileno(answer->file), STDOUT_FILENO);
    dup2(fileno(answer->file), STDERR_FILENO);
    setpgid(0, 0);
}

static struct sigaction file_limit = {.sa_handler = SIG_DFL}; /* for SIGXFSZ, in commands */

void outlive_file_limit(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, &file_limit);
}

int become_command(char **argv)
{
    sigaction(SIGXFSZ, &file_limit, NULL);
    execvp(argv[0], argv);
    int why = errno;
    return cli_fail(why == ENOENT ? EXIT_NOT_FOUND : 126, "%s: %s", argv[0],
                    why == ENOENT && !strchr(argv[0], '/') ? "command not found" : strerror(why));
}

struct child_start {
    char **argv;
    struct answer *answer;
};

static void child_start(void *context)
{
    const struct child_start *s = context;
    if (s->answer)
        child_redirect(s->answer);
    _exit(become_command(s->argv));
}

/* The status from waitpid, or -1 with errno. */
static int wait_for_child(void)
{
    int status;
    if (child < 0)
        return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    pid_t group = child;
    child = 0;
    if (leads_group && (times_late || ended_by))
        end_group(group);
    return status;
}

static const int passed_on[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGINT, SIGQUIT};

void catch_signals(void)
{
    struct sigaction before,
        action = {.sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO};
    for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++)
        if (sigaction(passed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(passed_on[i], &action, NULL);
}

void release_signals(void)
{
    struct sigaction before;
    for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++)
        if (sigaction(passed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            signal(passed_on[i], SIG_DFL);
}

int fork_and_wait(void (*body)(void *context), void *context)
{
    sigset_t all, before;
    fflush(stdout);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    if (ended_by) { /* since the probe: do not start the job */
        sigprocmask(SIG_SETMASK, &before, NULL);
        return ended_by;
    }
    child = fork();
    if (child > 0 && leads_group)
        setpgid(child, child); /* both do this, so that signals find the group from the beginning */
    if (child == 0) {
        release_signals(); /* one that comes before the job has started ends it */
        sigprocmask(SIG_SETMASK, &before, NULL);
        body(context);
        _exit(EXIT_TROUBLE);
    }
    sentinel = child < 0 || leads_group ? -1 : sentinel_start();
    catch_signals();
    sigprocmask(SIG_SETMASK, &before, NULL);
    int status = wait_for_child();
    sentinel_end(sentinel);
    sentinel = -1;
    return status;
}

int run_and_wait(char **argv, struct answer *answer)
{
    struct child_start how = {argv, answer};
    struct sigaction before, action = {.sa_handler = end_late, .sa_flags = SA_RESTART};
    if (!answer)
        return fork_and_wait(child_start, &how);
    leads_group = 1;
    times_late = 0;
    sigaction(SIGALRM, &action, &before);
    alarm((unsigned)answer->seconds);
    int status = fork_and_wait(child_start, &how);
    alarm(0);
    sigaction(SIGALRM, &before, NULL);
    leads_group = 0;
    answer->is_late = times_late > 0;
    return status;
}

static void die_of(int number)
{
    const struct rlimit no_core = {0, 0}; /* the job's own core is the one to keep */
    setrlimit(RLIMIT_CORE, &no_core);
    signal(number, SIG_DFL);
    raise(number);
}

int end_as(int status)
{
    if (status == -1)
        return cli_fail(EXIT_TROUBLE, "%s", strerror(errno));
    if (WIFSIGNALED(status))
        die_of(WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_TROUBLE;
}

int is_asked_to_end(void)
{
    return ended_by != 0;
}

void end_if_asked(void)
{
    if (ended_by)
        die_of(ended_by);
}
