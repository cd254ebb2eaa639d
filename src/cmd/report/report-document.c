/* SPDX-License-Identifier: BSD-3-Clause */
/* report-document.c - see report-document.h. */
#include "cmd/report/report-document.h"

#include <math.h>
#include <stdlib.h>
#include <inttypes.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/page-parts.h"
#include "cmd/shell/profile-summary.h"
#include "cmd/report/report-sentences.h"
#include "draw/view.h"
#include "profile/gain.h"
#include "profile/message-sizes.h"
#include "profile/profile-time.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

/* ---- what was recorded ---- */

static void report_add_profile(struct document *d, const struct reseat_profile *profile, int hosts,
                               int bound)
{
    document_open(d, "profile", '{');
    document_integer(d, "ranks", (uint64_t)profile->ranks);
    page_add_headers(d, profile);
    document_number(d, "seconds", profile->microseconds ? reseat_profile_seconds(profile) : NAN);
    document_boolean(d, "has_seats", profile->seats != NULL);
    document_number(d, "hosts", profile->seats ? hosts : NAN);
    document_number(d, "bound_ranks", profile->seats ? bound : NAN);
    document_close(d);
}

/* A sum of what was recorded: an integer as long as it is exact. */
static void report_add_sum(struct document *d, const char *key, double value)
{
    if (value < 9007199254740992.0)
        document_integer(d, key, (uint64_t)value);
    else
        document_number(d, key, value);
}

/* The traffic of a phase, or domain: -1: of all. */
static void report_add_traffic(struct document *d, const struct reseat_profile *profile, int domain,
                               int phase)
{
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        struct profile_summary_amount sum;
        profile_summary_sum(&sum, profile, domain, kind, phase);
        document_open(d, reseat_traffic_name((enum reseat_traffic)kind), '{');
        report_add_sum(d, "bytes", sum.bytes);
        report_add_sum(d, "messages", sum.msgs);
        document_close(d);
    }
}

static void report_add_unseen(struct document *d, const char *what, int is_more)
{
    document_open(d, NULL, '{');
    document_boolean(d, "is_more", is_more);
    document_text(d, "text", what);
    document_close(d);
}

static void report_add_run(struct document *d, const struct reseat_profile *profile)
{
    char text[160], time[32];
    int hosts, bound, any = 0;
    int has_run = profile->seats || profile->microseconds;
    for (size_t i = 0; i < profile->headers_count; i++)
        has_run |= strcmp(profile->headers[i].key, "not_seen") != 0;
    document_boolean(d, "@has_run", has_run);
    document_open(d, "@run", '[');
    if (profile->seats && profile_summary_count_hosts(profile, &hosts, &bound) == 0) {
        snprintf(text, sizeof text, "%d host%s, %d of %d ranks bound to a core", hosts,
                 hosts == 1 ? "" : "s", bound, (int)profile->ranks);
        page_add_fact(d, "recorded on", text);
    }
    if (profile->microseconds) {
        snprintf(text, sizeof text, "%s, from MPI_Init to MPI_Finalize",
                 amount_seconds(1e-6 * (double)profile->microseconds, time));
        page_add_fact(d, "the job ran for", text);
    }
    document_close(d);
    document_open(d, "@headers", '[');
    for (size_t i = 0; i < profile->headers_count; i++)
        if (strcmp(profile->headers[i].key, "not_seen") != 0)
            page_add_fact(d, profile->headers[i].key, profile->headers[i].value);
    document_close(d);
    document_open(d, "@not_seen", '[');
    for (size_t i = 0; i < profile->headers_count; i++)
        if (strcmp(profile->headers[i].key, "not_seen") == 0)
            report_add_unseen(d, profile->headers[i].value, any++);
    document_close(d);
}

static void report_add_communicators(struct document *d, const struct reseat_profile *profile)
{
    const size_t all = profile->domains_count;
    document_number(d, "@communicators_more",
                    all > PROFILE_SUMMARY_DOMAINS ? (double)(all - PROFILE_SUMMARY_DOMAINS) : NAN);
    document_open(d, "communicators", '[');
    for (size_t i = 0; i < profile->domains_count; i++) {
        document_open(d, NULL, '{');
        document_text(d, "function", profile->domains[i].function);
        document_integer(d, "ranks", (uint64_t)profile->domains[i].size);
        document_boolean(d, "@is_shown", i < PROFILE_SUMMARY_DOMAINS);
        report_add_traffic(d, profile, (int)i, -1);
        document_close(d);
    }
    document_close(d);
}

static void report_add_phases(struct document *d, const struct reseat_profile *profile)
{
    char has[RESEAT_PHASES];
    int any = profile_summary_phases(profile, has);
    document_open(d, "phases", '[');
    for (int phase = 0; any && phase < RESEAT_PHASES; phase++) {
        if (!has[phase])
            continue;
        document_open(d, NULL, '{');
        document_integer(d, "phase", (uint64_t)phase);
        document_boolean(d, "@is_named", phase > 0 || reseat_profile_has_found_phases(profile));
        report_add_traffic(d, profile, -1, phase);
        document_close(d);
    }
    document_close(d);
}

/* The messages of a class; @bars are parts of all messages, and of all bytes. */
static void report_add_size(struct document *d, const struct message_sizes *sizes, int size,
                            const double all[2])
{
    double msgs = 0, bytes = 0;
    document_open(d, NULL, '{');
    document_integer(d, "from", message_size_least(size));
    document_integer(d, "to", message_size_most(size));
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        document_open(d, reseat_traffic_name((enum reseat_traffic)kind), '{');
        report_add_sum(d, "bytes", sizes->of[kind][size].bytes);
        report_add_sum(d, "messages", sizes->of[kind][size].msgs);
        document_close(d);
        msgs += sizes->of[kind][size].msgs;
        bytes += sizes->of[kind][size].bytes;
    }
    document_numbers(d, "@bars", 3, (double[]){1, msgs / all[0], all[1] > 0 ? bytes / all[1] : 0});
    document_close(d);
}

static void report_add_sizes(struct document *d, const struct reseat_profile *profile)
{
    struct message_sizes sizes;
    double msgs[MESSAGE_SIZES] = {0}, all[2] = {0, 0};
    message_sizes_find(&sizes, profile);
    if (!sizes.is_known) {
        document_text(d, "message_sizes", NULL);
        return;
    }
    for (int size = 0; size < MESSAGE_SIZES; size++)
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
            msgs[size] += sizes.of[kind][size].msgs;
            all[0] += sizes.of[kind][size].msgs;
            all[1] += sizes.of[kind][size].bytes;
        }
    document_open(d, "message_sizes", '[');
    for (int size = 0; size < MESSAGE_SIZES; size++)
        if (msgs[size] > 0)
            report_add_size(d, &sizes, size, all);
    document_close(d);
}

static void report_add_calls(struct document *d, const struct reseat_profile *profile)
{
    char name[PROFILE_SUMMARY_CALL];
    document_open(d, "calls", '[');
    for (size_t i = 0; i < profile->calls_count; i++) {
        const struct reseat_call_time *calls = &profile->calls[i];
        document_open(d, NULL, '{');
        document_text(d, "kind", calls->kind);
        document_text(d, "@name", profile_summary_call_name(calls, name));
        document_integer(d, "calls", calls->calls);
        document_number(d, "mean_seconds", 1e-6 * (double)calls->mean);
        document_number(d, "busiest_rank_seconds", 1e-6 * (double)calls->most);
        document_close(d);
    }
    document_close(d);
}

static void report_add_time_in_mpi(struct document *d, const struct reseat_profile *profile)
{
    struct reseat_time_in_mpi time;
    reseat_profile_time_in_mpi(&time, profile, -1);
    if (time.mean_all <= 0) {
        document_text(d, "time_in_mpi", NULL);
        return;
    }
    document_open(d, "time_in_mpi", '{');
    document_number(d, "mean_seconds", time.mean);
    document_number(d, "mean_seconds_of_job", time.mean_all);
    document_number(d, "busiest_rank_seconds", time.busiest);
    document_number(d, "most_gain_seconds", time.most_gain);
    document_boolean(d, "shared_processors", profile_summary_crowd(profile) > 0);
    document_number(d, "standard_error_seconds",
                    profile->is_sampled ? 1e-6 * (double)profile->sampling_error : NAN);
    report_add_calls(d, profile);
    document_close(d);
}

/* ---- what is predicted ---- */

static void report_add_verdict(struct document *d, const struct report *r)
{
    static const char *const verdicts[] = {"no traffic", "flat", "launch order", "gain"};
    static const char *const names[] = {"no_traffic", "flat", "launch_order", "gain"};
    const struct prediction *p = &r->by_metric;
    double of_job = reseat_worth_of_job(&r->worth);
    document_open(d, "verdict", '{');
    document_text(d, "kind", verdicts[r->verdict]);
    document_text(d, "@name", names[r->verdict]);
    document_written(d, "sentence", report_write_verdict, r);
    document_number(d, "gain", r->is_gain ? r->worth.gain : 0);
    document_number(d, "gain_of_job", r->worth.seconds[0] > 0 && of_job >= 0 ? of_job : NAN);
    document_boolean(d, "suffices_for_run", r->is_gain && reseat_worth_suffices(&r->worth));
    document_number(d, "min_gain", r->worth.min_gain);
    document_text(d, "method", r->is_gain ? p->method : "launch order");
    document_boolean(d, "local_ranks_stay", p->local.of_all.kept > 0);
    document_numbers(d, "cost", 2, (double[]){p->before.cost, p->after.cost});
    document_numbers(d, "busiest_link", 2, p->busiest[0] > 0 ? p->busiest : NULL);
    document_close(d);
}

static void report_write_pattern(FILE *file, const void *report)
{
    const struct report *r = report;
    report_pattern_write(file, &r->pattern, r->profile->ranks);
}

/* Sentences of the text and the page, empty where there is nothing to say. */
static void report_add_sentences(struct document *d, const struct report *r)
{
    document_written(d, "@option", report_options_write, &r->options);
    document_written(d, "@pattern", report_write_pattern, r);
    document_written(d, "@tile", report_pattern_write_tile, &r->pattern);
    document_written(d, "@bound", profile_summary_write_bound, r->profile);
    document_written(d, "@time", profile_summary_write_time, r->profile);
    document_written(d, "@sizes", profile_summary_write_sizes, r->profile);
    document_written(d, "@warnings", profile_summary_warn_of_variables, r->profile);
    document_written(d, "@for_machine", report_write_machine, r);
}

/* The options of launchers that come closest, as far as they gain anything. */
static void report_add_options(struct document *d, const struct report_options *options)
{
    const struct report_option *option[] = {&options->own, &options->srun};
    document_open(d, "launcher_options", '[');
    for (int i = 0; i < 2; i++) {
        if (option[i]->share <= 0)
            continue;
        document_open(d, NULL, '{');
        document_text(d, "launcher", launcher_family_name(option[i]->family));
        document_text(d, "option", option[i]->words);
        document_number(d, "share_of_gain", option[i]->share);
        document_close(d);
    }
    document_close(d);
}

static void report_add_links(struct document *d, const struct report *r, int level)
{
    const struct loads *loads = &r->bytes_on[level];
    char shape[DRAW_SHAPE_SIZE];
    struct draw_view view = {.tree = r->by_metric.tree};
    if (level == tmap_tree_depth(r->by_metric.tree) ||
        tmap_tree_shape(r->by_metric.tree, level, NULL) == TMAP_SHAPE_NONE) {
        document_text(d, "network", NULL);
        return;
    }
    draw_shape_text(&view, level, shape);
    document_open(d, "network", '{');
    document_text(d, "shape", shape);
    document_numbers(d, "hops_of_a_byte", 2, loads->hops);
    document_print(d, "@hops", loads->hops[0] == loads->hops[1] ? "%.2f" : "%.2f -> %.2f",
                   loads->hops[0], loads->hops[1]);
    document_numbers(d, "busiest_link_bytes", 2, loads->busiest);
    document_numbers(d, "mean_link_bytes", 2, loads->mean);
    document_close(d);
}

static void report_add_levels(struct document *d, const struct report *r)
{
    const struct tmap_tree *tree = r->by_metric.tree;
    const uint64_t *bytes[2] = {r->bytes.before.weight_at, r->bytes.after.weight_at};
    const uint64_t *msgs[2] = {r->msgs.before.weight_at, r->msgs.after.weight_at};
    char where[64];
    uint64_t most = 0;
    for (int level = 0; level <= tmap_tree_depth(tree); level++)
        for (int order = 0; order < 2; order++)
            most = bytes[order][level] > most ? bytes[order][level] : most;
    document_open(d, "levels", '[');
    for (int level = 0; level <= tmap_tree_depth(tree); level++) {
        const struct tmap_level *kind = tmap_tree_level(tree, level);
        document_open(d, NULL, '{');
        document_text(d, "crossing", level_crossing(tree, level, where));
        document_integer(d, "objects_below",
                         (uint64_t)tmap_tree_objects(tree, kind ? level + 1 : level));
        document_number(d, "distance", kind ? kind->cost : 0);
        document_integers(d, "bytes", 2, (uint64_t[]){bytes[0][level], bytes[1][level]});
        document_integers(d, "messages", 2, (uint64_t[]){msgs[0][level], msgs[1][level]});
        report_add_links(d, r, level);
        document_boolean(d, "@is_shown",
                         bytes[0][level] || bytes[1][level] || msgs[0][level] || msgs[1][level]);
        document_numbers(
            d, "@bars", r->is_gain ? 3 : 2,
            (double[]){(double)most, (double)bytes[0][level], (double)bytes[1][level]});
        document_close(d);
    }
    document_close(d);
}

/* ---- what it looks like ---- */

static void report_add_tile(struct document *d, const struct report_pattern *pattern)
{
    document_open(d, "tile", '{');
    document_ordinals(d, "extents", pattern->recognized.part[0].dimensions, pattern->tile);
    document_integer(d, "bytes_between_nodes", pattern->tile_crossing);
    document_close(d);
}

static void report_add_pattern(struct document *d, const struct report *r)
{
    const struct recognized *recognized = &r->pattern.recognized;
    char text[RECOGNIZE_TEXT];
    if (!recognized->parts) {
        document_text(d, "pattern", NULL);
        return;
    }
    document_open(d, "pattern", '{');
    document_open(d, "parts", '[');
    for (int i = 0; i < recognized->parts; i++) {
        document_open(d, NULL, '{');
        document_text(d, "name", recognize_text(&recognized->part[i], r->profile->ranks, text));
        document_number(d, "share", recognized->part[i].share);
        document_close(d);
    }
    document_close(d);
    if (r->pattern.has_tile)
        report_add_tile(d, &r->pattern);
    else
        document_text(d, "tile", NULL);
    document_close(d);
}

static void report_add_nodes(struct document *d, const struct report_nodes *nodes)
{
    char text[32];
    document_open(d, "nodes", '[');
    for (int32_t n = 0; n < nodes->nodes; n++) {
        document_open(d, NULL, '(');
        document_text(d, NULL, report_node_name(nodes, n, text));
        document_integer(d, NULL, nodes->bytes[0][n]);
        document_integer(d, NULL, nodes->bytes[1][n]);
        document_close(d);
    }
    document_close(d);
    document_open(d, "between_nodes", '[');
    for (size_t i = 0; i < nodes->links; i++) {
        const struct report_link *link = &nodes->link[i];
        document_integers(
            d, NULL, 4,
            (uint64_t[]){(uint64_t)link->a, (uint64_t)link->b, link->bytes[0], link->bytes[1]});
    }
    document_close(d);
    document_integer(d, "between_nodes_left_out", nodes->left_out);
}

static void report_add_pair(struct document *d, const struct report *r,
                            const struct report_pair *pair)
{
    const struct tmap_tree *tree = r->by_metric.tree;
    char where[64];
    document_open(d, NULL, '{');
    document_ordinals(d, "ranks", 2, (int32_t[]){pair->a, pair->b});
    document_integer(d, "weight", pair->weight);
    document_text(d, "crossing", level_crossing(tree, pair->level[0], where));
    document_text(d, "after", r->is_gain ? level_crossing(tree, pair->level[1], where) : NULL);
    document_integer(d, "alike", pair->alike);
    if (pair->alike)
        document_print(d, "@alike", "and %" PRIu64 " alike", pair->alike);
    else
        document_text(d, "@alike", NULL);
    document_text(d, "@traffic", pair->traffic);
    document_boolean(d, "@moves", pair->level[0] != pair->level[1]);
    document_close(d);
}

static void report_add_pairs(struct document *d, const struct report *r)
{
    document_open(d, "heaviest_pairs", '[');
    for (int i = 0; i < r->pairs; i++)
        report_add_pair(d, r, &r->heaviest[i]);
    document_close(d);
}

/* ---- all ---- */

static void report_add_all(struct document *d, const struct report *r,
                           const struct report_nodes *nodes)
{
    document_integer(d, "reseat_report", 1);
    document_boolean(d, "@is_gain", r->is_gain);
    report_add_verdict(d, r);
    report_add_sentences(d, r);
    report_add_options(d, &r->options);
    document_text(d, "unit", r->unit);
    report_add_levels(d, r);
    time_forecast_add(d, &r->forecast, reseat_worth_most(&r->worth));
    report_assumed_add(d, &r->assumed);
    report_methods_add(d, &r->methods, &r->by_metric);
    report_add_pattern(d, r);
    report_add_nodes(d, nodes);
    report_add_pairs(d, r);
    report_add_communicators(d, r->profile);
    report_add_phases(d, r->profile);
    report_add_sizes(d, r->profile);
    report_add_time_in_mpi(d, r->profile);
    report_add_run(d, r->profile);
}

int report_fill(struct document *d, const struct report *r, const struct report_nodes *nodes,
                struct reseat_error *error)
{
    int32_t *process_of = calloc((size_t)r->profile->ranks + 1, sizeof *process_of);
    int hosts = 0, bound = 0, rc = 0;
    if (!process_of || profile_summary_count_hosts(r->profile, &hosts, &bound))
        rc = reseat_fail(error, "out of memory");
    for (int32_t role = 0; rc == 0 && role < r->profile->ranks; role++)
        process_of[role] = role;
    int has_order = !r->is_gain || prediction_is_order(&r->by_metric);
    if (rc == 0 && r->is_gain && has_order)
        rc = prediction_order(&r->by_metric, process_of, error);
    if (rc == 0) {
        report_add_all(d, r, nodes);
        /* Which process, by its rank at launch, plays each role; null where a slot has several. */
        document_ordinals(d, "order", r->profile->ranks, has_order ? process_of : NULL);
        report_add_profile(d, r->profile, hosts, bound);
    }
    free(process_of);
    return rc;
}
