/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * here.c - libtmap with hwloc: four roles that talk in pairs, on the cores of this machine, or of the
 * one that is named: ./here "pack:2 core:2 pu:1".
 *
 *   cc -o here here.c $(pkg-config --cflags --libs tmap-hwloc)
 */
#include <stdio.h>
#include <tmap-hwloc.h>

int main(int argc, char **argv)
{
    static const struct tmap_entry traffic[] = {{0, 2, 1000}, {1, 3, 1000}, {0, 1, 10}};
    struct tmap_matrix *matrix = NULL;
    struct tmap_tree *tree = NULL;
    struct tmap_options options;
    struct tmap_cost cost;
    struct tmap_error error;
    int32_t slot_of[4];
    tmap_options_init(&options, sizeof options);
    options.effort = TMAP_EFFORT_STRONG;
    int failed =
        tmap_matrix_create(&matrix, 4, traffic, sizeof traffic / sizeof *traffic, &error) ||
        tmap_tree_create_from_hwloc(&tree, argc > 1 ? argv[1] : NULL, 1, &error) ||
        tmap_mapping_find(matrix, tree, &options, slot_of, &error) ||
        tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error);
    if (failed)
        fprintf(stderr, "here: %s\n", error.text);
    for (int role = 0; !failed && role < 4; role++)
        printf("role %d: core %d of %d\n", role, (int)slot_of[role], (int)tmap_tree_slots(tree));
    if (!failed)
        printf("outermost: %llu\n", (unsigned long long)cost.weight_at[0]);
    tmap_tree_destroy(tree);
    tmap_matrix_destroy(matrix);
    return failed;
}
