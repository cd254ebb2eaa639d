/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * auto.c - `reseat auto`: a job in the order that the jobs before it speak for. What they were is
 * in the store (store.h), and history.h decides. Whatever is wrong with the store, the job runs,
 * and one line says why: as without reseat, or, if only nothing can be written there, as decided.
 *
 * Every job is watched. RESEAT_OUTPUT names the file of its profile, because RESEAT_FILE has the
 * one that its order is made from. When a job has ended well, its line is added to the store; the
 * first profile, and one whose pattern is another one, becomes that from which orders are made.
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
    char profile[PATH_MAX];       /* from which its order is made */
    struct reseat_profile *known; /* that one; NULL: there is none yet */
    char *output;                 /* for the profile of this job; NULL: none */
    struct next_job next;
    struct history_decision decision;
    struct watched watched;
    struct past_job line;
    double between[2]; /* bytes between nodes, in the launch order that is known and now */
    int is_learned;    /* the line is in the store */
    int is_recorded;   /* its profile is now that from which orders are made */
    int is_changed;    /* because the pattern was another one */
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

/* Number of nodes as the batch system tells; 0: it does not. */
static int auto_nodes(void)
{
    static const char *const names[] = {"SLURM_STEP_NUM_NODES", "SLURM_JOB_NUM_NODES",
                                        "SLURM_NNODES", "PBS_NUM_NODES", "NHOSTS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]) && atoi(getenv(names[i])) > 0)
            return atoi(getenv(names[i]));
    return 0;
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
    a->next = (struct next_job){.nodes = auto_nodes(),
                                .machine = placing,
                                .pattern = a->known ? shown_pattern(a->known) : 0,
                                .order = auto_order(),
                                .predicted = NAN};
    if (!auto_has_run_on(program, placing, a->next.nodes))
        a->next.nodes = 0; /* a job may have fewer nodes than its allocation: as the latest one */
    for (size_t i = program->jobs; i > 0; i--) {
        const struct past_job *job = &program->job[i - 1];
        if ((job->machine & ~(uint64_t)UINT32_MAX) != placing || !job->nodes ||
            (a->next.nodes && job->nodes != a->next.nodes))
            continue;
        a->next.nodes = job->nodes;
        if (a->next.machine == placing)
            a->next.machine = job->machine;
        if (job->pattern == a->next.pattern && !job->status && isfinite(job->predicted)) {
            a->next.predicted = job->predicted;
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
    struct reseat_error ignored;
    if (store_find(a->store, error) ||
        program_key_find(&a->key, &a->job, a->command, !a->any_arguments, error) ||
        store_open_program(&a->program, a->store, &a->key, !a->no_arguments, error))
        return -1;
    store_profile(&a->program, a->profile);
    if (access(a->profile, F_OK) == 0 &&
        reseat_profile_read(&a->known, a->profile, &ignored)) /* another one is recorded */
        a->known = NULL;
    auto_find_next(a);
    history_decide(&a->decision, a->program.job, a->program.jobs, &a->next);
    return auto_prepare_output(a, error);
}

/* The variables of the ranks. 0, or -1 with *error: the launcher cannot pass them on. */
static int auto_set_variables(struct auto_job *a, struct reseat_error *error)
{
    struct variables *v = &a->variables;
    variables_add(v, "RESEAT",
                  a->decision.run != HISTORY_BETTER ? "profile"
                  : a->output                       ? "profile+reorder"
                                                    : "reorder");
    variables_add_path(v, "RESEAT_FILE", a->profile);
    if (a->output)
        variables_add_path(v, "RESEAT_OUTPUT", a->output);
    if (a->no_arguments)
        variables_add(v, "RESEAT_ARGUMENTS", "no");
    if (a->verbose || !getenv("RESEAT_VERBOSE")) /* auto has a line of its own */
        variables_add(v, "RESEAT_VERBOSE", a->verbose ? a->verbose : "0");
    job_options_add_environment(v);
    job_options_add_command(v, a->command);
    variables_add_preload(v, &a->job);
    return variables_fit(&a->job, v, error);
}

/* ---- after the job ---- */

/* Make the job's profile that from which orders are made; or have the next job recorded in launch
 * order, which this one does not show. */
static void auto_replace_profile(struct auto_job *a)
{
    if (a->line.order) {
        unlink(a->profile);
    } else if (rename(a->output, a->profile) == 0) {
        a->is_recorded = 1;
        free(a->output);
        a->output = NULL;
    }
}

/* Returns 1 if the prediction is to be found from the profile of a job in launch order: none is
 * known, or there was no gain before, which the ranks may not find everywhere. */
static int auto_asks_again(const struct auto_job *a, double predicted)
{
    return a->decision.run == HISTORY_LAUNCH ? !(predicted > 0) : !isfinite(predicted);
}

/* Read the profile of a job that has ended well. */
static void auto_read_output(struct auto_job *a, const struct reseat_profile *profile)
{
    const double was = a->line.predicted;
    const int nodes = a->line.nodes;
    const uint64_t pattern = shown_pattern(profile);
    a->key.ranks = profile->ranks; /* as it ran, whatever the words say */
    shown_fill(&a->line, profile);
    a->is_changed = a->known && pattern != a->next.pattern &&
                    shown_drifts(a->known, profile, !a->any_arguments);
    if (!a->known || a->is_changed) {
        a->line.pattern = pattern;
        auto_replace_profile(a);
        if (a->line.order) /* one that was made for another pattern */
            a->line.order = reseat_hash_add(a->line.order, &a->next.pattern, sizeof pattern);
    } else if (a->line.nodes == nodes) {
        a->between[0] = shown_between(a->known);
        a->between[1] = shown_between(profile);
    }
    if (!a->line.order && (a->line.pattern != a->next.pattern || a->line.nodes != nodes ||
                           a->line.machine != a->next.machine || auto_asks_again(a, was)))
        a->line.predicted = shown_prediction(profile);
}

/* The job's line, by what was decided and what has become of it. */
static void auto_fill_line(struct auto_job *a, time_t began, double seconds)
{
    const char *scope = getenv("RESEAT_SCOPE");
    int by_graph = scope && strcmp(scope, "graph") == 0;
    int is_better =
        a->decision.run == HISTORY_BETTER &&
        (a->watched.found == MARK_REORDERED || (by_graph && a->watched.found == MARK_LEFT));
    a->line = (struct past_job){.when = began,
                                .status = watched_status(&a->watched),
                                .seconds = seconds,
                                .seconds_in_mpi = NAN,
                                .predicted = a->next.predicted,
                                .nodes = a->next.nodes,
                                .machine = a->next.machine,
                                .pattern = a->next.pattern,
                                .order = is_better ? a->next.order : 0};
    if (is_better)
        snprintf(a->line.method, sizeof a->line.method, "better");
    else if (a->decision.run == HISTORY_BETTER && a->watched.found == MARK_LEFT && !a->line.status)
        a->line.predicted = 0; /* the ranks have kept their launch order */
    if (is_asked_to_end() && !a->line.status)
        a->line.status = 128; /* it was told to end, and has */
}

/* Add the job to the store. */
static void auto_learn(struct auto_job *a, time_t began, double seconds)
{
    struct reseat_profile *profile = NULL;
    struct reseat_error error;
    if (!a->output)
        return;
    if (a->decision.run == HISTORY_BETTER && a->watched.found == MARK_UNKNOWN &&
        !a->watched.started) {
        cli_fail(0, "whether the ranks took the better order is not known; this job is not "
                    "counted");
        return;
    }
    auto_fill_line(a, began, seconds);
    a->between[0] = a->between[1] = NAN;
    if (a->line.status == 0 && reseat_profile_read(&profile, a->output, &error) == 0)
        auto_read_output(a, profile);
    reseat_profile_destroy(profile);
    if (a->watched.started)
        return;
    if (store_add_job(&a->program, &a->line, &error))
        cli_fail(0, "%s; this job is not counted", error.text);
    else
        a->is_learned = 1;
    if (a->is_recorded)
        store_limit(a->store, a->program.folder);
}

/* ---- the line ---- */

static void auto_tell_gain(const struct auto_job *a, char *text, size_t size)
{
    struct history_summary summary;
    size_t count = a->program.jobs;
    struct past_job *jobs = malloc((count + 1) * sizeof *jobs);
    double between = 100 * (1 - a->between[1] / a->between[0]);
    char gain[HISTORY_TEXT_SIZE] = "";
    if (jobs) {
        if (count)
            memcpy(jobs, a->program.job, count * sizeof *jobs);
        jobs[count] = a->line;
        history_summarize(&summary, jobs, count + 1);
        if (isfinite(summary.gain.change))
            history_gain_text(&summary.gain, gain, sizeof gain);
        free(jobs);
    }
    int length = snprintf(text, size, "better order");
    if (a->between[0] > 0 && between >= 0.5)
        length +=
            snprintf(text + length, size - (size_t)length, ", %.0f %% fewer bytes between nodes",
                     between > 99 && a->between[1] > 0 ? 99 : between);
    if (gain[0])
        snprintf(text + length, size - (size_t)length, "; so far %s", gain);
}

/* Tell what became of the job, as a clause. */
static void auto_tell(const struct auto_job *a, char *text, size_t size)
{
    if (a->line.status)
        snprintf(text, size, "ended with status %d, which says nothing about an order",
                 a->line.status);
    else if (a->is_changed)
        snprintf(text, size, "%s, but its pattern is another one than before: learning anew%s",
                 a->line.order ? "better order" : "launch order",
                 a->is_recorded ? ", recorded" : "");
    else if (a->is_recorded)
        snprintf(text, size, "recorded in launch order");
    else if (a->decision.run == HISTORY_LAUNCH && a->decision.reason == HISTORY_FIRST)
        snprintf(text, size, "launch order; it has left no profile");
    else if (a->decision.run == HISTORY_LAUNCH)
        history_decision_text(&a->decision, text, size);
    else if (!a->line.order)
        snprintf(text, size, "launch order: no better one is predicted on these nodes");
    else
        auto_tell_gain(a, text, size);
}

/* The line of this job, on standard error. */
static void auto_say(const struct auto_job *a)
{
    char text[512], name[256], ranks[32] = "";
    if (a->is_quiet || !a->is_learned)
        return;
    auto_tell(a, text, sizeof text);
    printable_copy(name, sizeof name, program_key_name(a->key.path));
    if (a->key.ranks)
        snprintf(ranks, sizeof ranks, " on %d rank%s", a->key.ranks, a->key.ranks == 1 ? "" : "s");
    printable_say("job %zu of %s%s: %s", a->program.jobs + 1, name, ranks, text);
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
    status = cli_status(find_job(&a->job, a->mpi, a->command, &error), &error);
    return status ? status : in_rank_find_library(&a->job, a->command);
}

static void auto_close(struct auto_job *a)
{
    if (a->output)
        unlink(a->output);
    free(a->output);
    reseat_profile_destroy(a->known);
    program_key_free(&a->key);
    stored_program_free(&a->program);
}

int cmd_auto(int argc, char **argv)
{
    static struct auto_job a;
    struct reseat_error error;
    in_rank_begin(argv);
    int status = auto_parse(&a, argc, argv);
    if (status)
        return status;
    if (a.job.rank >= 0) { /* the end of the job is seen by who starts the launcher */
        cli_fail(0, "learns of whole jobs, so it stands in front of the launcher: reseat auto -- "
                    "mpirun ...; the job runs as without reseat");
        return in_rank_become(&a.job, NULL, a.command);
    }
    if (auto_decide(&a, &error) || auto_set_variables(&a, &error)) {
        auto_close(&a);
        cli_fail(0, "%s; the job runs as without reseat", error.text);
        return end_as(run_plainly(a.command));
    }
    time_t began = time(NULL);
    double start = clock_now();
    watched_run(&a.watched, &a.job, &a.variables, a.command, a.profile);
    auto_learn(&a, began, clock_now() - start);
    auto_say(&a);
    auto_close(&a);
    status = watched_end(&a.watched);
    return a.watched.why[0] ? cli_fail(status, "%s", a.watched.why) : status;
}
