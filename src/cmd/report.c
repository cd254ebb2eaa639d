/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - `reseat report`: the sentence that matters, then what stands behind it. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"

enum { HEAVIEST = 10 };

/* Bytes (or messages) of the whole program, on the seats or on a tree that was asked for. */
struct view {
    struct tmap_tree *tree;
    int32_t *launch; /* slot of each rank */
    int32_t *best;
    const char *method;
    struct tmap_matrix *matrix; /* by the metric */
    struct tmap_cost before, after;
    const char *unit;
};

static const char *amount(double value, const char *unit, char text[32])
{
    static const char *const prefix[] = {"", "k", "M", "G", "T", "P"};
    int i = 0;
    while (value >= 1000 && i < 5) {
        value /= 1000;
        i++;
    }
    snprintf(text, 32, i ? "%.1f %s%s" : "%.0f %s%s", value, prefix[i], unit);
    return text;
}

static int view_open(struct view *v, const struct reseat_profile *profile,
                     enum reseat_metric metric, const char *const options[3])
{
    struct tmap_error why = {"out of memory"};
    struct reseat_error error;
    struct tmap_entry *entries;
    struct tmap_options defaults;
    size_t count, n = (size_t)profile->ranks;
    v->unit = metric == RESEAT_METRIC_MSG ? "messages" : "B";
    if (reseat_profile_weights(profile, 0, 1, metric, &entries, &count, &error))
        return complain(EXIT_TROUBLE, "report", "%s", error.text);
    int rc = tmap_matrix_create(&v->matrix, profile->ranks, entries, count, &why) != TMAP_OK;
    free(entries);
    v->best = malloc(n * sizeof *v->best);
    if (rc == 0 && (options[0] || options[1] || !profile->seats)) {
        rc = load_tree(&v->tree, options[0], options[1], options[2], &why);
        v->launch = malloc(n * sizeof *v->launch);
        for (size_t r = 0; v->launch && r < n; r++)
            v->launch[r] = (int32_t)r;
    } else if (rc == 0) {
        rc = seats_tree(profile, &v->tree, &v->launch, &why) ||
             (options[2] && set_costs(&v->tree, options[2], &why));
    }
    tmap_options_init(&defaults);
    if (rc == 0 && tmap_tree_capacity(v->tree) < profile->ranks)
        return complain(EXIT_TROUBLE, "report", "%d ranks do not fit on a tree for %lld",
                        (int)profile->ranks, (long long)tmap_tree_capacity(v->tree));
    if (rc == 0)
        rc = !v->launch || !v->best ||
             best_mapping(v->matrix, v->tree, &defaults, v->launch, v->best, &v->method, &why) ||
             tmap_cost_of(v->matrix, v->tree, v->launch, &v->before, &why) ||
             tmap_cost_of(v->matrix, v->tree, v->best, &v->after, &why);
    return rc ? complain(EXIT_TROUBLE, "report", "%s", why.text) : 0;
}

static void view_close(struct view *v)
{
    tmap_tree_destroy(v->tree);
    tmap_matrix_destroy(v->matrix);
    free(v->launch);
    free(v->best);
}

/* What a pair that meets at this level crosses. */
static const char *crossing(const struct tmap_tree *tree, int level, char text[64])
{
    if (level == tmap_tree_depth(tree))
        return "same slot";
    const char *name = tmap_tree_level(tree, level)->name;
    if (strcmp(name, "node") == 0)
        return "between nodes";
    snprintf(text, 64, "between %.40s%s", name, name[strlen(name) - 1] == 's' ? "es" : "s");
    return text;
}

static void print_verdict(const struct view *v, const struct reseat_profile *profile)
{
    char a[32], b[32], where[64];
    int level = 0;
    while (level < tmap_tree_depth(v->tree) &&
           v->before.weight_at[level] == v->after.weight_at[level])
        level++;
    double gain = v->before.cost > 0 ? 1 - v->after.cost / v->before.cost : 0;
    if (tmap_matrix_total(v->matrix) == 0)
        printf("The profile holds no traffic between ranks.\n");
    else if (tmap_tree_objects(v->tree, 1) == 1 ||
             (tmap_tree_depth(v->tree) == 1 &&
              strcmp(tmap_tree_level(v->tree, 0)->name, "node") != 0 && gain == 0))
        printf("All %d ranks have the same distance from each other here: no order is better than "
               "another. Try --tree \"node:4 core:%d\".\n",
               (int)profile->ranks, (int)(profile->ranks + 3) / 4);
    else if (gain < 0.005 || level == tmap_tree_depth(v->tree))
        printf("The launch order of the %d ranks is as good as any that was found.\n",
               (int)profile->ranks);
    else
        printf("A better order of the %d ranks would change what goes %s from %s to %s (%+.0f %%), "
               "and "
               "the predicted cost by %+.0f %%.\n",
               (int)profile->ranks, crossing(v->tree, level, where),
               amount((double)v->before.weight_at[level], v->unit, a),
               amount((double)v->after.weight_at[level], v->unit, b),
               100 * ((double)v->after.weight_at[level] / (double)v->before.weight_at[level] - 1),
               -100 * gain);
}

static void print_levels(const struct view *v)
{
    char a[32], b[32], where[64];
    printf("\n%-24s %16s %16s   (predicted; order by %s)\n", "level", "launch order",
           "better order", v->method);
    for (int level = 0; level <= tmap_tree_depth(v->tree); level++)
        if (v->before.weight_at[level] || v->after.weight_at[level])
            printf("%-24s %16s %16s\n", crossing(v->tree, level, where),
                   amount((double)v->before.weight_at[level], v->unit, a),
                   amount((double)v->after.weight_at[level], v->unit, b));
    printf("%-24s %16.4g %16.4g\n", "cost (weight x distance)", v->before.cost, v->after.cost);
}

static void print_domains(const struct reseat_profile *profile)
{
    char text[32];
    printf("\n%-36s %6s %23s %23s\n", "bytes in messages, by communicator", "ranks",
           "point to point", "collectives");
    for (size_t i = 0; i < profile->domains_count && i < 20; i++) {
        const struct reseat_domain *d = &profile->domains[i];
        printf("%-36s %6d", d->function, (int)d->size);
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
            double bytes = 0, msgs = 0;
            for (size_t e = 0; e < d->count[kind]; e++) {
                bytes += (double)d->entries[kind][e].bytes;
                msgs += (double)d->entries[kind][e].msgs;
            }
            printf(" %10s in %-9.4g", amount(bytes, "B", text), msgs);
        }
        printf("\n");
    }
    if (profile->domains_count > 20)
        printf("... and %zu more\n", profile->domains_count - 20);
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

static void print_pairs(const struct view *v)
{
    size_t count = tmap_matrix_pairs(v->matrix), n = 0;
    struct pair *pairs = malloc((count + 1) * sizeof *pairs);
    char text[32], where[64];
    if (!pairs)
        return;
    for (int32_t role = 0; role < tmap_matrix_roles(v->matrix); role++) {
        const int32_t *partner;
        const uint64_t *weight;
        size_t partners = tmap_matrix_row(v->matrix, role, &partner, &weight);
        for (size_t i = 0; i < partners; i++)
            if (partner[i] > role)
                pairs[n++] = (struct pair){role, partner[i], weight[i]};
    }
    qsort(pairs, n, sizeof *pairs, heavier);
    if (n)
        printf("\nheaviest pairs (both directions)\n");
    for (size_t i = 0; i < n && i < HEAVIEST; i++)
        printf(
            "  %6d %6d %14s   %s\n", (int)pairs[i].a, (int)pairs[i].b,
            amount((double)pairs[i].weight, v->unit, text),
            crossing(v->tree,
                     tmap_tree_common_level(v->tree, v->launch[pairs[i].a], v->launch[pairs[i].b]),
                     where));
    free(pairs);
}

static void print_headers(const struct reseat_profile *profile)
{
    printf("\n");
    for (size_t i = 0; i < profile->headers_count; i++)
        printf("%s: %s\n", profile->headers[i].key, profile->headers[i].value);
    if (!reseat_profile_header(profile, "not_seen"))
        printf("not_seen: nothing was used that is not recorded\n");
}

int cmd_report(int argc, char **argv)
{
    static const struct option options[] = {{"tree", required_argument, NULL, 't'},
                                            {"topology", required_argument, NULL, 'T'},
                                            {"costs", required_argument, NULL, 'c'},
                                            {"metric", required_argument, NULL, 'M'},
                                            {NULL, 0, NULL, 0}};
    const char *given[3] = {NULL, NULL, NULL};
    enum reseat_metric metric = RESEAT_METRIC_SIZE;
    struct reseat_profile *profile;
    struct reseat_error error;
    struct view view = {0};
    int letter;
    while ((letter = getopt_long(argc, argv, ":", options, NULL)) >= 0) {
        if (letter == '?' || letter == ':')
            return complain_option("report", letter, argv);
        if (letter == 'M' && parse_metric(optarg, &metric))
            return complain(EXIT_USAGE, "report", "--metric takes size, msg or avg, not '%s'",
                            optarg);
        if (letter != 'M')
            given[letter == 't' ? 0 : letter == 'T' ? 1 : 2] = optarg;
    }
    if (optind + 1 != argc)
        return complain(EXIT_USAGE, "report", "one profile is needed: reseat report FILE");
    if (reseat_profile_read(&profile, argv[optind], &error))
        return complain(EXIT_TROUBLE, "report", "%s", error.text);
    int status = view_open(&view, profile, metric, given);
    if (!status) {
        print_verdict(&view, profile);
        print_levels(&view);
        print_domains(profile);
        print_pairs(&view);
        print_headers(profile);
    }
    view_close(&view);
    reseat_profile_destroy(profile);
    return status;
}
