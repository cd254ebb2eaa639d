/* SPDX-License-Identifier: BSD-3-Clause */
/* report-pattern.c - see report-pattern.h. */
#include "cmd/shell/amount.h"
#include "cmd/report/report-pattern.h"
#include "recognize/grid-tile.h"

/* "a 4 x 4 grid in row order (73 % of the bytes) and ..." */
void report_pattern_write(FILE *file, const struct report_pattern *pattern, int32_t ranks)
{
    const struct recognized *recognized = &pattern->recognized;
    char text[RECOGNIZE_TEXT];
    if (recognized->parts == 0)
        return;
    fprintf(file, "The pattern is ");
    for (int i = 0; i < recognized->parts; i++) {
        const struct recognized_part *part = &recognized->part[i];
        const char *joint = i == 0 ? "" : i + 1 < recognized->parts ? ", " : " and ";
        fprintf(file, "%s%s (%.0f %%%s)", joint, recognize_text(part, ranks, text),
                100 * part->share, i == 0 ? " of the bytes" : "");
    }
    fprintf(file, ".\n");
}

static void pattern_write_extents(FILE *file, const struct recognized_part *grid,
                                  const int32_t *extent, const char *between)
{
    for (int d = 0; d < grid->dimensions; d++)
        fprintf(file, "%s%d", d ? between : "", (int)extent[d]);
}

int report_pattern_write_cray(FILE *file, const struct report_pattern *pattern)
{
    const struct recognized_part *grid = &pattern->recognized.part[0];
    if (!pattern->has_tile || grid->cell_of)
        return 0;
    fprintf(file, "grid_order -R -g ");
    pattern_write_extents(file, grid, grid->extent, ",");
    fprintf(file, " -c ");
    pattern_write_extents(file, grid, pattern->tile, ",");
    return 1;
}

void report_pattern_write_tile(FILE *file, const struct report_pattern *pattern)
{
    const struct recognized_part *grid = &pattern->recognized.part[0];
    char text[32];
    if (!pattern->has_tile)
        return;
    fprintf(file, "A tile of ");
    pattern_write_extents(file, grid, pattern->tile, " x ");
    fprintf(file, " ranks on each node would leave %s between nodes",
            amount((double)pattern->tile_crossing, "B", text));
    if (!grid->cell_of) {
        fprintf(file, " (CrayPat: ");
        report_pattern_write_cray(file, pattern);
        fprintf(file, ")");
    }
    fprintf(file, ".\n");
}

int report_pattern_find(struct report_pattern *pattern, const struct tmap_matrix *bytes,
                        const struct tmap_tree *tree, struct reseat_error *error)
{
    const struct recognized_part *first = &pattern->recognized.part[0];
    int32_t ranks = tmap_matrix_roles(bytes);
    if (recognize(&pattern->recognized, bytes) != TMAP_OK)
        return reseat_fail(error, "the pattern: out of memory");
    if (pattern->recognized.parts == 0 || first->kind != RECOGNIZED_GRID || first->dimensions < 2)
        return 0;
    pattern->has_tile =
        grid_tile_choose(first, grid_tile_ranks_of_node(tree, ranks), pattern->tile);
    if (pattern->has_tile)
        pattern->tile_crossing = grid_tile_crossing(first, pattern->tile, bytes);
    return 0;
}

void report_pattern_close(struct report_pattern *pattern)
{
    recognize_fini(&pattern->recognized);
}
