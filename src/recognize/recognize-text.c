/* SPDX-License-Identifier: BSD-3-Clause */
/* recognize-text.c - patterns in words. */
#include <stdio.h>

#include "recognize/recognize.h"

/* "1st", "2nd" ... */
static const char *text_ordinal(int number)
{
    static const char *const ordinals[RECOGNIZE_DIMENSIONS] = {"1st", "2nd", "3rd", "4th"};
    return ordinals[number];
}

/* "8 x 8 x 4" */
static void text_extents(const struct recognized_part *grid, char *text, size_t size)
{
    size_t used = 0;
    for (int d = 0; d < grid->dimensions && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%d", d ? " x " : "",
                                 (int)grid->extent[d]);
}

/* "periodic ", or "", with what wraps behind the extents if only some that could do. */
static const char *text_wraps(const struct recognized_part *grid, char *some, size_t size)
{
    int wraps = 0, can = 0;
    size_t used = 0;
    some[0] = '\0';
    for (int d = 0; d < grid->dimensions; d++) {
        wraps += grid->wraps[d];
        can += grid->extent[d] > 2;
    }
    if (wraps == 0 || wraps == can)
        return wraps ? "periodic " : "";
    for (int d = 0; d < grid->dimensions && used < size; d++)
        if (grid->wraps[d])
            used += (size_t)snprintf(some + used, size - used, "%s%s", used ? " and " : "",
                                     text_ordinal(d));
    return "";
}

static void text_grid(const struct recognized_part *grid, char text[RECOGNIZE_TEXT])
{
    char extents[60], some[40];
    const char *periodic = text_wraps(grid, some, sizeof some);
    const char *order = grid->cell_of ? ", numbered in another order" : " in row order";
    const char *diagonals = grid->diagonals == 0 ? ""
                            : grid->diagonals == grid->all_diagonals
                                ? ", with diagonal neighbors"
                                : ", with some diagonal neighbors";
    if (grid->dimensions == 1) {
        snprintf(text, RECOGNIZE_TEXT, "a %s of %d ranks%s", grid->wraps[0] ? "ring" : "chain",
                 (int)grid->extent[0], grid->cell_of ? order : "");
        return;
    }
    text_extents(grid, extents, sizeof extents);
    int is_an = periodic[0] == '\0' && (grid->extent[0] == 8 || grid->extent[0] == 11 ||
                                        grid->extent[0] == 18 || extents[0] == '8');
    snprintf(text, RECOGNIZE_TEXT, "a%s %s%s grid%s%s%s%s%s", is_an ? "n" : "", periodic, extents,
             some[0] ? ", periodic in the " : "", some, some[0] ? " dimension," : "", order,
             diagonals);
}

/* "within 8 groups of 4 consecutive ranks" */
static void text_groups(const struct recognized_part *part, int32_t ranks, const char *what,
                        char text[RECOGNIZE_TEXT])
{
    int groups = (int)(ranks / part->group);
    if (part->cell_of)
        snprintf(text, RECOGNIZE_TEXT,
                 "%s of %d ranks (or a torus with rings of 4), numbered in another order", what,
                 (int)ranks);
    else if (groups == 1)
        snprintf(text, RECOGNIZE_TEXT, "%s of %d ranks", what, (int)ranks);
    else if (part->stride == 1)
        snprintf(text, RECOGNIZE_TEXT, "%s within %d groups of %d consecutive ranks", what, groups,
                 (int)part->group);
    else
        snprintf(text, RECOGNIZE_TEXT, "%s within %d groups of %d ranks that are %d apart", what,
                 groups, (int)part->group, (int)part->stride);
}

static void text_tree(const struct recognized_part *part, char text[RECOGNIZE_TEXT])
{
    if (part->arity)
        snprintf(text, RECOGNIZE_TEXT, "a tree below rank 0, %d ranks below each",
                 (int)part->arity);
    else
        snprintf(text, RECOGNIZE_TEXT, "a binomial tree below rank 0");
}

const char *recognize_text(const struct recognized_part *part, int32_t ranks,
                           char text[RECOGNIZE_TEXT])
{
    int is_one = part->group == ranks;
    switch (part->kind) {
    case RECOGNIZED_GRID:
        text_grid(part, text);
        break;
    case RECOGNIZED_GROUPS:
        text_groups(part, ranks, part->group == 2 ? "pairs" : "all-to-all", text);
        break;
    case RECOGNIZED_CUBES:
        text_groups(part, ranks, is_one ? "a hypercube" : "hypercubes", text);
        break;
    case RECOGNIZED_CHAINS:
        text_groups(part, ranks, "chains", text);
        break;
    case RECOGNIZED_RINGS:
        text_groups(part, ranks, "rings", text);
        break;
    case RECOGNIZED_TRANSPOSITION:
        snprintf(text, RECOGNIZE_TEXT, "a transposition of %d x %d%s", (int)part->side,
                 (int)part->side, part->unit > 1 ? " pairs of ranks" : "");
        break;
    case RECOGNIZED_POWERS:
        snprintf(text, RECOGNIZE_TEXT, "each of %d ranks with those 1, 2, 4 ... after it",
                 (int)ranks);
        break;
    case RECOGNIZED_TREE:
        text_tree(part, text);
        break;
    case RECOGNIZED_STAR:
        snprintf(text, RECOGNIZE_TEXT, "rank %d with all others", (int)part->center);
        break;
    }
    return text;
}
