/* SPDX-License-Identifier: BSD-3-Clause */
/* report-sentences.c - see report-sentences.h. */
#include "cmd/report/report-sentences.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "recognize/grid-tile.h"

/* ---- the pattern ---- */

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

/* The options of CrayPat's grid_order for it; 0: there are none, as the grid is numbered otherwise,
 * and nothing is written. */
static int report_pattern_write_cray(FILE *file, const struct report_pattern *pattern)
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

void report_pattern_write_tile(FILE *file, const void *context)
{
    const struct report_pattern *pattern = context;
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

/* ---- options of launchers ---- */

static const double OPTION_LEAST_SHARE = 0.5;

/* The launcher that an MPI comes with; LAUNCHER_FAMILIES: not known. */
static enum launcher_family option_family_of(const char *mpi)
{
    const char *openmpi = mpi ? strstr(mpi, "Open MPI") : NULL;
    if (openmpi) {
        long release = strtol(openmpi + strcspn(openmpi, "0123456789"), NULL, 10);
        return release >= 5 ? LAUNCHER_FAMILY_OPENMPI5 : LAUNCHER_FAMILY_OPENMPI;
    }
    return mpi && strstr(mpi, "MPICH") ? LAUNCHER_FAMILY_HYDRA : LAUNCHER_FAMILIES;
}

/* 0, or -1 with *error. */
static int option_find(struct report_option *found, const struct regular_machine *machine,
                       const struct prediction *p, struct reseat_error *error)
{
    struct regular_option option;
    if (found->family == LAUNCHER_FAMILIES)
        return 0;
    int rc = regular_option_find(&option, found->family, machine, p->matrix, p->tree);
    if (rc < 0)
        return reseat_fail(error, "options of launchers: out of memory");
    double share = rc > 0 ? (p->before.cost - option.cost) / (p->before.cost - p->after.cost) : 0;
    if (share >= OPTION_LEAST_SHARE) {
        found->share = share;
        strcpy(found->words, option.words);
    }
    return 0;
}

int report_options_find(struct report_options *options, const struct prediction *p,
                        const struct reseat_profile *profile, int has_seats,
                        struct reseat_error *error)
{
    struct regular_machine machine = {.slot_at = NULL};
    int32_t ranks = tmap_matrix_roles(p->matrix);
    struct report_options found = {.own.family =
                                       option_family_of(reseat_profile_header(profile, "mpi")),
                                   .srun.family = LAUNCHER_FAMILY_SRUN};
    if (p->objective != RESEAT_OBJECTIVE_COST || p->after.cost >= p->before.cost)
        return 0;
    int rc = has_seats ? regular_machine_open_launch(&machine, p->tree, p->launch, ranks, error)
                       : regular_machine_open(&machine, p->tree, error);
    if (rc == 0)
        rc = option_find(&found.own, &machine, p, error);
    if (rc == 0)
        rc = option_find(&found.srun, &machine, p, error);
    regular_machine_close(&machine);
    if (rc == 0)
        *options = found;
    return rc;
}

void report_options_write(FILE *file, const void *context)
{
    const struct report_options *options = context;
    const struct report_option *own = &options->own, *srun = &options->srun;
    if (own->share == 0 && srun->share == 0)
        return;
    fprintf(file, "The option ");
    if (own->share > 0)
        fprintf(file, "%s of %s has %.0f %% of that gain", own->words,
                launcher_family_title(own->family), 100 * own->share);
    if (own->share > 0 && srun->share > 0)
        fprintf(file, ", %s of srun %.0f %%", srun->words, 100 * srun->share);
    else if (srun->share > 0)
        fprintf(file, "%s of srun has %.0f %% of that gain", srun->words, 100 * srun->share);
    fprintf(file, " (map --layouts has more).\n");
}
