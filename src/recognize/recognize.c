/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recognize.c - take the best pattern, then the best one for what is left, until too little is.
 *
 * "Best" weighs what a pattern explains against how many pairs it has: a complete graph explains
 * every traffic and says nothing. So a pattern scores its share of the traffic, of what no earlier
 * one has, less its share of all pairs of ranks. Diagonal neighbors in a grid are not held against
 * it: they are there only if worth it (numbered-grid.c).
 */
#include <stdlib.h>
#include <string.h>

#include "recognize/numbered.h"
#include "treematch/model/grid-pattern.h"

/* Less than the first is not named. From the second on nothing better is sought: grids whose ranks
 * are numbered otherwise, which must explain so much more. */
static const double LEAST_EXPLAINED = 0.6, MUCH_EXPLAINED = 0.9, CLEARLY_MORE = 0.1;
/* A pair that carries less than this fraction of the pattern's mean does not talk as the others
 * do. */
static const double LEAST_OF_MEAN = 0.1;

int recognize_has(const struct recognized_part *part, int32_t a, int32_t b)
{
    return part->kind == RECOGNIZED_GRID ? numbered_grid_has(part, a, b)
                                         : numbered_groups_has(part, a, b);
}

double recognize_pairs(const struct recognized_part *part, int32_t ranks)
{
    return part->kind == RECOGNIZED_GRID ? numbered_grid_pairs(part)
                                         : numbered_groups_pairs(part, ranks);
}

/* ---- Traffic ---- */

static void traffic_close(struct traffic *traffic)
{
    free(traffic->edge);
    free(traffic->weight_at);
    free(traffic->count_at);
}

static enum tmap_status traffic_open(struct traffic *traffic, const struct tmap_matrix *matrix)
{
    int32_t partner;
    uint64_t weight;
    size_t pairs = tmap_matrix_pairs(matrix);
    memset(traffic, 0, sizeof *traffic);
    traffic->ranks = tmap_matrix_roles(matrix);
    traffic->edge = malloc((pairs + 1) * sizeof *traffic->edge);
    traffic->weight_at = calloc((size_t)traffic->ranks + 1, sizeof *traffic->weight_at);
    traffic->count_at = calloc((size_t)traffic->ranks + 1, sizeof *traffic->count_at);
    if (!traffic->edge || !traffic->weight_at || !traffic->count_at)
        return TMAP_ENOMEM;
    for (int32_t role = 0; role < traffic->ranks; role++)
        for (size_t at = 0; tmap_matrix_next(matrix, role, &at, &partner, &weight);)
            if (partner > role) {
                traffic->edge[traffic->count++] = (struct traffic_edge){role, partner, 0, weight};
                traffic->weight_at[partner - role] += (double)weight;
                traffic->count_at[partner - role]++;
                traffic->total += (double)weight;
            }
    traffic->unexplained = traffic->total;
    return TMAP_OK;
}

/* Traffic of a part that is not explained yet; in *all with what is. */
static double traffic_weight(const struct traffic *traffic, const struct recognized_part *part,
                             double *all)
{
    double weight = 0;
    *all = 0;
    for (size_t i = 0; i < traffic->count; i++) {
        const struct traffic_edge *edge = &traffic->edge[i];
        if (!recognize_has(part, edge->a, edge->b))
            continue;
        *all += (double)edge->weight;
        weight += edge->explained ? 0 : (double)edge->weight;
    }
    return weight;
}

/* Number of pairs of a part that talk about as much as they should. */
static double traffic_talking(const struct traffic *traffic, const struct recognized_part *part,
                              double mean)
{
    double talking = 0;
    for (size_t i = 0; i < traffic->count; i++) {
        const struct traffic_edge *edge = &traffic->edge[i];
        talking +=
            (double)edge->weight >= LEAST_OF_MEAN * mean && recognize_has(part, edge->a, edge->b);
    }
    return talking;
}

void traffic_offer(struct traffic *traffic, const struct recognized_part *part)
{
    struct recognized_part plain = *part;
    double ranks = traffic->ranks, all;
    memset(plain.diagonal, 0, sizeof plain.diagonal);
    double pairs = recognize_pairs(&plain, traffic->ranks);
    double density = pairs / (ranks * (ranks - 1) / 2);
    double weight = traffic_weight(traffic, &plain, &all);
    int is_everything = part->kind == RECOGNIZED_GROUPS && part->group == traffic->ranks;
    if (weight < RECOGNIZE_LEAST_SHARE * traffic->total ||
        (!is_everything && weight < RECOGNIZE_ALL * traffic->total &&
         weight < RECOGNIZE_LEAST_LIFT * density * traffic->unexplained) ||
        traffic_talking(traffic, &plain, all / pairs) < RECOGNIZE_NEARLY_ALL * pairs)
        return;
    double share = traffic_weight(traffic, part, &all) / traffic->total;
    double score = is_everything ? share / 1000 : share - density;
    if (score <= traffic->best_score)
        return;
    traffic->best = *part;
    traffic->best.share = share;
    traffic->best_score = score;
}

/* Nothing is explained; weight_at follows. */
static void traffic_forget(struct traffic *traffic, struct recognized *recognized)
{
    for (size_t i = 0; i < traffic->count; i++) {
        struct traffic_edge *edge = &traffic->edge[i];
        if (edge->explained)
            traffic->weight_at[edge->b - edge->a] += (double)edge->weight;
        edge->explained = 0;
    }
    traffic->unexplained = traffic->total;
    recognized->parts = 0;
    recognized->share = 0;
}

/* Take the best part; what it has is explained. */
static void traffic_take(struct traffic *traffic, struct recognized *recognized)
{
    struct recognized_part *part = &recognized->part[recognized->parts++];
    *part = traffic->best;
    recognized->share += part->share;
    for (size_t i = 0; i < traffic->count; i++) {
        struct traffic_edge *edge = &traffic->edge[i];
        if (edge->explained || !recognize_has(part, edge->a, edge->b))
            continue;
        edge->explained = 1;
        traffic->weight_at[edge->b - edge->a] -= (double)edge->weight;
        traffic->unexplained -= (double)edge->weight;
    }
}

/* ---- Grids in another order ---- */

/* Turn a grid of the engine's into a part; 0: it has more dimensions than a part can. All extents
 * 2: a hypercube, whose cells' numbers are what the ranks' should be. */
static int part_of_grid(struct recognized_part *part, const struct tmap_grid *grid, int32_t ranks)
{
    int is_cube = grid->dimensions > 2;
    for (int d = 0; d < grid->dimensions; d++)
        is_cube &= grid->extent[d] == 2;
    memset(part, 0, sizeof *part);
    part->cell_of = grid->cell_of;
    if (is_cube) {
        part->kind = RECOGNIZED_CUBES;
        part->group = ranks;
        part->stride = 1;
        return 1;
    }
    if (grid->dimensions < 1 || grid->dimensions > RECOGNIZE_DIMENSIONS)
        return 0;
    part->kind = RECOGNIZED_GRID;
    part->dimensions = grid->dimensions;
    for (int d = 0; d < grid->dimensions; d++)
        part->extent[d] = grid->extent[d];
    return 1;
}

/* One that explains clearly more than what was found, and is then all that is found. */
static enum tmap_status recognize_any_grid(struct recognized *recognized, struct traffic *traffic,
                                           const struct tmap_matrix *matrix)
{
    struct tmap_grid grid;
    struct recognized_part part;
    struct recognized before = *recognized;
    enum tmap_status status = tmap_grid_recognize(&grid, matrix);
    if (status == TMAP_OK && part_of_grid(&part, &grid, traffic->ranks)) {
        traffic_forget(traffic, recognized);
        traffic->best_score = 0;
        if (part.kind != RECOGNIZED_GRID || numbered_grid_measure(&part, traffic))
            traffic_offer(traffic, &part);
        if (traffic->best_score > 0 && traffic->best.share > before.share + CLEARLY_MORE) {
            traffic_take(traffic, recognized);
            recognized->cell_of = grid.cell_of;
            grid.cell_of = NULL;
        } else {
            *recognized = before;
        }
    }
    tmap_grid_fini(&grid);
    return status;
}

/* ---- Everything ---- */

/* Grids are looked for only before other patterns have been found: what those leave looks like a
 * grid too easily. Of partners at all powers of two a hypercube leaves a grid of four
 * dimensions. */
static void search_all(struct traffic *traffic)
{
    if (traffic->unexplained >= traffic->total)
        numbered_grid_search(traffic);
    numbered_groups_search(traffic);
}

/* The best part that `search` offers, again and again, as long as enough is left for one. */
static void recognize_parts(struct recognized *recognized, struct traffic *traffic, int parts,
                            void (*search)(struct traffic *traffic))
{
    while (recognized->parts < parts &&
           traffic->unexplained >= RECOGNIZE_LEAST_SHARE * traffic->total) {
        traffic->best_score = 0;
        search(traffic);
        if (traffic->best_score <= 0)
            break;
        traffic_take(traffic, recognized);
    }
}

/* Within rows and columns of a matrix of ranks first: with its diagonal neighbors a grid of four
 * dimensions can be the same, and who would see that in it? */
enum tmap_status recognize(struct recognized *recognized, const struct tmap_matrix *matrix)
{
    struct traffic traffic;
    enum tmap_status status = traffic_open(&traffic, matrix);
    memset(recognized, 0, sizeof *recognized);
    if (status == TMAP_OK && traffic.ranks >= 4 && traffic.total > 0) {
        recognize_parts(recognized, &traffic, 2, numbered_groups_search_large);
        if (recognized->share < RECOGNIZE_ALL) {
            traffic_forget(&traffic, recognized);
            recognize_parts(recognized, &traffic, RECOGNIZE_PARTS, search_all);
        }
        if (recognized->share < MUCH_EXPLAINED)
            status = recognize_any_grid(recognized, &traffic, matrix);
    }
    if (recognized->share < LEAST_EXPLAINED)
        recognized->parts = 0;
    traffic_close(&traffic);
    return status;
}

void recognize_fini(struct recognized *recognized)
{
    free(recognized->cell_of);
    recognized->cell_of = NULL;
}
