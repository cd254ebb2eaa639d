/* SPDX-License-Identifier: BSD-3-Clause */
/* report-numbers.c - see report-numbers.h. */
#include "cmd/report/report-numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/processors.h"
#include "profile/gain.h"
#include "network/leaf.h"
#include "profile/profile-time.h"
#include "predict/strategy.h"
#include "cmd/shell/amount.h"
#include "cmd/shell/machine-load.h"
#include "cmd/shell/profile-seats.h"
#include "profile/settings.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

static const double LEAST_GAIN = 0.005;

/* ---- the machine ---- */

/* The seats that were recorded, below the switches of a file if there is one. */
static int numbers_set_seats(struct report *r, const struct report_request *request,
                             struct reseat_error *error)
{
    return seats_locations(r->seats_of, request->topology, &r->locations, &r->network, error) ||
                   prediction_set_locations(&r->by_metric, r->locations, &r->network, error) ||
                   (request->costs && set_costs(&r->by_metric.tree, request->costs, error))
               ? -1
               : 0;
}

/* The locations of the ranks, if the tree's levels are such as a job can have; else NULL. */
static int numbers_find_locations(struct report *r, const struct tmap_tree *tree,
                                  struct reseat_error *error)
{
    int32_t ranks = r->profile->ranks;
    r->locations = malloc(((size_t)ranks + 1) * sizeof *r->locations);
    if (!r->locations)
        return reseat_fail(error, "out of memory");
    int rc = reseat_leaf_locations(r->locations, &r->network, tree, ranks, error);
    if (rc) {
        free(r->locations);
        r->locations = NULL;
    }
    return rc < 0 ? -1 : 0;
}

/* Local ranks stay on the nodes of a tree, or on a machine that is one node, as they would
 * there. */
static int numbers_keep_local(struct report *r, const struct report_request *request,
                              struct reseat_error *error)
{
    int32_t ranks = r->profile->ranks;
    int accelerators = request->tree ? -1 : machine_accelerators(request->topology);
    if (tmap_tree_slots(r->by_metric.tree) != ranks || (!r->locations && accelerators < 0))
        return 0;
    if (r->locations)
        return prediction_keep_local(&r->by_metric, r->locations, error);
    struct reseat_location *one_node = calloc((size_t)ranks + 1, sizeof *one_node);
    if (!one_node)
        return reseat_fail(error, "out of memory");
    one_node[0].accelerators = accelerators;
    int rc = prediction_keep_local(&r->by_metric, one_node, error);
    free(one_node);
    return rc;
}

/* The requested tree, with rank r on slot r. */
static int numbers_set_tree(struct report *r, const struct report_request *request,
                            struct reseat_error *error)
{
    struct tmap_tree *tree = NULL;
    if (load_tree(&tree, NULL, request->tree, request->topology, request->costs, error))
        return -1;
    prediction_set_tree(&r->by_metric, tree, NULL);
    if (!request->tree && !request->topology && tmap_tree_capacity(tree) < r->profile->ranks)
        return reseat_fail(error,
                           "%d ranks, but this machine takes %lld: name another one by --tree or "
                           "--topology",
                           (int)r->profile->ranks, (long long)tmap_tree_capacity(tree));
    r->is_part = tmap_tree_slots(tree) > r->profile->ranks;
    if (request->tree && numbers_find_locations(r, tree, error))
        return -1;
    return prediction_launch_in_order(&r->by_metric, error) || numbers_keep_local(r, request, error)
               ? -1
               : 0;
}

/* With few ranks, starting a thread takes longer than what it would do. */
enum { WORTH_THREADS = 1024, MOST_THREADS = 8 };

/* As many as there are processors for them. */
static int numbers_threads(int32_t ranks)
{
    int count = ranks < WORTH_THREADS ? 1 : processors_allowed();
    return count < MOST_THREADS ? count : MOST_THREADS;
}

static int numbers_find_order(struct report *r, const struct report_request *wanted,
                              struct reseat_error *error)
{
    const struct reseat_settings *settings = &wanted->settings;
    const int32_t ranks = tmap_matrix_roles(r->by_metric.matrix);
    struct prediction_request request = prediction_of_run(settings);
    request.threads = numbers_threads(ranks);
    if (wanted->methods.count)
        return report_methods_find(
            &r->methods, &r->by_metric, &r->forecast,
            &(struct report_methods_request){wanted->method, wanted->methods.count, request},
            error);
    enum reseat_strategy strategy = strategy_choose(settings->strategy, ranks);
    if (!r->locations)
        strategy = RESEAT_STRATEGY_GLOBAL;
    return strategy_find(&r->by_metric, strategy, r->locations, &r->network, &request, error);
}

/* ---- what crosses the levels ---- */

/* What the links of levels with a shape carry in both orders. */
static int numbers_find_loads(const struct report *r, const struct tmap_matrix *matrix,
                              struct loads *loads, struct reseat_error *error)
{
    int failed = 0;
    for (int level = 0; level < tmap_tree_depth(r->by_metric.tree) && !failed; level++)
        if (tmap_tree_shape(r->by_metric.tree, level, NULL) != TMAP_SHAPE_NONE)
            failed = loads_find(&r->by_metric, matrix, level, &loads[level], error);
    return failed;
}

/* Count bytes and messages in both orders. */
static int numbers_find_crossings(struct report *r, enum reseat_metric metric,
                                  struct reseat_error *error)
{
    struct tmap_matrix *msgs = NULL;
    r->sent = r->by_metric.matrix;
    r->owns_sent = metric != RESEAT_METRIC_SIZE;
    if (r->owns_sent) {
        r->sent = NULL;
        if (prediction_load_matrix(&r->sent, r->profile, RESEAT_METRIC_SIZE, error))
            return -1;
    }
    int failed =
        prediction_compare(&r->by_metric, r->sent, &r->bytes.before, &r->bytes.after, error) ||
        prediction_load_matrix(&msgs, r->profile, RESEAT_METRIC_MSG, error) ||
        prediction_compare(&r->by_metric, msgs, &r->msgs.before, &r->msgs.after, error);
    tmap_matrix_destroy(msgs);
    return failed || numbers_find_loads(r, r->sent, r->bytes_on, error) ||
           numbers_find_loads(r, r->by_metric.matrix, r->metric_on, error);
}

/* ---- the verdict ---- */

const char *report_named_method(const struct report *r)
{
    return r->methods.count ? r->methods.method[r->methods.shown].name : NULL;
}

int report_run_finds(const struct report *r)
{
    const char *wanted = report_named_method(r), *name = NULL;
    int found = !wanted;
    for (int i = 0; !found && tmap_method_describe(i, &name, NULL); i++)
        found = strcmp(name, wanted) == 0;
    return found && r->verdict == REPORT_GAIN && reseat_worth_suffices(&r->worth);
}

int report_amount_changes(const struct report *r, int level)
{
    return r->by_metric.before.weight_at[level] != r->by_metric.after.weight_at[level];
}

static int numbers_first_change(const struct report *r)
{
    int level = 0;
    while (level < tmap_tree_depth(r->by_metric.tree) && !report_amount_changes(r, level) &&
           r->metric_on[level].hops[0] == r->metric_on[level].hops[1])
        level++;
    return level;
}

double report_relief(const struct report *r)
{
    return reseat_gain(r->by_metric.busiest[0], r->by_metric.busiest[1]);
}

double report_more_messages(const struct report *r)
{
    return reseat_more_messages(r->msgs.before.weight_at[r->first_change],
                                r->msgs.after.weight_at[r->first_change]);
}

/* An order that gains next to nothing is dropped; then everything is about the launch order. */
static void numbers_keep_launch_order(struct report *r)
{
    r->is_gain = r->worth.gain >= LEAST_GAIN;
    if (!r->forecast.timings)
        r->is_gain = report_relief(r) >= LEAST_GAIN ||
                     (r->is_gain && r->first_change < tmap_tree_depth(r->by_metric.tree));
    if (r->is_gain)
        return;
    r->by_metric.after = r->by_metric.before;
    r->by_metric.busiest[1] = r->by_metric.busiest[0];
    r->bytes.after = r->bytes.before;
    r->msgs.after = r->msgs.before;
    r->forecast.seconds[1] = r->forecast.seconds[0];
    for (int level = 0; level < TMAP_MAX_LEVELS; level++) {
        struct loads *loads = &r->bytes_on[level];
        loads->busiest[1] = loads->busiest[0];
        loads->mean[1] = loads->mean[0];
        loads->hops[1] = loads->hops[0];
    }
}

/* Whether all pairs of ranks are equally far from each other; nothing can be gained then. */
static int numbers_is_flat(const struct report *r)
{
    const struct tmap_tree *tree = r->by_metric.tree;
    int levels = 0, shapes = 0;
    for (int level = 0; level < tmap_tree_depth(tree); level++) {
        levels += tmap_tree_objects(tree, level + 1) > tmap_tree_objects(tree, level);
        shapes += tmap_tree_shape(tree, level, NULL) != TMAP_SHAPE_NONE;
    }
    return levels < 2 && shapes == 0 && r->by_metric.before.cost <= r->by_metric.after.cost;
}

static void numbers_judge(struct report *r)
{
    r->worth.gain = time_forecast_gain(&r->forecast, &r->by_metric);
    for (int i = 0; i < 2; i++)
        r->worth.seconds[i] = r->forecast.seconds[i].estimate;
    r->first_change = numbers_first_change(r);
    numbers_keep_launch_order(r);
    if (tmap_matrix_total(r->by_metric.matrix) == 0)
        r->verdict = REPORT_NO_TRAFFIC;
    else if (numbers_is_flat(r))
        r->verdict = REPORT_FLAT;
    else
        r->verdict = r->is_gain ? REPORT_GAIN : REPORT_LAUNCH_ORDER;
}

/* ---- heaviest pairs ---- */

/* Fill in the rest of a pair. */
static void numbers_describe_pair(const struct report *r, struct report_pair *pair)
{
    for (int is_after = 0; is_after < 2; is_after++) {
        const int32_t *slot_of = report_slot_of(r, is_after);
        pair->level[is_after] =
            tmap_tree_common_level(r->by_metric.tree, slot_of[pair->a], slot_of[pair->b]);
    }
    amount((double)pair->weight, r->unit, pair->traffic);
}

/* Put it where it belongs among the heaviest, if it does. It comes after all pairs of lower ranks,
 * so where it reads like one of them, that stands for both. */
static void numbers_offer_pair(struct report *r, struct report_pair *pair)
{
    struct report_pair *list = r->heaviest;
    int at = r->pairs;
    if (at == REPORT_HEAVIEST && pair->weight < list[at - 1].weight / 10 * 9)
        return; /* what is so much less reads differently */
    numbers_describe_pair(r, pair);
    for (int i = 0; i < r->pairs; i++)
        if (memcmp(pair->level, list[i].level, sizeof pair->level) == 0 &&
            strcmp(pair->traffic, list[i].traffic) == 0) {
            list[i].alike++;
            return;
        }
    while (at > 0 && pair->weight > list[at - 1].weight &&
           strcmp(pair->traffic, list[at - 1].traffic) != 0)
        at--;
    if (at == REPORT_HEAVIEST)
        return;
    r->pairs += r->pairs < REPORT_HEAVIEST;
    memmove(list + at + 1, list + at, (size_t)(r->pairs - 1 - at) * sizeof *list);
    list[at] = *pair;
}

static void numbers_find_pairs(struct report *r)
{
    const struct prediction *p = &r->by_metric;
    for (int32_t role = 0; role < tmap_matrix_roles(p->matrix); role++) {
        int32_t partner;
        uint64_t weight;
        for (size_t at = 0; tmap_matrix_next(p->matrix, role, &at, &partner, &weight);)
            if (partner > role)
                numbers_offer_pair(
                    r, &(struct report_pair){.a = role, .b = partner, .weight = weight});
    }
}

/* ---- all ---- */

/* Without timings: the seconds of network cards, on which nothing else depends. 0, or -1 with
 * *error. */
static int numbers_assume(struct report *r, const char *network, struct reseat_error *error)
{
    const int32_t *slot_of[2] = {report_slot_of(r, 0), report_slot_of(r, 1)};
    return r->forecast.timings ? 0
                               : report_assumed_find(&r->assumed, network, r->profile,
                                                     r->by_metric.tree, slot_of, error);
}

/* What requests a machine that is not the job's; a file of switches is about its nodes. */
static const char *numbers_machine_option(const struct report_request *request)
{
    if (request->tree)
        return "--tree";
    return request->topology && !names_switches(request->topology) ? "--topology" : NULL;
}

int report_open(struct report *r, const struct reseat_profile *profile,
                const struct report_request *request, struct reseat_error *error)
{
    const struct reseat_settings *settings = &request->settings;
    enum reseat_metric metric = settings->metric;
    r->profile = profile;
    r->by_metric.keep_local = settings->keep_local;
    r->seats_of = request->seats_of ? request->seats_of : profile;
    r->machine_option = numbers_machine_option(request);
    r->has_seats = !r->machine_option && r->seats_of->seats;
    r->worth = (struct reseat_worth){.job = reseat_profile_job_time(profile),
                                     .is_watched = r->has_seats && r->seats_of == profile,
                                     .min_gain = settings->min_gain};
    if (prediction_set_profile(&r->by_metric, profile, metric, error) ||
        (r->has_seats ? numbers_set_seats(r, request, error)
                      : numbers_set_tree(r, request, error)) ||
        time_forecast_open(&r->forecast, settings->timings, profile, error) ||
        time_forecast_set(&r->forecast, &r->by_metric, &metric, error))
        return -1;
    r->borrows =
        r->forecast.timings ? reseat_timings_borrow_on(r->forecast.timings, r->by_metric.tree) : -1;
    r->metric = metric;
    r->unit = amount_unit(metric);
    if (numbers_find_order(r, request, error) || numbers_find_crossings(r, metric, error) ||
        report_methods_count(&r->methods, r->sent, error) ||
        time_forecast_compare(&r->forecast, &r->by_metric, error) ||
        report_pattern_find(&r->pattern, r->sent, r->by_metric.tree, error))
        return -1;
    numbers_judge(r);
    numbers_find_pairs(r);
    if (numbers_assume(r, request->network, error))
        return -1;
    if (!r->is_gain || r->is_part || r->forecast.timings || r->by_metric.local.of_all.kept)
        return 0;
    return report_options_find(&r->options, &r->by_metric, profile, r->has_seats, error);
}

void report_close(struct report *r)
{
    report_methods_close(&r->methods);
    recognize_fini(&r->pattern.recognized);
    if (r->owns_sent)
        tmap_matrix_destroy(r->sent);
    prediction_close(&r->by_metric);
    time_forecast_close(&r->forecast);
    reseat_network_free(&r->network);
    free(r->locations);
}
