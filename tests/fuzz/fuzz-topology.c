/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz-topology.c - any text as RESEAT_TOPOLOGY and --tree: where its leaves are, and a small job
 * on it, however many slots it has.
 */
#include <string.h>

#include "network/leaf.h"
#include "fuzz/fuzz.h"

enum { ROLES = 9 };

static void find_leaves(const struct tmap_tree *tree)
{
    struct reseat_leaf leaf;
    struct network_path paths[ROLES];
    struct reseat_network network = {0};
    struct reseat_error error = {""};
    int32_t found = 0;
    for (int32_t rank = 0; rank < ROLES; rank++) {
        int rc = reseat_leaf_find(&leaf, tree, rank, &error);
        require(rc == 0 || (error.text[0] && !strchr(error.text, '\n')));
        if (rc)
            continue;
        require(rank < tmap_tree_slots(tree) && leaf.location.node >= 0);
        require(leaf.above.length >= 0 && leaf.above.length <= TMAP_SWITCH_LEVELS);
        paths[found++] = leaf.above;
    }
    if (found > 0 && reseat_network_create(&network, paths, found, NULL, &error) == 0)
        reseat_network_free(&network);
}

static struct tmap_matrix *make_matrix(const uint8_t *data, size_t size)
{
    struct tmap_entry entries[64];
    struct tmap_matrix *matrix = NULL;
    size_t count = 0;
    for (; count < 64 && count + 1 < size; count++)
        entries[count] = (struct tmap_entry){data[count] % ROLES, data[count + 1] % ROLES,
                                             (uint64_t)data[count] << data[count + 1] % 40};
    require(tmap_matrix_create(&matrix, ROLES, entries, count, NULL) == TMAP_OK);
    return matrix;
}

static double cost_by(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                      const char *method)
{
    int32_t slot_of[ROLES];
    struct tmap_options options;
    struct tmap_error error = {""};
    struct tmap_cost cost;
    int kept = 0;
    tmap_options_init(&options, sizeof options);
    options.method = method;
    options.effort = TMAP_EFFORT_FAST;
    enum tmap_status status = tmap_mapping_find(matrix, tree, &options, slot_of, &error);
    require(status == TMAP_OK || (error.text[0] && tmap_tree_slots(tree) < ROLES));
    if (status != TMAP_OK)
        return -1;
    require(tmap_mapping_is_valid(tree, ROLES, slot_of));
    require(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error) == TMAP_OK);
    double before = cost.cost;
    require(tmap_mapping_keep_role(matrix, tree, 3, 2, slot_of, &kept, &error) == TMAP_OK && kept);
    require(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error) == TMAP_OK &&
            cost.cost == before);
    return before;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tmap_tree *tree = NULL;
    struct tmap_error error = {""};
    char *text = malloc(size + 1);
    require(text);
    memcpy(text, data, size);
    text[size] = '\0';
    enum tmap_status status = tmap_tree_parse(&tree, text, &error);
    require((status == TMAP_OK) == (tree != NULL));
    require(tree || (error.text[0] && !strchr(error.text, '\n')));
    free(text);
    if (!tree)
        return 0;
    struct tmap_matrix *matrix = make_matrix(data, size);
    find_leaves(tree);
    double best = cost_by(matrix, tree, "multilevel"), packed = cost_by(matrix, tree, "packed");
    require(best <= packed);
    cost_by(matrix, tree, "roundrobin");
    cost_by(matrix, tree, "random");
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
    return 0;
}
