/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - `reseat report`: what is requested, and in which forms the report is written. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/map.h"
#include "cmd/options.h"
#include "cmd/progress.h"
#include "cmd/report-json.h"
#include "cmd/report-nodes.h"
#include "cmd/report-numbers.h"
#include "cmd/report-page.h"
#include "cmd/report-pictures.h"
#include "cmd/report-text.h"

static void report_warn(void *context, const char *line)
{
    static const char *const names[] = {"RESEAT_METRIC=",  "RESEAT_OBJECTIVE=", "RESEAT_PHASE=",
                                        "RESEAT_SCOPE=",   "RESEAT_STRATEGY=",  "RESEAT_MIN_GAIN=",
                                        "RESEAT_TIMINGS=", "RESEAT_METHOD=",    "RESEAT_KIND="};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(line, names[i], strlen(names[i])) == 0)
            complain(0, context, "%s", line);
}

/* Read the variables that `run` would obey; options override them. */
static void report_obey_environment(struct report_request *request)
{
    char name[] = "report";
    reseat_settings_read(&request->settings, environ, report_warn, name);
    request->phase = request->settings.phase >= 0 ? getenv("RESEAT_PHASE") : NULL;
}

/* --costs overrides RESEAT_TIMINGS: by another file, or by numbers. 0, or an exit status after a
 * message. */
static int report_choose_timings(struct reseat_settings *settings, const char *costs)
{
    if (costs && !names_timings(costs))
        settings->timings[0] = '\0';
    else if (costs && strlen(costs) >= sizeof settings->timings)
        return complain(EXIT_USAGE, "report", "--costs: the name is too long");
    else if (costs)
        strcpy(settings->timings, costs);
    if (!settings->metric_is_given)
        settings->metric = settings->timings[0] ? RESEAT_METRIC_TIME : RESEAT_METRIC_SIZE;
    if (settings->metric == RESEAT_METRIC_TIME && !settings->timings[0])
        return complain(EXIT_USAGE, "report",
                        "the metric time needs the timings of a machine: --costs FILE");
    if (settings->objective == RESEAT_OBJECTIVE_TIME && !settings->timings[0])
        return complain(EXIT_USAGE, "report",
                        "the objective time needs the timings of a machine: --costs FILE");
    return 0;
}

/* Take an option that is no text. 0, or an exit status after a message. */
static int report_take_option(struct report_request *r, int letter, const char *value)
{
    switch (letter) {
    case 'v':
        r->is_table = 1;
        return 0;
    case 'k':
        return parse_kind(value, &r->settings.kind, "report");
    case 'm':
        return compare_add_words(&r->methods, "", value);
    case 'l':
        return compare_add_words(&r->methods, COMPARE_LAYOUT, value);
    case 'M':
        r->settings.metric_is_given = 1;
        return parse_time_metric(value, &r->settings.metric)
                   ? complain(EXIT_USAGE, "report",
                              "--metric takes size, msg, avg or time, not '%s'", value)
                   : 0;
    case 'O':
        return parse_objective(value, &r->settings.objective)
                   ? complain(EXIT_USAGE, "report",
                              "--objective takes cost, congestion or time, not '%s'", value)
                   : 0;
    default:
        return terminal_parse_color(value, &r->color)
                   ? complain(EXIT_USAGE, "report", "--color takes auto, always or never, not '%s'",
                              value)
                   : 0;
    }
}

/* 0, or an exit status after a message. */
static int report_parse(int argc, char **argv, struct report_request *r)
{
    int letter, status = 0;
    while (!status && (letter = options_next(argc, argv, ":")) >= 0) {
        const char **texts[128] = {
            ['t'] = &r->tree, ['T'] = &r->topology, ['c'] = &r->costs, ['P'] = &r->phase,
            ['j'] = &r->json, ['h'] = &r->html,     ['g'] = &r->svg,   ['p'] = &r->png};
        if (letter == '?' || letter == ':')
            return complain_option("report", letter, argv);
        if (texts[letter])
            *texts[letter] = optarg;
        else
            status = report_take_option(r, letter, optarg);
    }
    if (!status && optind + 1 != argc)
        return complain(EXIT_USAGE, "report", "one profile is needed: reseat report FILE");
    r->path = argv[optind];
    return status;
}

/* The methods that are to be compared. 0, or an exit status after a message. */
static int report_check_methods(struct report_request *r)
{
    int status = r->methods.count ? compare_understand_methods(&r->methods, &r->method) : 0;
    if (!status && r->methods.count > REPORT_MOST_METHODS)
        status = complain(EXIT_USAGE, "report", "up to %d methods and layouts, not %zu",
                          REPORT_MOST_METHODS, r->methods.count);
    for (size_t i = 0; !status && i < r->methods.count; i++) {
        if (strcmp(r->method[i].name, COMPARE_LAUNCH) == 0)
            status = complain(EXIT_USAGE, "report", "the launch order is in every report");
        else if (!r->method[i].layout && map_is_job_method(r->method[i].name))
            status = complain(EXIT_USAGE, "report", "the method %s is of map and compare only",
                              r->method[i].name);
    }
    return status;
}

/* That no form of the report is written over, or into, another one. 0, or an exit status after a
 * message. */
static int report_check_outputs(const struct report_request *r)
{
    const struct {
        const char *option, *path;
    } output[] = {{"tsv", r->is_table ? "-" : NULL}, {"json", r->json}, {"html", r->html}};
    const int count = sizeof output / sizeof output[0];
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            if (!output[i].path || !output[k].path ||
                !outputs_are_one(output[i].path, output[k].path))
                continue;
            if (strcmp(output[i].path, "-") == 0)
                return complain(EXIT_USAGE, "report",
                                "only one of --tsv, --json and --html can be on standard output");
            return complain(EXIT_USAGE, "report", "--%s and --%s need different files",
                            output[k].option, output[i].option);
        }
    return 0;
}

/* 0, or an exit status after a message. */
static int report_check(struct report_request *r)
{
    const char *inputs[] = {r->path, r->topology, r->costs};
    int status = check_tree(r->tree, r->topology, r->costs, "report");
    if (!status)
        status = check_output_name(r->json, inputs, 3, "report");
    if (!status)
        status = check_output_name(r->html, inputs, 3, "report");
    if (!status)
        status = report_check_methods(r);
    if (!status)
        status = report_check_outputs(r);
    if (!status)
        status = picture_folders_make(&(struct picture_folders){r->svg, r->png, "report"});
    return status ? status : report_choose_timings(&r->settings, r->costs);
}

/* What is written to a file. */
struct report_output {
    const char *path; /* NULL: it is not requested */
    char *text;       /* allocated */
    size_t size;
};

/* Make the page, or the JSON, in memory. 0, or an exit status after a message. */
static int report_make(struct report_output *output, const struct report *report,
                       const struct report_request *request, const struct report_nodes *nodes,
                       char **words)
{
    struct reseat_error error;
    FILE *memory = output->path ? open_memstream(&output->text, &output->size) : NULL;
    if (!output->path)
        return 0;
    if (!memory)
        return complain(EXIT_TROUBLE, "report", "out of memory");
    int rc = words ? report_write_page(memory, report, request, nodes, words, &error)
                   : report_write_json(memory, report, nodes, &error);
    if (fclose(memory) && rc == 0)
        rc = reseat_fail(&error, "out of memory");
    return rc ? complain(EXIT_TROUBLE, "report", "%s", error.text) : 0;
}

/* The files: all are made before the first is written. 0, or an exit status after a message. */
static int report_write_files(const struct report *report, const struct report_request *request,
                              char **words)
{
    struct report_output json = {request->json, NULL, 0}, page = {request->html, NULL, 0};
    const struct picture_folders folders = {request->svg, request->png, "report"};
    struct report_nodes nodes = {.level = 0};
    struct reseat_error error;
    progress_say("report", "making %s", request->html ? "the page" : "the files");
    int status = report_nodes_find(&nodes, report, &error)
                     ? complain(EXIT_TROUBLE, "report", "%s", error.text)
                     : 0;
    if (!status)
        status = report_make(&json, report, request, &nodes, NULL);
    if (!status)
        status = report_make(&page, report, request, &nodes, words);
    progress_end();
    if (!status && json.path)
        status = save_text(json.path, json.text, json.size, "report");
    if (!status && page.path)
        status = save_text(page.path, page.text, page.size, "report");
    if (!status && (request->svg || request->png))
        status = report_write_pictures(&folders, report, &nodes);
    free(json.text);
    free(page.text);
    report_nodes_close(&nodes);
    return status;
}

/* The text, for a person. 0, or an exit status after a message. */
static int report_print_text(const struct report *report, const struct report_request *request)
{
    struct report_blocks blocks = {.terminal = terminal_of(STDOUT_FILENO, request->color)};
    struct reseat_error error;
    int rc = blocks.terminal.columns ? blocks_open(&blocks, report, &error) : 0;
    if (rc == 0)
        report_write_text(stdout, report, &blocks);
    blocks_close(&blocks);
    return rc ? complain(EXIT_TROUBLE, "report", "%s", error.text) : 0;
}

/* Find the numbers, which takes long with many ranks. 0, or an exit status after a message. */
static int report_find(struct report *report, const struct reseat_profile *profile,
                       const struct report_request *request)
{
    struct reseat_error error;
    progress_say("report", "looking for a better order of %d ranks", (int)profile->ranks);
    int rc = report_open(report, profile, request, &error);
    progress_end();
    return rc ? complain(EXIT_TROUBLE, "report", "%s", error.text) : 0;
}

/* 0, or an exit status after a message. */
static int report_profile(const struct report_request *request, char **words)
{
    struct reseat_profile *profile = NULL;
    struct report report = {.profile = NULL};
    int status = load_profile(&profile, request->path, request->phase, "report");
    if (status)
        return status;
    if (keep_kind(profile, request->path, request->settings.kind, "report"))
        status = EXIT_TROUBLE;
    else if (report_find(&report, profile, request))
        status = EXIT_TROUBLE;
    else if (request->json || request->html || request->svg || request->png)
        status = report_write_files(&report, request, words);
    else if (!request->is_table)
        status = report_print_text(&report, request);
    if (!status && request->is_table)
        report_write_table(stdout, &report);
    report_close(&report);
    reseat_profile_destroy(profile);
    return status;
}

int cmd_report(int argc, char **argv)
{
    struct report_request request = {.methods.command = "report"};
    report_obey_environment(&request);
    int status = report_parse(argc, argv, &request);
    if (!status)
        status = report_check(&request);
    if (!status)
        status = report_profile(&request, argv);
    compare_free_words(&request.methods);
    free(request.method);
    return status;
}
