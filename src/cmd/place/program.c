/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c - see program.h. */
#include "cmd/place/program.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/job/child.h"
#include "cmd/job/delivery.h"
#include "cmd/job/job-start.h"
#include "cmd/place/probe.h"
#include "text/printable.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/library.h"

enum {
    PROGRAM_SHOWN = 8,     /* lines of a job that failed */
    PROGRAM_OWN_WORDS = 64 /* around the user's: probe_words, env, the program */
};

/* ---- the command line ---- */

/* Returns the end of the launcher's words: the user's program, if one is named. The first word of a
 * command line without a launcher that we know may be one all the same. */
static int program_launcher_end(const struct job *job, char **argv)
{
    int end = 0;
    if (job->program >= 0 && (job->launcher_at >= 0 || job->linked))
        return job->program;
    while (argv[end])
        end++;
    return end;
}

/* Only one program can be replaced, by one that all ranks run. 0, or -1 with *error. */
static int program_check_contexts(const struct program *program, char **argv,
                                  struct reseat_error *error)
{
    const struct job *job = &program->job;
    for (int i = job->options_at; argv[i]; i++)
        if (launcher_is_context(job->launcher, argv[i]))
            return cli_refuse(error, "not with several programs (`%s')", argv[i]);
    return 0;
}

/* It is linked with the MPI that we were built with. Another of its family that belongs to the
 * launcher, or to the user's program, goes in front of it (Intel MPI: the symbols are the same),
 * but behind what a `reseat run' around this command preloads by an option of the launcher. */
static void program_take_own_mpi(struct program *program, char **argv)
{
    const char *mpi = program->job.own_mpi, *theirs = getenv("LD_PRELOAD");
    const int end = program_launcher_end(&program->job, argv);
    for (int i = program->job.options_at; i + 2 < end; i++)
        if (argv[i][0] == '-' && delivery_sets_preload(argv + i))
            theirs = argv[i + 2];
    program->preload[0] = '\0';
    if (!mpi[0] || strpbrk(mpi, " :") || strcmp(program->job.mpi, "mpich") != 0)
        return;
    int length = snprintf(program->preload, sizeof program->preload, "LD_PRELOAD=%s%s%s",
                          theirs ? theirs : "", theirs ? ":" : "", mpi);
    if (length >= (int)sizeof program->preload)
        program->preload[0] = '\0';
}

static int program_make_words(struct program *program, char **argv, char *const *arguments)
{
    struct job job = program->job;
    int end = program_launcher_end(&job, argv), extra = 0;
    while (arguments[extra])
        extra++;
    job.program = end;
    if (job.wrapper < 0)
        job.wrapper = end;
    char **words = calloc((size_t)(end + extra + PROGRAM_OWN_WORDS), sizeof *words);
    if (!words)
        return -1;
    int n = probe_words(&job, argv, words, end + PROGRAM_OWN_WORDS - 4);
    if (program->preload[0]) {
        words[n++] = (char *)"env";
        words[n++] = program->preload;
    }
    words[n++] = program->path;
    memcpy(words + n, arguments, (size_t)extra * sizeof *words);
    program->words = words;
    return 0;
}

int program_prepare(struct program *program, const char *name, const char *mpi, char **argv,
                    char *const *arguments, struct reseat_error *error)
{
    char file[64], where[LIBRARY_WHERE_SIZE];
    int rc = find_job(&program->job, mpi, argv, error);
    if (rc || (rc = refuse_rank(&program->job, error)))
        return rc;
    if (!program->job.mpi)
        return fail_without_mpi(argv[0], error);
    if ((rc = program_check_contexts(program, argv, error)))
        return rc;
    snprintf(file, sizeof file, "reseat-%s-%s%s", name, program->job.mpi,
             program->job.launcher->simulated_hosts ? ".so" : "");
    program_take_own_mpi(program, argv);
    if (locate_module(file, program->path, where))
        return fail_without_module(file, where, program->job.mpi, error);
    if (program_make_words(program, argv, arguments))
        return reseat_fail(error, "out of memory");
    rc = find_job(&program->job, mpi, program->words, error);
    if (rc)
        program_free(program);
    return rc;
}

void program_free(struct program *program)
{
    free(program->words);
    program->words = NULL;
}

/* ---- the job ---- */

struct program_start {
    const struct program *program;
    FILE *said;
};

static void program_start(void *context)
{
    const struct program_start *start = context;
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null >= 0)
        dup2(null, STDIN_FILENO);
    dup2(fileno(start->said), STDOUT_FILENO);
    const struct program *program = start->program;
    _exit(end_as(program->variables && program->variables->count
                     ? job_start(&program->job, program->variables, program->words, NULL)
                     : run_and_wait(program->words, NULL)));
}

int program_run(const struct program *program, FILE **said)
{
    struct program_start start = {program, open_answer()};
    *said = start.said;
    int status = start.said ? fork_and_wait(program_start, &start) : -1;
    if (status != -1)
        rewind(*said);
    return status;
}

char *program_next_line(const struct program *program, FILE *said, char *line, int size)
{
    while (fgets(line, size, said)) {
        char *ours = strstr(line, program->line);
        line[strcspn(line, "\r\n")] = '\0';
        if (ours)
            return ours + strlen(program->line);
    }
    return NULL;
}

/* Print the last lines that are not the program's. */
static void program_show_rest(const struct program *program, FILE *said)
{
    char line[512];
    int lines = 0, shown = 0;
    rewind(said);
    while (fgets(line, sizeof line, said))
        lines += !strstr(line, program->line);
    rewind(said);
    while (fgets(line, sizeof line, said)) {
        if (strstr(line, program->line) || shown++ < lines - PROGRAM_SHOWN)
            continue;
        line[strcspn(line, "\r\n")] = '\0';
        fputs("    ", stderr);
        printable_print(stderr, line);
        fputc('\n', stderr);
    }
}

void program_show_failure(const struct program *program, FILE *said, int status)
{
    end_if_asked();
    if (WIFSIGNALED(status))
        cli_fail(0, "the job died of signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status))
        cli_fail(0, "the job failed (exit status %d)", WEXITSTATUS(status));
    else
        cli_fail(0, "the job has exited with status 0, but its output has not come here");
    program_show_rest(program, said);
}
