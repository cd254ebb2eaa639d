/* SPDX-License-Identifier: BSD-3-Clause */
/* print-mappings.c [THREADS] - mappings of some patterns by every method, for determinism.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate/generate.h"

static const struct {
    const char *pattern;
    int32_t roles;
    const char *tree;
} cases[] = {{"stencil3d7-shuffled", 96, "4 4 3 2"},
             {"rmat-shuffled", 100, "16 2 4"},
             {"geometric-shuffled", 60, "5 12"},
             {"planted:3,5,4-shuffled", 60, "3 5 4"},
             {"dense", 48, "4 4 4"},
             {"stencil2d9-shuffled", 700, "node:24 core:32"},
             {"dense", 1024, "8 16 2 4"},
             {"geometric-shuffled", 2000, "32 2 32"},
             {"hypercube", 1024, "node:25 core:48"},
             {"cliques", 1200, "node:30 core:48"},
             {"stencil3d7-shuffled", 96, "torus:4x3x2 node:2 core:2"},
             {"rmat-shuffled", 72, "dragonfly:9x4 core:2"},
             {"stencil2d9-shuffled", 60, "node:2 mesh:5x3 core:2"},
             {"geometric-shuffled", 600, "hypercube:6 core:10"}};

/* Those that take seconds for some hundred roles. */
static int is_slow(const char *method)
{
    return strncmp(method, "mpipp", 5) == 0 || strcmp(method, "best") == 0;
}

int main(int argc, char **argv)
{
    static int32_t slot_of[2048];
    const char *method;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_tree *tree = NULL;
        struct tmap_matrix *matrix = generate_matrix(cases[i].pattern, cases[i].roles, 3);
        if (!matrix || tmap_tree_parse(&tree, cases[i].tree, NULL))
            return 1;
        for (int m = 0; tmap_method_describe(m, &method, NULL); m++) {
            for (int effort = 0; effort < 2; effort++) {
                struct tmap_options options;
                tmap_options_init(&options, sizeof options);
                options.method = method;
                options.threads = argc > 1 ? atoi(argv[1]) : 0;
                if (cases[i].roles > 500 && is_slow(method))
                    continue;
                options.effort = (enum tmap_effort)effort;
                if (tmap_mapping_find(matrix, tree, &options, slot_of, NULL))
                    return 1;
                printf("%s %s %d:", cases[i].pattern, method, effort);
                for (int32_t role = 0; role < cases[i].roles; role++)
                    printf(" %d", (int)slot_of[role]);
                printf("\n");
            }
        }
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
    return 0;
}
