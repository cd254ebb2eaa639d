/* SPDX-License-Identifier: BSD-3-Clause */
/* report-json.c - see report-json.h. */
#include "cmd/report/report-json.h"

#include <math.h>
#include <stdlib.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/page-parts.h"
#include "cmd/shell/profile-summary.h"
#include "cmd/report/report-text.h"
#include "draw/view.h"
#include "profile/gain.h"
#include "profile/profile-time.h"
#include "page/json.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

static void json_pair(struct json *json, const char *key, double before, double after)
{
    json_open(json, key, '(');
    json_number(json, NULL, before);
    json_number(json, NULL, after);
    json_close(json);
}

static void json_counts(struct json *json, const char *key, uint64_t before, uint64_t after)
{
    json_open(json, key, '(');
    json_integer(json, NULL, before);
    json_integer(json, NULL, after);
    json_close(json);
}

/* ---- what was recorded ---- */

static void json_profile(struct json *json, const struct reseat_profile *profile, int hosts,
                         int bound)
{
    json_open(json, "profile", '{');
    json_integer(json, "ranks", (uint64_t)profile->ranks);
    page_json_headers(json, profile);
    json_number(json, "seconds", profile->microseconds ? reseat_profile_seconds(profile) : NAN);
    json_boolean(json, "has_seats", profile->seats != NULL);
    json_number(json, "hosts", profile->seats ? hosts : NAN);
    json_number(json, "bound_ranks", profile->seats ? bound : NAN);
    json_close(json);
}

/* A sum of what was recorded: an integer as long as it is exact. */
static void json_sum(struct json *json, const char *key, double value)
{
    if (value < 9007199254740992.0)
        json_integer(json, key, (uint64_t)value);
    else
        json_number(json, key, value);
}

/* The traffic of a phase, or domain: -1: of all. */
static void json_traffic(struct json *json, const struct reseat_profile *profile, int domain,
                         int phase)
{
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        struct profile_summary_amount sum;
        profile_summary_sum(&sum, profile, domain, kind, phase);
        json_open(json, reseat_traffic_name((enum reseat_traffic)kind), '{');
        json_sum(json, "bytes", sum.bytes);
        json_sum(json, "messages", sum.msgs);
        json_close(json);
    }
}

static void json_communicators(struct json *json, const struct reseat_profile *profile)
{
    json_open(json, "communicators", '[');
    for (size_t i = 0; i < profile->domains_count; i++) {
        json_open(json, NULL, '{');
        json_text(json, "function", profile->domains[i].function);
        json_integer(json, "ranks", (uint64_t)profile->domains[i].size);
        json_traffic(json, profile, (int)i, -1);
        json_close(json);
    }
    json_close(json);
}

static void json_phases(struct json *json, const struct reseat_profile *profile)
{
    char has[RESEAT_PHASES];
    int any = profile_summary_phases(profile, has);
    json_open(json, "phases", '[');
    for (int phase = 0; any && phase < RESEAT_PHASES; phase++) {
        if (!has[phase])
            continue;
        json_open(json, NULL, '{');
        json_integer(json, "phase", (uint64_t)phase);
        json_traffic(json, profile, -1, phase);
        json_close(json);
    }
    json_close(json);
}

static void json_time_in_mpi(struct json *json, const struct reseat_profile *profile)
{
    struct reseat_time_in_mpi time;
    reseat_profile_time_in_mpi(&time, profile, -1);
    if (time.mean_all <= 0) {
        json_text(json, "time_in_mpi", NULL);
        return;
    }
    json_open(json, "time_in_mpi", '{');
    json_number(json, "mean_seconds", time.mean);
    json_number(json, "mean_seconds_of_job", time.mean_all);
    json_number(json, "busiest_rank_seconds", time.busiest);
    json_number(json, "most_gain_seconds", time.most_gain);
    json_boolean(json, "shared_processors", profile_summary_crowd(profile) > 0);
    json_close(json);
}

/* ---- what is predicted ---- */

static void json_verdict(struct json *json, const struct report *r, const char *sentence)
{
    static const char *const verdicts[] = {"no traffic", "flat", "launch order", "gain"};
    const struct prediction *p = &r->by_metric;
    double of_job = reseat_worth_of_job(&r->worth);
    json_open(json, "verdict", '{');
    json_text(json, "kind", verdicts[r->verdict]);
    json_text(json, "sentence", sentence);
    json_number(json, "gain", r->is_gain ? r->worth.gain : 0);
    json_number(json, "gain_of_job", r->worth.seconds[0] > 0 && of_job >= 0 ? of_job : NAN);
    json_boolean(json, "suffices_for_run", r->is_gain && reseat_worth_suffices(&r->worth));
    json_number(json, "min_gain", r->worth.min_gain);
    json_text(json, "method", r->is_gain ? p->method : "launch order");
    json_pair(json, "cost", p->before.cost, p->after.cost);
    if (p->busiest[0] > 0)
        json_pair(json, "busiest_link", p->busiest[0], p->busiest[1]);
    else
        json_text(json, "busiest_link", NULL);
    json_close(json);
}

/* The options of launchers that come closest, as far as they gain anything. */
static void json_options(struct json *json, const struct report_options *options)
{
    const struct report_option *option[] = {&options->own, &options->srun};
    json_open(json, "launcher_options", '[');
    for (int i = 0; i < 2; i++) {
        if (option[i]->share <= 0)
            continue;
        json_open(json, NULL, '{');
        json_text(json, "launcher", launcher_family_name(option[i]->family));
        json_text(json, "option", option[i]->words);
        json_number(json, "share_of_gain", option[i]->share);
        json_close(json);
    }
    json_close(json);
}

static void json_links(struct json *json, const struct report *r, int level)
{
    const struct loads *loads = &r->bytes_on[level];
    char shape[DRAW_SHAPE_SIZE];
    struct draw_view view = {.tree = r->by_metric.tree};
    if (level == tmap_tree_depth(r->by_metric.tree) ||
        tmap_tree_shape(r->by_metric.tree, level, NULL) == TMAP_SHAPE_NONE) {
        json_text(json, "network", NULL);
        return;
    }
    draw_shape_text(&view, level, shape);
    json_open(json, "network", '{');
    json_text(json, "shape", shape);
    json_pair(json, "hops_of_a_byte", loads->hops[0], loads->hops[1]);
    json_pair(json, "busiest_link_bytes", loads->busiest[0], loads->busiest[1]);
    json_pair(json, "mean_link_bytes", loads->mean[0], loads->mean[1]);
    json_close(json);
}

static void json_levels(struct json *json, const struct report *r)
{
    const struct tmap_tree *tree = r->by_metric.tree;
    char where[64];
    json_open(json, "levels", '[');
    for (int level = 0; level <= tmap_tree_depth(tree); level++) {
        const struct tmap_level *kind = tmap_tree_level(tree, level);
        json_open(json, NULL, '{');
        json_text(json, "crossing", level_crossing(tree, level, where));
        json_integer(json, "objects_below",
                     (uint64_t)tmap_tree_objects(tree, kind ? level + 1 : level));
        json_number(json, "distance", kind ? kind->cost : 0);
        json_counts(json, "bytes", r->bytes.before.weight_at[level],
                    r->bytes.after.weight_at[level]);
        json_counts(json, "messages", r->msgs.before.weight_at[level],
                    r->msgs.after.weight_at[level]);
        json_links(json, r, level);
        json_close(json);
    }
    json_close(json);
}

static void json_seconds(struct json *json, const struct report *r)
{
    const struct time_estimate *s = r->forecast.seconds;
    json_text(json, "timings_lack", r->forecast.lack);
    if (!r->forecast.timings) {
        json_text(json, "predicted_seconds", NULL);
        return;
    }
    json_open(json, "predicted_seconds", '{');
    json_pair(json, "estimate", s[0].estimate, s[1].estimate);
    json_pair(json, "least", s[0].least, s[1].least);
    json_pair(json, "most", s[0].most, s[1].most);
    json_text(json, "longest", time_resource_name(time_longest_resource(&s[1])));
    double most = reseat_worth_most(&r->worth);
    json_number(json, "most_gain", most >= 0 ? most : NAN);
    json_close(json);
}

/* ---- what it looks like ---- */

static void json_tile(struct json *json, const struct report_pattern *pattern)
{
    json_open(json, "tile", '{');
    json_open(json, "extents", '(');
    for (int d = 0; d < pattern->recognized.part[0].dimensions; d++)
        json_integer(json, NULL, (uint64_t)pattern->tile[d]);
    json_close(json);
    json_integer(json, "bytes_between_nodes", pattern->tile_crossing);
    json_close(json);
}

static void json_pattern(struct json *json, const struct report *r)
{
    const struct recognized *recognized = &r->pattern.recognized;
    char text[RECOGNIZE_TEXT];
    if (!recognized->parts) {
        json_text(json, "pattern", NULL);
        return;
    }
    json_open(json, "pattern", '{');
    json_open(json, "parts", '[');
    for (int i = 0; i < recognized->parts; i++) {
        json_open(json, NULL, '{');
        json_text(json, "name", recognize_text(&recognized->part[i], r->profile->ranks, text));
        json_number(json, "share", recognized->part[i].share);
        json_close(json);
    }
    json_close(json);
    if (r->pattern.has_tile)
        json_tile(json, &r->pattern);
    else
        json_text(json, "tile", NULL);
    json_close(json);
}

static void json_nodes(struct json *json, const struct report_nodes *nodes)
{
    char text[32];
    json_open(json, "nodes", '[');
    for (int32_t n = 0; n < nodes->nodes; n++) {
        json_open(json, NULL, '(');
        json_text(json, NULL, report_node_name(nodes, n, text));
        json_integer(json, NULL, nodes->bytes[0][n]);
        json_integer(json, NULL, nodes->bytes[1][n]);
        json_close(json);
    }
    json_close(json);
    json_open(json, "between_nodes", '[');
    for (size_t i = 0; i < nodes->links; i++) {
        json_open(json, NULL, '(');
        json_integer(json, NULL, (uint64_t)nodes->link[i].a);
        json_integer(json, NULL, (uint64_t)nodes->link[i].b);
        json_integer(json, NULL, nodes->link[i].bytes[0]);
        json_integer(json, NULL, nodes->link[i].bytes[1]);
        json_close(json);
    }
    json_close(json);
    json_integer(json, "between_nodes_left_out", nodes->left_out);
}

static void json_pairs(struct json *json, const struct report *r)
{
    char where[64];
    json_open(json, "heaviest_pairs", '[');
    for (int i = 0; i < r->pairs; i++) {
        json_open(json, NULL, '{');
        json_counts(json, "ranks", (uint64_t)r->heaviest[i].a, (uint64_t)r->heaviest[i].b);
        json_integer(json, "weight", r->heaviest[i].weight);
        json_text(json, "crossing", level_crossing(r->by_metric.tree, r->heaviest[i].level, where));
        json_close(json);
    }
    json_close(json);
}

/* Which process, by its rank at launch, plays each role; null where a slot has several. */
static void json_order(struct json *json, const struct report *r, const int32_t *process_of)
{
    if (!process_of) {
        json_text(json, "order", NULL);
        return;
    }
    json_open(json, "order", '(');
    for (int32_t role = 0; role < r->profile->ranks; role++)
        json_integer(json, NULL, (uint64_t)process_of[role]);
    json_close(json);
}

/* ---- all ---- */

static void json_sentence(FILE *file, const void *context)
{
    report_write_verdict(file, context);
}

static void json_all(struct json *json, const struct report *r, const struct report_nodes *nodes,
                     const char *sentence)
{
    json_integer(json, "reseat_report", 1);
    json_verdict(json, r, sentence);
    json_options(json, &r->options);
    json_text(json, "unit", r->unit);
    json_levels(json, r);
    json_seconds(json, r);
    report_methods_write_json(json, &r->methods, &r->by_metric);
    json_pattern(json, r);
    json_nodes(json, nodes);
    json_pairs(json, r);
    json_communicators(json, r->profile);
    json_phases(json, r->profile);
    json_time_in_mpi(json, r->profile);
}

int report_write_json(FILE *file, const struct report *r, const struct report_nodes *nodes,
                      struct reseat_error *error)
{
    struct json json = {.file = file};
    int32_t *process_of = calloc((size_t)r->profile->ranks + 1, sizeof *process_of);
    char *sentence = page_line(json_sentence, r);
    int hosts = 0, bound = 0, rc = 0;
    if (!process_of || !sentence || profile_summary_count_hosts(r->profile, &hosts, &bound))
        rc = reseat_fail(error, "out of memory");
    for (int32_t role = 0; rc == 0 && role < r->profile->ranks; role++)
        process_of[role] = role;
    int has_order = !r->is_gain || prediction_is_order(&r->by_metric);
    if (rc == 0 && r->is_gain && has_order)
        rc = prediction_order(&r->by_metric, process_of, error);
    if (rc == 0) {
        json_open(&json, NULL, '{');
        json_all(&json, r, nodes, sentence);
        json_order(&json, r, has_order ? process_of : NULL);
        json_profile(&json, r->profile, hosts, bound);
        json_close(&json);
    }
    free(process_of);
    free(sentence);
    return rc;
}
