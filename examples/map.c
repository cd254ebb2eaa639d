/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map.c - libtmap in thirty lines: eight roles that talk in pairs, four nodes of two cores.
 *
 *   cc -o map map.c $(pkg-config --cflags --libs tmap)
 */
#include <stdio.h>
#include <tmap.h>

int main(void)
{
    /* source, target, bytes: role 0 with 4, 1 with 5 and so on, and a little along the row */
    static const struct tmap_entry traffic[] = {
        {0, 4, 1000}, {1, 5, 1000}, {2, 6, 1000}, {3, 7, 1000}, {0, 1, 10}, {1, 2, 10}, {2, 3, 10}};
    struct tmap_matrix *matrix = NULL;
    struct tmap_tree *tree = NULL;
    struct tmap_cost cost;
    struct tmap_error error;
    int32_t slot_of[8];
    int failed =
        tmap_matrix_create(&matrix, 8, traffic, sizeof traffic / sizeof *traffic, &error) ||
        tmap_tree_parse(&tree, "node:4 core:2", &error) ||
        tmap_mapping_find(matrix, tree, NULL, slot_of, &error) ||
        tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error);
    if (failed)
        fprintf(stderr, "map: %s\n", error.text);
    for (int role = 0; !failed && role < 8; role++)
        printf("role %d: slot %d, node %d\n", role, slot_of[role],
               tmap_tree_ancestor(tree, slot_of[role], 1));
    if (!failed)
        printf("bytes between nodes: %llu\n", (unsigned long long)cost.weight_at[0]);
    tmap_tree_destroy(tree);
    tmap_matrix_destroy(matrix);
    return failed;
}
