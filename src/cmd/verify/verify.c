/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.c - `reseat verify`: measure whether a job is really faster. It is run without and with
 * the better order in turn, so that changes on the machine affect both. Times are of the whole job,
 * including launch; with placement at launch, the places are found once before all runs.
 *
 * The output with and without is compared as well (output.c): the results must be the same.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/job/child.h"
#include "cmd/run/collector.h"
#include "cmd/run/job-run.h"
#include "cmd/shell/page-parts.h"
#include "cmd/place/placement.h"
#include "cmd/shell/progress.h"
#include "cmd/run/reasons.h"
#include "cmd/run/replay.h"
#include "cmd/run/one-run.h"
#include "cmd/run/verdict.h"
#include "cmd/verify/verify-result.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/output-file.h"
#include "cmd/commands.h"
#include "page/sources.h"

enum { DEFAULT_RUNS = 5 };

/* All runs and their results. */
struct verification {
    struct job_run run;
    int with; /* whether the last run was with another order */
    struct verify_result result;
    struct run_outputs outputs;
    off_t input;                   /* one_run_input */
    struct replay_result replayed; /* of the last run, with --replay */
    int is_said;                   /* why it failed has been printed */
    int is_missing;                /* no rank loaded the library in a run with it */
    char why[REASON_SIZE];
};

/* A clause for the report if there was input that no run could get. */
static const char *lost_input(off_t input)
{
    int waiting = 0;
    return input < 0 && ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting > 0
               ? "; it got no input, which each run can read from a file only"
               : "";
}

/* With --replay, the time is what the replay has measured, not that of the launch. How the job ends
 * after that does not matter, since some MPIs hang there. 0, or an exit status, which is that of
 * the job unless an error message has been printed (is_said). */
static int verify_read_replay(struct verification *v, FILE *said, int pair, int status)
{
    struct replay_result *result = &v->replayed;
    replay_read_result(&v->run.replay->program, said, result);
    if (result->is_complete) {
        v->result.seconds[pair][v->with] = replay_recorded_seconds(result);
        return 0;
    }
    v->is_said = !status || result->error[0];
    if (v->is_said)
        return cli_fail(EXIT_TROUBLE, "%s",
                        result->error[0] ? result->error : "the replay has no result");
    return status;
}

/* The same, keeping its output; standard error of the first runs, and of one that fails, is passed
 * on. */
static int run_and_hear(struct verification *v, int pair)
{
    struct one_run one = {.run = &v->run,
                          .with = v->with,
                          .input = v->input,
                          .collectors = {{.end = -1}, {.end = -1}}};
    int status;
    if (collector_open(&one.collectors[0], -1, v->outputs.token) ||
        collector_open(&one.collectors[1], pair ? -1 : STDERR_FILENO, v->outputs.token))
        status = cli_fail(EXIT_TROUBLE, "%s", strerror(errno));
    else
        status = one_run_time(&one, &v->result.seconds[pair][v->with]);
    for (int stream = 0; stream < 2; stream++)
        collector_close(&one.collectors[stream]);
    if (v->run.replay && one.collectors[0].kept)
        status = verify_read_replay(v, one.collectors[0].kept, pair, status);
    if (status && pair)
        one_run_pass_on_errors(&one, v->outputs.token);
    if (!status && v->with && pair == 0) {
        run_outputs_outcome(&v->outputs, one.collectors[1].kept);
        v->is_missing = !v->outputs.told && job_run_is_missing(&v->run, v->why);
    }
    int is_torn = one.collectors[0].is_torn || one.collectors[1].is_torn;
    if (!status && !is_torn && v->run.options.output_differs != OUTPUT_DIFFERS_IGNORE &&
        run_outputs_add(&v->outputs, v->with, one.collectors))
        status = cli_fail(EXIT_TROUBLE, "out of memory for what the job prints");
    for (int stream = 0; stream < 2; stream++)
        collector_free(&one.collectors[stream]);
    return status;
}

/* Make all runs, as long as they are worth it. 0, or the exit status of one that failed. */
static int verify_measure(struct verification *v)
{
    int status = 0;
    double start = clock_now();
    for (int i = 0; i < v->run.options.runs && !status; i++)
        for (int turn = 0; turn < 2 && !status && !v->outputs.kept && !v->is_missing; turn++) {
            v->with = (i + turn) % 2; /* which one is first alternates, too */
            if (i || turn)
                progress_after_run(2 * i + turn, 2 * v->run.options.runs, clock_now() - start);
            status = run_and_hear(v, i);
        }
    return status;
}

/* Report the result in all forms. 0, or an exit status after an error message. */
static int write_result(const struct verify_result *result)
{
    struct reseat_error error;
    const struct job_options *options = &result->run->options;
    int is_text =
        result->outcome != VERIFY_MISSING && !(options->html && strcmp(options->html, "-") == 0);
    struct document document;
    document_init(&document);
    verify_fill(&document, result);
    if (result->outcome == VERIFY_MISSING)
        cli_fail(0, "%s", result->why);
    int rc = is_text ? page_write_result(&document, options->json, page_verify_txt, &error)
                     : page_save(options->json, page_write_json, &document, &error);
    int status = cli_status(rc, &error);
    int other = cli_status(page_save(options->html, verify_write_page, &document, &error), &error);
    document_free(&document);
    return status ? status : other;
}

/* Keep the result for later runs. Returns the exit status. */
static int keep_result(const struct verify_result *r)
{
    int differs = r->run->options.output_differs;
    int refuses =
        r->is_compared && r->prints.kind == RUN_OUTPUTS_CHANGES && differs == OUTPUT_DIFFERS_FAIL;
    int status = 0;
    if (r->run->profile && !r->run->options.replays)
        status = keep_verdict(r->run->profile, refuses ? VERDICT_CHANGES : r->verdict,
                              job_run_is_by_graph(r->run), refuses ? r->prints.text : r->sentence);
    return refuses ? EXIT_TROUBLE : status;
}

/* Of runs that are complete: find the result, report it, and keep it. Returns the exit status. */
static int verify_conclude(struct verification *v)
{
    struct verify_result *r = &v->result;
    r->pairs = v->run.options.runs;
    verify_find_numbers(r);
    r->is_compared = v->run.options.output_differs != OUTPUT_DIFFERS_IGNORE;
    if (r->is_compared)
        run_outputs_judge(&v->outputs, &r->prints);
    int written = write_result(r), kept = keep_result(r);
    return kept ? kept : written;
}

/* Nothing was measured. Returns the exit status. */
static int conclude_without(struct verification *v, enum verify_outcome outcome)
{
    v->result.outcome = outcome;
    return write_result(&v->result);
}

static int verify_run(struct verification *v)
{
    v->input = one_run_input();
    variables_add(&v->run.variables, "RESEAT_OUTCOME", v->outputs.token);
    job_run_mark(&v->run);
    int status = verify_measure(v);
    v->result.predicted = v->outputs.predicted;
    if (v->run.placed)
        placement_predicted(v->run.placed, &v->result.predicted);
    job_run_remove_files(&v->run);
    end_if_asked();
    if (status && v->is_said)
        return status;
    if (status)
        return cli_fail(status, "the job failed %s reseat (exit status %d): nothing to compare%s",
                        v->with ? "with" : "without", status, lost_input(v->input));
    if (v->is_missing) {
        snprintf(v->result.why, sizeof v->result.why, "%s: nothing to compare", v->why);
        return conclude_without(v, VERIFY_MISSING);
    }
    if (!v->outputs.kept)
        return verify_conclude(v);
    snprintf(v->result.why, sizeof v->result.why,
             "The ranks kept the launch order: nothing to compare%s%s",
             v->outputs.reason[0] ? "; they say: " : "", v->outputs.reason);
    return conclude_without(v, VERIFY_KEPT);
}

/* That an output is no file that is read here, or named in the job's command line, nor the verdict.
 * 0, or a usage status after an error message. */
static int check_output(const char *output, const struct job_run *run)
{
    struct reseat_error error;
    const struct variables *v = &run->variables;
    const char *const inputs[] = {run->profile, job_options_setting(v, "RESEAT_MAPPING"),
                                  job_options_setting(v, "RESEAT_TIMINGS"),
                                  job_options_setting(v, "RESEAT_TOPOLOGY")};
    char verdict[PATH_MAX];
    size_t words = 0;
    while (run->command[words])
        words++;
    int rc = check_output_name(output, inputs, sizeof inputs / sizeof inputs[0], &error);
    if (!rc)
        rc = check_output_name(output, (const char *const *)run->command, words, &error);
    if (!rc && output && !verdict_path(run->profile, verdict) && outputs_are_one(output, verdict))
        rc = cli_refuse(&error, "%s is for the verdict: another name is needed for the output",
                        output);
    return cli_status(rc, &error);
}

/* That what is requested can be written. 0, or an exit status after an error message. */
static int check_files(struct job_run *run)
{
    struct reseat_error error;
    struct job_options *options = &run->options;
    int status = cli_status(
        output_choose_form(&options->output, &options->html, &options->json, 0, &error), &error);
    const char *html = options->html, *json = options->json;
    if (!status)
        status = check_output(html, run);
    if (!status)
        status = check_output(json, run);
    if (!status && html && json && outputs_are_one(html, json))
        status = cli_fail(EXIT_USAGE, "--json and --html need different outputs");
    if (!status)
        status = cli_status(check_output_folder(html, &error), &error);
    return status ? status : cli_status(check_output_folder(json, &error), &error);
}

int cmd_verify(int argc, char **argv)
{
    static struct option_uses given;
    static struct verification v = {.run.options = {.runs = DEFAULT_RUNS, .given = &given}};
    int status = job_run_prepare(&v.run, argc, argv);
    if (status)
        return status;
    v.result.own_words = v.run.own_words;
    v.run.options.at_launch |= v.run.job.launcher->simulated_hosts != NULL; /* by nobody else */
    if (v.run.options.replays) /* it prints its times */
        v.run.options.output_differs = OUTPUT_DIFFERS_IGNORE;
    v.result.run = &v.run;
    v.result.words = argv;
    v.result.began = time(NULL);
    if ((status = check_files(&v.run))) {
        job_run_clean_up(&v.run);
        return status;
    }
    if ((status = job_run_place(&v.run)) || !job_run_moves(&v.run)) {
        snprintf(v.result.why, sizeof v.result.why,
                 "The job would run as it is: nothing to compare");
        if (!status)
            status = conclude_without(&v, VERIFY_UNCHANGED);
        job_run_clean_up(&v.run);
        return status;
    }
    run_outputs_open(&v.outputs, v.run.profile);
    status = verify_run(&v);
    run_outputs_close(&v.outputs);
    job_run_clean_up(&v.run);
    return status;
}
