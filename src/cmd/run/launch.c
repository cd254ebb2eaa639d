/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch.c - `reseat profile`, `reseat run`, `reseat env`: start a job so that its ranks, and only
 * they, load our library (variables.h), and end the way it ended (child.h). `profile` and `run` may
 * also be what the launcher starts (in-rank.h).
 */
#include <errno.h>
#include <getopt.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/job/child.h"
#include "cmd/run/in-rank.h"
#include "cmd/run/job-run.h"
#include "cmd/place/placement.h"
#include "cmd/run/verdict.h"
#include "cmd/run/watched.h"
#include "text/target.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/shell-word.h"
#include "cmd/shell/output-file.h"
#include "cmd/commands.h"

/* After a job that has left no profile: print that, unless the library or we have printed why, and
 * return the exit status of `reseat profile`. */
static int watched_left_no_profile(int status, const struct watched *watched)
{
    const char *why =
        watched->why[0] ? watched->why
        : watched->found >= MARK_LEFT
            ? "a line before this one says why, or the program has not come to MPI_Finalize"
            : "no rank has come to MPI_Finalize with the library; a line before this one may say "
              "why, and reseat doctor looks for the reason";
    if (watched->is_known)
        return status ? status : EXIT_NO_PROFILE;
    return cli_fail(status ? status : EXIT_NO_PROFILE, "no profile was written: %s", why);
}

/* ---- what to type next: a line on standard error that can be pasted into a shell ---- */

enum { NEXT_LONGEST = 4000 }; /* bytes: of more nobody would want to see a line */

/* It is for somebody who is there: standard error is a terminal, and RESEAT_VERBOSE not 0. */
static int next_is_wanted(const struct variables *v)
{
    return isatty(STDERR_FILENO) && strcmp(job_options_setting(v, "RESEAT_VERBOSE"), "0") != 0;
}

/* Write the line: what it is about, and the words after the name of the command, which is called as
 * it was now. */
static void next_write(const char *about, char *const *words)
{
    const char *self = program_invocation_name;
    char *line = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&line, &size);
    if (!memory)
        return;
    fputs(about, memory);
    shell_word_print(memory, strchr(self, '/') ? self : "reseat");
    shell_words_print(memory, " ", words);
    putc('\n', memory);
    if (fclose(memory) == 0 && size <= NEXT_LONGEST)
        fputs(line, stderr);
    free(line);
}

/* After `profile`: look at the profile. `v` has the settings of the job. */
static void next_say_report(const struct variables *v, const char *profile)
{
    char *plain[] = {(char *)"report", (char *)profile, NULL};
    char *after_options[] = {(char *)"report", (char *)"--", (char *)profile, NULL};
    if (next_is_wanted(v))
        next_write("reseat profile: next: ", *profile == '-' ? after_options : plain);
}

/* After `run`, whose words these are, from its own name on: the same job by `verify`. */
static void next_say_verify(const struct variables *v, char **words)
{
    char *own = words[0];
    if (!next_is_wanted(v))
        return;
    words[0] = (char *)"verify";
    next_write("reseat run: to measure the gain: ", words);
    words[0] = own;
}

/* ---- profile ---- */

/* Whether a file has contents that are not a profile; -1 with errno: not known. */
static int is_other_file(const char *path)
{
    static const char head[] = "# reseat profile";
    char begin[sizeof head - 1];
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT ? 0 : -1;
    size_t size = fread(begin, 1, sizeof begin, file);
    fclose(file);
    return size > 0 && (size < sizeof begin || memcmp(begin, head, sizeof begin) != 0);
}

/* Before a long job, check that the profile can be written there. 0, or a status. */
static int check_output(const char *path)
{
    struct reseat_error error;
    char folder[PATH_MAX];
    struct stat status;
    if (cli_status(check_output_name(path, NULL, 0, &error), &error))
        return EXIT_USAGE;
    char *target = target_follow(path);
    if (!target)
        return cli_fail(EXIT_TROUBLE, "%s: %s; the job is not started", path, strerror(errno));
    const char *slash = strrchr(target, '/');
    int regular = stat(target, &status) || S_ISREG(status.st_mode);
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - target) + 1 : 1,
             slash ? target : ".");
    free(target);
    if (!regular)
        return cli_fail(EXIT_TROUBLE, "%s: is not a regular file", path);
    int other = is_other_file(path);
    if (other) /* perhaps the program itself, by mistake */
        return cli_fail(EXIT_TROUBLE, "%s: %s; the job is not started", path,
                        other > 0 ? "exists and is not a profile" : strerror(errno));
    return !target_is_pattern(folder) && access(folder, W_OK | X_OK)
               ? cli_fail(EXIT_TROUBLE, "%s: %s; the job is not started", path, strerror(errno))
               : 0;
}

/* Identify the newest profile of this name, or of the names that a pattern makes; zeros: none.
 * `found_at` gets its name, or as much of it as there is room for. */
static void find_output(const char *path, struct stat *newest, char found_at[PATH_MAX])
{
    struct stat status;
    glob_t found;
    char *pattern = target_glob(path);
    memset(newest, 0, sizeof *newest);
    if (pattern && glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (stat(found.gl_pathv[i], &status) == 0 &&
                (status.st_mtim.tv_sec > newest->st_mtim.tv_sec ||
                 (status.st_mtim.tv_sec == newest->st_mtim.tv_sec &&
                  status.st_mtim.tv_nsec >= newest->st_mtim.tv_nsec))) {
                *newest = status;
                snprintf(found_at, PATH_MAX, "%s", found.gl_pathv[i]);
            }
        globfree(&found);
    }
    free(pattern);
}

int cmd_profile(int argc, char **argv)
{
    struct reseat_error error;
    static struct variables v;
    struct job_options options = {.output = default_profile()};
    struct job job;
    struct stat before, after;
    struct watched watched;
    char profile[PATH_MAX] = "";
    in_rank_begin(argv);
    unsetenv("RESEAT_OUTPUT"); /* of an auto around this one */
    int status = job_options_parse(&options, &v, argc, argv, "+:");
    if (status)
        return status;
    if (optind >= argc)
        return cli_fail(EXIT_USAGE, "what shall be run? reseat profile -- mpirun ...");
    char **command = argv + optind;
    if ((status = check_output(options.output)) ||
        (status = cli_status(find_job(&job, options.mpi, command, &error), &error)) ||
        (status = in_rank_find_library(&job, command)))
        return status;
    variables_add(&v, "RESEAT", "profile");
    variables_add_path(&v, "RESEAT_FILE", options.output);
    job_options_add_environment(&v);
    if (job.rank < 0) /* else it is not known how the launcher was started */
        job_options_add_command(&v, command);
    variables_add_preload(&v, &job);
    if ((status = cli_status(variables_fit(&job, &v, &error), &error)))
        return status;
    if (job.rank >= 0)
        return in_rank_become(&job, &v, command);
    find_output(options.output, &before, profile);
    watched_run(&watched, &job, &v, command, options.output);
    status = watched_end(&watched);
    find_output(options.output, &after, profile);
    if (after.st_ino == before.st_ino && after.st_mtim.tv_sec == before.st_mtim.tv_sec &&
        after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
        return watched_left_no_profile(status, &watched);
    if (status == 0)
        next_say_report(&v, profile);
    return status;
}

/* ---- run ---- */

/* Whether the verdict of verify allows reordering. */
static int launch_is_advised(const struct job_run *run)
{
    char text[512];
    enum output_differs differs = run->options.output_differs;
    int verdict = run->profile ? read_verdict(run->profile, job_run_is_by_graph(run), text) : 0;
    if (verdict == VERDICT_UNREAD)
        cli_fail(0, "%s; what verify has measured is left out", text);
    if (verdict == VERDICT_CHANGES && differs == OUTPUT_DIFFERS_WARN)
        cli_fail(0, "%s", text);
    if (verdict >= 0 || (verdict == VERDICT_CHANGES && differs != OUTPUT_DIFFERS_FAIL))
        return 1;
    cli_fail(0, "%s; run as it is (%sremove %s.verdict to try again)", text,
             verdict == VERDICT_CHANGES ? "--output-differs ignore, or " : "", run->profile);
    return 0;
}

/* Whether verify has not yet measured what the order gains, and can. */
static int launch_is_unmeasured(const struct job_run *run)
{
    char text[512] = "";
    if (run->profile)
        read_verdict(run->profile, job_run_is_by_graph(run), text);
    return !text[0] && !run->options.layout;
}

/* Remove the launcher's file before ending the way the job ended. */
static int launch_placed(struct job_run *run, char **words)
{
    int ended = 0, status = job_run_place(run), moves = 0;
    if (!status) {
        ended = placement_run(run->placed);
        moves = placement_moves(run->placed);
    }
    job_run_clean_up(run);
    if (!status)
        status = end_as(ended);
    if (!status && moves && launch_is_unmeasured(run))
        next_say_verify(&run->variables, words);
    return status;
}

int cmd_run(int argc, char **argv)
{
    static struct job_run run;
    struct watched watched;
    in_rank_begin(argv);
    int status = job_run_prepare(&run, argc, argv);
    if (status)
        return status;
    if (run.job.rank >= 0)
        return in_rank_become(&run.job, launch_is_advised(&run) ? &run.variables : NULL,
                              run.command);
    if (!launch_is_advised(&run))
        return job_run_start(&run, 0);
    if (run.options.at_launch)
        return launch_placed(&run, argv);
    watched_run(&watched, &run.job, &run.variables, run.command, run.profile);
    status = watched_end(&watched);
    if (watched.why[0])
        return cli_fail(status, "%s", watched.why);
    if (!status && watched.found == MARK_REORDERED && launch_is_unmeasured(&run))
        next_say_verify(&run.variables, argv);
    return status;
}

/* ---- env ---- */

int cmd_env(int argc, char **argv)
{
    struct reseat_error error;
    static struct variables v;
    struct job_options options = {.output = NULL};
    struct job job;
    int status = job_options_parse(&options, &v, argc, argv, ":");
    if (status)
        return status;
    if (optind + 1 != argc ||
        (strcmp(argv[optind], "profile") != 0 && strcmp(argv[optind], "run") != 0))
        return cli_fail(EXIT_USAGE, "reseat env profile|run --mpi openmpi|mpich|abi [-o FILE]");
    if (cli_status(check_output_name(options.output, NULL, 0, &error), &error))
        return EXIT_USAGE;
    if (!options.mpi)
        return cli_fail(EXIT_USAGE, "which MPI? say --mpi openmpi, mpich or abi");
    char *nothing[] = {argv[optind], NULL};
    if ((status = cli_status(find_job(&job, options.mpi, nothing, &error), &error)) ||
        (status = cli_status(find_library(&job, nothing, &error), &error)))
        return status;
    int is_run = strcmp(argv[optind], "run") == 0;
    variables_add(&v, "RESEAT", is_run ? "reorder" : "profile");
    if (options.output || !is_run || !job_options_by_graph(&v))
        variables_add_path(&v, "RESEAT_FILE", options.output ? options.output : default_profile());
    variables_add_preload(&v, &job);
    for (int i = 0; i < v.count; i++) {
        printf("export %s=", v.name[i]);
        shell_word_print(stdout, v.value[i]);
        putchar('\n');
    }
    return 0;
}
