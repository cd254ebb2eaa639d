/* SPDX-License-Identifier: BSD-3-Clause */
/* one-run.c - see one-run.h. */
#include "cmd/run/one-run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/job/child.h"
#include "cmd/shell/complain.h"

off_t one_run_input(void)
{
    return lseek(STDIN_FILENO, 0, SEEK_CUR);
}

/* Give a run all of standard input. A pipe can be read only once, so no run gets it. */
static void one_run_give_input(off_t input)
{
    struct stat status;
    int is_pipe = input < 0 && fstat(STDIN_FILENO, &status) == 0 && !isatty(STDIN_FILENO);
    int null = is_pipe ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
    if (null >= 0)
        dup2(null, STDIN_FILENO);
    if (input >= 0)
        lseek(STDIN_FILENO, input, SEEK_SET);
}

static void one_run_start(void *context)
{
    const struct one_run *one = context;
    one_run_give_input(one->input);
    dup2(one->collectors[0].end, STDOUT_FILENO);
    dup2(one->collectors[1].end, STDERR_FILENO);
    _exit(job_run_start(one->run, one->with));
}

int one_run_time(struct one_run *one, double *seconds)
{
    double start = clock_now();
    int status = fork_and_wait(one_run_start, one);
    if (status == -1)
        return cli_fail(EXIT_TROUBLE, "%s", strerror(errno));
    *seconds = clock_now() - start;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void one_run_pass_on_errors(const struct one_run *one, const char *without)
{
    FILE *kept = one->collectors[1].kept;
    char *line = NULL;
    size_t room = 0;
    if (!kept)
        return;
    rewind(kept);
    while (getline(&line, &room, kept) >= 0)
        if (!strstr(line, without))
            fputs(line, stderr);
    free(line);
}
