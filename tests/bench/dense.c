/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dense.c - a dense pattern with structure: time against reading the matrix, memory against its
 * size.
 *
 *   dense [-m METHOD] [-e EFFORT] ROLES TREE
 *
 * METHOD is one of tmap(3), or scotch where it was built with it.
 *
 * Every pair of roles has traffic: 1 + noise, times 4 for every level of the tree that the two
 * share under a hidden, shuffled placement. Prints TSV: cost relative to that placement and to a
 * random one, CPU seconds, the same as multiples of the time for reading the matrix once per tree
 * level, and the largest resident size beyond the matrix, relative to it.
 */
#include "treematch/model/objects.h"
#if HAVE_SCOTCH
#include "treematch/tmap-scotch.h"
#endif

#include <stdio.h>
#include <string.h>
#include <time.h>

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The largest resident size since the last call, bytes; 0: not known. */
static double peak_bytes(void)
{
    char line[128];
    double kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %lf", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
    return kilobytes * 1024;
}

static struct tmap_matrix *make_matrix(const struct tmap_tree *tree, int32_t roles,
                                       const int32_t *hidden)
{
    struct tmap_matrix *matrix = NULL;
    struct tmap_random random;
    size_t n = (size_t)roles;
    uint64_t *weights = calloc(n * n, sizeof *weights);
    tmap_random_init(&random, 7);
    for (size_t i = 0; i < n && weights; i++) {
        for (size_t j = 0; j < i; j++) {
            int level = tmap_common_level(tree, hidden[i], hidden[j]);
            weights[i * n + j] = (UINT64_C(100) + tmap_random_next(&random) % 100) << 2 * level;
        }
    }
    if (weights)
        tmap_matrix_create_dense(&matrix, roles, weights, NULL);
    free(weights);
    return matrix;
}

static uint64_t read_once(const struct tmap_matrix *matrix)
{
    uint64_t sum = 0;
    for (int32_t role = 0; role < matrix->roles; role++) {
        struct tmap_row row = tmap_row_of(matrix, role);
        for (size_t i = 0; i < row.count; i++)
            sum += row.weight[i] ^ (uint64_t)row.partner[i];
    }
    return sum;
}

static double cost_of(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                      const int32_t *slot_of)
{
    struct tmap_cost cost = {0};
    tmap_mapping_evaluate(matrix, tree, slot_of, &cost, NULL);
    return cost.cost;
}

static enum tmap_status map(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                            const struct tmap_options *options, int32_t *slot_of)
{
#if HAVE_SCOTCH
    if (strcmp(options->method, "scotch") == 0)
        return tmap_mapping_find_scotch(matrix, tree, TMAP_SCOTCH_COSTS, slot_of, NULL, NULL);
#endif
    return tmap_mapping_find(matrix, tree, options, slot_of, NULL);
}

static int run(const struct tmap_tree *tree, int32_t roles, const struct tmap_options *options)
{
    int32_t *slot_of = malloc(sizeof *slot_of * (size_t)roles);
    int32_t *hidden = malloc(sizeof *hidden * (size_t)roles);
    struct tmap_random random;
    if (!slot_of || !hidden)
        return 1;
    for (int32_t i = 0; i < roles; i++)
        hidden[i] = i;
    tmap_random_init(&random, 3);
    tmap_random_shuffle(&random, hidden, roles);
    struct tmap_matrix *matrix = make_matrix(tree, roles, hidden);
    if (!matrix)
        return 1;
    double begin = cpu_seconds();
    uint64_t sum = read_once(matrix);
    double reading = (cpu_seconds() - begin) * tmap_tree_depth(tree);
    peak_bytes();
    double before = peak_bytes();
    begin = cpu_seconds();
    if (map(matrix, tree, options, slot_of) != TMAP_OK)
        return 1;
    double seconds = cpu_seconds() - begin, more = peak_bytes() - before;
    double found = cost_of(matrix, tree, slot_of), best = cost_of(matrix, tree, hidden);
    for (int32_t i = 0; i < roles; i++)
        hidden[i] = i;
    double launched = cost_of(matrix, tree, hidden);
    printf("roles\tmethod\tcost_to_hidden\tcost_to_identity\tcpu_seconds\treadings_per_level\t"
           "memory_to_matrix\n%d\t%s\t%.4f\t%.4f\t%.3f\t%.2f\t%.3f\n",
           (int)roles, options->method, found / best, found / launched, seconds, seconds / reading,
           more / (8.0 * roles * roles));
    tmap_matrix_destroy(matrix);
    free(slot_of);
    free(hidden);
    return sum == 1;
}

int main(int argc, char **argv)
{
    struct tmap_options options = {
        .size = sizeof options, .method = "multilevel", .effort = TMAP_EFFORT_DEFAULT};
    struct tmap_tree *tree = NULL;
    int at = 1;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        if (argv[at][1] == 'm')
            options.method = argv[at + 1];
        else
            options.effort = (enum tmap_effort)atoi(argv[at + 1]);
    }
    if (argc - at != 2 || tmap_tree_parse(&tree, argv[at + 1], NULL) != TMAP_OK) {
        fprintf(stderr, "usage: dense [-m METHOD] [-e EFFORT] ROLES TREE\n");
        return 1;
    }
    int failed = run(tree, atoi(argv[at]), &options);
    tmap_tree_destroy(tree);
    return failed;
}
