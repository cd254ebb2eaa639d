/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.c - `reseat verify`: is a job really faster? It is run without and with the better order,
 * in turn, so that what changes on the machine meanwhile hits both; each pair gives one gain, and
 * the mean of the gains has a confidence interval (Student's t, 95 %). Times are of the whole job,
 * launch included; where the places are found at launch, that is done once before all.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/child.h"
#include "cmd/cmd.h"
#include "format/lines.h"

enum { MOST_PAIRS = 100, DEFAULT_PAIRS = 5, VERDICT_LONGEST = 600 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void silence(int descriptor)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0)
        dup2(null, descriptor);
}

struct turn {
    char **command;
    int with;
    int is_heard; /* what it says on standard error */
};

static void take_turn(void *context)
{
    const struct turn *turn = context;
    silence(STDOUT_FILENO);
    if (!turn->is_heard)
        silence(STDERR_FILENO);
    _exit(run_prepared("verify", turn->command, turn->with));
}

/* One run in a process of its own, so that its environment is; the output of the program goes
 * nowhere. Returns its exit status; *seconds is how long it took. */
static int run_once(struct turn turn, double *seconds)
{
    int status = 0;
    double start = now();
    if (fork_and_wait(take_turn, &turn, &status))
        return complain(EXIT_TROUBLE, "verify", "%s", strerror(errno));
    *seconds = now() - start;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* All runs. 0, or the exit status of the one that failed, *with as it was. */
static int measure(char **command, int pairs, double seconds[MOST_PAIRS][2], int *with)
{
    int status = 0;
    for (int i = 0; i < pairs && !status; i++)
        for (int turn = 0; turn < 2 && !status; turn++) {
            *with = (i + turn) % 2; /* who is first changes too */
            status = run_once((struct turn){command, *with, i == 0}, &seconds[i][*with]);
        }
    return status;
}

/* The factor for a two-sided interval of 95 % with so many degrees of freedom, rounded up. */
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

/* ---- kept for later runs: `FILE.verdict`, a number and a line ---- */

static int verdict_path(const char *profile, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s.verdict", profile) < PATH_MAX ? 0 : -1;
}

int keep_verdict(const char *profile, int verdict, const char *text)
{
    char path[PATH_MAX], line[600];
    int size = snprintf(line, sizeof line, "%d %s\n", verdict, text);
    int status = verdict_path(profile, path) ? 0 : save_text(path, line, (size_t)size, "verify");
    return status ? complain(status, "verify", "the verdict is not kept for later runs") : 0;
}

/* A line `-1 text', which may have come with the profile from who knows where. */
static int parse_verdict(struct lines *lines, char text[512])
{
    static const char *const numbers[] = {"-1 ", "0 ", "1 "};
    int more = lines_next(lines);
    for (int i = 0; more > 0 && i < 3; i++) {
        size_t length = strlen(numbers[i]);
        if (strncmp(lines->line, numbers[i], length) == 0) {
            snprintf(text, 512, "%s", lines->line + length);
            return i - 1;
        }
    }
    if (more > 0)
        lines_fail(lines, "a line with -1, 0 or 1 and a sentence is expected");
    if (more == 0)
        reseat_fail(lines->error, "%s: is empty", lines->path);
    snprintf(text, 512, "%s", lines->error->text);
    return VERDICT_UNREAD;
}

int read_verdict(const char *profile, char text[512])
{
    char path[PATH_MAX];
    struct stat of_profile, of_verdict;
    struct reseat_error error;
    struct lines lines;
    if (verdict_path(profile, path) || stat(profile, &of_profile) || stat(path, &of_verdict) ||
        of_verdict.st_mtime < of_profile.st_mtime || !S_ISREG(of_verdict.st_mode))
        return 0;
    int verdict = VERDICT_UNREAD;
    if (lines_open(&lines, path, &error) == 0) {
        lines.most = VERDICT_LONGEST;
        verdict = parse_verdict(&lines, text);
    } else {
        snprintf(text, 512, "%s", error.text);
    }
    lines_close(&lines);
    return verdict;
}

int cmd_verify(int argc, char **argv)
{
    double seconds[MOST_PAIRS][2];
    char **command, text[512];
    int with, pairs = DEFAULT_PAIRS, status = prepare_run(argc, argv, &pairs, &command);
    if (status || (status = place_prepared("verify", command)))
        return status;
    if (!prepared_moves()) {
        puts("The job would run as it is: nothing to compare.");
        clean_up_prepared();
        return 0;
    }
    status = measure(command, pairs, seconds, &with);
    clean_up_prepared();
    end_if_asked();
    if (status)
        return complain(status, "verify",
                        "the job failed %s reseat (exit status %d): nothing to compare",
                        with ? "with" : "without", status);
    print(seconds, pairs, text);
    if (!prepared_profile())
        return 0;
    return keep_verdict(prepared_profile(), verdict_of(gain_of(seconds, pairs)), text);
}
