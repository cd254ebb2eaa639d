/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify-document.c - see verify-result.h; doc/verify-json.md says what the members mean,
 * src/page/verify.html shows them and those for pages alone (`@'), most of which verify-page.c
 * adds.
 */
#include <math.h>
#include <unistd.h>

#include "cmd/shell/page-parts.h"
#include "cmd/verify/verify-result.h"
#include "config.h"

enum { VERIFY_DECIMALS = 4, VERIFY_MOST_DECIMALS = 12 }; /* of seconds */

/* ---- what was measured ---- */

static const char *verify_verdict_name(const struct verify_result *r)
{
    static const char *const names[] = {"slower", "no difference", "faster"};
    static const char *const outcomes[] = {NULL, "unchanged", "kept", "missing"};
    return r->outcome == VERIFY_MEASURED ? names[r->verdict + 1] : outcomes[r->outcome];
}

static void verify_add_gain(struct document *d, const struct verify_result *r)
{
    document_open(d, "gain", '{');
    document_number(d, "mean", r->gain.mean);
    document_number(d, "low", r->gain.low);
    document_number(d, "high", r->gain.high);
    document_number(d, "confidence", 0.95);
    document_integer(d, "pairs", (uint64_t)r->pairs);
    document_close(d);
}

/* Four decimals, or as many as the shortest run has in four digits. */
static int verify_decimals(const struct verify_result *r)
{
    double least = 1;
    int decimals = VERIFY_DECIMALS;
    for (int i = 0; i < r->pairs; i++)
        for (int with = 0; with < 2; with++)
            if (r->seconds[i][with] > 0)
                least = fmin(least, r->seconds[i][with]);
    for (; least < 0.1 && decimals < VERIFY_MOST_DECIMALS; least *= 10)
        decimals++;
    return decimals;
}

static void verify_add_pairs(struct document *d, const struct verify_result *r)
{
    const int decimals = verify_decimals(r);
    double most = 0;
    char text[32];
    for (int i = 0; i < r->pairs; i++)
        for (int with = 0; with < 2; with++)
            most = r->seconds[i][with] > most ? r->seconds[i][with] : most;
    document_open(d, "pairs", '[');
    for (int i = 0; i < r->pairs; i++) {
        const double *seconds = r->seconds[i], gain = verify_pair_gain(seconds);
        document_open(d, NULL, '(');
        document_number(d, NULL, seconds[0]);
        document_number(d, NULL, seconds[1]);
        document_number(d, NULL, gain);
        document_print(d, "@without", "%.*f", decimals, seconds[0]);
        document_print(d, "@with", "%.*f", decimals, seconds[1]);
        document_text(d, "@gain", verify_print_gain(gain, text));
        document_boolean(d, "@is_less", gain > 0);
        document_boolean(d, "@is_short", decimals > VERIFY_DECIMALS);
        document_numbers(d, "@bars", 3, (double[]){most, seconds[0], seconds[1]});
        document_close(d);
    }
    document_close(d);
}

static void verify_add_predicted(struct document *d, const struct predicted *p)
{
    document_text(d, "not_predicted", p->unknown[0] ? p->unknown : NULL);
    if (p->seconds[0] <= 0 && p->seconds[1] <= 0) {
        document_text(d, "predicted", NULL);
        return;
    }
    document_open(d, "predicted", '{');
    document_numbers(d, "seconds", 2, p->seconds);
    document_numbers(d, "bytes_between_nodes", 2, p->between_nodes);
    document_close(d);
}

static void verify_add_output(struct document *d, const struct verify_result *r)
{
    static const char *const kinds[] = {"not compared", "same", "some runs differ", "other"};
    const struct run_outputs_judgement *j = &r->prints;
    if (!r->is_compared) {
        document_text(d, "output", NULL);
        return;
    }
    int differs = j->kind == RUN_OUTPUTS_SOME_DIFFER || j->kind == RUN_OUTPUTS_CHANGES;
    document_open(d, "output", '{');
    document_text(d, "kind", kinds[j->kind]);
    document_text(d, "sentence", j->text);
    document_integer(d, "runs", (uint64_t)j->runs);
    document_integer(d, "differing_runs", (uint64_t)j->found.differing);
    document_text(d, "stream", !differs ? NULL : j->stream ? "stderr" : "stdout");
    document_text(d, "line_without", differs && j->found.plain[0] ? j->found.plain : NULL);
    document_text(d, "line_with", differs && j->found.ordered[0] ? j->found.ordered : NULL);
    document_text(d, "@stream", j->stream ? "standard error" : "standard output");
    document_close(d);
}

/* ---- how ---- */

static void verify_add_settings(struct document *d, const struct job_run *run)
{
    const struct reseat_setting_row *row;
    document_open(d, "settings", '{');
    for (int i = 0; (row = reseat_setting(i)); i++) {
        const char *value = job_options_setting(&run->variables, row->name);
        if (*value)
            document_text(d, row->name, value);
    }
    document_close(d);
}

static void verify_add_profile(struct document *d, const struct verify_result *r,
                               const struct reseat_profile *profile)
{
    if (!profile) {
        document_text(d, "profile", NULL);
        return;
    }
    document_open(d, "profile", '{');
    document_text(d, "file", r->run->profile);
    document_integer(d, "ranks", (uint64_t)profile->ranks);
    page_add_headers(d, profile);
    document_close(d);
}

static void verify_add_how(struct document *d, const struct verify_result *r,
                           const struct reseat_profile *profile)
{
    const struct job_run *run = r->run;
    char host[RESEAT_HOST_SIZE] = "", date[32];
    gethostname(host, sizeof host - 1);
    document_text(d, "version", PACKAGE_VERSION);
    document_text(d, "date", page_date(r->began, date));
    document_text(d, "host", host);
    document_text(d, "mpi", run->job.mpi);
    document_text(d, "times_of", run->options.replays ? "replay" : "job");
    document_text(d, "placement", run->options.at_launch ? "launch" : "preload");
    document_texts(d, "command", r->words);
    document_texts(d, "job", run->command);
    verify_add_settings(d, run);
    verify_add_profile(d, r, profile);
}

void verify_fill(struct document *d, const struct verify_result *r)
{
    struct reseat_profile *profile = NULL;
    struct reseat_error error;
    if (r->run->profile && reseat_profile_read(&profile, r->run->profile, &error))
        profile = NULL; /* it cannot be read any more */
    document_integer(d, "reseat_verify", 1);
    document_text(d, "verdict", verify_verdict_name(r));
    document_text(d, "sentence", r->outcome == VERIFY_MEASURED ? r->sentence : r->why);
    if (r->outcome == VERIFY_MEASURED) {
        verify_add_gain(d, r);
        document_numbers(d, "mean_seconds", 2, r->mean);
        verify_add_pairs(d, r);
        verify_add_predicted(d, &r->predicted);
        verify_add_output(d, r);
    }
    verify_add_how(d, r, profile);
    verify_fill_page(d, r, profile);
    reseat_profile_destroy(profile);
}
