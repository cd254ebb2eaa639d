/* SPDX-License-Identifier: BSD-3-Clause */
/* verify-page.c - see verify-result.h: what the parts of src/page/verify.html are. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/options.h"
#include "cmd/shell/page-parts.h"
#include "cmd/verify/verify-result.h"
#include "page/frame.h"
#include "page/markup.h"
#include "page/sources.h"

struct verify_page {
    const struct verify_result *result;
    struct reseat_profile *profile; /* NULL: there is none, or it cannot be read any more */
    int *is_short;                  /* out of memory: something is missing */
};

static const struct verify_result *verify_of(const void *context)
{
    return ((const struct verify_page *)context)->result;
}

/* ---- the head ---- */

/* The program that was watched; where no profile says it, the first word of the job. */
static void verify_program(FILE *file, const void *context)
{
    const struct verify_page *page = context;
    const char *program = page->profile ? reseat_profile_header(page->profile, "program") : NULL;
    if (!program || !*program)
        program = page->result->run->command[0];
    const char *slash = strrchr(program, '/');
    markup_write(file, slash && slash[1] ? slash + 1 : program);
}

static void verify_facts(FILE *file, const void *context)
{
    const struct verify_page *page = context;
    const struct verify_result *r = page->result;
    char date[32];
    if (page->profile)
        fprintf(file, "%d rank%s &middot; ", (int)page->profile->ranks,
                page->profile->ranks == 1 ? "" : "s");
    if (r->outcome == VERIFY_MEASURED)
        fprintf(file, "%d pairs of runs &middot; ", r->pairs);
    fputs(page_date(r->began, date), file);
}

/* ---- the verdict ---- */

static int verify_is_measured(const void *context)
{
    return verify_of(context)->outcome == VERIFY_MEASURED;
}

static int verify_gain_is_known(const void *context)
{
    return verify_is_measured(context) && verify_has_gain(verify_of(context));
}

static int verify_is_replay(const void *context)
{
    return verify_of(context)->run->options.replays;
}

static int verify_is_job(const void *context)
{
    return !verify_is_replay(context);
}

static int verify_changes(const void *context)
{
    const struct verify_result *r = verify_of(context);
    return r->outcome == VERIFY_MEASURED && r->is_compared && r->prints.kind == RUN_OUTPUTS_CHANGES;
}

static void verify_verdict_class(FILE *file, const void *context)
{
    const struct verify_result *r = verify_of(context);
    int is_loss = r->verdict < 0 || verify_changes(context);
    if (r->outcome == VERIFY_MEASURED)
        fputs(is_loss ? "loss" : r->verdict > 0 ? "gain" : "same", file);
    else
        fputs("same", file);
}

static void verify_sentence(FILE *file, const void *context)
{
    const struct verify_result *r = verify_of(context);
    markup_write(file, r->outcome == VERIFY_MEASURED ? r->sentence : r->why);
    putc('.', file);
}

static void verify_output(FILE *file, const void *context)
{
    const struct verify_result *r = verify_of(context);
    markup_write(file, r->is_compared            ? r->prints.text
                       : r->run->options.replays ? "The output of a replay is not compared"
                                                 : "What the job prints was not compared, as "
                                                   "--output-differs ignore has it");
    putc('.', file);
}

/* ---- the interval ---- */

static void verify_interval(FILE *file, const void *context)
{
    const struct verify_result *r = verify_of(context);
    const struct verify_gain gain = r->gain;
    double low = gain.mean - gain.half, high = gain.mean + gain.half;
    double least = low < 0 ? low : 0, most = high > 0 ? high : 0;
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
             100 * gain.mean, 100 * low, 100 * high);
    page_begin_chart(file, 104, label);
    page_write_ticks(file, &axis, 4, 80);
    for (int i = 0; i < r->pairs; i++)
        page_write_dot(file, &axis,
                       &(struct page_bar){"dot", verify_pair_gain(r->seconds[i]), 0, 22, 9});
    page_write_bar(file, &axis, &(struct page_bar){"after", low, high, 44, 20});
    page_write_line(file, &axis, &(struct page_bar){"mean", gain.mean, 0, 40, 28});
    page_write_line(file, &axis, &(struct page_bar){"zero", 0, 0, 0, 84});
    fputs("</svg>", file);
}

/* ---- tiles and bars ---- */

/* Both ways as bars, one above the other. */
static void verify_write_bars(FILE *file, const double value[2], double most)
{
    static const char *const classes[] = {"before", "after"};
    struct draw_axis axis;
    axis_fit(&axis, AXIS_LINEAR, 0, most, 1, NULL);
    axis.to = most > 0 ? most : 1;
    page_begin_bars(file);
    for (int with = 0; with < 2; with++)
        page_write_bar(file, &axis,
                       &(struct page_bar){classes[with], 0, value[with], 2 + 8.0 * with, 7});
    fputs("</svg>", file);
}

/* `is_less`: it is said to be less, and not by chance. */
static void verify_write_tile(FILE *file, const char *what, const double value[2], const char *unit,
                              int is_less)
{
    page_write_tile(file, &(struct page_tile){.what = what,
                                              .value = {value[0], value[1]},
                                              .unit = unit,
                                              .decimals = 1,
                                              .is_less = is_less,
                                              .bars = verify_write_bars});
}

static int verify_has_prediction(const void *context)
{
    const struct predicted *p = &verify_of(context)->predicted;
    return p->seconds[0] > 0 || p->seconds[1] > 0;
}

static int verify_lacks_prediction(const void *context)
{
    return verify_of(context)->predicted.unknown[0] != '\0';
}

static void verify_not_predicted(FILE *file, const void *context)
{
    markup_write(file, verify_of(context)->predicted.unknown);
}

static void verify_tiles(FILE *file, const void *context)
{
    const struct verify_result *r = verify_of(context);
    const double measured[2] = {1e9 * r->median[0], 1e9 * r->median[1]};
    verify_write_tile(file,
                      r->run->options.replays ? "measured time of the replay, median"
                                              : "measured time of the job, median",
                      measured, "ns", r->verdict > 0);
    if (!verify_has_prediction(context))
        return;
    const double predicted[2] = {1e9 * r->predicted.seconds[0], 1e9 * r->predicted.seconds[1]};
    verify_write_tile(file, "predicted time of the messages", predicted, "ns",
                      predicted[1] < predicted[0]);
    if (r->predicted.between_nodes[0] > 0)
        verify_write_tile(file, "bytes between nodes", r->predicted.between_nodes, "B",
                          r->predicted.between_nodes[1] < r->predicted.between_nodes[0]);
}

/* ---- tables ---- */

static void verify_pairs(FILE *file, const void *context)
{
    const struct verify_result *r = verify_of(context);
    double most = 0;
    char text[32];
    for (int i = 0; i < r->pairs; i++)
        for (int with = 0; with < 2; with++)
            most = r->seconds[i][with] > most ? r->seconds[i][with] : most;
    for (int i = 0; i < r->pairs; i++) {
        double gain = verify_pair_gain(r->seconds[i]);
        fprintf(file, "<tr><th scope=\"row\" class=\"number\">%d</th><td class=\"wide\">", i + 1);
        verify_write_bars(file, r->seconds[i], most);
        fprintf(file,
                "</td><td class=\"number\">%.4f</td><td class=\"number\">%.4f</td><td "
                "class=\"number%s\">%s</td></tr>\n",
                r->seconds[i][0], r->seconds[i][1], gain > 0 ? " less" : "",
                verify_print_gain(gain, " %", text));
    }
}

static void verify_write_prediction(FILE *file, const char *what, const double value[2],
                                    const char *unit)
{
    char text[32];
    fprintf(file, "<tr><th scope=\"row\">%s</th><td class=\"wide\">", what);
    verify_write_bars(file, value, value[0] > value[1] ? value[0] : value[1]);
    fputs("</td>", file);
    for (int with = 0; with < 2; with++)
        fprintf(file, "<td class=\"number\">%s</td>", amount(value[with], unit, text));
    if (value[0] > 0)
        fprintf(file, "<td class=\"number%s\">%+.1f %%</td></tr>\n",
                value[1] < value[0] ? " less" : "", 100 * (value[1] / value[0] - 1));
    else
        fputs("<td class=\"number\">-</td></tr>\n", file);
}

static void verify_predictions(FILE *file, const void *context)
{
    const struct verify_result *r = verify_of(context);
    const double measured[2] = {1e9 * r->median[0], 1e9 * r->median[1]};
    const double predicted[2] = {1e9 * r->predicted.seconds[0], 1e9 * r->predicted.seconds[1]};
    verify_write_prediction(file,
                            r->run->options.replays ? "the replay, measured (median)"
                                                    : "the job, measured (median)",
                            measured, "ns");
    verify_write_prediction(file, "its messages, predicted", predicted, "ns");
    verify_write_prediction(file, "bytes between nodes", r->predicted.between_nodes, "B");
}

/* ---- what the job prints ---- */

static int verify_differs(const void *context)
{
    const struct verify_result *r = verify_of(context);
    return r->is_compared &&
           (r->prints.kind == RUN_OUTPUTS_CHANGES || r->prints.kind == RUN_OUTPUTS_SOME_DIFFER);
}

static void verify_stream(FILE *file, const void *context)
{
    fputs(verify_of(context)->prints.stream ? "standard error" : "standard output", file);
}

static void verify_lines(FILE *file, const void *context)
{
    const struct output_finding *found = &verify_of(context)->prints.found;
    const char *const line[] = {found->plain, found->ordered};
    static const char *const names[] = {"without", "in the better order"};
    for (int with = 0; with < 2; with++) {
        fprintf(file, "<tr><th scope=\"row\">%s</th><td>", names[with]);
        if (line[with][0]) {
            fputs("<code>", file);
            markup_write(file, line[with]);
            fputs("</code>", file);
        } else
            fputs("no such line", file);
        fputs("</td></tr>\n", file);
    }
}

/* ---- what to type next ---- */

/* Whether the option `name` of verify stays in a command line that begins with `first`, a command with its first options:
 * that command has it, `first` does not, and it is not a file that was written. */
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

/* Copy the words of verify's own that stay, as the parser has taken them: an option's value may look like an option.
 * Returns how many. */
static int verify_copy_own_words(const struct verify_result *r, const char *first, char **next)
{
    int kept = 0;
    optind = 1;
    while (optind < r->own_words) {
        int from = optind, letter = options_next(r->own_words, r->words, "+:");
        if (letter < 0 && optind == from)
            optind++; /* the profile, after which there may be more options */
        if (letter < 0 || verify_keeps_option(options_name("verify", letter), first))
            for (; from < optind; from++)
                next[kept++] = r->words[from];
    }
    return kept;
}

/* The command line that verify had, as far as another command has its options. */
static void verify_write_next(FILE *file, const struct verify_page *page, const char *first,
                              const char *meaning)
{
    const struct verify_result *r = page->result;
    int count = 0;
    while (r->words[count])
        count++;
    char **next = calloc((size_t)count + 1, sizeof *next);
    if (next) {
        int kept = verify_copy_own_words(r, first, next);
        memcpy(next + kept, r->words + r->own_words, sizeof *next * (size_t)(count - r->own_words));
    }
    *page->is_short |= !next || page_write_command(file, first, next, meaning);
    free(next);
}

/* Of a replay: the job itself, whose arguments the profile has without quotes. */
static void verify_next_program(FILE *file, const struct verify_page *page)
{
    const char *program = page->profile ? reseat_profile_header(page->profile, "program") : NULL;
    int has_arguments = page->profile && reseat_profile_header(page->profile, "arguments");
    char *const words[] = {(char *)page->result->run->profile,
                           (char *)"--",
                           (char *)"mpirun",
                           (char *)(program && *program ? program : "./app"),
                           (char *)(has_arguments ? "ARGUMENTS..." : NULL),
                           NULL};
    *page->is_short |= page_write_command(
        file, "reseat verify", words,
        "Measures what the program itself gains; use your own launcher and arguments.");
}

static void verify_next_measured(FILE *file, const struct verify_page *page)
{
    const struct verify_result *r = page->result;
    char more[64];
    if (verify_changes(page)) {
        verify_write_next(file, page, "reseat verify --output-differs ignore",
                          "If you know that what differs does not matter. Else run the job as it "
                          "is: <code>reseat run</code> leaves it unchanged.");
        return;
    }
    if (r->run->options.replays)
        verify_next_program(file, page);
    else if (r->verdict > 0)
        verify_write_next(file, page, "reseat run", "Runs the job in the better order.");
    else if (r->verdict < 0)
        fputs("<p>Run the job as it is: <code>reseat run</code> with this profile leaves it "
              "unchanged from now on.</p>\n",
              file);
    if (r->verdict != 0 || !verify_has_gain(r) || r->pairs == VERIFY_MOST_PAIRS)
        return;
    snprintf(more, sizeof more, "reseat verify%s --pairs %d",
             r->run->options.replays ? " --replay" : "",
             4 * r->pairs < VERIFY_MOST_PAIRS ? 4 * r->pairs : VERIFY_MOST_PAIRS);
    verify_write_next(file, page, more, "More pairs, whose interval is narrower.");
}

static void verify_next(FILE *file, const void *context)
{
    const struct verify_page *page = context;
    switch (page->result->outcome) {
    case VERIFY_MEASURED:
        verify_next_measured(file, page);
        break;
    case VERIFY_UNCHANGED:
        fputs("<p>Nothing: no better places were found, or they cannot be had. Verify said why on "
              "standard error.</p>\n",
              file);
        break;
    default:
        verify_write_next(file, page, "reseat doctor", "Says why; the program is not run.");
    }
}

/* ---- how ---- */

static void verify_fact(FILE *file, const char *key, const char *value)
{
    fputs("<dt>", file);
    markup_write(file, key);
    fputs("</dt><dd>", file);
    markup_write(file, value);
    fputs("</dd>\n", file);
}

static void verify_how(FILE *file, const void *context)
{
    const struct verify_result *r = verify_of(context);
    const struct job_run *run = r->run;
    char host[RESEAT_HOST_SIZE] = "", date[32];
    gethostname(host, sizeof host - 1);
    verify_fact(file, "started", page_date(r->began, date));
    verify_fact(file, "on host", host);
    if (run->job.mpi)
        verify_fact(file, "MPI", strcmp(run->job.mpi, "openmpi") == 0 ? "Open MPI" : "MPICH");
    verify_fact(file, "the better order",
                run->options.at_launch ? "placed by the launcher, nothing preloaded"
                                       : "by the preloaded library");
    if (run->profile)
        verify_fact(file, "found from", run->profile);
    if (r->outcome == VERIFY_MEASURED)
        verify_fact(file, "times",
                    run->options.replays
                        ? "of a replay of the profile, without computing and launch"
                        : "wall-clock time of the whole job, with its launch");
}

static void verify_job_words(FILE *file, const void *context)
{
    const struct verify_page *page = context;
    *page->is_short |= page_write_words(file, NULL, page->result->run->command) != 0;
}

static void verify_command(FILE *file, const void *context)
{
    const struct verify_page *page = context;
    *page->is_short |= page_write_words(file, "reseat", page->result->words) != 0;
}

/* The next setting from `i` on that the ranks have, with its value; NULL: no more. */
static const char *verify_setting(const struct job_run *run, int *i, const char **value)
{
    const struct reseat_setting_row *row;
    for (; (row = reseat_setting(*i)); ++*i) {
        *value = job_options_setting(&run->variables, row->name);
        if (**value)
            return row->name;
    }
    return NULL;
}

static int verify_has_settings(const void *context)
{
    const char *value;
    int i = 0;
    return verify_setting(verify_of(context)->run, &i, &value) != NULL;
}

static void verify_settings(FILE *file, const void *context)
{
    const char *name, *value;
    for (int i = 0; (name = verify_setting(verify_of(context)->run, &i, &value)); i++)
        verify_fact(file, name, value);
}

static int verify_has_profile(const void *context)
{
    const struct verify_page *page = context;
    return page->profile && page->profile->headers_count > 0;
}

static void verify_headers(FILE *file, const void *context)
{
    const struct verify_page *page = context;
    for (size_t i = 0; i < page->profile->headers_count; i++)
        verify_fact(file, page->profile->headers[i].key, page->profile->headers[i].value);
}

static void verify_json(FILE *file, const void *context)
{
    const struct verify_page *page = context;
    *page->is_short |= verify_write_json(file, page->result) != 0;
}

/* ---- all ---- */

static const struct template_part verify_parts[] = {
    {"program", verify_program, NULL},
    {"facts", verify_facts, NULL},
    {"measured", NULL, verify_is_measured},
    {"gain", NULL, verify_gain_is_known},
    {"replay", NULL, verify_is_replay},
    {"job", NULL, verify_is_job},
    {"changes", NULL, verify_changes},
    {"verdict_class", verify_verdict_class, NULL},
    {"sentence", verify_sentence, NULL},
    {"interval", verify_interval, NULL},
    {"tiles", verify_tiles, NULL},
    {"next", verify_next, NULL},
    {"pairs", verify_pairs, NULL},
    {"predicted", NULL, verify_has_prediction},
    {"unpredicted", NULL, verify_lacks_prediction},
    {"not_predicted", verify_not_predicted, NULL},
    {"predictions", verify_predictions, NULL},
    {"output", verify_output, NULL},
    {"differs", NULL, verify_differs},
    {"stream", verify_stream, NULL},
    {"lines", verify_lines, NULL},
    {"how", verify_how, NULL},
    {"job_words", verify_job_words, NULL},
    {"command", verify_command, NULL},
    {"settings", NULL, verify_has_settings},
    {"setting_rows", verify_settings, NULL},
    {"profile", NULL, verify_has_profile},
    {"headers", verify_headers, NULL},
    {"json", verify_json, NULL},
};

int verify_write_page(FILE *file, const void *context)
{
    const struct verify_result *result = context;
    int is_short = 0;
    struct reseat_error error;
    struct verify_page page = {.result = result, .is_short = &is_short};
    const struct frame frame = {.kind = "verification",
                                .title = "{{program}}, without and with the better order",
                                .heading = "<bdi>{{program}}</bdi>",
                                .facts = "{{facts}}",
                                .body = page_verify_html,
                                .style = {FRAME_SOURCE(results_css)},
                                .part = verify_parts,
                                .parts = sizeof verify_parts / sizeof verify_parts[0],
                                .context = &page};
    if (result->run->profile && reseat_profile_read(&page.profile, result->run->profile, &error))
        page.profile = NULL;
    int rc = frame_write(file, &frame);
    reseat_profile_destroy(page.profile);
    return rc || is_short ? -1 : 0;
}
