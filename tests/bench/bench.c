/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench.c - mapping methods side by side: cost and CPU time on generated patterns and matrices from
 * files, with Scotch in the same run if it is available. Prints TSV.
 *
 *   bench [-q] [-m METHOD,...] [-e EFFORT] [-r REPEATS] [-t THREADS] [-s SEED] [-g SEED OF THE PATTERN]
 *         [PATTERN ROLES TREE]
 *   bench ... FILE - TREE          a file as in data/: first line n, then source target msgs bytes
 *
 * Without a case: the built-in list (-q: a quick part of it). TREE as machines.h says. The method
 * deco is Scotch's on the whole graph of the machine.
 */
#include "machines.h"
#include "generate/generate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#if HAVE_SCOTCH
#include "treematch/tmap-scotch.h"
#endif

struct settings {
    const char *methods;
    enum tmap_effort effort;
    int repeats, threads;
    uint64_t seed, pattern_seed;
};

static const struct {
    const char *pattern;
    int32_t roles;
    const char *tree;
    int quick;
} cases[] = {
    {"stencil2d5", 96, "4 4 3 2", 1},
    {"stencil2d5-shuffled", 96, "4 4 3 2", 1},
    {"stencil2d9-shuffled", 64, "8 2 4", 1},
    {"stencil3d7-shuffled", 64, "8 2 4", 1},
    {"stencil3d27-shuffled", 64, "4 4 4/100,10,1", 1},
    {"hypercube-shuffled", 64, "8 2 4", 1},
    {"cliques-shuffled", 96, "4 4 3 2", 1},
    {"geometric-shuffled", 96, "4 4 3 2", 1},
    {"rmat-shuffled", 64, "8 2 4", 1},
    {"dense", 64, "8 2 4", 1},
    {"stencil2d5-shuffled", 40, "4 4 3 2", 1},
    {"geometric-shuffled", 50, "4 4 3 2", 1},
    {"stencil3d7-shuffled", 64, "16 2 4", 1},
    {"stencil2d5-shuffled", 256, "4 8 8/100,10,1", 1},
    {"stencil2d9-shuffled", 256, "16 2 8", 1},
    {"stencil3d7-shuffled", 256, "2 16 2 4", 1},
    {"stencil3d27-shuffled", 256, "2 16 2 4", 1},
    {"hypercube-shuffled", 256, "2 16 2 4", 1},
    {"geometric-shuffled", 256, "4 8 8/100,10,1", 1},
    {"rmat-shuffled", 256, "4 8 8/100,10,1", 1},
    {"dense", 256, "2 16 2 4", 0},
    {"stencil2d5-shuffled", 360, "5 3 12 2", 1},
    {"stencil3d7-shuffled", 420, "7 3 20", 1},
    {"geometric-shuffled", 480, "20 24", 1},
    {"planted:7,5,3-shuffled", 105, "7 5 3", 1},
    {"planted:5,12-shuffled", 60, "5 12", 1},
    {"planted:3,20-shuffled", 60, "3 20", 1},
    {"planted:4,4,4,4,4-shuffled", 1024, "4 4 4 4 4", 1},
    {"planted:9,7,5,3-shuffled", 945, "9 7 5 3", 1},
    {"stencil2d5", 1024, "8 16 2 4", 1},
    {"stencil2d5-shuffled", 1024, "8 16 2 4", 1},
    {"stencil2d9-shuffled", 1024, "4 8 32/100,10,1", 1},
    {"stencil3d7-shuffled", 1024, "8 16 2 4", 1},
    {"stencil3d27-shuffled", 1024, "4 8 32/100,10,1", 1},
    {"hypercube-shuffled", 1024, "8 16 2 4", 1},
    {"geometric-shuffled", 1024, "4 8 32/100,10,1", 1},
    {"rmat-shuffled", 1024, "8 2 4 2 8", 1},
    {"mesh-shuffled", 128, "16 2 4", 1},
    {"mesh-shuffled", 1024, "8 16 2 4", 1},
    {"mesh-shuffled", 1024, "4 8 32/100,10,1", 1},
    {"mesh-shuffled", 4096, "32 2 4 2 8", 0},
    {"cliques-shuffled", 1020, "8 16 2 4", 1},
    {"dense", 1024, "8 16 2 4", 0},
    {"stencil3d7-shuffled", 1000, "16 2 4 2 8", 1},
    {"stencil2d5-shuffled", 2048, "16 2 4 2 8", 0},
    {"geometric-shuffled", 2048, "4 8 64/100,10,1", 0},
    {"stencil3d7-shuffled", 4096, "16 2 4 2 16", 0},
    {"stencil3d27-shuffled", 4096, "32 16 2 4", 0},
    {"rmat-shuffled", 4096, "32 16 2 4", 0},
    {"planted:8,8,8,8-shuffled", 4096, "8 8 8 8", 0},
    {"stencil2d5-shuffled", 16384, "128 16 2 4", 0},
    {"stencil3d7-shuffled", 16384, "128 16 2 4", 0},
    {"geometric-shuffled", 16384, "4 8 512/100,10,1", 0},
    {"hypercube-shuffled", 16384, "128 16 2 4", 0},
    {"planted:4,4,4,4,4,4,4-shuffled", 16384, "4 4 4 4 4 4 4", 0},
    {"stencil3d7", 65536, "32 64 4 8", 0},
    {"stencil3d7-shuffled", 65536, "32 64 4 8", 0},
    {"stencil3d27-shuffled", 65536, "32 64 4 8", 0},
};

/* Processor time; with threads, time. */
static clockid_t clock_used = CLOCK_PROCESS_CPUTIME_ID;

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(clock_used, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct tmap_matrix *read_matrix(const char *name)
{
    struct tmap_matrix *matrix = NULL;
    struct tmap_entry *entries = NULL;
    size_t count = 0, room = 0;
    int roles, source, target;
    unsigned long long messages, bytes;
    FILE *file = fopen(name, "r");
    if (!file || fscanf(file, "%d", &roles) != 1) {
        if (file)
            fclose(file);
        return NULL;
    }
    while (fscanf(file, "%d %d %llu %llu", &source, &target, &messages, &bytes) == 4) {
        if (count == room) {
            room = room * 2 + 1024;
            entries = realloc(entries, room * sizeof *entries);
            if (!entries)
                exit(1);
        }
        entries[count++] = (struct tmap_entry){source, target, bytes};
    }
    fclose(file);
    tmap_matrix_create(&matrix, roles, entries, count, NULL);
    free(entries);
    return matrix;
}

static int map_once(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                    const struct settings *settings, const char *method, int32_t *slot_of)
{
#if HAVE_SCOTCH
    if (strcmp(method, "scotch") == 0 || strcmp(method, "deco") == 0)
        return tmap_mapping_find_scotch(matrix, tree,
                                        method[0] == 'd' ? TMAP_SCOTCH_WHOLE : TMAP_SCOTCH_COSTS,
                                        slot_of, NULL, NULL) == TMAP_OK;
#endif
    struct tmap_options options = {.size = sizeof options,
                                   .method = method,
                                   .effort = settings->effort,
                                   .seed = settings->seed,
                                   .threads = settings->threads};
    return tmap_mapping_find(matrix, tree, &options, slot_of, NULL) == TMAP_OK;
}

struct result {
    double cost, seconds;
};

static struct result measure(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                             const struct settings *settings, const char *method)
{
    struct result result = {NAN, INFINITY};
    struct tmap_cost cost;
    int32_t *slot_of = malloc(sizeof *slot_of * (size_t)tmap_matrix_roles(matrix));
    for (int i = 0; i < settings->repeats && slot_of; i++) {
        double begin = cpu_seconds();
        if (!map_once(matrix, tree, settings, method, slot_of))
            break;
        double seconds = cpu_seconds() - begin;
        result.seconds = seconds < result.seconds ? seconds : result.seconds;
        if (tmap_mapping_evaluate(matrix, tree, slot_of, &cost, NULL) == TMAP_OK)
            result.cost = cost.cost;
        if (seconds > 2)
            break;
    }
    free(slot_of);
    return result;
}

/* Geometric means over all cases, per method, against Scotch. */
struct summary {
    char method[32];
    double log_cost, log_seconds, worst_cost;
    int count;
};

static void run_case(const char *pattern, int32_t roles, const char *text,
                     const struct settings *settings, struct summary *summary)
{
    struct tmap_tree *tree = machine_make(text);
    struct tmap_matrix *matrix = roles > 0
                                     ? generate_matrix(pattern, roles, settings->pattern_seed + 7)
                                     : read_matrix(pattern);
    char methods[256], *word = methods, *rest;
    struct result scotch = {NAN, NAN};
    if (!tree || !matrix) {
        fprintf(stderr, "bench: no case %s %s\n", pattern, text);
        exit(1);
    }
    snprintf(methods, sizeof methods, "%s", settings->methods);
    for (int m = 0; (word = strtok_r(word, ",", &rest)); word = NULL, m++) {
        struct result result = measure(matrix, tree, settings, word);
        if (strcmp(word, "scotch") == 0)
            scotch = result;
        printf("%s\t%d\t%zu\t%s\t%s\t%.0f\t%.6f\t%.4f\t%.3f\n", pattern,
               (int)tmap_matrix_roles(matrix), tmap_matrix_pairs(matrix), text, word, result.cost,
               result.seconds, result.cost / scotch.cost, result.seconds / scotch.seconds);
        fflush(stdout);
        if (isnan(scotch.cost) || scotch.cost == 0 || m >= 16)
            continue;
        snprintf(summary[m].method, sizeof summary[m].method, "%s", word);
        summary[m].log_cost += log(result.cost / scotch.cost);
        summary[m].log_seconds += log(result.seconds / scotch.seconds);
        if (result.cost / scotch.cost > summary[m].worst_cost)
            summary[m].worst_cost = result.cost / scotch.cost;
        summary[m].count++;
    }
    tmap_tree_destroy(tree);
    tmap_matrix_destroy(matrix);
}

static void print_summary(const struct summary *summary)
{
    struct rusage usage;
    for (int m = 0; m < 16; m++) {
        if (summary[m].count > 0)
            printf("# %s: %d cases, cost / Scotch: geometric mean %.4f, worst %.4f; time / Scotch: "
                   "geometric mean %.3f\n",
                   summary[m].method, summary[m].count, exp(summary[m].log_cost / summary[m].count),
                   summary[m].worst_cost, exp(summary[m].log_seconds / summary[m].count));
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("# largest resident size: %ld KiB\n", usage.ru_maxrss);
}

int main(int argc, char **argv)
{
    struct settings settings = {
        "scotch,packed,treematch,multilevel", TMAP_EFFORT_DEFAULT, 1, 0, 0, 0};
    struct summary summary[16];
    int quick = 0, at = 1;
#if !HAVE_SCOTCH
    settings.methods = "packed,treematch,multilevel";
#endif
    memset(summary, 0, sizeof summary);
    for (; at < argc && argv[at][0] == '-' && argv[at][1]; at++) {
        if (argv[at][1] == 'q')
            quick = 1;
        else if (argv[at][1] == 'm' && at + 1 < argc)
            settings.methods = argv[++at];
        else if (argv[at][1] == 'e' && at + 1 < argc)
            settings.effort = (enum tmap_effort)atoi(argv[++at]);
        else if (argv[at][1] == 'r' && at + 1 < argc)
            settings.repeats = atoi(argv[++at]);
        else if (argv[at][1] == 't' && at + 1 < argc)
            settings.threads = atoi(argv[++at]);
        else if (argv[at][1] == 's' && at + 1 < argc)
            settings.seed = strtoull(argv[++at], NULL, 10);
        else if (argv[at][1] == 'g' && at + 1 < argc)
            settings.pattern_seed = strtoull(argv[++at], NULL, 10);
    }
    if (settings.threads > 1)
        clock_used = CLOCK_MONOTONIC;
    printf("pattern\troles\tpairs\ttree\tmethod\tcost\tcpu_seconds\tcost_ratio\ttime_ratio\n");
    if (argc - at >= 3) {
        for (; at + 2 < argc; at += 3)
            run_case(argv[at], atoi(argv[at + 1]), argv[at + 2], &settings, summary);
    } else {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            if (!quick || cases[i].quick)
                run_case(cases[i].pattern, cases[i].roles, cases[i].tree, &settings, summary);
    }
    print_summary(summary);
    return 0;
}
