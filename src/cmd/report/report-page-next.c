/* SPDX-License-Identifier: BSD-3-Clause */
/* report-page-next.c - see report-page.h: what to type next. A command runs when it is pasted, or a
 * sentence below it says what has to be put into it. */
#include <string.h>

#include "cmd/report/report-page.h"
#include "cmd/report/report-sentences.h"
#include "profile/gain.h"
#include "predict/strategy.h"
#include "cmd/shell/options.h"
#include "cmd/shell/shell-word.h"
#include "cmd/shell/watched-job.h"
#include "profile/settings.h"
#include "profile/profile.h"

/* ---- texts ---- */

/* Methods that are named put all ranks at once, as run does not with many, nor the report without
 * their names. */
static void page_text_strategy(FILE *file, const struct report_page *page)
{
    const int32_t ranks = page->report->profile->ranks;
    const enum reseat_strategy asked = page->request->settings.strategy,
                               used = report_named_method(page->report)
                                          ? RESEAT_STRATEGY_GLOBAL
                                          : strategy_choose(asked, ranks);
    if (asked != RESEAT_STRATEGY_AUTO || used != strategy_choose(asked, ranks))
        fprintf(file, " --strategy %s", reseat_strategy_name(used));
}

/* With what run finds the order that is shown, also where the settings come from our environment.
 * */
static void page_text_settings(FILE *file, const struct report_page *page)
{
    const struct reseat_settings *settings = &page->request->settings;
    const int lacks = page->report->forecast.lack != NULL; /* what needs timings is not done */
    if (settings->metric_is_given && !(lacks && settings->metric == RESEAT_METRIC_TIME))
        fprintf(file, " --metric %s", reseat_metric_name(settings->metric));
    if (settings->objective != RESEAT_OBJECTIVE_COST &&
        !(lacks && settings->objective == RESEAT_OBJECTIVE_TIME))
        fprintf(file, " --objective %s", reseat_objective_name(settings->objective));
    if (settings->kind >= 0)
        fprintf(file, " --kind %s", reseat_traffic_name((enum reseat_traffic)settings->kind));
    if (settings->phase >= 0)
        fprintf(file, " --phase %d", settings->phase);
    if (settings->timings[0] && !lacks)
        option_use_print(file, &(struct option_use){"timings", settings->timings});
    if (settings->scope == RESEAT_SCOPE_GRAPH)
        fputs(" --scope graph", file);
    if (settings->keep_local != RESEAT_KEEP_LOCAL_AUTO)
        fprintf(file, " --keep-local %s",
                settings->keep_local == RESEAT_KEEP_LOCAL_YES ? "yes" : "no");
    page_text_strategy(file, page);
    if (report_named_method(page->report))
        fprintf(file, " --method %s", report_named_method(page->report));
    else if (settings->method[0])
        fprintf(file, " --method %s", settings->method);
}

static void page_text_job(FILE *file, const struct report_page *page)
{
    page_text_settings(file, page);
    fputs(" ", file);
    shell_word_print(file, page->request->path);
    fputs(" -- ", file);
    watched_job_print(file, page->report->profile);
}

/* The command; a file of switches counts in a job by a variable. */
static void page_text_command(FILE *file, const struct report_page *page, const char *command)
{
    if (page->request->topology && !page->report->machine_option) {
        fputs("RESEAT_TOPOLOGY=", file);
        shell_word_print(file, page->request->topology);
        putc(' ', file);
    }
    fprintf(file, "reseat %s", command);
    page_text_job(file, page);
}

static void page_text_run(FILE *file, const void *context)
{
    page_text_command(file, context, "run");
}

static void page_text_verify(FILE *file, const void *context)
{
    page_text_command(file, context, "verify");
}

/* Of traffic that only the command reads. */
static void page_text_profile(FILE *file, const void *context)
{
    const struct report_page *page = context;
    fprintf(file, "reseat profile -- mpirun -n %d ./app", (int)page->report->profile->ranks);
}

static void page_text_machine(FILE *file, const void *context)
{
    const struct report_page *page = context;
    report_write_machine(file, page->report);
}

/* A machine that is not the one of this page. */
static void page_text_other_machine(FILE *file, const void *context)
{
    const struct report_page *page = context;
    int ranks = (int)page->report->profile->ranks, nodes = ranks < 8 ? 2 : 4;
    char tree[64];
    for (;; nodes *= 2) {
        snprintf(tree, sizeof tree, "node:%d core:%d", nodes, (ranks + nodes - 1) / nodes);
        if (!page->request->tree || strcmp(page->request->tree, tree) != 0)
            break;
    }
    fprintf(file, "reseat report --tree \"%s\" ", tree);
    shell_word_print(file, page->request->path);
}

/* A command (NULL: none), a sentence below, which is markup, and one that is not (NULL: none). */
static void page_add_step(struct document *d, const struct report_page *page,
                          document_write_fn *command, const char *meaning, document_write_fn *note)
{
    document_open(d, NULL, '{');
    document_written(d, "command", command, page);
    document_markup(d, "meaning", meaning);
    document_written(d, "note", note, page);
    document_close(d);
}

/* The job in the order that is shown. */
static void page_add_job(struct document *d, const struct report_page *page)
{
    const struct report *r = page->report;
    document_write_fn *note = r->machine_option ? page_text_machine : NULL;
    if (!watched_job_is_known(r->profile)) {
        page_add_step(d, page, page_text_profile,
                      "Records the program, for <code>reseat run</code> and <code>verify</code> do "
                      "not read a matrix. Put your launcher and its options in the place of "
                      "mpirun, and your program in that of ./app.",
                      note);
        return;
    }
    page_add_step(d, page, page_text_run, "Runs the job with its ranks in a better order.", note);
    page_add_step(d, page, page_text_verify,
                  "Runs it both ways, in turn, and measures what the order gains.", NULL);
    if (watched_job_lack(r->profile))
        page_add_step(d, page, NULL, watched_job_lack(r->profile), NULL);
}

static void page_add_steps(struct document *d, const struct report_page *page)
{
    const struct report *r = page->report;
    int suffices = r->verdict == REPORT_GAIN && reseat_worth_suffices(&r->worth);
    if (suffices && !report_run_finds(r))
        page_add_step(d, page, NULL,
                      "<code>reseat run</code> does not look for this order: it takes one that "
                      "<code>reseat map</code> has written (its <code>--output</code>, and "
                      "<code>--mapping</code> of run).",
                      NULL);
    else if (suffices)
        page_add_job(d, page);
    else if (r->verdict == REPORT_GAIN)
        page_add_step(d, page, NULL,
                      "The gain is too small for <code>reseat run</code>: see RESEAT_MIN_GAIN.",
                      NULL);
    if (!suffices && r->profile->ranks > 2)
        page_add_step(
            d, page, page_text_other_machine,
            "What a better order would gain on another machine, here one with several nodes.",
            NULL);
    else if (r->verdict != REPORT_GAIN)
        page_add_step(d, page, NULL,
                      "Nothing: with one or two ranks no order is better than another. Record a "
                      "job with more ranks.",
                      NULL);
}

void page_add_next_steps(struct document *d, const struct report_page *page)
{
    document_open(d, "@next", '[');
    page_add_steps(d, page);
    document_close(d);
}
