/* SPDX-License-Identifier: BSD-3-Clause */
/* job-run.c - see job-run.h. */
#include "cmd/run/job-run.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/job/child.h"
#include "cmd/job/job-start.h"
#include "cmd/place/placement.h"
#include "cmd/run/in-rank.h"
#include "cmd/run/reasons.h"
#include "cmd/run/replay.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/machine-load.h"

enum { JOB_RUN_REPLAY_SECONDS = 2, JOB_RUN_REPLAY_REPETITIONS = 3 };

/* Returns 1 if a word is that of a file which is no program. */
static int job_run_is_file(const char *word)
{
    return access(word, R_OK) == 0 && access(word, X_OK) != 0;
}

/* Returns 1 if the job follows without a FILE and a `--`, as it may in a rank. */
static int job_run_is_bare(const struct job_run *run, int argc, char **argv)
{
    if (strcmp(run->name, "run") != 0 || launcher_own_rank() < 0 || optind >= argc ||
        strcmp(argv[optind - 1], "--") == 0 || (optind + 1 < argc && job_run_is_file(argv[optind])))
        return 0;
    for (int i = optind; i < argc; i++)
        if (strcmp(argv[i], "--") == 0)
            return 0;
    return 1;
}

/* Parse what follows the options: FILE, by default that of find_default_profile, or none if
 * topology calls are reordered by their own edges; `--`; and the job, where optind points then. 0,
 * or a status. */
static int job_run_find_profile(struct job_run *run, int argc, char **argv)
{
    struct reseat_error error;
    const char *name = run->name;
    run->profile = NULL;
    int status = 0;
    if (strcmp(argv[optind - 1], "--") != 0 && !job_run_is_bare(run, argc, argv)) {
        if (optind + 1 >= argc)
            return cli_fail(EXIT_USAGE, "what shall be run? reseat %s [FILE] -- mpirun ...", name);
        run->profile = argv[optind++];
        status = job_options_parse(&run->options, &run->variables, argc, argv, "+:");
    } else if (!run->options.layout &&
               (run->options.at_launch || !job_options_by_graph(&run->variables)))
        status = cli_status(find_default_profile(&run->profile, &error), &error);
    if (!status && optind >= argc)
        status = cli_fail(EXIT_USAGE, "what shall be run? reseat %s [FILE] -- mpirun ...", name);
    return status;
}

/* The ranks must be able to read it, too. 0, or a status. */
static int job_run_check_profile(const struct job_run *run)
{
    struct stat found;
    if (run->profile && (stat(run->profile, &found) || access(run->profile, R_OK)))
        return cli_fail(EXIT_TROUBLE, "%s: %s", run->profile, strerror(errno));
    if (run->profile && !S_ISREG(found.st_mode))
        return cli_fail(EXIT_TROUBLE, "%s: is not a regular file", run->profile);
    return 0;
}

/* Put a replay of the profile in the place of the program: short, for it is run many times. It does
 * not look up its rank in the environment, whatever the program does. 0, or a status. */
static int job_run_prepare_replay(struct job_run *run)
{
    const char *phase = job_options_setting(&run->variables, "RESEAT_PHASE");
    const struct replay_options options = {.way = "isend",
                                           .phase =
                                               isdigit((unsigned char)*phase) ? atoi(phase) : -1,
                                           .seconds = JOB_RUN_REPLAY_SECONDS,
                                           .most_scale = 1,
                                           .repetitions = JOB_RUN_REPLAY_REPETITIONS};
    if (!run->profile)
        return cli_fail(EXIT_USAGE, "--replay needs a profile");
    run->replay = calloc(1, sizeof *run->replay);
    if (!run->replay)
        return cli_no_memory();
    int status =
        replay_prepare(run->replay, run->profile, &options, run->options.mpi, run->command);
    if (status)
        return status;
    run->command = run->replay->program.words;
    if (!*job_options_setting(&run->variables, "RESEAT_SCOPE"))
        variables_add_setting(&run->variables, "RESEAT_SCOPE", "world");
    return 0;
}

/* A layout places at launch, and needs no traffic. 0, or a status. */
static int job_run_check_layout(struct job_run *run)
{
    struct reseat_error error;
    if (!run->options.layout)
        return 0;
    if (run->options.by_library)
        return cli_fail(EXIT_USAGE, "--layout and --placement preload cannot be combined");
    run->options.at_launch = 1;
    if (run->profile)
        return cli_fail(EXIT_USAGE,
                        "--layout needs no profile: reseat %s --layout %s -- "
                        "mpirun ...",
                        run->name, run->options.layout);
    return cli_status(check_layout(run->options.layout, &error), &error);
}

int job_run_prepare(struct job_run *run, int argc, char **argv)
{
    run->name = argv[0];
    int status = job_options_parse(&run->options, &run->variables, argc, argv, "+:");
    if (status || (status = job_run_find_profile(run, argc, argv)))
        return status;
    run->own_words = optind;
    run->command = argv + optind;
    return job_run_prepare_command(run);
}

int job_run_prepare_command(struct job_run *run)
{
    struct reseat_error error;
    int status = job_run_check_profile(run);
    if (status || (status = job_run_check_layout(run)))
        return status;
    if (run->options.replays && (status = job_run_prepare_replay(run)))
        return status;
    if ((status = cli_status(find_job(&run->job, run->options.mpi, run->command, &error), &error)))
        return status;
    if (strcmp(run->name, "run") != 0 &&
        (status = cli_status(refuse_rank(&run->job, &error), &error)))
        return status;
    int is_simulated = run->replay && run->job.launcher->simulated_hosts;
    if (run->options.at_launch && run->job.rank >= 0)
        return cli_fail(EXIT_USAGE,
                        "the launcher has given its ranks their places: reseat %s --placement "
                        "launch FILE -- LAUNCHER ... places them",
                        run->name);
    if (!run->options.at_launch && !is_simulated &&
        (status = in_rank_find_library(&run->job, run->command)))
        return status;
    variables_add(&run->variables, "RESEAT", "reorder");
    if (run->profile)
        variables_add_path(&run->variables, "RESEAT_FILE", run->profile);
    job_options_add_environment(&run->variables);
    if (run->options.at_launch || is_simulated)
        return 0;
    variables_add_preload(&run->variables, &run->job);
    return cli_status(variables_fit(&run->job, &run->variables, &error), &error);
}

int job_run_prepare_doctor(struct job_run *run, int argc, char **argv)
{
    struct reseat_error error;
    run->name = argv[0];
    int status = job_options_parse(&run->options, &run->variables, argc, argv, "+:");
    if (status)
        return status;
    if (optind >= argc && strcmp(argv[argc - 1], "--") != 0 && run->variables.count == 0 &&
        !run->options.mpi)
        return 0; /* no job */
    if (optind < argc && optind > 0 && strcmp(argv[optind - 1], "--") != 0)
        run->profile = argv[optind++];
    else if (access(default_profile(), F_OK) == 0)
        run->profile = default_profile();
    if (optind < argc && strcmp(argv[optind], "--") == 0)
        optind++;
    if (optind >= argc)
        return cli_fail(EXIT_USAGE, "reseat doctor [FILE] -- mpirun ...");
    run->command = argv + optind;
    if ((status =
             cli_status(find_job(&run->job, run->options.mpi, run->command, &error), &error)) ||
        (status = cli_status(refuse_rank(&run->job, &error), &error)) ||
        (status = cli_status(find_library(&run->job, run->command, &error), &error)))
        return status;
    job_options_add_environment(&run->variables);
    variables_add_preload(&run->variables, &run->job);
    return 0;
}

/* ---- settings ---- */

void job_run_settings(struct job_run *run, void (*warn)(void *context, const char *line),
                      void *context)
{
    const struct variables *v = &run->variables;
    int n = 0;
    for (int i = 0; i < v->count; i++)
        if (asprintf(&run->texts[n], "%s=%s", v->name[i], v->value[i]) >= 0)
            n++;
    run->texts[n] = NULL;
    reseat_settings_read(&run->settings, run->texts, warn, context);
}

int job_run_is_by_graph(const struct job_run *run)
{
    return !run->options.at_launch &&
           strcmp(job_options_setting(&run->variables, "RESEAT_SCOPE"), "graph") == 0;
}

/* ---- places ---- */

/* `context` is the number of lines so far. */
static void job_run_refuse(void *context, const char *line)
{
    int *lines = context;
    cli_fail(EXIT_USAGE, "%.*s", (int)strcspn(line, ";"), line);
    ++*lines;
}

int job_run_place(struct job_run *run)
{
    int lines = 0;
    struct reseat_error error;
    if (!run->options.at_launch)
        return 0;
    job_run_settings(run, job_run_refuse, &lines);
    const struct placement_request request = {run->profile, run->options.layout, &run->settings};
    return lines ? EXIT_USAGE
                 : cli_status(
                       placement_create(&run->placed, &request, &run->job, run->command, &error),
                       &error);
}

int job_run_moves(const struct job_run *run)
{
    return !run->placed || placement_moves(run->placed);
}

/* ---- runs ---- */

void job_run_mark(struct job_run *run)
{
    char why[REASON_SIZE];
    if (run->placed || run->job.launcher->simulated_hosts)
        return;
    if (reasons_of_program(&run->job, run->command, why) == 0)
        cli_fail(0, "%s", why);
    mark_create(&run->mark, run->profile, &run->variables);
}

int job_run_is_missing(const struct job_run *run, char *why)
{
    if (run->job.launcher->simulated_hosts || mark_find(&run->mark) != MARK_MISSING)
        return 0;
    reasons_find(&run->job, run->command, run->mark.folder, why);
    return 1;
}

int job_run_start(struct job_run *run, int with)
{
    return end_as(!with         ? run_and_wait(run->command, NULL)
                  : run->placed ? placement_run(run->placed)
                                : job_start(&run->job, &run->variables, run->command, NULL));
}

void job_run_remove_files(struct job_run *run)
{
    mark_remove(&run->mark);
    placement_destroy(run->placed);
    run->placed = NULL;
}

void job_run_clean_up(struct job_run *run)
{
    job_run_remove_files(run);
    if (run->replay)
        program_free(&run->replay->program);
    free(run->replay);
    run->replay = NULL;
    for (int i = 0; run->texts[i]; i++)
        free(run->texts[i]);
    run->texts[0] = NULL;
}
