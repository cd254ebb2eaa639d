/* SPDX-License-Identifier: BSD-3-Clause */
/* report-pattern.c - see report-pattern.h. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/amount.h"
#include "cmd/report-pattern.h"
#include "recognize/grid-tile.h"

/* "a 4 x 4 grid in row order (73 % of the bytes) and ..." */
static void pattern_print_parts(const struct recognized *recognized, int32_t ranks)
{
    char text[RECOGNIZE_TEXT];
    printf("The pattern is ");
    for (int i = 0; i < recognized->parts; i++) {
        const struct recognized_part *part = &recognized->part[i];
        const char *joint = i == 0 ? "" : i + 1 < recognized->parts ? ", " : " and ";
        printf("%s%s (%.0f %%%s)", joint, recognize_text(part, ranks, text), 100 * part->share,
               i == 0 ? " of the bytes" : "");
    }
    printf(".\n");
}

/* How many ranks the nodes of a machine have; 0: not all the same, or there are no nodes. */
static int32_t pattern_ranks_of_node(const struct tmap_tree *tree, int32_t ranks)
{
    int level = tmap_layout_find_level(tree, "n");
    int32_t slots = tmap_tree_slots(tree), most = 0;
    int32_t nodes = level > 0 ? tmap_tree_objects(tree, level) : 0;
    int32_t *room = calloc((size_t)nodes + 1, sizeof *room);
    for (int32_t slot = 0; slot < slots && room && nodes; slot++)
        room[tmap_tree_ancestor(tree, slot, level)] += tmap_tree_slot_capacity(tree, slot);
    for (int32_t node = 0; node < nodes && room; node++)
        most = node == 0 || room[node] == most ? room[node] : -1;
    free(room);
    return most > 0 && ranks % most == 0 ? most : 0;
}

static void pattern_print_extents(const struct recognized_part *grid, const int32_t *extent,
                                  const char *between)
{
    for (int d = 0; d < grid->dimensions; d++)
        printf("%s%d", d ? between : "", (int)extent[d]);
}

static void pattern_print_tile(const struct recognized_part *grid, const int32_t *tile,
                               const struct tmap_matrix *bytes)
{
    char text[32];
    printf("A tile of ");
    pattern_print_extents(grid, tile, " x ");
    printf(" ranks on each node would leave %s between nodes",
           amount((double)grid_tile_crossing(grid, tile, bytes), "B", text));
    if (!grid->cell_of) {
        printf(" (CrayPat: grid_order -R -g ");
        pattern_print_extents(grid, grid->extent, ",");
        printf(" -c ");
        pattern_print_extents(grid, tile, ",");
        printf(")");
    }
    printf(".\n");
}

int report_print_pattern(const struct tmap_matrix *bytes, const struct tmap_tree *tree,
                         struct reseat_error *error)
{
    struct recognized recognized;
    int32_t tile[RECOGNIZE_DIMENSIONS], ranks = tmap_matrix_roles(bytes);
    enum tmap_status status = recognize(&recognized, bytes);
    if (status == TMAP_OK && recognized.parts > 0) {
        const struct recognized_part *first = &recognized.part[0];
        pattern_print_parts(&recognized, ranks);
        if (first->kind == RECOGNIZED_GRID && first->dimensions > 1 &&
            grid_tile_choose(first, pattern_ranks_of_node(tree, ranks), tile))
            pattern_print_tile(first, tile, bytes);
    }
    recognize_fini(&recognized);
    return status == TMAP_OK ? 0 : reseat_fail(error, "the pattern: out of memory");
}
