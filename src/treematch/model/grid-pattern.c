/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid-pattern.c - recognize that a pattern is a grid, whatever the order of its roles.
 *
 * A mesh or torus is a Cartesian product of paths and cycles, and the factors of a product can be
 * told from the graph alone (Sabidussi 1960; Imrich and Peterin 2007 need linear time for any
 * factors). With paths and cycles, squares are enough. Two neighbors of a role that lie in
 * different dimensions are corners of exactly one square with it; the two in one dimension are
 * corners of none. (A ring of 4 would be a square, but it is also the product of two edges, and is
 * treated so.) Hence:
 *
 *   1. The neighbors of role 0, in pairs without a square, are its directions; one without an
 *      opposite is at the border of a mesh.
 *   2. Breadth first, a role w, reached from v in direction d, gets its directions from v: behind
 *      it is v; its neighbor in a direction e of another dimension is the fourth corner of the
 *      square v, w, v+e; and the one that is left over, if any, is ahead in direction d.
 *   3. From the corner where all paths begin, steps ahead number the cells. All of this may be
 *      wrong if the pattern is not a grid, so at the end every pair of neighboring cells must be an
 *      edge, and there must be no other edges.
 *
 *      v --- w --- ?       ? is ahead of w: it is neither behind (v) nor the fourth corner x
 *      |     |
 *     v+e -- x
 *
 * Programs also send other things: to diagonal neighbors, in collectives. So first all pairs are
 * taken as edges, and then those that are heavier than a gap between the weights, beginning with
 * the widest gap. A grid with a few edges missing or in excess is not recognized, nor is one that
 * has only some of the roles: their coordinates would be of no use without care for the others.
 */
#include "treematch/model/grid-pattern.h"

/* Neighbors of a role, at most. */
enum { MOST_NEIGHBORS = 2 * TMAP_GRID_DIMENSIONS };

/* Weights are sorted into bins, so many for each factor of 2. */
enum { GRID_FINE = 8, GRID_BINS = 64 * GRID_FINE };

/* Number of gaps between weights that are tried. */
enum { GRID_GAPS = 6 };

struct grid_search {
    const struct tmap_matrix *matrix;
    struct tmap_grid *grid;
    uint64_t least;   /* lighter pairs are no edges */
    size_t edges;     /* each once */
    int32_t pitch;    /* the largest number of neighbors */
    int32_t *near;    /* by role, `pitch` entries: its neighbors, ascending; then -1 */
    int directions;   /* twice the dimensions: ahead 2 d, back 2 d + 1 */
    int32_t *step;    /* by role and direction: where it leads, -1: nowhere */
    int32_t *role_at; /* by cell; before that, roles in the order in which they are reached */
};

/* ---- Edges ---- */

/* TMAP_OK, but without a table: no role, or too many for a grid, are near some role. */
static enum tmap_status list_edges(struct grid_search *g)
{
    int32_t roles = g->matrix->roles;
    size_t ends = 0, most = 0;
    for (int32_t role = 0; role < roles; role++) {
        struct tmap_row row = tmap_row_of(g->matrix, role);
        size_t degree = 0;
        for (size_t i = 0; i < row.count && degree <= MOST_NEIGHBORS; i++)
            degree += row.weight[i] >= g->least;
        if (degree == 0 || degree > MOST_NEIGHBORS)
            return TMAP_OK;
        ends += degree;
        most = degree > most ? degree : most;
    }
    g->edges = ends / 2;
    g->pitch = (int32_t)most;
    g->near = tmap_new((size_t)roles * most, sizeof *g->near);
    for (int32_t role = 0; role < roles && g->near; role++) {
        struct tmap_row row = tmap_row_of(g->matrix, role);
        int32_t *near = g->near + (size_t)role * most;
        size_t count = 0;
        for (size_t i = 0; i < row.count; i++)
            if (row.weight[i] >= g->least)
                near[count++] = row.partner[i];
        while (count < most)
            near[count++] = -1;
    }
    return g->near ? TMAP_OK : TMAP_ENOMEM;
}

static const int32_t *near_of(const struct grid_search *g, int32_t role)
{
    return g->near + (size_t)role * (size_t)g->pitch;
}

static int32_t *steps_of(const struct grid_search *g, int32_t role)
{
    return g->step + (size_t)role * (size_t)g->directions;
}

/* The neighbor that a and b share apart from `except`; -1: none, -2: several. */
static int32_t shared_neighbor(const struct grid_search *g, int32_t a, int32_t b, int32_t except)
{
    const int32_t *of_a = near_of(g, a), *of_b = near_of(g, b);
    int32_t i = 0, j = 0, found = -1;
    while (i < g->pitch && j < g->pitch && of_a[i] >= 0 && of_b[j] >= 0) {
        if (of_a[i] == of_b[j] && of_a[i] != except)
            found = found == -1 ? of_a[i] : -2;
        int32_t ahead = of_a[i] <= of_b[j];
        j += of_b[j] <= of_a[i];
        i += ahead;
    }
    return found;
}

/* ---- Directions ---- */

/* Pair the neighbors of role 0; 0: they are not those of a grid. */
static int find_directions(struct grid_search *g, int32_t *step)
{
    const int32_t *near = near_of(g, 0);
    g->directions = 0;
    for (int32_t i = 0; i < g->pitch && near[i] >= 0; i++) {
        int32_t opposite = -1;
        int paired = 0;
        for (int d = 0; d < g->directions; d++)
            paired |= step[d] == near[i];
        for (int32_t j = 0; j < g->pitch && near[j] >= 0; j++) {
            if (j == i || shared_neighbor(g, near[i], near[j], 0) != -1)
                continue;
            if (opposite >= 0)
                return 0;
            opposite = near[j];
        }
        if (paired)
            continue;
        if (g->directions == MOST_NEIGHBORS)
            return 0;
        step[g->directions++] = near[i];
        step[g->directions++] = opposite;
    }
    return 1;
}

/* The directions of w, which is one step in direction `d` from v; 0: they are not those of a
 * grid. */
static int carry_directions(const struct grid_search *g, int32_t v, int d, int32_t w)
{
    const int32_t *from = steps_of(g, v), *near = near_of(g, w);
    int32_t *to = steps_of(g, w);
    to[d] = -1;
    to[d ^ 1] = v;
    for (int e = 0; e < g->directions; e++) {
        if (e / 2 == d / 2)
            continue;
        to[e] = from[e] < 0 ? -1 : shared_neighbor(g, w, from[e], v);
        if (from[e] >= 0 && to[e] < 0)
            return 0;
    }
    for (int32_t i = 0; i < g->pitch && near[i] >= 0; i++) {
        int known = 0;
        for (int e = 0; e < g->directions; e++)
            known |= to[e] == near[i];
        if (!known && to[d] >= 0)
            return 0;
        if (!known)
            to[d] = near[i];
    }
    return 1;
}

/* Carry the directions of role 0 to all others; 0: not a grid. */
static int reach_all(struct grid_search *g)
{
    int32_t reached = 1, roles = g->matrix->roles;
    for (int32_t role = 1; role < roles; role++)
        steps_of(g, role)[0] = -2; /* not reached */
    g->role_at[0] = 0;
    for (int32_t i = 0; i < reached; i++) {
        int32_t v = g->role_at[i];
        for (int d = 0; d < g->directions; d++) {
            int32_t w = steps_of(g, v)[d];
            if (w < 0 || steps_of(g, w)[0] != -2)
                continue;
            if (!carry_directions(g, v, d, w))
                return 0;
            g->role_at[reached++] = w;
        }
    }
    return reached == roles;
}

/* ---- Cells ---- */

/* Follows `direction` from a role to the end of its line, or until the next step would lead back to
 * `from`. Returns the last role; *steps is the number of steps. */
static int32_t last_of_line(const struct grid_search *g, int32_t from, int direction,
                            int32_t *steps)
{
    int32_t role = from, next = steps_of(g, from)[direction];
    for (*steps = 0; next >= 0 && next != from && *steps < g->matrix->roles; ++*steps) {
        role = next;
        next = steps_of(g, role)[direction];
    }
    return role;
}

/* Extents; returns the role at the corner, -1: not a grid. */
static int32_t measure_extents(const struct grid_search *g)
{
    struct tmap_grid *grid = g->grid;
    int64_t cells = 1;
    int32_t corner = 0, steps;
    grid->dimensions = g->directions / 2;
    for (int d = 0; d < grid->dimensions; d++) {
        int32_t last = last_of_line(g, corner, 2 * d + 1, &steps);
        grid->wraps[d] = steps_of(g, last)[2 * d + 1] >= 0;
        corner = grid->wraps[d] ? corner : last;
        last_of_line(g, corner, 2 * d, &steps);
        grid->extent[d] = steps + 1;
        cells *= grid->extent[d];
        if (cells > g->matrix->roles)
            return -1;
    }
    return cells == g->matrix->roles ? corner : -1;
}

/* Number the cells from the corner; 0: not a grid. */
static int number_cells(const struct grid_search *g, int32_t corner)
{
    const struct tmap_grid *grid = g->grid;
    int32_t cells = g->matrix->roles;
    for (int32_t role = 0; role < cells; role++)
        grid->cell_of[role] = -1;
    for (int32_t cell = 0; cell < cells; cell++) {
        int32_t stride = 1, role = corner;
        int d = grid->dimensions - 1;
        while (d > 0 && cell / stride % grid->extent[d] == 0)
            stride *= grid->extent[d--];
        if (cell > 0)
            role = steps_of(g, g->role_at[cell - stride])[2 * d];
        if (role < 0 || grid->cell_of[role] >= 0)
            return 0;
        grid->cell_of[role] = cell;
        g->role_at[cell] = role;
    }
    return 1;
}

static uint64_t weight_between(const struct tmap_matrix *matrix, int32_t a, int32_t b)
{
    struct tmap_row row = tmap_row_of(matrix, a);
    size_t at = tmap_row_find(&row, b);
    return at < row.count ? row.weight[at] : 0;
}

/* Returns 1 if all neighboring cells are joined by edges, and there are no other edges. */
static int verify_cells(const struct grid_search *g)
{
    struct tmap_grid *grid = g->grid;
    int32_t stride = g->matrix->roles;
    size_t edges = 0;
    for (int d = 0; d < grid->dimensions; d++) {
        grid->weight[d] = 0;
        stride /= grid->extent[d];
        for (int32_t cell = 0; cell < g->matrix->roles; cell++) {
            int is_last = cell / stride % grid->extent[d] == grid->extent[d] - 1;
            if (is_last && !grid->wraps[d])
                continue;
            int32_t next = is_last ? cell - (grid->extent[d] - 1) * stride : cell + stride;
            uint64_t weight = weight_between(g->matrix, g->role_at[cell], g->role_at[next]);
            if (weight < g->least)
                return 0;
            grid->weight[d] += (double)weight;
            edges++;
        }
    }
    return edges == g->edges;
}

/* Try with the pairs of weight `least` or more as edges. */
static enum tmap_status grid_attempt(struct tmap_grid *grid, const struct tmap_matrix *matrix,
                                     uint64_t least)
{
    struct grid_search g = {.matrix = matrix, .grid = grid, .least = least};
    size_t roles = (size_t)matrix->roles;
    int32_t corner, step[MOST_NEIGHBORS];
    int found = 0;
    enum tmap_status status = list_edges(&g);
    if (status == TMAP_OK && g.near && find_directions(&g, step)) {
        g.step = tmap_new(roles * (size_t)g.directions, sizeof *g.step);
        g.role_at = tmap_new(roles, sizeof *g.role_at);
        status = g.step && g.role_at ? TMAP_OK : TMAP_ENOMEM;
        if (status == TMAP_OK) {
            memcpy(g.step, step, sizeof *step * (size_t)g.directions);
            found = reach_all(&g) && (corner = measure_extents(&g)) >= 0 &&
                    number_cells(&g, corner) && verify_cells(&g);
        }
    }
    grid->dimensions = found ? grid->dimensions : 0;
    free(g.near);
    free(g.step);
    free(g.role_at);
    return status;
}

/* ---- Weights ---- */

static int bin_of(uint64_t weight)
{
    int log = 63 - __builtin_clzll(weight);
    uint64_t fine = log >= 3 ? weight >> (log - 3) : weight << (3 - log);
    return GRID_FINE * log + (int)(fine - GRID_FINE);
}

static void count_weights(const struct tmap_matrix *matrix, size_t ends_in[GRID_BINS],
                          uint64_t least_in[GRID_BINS])
{
    memset(ends_in, 0, sizeof *ends_in * GRID_BINS);
    for (size_t i = 0; i < matrix->start[matrix->roles]; i++) {
        uint64_t weight = matrix->weight[i];
        if (weight == 0)
            continue;
        int bin = bin_of(weight);
        if (ends_in[bin] == 0 || weight < least_in[bin])
            least_in[bin] = weight;
        ends_in[bin]++;
    }
}

/* The least weights above gaps, those of the widest gaps first; returns how many. Fewer edges than
 * join all roles, or more than a grid can have, are not worth an attempt. */
static int find_gaps(const struct tmap_matrix *matrix, uint64_t least[GRID_GAPS])
{
    size_t ends_in[GRID_BINS], ends = 0, roles = (size_t)matrix->roles;
    uint64_t least_in[GRID_BINS];
    int width[GRID_GAPS], count = 0, above = -1;
    count_weights(matrix, ends_in, least_in);
    for (int bin = GRID_BINS - 1; bin >= 0; bin--) {
        if (ends_in[bin] == 0)
            continue;
        int gap = above - bin, at = count;
        if (above >= 0 && gap > 1 && ends >= 2 * (roles - 1) && ends <= MOST_NEIGHBORS * roles) {
            while (at > 0 && width[at - 1] < gap)
                at--;
            count += count < GRID_GAPS;
            for (int i = count - 1; i > at; i--) {
                width[i] = width[i - 1];
                least[i] = least[i - 1];
            }
            if (at < GRID_GAPS) {
                width[at] = gap;
                least[at] = least_in[above];
            }
        }
        ends += ends_in[bin];
        above = bin;
    }
    return count;
}

enum tmap_status tmap_grid_recognize(struct tmap_grid *grid, const struct tmap_matrix *matrix)
{
    uint64_t least[GRID_GAPS];
    memset(grid, 0, sizeof *grid);
    if (matrix->roles < 2 || matrix->pairs < (size_t)matrix->roles - 1)
        return TMAP_OK;
    grid->cell_of = tmap_new((size_t)matrix->roles, sizeof *grid->cell_of);
    if (!grid->cell_of)
        return TMAP_ENOMEM;
    enum tmap_status status = grid_attempt(grid, matrix, 1);
    int gaps = grid->dimensions == 0 && status == TMAP_OK ? find_gaps(matrix, least) : 0;
    for (int i = 0; i < gaps && grid->dimensions == 0 && status == TMAP_OK; i++)
        status = grid_attempt(grid, matrix, least[i]);
    if (grid->dimensions == 0)
        tmap_grid_fini(grid);
    return status;
}

void tmap_grid_fini(struct tmap_grid *grid)
{
    free(grid->cell_of);
    grid->cell_of = NULL;
}
