/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.c - `reseat compare`: methods side by side; see compare.h. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/job/child.h"
#include "cmd/compare/compare-forms.h"
#include "cmd/shell/options.h"
#include "cmd/shell/page-parts.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/load-traffic.h"
#include "cmd/shell/output-file.h"
#include "cmd/commands.h"

enum { COMPARE_RUNS = 5 };

/* What does not fit with a job, or without one. 0, or a usage status after an error message. */
static int compare_check_job(const struct compare_request *r)
{
    const char *without = r->replays ? "replay" : r->mpi ? "mpi" : r->runs ? "runs" : NULL;
    if (!r->job)
        return without ? cli_fail(EXIT_USAGE, "--%s is of a job: -- mpirun ... is needed", without)
                       : 0;
    if (!r->job[0])
        return cli_fail(EXIT_USAGE, "which job? reseat compare app.reseat -- mpirun -n 64 ./app");
    if (r->patterns.count != 1 || r->metrics.count > 1)
        return cli_fail(EXIT_USAGE, "orders of a job are of one profile, by one metric");
    return r->machines == 0 || (r->machines == 1 && !r->machine->tree)
               ? 0
               : cli_fail(EXIT_USAGE,
                          "the machine is the one that the job gets, below the switches of one "
                          "--topology at most");
}

/* 0, or an exit status after an error message. */
static int compare_parse(struct compare_request *r, int argc, char **argv)
{
    struct reseat_error error;
    const char *output = NULL;
    const struct option_target targets[] = {
        {"method", &r->methods, NULL}, {"layout", &r->methods, NULL},
        {"metric", &r->metrics, NULL}, {"effort", &r->efforts, NULL},
        {"costs", &r->costs, NULL},    {"timings", &r->timings, NULL},
        {"seed", &r->seed, NULL},      {"summary", &r->summary, NULL},
        {"svg", &r->svg, NULL},        {"png", &r->png, NULL},
        {"html", &r->html, NULL},      {"output", &output, NULL},
        {"json", &r->json, NULL},      {"mpi", &r->mpi, NULL},
        {"replay", &r->replays, NULL}, {"runs", &r->runs, NULL},
        {"tsv", &r->tsv, NULL},        {NULL, NULL, NULL}};
    argc = options_before_job(argc, argv, &r->job);
    const struct options options = {
        .order = ":", .targets = targets, .handle = compare_add_machine, .context = r};
    int status = options_parse(&options, argc, argv);
    if (!status)
        status = cli_status(output_choose_form(&output, &r->html, &r->json, 0, &error), &error);
    if (status)
        return status;
    const char *standard;
    int rc = optind < argc ? 0 : find_default_profile(&standard, &error);
    if (!rc && optind >= argc)
        rc = word_list_add(&r->patterns, NULL, standard, &error);
    for (; !rc && optind < argc; optind++)
        rc = word_list_add(&r->patterns, NULL, argv[optind], &error);
    return rc ? cli_status(rc, &error) : compare_check_job(r);
}

static int compare_check_files(const struct compare_request *r)
{
    struct reseat_error error;
    size_t count = 0;
    const char **inputs = compare_list_inputs(r, 0, &count);
    const struct named_output outputs[] = {{"tsv", r->tsv ? "-" : NULL},
                                           {"summary", r->summary},
                                           {"html", r->html},
                                           {"json", r->json}};
    int status = inputs ? cli_status(check_outputs(outputs, 4, inputs, count, &error), &error)
                        : cli_no_memory();
    free(inputs);
    return status;
}

/* The page and the JSON. 0, or -1 with *error. */
static int compare_write_forms(const struct compare_findings *findings, struct reseat_error *error)
{
    const struct compare_request *r = findings->request;
    struct document document;
    document_init(&document);
    if (r->html || r->json)
        compare_fill(&document, findings);
    int rc = page_save(r->json, page_write_json, &document, error);
    if (!rc)
        rc = page_save(r->html, compare_write_page, &document, error);
    document_free(&document);
    return rc;
}

/* What follows from the rows; of a job that was interrupted only what would be lost else. Returns
 * as above. */
static int compare_conclude(struct compare_findings *findings, const struct compare_request *r,
                            const struct compare_rows *rows)
{
    struct reseat_error error;
    int rc = compare_find(findings, r, rows) ? reseat_fail(&error, "out of memory") : 0;
    if (!rc && !rows->is_interrupted)
        rc = compare_sum_up(findings, &error);
    int status = cli_status(rc, &error);
    if (!status && !rows->is_interrupted)
        status = compare_draw(r, rows);
    if (!status)
        status = cli_status(compare_write_forms(findings, &error), &error);
    compare_free_findings(findings);
    end_if_asked();
    return status;
}

int cmd_compare(int argc, char **argv)
{
    struct compare_findings findings = {.words = argv, .began = time(NULL)};
    struct compare_request r = {.tsv = 0};
    struct compare_rows rows = {.row = NULL};
    int status = compare_parse(&r, argc, argv);
    if (!r.runs)
        r.runs = COMPARE_RUNS;
    r.is_quiet = (r.html && strcmp(r.html, "-") == 0) || (r.json && strcmp(r.json, "-") == 0);
    if (!status)
        status = compare_check_files(&r);
    if (!status)
        status = compare_resolve(&r);
    if (!status)
        status = compare_check_pictures(&r);
    if (!status)
        status = r.job ? compare_run_job(&r, &rows) : compare_all(&r, &rows);
    if (!status)
        status = compare_conclude(&findings, &r, &rows);
    end_if_asked();
    free(rows.row);
    compare_free_request(&r);
    return status;
}
