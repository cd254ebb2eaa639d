/* SPDX-License-Identifier: BSD-3-Clause */
/* history.c - `reseat history`: what auto has learned, the program that ran last first; as lines, a
 * page (src/page/history.html) or JSON. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/auto/left-jobs.h"
#include "cmd/auto/store-jobs.h"
#include "cmd/commands.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/options.h"
#include "cmd/shell/output-file.h"
#include "cmd/shell/page-parts.h"
#include "config.h"
#include "page/frame.h"
#include "page/sources.h"
#include "text/printable.h"

/* ---- names ---- */

static const char *history_mpi(const struct stored_program *program)
{
    return strcmp(program->mpi, "openmpi") == 0 ? "Open MPI"
           : strcmp(program->mpi, "mpich") == 0 ? "MPICH"
                                                : program->mpi;
}

/* "heat on 16 ranks, Open MPI: 100 200" */
static void history_write_name(FILE *file, const void *context)
{
    const struct stored_program *program = context;
    printable_print(file, program->path[0] ? job_base_name(program->path) : "?");
    if (program->ranks)
        fprintf(file, " on %d rank%s", program->ranks, program->ranks == 1 ? "" : "s");
    fputs(", ", file);
    printable_print(file, history_mpi(program));
    if (!program->arguments)
        fputs(", any arguments", file);
    else if (program->arguments[0])
        fputs(": ", file);
    if (program->arguments)
        printable_print(file, program->arguments);
}

static void history_write_sentence(FILE *file, const void *context)
{
    const struct history_summary *summary = context;
    char text[2 * HISTORY_TEXT_SIZE];
    history_summary_text(summary, text, sizeof text);
    fputs(text, file);
}

static const char *history_verdict_name(enum history_reason verdict)
{
    return verdict == HISTORY_GAINS      ? "better order"
           : verdict == HISTORY_DROPPED  ? "launch order"
           : verdict == HISTORY_NOT_SURE ? "not sure"
                                         : "not known";
}

/* ---- values ---- */

/* A time that is not known is null. */
static void history_add_time(struct document *d, const char *key, time_t when)
{
    char date[32];
    document_text(d, key, when ? page_date(when, date) : NULL);
}

static void history_add_gain(struct document *d, const struct history_summary *summary)
{
    const struct history_gain *gain = &summary->gain;
    const int has_interval = isfinite(gain->high) && isfinite(gain->change);
    document_open(d, "gain", '{');
    document_integer(d, "launch_jobs", gain->launch_jobs);
    document_integer(d, "better_jobs", gain->better_jobs);
    document_number(d, "launch_seconds", gain->launch_seconds);
    document_number(d, "better_seconds", gain->better_seconds);
    document_number(d, "change", gain->change);
    document_number(d, "low", has_interval ? gain->low : NAN);
    document_number(d, "high", has_interval ? gain->high : NAN);
    document_boolean(d, "earlier", summary->is_earlier);
    document_number(d, "confidence", 0.95);
    document_close(d);
}

/* The hosts as words, between which a line may break. */
static void history_add_hosts(struct document *d, const char *hosts)
{
    char words[2 * HISTORY_HOSTS_SIZE];
    size_t length = 0;
    for (; *hosts && length < sizeof words - 2; hosts++) {
        words[length++] = *hosts;
        if (*hosts == ',')
            words[length++] = ' ';
    }
    words[length] = '\0';
    document_text(d, "@hosts", words);
}

static void history_add_job(struct document *d, const struct past_job *job, double longest)
{
    const double bars[] = {longest, job->order ? 0 : job->seconds, job->order ? job->seconds : 0};
    document_open(d, NULL, '{');
    history_add_time(d, "when", job->when);
    document_text(d, "order", job->order ? "better" : "launch");
    document_number(d, "seconds", job->seconds);
    document_number(d, "seconds_in_mpi", job->seconds_in_mpi);
    document_number(d, "predicted", job->predicted);
    document_integer(d, "nodes", (uint64_t)job->nodes);
    document_integer(d, "cores", (uint64_t)job->cores);
    document_text(d, "hosts", job->hosts);
    history_add_hosts(d, job->hosts);
    document_number(d, "status", job->status < 0 ? NAN : job->status);
    document_numbers(d, "@bars", 3, bars);
    document_boolean(d, "@failed", job->status != 0);
    document_close(d);
}

/* The jobs, the latest first. */
static void history_add_jobs(struct document *d, const struct stored_program *program)
{
    double longest = 0;
    for (size_t i = 0; i < program->jobs; i++)
        longest = program->job[i].seconds > longest ? program->job[i].seconds : longest;
    document_open(d, "jobs", '[');
    for (size_t i = program->jobs; i > 0; i--)
        history_add_job(d, &program->job[i - 1], longest);
    document_close(d);
}

static void history_add_program(struct document *d, const struct stored_program *program)
{
    struct history_summary summary;
    history_summarize(&summary, program->job, program->jobs);
    document_open(d, NULL, '{');
    document_text(d, "program", program->path);
    document_text(d, "arguments", program->arguments);
    document_integer(d, "ranks", (uint64_t)program->ranks);
    document_text(d, "mpi", program->mpi);
    document_text(d, "file", program->build);
    document_text(d, "folder", program->folder);
    document_written(d, "@name", history_write_name, program);
    document_written(d, "sentence", history_write_sentence, &summary);
    document_text(d, "verdict", history_verdict_name(summary.verdict));
    document_integer(d, "failed_jobs", summary.failed);
    document_integer(d, "better_jobs", summary.better_jobs);
    document_number(d, "share_in_mpi", summary.in_mpi);
    history_add_gain(d, &summary);
    history_add_jobs(d, program);
    document_close(d);
}

/* Fill it with programs whose jobs have been read (doc/history-json.md). `words` are those of the
 * command line. */
static void history_fill(struct document *d, const struct stored_program *list, size_t count,
                         const char *store, char *const *words)
{
    char date[32];
    document_integer(d, "reseat_history", 1);
    document_text(d, "version", PACKAGE_VERSION);
    document_text(d, "date", page_date(time(NULL), date));
    document_text(d, "store", store);
    document_texts(d, "command", words);
    page_add_count(d, "@programs", count, "program");
    document_open(d, "programs", '[');
    for (size_t i = 0; i < count; i++)
        history_add_program(d, &list[i]);
    document_close(d);
}

static int history_write_page(FILE *file, const void *context)
{
    const struct document *document = context;
    const struct frame frame = {.kind = "history",
                                .title = "What reseat auto has learned",
                                .heading = "What <code>reseat auto</code> has learned",
                                .facts = "{{@programs}} &middot; {{date}}",
                                .body = page_history_html,
                                .style = {FRAME_SOURCE(results_css)},
                                .root = &document->root,
                                .formats = page_formats};
    return document->is_short ? -1 : frame_write(file, &frame);
}

/* ---- the command ---- */

struct history_request {
    const char *html, *json; /* files to write; NULL: not given */
    int forgets;
    const char *program; /* NULL: all */
};

/* Returns 1 if a program is the one that is asked for: by its path, the name of its file, or that
 * of its folder in the store. */
static int history_is_asked(const struct stored_program *program, const char *asked)
{
    char path[PATH_MAX];
    if (!asked || strcmp(program->path, asked) == 0 ||
        strcmp(job_base_name(program->folder), job_base_name(asked)) == 0)
        return 1;
    if (strchr(asked, '/'))
        return realpath(asked, path) && strcmp(program->path, path) == 0;
    return strcmp(job_base_name(program->path), asked) == 0;
}

/* Keep those that are asked for. Returns how many. */
static size_t history_choose(struct stored_program *list, size_t count, const char *asked)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (history_is_asked(&list[i], asked))
            list[kept++] = list[i];
        else
            stored_program_free(&list[i]);
    return kept;
}

static void history_print(const struct stored_program *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct history_summary summary;
        char text[2 * HISTORY_TEXT_SIZE], when[32];
        history_summarize(&summary, list[i].job, list[i].jobs);
        history_summary_text(&summary, text, sizeof text);
        page_date(summary.last ? summary.last : list[i].latest, when);
        history_write_name(stdout, &list[i]);
        printf("\n  %s  %s\n", when, text);
    }
}

/* In the forms that are asked for. 0, or an exit status after a message. */
static int history_write(const struct history_request *request, const struct stored_program *list,
                         size_t count, const char *store, char *const *words)
{
    struct reseat_error error;
    struct document document;
    if (!request->html && !request->json) {
        if (!count)
            puts("nothing has been learned yet: reseat auto -- mpirun ... is what learns");
        history_print(list, count);
        return 0;
    }
    document_init(&document);
    history_fill(&document, list, count, store, words);
    int rc = page_save(request->html, history_write_page, &document, &error);
    if (!rc)
        rc = page_save(request->json, page_write_json, &document, &error);
    document_free(&document);
    return cli_status(rc, &error);
}

/* Remove the programs. 0, or an exit status after a message. */
static int history_forget(const struct stored_program *list, size_t count)
{
    struct reseat_error error;
    int status = 0;
    for (size_t i = 0; i < count; i++)
        if (store_forget(&list[i], &error))
            status = cli_status(-1, &error);
    return status;
}

/* 0, or an exit status after a message. */
static int history_parse(struct history_request *r, int argc, char **argv)
{
    const char *output = NULL;
    struct reseat_error error;
    const struct option_target targets[] = {{"output", &output, NULL},
                                            {"html", &r->html, NULL},
                                            {"json", &r->json, NULL},
                                            {"forget", &r->forgets, NULL},
                                            {NULL, NULL, NULL}};
    int status = options_parse(&(struct options){.order = ":", .targets = targets}, argc, argv);
    if (!status && optind + 1 < argc)
        return cli_fail(EXIT_USAGE, "one program at most: reseat history [PROGRAM]");
    if (!status)
        status = cli_status(output_choose_form(&output, &r->html, &r->json, 0, &error), &error);
    if (!status && r->html && r->json && outputs_are_one(r->html, r->json))
        return cli_fail(EXIT_USAGE, "--html and --json need different files");
    r->program = argv[optind];
    return status;
}

int cmd_history(int argc, char **argv)
{
    struct history_request request = {.program = NULL};
    struct stored_program *list = NULL;
    struct reseat_error error;
    char store[PATH_MAX];
    size_t count = 0;
    int status = history_parse(&request, argc, argv);
    if (status)
        return status;
    if (store_find(store, &error) || store_list(&list, &count, store, &error))
        return cli_status(-1, &error);
    count = history_choose(list, count, request.program);
    for (size_t i = 0; !status && i < count; i++) {
        left_jobs_take_in(&list[i], store);
        if (store_read_jobs(&list[i], &error))
            status = cli_status(-1, &error);
    }
    if (!status && !count && request.program)
        status = cli_fail(EXIT_TROUBLE, "nothing is known of %s", request.program);
    else if (!status && request.forgets)
        status = history_forget(list, count);
    else if (!status)
        status = history_write(&request, list, count, store, argv);
    for (size_t i = 0; i < count; i++)
        stored_program_free(&list[i]);
    free(list);
    return status;
}
