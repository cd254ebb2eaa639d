/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c - `reseat map`: matrix and tree in, mapping and predicted cost out. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/cmd.h"
#include "format/matrix.h"
#include "format/number.h"

struct request {
    const char *profile, *matrix, *tree, *topology, *costs, *output;
    enum reseat_metric metric;
    struct tmap_options options;
    int tsv;
};

struct result {
    struct tmap_matrix *matrix;
    struct tmap_tree *tree;
    int32_t *slot_of;
    const char *method;
    struct tmap_cost cost, identity;
    double seconds;
};

static int parse_effort(const char *text, enum tmap_effort *effort)
{
    static const char *const names[] = {"fast", "default", "strong"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *effort = (enum tmap_effort)i;
            return 0;
        }
    return -1;
}

static int parse_seed(const char *text, uint64_t *seed)
{
    return read_number(&text, UINT64_MAX, seed) || *text ? -1 : 0;
}

static int parse(int argc, char **argv, struct request *r)
{
    static const struct option options[] = {
        {"profile", required_argument, NULL, 'p'}, {"matrix", required_argument, NULL, 'x'},
        {"tree", required_argument, NULL, 't'},    {"topology", required_argument, NULL, 'T'},
        {"costs", required_argument, NULL, 'c'},   {"metric", required_argument, NULL, 'M'},
        {"method", required_argument, NULL, 'm'},  {"effort", required_argument, NULL, 'e'},
        {"seed", required_argument, NULL, 's'},    {"output", required_argument, NULL, 'o'},
        {"tsv", no_argument, NULL, 'v'},           {NULL, 0, NULL, 0}};
    int letter, bad_seed = 0;
    while ((letter = getopt_long(argc, argv, ":o:", options, NULL)) >= 0) {
        const char **texts[128] = {
            ['p'] = &r->profile,       ['x'] = &r->matrix, ['t'] = &r->tree,
            ['T'] = &r->topology,      ['c'] = &r->costs,  ['o'] = &r->output,
            ['m'] = &r->options.method};
        if (letter == '?' || letter == ':')
            return complain_option("map", letter, argv);
        if (texts[letter])
            *texts[letter] = optarg;
        else if (letter == 'v')
            r->tsv = 1;
        else if (letter == 's')
            bad_seed = parse_seed(optarg, &r->options.seed);
        else if (letter == 'M' && parse_metric(optarg, &r->metric))
            return complain(EXIT_USAGE, "map", "--metric takes size, msg or avg, not '%s'", optarg);
        else if (letter == 'e' && parse_effort(optarg, &r->options.effort))
            return complain(EXIT_USAGE, "map", "--effort takes fast, default or strong, not '%s'",
                            optarg);
    }
    if (bad_seed)
        return complain(EXIT_USAGE, "map", "--seed takes a number of at most 64 bits");
    if (optind < argc)
        return complain(EXIT_USAGE, "map", "'%s' is not expected", argv[optind]);
    if (!r->profile == !r->matrix)
        return complain(EXIT_USAGE, "map", "one of --profile and --matrix is needed");
    return 0;
}

static int load_matrix(const struct request *r, struct tmap_matrix **matrix)
{
    struct reseat_profile *profile;
    struct reseat_error error;
    struct tmap_error why = {""};
    struct tmap_entry *entries;
    size_t count;
    if (r->profile ? reseat_profile_read(&profile, r->profile, &error)
                   : reseat_matrix_read(&profile, r->matrix, &error))
        return complain(EXIT_TROUBLE, "map", "%s", error.text);
    int32_t ranks = profile->ranks;
    int rc = reseat_profile_weights(profile, 0, 1, r->metric, &entries, &count, &error);
    reseat_profile_destroy(profile);
    if (rc)
        return complain(EXIT_TROUBLE, "map", "%s", error.text);
    rc = tmap_matrix_create(matrix, ranks, entries, count, &why) != TMAP_OK;
    free(entries);
    return rc ? complain(EXIT_TROUBLE, "map", "%s", why.text) : 0;
}

/* Role r on slot r, as far as capacities allow that. */
static int identity(struct result *x, int32_t *slot_of)
{
    int32_t n = tmap_matrix_roles(x->matrix);
    for (int32_t role = 0; role < n; role++)
        slot_of[role] = role;
    return tmap_mapping_is_valid(x->tree, n, slot_of);
}

static int solve(const struct request *r, struct result *x)
{
    struct tmap_error why = {""};
    struct timespec start, end;
    int32_t n = tmap_matrix_roles(x->matrix);
    int32_t *launch = malloc(sizeof *launch * (size_t)n);
    x->slot_of = malloc(sizeof *x->slot_of * (size_t)n);
    if (!launch || !x->slot_of) {
        free(launch);
        return complain(EXIT_TROUBLE, "map", "out of memory");
    }
    int has_identity = identity(x, launch);
    clock_gettime(CLOCK_MONOTONIC, &start);
    int rc = best_mapping(x->matrix, x->tree, &r->options,
                          has_identity && !r->options.method ? launch : NULL, x->slot_of,
                          &x->method, &why);
    clock_gettime(CLOCK_MONOTONIC, &end);
    x->seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    if (rc == 0)
        rc = tmap_cost_of(x->matrix, x->tree, x->slot_of, &x->cost, &why) != TMAP_OK;
    if (rc == 0 && has_identity)
        tmap_cost_of(x->matrix, x->tree, launch, &x->identity, &why);
    free(launch);
    return rc ? complain(EXIT_TROUBLE, "map", "%s", why.text) : 0;
}

static int write_mapping(const char *path, const int32_t *slot_of, int32_t roles)
{
    FILE *file = fopen(path, "we");
    for (int32_t role = 0; file && role < roles; role++)
        fprintf(file, "%d %d\n", (int)role, (int)slot_of[role]);
    if (!file || ferror(file) || fclose(file))
        return complain(EXIT_TROUBLE, "map", "%s: %s", path, strerror(errno));
    return 0;
}

static void print(const struct request *r, const struct result *x)
{
    int32_t n = tmap_matrix_roles(x->matrix);
    if (r->tsv) {
        printf("method\t%s\nranks\t%d\nslots\t%d\ncost\t%.17g\nhops\t%llu\nseconds\t%.6f\n"
               "identity_cost\t%.17g\n",
               x->method, (int)n, (int)tmap_tree_slots(x->tree), x->cost.cost,
               (unsigned long long)x->cost.hops, x->seconds, x->identity.cost);
        return;
    }
    printf("%d roles on %d slots by %s: predicted cost %.6g, in launch order %.6g (%+.1f %%), %.1f "
           "ms\n",
           (int)n, (int)tmap_tree_slots(x->tree), x->method, x->cost.cost, x->identity.cost,
           x->identity.cost > 0 ? 100 * (x->cost.cost / x->identity.cost - 1) : 0,
           1e3 * x->seconds);
    for (int32_t role = 0; !r->output && role < n; role++)
        printf("%d %d\n", (int)role, (int)x->slot_of[role]);
}

int cmd_map(int argc, char **argv)
{
    struct request r = {0};
    struct result x = {0};
    struct tmap_error why = {""};
    tmap_options_init(&r.options);
    int status = parse(argc, argv, &r);
    if (!status)
        status = load_matrix(&r, &x.matrix);
    if (!status && load_tree(&x.tree, r.tree, r.topology, r.costs, &why))
        status = complain(EXIT_TROUBLE, "map", "%s", why.text);
    if (!status)
        status = solve(&r, &x);
    if (!status && r.output)
        status = write_mapping(r.output, x.slot_of, tmap_matrix_roles(x.matrix));
    if (!status)
        print(&r, &x);
    tmap_matrix_destroy(x.matrix);
    tmap_tree_destroy(x.tree);
    free(x.slot_of);
    return status;
}
