/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.c - `reseat replay`; see replay.h. */
#include "base/ascending.h"
#include "cmd/shell/options.h"
#include "cmd/run/replay.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/terminal.h"
#include "programs/report-lines.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/commands.h"

enum { REPLAY_REPETITIONS = 5, REPLAY_SECONDS = 10 };

/* ---- the job ---- */

int replay_prepare(struct replay_words *words, const char *profile,
                   const struct replay_options *options, const char *mpi, char **argv)
{
    struct reseat_error error;
    words->program.line = REPLAY_LINE;
    if (!realpath(profile, words->path)) /* ranks may start in another folder */
        return cli_fail(EXIT_TROUBLE, "%s: %s", profile, strerror(errno));
    snprintf(words->text[0], sizeof words->text[0], "%d", options->phase);
    snprintf(words->text[1], sizeof words->text[1], "%.17g", options->scale);
    snprintf(words->text[2], sizeof words->text[2], "%.17g", options->seconds);
    snprintf(words->text[3], sizeof words->text[3], "%.17g", options->most_scale);
    snprintf(words->text[4], sizeof words->text[4], "%d", options->repetitions);
    snprintf(words->text[5], sizeof words->text[5], "%d", options->shows_progress);
    char *arguments[] = {words->path,    words->text[0], (char *)options->way,
                         words->text[1], words->text[2], words->text[3],
                         words->text[4], words->text[5], NULL};
    return cli_status(program_prepare(&words->program, "replay", mpi, argv, arguments, &error),
                      &error);
}

/* ---- the result ---- */

static void replay_take_line(struct replay_result *result, const char *line)
{
    const char *value = line + strcspn(line, " ");
    value += *value == ' ';
    double *const pairs[] = {result->recorded, result->sent};
    if (strncmp(line, "error ", 6) == 0)
        snprintf(result->error, sizeof result->error, "%s", value);
    for (int i = 0; i < 2; i++)
        if (strncmp(line, i ? "sent " : "recorded ", i ? 5 : 9) == 0)
            sscanf(value, "%lf %lf", &pairs[i][0], &pairs[i][1]);
    if (strncmp(line, "ranks ", 6) == 0)
        result->ranks = atoi(value);
    if (strncmp(line, "scale ", 6) == 0)
        result->scale = atof(value);
    if (strncmp(line, "rounds ", 7) == 0)
        result->rounds = atof(value);
    if (strncmp(line, "seconds ", 8) == 0 && result->repetitions < REPLAY_MOST_REPETITIONS)
        result->seconds[result->repetitions++] = atof(value);
    if (strcmp(line, "end") == 0)
        result->is_complete = result->repetitions > 0 && result->scale > 0;
}

void replay_read_result(const struct program *program, FILE *said, struct replay_result *result)
{
    char room[1024];
    const char *line;
    memset(result, 0, sizeof *result);
    rewind(said);
    while ((line = program_next_line(program, said, room, sizeof room)))
        replay_take_line(result, line);
    qsort(result->seconds, (size_t)result->repetitions, sizeof result->seconds[0],
          ascending_double);
}

static double replay_median(const struct replay_result *result)
{
    int n = result->repetitions;
    return (result->seconds[(n - 1) / 2] + result->seconds[n / 2]) / 2;
}

double replay_recorded_seconds(const struct replay_result *result)
{
    return replay_median(result) / result->scale;
}

/* ---- output ---- */

static void replay_print_tsv(const struct replay_result *r)
{
    printf("ranks\t%d\nmessages\t%.0f\nbytes\t%.0f\nscale\t%.9g\nrounds\t%.0f\nrepetitions\t%d\n",
           r->ranks, r->sent[0], r->sent[1], r->scale, r->rounds, r->repetitions);
    printf("seconds\t%.9g\nseconds_low\t%.9g\nseconds_high\t%.9g\n", replay_median(r),
           r->seconds[0], r->seconds[r->repetitions - 1]);
    printf("recorded_messages\t%.0f\nrecorded_bytes\t%.0f\nrecorded_seconds\t%.9g\n",
           r->recorded[0], r->recorded[1], replay_recorded_seconds(r));
}

static void replay_print(const struct replay_result *r)
{
    char messages[32], bytes[32];
    int n = r->repetitions;
    printf("%d ranks sent %s, %s in %.4g s", r->ranks, amount(r->sent[0], "messages", messages),
           amount(r->sent[1], "B", bytes), replay_median(r));
    if (n > 1)
        printf(" (median of %d: %.4g to %.4g s)", n, r->seconds[0], r->seconds[n - 1]);
    if (r->scale != 1)
        printf("; all that was recorded, %s, would take %.4g s (scale %.4g)",
               amount(r->recorded[1], "B", bytes), replay_recorded_seconds(r), r->scale);
    puts("");
}

/* ---- the command ---- */

struct replay_command {
    struct replay_options options;
    const char *mpi;
    int tsv;
};

/* Parse options up to the first word that is none. 0, or a usage status. */
static int replay_parse(struct replay_command *c, int argc, char **argv)
{
    int seconds_given = 0;
    const struct option_target targets[] = {{"by", &c->options.way, NULL},
                                            {"scale", &c->options.scale, NULL},
                                            {"seconds", &c->options.seconds, &seconds_given},
                                            {"runs", &c->options.repetitions, NULL},
                                            {"phase", &c->options.phase, NULL},
                                            {"mpi", &c->mpi, NULL},
                                            {"tsv", &c->tsv, NULL},
                                            {NULL, NULL, NULL}};
    int status = options_parse(&(struct options){.order = "+:", .targets = targets}, argc, argv);
    if (seconds_given)
        c->options.most_scale = INFINITY;
    return status;
}

/* Run the job and print its result. */
static int replay_run(const struct replay_words *words, const struct replay_command *c)
{
    static struct replay_result result;
    FILE *said = NULL;
    int ended = program_run(&words->program, &said), status = 0;
    if (ended == -1)
        status = cli_fail(EXIT_TROUBLE, "%s", strerror(errno));
    else
        replay_read_result(&words->program, said, &result);
    if (c->options.shows_progress && !result.is_complete)
        fputs("\r\033[K", stderr); /* the line of the program about its progress */
    if (!status && result.error[0])
        status = cli_fail(EXIT_TROUBLE, "%s", result.error);
    else if (!status && !result.is_complete) {
        program_show_failure(&words->program, said, ended);
        status = EXIT_TROUBLE;
    }
    if (!status)
        c->tsv ? replay_print_tsv(&result) : replay_print(&result);
    if (said)
        fclose(said);
    return status;
}

int cmd_replay(int argc, char **argv)
{
    struct reseat_error error;
    static struct replay_words words;
    struct replay_command c = {.options = {.way = "isend",
                                           .phase = -1,
                                           .seconds = REPLAY_SECONDS,
                                           .most_scale = 1,
                                           .repetitions = REPLAY_REPETITIONS}};
    struct reseat_profile *profile;
    int status = replay_parse(&c, argc, argv);
    if (status)
        return status;
    const char *path;
    if (optind < argc && strcmp(argv[optind - 1], "--") != 0) {
        path = argv[optind++];
        status = replay_parse(&c, argc, argv);
    } else
        status = cli_status(find_default_profile(&path, &error), &error);
    if (status)
        return status;
    if (optind >= argc)
        return cli_fail(EXIT_USAGE, "what shall start it? reseat replay [FILE] -- mpirun -n ...");
    if ((status = cli_status(load_profile(&profile, path, c.options.phase, &error), &error)))
        return status;
    reseat_profile_destroy(profile);
    c.options.shows_progress = terminal_is_redrawn() && terminal_is_foreground();
    if ((status = replay_prepare(&words, path, &c.options, c.mpi, argv + optind)))
        return status;
    status = replay_run(&words, &c);
    program_free(&words.program);
    return status;
}
