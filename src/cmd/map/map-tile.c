/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map-tile.c - see map.h: `map --method tile`, the order that CrayPat's grid_order suggests for a
 * grid: node after node gets the ranks of a tile. With --emit cray it is a file MPICH_RANK_ORDER.
 */
#include <stdlib.h>

#include "cmd/map/map.h"
#include "recognize/grid-tile.h"
#include "cmd/shell/complain.h"
#include "treematch/tmap.h"

const char map_tile_method[] = "tile";

/* Tile t on node t, the ranks of a tile in their order on the node's slots. 0, or -1: out of
 * memory. */
static int tile_map(const struct recognized_part *grid, const int32_t *tile,
                    const struct tmap_tree *tree, int32_t ranks, int32_t *slot_of)
{
    int level = tmap_layout_find_level(tree, "n");
    int32_t nodes = tmap_tree_objects(tree, level), slots = tmap_tree_slots(tree);
    int32_t *next = calloc((size_t)nodes + 1, sizeof *next),
            *used = calloc((size_t)slots, sizeof *used);
    int rc = next && used ? 0 : -1;
    for (int32_t slot = slots; rc == 0 && slot-- > 0;)
        next[tmap_tree_ancestor(tree, slot, level)] = slot;
    for (int32_t rank = 0; rc == 0 && rank < ranks; rank++) {
        int32_t *slot = &next[grid_tile_of(grid, tile, rank)];
        while (used[*slot] == tmap_tree_slot_capacity(tree, *slot))
            ++*slot;
        used[*slot]++;
        slot_of[rank] = *slot;
    }
    free(next);
    free(used);
    return rc;
}

int map_by_tile(const struct map_result *x, int32_t **slot_of)
{
    const struct prediction *p = &x->prediction;
    int32_t ranks = tmap_matrix_roles(p->matrix), tile[RECOGNIZE_DIMENSIONS];
    int32_t each = grid_tile_ranks_of_node(p->tree, ranks);
    int32_t *found = malloc(sizeof *found * ((size_t)ranks + 1));
    struct recognized recognized;
    enum tmap_status status = recognize(&recognized, p->matrix);
    const struct recognized_part *grid = &recognized.part[0];
    int rc = 0;
    if (!found || status != TMAP_OK)
        rc = cli_no_memory();
    else if (recognized.parts == 0 || grid->kind != RECOGNIZED_GRID)
        rc = cli_fail(EXIT_TROUBLE, "--method tile: the traffic is not that of a grid");
    else if (!grid_tile_choose(grid, each, tile))
        rc = cli_fail(EXIT_TROUBLE,
                      "--method tile: no tile of the grid has as many ranks as each node takes");
    else if (tmap_tree_capacity(p->tree) < ranks)
        rc = cli_fail(EXIT_TROUBLE, "more roles than slots");
    else if (tile_map(grid, tile, p->tree, ranks, found))
        rc = cli_no_memory();
    recognize_fini(&recognized);
    if (rc) {
        free(found);
        return rc;
    }
    *slot_of = found;
    return 0;
}
