/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - `reseat report`: what is requested, and in which forms the report is written. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/map/map.h"
#include "cmd/shell/options.h"
#include "cmd/shell/progress.h"
#include "cmd/report/report-change.h"
#include "cmd/report/report-document.h"
#include "cmd/report/report-nodes.h"
#include "cmd/report/report-numbers.h"
#include "cmd/report/report-page.h"
#include "cmd/report/report-pictures.h"
#include "cmd/report/report-blocks.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/output-file.h"
#include "cmd/shell/machine-load.h"
#include "cmd/shell/page-parts.h"
#include "cmd/commands.h"
#include "page/sources.h"
#include "profile/settings.h"
#include "profile/profile.h"

static void report_warn(void *context, const char *line)
{
    static const char *const names[] = {
        "RESEAT_METRIC=",   "RESEAT_OBJECTIVE=", "RESEAT_PHASE=",   "RESEAT_SCOPE=",
        "RESEAT_STRATEGY=", "RESEAT_MIN_GAIN=",  "RESEAT_TIMINGS=", "RESEAT_METHOD=",
        "RESEAT_KIND=",     "RESEAT_KEEP_LOCAL="};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(line, names[i], strlen(names[i])) == 0)
            cli_fail(0, "%s", line);
    (void)context;
}

/* Read the variables that `run` would obey; options override them. */
static void report_apply_environment(struct report_request *request)
{
    reseat_settings_read(&request->settings, environ, report_warn, NULL);
}

/* --timings overrides RESEAT_TIMINGS, and --costs and --network mean none. 0, or an exit status
 * after a message. */
static int report_choose_timings(struct reseat_settings *settings, const struct report_request *r)
{
    if (r->timings && strlen(r->timings) >= sizeof settings->timings)
        return cli_fail(EXIT_USAGE, "--timings: the name is too long");
    if (r->timings || r->costs || r->network)
        strcpy(settings->timings, r->timings ? r->timings : "");
    if (!settings->metric_is_given)
        settings->metric = settings->timings[0] ? RESEAT_METRIC_TIME : RESEAT_METRIC_SIZE;
    if (settings->metric == RESEAT_METRIC_TIME && !settings->timings[0])
        return cli_fail(EXIT_USAGE,
                        "the metric time needs the timings of a machine: --timings FILE");
    if (settings->objective == RESEAT_OBJECTIVE_TIME && !settings->timings[0])
        return cli_fail(EXIT_USAGE,
                        "the objective time needs the timings of a machine: --timings FILE");
    return 0;
}

/* 0, or an exit status after a message. */
static int report_parse(int argc, char **argv, struct report_request *r)
{
    struct reseat_error error;
    const struct option_target targets[] = {
        {"tree", &r->tree, NULL},
        {"topology", &r->topology, NULL},
        {"costs", &r->costs, NULL},
        {"timings", &r->timings, NULL},
        {"network", &r->network, NULL},
        {"phase", &r->settings.phase, NULL},
        {"kind", &r->settings.kind, NULL},
        {"metric", &r->settings.metric, &r->settings.metric_is_given},
        {"objective", &r->settings.objective, NULL},
        {"keep-local", &r->settings.keep_local, NULL},
        {"method", &r->methods, NULL},
        {"layout", &r->methods, NULL},
        {"json", &r->json, NULL},
        {"html", &r->html, NULL},
        {"output", &r->output, NULL},
        {"svg", &r->svg, NULL},
        {"png", &r->png, NULL},
        {"color", &r->color, NULL},
        {"tsv", &r->is_table, NULL},
        {NULL, NULL, NULL}};
    int status = options_parse(&(struct options){.order = ":", .targets = targets}, argc, argv);
    if (!status)
        status = cli_status(output_choose_form(&r->output, &r->html, &r->json, 1, &error), &error);
    if (status || optind == argc)
        return status ? status : cli_status(find_default_profile(&r->path, &error), &error);
    r->path = argv[optind++];
    r->other = optind < argc ? argv[optind++] : NULL;
    return optind < argc ? cli_fail(EXIT_USAGE,
                                    "one profile, or two to be compared: reseat report FILE [FILE]")
                         : 0;
}

/* The methods that are to be compared. 0, or an exit status after a message. */
static int report_check_methods(struct report_request *r)
{
    int status = r->methods.count ? method_list_resolve(&r->methods, &r->method) : 0;
    if (!status && r->methods.count > REPORT_MOST_METHODS)
        status = cli_fail(EXIT_USAGE, "up to %d methods and layouts, not %zu", REPORT_MOST_METHODS,
                          r->methods.count);
    for (size_t i = 0; !status && i < r->methods.count; i++) {
        if (strcmp(r->method[i].name, METHOD_LAUNCH) == 0)
            status = cli_fail(EXIT_USAGE, "the launch order is in every report");
        else if (!r->method[i].layout && map_is_job_method(r->method[i].name))
            status =
                cli_fail(EXIT_USAGE, "the method %s is of map and compare only", r->method[i].name);
    }
    return status;
}

/* That no form of the report is written over, or into, another one. 0, or an exit status after a
 * message. */
static int report_check_outputs(const struct report_request *r)
{
    const struct {
        const char *option, *path;
    } output[] = {{"tsv", r->is_table ? "-" : NULL},
                  {"json", r->json},
                  {"html", r->html},
                  {"output", r->output}};
    const int count = sizeof output / sizeof output[0];
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            if (!output[i].path || !output[k].path ||
                !outputs_are_one(output[i].path, output[k].path))
                continue;
            if (strcmp(output[i].path, "-") == 0)
                return cli_fail(EXIT_USAGE,
                                "only one of --tsv, --json and --html can be on standard output");
            return cli_fail(EXIT_USAGE, "--%s and --%s need different files", output[k].option,
                            output[i].option);
        }
    return 0;
}

/* 0, or an exit status after a message. */
static int report_check(struct report_request *r)
{
    struct reseat_error error;
    const char *inputs[] = {r->path, r->topology, r->settings.timings, r->other};
    int status = cli_status(check_tree(r->tree, r->costs, &error), &error);
    if (!status)
        status = report_choose_timings(&r->settings, r);
    if (!status)
        status = cli_status(check_output_name(r->json, inputs, 4, &error), &error);
    if (!status)
        status = cli_status(check_output_name(r->html, inputs, 4, &error), &error);
    if (!status)
        status = cli_status(check_output_name(r->output, inputs, 4, &error), &error);
    if (!status && r->other && (r->methods.count || r->svg || r->png || r->output || r->network))
        status = cli_fail(EXIT_USAGE, "--%s is of one profile, not of two",
                          r->methods.count ? "method"
                          : r->network     ? "network"
                          : r->output      ? "output"
                          : r->svg         ? "svg"
                                           : "png");
    if (!status)
        status = report_check_methods(r);
    return status ? status : report_check_outputs(r);
}

/* What is written of one profile, or of two. */
struct report_source {
    const struct report_request *request;
    const struct report *report; /* NULL: of two */
    const struct report_change *change;
    char **words; /* of the command line */
    struct report_nodes nodes;
    struct document document;
};

/* What the forms are made of. 0, or -1 with *error. */
static int report_fill_document(struct report_source *s, struct reseat_error *error)
{
    if (!s->change)
        return report_fill(&s->document, s->report, &s->nodes, error);
    change_fill(&s->document, s->change, &s->nodes);
    return 0;
}

static int report_write_form(FILE *file, struct report_source *s, int is_page,
                             struct reseat_error *error)
{
    if (s->document.is_short)
        return reseat_fail(error, "out of memory");
    if (!is_page)
        return document_write_json(file, &s->document);
    return s->change ? change_write_page(file, &s->document, s->change, &s->nodes, s->words, error)
                     : report_write_page(file, &s->document, s->report, s->request, &s->nodes,
                                         s->words, error);
}

/* Make the page, or the JSON, in memory. 0, or an exit status after a message. */
static int report_make(struct made_text *made, struct report_source *s, int is_page)
{
    struct reseat_error error;
    int rc = made_text_open(made, &error);
    if (rc == 0)
        rc = made_text_end(made, report_write_form(made->file, s, is_page, &error), &error);
    return cli_status(rc, &error);
}

/* ---- text ---- */

/* Pictures for the text. */
struct report_blocks_source {
    struct report_blocks blocks;
    const struct report *report;
};

static int report_draw_maps(FILE *file, const void *context)
{
    const struct report_blocks_source *source = context;
    blocks_write_maps(file, &source->blocks, source->report);
    return 0;
}

static int report_draw_bars(FILE *file, const void *context)
{
    const struct report_blocks_source *source = context;
    blocks_write_bars(file, &source->blocks, source->report);
    return 0;
}

/* For a person at a terminal, with pictures where it can show them. 0, or an exit status after a
 * message. */
static int report_print_text(struct report_source *s)
{
    struct report_blocks_source source = {
        .blocks.terminal = terminal_of(STDOUT_FILENO, s->request->color), .report = s->report};
    struct reseat_error error;
    int rc = source.blocks.terminal.columns ? blocks_open(&source.blocks, s->report, &error) : 0;
    document_drawing(&s->document, "@maps", report_draw_maps, &source);
    document_drawing(&s->document, "@bars", report_draw_bars, &source);
    if (!rc)
        rc = page_write_result(&s->document, NULL, page_report_txt, &error);
    blocks_close(&source.blocks);
    return cli_status(rc, &error);
}

/* ---- all forms ---- */

static int report_has_files(const struct report_request *request)
{
    return request->json || request->html || request->svg || request->png || request->output;
}

/* The files, all of which are made before the first is written; a table; or the text. 0, or an exit
 * status after a message. */
static int report_write_forms(struct report_source *s)
{
    const struct report_request *request = s->request;
    struct made_text json = {.text = NULL}, page = {.text = NULL};
    const struct picture_folders folders = {.svg = request->svg, .png = request->png};
    struct reseat_error error;
    progress_say("making %s", request->html ? "the page" : "the files");
    document_init(&s->document);
    int status = cli_status(
        report_nodes_find(&s->nodes, s->change ? s->change->report[0] : s->report, &error) ||
            report_fill_document(s, &error),
        &error);
    if (!status && request->json)
        status = report_make(&json, s, 0);
    if (!status && request->html)
        status = report_make(&page, s, 1);
    progress_end();
    if (!status && request->json)
        status = cli_status(save_text(request->json, json.text, json.size, &error), &error);
    if (!status && request->html)
        status = cli_status(save_text(request->html, page.text, page.size, &error), &error);
    if (!status && s->report && (request->svg || request->png))
        status = report_write_pictures(&folders, s->report, &s->nodes);
    const char *source = request->is_table ? s->change ? page_change_tsv : page_report_tsv
                         : s->change       ? page_change_txt
                                           : NULL;
    if (!status && request->output)
        status = report_write_map(
            request->output, output_ends(request->output, ".svg") ? picture_as_svg : picture_as_png,
            s->report, &s->nodes);
    if (!status && (request->is_table || !report_has_files(request)))
        status = source ? cli_status(page_write_result(&s->document, NULL, source, &error), &error)
                        : report_print_text(s);
    free(json.text);
    free(page.text);
    document_free(&s->document);
    report_nodes_close(&s->nodes);
    return status;
}

/* Find the numbers, which takes long with many ranks. 0, or an exit status after a message. */
static int report_find(struct report *report, const struct reseat_profile *profile,
                       const struct report_request *request)
{
    struct reseat_error error;
    progress_say("looking for a better order of %d ranks", (int)profile->ranks);
    int rc = report_open(report, profile, request, &error);
    progress_end();
    return cli_status(rc, &error);
}

/* Read a profile, with what is requested of its traffic. 0, or an exit status after a message. */
static int report_load(struct reseat_profile **profile, const char *path,
                       const struct report_request *request)
{
    struct reseat_error error;
    const struct traffic_part part = {request->settings.metric, request->settings.phase,
                                      request->settings.kind, 0};
    return cli_status(load_part(profile, path, &part, &error), &error);
}

/* 0, or an exit status after a message. */
static int report_make_folders(const struct report_request *r)
{
    struct reseat_error error;
    const char *const other[] = {r->path, r->topology, r->settings.timings,
                                 r->json, r->html,     r->output};
    return cli_status(
        picture_folders_make(
            &(struct picture_folders){r->svg, r->png, other, sizeof other / sizeof other[0]},
            &error),
        &error);
}

/* 0, or an exit status after a message. */
static int report_profile(const struct report_request *request, char **words)
{
    struct reseat_profile *profile = NULL;
    struct report report = {.profile = NULL};
    struct report_source source = {.request = request, .report = &report, .words = words};
    int status = report_load(&profile, request->path, request);
    if (!status)
        status = report_make_folders(request);
    if (!status)
        status = report_find(&report, profile, request);
    if (!status)
        status = report_write_forms(&source);
    report_close(&report);
    reseat_profile_destroy(profile);
    return status;
}

/* Write what changed in the forms that are requested. 0, or an exit status after a message. */
static int report_write_change(const struct report_request *request, const struct report *report,
                               char **words)
{
    struct report_change change = {.path = {request->path, request->other}};
    struct report_source source = {.request = request, .change = &change, .words = words};
    struct reseat_error error;
    return change_find(&change, &report[0], &report[1], &error) ? cli_status(-1, &error)
                                                                : report_write_forms(&source);
}

/* Two profiles, on the machine of the first. 0, or an exit status after a message. */
static int report_two(const struct report_request *request, char **words)
{
    struct reseat_profile *profile[2] = {NULL, NULL};
    struct report report[2] = {{.profile = NULL}, {.profile = NULL}};
    struct report_request second = *request;
    int status = report_load(&profile[0], request->path, request);
    if (!status)
        status = report_load(&profile[1], request->other, request);
    if (!status && profile[0]->ranks != profile[1]->ranks)
        status =
            cli_fail(EXIT_TROUBLE, "%s has %d ranks, %s has %d: only as many can be compared",
                     request->path, (int)profile[0]->ranks, request->other, (int)profile[1]->ranks);
    if (!status)
        status = report_find(&report[0], profile[0], request);
    second.seats_of = profile[0];
    if (!status)
        status = report_find(&report[1], profile[1], &second);
    if (!status)
        status = report_write_change(request, report, words);
    for (int i = 0; i < 2; i++) {
        report_close(&report[i]);
        reseat_profile_destroy(profile[i]);
    }
    return status;
}

int cmd_report(int argc, char **argv)
{
    struct report_request request = {.methods.count = 0};
    report_apply_environment(&request);
    int status = report_parse(argc, argv, &request);
    if (!status)
        status = report_check(&request);
    if (!status)
        status = request.other ? report_two(&request, argv) : report_profile(&request, argv);
    word_list_free(&request.methods);
    free(request.method);
    return status;
}
