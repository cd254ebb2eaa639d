/* SPDX-License-Identifier: BSD-3-Clause */
/* verify-json.c - see verify-result.h, and doc/verify-json.md for what the members mean. */
#include <math.h>
#include <unistd.h>

#include "cmd/shell/page-parts.h"
#include "cmd/verify/verify-result.h"
#include "config.h"

static void verify_json_pair(struct json *json, const char *key, const double value[2])
{
    json_open(json, key, '(');
    json_number(json, NULL, value[0]);
    json_number(json, NULL, value[1]);
    json_close(json);
}

/* ---- what was measured ---- */

static const char *verify_verdict_name(const struct verify_result *r)
{
    static const char *const names[] = {"slower", "no difference", "faster"};
    static const char *const outcomes[] = {NULL, "unchanged", "kept", "missing"};
    return r->outcome == VERIFY_MEASURED ? names[r->verdict + 1] : outcomes[r->outcome];
}

static void verify_json_gain(struct json *json, const struct verify_result *r)
{
    json_open(json, "gain", '{');
    json_number(json, "mean", r->gain.mean);
    json_number(json, "low", r->gain.mean - r->gain.half);
    json_number(json, "high", r->gain.mean + r->gain.half);
    json_number(json, "confidence", 0.95);
    json_integer(json, "pairs", (uint64_t)r->pairs);
    json_close(json);
}

static void verify_json_pairs(struct json *json, const struct verify_result *r)
{
    json_open(json, "pairs", '[');
    for (int i = 0; i < r->pairs; i++) {
        json_open(json, NULL, '(');
        json_number(json, NULL, r->seconds[i][0]);
        json_number(json, NULL, r->seconds[i][1]);
        json_number(json, NULL, verify_pair_gain(r->seconds[i]));
        json_close(json);
    }
    json_close(json);
}

static void verify_json_predicted(struct json *json, const struct predicted *p)
{
    json_text(json, "not_predicted", p->unknown[0] ? p->unknown : NULL);
    if (p->seconds[0] <= 0 && p->seconds[1] <= 0) {
        json_text(json, "predicted", NULL);
        return;
    }
    json_open(json, "predicted", '{');
    verify_json_pair(json, "seconds", p->seconds);
    verify_json_pair(json, "bytes_between_nodes", p->between_nodes);
    json_close(json);
}

static void verify_json_output(struct json *json, const struct verify_result *r)
{
    static const char *const kinds[] = {"not compared", "same", "some runs differ", "other"};
    const struct run_outputs_judgement *j = &r->prints;
    if (!r->is_compared) {
        json_text(json, "output", NULL);
        return;
    }
    int differs = j->kind == RUN_OUTPUTS_SOME_DIFFER || j->kind == RUN_OUTPUTS_CHANGES;
    json_open(json, "output", '{');
    json_text(json, "kind", kinds[j->kind]);
    json_text(json, "sentence", j->text);
    json_integer(json, "runs", (uint64_t)j->runs);
    json_integer(json, "differing_runs", (uint64_t)j->found.differing);
    json_text(json, "stream", !differs ? NULL : j->stream ? "stderr" : "stdout");
    json_text(json, "line_without", differs && j->found.plain[0] ? j->found.plain : NULL);
    json_text(json, "line_with", differs && j->found.ordered[0] ? j->found.ordered : NULL);
    json_close(json);
}

/* ---- how ---- */

static void verify_json_settings(struct json *json, const struct job_run *run)
{
    const struct reseat_setting_row *row;
    json_open(json, "settings", '{');
    for (int i = 0; (row = reseat_setting(i)); i++) {
        const char *value = job_options_setting(&run->variables, row->name);
        if (*value)
            json_text(json, row->name, value);
    }
    json_close(json);
}

static void verify_json_profile(struct json *json, const struct verify_result *r)
{
    struct reseat_profile *profile = NULL;
    struct reseat_error error;
    if (!r->run->profile || reseat_profile_read(&profile, r->run->profile, &error)) {
        json_text(json, "profile", NULL);
        return;
    }
    json_open(json, "profile", '{');
    json_text(json, "file", r->run->profile);
    json_integer(json, "ranks", (uint64_t)profile->ranks);
    page_json_headers(json, profile);
    json_close(json);
    reseat_profile_destroy(profile);
}

static void verify_json_how(struct json *json, const struct verify_result *r)
{
    const struct job_run *run = r->run;
    char host[RESEAT_HOST_SIZE] = "", date[32];
    gethostname(host, sizeof host - 1);
    json_text(json, "version", PACKAGE_VERSION);
    json_text(json, "date", page_date(r->began, date));
    json_text(json, "host", host);
    json_text(json, "mpi", run->job.mpi);
    json_text(json, "times_of", run->options.replays ? "replay" : "job");
    json_text(json, "placement", run->options.at_launch ? "launch" : "preload");
    page_json_words(json, "command", r->words);
    page_json_words(json, "job", run->command);
    verify_json_settings(json, run);
    verify_json_profile(json, r);
}

int verify_write_json(FILE *file, const void *result)
{
    const struct verify_result *r = result;
    struct json json = {.file = file};
    json_open(&json, NULL, '{');
    json_integer(&json, "reseat_verify", 1);
    json_text(&json, "verdict", verify_verdict_name(r));
    json_text(&json, "sentence", r->outcome == VERIFY_MEASURED ? r->sentence : r->why);
    if (r->outcome == VERIFY_MEASURED) {
        verify_json_gain(&json, r);
        verify_json_pair(&json, "median_seconds", r->median);
        verify_json_pairs(&json, r);
        verify_json_predicted(&json, &r->predicted);
        verify_json_output(&json, r);
    }
    verify_json_how(&json, r);
    json_close(&json);
    return 0;
}
