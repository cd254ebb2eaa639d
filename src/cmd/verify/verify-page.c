/* SPDX-License-Identifier: BSD-3-Clause */
/* verify-page.c - see verify-result.h: the page, and those of its values that JSON has not. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/options.h"
#include "cmd/shell/shell-word.h"
#include "cmd/shell/page-parts.h"
#include "cmd/shell/watched-job.h"
#include "cmd/verify/verify-result.h"
#include "page/frame.h"
#include "page/sources.h"
#include "profile/origin.h"

/* ---- the head ---- */

/* The program that was recorded; where no profile says it, the file of a replay, or the first word
 * of the job. Returns `text`, or a text that stays valid. */
static const char *verify_program(const struct verify_result *r,
                                  const struct reseat_profile *profile,
                                  char text[ORIGIN_TITLE_SIZE])
{
    const struct job_run *run = r->run;
    const char *program = run->options.replays ? run->profile : run->command[0];
    return profile && origin_title(profile, text) ? text : job_base_name(program);
}

static int verify_changes(const struct verify_result *r)
{
    return r->outcome == VERIFY_MEASURED && r->is_compared && r->prints.kind == RUN_OUTPUTS_CHANGES;
}

static const char *verify_class(const struct verify_result *r)
{
    if (r->outcome != VERIFY_MEASURED)
        return "same";
    return r->verdict < 0 || verify_changes(r) ? "loss" : r->verdict > 0 ? "gain" : "same";
}

/* ---- figures ---- */

static int verify_interval(FILE *file, const void *context)
{
    const struct verify_result *r = context;
    const struct verify_gain gain = r->gain;
    double least = gain.low < 0 ? gain.low : 0, most = gain.high > 0 ? gain.high : 0;
    struct draw_axis axis;
    char label[256];
    for (int i = 0; i < r->pairs; i++) {
        double one = verify_pair_gain(r->seconds[i]);
        least = one < least ? one : least;
        most = one > most ? one : most;
    }
    axis_fit(&axis, AXIS_LINEAR, least, most, 6, axis_percent);
    snprintf(label, sizeof label,
             "Gain %+.1f %%, with 95 %% confidence between %+.1f %% and %+.1f %%; the gain of each "
             "pair is in the table below",
             100 * gain.mean, 100 * gain.low, 100 * gain.high);
    page_begin_chart(file, 104, label);
    page_write_ticks(file, &axis, 4, 80);
    for (int i = 0; i < r->pairs; i++)
        page_write_dot(file, &axis,
                       &(struct page_bar){"dot", verify_pair_gain(r->seconds[i]), 0, 22, 9});
    page_write_bar(file, &axis, &(struct page_bar){"after", gain.low, gain.high, 44, 20});
    page_write_line(file, &axis, &(struct page_bar){"mean", gain.mean, 0, 40, 28});
    page_write_line(file, &axis, &(struct page_bar){"zero", 0, 0, 0, 84});
    fputs("</svg>", file);
    return 0;
}

static void verify_add_tile(struct document *d, const char *what, const double value[2],
                            const char *unit, int is_less)
{
    page_add_tile(d, &(struct page_tile){.what = what,
                                         .value = {value[0], value[1]},
                                         .unit = unit,
                                         .decimals = 1,
                                         .is_less = is_less});
}

/* A row of what was predicted beside what was measured. */
static void verify_add_prediction(struct document *d, const char *what, const double value[2],
                                  const char *unit)
{
    char text[32];
    document_open(d, NULL, '{');
    document_text(d, "what", what);
    document_numbers(d, "bars", 3,
                     (double[]){value[0] > value[1] ? value[0] : value[1], value[0], value[1]});
    document_text(d, "without", amount(value[0], unit, text));
    document_text(d, "with", amount(value[1], unit, text));
    document_number(d, "change", value[0] > 0 ? value[1] / value[0] - 1 : NAN);
    document_boolean(d, "is_less", value[0] > 0 && value[1] < value[0]);
    document_close(d);
}

/* What was measured, and what is predicted, as tiles and as rows. */
static void verify_add_figures(struct document *d, const struct verify_result *r)
{
    const int is_replay = r->run->options.replays;
    const struct predicted *p = &r->predicted;
    const double measured[2] = {1e9 * r->mean[0], 1e9 * r->mean[1]};
    const double predicted[2] = {1e9 * p->seconds[0], 1e9 * p->seconds[1]};
    const int is_predicted = predicted[0] > 0 || predicted[1] > 0;
    document_open(d, "@tiles", '[');
    if (verify_has_gain(r))
        verify_add_tile(d, is_replay ? "measured time of the replay" : "measured time of the job",
                        measured, "ns", r->verdict > 0);
    if (is_predicted)
        verify_add_tile(d, "predicted time of the messages", predicted, "ns",
                        predicted[1] < predicted[0]);
    if (is_predicted && p->between_nodes[0] > 0)
        verify_add_tile(d, "bytes between nodes", p->between_nodes, "B",
                        p->between_nodes[1] < p->between_nodes[0]);
    document_close(d);
    document_open(d, "@predictions", '[');
    if (verify_has_gain(r))
        verify_add_prediction(d, is_replay ? "the replay, measured" : "the job, measured", measured,
                              "ns");
    verify_add_prediction(d, "its messages, predicted", predicted, "ns");
    verify_add_prediction(d, "bytes between nodes", p->between_nodes, "B");
    document_close(d);
}

/* ---- what to type next ---- */

/* Returns 1 if the option `name` of verify stays in a command line that begins with `first`, a
 * command with its first options: that command has it, `first` does not, and it is not a file that
 * was written. */
static int verify_keeps_option(const char *name, const char *first)
{
    char command[16] = "", option[64];
    int size = snprintf(option, sizeof option, " --%s", name);
    const char *found = strstr(first, option);
    sscanf(first, "reseat %15s", command);
    if (strcmp(name, "html") == 0 || strcmp(name, "json") == 0 ||
        (found && (found[size] == ' ' || !found[size])))
        return 0;
    for (int i = -1; (i = options_find(command, i + 1)) >= 0;)
        if (strcmp(options_row(i)->name, name) == 0)
            return 1;
    return 0;
}

/* The command line that verify had, as far as another command has its options. */
static void verify_add_command(struct document *d, const struct verify_result *r, const char *first,
                               const char *meaning)
{
    const struct option_uses *given = r->run->options.given;
    char *line = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&line, &size);
    if (memory) {
        fputs(first, memory);
        for (size_t i = 0; i < given->count; i++)
            if (verify_keeps_option(given->use[i].name, first))
                option_use_print(memory, &given->use[i]);
        if (r->run->profile) {
            putc(' ', memory);
            shell_word_print(memory, r->run->profile);
        }
        fputs(" --", memory);
    }
    if (!memory || fclose(memory))
        d->is_short = 1;
    else
        page_add_next(d, line, r->words + r->own_words, meaning);
    free(line);
}

/* Of a replay: the job itself. */
static void verify_next_program(struct document *d, const struct verify_result *r,
                                const struct reseat_profile *profile)
{
    const char *lack = watched_job_lack(profile);
    char *line = NULL, meaning[256];
    size_t size = 0;
    FILE *memory = open_memstream(&line, &size);
    if (memory) {
        fputs("reseat verify ", memory);
        shell_word_print(memory, r->run->profile);
        fputs(" -- ", memory);
        watched_job_print(memory, profile);
    }
    if (!memory || fclose(memory))
        d->is_short = 1;
    snprintf(meaning, sizeof meaning, "Measures what the program itself gains.%s%s",
             lack ? " " : "", lack ? lack : "");
    page_add_next(d, line, NULL, meaning);
    free(line);
}

static void verify_next_measured(struct document *d, const struct verify_result *r,
                                 const struct reseat_profile *profile)
{
    char more[64];
    if (verify_changes(r)) {
        verify_add_command(d, r, "reseat verify --output-differs ignore",
                           "If you know that what differs does not matter. Else run the job as it "
                           "is: <code>reseat run</code> leaves it unchanged.");
        return;
    }
    if (r->run->options.replays && profile)
        verify_next_program(d, r, profile);
    else if (r->verdict > 0)
        verify_add_command(d, r, "reseat run", "Runs the job in the better order.");
    else if (r->verdict < 0)
        page_add_next(d, NULL, NULL,
                      "Run the job as it is: <code>reseat run</code> with this profile leaves it "
                      "unchanged from now on.");
    if (r->verdict != 0 || !verify_has_gain(r) || r->pairs == VERIFY_MOST_PAIRS)
        return;
    snprintf(more, sizeof more, "reseat verify%s --runs %d",
             r->run->options.replays ? " --replay" : "",
             4 * r->pairs < VERIFY_MOST_PAIRS ? 4 * r->pairs : VERIFY_MOST_PAIRS);
    verify_add_command(d, r, more, "More pairs, whose interval is narrower.");
}

static void verify_add_next(struct document *d, const struct verify_result *r,
                            const struct reseat_profile *profile)
{
    document_open(d, "@next", '[');
    if (r->outcome == VERIFY_MEASURED)
        verify_next_measured(d, r, profile);
    else if (r->outcome == VERIFY_UNCHANGED)
        page_add_next(d, NULL, NULL,
                      "Nothing: no better places were found, or they cannot be had. Verify said "
                      "why on standard error.");
    else
        verify_add_command(d, r, "reseat doctor", "Says why; the program is not run.");
    document_close(d);
}

/* ---- how ---- */

static void verify_add_facts(struct document *d, const struct verify_result *r)
{
    const struct job_run *run = r->run;
    char host[RESEAT_HOST_SIZE] = "", date[32];
    gethostname(host, sizeof host - 1);
    document_open(d, "@how", '[');
    page_add_fact(d, "started", page_date(r->began, date));
    page_add_fact(d, "on host", host);
    if (run->job.mpi)
        page_add_fact(d, "MPI",
                      strcmp(run->job.mpi, "openmpi") == 0   ? "Open MPI"
                      : strcmp(run->job.mpi, "abi") == 0     ? "standard ABI"
                      : strcmp(run->job.mpi, "simgrid") == 0 ? "SimGrid, simulated"
                                                             : "MPICH");
    page_add_fact(d, "the better order",
                  run->options.at_launch ? "placed by the launcher, nothing preloaded"
                                         : "by the preloaded library");
    if (run->profile)
        page_add_fact(d, "found from", run->profile);
    if (r->outcome == VERIFY_MEASURED)
        page_add_fact(d, "times",
                      run->options.replays
                          ? "of a replay of the profile, without computing and launch"
                          : "wall-clock time of the whole job, with its launch");
    document_close(d);
}

static void verify_add_variables(struct document *d, const struct job_run *run)
{
    const struct reseat_setting_row *row;
    document_open(d, "@settings", '[');
    for (int i = 0; (row = reseat_setting(i)); i++) {
        const char *value = job_options_setting(&run->variables, row->name);
        if (*value)
            page_add_fact(d, row->name, value);
    }
    document_close(d);
}

/* ---- all ---- */

void verify_fill_page(struct document *d, const struct verify_result *r,
                      const struct reseat_profile *profile)
{
    char name[ORIGIN_TITLE_SIZE];
    document_text(d, "@program", verify_program(r, profile, name));
    document_boolean(d, "@one_rank", profile && profile->ranks == 1);
    document_text(d, "@class", verify_class(r));
    document_boolean(d, "@is_measured", r->outcome == VERIFY_MEASURED);
    document_boolean(d, "@is_replay", r->run->options.replays);
    document_boolean(d, "@is_placed", r->run->options.at_launch);
    document_boolean(d, "@changes", verify_changes(r));
    if (r->outcome == VERIFY_MEASURED) {
        document_drawing(d, "@interval", verify_interval, r);
        verify_add_figures(d, r);
    }
    verify_add_next(d, r, profile);
    verify_add_facts(d, r);
    verify_add_variables(d, r->run);
}

int verify_write_page(FILE *file, const void *context)
{
    const struct document *document = context;
    const struct frame frame = {
        .kind = "verification",
        .title = "{{@program}}, without and with the better order",
        .heading = "<bdi>{{@program}}</bdi>",
        .facts = "{{?profile}}{{profile.ranks}} rank{{^@one_rank}}s{{/@one_rank}} &middot; "
                 "{{/profile}}{{?@is_measured}}{{gain.pairs}} pairs of runs &middot; "
                 "{{/@is_measured}}{{date}}",
        .body = page_verify_html,
        .style = {FRAME_SOURCE(results_css)},
        .root = &document->root,
        .formats = page_formats};
    return document->is_short ? -1 : frame_write(file, &frame);
}
