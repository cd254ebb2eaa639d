/* SPDX-License-Identifier: BSD-3-Clause */
/* history.c - `reseat history`: what auto has learned, the program that ran last first. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/auto/history-document.h"
#include "cmd/auto/left-jobs.h"
#include "cmd/auto/store-jobs.h"
#include "cmd/commands.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/options.h"
#include "cmd/shell/output-file.h"
#include "cmd/shell/page-parts.h"

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
        strcmp(program_key_name(program->folder), program_key_name(asked)) == 0)
        return 1;
    if (strchr(asked, '/'))
        return realpath(asked, path) && strcmp(program->path, path) == 0;
    return strcmp(program_key_name(program->path), asked) == 0;
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
        char text[2 * HISTORY_TEXT_SIZE], when[32] = "";
        struct tm tm;
        history_summarize(&summary, list[i].job, list[i].jobs);
        history_summary_text(&summary, text, sizeof text);
        time_t latest = summary.last ? summary.last : list[i].latest;
        if (localtime_r(&latest, &tm))
            strftime(when, sizeof when, "%Y-%m-%d %H:%M", &tm);
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
