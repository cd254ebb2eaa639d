/* SPDX-License-Identifier: BSD-3-Clause */
/* child.c - see child.h. */
#include "cmd/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd.h"

static volatile pid_t child;
static volatile sig_atomic_t ended_by; /* a signal that asked us to end */

/* The terminal gives a signal to the whole job itself: pass on only what a process sent us. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (number != SIGUSR1 && number != SIGUSR2)
        ended_by = number;
    if (child > 0 && info->si_code <= 0)
        kill(child, number);
}

/* What the job reads and writes: our own (NULL), or nothing and a file. */
static void redirect(FILE *answer)
{
    int null = answer ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
    if (null >= 0)
        dup2(null, STDIN_FILENO);
    if (answer) {
        dup2(fileno(answer), STDOUT_FILENO);
        dup2(fileno(answer), STDERR_FILENO);
    }
}

struct start {
    const char *command;
    char **argv;
    FILE *answer;
};

static void start(void *context)
{
    const struct start *s = context;
    redirect(s->answer);
    execvp(s->argv[0], s->argv);
    int why = errno;
    complain(0, s->command, "%s: %s", s->argv[0], strerror(why));
    _exit(why == ENOENT ? 127 : 126);
}

/* Signals go to the job from now on, but for those that are ignored: so they are by the job. */
static void catch_signals(void)
{
    static const int passed[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGINT, SIGQUIT};
    struct sigaction before,
        action = {.sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO};
    for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++)
        if (sigaction(passed[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(passed[i], &action, NULL);
}

int fork_and_wait(void (*body)(void *context), void *context, int *status)
{
    sigset_t all, before;
    fflush(stdout);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    if (ended_by) { /* since the probe: the job shall not begin */
        *status = ended_by;
        sigprocmask(SIG_SETMASK, &before, NULL);
        return 0;
    }
    child = fork();
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        body(context);
        _exit(EXIT_TROUBLE);
    }
    catch_signals();
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (child < 0)
        return -1;
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            return -1;
    child = 0;
    return 0;
}

int run_and_wait(const char *command, char **argv, FILE *answer, int *status)
{
    struct start how = {command, argv, answer};
    return fork_and_wait(start, &how, status);
}

static void die_of(int number)
{
    const struct rlimit no_core = {0, 0}; /* the job's own core is the one to keep */
    setrlimit(RLIMIT_CORE, &no_core);
    signal(number, SIG_DFL);
    raise(number);
}

int end_as(const char *command, int status)
{
    if (status == -1)
        return complain(EXIT_TROUBLE, command, "%s", strerror(errno));
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

int run_plainly(const char *name, char **command)
{
    int status;
    return run_and_wait(name, command, NULL, &status) ? -1 : status;
}
