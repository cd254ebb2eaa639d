/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.c - `reseat verify`: measure whether a job is really faster. It is run without and with
 * the better order in turn, so that changes on the machine affect both; each pair of runs gives one
 * gain, and the mean of the gains has a confidence interval (Student's t, 95 %). Times are of the
 * whole job, including launch; with placement at launch, the places are found once before all runs.
 *
 * The output with and without is compared as well (output.c): the results must be the same.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/amount.h"
#include "cmd/child.h"
#include "cmd/collector.h"
#include "cmd/job-run.h"
#include "cmd/placement.h"
#include "cmd/progress.h"
#include "cmd/reasons.h"
#include "cmd/replay.h"
#include "cmd/turn.h"
#include "cmd/verdict.h"
#include "cmd/verify.h"

enum { MOST_PAIRS = 100, DEFAULT_PAIRS = 5 };

/* All runs and their results. */
struct verification {
    struct job_run run;
    int with; /* whether the last run was with another order */
    double seconds[MOST_PAIRS][2];
    struct heard heard;
    off_t input;                   /* turn_input */
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
 * after that does not matter, since some MPIs hang there. 0, or an exit status, which is that of the
 * job unless an error message has been printed (is_said). */
static int take_replay(struct verification *v, FILE *said, int pair, int status)
{
    struct replay_result *result = &v->replayed;
    replay_read_result(&v->run.replay->program, said, result);
    if (result->is_complete) {
        v->seconds[pair][v->with] = replay_recorded_seconds(result);
        return 0;
    }
    v->is_said = !status || result->error[0];
    if (v->is_said)
        return complain(EXIT_TROUBLE, "verify", "%s",
                        result->error[0] ? result->error : "the replay has no result");
    return status;
}

/* The same, keeping its output; standard error of the first runs, and of one that fails, is passed
 * on. */
static int run_and_hear(struct verification *v, int pair)
{
    struct turn turn = {.run = &v->run,
                        .with = v->with,
                        .input = v->input,
                        .collectors = {{.end = -1}, {.end = -1}}};
    int status;
    if (collector_open(&turn.collectors[0], -1, v->heard.token) ||
        collector_open(&turn.collectors[1], pair ? -1 : STDERR_FILENO, v->heard.token))
        status = complain(EXIT_TROUBLE, "verify", "%s", strerror(errno));
    else
        status = turn_take(&turn, &v->seconds[pair][v->with]);
    for (int stream = 0; stream < 2; stream++)
        collector_close(&turn.collectors[stream]);
    if (v->run.replay && turn.collectors[0].kept)
        status = take_replay(v, turn.collectors[0].kept, pair, status);
    if (status && pair)
        turn_pass_on_errors(&turn, v->heard.token);
    if (!status && v->with && pair == 0) {
        heard_outcome(&v->heard, turn.collectors[1].kept);
        v->is_missing = !v->heard.told && job_run_is_missing(&v->run, v->why);
    }
    int is_torn = turn.collectors[0].is_torn || turn.collectors[1].is_torn;
    if (!status && !is_torn && v->run.options.output_differs != OUTPUT_DIFFERS_IGNORE &&
        heard_add(&v->heard, v->with, turn.collectors))
        status = complain(EXIT_TROUBLE, "verify", "out of memory for what the job prints");
    for (int stream = 0; stream < 2; stream++)
        collector_free(&turn.collectors[stream]);
    return status;
}

/* Make all runs, as long as they are worth it. 0, or the exit status of one that failed. */
static int measure(struct verification *v)
{
    int status = 0;
    double start = clock_now();
    for (int i = 0; i < v->run.options.pairs && !status; i++)
        for (int turn = 0; turn < 2 && !status && !v->heard.kept && !v->is_missing; turn++) {
            v->with = (i + turn) % 2; /* which one is first alternates, too */
            if (i || turn)
                progress_after_run("verify", 2 * i + turn, 2 * v->run.options.pairs,
                                   clock_now() - start);
            status = run_and_hear(v, i);
        }
    return status;
}

/* The factor for a two-sided 95 % interval with that many degrees of freedom, rounded up. */
static double student(int freedom)
{
    static const double t[] = {12.71, 4.31, 3.19, 2.78, 2.58, 2.45, 2.37, 2.31, 2.27,
                               2.23,  2.21, 2.18, 2.17, 2.15, 2.14, 2.12, 2.11, 2.11};
    int known = sizeof t / sizeof t[0];
    return t[freedom <= known ? freedom - 1 : known - 1];
}

struct gain {
    double mean, half; /* of the interval around the mean */
};

static struct gain gain_of(double seconds[MOST_PAIRS][2], int pairs)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < pairs; i++)
        sum += 1 - seconds[i][1] / seconds[i][0];
    struct gain gain = {sum / pairs, 0};
    for (int i = 0; i < pairs; i++) {
        double off = 1 - seconds[i][1] / seconds[i][0] - gain.mean;
        squares += off * off;
    }
    gain.half = student(pairs - 1) * sqrt(squares / (pairs - 1) / pairs);
    return gain;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double seconds[MOST_PAIRS][2], int pairs, int with)
{
    double sorted[MOST_PAIRS] = {0};
    for (int i = 0; i < pairs; i++)
        sorted[i] = seconds[i][with];
    qsort(sorted, (size_t)pairs, sizeof *sorted, ascending);
    return pairs % 2 ? sorted[pairs / 2] : (sorted[pairs / 2 - 1] + sorted[pairs / 2]) / 2;
}

/* 1 faster, -1 slower, 0 neither. */
static int verdict_of(struct gain gain)
{
    return (gain.mean - gain.half > 0) - (gain.mean + gain.half < 0);
}

static void print(double seconds[MOST_PAIRS][2], int pairs, char text[512])
{
    struct gain gain = gain_of(seconds, pairs);
    static const char *const verdicts[] = {"Reseat makes this job slower",
                                           "No difference could be measured",
                                           "Reseat makes this job faster"};
    snprintf(
        text, 512,
        "%s: gain %+.1f %% +- %.1f (95 %%, %d pairs), %.3g s without, %.3g s with it (medians)",
        verdicts[verdict_of(gain) + 1], 100 * gain.mean, 100 * gain.half, pairs,
        median(seconds, pairs, 0), median(seconds, pairs, 1));
    printf("%s.\n\n%-6s %14s %14s %8s\n", text, "pair", "without [s]", "with [s]", "gain");
    for (int i = 0; i < pairs; i++)
        printf("%-6d %14.4f %14.4f %+7.1f%%\n", i + 1, seconds[i][0], seconds[i][1],
               100 * (1 - seconds[i][1] / seconds[i][0]));
}

/* What the model says of the messages, beside what was measured of the job. */
static void print_prediction(const struct verification *v)
{
    struct predicted p = v->heard.predicted;
    char seconds[2][32], bytes[2][32];
    if (v->run.placed)
        placement_predicted(v->run.placed, &p);
    if (p.seconds[0] <= 0 && p.seconds[1] <= 0)
        return;
    for (int i = 0; i < 2; i++) {
        amount_seconds(p.seconds[i], seconds[i]);
        amount(p.between_nodes[i], "B", bytes[i]);
    }
    printf("\nPredicted for the messages: %s and %s between nodes without, %s and %s with it.\n",
           seconds[0], bytes[0], seconds[1], bytes[1]);
}

/* Report the result, and keep it for later runs. Returns the exit status. */
static int conclude(struct verification *v)
{
    char times[512], prints[512] = "";
    int changes = 0, differs = v->run.options.output_differs;
    if (differs != OUTPUT_DIFFERS_IGNORE)
        changes = heard_judge(&v->heard, prints);
    if (changes)
        printf("%s.\n\n", prints);
    print(v->seconds, v->run.options.pairs, times);
    print_prediction(v);
    if (!changes && prints[0])
        printf("\n%s.\n", prints);
    if (v->run.options.replays)
        puts("\nTimes are of a replay of what was recorded, without computing and without launch. "
             "The program itself may gain\nless; no verdict is kept for it.");
    int refuses = changes && differs == OUTPUT_DIFFERS_FAIL, status = 0;
    int verdict = refuses ? VERDICT_CHANGES : verdict_of(gain_of(v->seconds, v->run.options.pairs));
    if (v->run.profile && !v->run.options.replays)
        status = keep_verdict(v->run.profile, verdict, job_run_is_by_graph(&v->run),
                              refuses ? prints : times);
    return refuses ? EXIT_TROUBLE : status;
}

static int verify(struct verification *v)
{
    v->input = turn_input();
    variables_add(&v->run.variables, "RESEAT_OUTCOME", v->heard.token);
    job_run_mark(&v->run);
    int status = measure(v);
    job_run_clean_up(&v->run);
    end_if_asked();
    if (status && v->is_said)
        return status;
    if (status)
        return complain(status, "verify",
                        "the job failed %s reseat (exit status %d): nothing to compare%s",
                        v->with ? "with" : "without", status, lost_input(v->input));
    if (v->is_missing)
        return complain(0, "verify", "%s: nothing to compare", v->why);
    if (!v->heard.kept)
        return conclude(v);
    printf("The ranks kept the launch order: nothing to compare%s%s.\n",
           v->heard.reason[0] ? "; they say: " : "", v->heard.reason);
    return 0;
}

int cmd_verify(int argc, char **argv)
{
    static struct verification v = {.run.options = {.pairs = DEFAULT_PAIRS}};
    int status = job_run_prepare(&v.run, argc, argv);
    if (status)
        return status;
    if (v.run.options.replays) /* it prints its times */
        v.run.options.output_differs = OUTPUT_DIFFERS_IGNORE;
    if ((status = job_run_place(&v.run)) || !job_run_moves(&v.run)) {
        if (!status)
            puts("The job would run as it is: nothing to compare.");
        job_run_clean_up(&v.run);
        return status;
    }
    heard_open(&v.heard, v.run.profile);
    status = verify(&v);
    heard_close(&v.heard);
    return status;
}
