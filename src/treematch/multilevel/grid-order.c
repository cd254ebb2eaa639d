/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid-order.c - walk through all cells of a grid so that each step leads to a neighbor.
 *
 * An open walk is the reflected Gray code of the sides' sizes: the last side changes with every
 * step, and turns back whenever another one changes. A closed walk, a Hamiltonian cycle, sees the
 * grid as `a` rows (the first side) of b cells (an open or closed walk through the others), keeps
 * column 0 for the way back, and goes through the rest in turns:
 *
 *     a even:  0 < 1 - 2 - 3       a odd:  0 - 1 - 2 - 3        the last row ends on the right,
 *              next |           |               |           |        to column 0 if the others'
 *                               walk is
 *              7 - 6 - 5 - 4              11   6 - 5 - 4        closed
 *                                          |   |
 *                                       > 10   7 - 8 - 9 >
 *
 * A walk through a single side is closed if the side wraps. So one even side is enough, and without
 * one a side that wraps; without either there is no Hamiltonian cycle: color the cells of a mesh of
 * odd sides like a chessboard, and they are an odd number.
 */
#include "treematch/multilevel/grid-order.h"

static void move_side(struct tmap_grid_side *side, int from, int to)
{
    const struct tmap_grid_side moved = side[from];
    int step = from < to ? 1 : -1;
    for (int i = from; i != to; i += step)
        side[i] = side[i + step];
    side[to] = moved;
}

enum tmap_grid_walk tmap_grid_plan(struct tmap_grid_side *side, int sides, int closed)
{
    int even = -1, ring = -1;
    for (int i = 1; i < sides; i++)
        for (int j = i; j > 0 && side[j].cost > side[j - 1].cost; j--)
            move_side(side, j, j - 1);
    for (int i = sides - 1; i >= 0; i--) {
        even = side[i].size % 2 == 0 ? i : even;
        ring = side[i].wraps ? i : ring;
    }
    if (!closed)
        return TMAP_GRID_OPEN;
    if (even >= 0 && sides > 1)
        move_side(side, even, 0);
    else if (ring >= 0)
        move_side(side, ring, sides - 1);
    else
        return TMAP_GRID_FOLDED;
    return TMAP_GRID_CLOSED;
}

static int32_t open_cell(const struct tmap_grid_side *side, int sides, int32_t steps)
{
    int32_t cell = 0;
    for (int i = sides - 1; i >= 0; i--) {
        int32_t at = steps % side[i].size;
        steps /= side[i].size;
        cell += (steps % 2 ? side[i].size - 1 - at : at) * side[i].stride;
    }
    return cell;
}

static int32_t cells_of(const struct tmap_grid_side *side, int sides)
{
    int32_t cells = 1;
    for (int i = 0; i < sides; i++)
        cells *= side[i].size;
    return cells;
}

static int32_t closed_cell(const struct tmap_grid_side *side, int sides, int32_t steps)
{
    int32_t cell = 0;
    for (; sides > 1; side++, sides--) {
        int32_t rows = side->size, columns = cells_of(side + 1, sides - 1);
        int32_t back = steps - rows * (columns - 1); /* steps on the way back */
        int32_t row = back >= 0 ? rows - 1 - back : steps / (columns - 1);
        int32_t at = steps % (columns - 1);
        cell += row * side->stride;
        steps = back >= 0 ? 0 : (row % 2 ? columns - 1 - at : 1 + at);
        if (rows % 2 == 0)
            return cell + open_cell(side + 1, sides - 1, steps);
    }
    return cell + steps * side->stride;
}

int32_t tmap_grid_cell(const struct tmap_grid_side *side, int sides, enum tmap_grid_walk walk,
                       int32_t steps)
{
    int32_t cells = cells_of(side, sides);
    if (walk == TMAP_GRID_CLOSED)
        return closed_cell(side, sides, steps);
    if (walk == TMAP_GRID_FOLDED)
        steps = 2 * steps < cells ? 2 * steps : 2 * (cells - steps) - 1;
    return open_cell(side, sides, steps);
}
