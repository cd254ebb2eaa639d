/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * auto.c - `reseat auto`: a job in the order that the jobs before it speak for. What they were is
 * in the store (store.h), and history.h decides. Whatever is wrong with the store, the job runs,
 * and one line says why: as without reseat, or, in front of the launcher, if only nothing can be
 * written there, as decided.
 *
 * Jobs are watched where an order may gain. RESEAT_OUTPUT names the file of its profile, because
 * RESEAT_FILE has the one that its order is made from. When a job has ended well, its line is added
 * to the store; the first profile, and one whose pattern is another one, becomes that from which
 * orders are made. Inside of the launcher, where nobody sees the end, the next job does this
 * (left-jobs.h).
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "cmd/auto/left-jobs.h"
#include "cmd/auto/lesson.h"
#include "cmd/auto/shown.h"
#include "cmd/auto/store.h"
#include "cmd/commands.h"
#include "cmd/job/child.h"
#include "cmd/job/job-options.h"
#include "cmd/run/in-rank.h"
#include "cmd/run/watched.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/options.h"
#include "text/printable.h"
#include "text/temporary.h"

struct auto_job {
    const char *mpi; /* --mpi; NULL: not given */
    int any_arguments, no_arguments;
    const char *verbose;
    int is_quiet; /* the user wants no line; what ranks get may be in our environment later */
    struct variables variables;
    struct job job;
    char **command;
    struct program_key key;
    char store[PATH_MAX];
    struct stored_program program;
    struct lesson lesson;
    char *output; /* for the profile of this job; NULL: none */
    struct history_decision decision;
    struct watched watched;
    int is_learned; /* the line is in the store */
};

/* ---- before the job ---- */

/* The hash of the settings that make an order. */
static uint64_t auto_order(void)
{
    static const char *const names[] = {"RESEAT_METRIC",    "RESEAT_OBJECTIVE", "RESEAT_SCOPE",
                                        "RESEAT_STRATEGY",  "RESEAT_METHOD",    "RESEAT_PATTERN",
                                        "RESEAT_PHASE",     "RESEAT_KIND",      "RESEAT_MIN_GAIN",
                                        "RESEAT_TOPOLOGY",  "RESEAT_TIMINGS",   "RESEAT_MAPPING",
                                        "RESEAT_KEEP_LOCAL"};
    uint64_t hash = reseat_hash_empty;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        hash = reseat_hash_add(hash, value ? value : "", value ? strlen(value) + 1 : 1);
    }
    return hash ? hash : 1;
}

/* Returns 1 if the ranks cannot be reordered, by what is known of the program. */
static int auto_uses_sessions(const struct auto_job *a)
{
    return a->lesson.known && reseat_profile_header(a->lesson.known, "sessions");
}

/* Number of nodes as the batch system tells; 0: it does not. */
static int auto_nodes(void)
{
    static const char *const names[] = {"SLURM_STEP_NUM_NODES", "SLURM_JOB_NUM_NODES",
                                        "SLURM_NNODES", "PBS_NUM_NODES", "NHOSTS"};
    int hosts;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]) && atoi(getenv(names[i])) > 0)
            return atoi(getenv(names[i]));
    program_key_host_file(&hosts);
    return hosts;
}

/* Returns 1 if a job has run on so many nodes, with its ranks dealt to them in this way. */
static int auto_has_run_on(const struct stored_program *program, uint64_t placing, int nodes)
{
    for (size_t i = 0; i < program->jobs; i++)
        if ((program->job[i].machine & ~(uint64_t)UINT32_MAX) == placing &&
            program->job[i].nodes == nodes)
            return 1;
    return 0;
}

/* Fill in the job that is about to run: the machine and what is saved there are those of
 * the latest job that ran in this way. */
static void auto_find_next(struct auto_job *a)
{
    const uint64_t placing = a->key.placing & ~(uint64_t)UINT32_MAX;
    const struct stored_program *program = &a->program;
    a->lesson.next =
        (struct next_job){.nodes = auto_nodes(),
                          .machine = placing,
                          .pattern = a->lesson.known ? shown_pattern(a->lesson.known) : 0,
                          .order = auto_uses_sessions(a) ? 0 : auto_order(),
                          .predicted = NAN};
    if (!auto_has_run_on(program, placing, a->lesson.next.nodes))
        a->lesson.next.nodes =
            0; /* a job may have fewer nodes than its allocation: as the latest one */
    for (size_t i = program->jobs; i > 0; i--) {
        const struct past_job *job = &program->job[i - 1];
        if ((job->machine & ~(uint64_t)UINT32_MAX) != placing || !job->nodes ||
            (a->lesson.next.nodes && job->nodes != a->lesson.next.nodes))
            continue;
        a->lesson.next.nodes = job->nodes;
        if (a->lesson.next.machine == placing)
            a->lesson.next.machine = job->machine;
        if (job->pattern == a->lesson.next.pattern && !job->status && isfinite(job->predicted)) {
            a->lesson.next.predicted = job->predicted;
            break;
        }
    }
}

/* Create the file for the profile of this job, with room for a byte. 0, or -1 with *error. */
static int auto_create_output(struct auto_job *a, struct reseat_error *error)
{
    char stem[PATH_MAX];
    if (snprintf(stem, sizeof stem, "%s/job", a->program.folder) >= (int)sizeof stem)
        return reseat_fail(error, "the name of the folder is too long");
    int fd = temporary_create(&a->output, stem, ".profile", 0600);
    int failed = fd < 0 || write(fd, "#", 1) != 1;
    int why = errno;
    if (fd >= 0 && close(fd) && !failed) {
        failed = 1;
        why = errno;
    }
    return failed ? reseat_fail(error, "%s: %s", a->program.folder, strerror(why)) : 0;
}

/* Without a file for its profile a job can still run in a better order that is known. */
static int auto_prepare_output(struct auto_job *a, struct reseat_error *error)
{
    if (auto_create_output(a, error) == 0)
        return 0;
    if (a->output)
        unlink(a->output);
    free(a->output);
    a->output = NULL;
    return a->decision.run == HISTORY_BETTER
               ? cli_fail(0, "%s; this job is not counted", error->text)
               : -1;
}

/* Find what is known of this program, and decide. 0, or -1 with *error. */
static int auto_decide(struct auto_job *a, struct reseat_error *error)
{
    if (store_find(a->store, error) ||
        program_key_find(&a->key, &a->job, a->command, !a->any_arguments, error) ||
        store_open_program(&a->program, a->store, &a->key, !a->no_arguments, error))
        return -1;
    left_jobs_take_in(&a->program, a->store);
    store_profile(&a->program, a->lesson.profile);
    a->lesson.by_amount = !a->any_arguments;
    a->lesson.ranks = a->key.ranks;
    lesson_open(&a->lesson);
    auto_find_next(a);
    history_decide(&a->decision, a->program.job, a->program.jobs, &a->lesson.next);
    a->lesson.run = a->decision.run;
    return 0;
}

/* The variables that do not depend on the decision. */
static void auto_set_common_variables(struct auto_job *a)
{
    struct variables *v = &a->variables;
    if (a->no_arguments)
        variables_add(v, "RESEAT_ARGUMENTS", "no");
    if (a->verbose || !getenv("RESEAT_VERBOSE")) /* auto has a line of its own */
        variables_add(v, "RESEAT_VERBOSE", a->verbose ? a->verbose : "0");
    job_options_add_environment(v);
}

/* The variables of the ranks. 0, or -1 with *error: the launcher cannot pass them on. */
static int auto_set_variables(struct auto_job *a, struct reseat_error *error)
{
    struct variables *v = &a->variables;
    variables_add(v, "RESEAT",
                  a->decision.run != HISTORY_BETTER ? "profile"
                  : a->output                       ? "profile+reorder"
                                                    : "reorder");
    variables_add_path(v, "RESEAT_FILE", a->lesson.profile);
    if (a->output)
        variables_add_path(v, "RESEAT_OUTPUT", a->output);
    auto_set_common_variables(a);
    job_options_add_command(v, a->command);
    variables_add_preload(v, &a->job);
    return variables_fit(&a->job, v, error);
}

/* ---- inside of the launcher ---- */

/* The variables of each rank, whatever will be decided. None of them names a file of the user's. */
static void auto_set_rank_variables(struct auto_job *a)
{
    struct variables *v = &a->variables;
    variables_add(v, "RESEAT", "profile+reorder");
    variables_add(v, "RESEAT_OUTPUT", "");
    variables_add(v, "RESEAT_DECISION", "0");
    auto_set_common_variables(a);
    variables_add_preload(v, &a->job);
}

/* At rank 0: the job will leave its profile in the store, with what was decided. 0, or -1 with
 * *error. */
static int auto_set_left_job(struct auto_job *a, struct reseat_error *error)
{
    const struct next_job *next = &a->lesson.next;
    const struct past_job job = {.when = time(NULL),
                                 .seconds = NAN,
                                 .seconds_in_mpi = NAN,
                                 .predicted = next->predicted,
                                 .nodes = next->nodes,
                                 .machine = next->machine,
                                 .pattern = next->pattern,
                                 .order = a->decision.run == HISTORY_BETTER ? next->order : 0};
    char output[PATH_MAX], line[HISTORY_LINE_SIZE];
    if (access(a->program.folder, W_OK | X_OK))
        return reseat_fail(error, "%s: %s", a->program.folder, strerror(errno));
    if (left_jobs_name(output, &a->program))
        return reseat_fail(error, "the name of the folder is too long");
    line[history_write_line(line, &job) - 1] = '\0';
    variables_add_path(&a->variables, "RESEAT_OUTPUT", output);
    variables_add(&a->variables, LEFT_JOB, line);
    return 0;
}

/* At rank 0: tell the library what was decided. Where nothing can be written, the job can still run
 * in a better order that is known. 0, or -1 with *error. */
static int auto_tell_ranks(struct auto_job *a, struct reseat_error *error)
{
    const int is_better = a->decision.run == HISTORY_BETTER;
    const char *mapping = getenv("RESEAT_MAPPING");
    if (mapping && *mapping) /* another process may be rank 0, which knows of no file */
        return reseat_fail(error, "RESEAT_MAPPING is for `reseat auto -- LAUNCHER ...' only");
    const int is_left = auto_set_left_job(a, error) == 0;
    if (!is_left && !is_better)
        return -1;
    if (!is_left)
        cli_fail(0, "%s; this job is not counted", error->text);
    variables_add_path(&a->variables, "RESEAT_FILE", a->lesson.profile);
    variables_add(&a->variables, "RESEAT_DECISION", !is_left ? "2" : is_better ? "3" : "1");
    return 0;
}

/* ---- after the job ---- */

/* The job's line, by what was decided and what has become of it. */
static void auto_fill_line(struct auto_job *a, time_t began, double seconds)
{
    const char *scope = getenv("RESEAT_SCOPE");
    int by_graph = scope && strcmp(scope, "graph") == 0;
    int is_better =
        a->decision.run == HISTORY_BETTER &&
        (a->watched.found == MARK_REORDERED || (by_graph && a->watched.found == MARK_LEFT));
    a->lesson.line = (struct past_job){.when = began,
                                       .status = watched_status(&a->watched),
                                       .seconds = seconds,
                                       .seconds_in_mpi = NAN,
                                       .predicted = a->lesson.next.predicted,
                                       .nodes = a->lesson.next.nodes,
                                       .machine = a->lesson.next.machine,
                                       .pattern = a->lesson.next.pattern};
    if (is_better || a->watched.found == MARK_LEFT)
        lesson_take_order(&a->lesson, is_better);
    if (is_asked_to_end() && !a->lesson.line.status)
        a->lesson.line.status = 128; /* it was told to end, and has */
}

/* Add the job to the store. */
static void auto_learn(struct auto_job *a, time_t began, double seconds)
{
    struct reseat_profile *profile = NULL;
    struct reseat_error error;
    if (!a->output && a->decision.is_watched)
        return;
    if (a->decision.run == HISTORY_BETTER && a->watched.found == MARK_UNKNOWN &&
        a->watched.ended != -1) {
        cli_fail(0, "whether the ranks took the better order is not known; this job is not "
                    "counted");
        return;
    }
    auto_fill_line(a, began, seconds);
    a->lesson.between[0] = a->lesson.between[1] = NAN;
    if (a->output && a->lesson.line.status == 0 &&
        reseat_profile_read(&profile, a->output, &error) == 0)
        lesson_learn(&a->lesson, profile, a->output);
    reseat_profile_destroy(profile);
    if (a->watched.ended == -1)
        return;
    if (store_add_job(&a->program, &a->lesson.line, &error))
        cli_fail(0, "%s; this job is not counted", error.text);
    else
        a->is_learned = 1;
    if (a->lesson.is_recorded)
        store_limit(a->store, a->program.folder);
}

/* ---- the line ---- */

static void auto_tell_gain(const struct auto_job *a, char *text, size_t size)
{
    struct history_summary summary;
    size_t count = a->program.jobs;
    struct past_job *jobs = malloc((count + 1) * sizeof *jobs);
    double between = 100 * (1 - a->lesson.between[1] / a->lesson.between[0]);
    char gain[HISTORY_TEXT_SIZE] = "";
    if (jobs) {
        if (count)
            memcpy(jobs, a->program.job, count * sizeof *jobs);
        jobs[count] = a->lesson.line;
        history_summarize(&summary, jobs, count + 1);
        if (isfinite(summary.gain.change) && !summary.is_earlier)
            history_gain_text(&summary.gain, gain, sizeof gain);
        free(jobs);
    }
    int length = snprintf(text, size, "better order");
    if (a->lesson.between[0] > 0 && between >= 0.5)
        length +=
            snprintf(text + length, size - (size_t)length, ", %.0f %% fewer bytes between nodes",
                     between > 99 && a->lesson.between[1] > 0 ? 99 : between);
    if (gain[0])
        snprintf(text + length, size - (size_t)length, "; so far %s", gain);
}

static void auto_tell_decision(const struct auto_job *a, char *text, size_t size)
{
    if (a->decision.reason == HISTORY_NO_ORDER && auto_uses_sessions(a))
        snprintf(text, size,
                 "launch order: a program with sessions and without MPI_Init is not reordered");
    else
        history_decision_text(&a->decision, text, size);
}

/* Tell what became of the job, as a clause. */
static void auto_tell(const struct auto_job *a, char *text, size_t size)
{
    if (a->lesson.line.status)
        snprintf(text, size, "ended with status %d, which says nothing about an order",
                 a->lesson.line.status);
    else if (a->lesson.is_changed)
        snprintf(text, size, "%s, but its pattern is another one than before: learning anew%s",
                 a->lesson.line.order ? "better order" : "launch order",
                 a->lesson.is_recorded ? ", recorded" : "");
    else if (a->lesson.is_recorded)
        snprintf(text, size, "recorded in launch order");
    else if (a->decision.run == HISTORY_LAUNCH && a->decision.reason == HISTORY_FIRST)
        snprintf(text, size, "launch order; it has left no profile");
    else if (a->decision.run == HISTORY_LAUNCH)
        auto_tell_decision(a, text, size); /* also of one that was not watched */
    else if (!a->lesson.line.order)
        snprintf(text, size, "launch order: no better one is predicted on these nodes");
    else
        auto_tell_gain(a, text, size);
}

/* The line of this job, on standard error. */
static void auto_say(const struct auto_job *a, const char *text)
{
    char name[256], ranks[32] = "";
    if (a->is_quiet)
        return;
    printable_copy(name, sizeof name, job_base_name(a->key.path));
    if (a->lesson.ranks)
        snprintf(ranks, sizeof ranks, " on %d rank%s", a->lesson.ranks,
                 a->lesson.ranks == 1 ? "" : "s");
    printable_say("job %zu of %s%s: %s", a->program.jobs + 1, name, ranks, text);
}

/* After the job, if it has taught anything. */
static void auto_say_end(const struct auto_job *a)
{
    char text[512];
    if (!a->is_learned)
        return;
    auto_tell(a, text, sizeof text);
    auto_say(a, text);
}

/* Before the job, by its rank 0. */
static void auto_say_decision(const struct auto_job *a)
{
    char text[512];
    auto_tell_decision(a, text, sizeof text);
    auto_say(a, text);
}

/* ---- the command ---- */

/* 0, or an exit status after a message. */
static int auto_parse(struct auto_job *a, int argc, char **argv)
{
    struct reseat_error error;
    const struct option_target targets[] = {{"mpi", &a->mpi, NULL},
                                            {"any-arguments", &a->any_arguments, NULL},
                                            {"no-arguments", &a->no_arguments, NULL},
                                            {"verbose", &a->verbose, NULL},
                                            {NULL, NULL, NULL}};
    int status = options_parse(&(struct options){.order = "+:", .targets = targets}, argc, argv);
    if (status)
        return status;
    if (optind >= argc)
        return cli_fail(EXIT_USAGE, "what shall be run? reseat auto -- mpirun ...");
    if (a->verbose && (strlen(a->verbose) != 1 || !strchr("0123", a->verbose[0])))
        return cli_fail(EXIT_USAGE, "--verbose takes 0 to 3, not '%s'", a->verbose);
    const char *verbose = a->verbose ? a->verbose : getenv("RESEAT_VERBOSE");
    a->is_quiet = verbose && strcmp(verbose, "0") == 0;
    a->command = argv + optind;
    return cli_status(find_job(&a->job, a->mpi, a->command, &error), &error);
}

static void auto_close(struct auto_job *a)
{
    if (a->output)
        unlink(a->output);
    free(a->output);
    lesson_close(&a->lesson);
    program_key_free(&a->key);
    stored_program_free(&a->program);
}

/* What the launcher starts: rank 0 alone looks into the store, decides, and tells the others in
 * MPI_Init (runtime_decision), so that all do the same whatever happens to the store meanwhile.
 * Where its number is not its rank, RESEAT_DECISION has all run as they are. */
static int auto_in_rank(struct auto_job *a)
{
    struct reseat_error error;
    struct variables *v = &a->variables;
    char path[PATH_MAX];
    int is_there = find_in_path(a->command[0], path) == 0; /* if not, that will be said */
    if (!is_there || find_library(&a->job, a->command, &error)) {
        if (is_there)
            cli_fail(0, "%s; the job runs as without reseat", error.text);
        return in_rank_become(&a->job, NULL, a->command);
    }
    auto_set_rank_variables(a);
    if (a->job.rank == 0) {
        if (auto_decide(a, &error) || auto_tell_ranks(a, &error))
            cli_fail(0, "%s; the job runs as without reseat", error.text);
        else
            auto_say_decision(a);
        auto_close(a);
    }
    return in_rank_become(&a->job, v, a->command);
}

/* A job that is to be watched: 0. Or -1 with *error: it cannot be. */
static int auto_prepare(struct auto_job *a, struct reseat_error *error)
{
    return auto_prepare_output(a, error) || auto_set_variables(a, error) ? -1 : 0;
}

/* Run the job, and find what can be seen from here. An order that gains nothing need not cost
 * anything: then the job has nothing of ours. */
static void auto_start(struct auto_job *a)
{
    struct watched *watched = &a->watched;
    if (a->decision.is_watched) {
        watched_run(watched, &a->job, &a->variables, a->command, a->lesson.profile);
        return;
    }
    *watched = (struct watched){.found = MARK_UNKNOWN, .ended = run_and_wait(a->command, NULL)};
    watched->error = errno;
}

/* In front of the launcher. */
static int auto_run(struct auto_job *a)
{
    struct reseat_error error;
    int status = cli_status(find_library(&a->job, a->command, &error), &error);
    if (status)
        return status;
    if (auto_decide(a, &error) || (a->decision.is_watched && auto_prepare(a, &error))) {
        auto_close(a);
        cli_fail(0, "%s; the job runs as without reseat", error.text);
        return end_as(run_and_wait(a->command, NULL));
    }
    time_t began = time(NULL);
    double start = clock_now();
    auto_start(a);
    auto_learn(a, began, clock_now() - start);
    auto_say_end(a);
    auto_close(a);
    status = watched_end(&a->watched);
    return a->watched.why[0] ? cli_fail(status, "%s", a->watched.why) : status;
}

int cmd_auto(int argc, char **argv)
{
    static struct auto_job a;
    in_rank_begin(argv);
    int status = auto_parse(&a, argc, argv);
    if (status)
        return status;
    return a.job.rank >= 0 ? auto_in_rank(&a) : auto_run(&a);
}
