/* SPDX-License-Identifier: BSD-3-Clause */
/* grid-tile.c - see grid-tile.h. */
#include <stdlib.h>
#include <string.h>

#include "recognize/grid-tile.h"

struct tile_search {
    const struct recognized_part *grid;
    int32_t tile[RECOGNIZE_DIMENSIONS], best[RECOGNIZE_DIMENSIONS];
    double least; /* between tiles; negative: no tile yet */
};

/* Weight between tiles that have `size` cells in a dimension. */
static double tile_cut(const struct recognized_part *grid, int d, int32_t size)
{
    double tiles = grid->extent[d] / size, extent = grid->extent[d];
    if (tiles == 1)
        return 0;
    return grid->weight[d] * (grid->wraps[d] ? tiles / extent : (tiles - 1) / (extent - 1));
}

/* Try all sizes in the dimensions from d on; `left` ranks are to be divided among them. */
static void tile_extend(struct tile_search *search, int d, int32_t left, double cut)
{
    const struct recognized_part *grid = search->grid;
    if (d == grid->dimensions) {
        if (left == 1 && (search->least < 0 || cut < search->least)) {
            search->least = cut;
            memcpy(search->best, search->tile, sizeof search->best);
        }
        return;
    }
    for (int32_t size = 1; size <= left && size <= grid->extent[d]; size++) {
        if (left % size != 0 || grid->extent[d] % size != 0)
            continue;
        search->tile[d] = size;
        tile_extend(search, d + 1, left / size, cut + tile_cut(grid, d, size));
    }
}

int grid_tile_choose(const struct recognized_part *grid, int32_t ranks_of_node,
                     int32_t tile[RECOGNIZE_DIMENSIONS])
{
    struct tile_search search = {.grid = grid, .least = -1};
    int32_t cells = 1;
    for (int d = 0; d < grid->dimensions; d++)
        cells *= grid->extent[d];
    if (ranks_of_node < 2 || ranks_of_node >= cells)
        return 0;
    tile_extend(&search, 0, ranks_of_node, 0);
    memcpy(tile, search.best, sizeof search.best);
    return search.least >= 0;
}

/* Number of roles that each node takes; 0: not all take as many (or out of memory). */
static int64_t tile_room_of_node(const struct tmap_tree *tree, int level)
{
    int32_t slots = tmap_tree_slots(tree), nodes = tmap_tree_objects(tree, level);
    if (tmap_tree_is_uniform(tree))
        return slots / nodes;
    int64_t *room = calloc((size_t)nodes + 1, sizeof *room), most = 0;
    for (int32_t slot = 0; slot < slots && room; slot++)
        room[tmap_tree_ancestor(tree, slot, level)] += tmap_tree_slot_capacity(tree, slot);
    for (int32_t node = 0; node < nodes && room; node++)
        most = node == 0 || room[node] == most ? room[node] : 0;
    free(room);
    return most;
}

int32_t grid_tile_ranks_of_node(const struct tmap_tree *tree, int32_t ranks)
{
    int level = tmap_layout_find_level(tree, "n");
    int64_t room = level > 0 ? tile_room_of_node(tree, level) : 0;
    return room > 0 && room <= ranks && ranks % room == 0 ? (int32_t)room : 0;
}

int32_t grid_tile_of(const struct recognized_part *grid, const int32_t *tile, int32_t rank)
{
    int32_t cell = grid->cell_of ? grid->cell_of[rank] : rank, number = 0, stride = 1;
    for (int d = grid->dimensions - 1; d >= 0; d--) {
        number += cell % grid->extent[d] / tile[d] * stride;
        stride *= grid->extent[d] / tile[d];
        cell /= grid->extent[d];
    }
    return number;
}

uint64_t grid_tile_crossing(const struct recognized_part *grid, const int32_t *tile,
                            const struct tmap_matrix *matrix)
{
    uint64_t crossing = 0, weight;
    int32_t partner;
    for (int32_t role = 0; role < tmap_matrix_roles(matrix); role++)
        for (size_t at = 0; tmap_matrix_next(matrix, role, &at, &partner, &weight);)
            if (partner > role &&
                grid_tile_of(grid, tile, role) != grid_tile_of(grid, tile, partner))
                crossing += weight;
    return crossing;
}
