/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - `reseat report`: the sentence that matters, then the details. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/amount.h"
#include "cmd/cmd.h"
#include "cmd/recorded.h"
#include "cmd/report-pattern.h"
#include "cmd/timed.h"
#include "format/gain.h"
#include "format/leaf.h"
#include "format/profile-time.h"
#include "format/settings.h"
#include "predict/loads.h"
#include "predict/strategy.h"

enum { HEAVIEST = 10 };
static const double LEAST_GAIN = 0.005;

/* The traffic that crosses each level, in launch order and in the better one. */
struct crossings {
    struct tmap_cost before, after;
};

/* The traffic of the whole program, on the recorded seats or on a requested tree. */
struct view {
    struct prediction by_metric;
    struct timed timed;
    struct reseat_location *locations; /* of the ranks; NULL: their nodes are not known */
    struct reseat_network network;
    struct tmap_matrix *sent; /* bytes */
    struct crossings bytes, msgs;
    struct loads bytes_on[TMAP_MAX_LEVELS]; /* links of levels with a shape */
    struct loads metric_on[TMAP_MAX_LEVELS];
    const char *unit;
    int is_gain;      /* the order is better than that of the launch */
    double min_gain;  /* below which run leaves the launch order */
    double most_gain; /* seconds that any order can save; negative: not known */
};

/* The seats that were recorded, below the switches of a file if there is one. */
static int report_find_seats(struct view *v, const struct reseat_profile *profile,
                             const char *const options[3], struct reseat_error *error)
{
    return seats_locations(profile, options[1], &v->locations, &v->network, error) ||
                   prediction_set_locations(&v->by_metric, v->locations, &v->network, error) ||
                   (options[2] && !names_timings(options[2]) &&
                    set_costs(&v->by_metric.tree, options[2], error))
               ? -1
               : 0;
}

/* The locations of the ranks, if the tree's levels are such as a job can have; else NULL. */
static int report_find_locations(struct view *v, const struct tmap_tree *tree, int32_t ranks,
                                 struct reseat_error *error)
{
    v->locations = malloc(((size_t)ranks + 1) * sizeof *v->locations);
    if (!v->locations)
        return reseat_fail(error, "out of memory");
    int rc = reseat_leaf_locations(v->locations, &v->network, tree, ranks, error);
    if (rc) {
        free(v->locations);
        v->locations = NULL;
    }
    return rc < 0 ? -1 : 0;
}

/* The requested tree, with rank r on slot r. */
static int report_find_tree(struct view *v, const struct reseat_profile *profile,
                            const char *const options[3], struct reseat_error *error)
{
    struct tmap_tree *tree = NULL;
    if (load_tree(&tree, NULL, options[0], options[1], options[2], error))
        return -1;
    prediction_set_tree(&v->by_metric, tree, NULL);
    if (options[0] && report_find_locations(v, tree, profile->ranks, error))
        return -1;
    return prediction_launch_in_order(&v->by_metric, error);
}

static int report_find_order(struct view *v, const struct reseat_settings *settings,
                             struct reseat_error *error)
{
    const struct prediction_request request = prediction_of_run(settings);
    int32_t ranks = tmap_matrix_roles(v->by_metric.matrix);
    enum reseat_strategy strategy = strategy_choose(settings->strategy, ranks);
    if (!v->locations)
        strategy = RESEAT_STRATEGY_GLOBAL;
    return strategy_find(&v->by_metric, strategy, v->locations, &v->network, &request, error);
}

/* What the links of levels with a shape carry in both orders. */
static int count_loads(const struct view *v, const struct tmap_matrix *matrix, struct loads *loads,
                       struct reseat_error *error)
{
    int failed = 0;
    for (int level = 0; level < tmap_tree_depth(v->by_metric.tree) && !failed; level++)
        if (tmap_tree_shape(v->by_metric.tree, level, NULL) != TMAP_SHAPE_NONE)
            failed = loads_find(&v->by_metric, matrix, level, &loads[level], error);
    return failed;
}

/* Count bytes and messages in both orders. */
static int count_crossings(struct view *v, const struct reseat_profile *profile,
                           struct reseat_error *error)
{
    static const enum reseat_metric metrics[] = {RESEAT_METRIC_SIZE, RESEAT_METRIC_MSG};
    int failed = 0;
    struct tmap_matrix *matrix[2] = {NULL, NULL};
    for (int i = 0; i < 2 && !failed; i++) {
        struct crossings *crossings = i ? &v->msgs : &v->bytes;
        failed = prediction_load_matrix(&matrix[i], profile, metrics[i], error) ||
                 prediction_compare(&v->by_metric, matrix[i], &crossings->before, &crossings->after,
                                    error);
    }
    v->sent = matrix[0];
    tmap_matrix_destroy(matrix[1]);
    return failed || count_loads(v, v->sent, v->bytes_on, error) ||
           count_loads(v, v->by_metric.matrix, v->metric_on, error);
}

static int amount_changes(const struct view *v, int level)
{
    return v->by_metric.before.weight_at[level] != v->by_metric.after.weight_at[level];
}

/* The outermost level whose amount changes, or the hops that it takes there; tmap_tree_depth:
 * none. */
static int first_change(const struct view *v)
{
    int level = 0;
    while (level < tmap_tree_depth(v->by_metric.tree) && !amount_changes(v, level) &&
           v->metric_on[level].hops[0] == v->metric_on[level].hops[1])
        level++;
    return level;
}

/* The fraction by which the load of the busiest link falls, if that is an objective. */
static double report_relief(const struct view *v)
{
    return reseat_gain(v->by_metric.busiest[0], v->by_metric.busiest[1]);
}

/* An order that gains next to nothing is dropped; then everything printed is about the launch
 * order. */
static void keep_launch_order(struct view *v)
{
    double gain = timed_gain(&v->timed, &v->by_metric);
    v->is_gain = gain >= LEAST_GAIN;
    if (!v->timed.timings)
        v->is_gain = report_relief(v) >= LEAST_GAIN ||
                     (v->is_gain && first_change(v) < tmap_tree_depth(v->by_metric.tree));
    if (v->is_gain)
        return;
    v->by_metric.after = v->by_metric.before;
    v->bytes.after = v->bytes.before;
    v->msgs.after = v->msgs.before;
    v->timed.seconds[1] = v->timed.seconds[0];
    for (int level = 0; level < TMAP_MAX_LEVELS; level++) {
        struct loads *loads = &v->bytes_on[level];
        loads->busiest[1] = loads->busiest[0];
        loads->mean[1] = loads->mean[0];
        loads->hops[1] = loads->hops[0];
    }
}

static int view_open(struct view *v, const struct reseat_profile *profile,
                     const struct reseat_settings *settings, const char *const options[3])
{
    enum reseat_metric metric = settings->metric;
    struct reseat_error error;
    int has_seats = !options[0] && (!options[1] || names_switches(options[1])) && profile->seats;
    v->min_gain = settings->min_gain;
    v->most_gain = reseat_profile_most_gain(profile);
    v->unit = metric == RESEAT_METRIC_MSG ? "messages" : metric == RESEAT_METRIC_TIME ? "ns" : "B";
    if (prediction_set_profile(&v->by_metric, profile, metric, &error) ||
        (has_seats ? report_find_seats(v, profile, options, &error)
                   : report_find_tree(v, profile, options, &error)) ||
        timed_open(&v->timed, settings->timings, profile, &error) ||
        timed_set(&v->timed, &v->by_metric, metric, &error) ||
        report_find_order(v, settings, &error) || count_crossings(v, profile, &error) ||
        timed_compare(&v->timed, &v->by_metric, &error))
        return complain(EXIT_TROUBLE, "report", "%s", error.text);
    keep_launch_order(v);
    return 0;
}

/* Whether all pairs of ranks are equally far from each other; nothing can be gained then. */
static int is_flat(const struct view *v)
{
    const struct tmap_tree *tree = v->by_metric.tree;
    int levels = 0, shapes = 0;
    for (int level = 0; level < tmap_tree_depth(tree); level++) {
        levels += tmap_tree_objects(tree, level + 1) > tmap_tree_objects(tree, level);
        shapes += tmap_tree_shape(tree, level, NULL) != TMAP_SHAPE_NONE;
    }
    return levels < 2 && shapes == 0 && v->by_metric.before.cost <= v->by_metric.after.cost;
}

/* What changes first: an amount, or how far the same amount goes in a network. */
static void print_change(const struct view *v, int level)
{
    char a[32], b[32], where[64];
    const char *crosses = level_crossing(v->by_metric.tree, level, where);
    uint64_t before = v->by_metric.before.weight_at[level];
    uint64_t after = v->by_metric.after.weight_at[level];
    if (!amount_changes(v, level))
        printf("the links that a %s takes %s from %.2f to %.2f",
               strcmp(v->unit, "B") == 0 ? "byte" : "message", crosses, v->metric_on[level].hops[0],
               v->metric_on[level].hops[1]);
    else
        printf("what goes %s from %s to %s", crosses, amount((double)before, v->unit, a),
               amount((double)after, v->unit, b));
    if (before && before != after)
        printf(" (%+.0f %%)", 100 * ((double)after / (double)before - 1));
}

/* What the busiest link carries; `before` precedes it. */
static void print_relief(const struct view *v, const char *before)
{
    const double *busiest = v->by_metric.busiest;
    char a[32], b[32];
    printf("%swhat the busiest link carries from %s to %s (%+.0f %%)", before,
           amount(busiest[0], v->unit, a), amount(busiest[1], v->unit, b),
           0 - 100 * report_relief(v));
}

static void print_gain(const struct view *v, int ranks, int level)
{
    const struct prediction *p = &v->by_metric;
    double gain = timed_gain(&v->timed, p);
    int has_change = level < tmap_tree_depth(p->tree);
    printf("A better order of the %d ranks would change ", ranks);
    if (has_change)
        print_change(v, level);
    if (p->busiest[0] > 0)
        print_relief(v, has_change ? ", " : "");
    if (v->timed.timings)
        timed_print_gain(&v->timed, has_change || p->busiest[0] > 0 ? ", and " : "", v->most_gain);
    else
        printf(", and the predicted cost by %+.0f %%",
               0 - 100 * reseat_gain(p->before.cost, p->after.cost));
    double times =
        reseat_more_messages(v->msgs.before.weight_at[level], v->msgs.after.weight_at[level]);
    if (times > 0)
        printf("; but in %.1f times as many messages (see --metric)", times);
    if (!reseat_gain_suffices(gain, v->min_gain))
        printf("; too little for run (RESEAT_MIN_GAIN, %g %%)", 100 * v->min_gain);
    printf(".\n");
}

/* With fewer than three ranks no order can matter. */
static void print_flat(int ranks)
{
    int nodes = ranks < 8 ? 2 : 4;
    printf(
        "All %d ranks are equally far from each other here (bound to nothing, or all on one small "
        "node, or one on each node): no order is better than another.",
        ranks);
    if (ranks > 2)
        printf(" For another machine try --tree \"node:%d core:%d\".", nodes,
               (ranks + nodes - 1) / nodes);
    printf("\n");
}

static void print_verdict(const struct view *v, const struct reseat_profile *profile)
{
    int ranks = profile->ranks;
    if (tmap_matrix_total(v->by_metric.matrix) == 0)
        printf("The profile holds no traffic between ranks.\n");
    else if (is_flat(v))
        print_flat(ranks);
    else if (!v->is_gain)
        printf("The launch order of the %d ranks is as good as any that was found.\n", ranks);
    else
        print_gain(v, ranks, first_change(v));
}

/* How far the bytes of a level go in its network, and what its links carry. */
static void print_loads(const struct loads *loads)
{
    char text[80];
    if (loads->hops[0] == loads->hops[1])
        printf("%-24s %.2f\n", "  hops a byte", loads->hops[0]);
    else
        printf("%-24s %.2f -> %.2f\n", "  hops a byte", loads->hops[0], loads->hops[1]);
    printf("%-24s %s\n", "  on the busiest link",
           amount_change(loads->busiest[0], loads->busiest[1], "B", text));
    printf("%-24s %s\n", "  on a link, mean",
           amount_change(loads->mean[0], loads->mean[1], "B", text));
}

static void print_levels(const struct view *v)
{
    char bytes[80], msgs[80], where[64];
    printf("\n%-24s %-24s %-24s\n", "level", "bytes", "messages");
    for (int level = 0; level <= tmap_tree_depth(v->by_metric.tree); level++) {
        const uint64_t b[2] = {v->bytes.before.weight_at[level], v->bytes.after.weight_at[level]};
        const uint64_t m[2] = {v->msgs.before.weight_at[level], v->msgs.after.weight_at[level]};
        if (!b[0] && !b[1] && !m[0] && !m[1])
            continue;
        printf("%-24s %-24s %-24s\n", level_crossing(v->by_metric.tree, level, where),
               amount_change((double)b[0], (double)b[1], "B", bytes),
               amount_change((double)m[0], (double)m[1], "", msgs));
        if (tmap_tree_shape(v->by_metric.tree, level, NULL) != TMAP_SHAPE_NONE)
            print_loads(&v->bytes_on[level]);
    }
    timed_print(&v->timed);
    printf("%-24s %.4g", "weight x distance", v->by_metric.before.cost);
    if (v->is_gain)
        printf(" -> %.4g\n(launch order -> order by %s; predicted, not measured)\n",
               v->by_metric.after.cost, v->by_metric.method);
    else
        printf("\n(launch order)\n");
}

struct pair {
    int32_t a, b;
    uint64_t weight;
};

static int heavier(const void *x, const void *y)
{
    const struct pair *p = x, *q = y;
    if (p->weight != q->weight)
        return p->weight > q->weight ? -1 : 1;
    return p->a != q->a ? p->a - q->a : p->b - q->b;
}

/* 0, or an exit status. */
static int print_pairs(const struct view *v)
{
    size_t count = tmap_matrix_pairs(v->by_metric.matrix), n = 0;
    struct pair *pairs = malloc((count + 1) * sizeof *pairs);
    char text[32], where[64];
    if (!pairs)
        return complain(EXIT_TROUBLE, "report", "the heaviest pairs: out of memory");
    for (int32_t role = 0; role < tmap_matrix_roles(v->by_metric.matrix); role++) {
        int32_t partner;
        uint64_t weight;
        for (size_t at = 0; tmap_matrix_next(v->by_metric.matrix, role, &at, &partner, &weight);)
            if (partner > role)
                pairs[n++] = (struct pair){role, partner, weight};
    }
    qsort(pairs, n, sizeof *pairs, heavier);
    if (n)
        printf("\nheaviest pairs (both directions)\n");
    for (size_t i = 0; i < n && i < HEAVIEST; i++)
        printf("  %6d %6d %14s   %s\n", (int)pairs[i].a, (int)pairs[i].b,
               amount((double)pairs[i].weight, v->unit, text),
               level_crossing(v->by_metric.tree,
                              tmap_tree_common_level(v->by_metric.tree,
                                                     v->by_metric.launch[pairs[i].a],
                                                     v->by_metric.launch[pairs[i].b]),
                              where));
    free(pairs);
    return 0;
}

static void warn(void *context, const char *line)
{
    static const char *const names[] = {
        "RESEAT_METRIC=",   "RESEAT_OBJECTIVE=", "RESEAT_PHASE=",  "RESEAT_SCOPE=",
        "RESEAT_STRATEGY=", "RESEAT_MIN_GAIN=",  "RESEAT_TIMINGS="};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(line, names[i], strlen(names[i])) == 0)
            complain(0, context, "%s", line);
}

/* Read the variables that `run` would obey; options override them. */
static void obey_environment(struct reseat_settings *settings, const char **phase)
{
    char name[] = "report";
    reseat_settings_read(settings, environ, warn, name);
    *phase = settings->phase >= 0 ? getenv("RESEAT_PHASE") : NULL;
}

/* --costs overrides RESEAT_TIMINGS: by another file, or by numbers. 0, or an exit status after a
 * message. */
static int report_choose_timings(struct reseat_settings *settings, const char *costs)
{
    if (costs && !names_timings(costs))
        settings->timings[0] = '\0';
    else if (costs && strlen(costs) >= sizeof settings->timings)
        return complain(EXIT_USAGE, "report", "--costs: the name is too long");
    else if (costs)
        strcpy(settings->timings, costs);
    if (!settings->metric_is_given)
        settings->metric = settings->timings[0] ? RESEAT_METRIC_TIME : RESEAT_METRIC_SIZE;
    if (settings->metric == RESEAT_METRIC_TIME && !settings->timings[0])
        return complain(EXIT_USAGE, "report",
                        "the metric time needs the timings of a machine: --costs FILE");
    if (settings->objective == RESEAT_OBJECTIVE_TIME && !settings->timings[0])
        return complain(EXIT_USAGE, "report",
                        "the objective time needs the timings of a machine: --costs FILE");
    return 0;
}

int cmd_report(int argc, char **argv)
{
    static const struct option options[] = {{"tree", required_argument, NULL, 't'},
                                            {"topology", required_argument, NULL, 'T'},
                                            {"costs", required_argument, NULL, 'c'},
                                            {"metric", required_argument, NULL, 'M'},
                                            {"phase", required_argument, NULL, 'P'},
                                            {"objective", required_argument, NULL, 'O'},
                                            {NULL, 0, NULL, 0}};
    const char *given[4] = {NULL, NULL, NULL, NULL};
    struct reseat_settings settings;
    struct reseat_profile *profile;
    struct view view = {0};
    struct reseat_error error;
    int letter;
    obey_environment(&settings, &given[3]);
    while ((letter = getopt_long(argc, argv, ":", options, NULL)) >= 0) {
        if (letter == '?' || letter == ':')
            return complain_option("report", letter, argv);
        if (letter == 'M' && parse_time_metric(optarg, &settings.metric))
            return complain(EXIT_USAGE, "report", "--metric takes size, msg, avg or time, not '%s'",
                            optarg);
        if (letter == 'O' && parse_objective(optarg, &settings.objective))
            return complain(EXIT_USAGE, "report",
                            "--objective takes cost, congestion or time, not '%s'", optarg);
        settings.metric_is_given |= letter == 'M';
        if (letter != 'M' && letter != 'O')
            given[letter == 't' ? 0 : letter == 'T' ? 1 : letter == 'c' ? 2 : 3] = optarg;
    }
    if (optind + 1 != argc)
        return complain(EXIT_USAGE, "report", "one profile is needed: reseat report FILE");
    int status = check_tree(given[0], given[1], given[2], "report");
    if (!status)
        status = report_choose_timings(&settings, given[2]);
    if (!status)
        status = load_profile(&profile, argv[optind], given[3], "report");
    if (status)
        return status;
    status = view_open(&view, profile, &settings, given);
    if (!status) {
        print_verdict(&view, profile);
        if (report_print_pattern(view.sent, view.by_metric.tree, &error))
            status = complain(EXIT_TROUBLE, "report", "%s", error.text);
        recorded_print_time(profile);
        recorded_warn_of_variables(profile);
        print_levels(&view);
        recorded_print_domains(profile);
        recorded_print_phases(profile);
        status = status ? status : print_pairs(&view);
        recorded_print_headers(profile);
    }
    tmap_matrix_destroy(view.sent);
    prediction_close(&view.by_metric);
    timed_close(&view.timed);
    reseat_network_free(&view.network);
    free(view.locations);
    reseat_profile_destroy(profile);
    return status;
}
