/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-tree.c - any text is a tree or an error with one line; the functions that describe a tree
 * agree with each other. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "treematch/tmap.h"

static void check_tree(const struct tmap_tree *tree)
{
    int depth = tmap_tree_depth(tree);
    int32_t slots = tmap_tree_slots(tree);
    require(depth >= 1 && depth <= TMAP_MAX_LEVELS);
    require(slots >= 1 && tmap_tree_capacity(tree) >= 0);
    require(tmap_tree_objects(tree, 0) == 1 && tmap_tree_objects(tree, depth) == slots);
    for (int32_t slot = 0; slot < slots; slot += 1 + slots / 50) {
        int level = tmap_tree_common_level(tree, 0, slot);
        require(level >= 0 && level <= depth);
        require((level == depth) == (slot == 0));
        require(tmap_tree_ancestor(tree, slot, depth) == slot);
    }
}

/* The number of leaves if all numbers in the text are arities; trees of gigabytes are left out. */
static int is_huge(const char *text)
{
    double leaves = 1;
    for (char *end; *text; text = end) {
        double number = strtol(text, &end, 10);
        if (end == text)
            end++;
        else if (number > 0)
            leaves *= number;
    }
    return leaves > 1 << 22;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tmap_tree *tree = NULL;
    struct tmap_error error = {""};
    if (size > 200)
        return 0;
    char text[201];
    memcpy(text, data, size);
    text[size] = '\0';
    if (is_huge(text))
        return 0;
    enum tmap_status status = tmap_tree_parse(&tree, text, &error);
    require((status == TMAP_OK) == (tree != NULL));
    require(status == TMAP_OK || (error.text[0] && !strchr(error.text, '\n')));
    if (tree)
        check_tree(tree);
    tmap_tree_destroy(tree);
    return 0;
}
