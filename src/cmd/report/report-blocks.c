/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report-blocks.c - see report-blocks.h. A character is two cells, one above the other: the upper
 * half block in the color of one on the color of the other. The maps have a background of their
 * own, so that they look the same on light and dark terminals.
 */
#include "cmd/report/report-blocks.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/machine-load.h"
#include "treematch/tmap.h"

enum {
    BLOCKS_GAP = 3,    /* columns between the maps */
    BLOCKS_LEAST = 24, /* columns of a map of many ranks, at least */
    BLOCKS_MOST = 64,
    BLOCKS_ENLARGED = 32, /* up to so many columns a map of few ranks is enlarged */
    BLOCKS_LABEL = 24,    /* columns before a bar: as in the table of levels */
    BLOCKS_AMOUNT = 12,   /* columns after it */
    BLOCKS_LEAST_BAR = 20,
    BLOCKS_MOST_BAR = 60
};

/* What a color means, from HEAT_COLORS on. */
enum {
    BLOCKS_EMPTY = HEAT_COLORS, /* between nodes */
    BLOCKS_NODE,                /* empty, inside a node */
    BLOCKS_BEFORE,
    BLOCKS_AFTER,
    BLOCKS_COLORS,
    BLOCKS_NONE = -1 /* the terminal's own background */
};

/* From little to much: dark to light, to be told apart without seeing red and green as two. */
static const struct {
    unsigned char red, green, blue, of_256;
} blocks_palette[BLOCKS_COLORS] = {
    {0x28, 0x32, 0x5f, 19},  {0x2b, 0x4a, 0x86, 25},  {0x25, 0x65, 0x9c, 31},
    {0x1d, 0x82, 0xa3, 37},  {0x2c, 0x9f, 0x9f, 72},  {0x57, 0xb9, 0x8c, 113},
    {0x94, 0xcf, 0x72, 149}, {0xd0, 0xdf, 0x66, 185}, {0xfd, 0xf5, 0xa6, 229},
    {0x10, 0x14, 0x19, 233}, {0x26, 0x2c, 0x33, 236}, {0xd0, 0x8a, 0x2a, 172},
    {0x1c, 0x9c, 0x94, 37}};

/* ---- what fits ---- */

/* As few ranks in a cell as there is room for; where nodes have the same number of ranks, they
 * begin with a cell or are in one, if possible. */
static int32_t blocks_bin(int32_t ranks, int32_t nodes, int32_t columns)
{
    int32_t least = (ranks + columns - 1) / columns;
    int32_t of_node = nodes > 0 && ranks % nodes == 0 ? ranks / nodes : 0;
    for (int32_t bin = least; of_node && bin < 2 * least; bin++)
        if (of_node % bin == 0 || bin % of_node == 0)
            return bin;
    return least;
}

/* The columns for each map; 0: there is no room. */
static int blocks_choose_maps(struct report_blocks *b, const struct report *r)
{
    int columns = b->terminal.columns, half = (columns - BLOCKS_GAP) / 2;
    int32_t ranks = r->profile->ranks;
    int least = ranks < BLOCKS_LEAST ? (int)ranks : BLOCKS_LEAST;
    b->maps = r->is_gain && half >= least ? 2 : columns >= least;
    int width = b->maps == 2 ? half : b->maps ? columns : 0;
    return width < BLOCKS_MOST ? width : BLOCKS_MOST;
}

/* Whether the cell is inside a node, as far as its first ranks say. */
static int blocks_is_in_node(const struct report_blocks *b, const struct report *r, int level,
                             int order, int32_t at)
{
    int32_t node[2],
        position[2] = {at / b->heat.side * b->heat.bin, at % b->heat.side * b->heat.bin};
    for (int i = 0; i < 2; i++) {
        int32_t role = b->heat.role_at[order][position[i]];
        node[i] = tmap_tree_ancestor(r->by_metric.tree, report_slot_of(r, order)[role], level);
    }
    return node[0] == node[1];
}

/* The colors of all cells of a map. 0, or -1: out of memory. */
static int blocks_color(struct report_blocks *b, const struct report *r, int level, int order)
{
    int32_t cells = b->heat.side * b->heat.side;
    signed char *cell = malloc((size_t)cells + 1);
    if (!cell)
        return -1;
    for (int32_t at = 0; at < cells; at++)
        cell[at] =
            level > 0 && blocks_is_in_node(b, r, level, order, at) ? BLOCKS_NODE : BLOCKS_EMPTY;
    for (size_t i = 0; i < b->heat.all[order].count; i++) {
        const struct heat_cell *full = &b->heat.all[order].cell[i];
        if (full->bytes > 0)
            cell[full->at] = (signed char)heat_color(&b->heat, full->bytes);
    }
    b->cell[order] = cell;
    return 0;
}

int blocks_open(struct report_blocks *b, const struct report *r, struct reseat_error *error)
{
    int columns = blocks_choose_maps(b, r);
    if (columns == 0 || r->verdict == REPORT_NO_TRAFFIC || r->profile->ranks < 2) {
        b->maps = 0;
        return 0;
    }
    int level = tmap_layout_find_level(r->by_metric.tree, "n");
    int32_t nodes = level > 0 ? tmap_tree_objects(r->by_metric.tree, level) : 0;
    int32_t bin = blocks_bin(r->profile->ranks, nodes, columns);
    if (nodes == 0 || r->profile->ranks / nodes < 2 * bin) /* nodes are too small to be seen */
        level = 0;
    const struct heat_request maps = heat_of_report(r);
    if (heat_open_small(&b->heat, &maps, bin, error))
        return -1;
    int room = columns < BLOCKS_ENLARGED ? columns : BLOCKS_ENLARGED;
    b->scale = room > b->heat.side ? room / b->heat.side : 1;
    for (int order = 0; order < b->maps; order++)
        if (blocks_color(b, r, level, order))
            return reseat_fail(error, "the map of the traffic: out of memory");
    if (b->heat.most <= 0)
        b->maps = 0;
    return 0;
}

void blocks_close(struct report_blocks *b)
{
    heat_close(&b->heat);
    free(b->cell[0]);
    free(b->cell[1]);
}

/* ---- colors ---- */

/* What a line has been told so far. */
struct blocks_pen {
    FILE *file;
    int is_direct;
    int front, back;
};

static void blocks_set(struct blocks_pen *pen, int is_back, int color)
{
    int *now = is_back ? &pen->back : &pen->front;
    int first = is_back ? 48 : 38;
    if (*now == color)
        return;
    *now = color;
    if (color == BLOCKS_NONE)
        fprintf(pen->file, "\033[%dm", first + 1);
    else if (pen->is_direct)
        fprintf(pen->file, "\033[%d;2;%d;%d;%dm", first, blocks_palette[color].red,
                blocks_palette[color].green, blocks_palette[color].blue);
    else
        fprintf(pen->file, "\033[%d;5;%dm", first, blocks_palette[color].of_256);
}

static void blocks_reset(struct blocks_pen *pen)
{
    if (pen->front != BLOCKS_NONE || pen->back != BLOCKS_NONE)
        fputs("\033[0m", pen->file);
    pen->front = pen->back = BLOCKS_NONE;
}

static struct blocks_pen blocks_pen(FILE *file, const struct report_blocks *b)
{
    return (struct blocks_pen){file, b->terminal.is_direct, BLOCKS_NONE, BLOCKS_NONE};
}

/* ---- maps ---- */

/* The color at a half of a character; BLOCKS_NONE below the map. */
static int blocks_at(const struct report_blocks *b, int order, int y, int x)
{
    int row = y / b->scale;
    return row < b->heat.side ? b->cell[order][row * b->heat.side + x / b->scale] : BLOCKS_NONE;
}

static void blocks_write_line(struct blocks_pen *pen, const struct report_blocks *b, int order,
                              int y)
{
    for (int x = 0; x < b->heat.side * b->scale; x++) {
        int upper = blocks_at(b, order, y, x), lower = blocks_at(b, order, y + 1, x);
        blocks_set(pen, 1, lower);
        if (upper != lower)
            blocks_set(pen, 0, upper);
        fputs(upper == lower ? " " : "\u2580", pen->file);
    }
    blocks_reset(pen);
}

/* The names of the orders above their maps. */
static void blocks_write_titles(FILE *file, const struct report_blocks *b, const struct report *r)
{
    char better[64];
    int width = b->heat.side * b->scale;
    snprintf(better, sizeof better, "order by %s", r->by_metric.method);
    if (b->maps < 2)
        fprintf(file, "\nlaunch order\n");
    else
        fprintf(file, "\n%-*.*s%.*s\n", width + BLOCKS_GAP, width, "launch order", width, better);
}

/* Write words, beginning new lines where the terminal would. */
static void blocks_write_words(FILE *file, const char *text, int at, int columns)
{
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (at > 0 && at + 1 + length > columns) {
            putc('\n', file);
            at = 0;
        } else if (at > 0) {
            putc(' ', file);
            at++;
        }
        fwrite(text, 1, (size_t)length, file);
        at += length;
        text += (size_t)length + strspn(text + length, " ");
    }
    putc('\n', file);
}

static void blocks_write_legend(FILE *file, const struct report_blocks *b, int has_nodes)
{
    char least[32], most[32], text[256];
    struct blocks_pen pen = blocks_pen(file, b);
    const struct heat *h = &b->heat;
    int first = h->least < h->most ? 0 : HEAT_COLORS - 1;
    amount(h->least, "B", least);
    amount(h->most, "B", most);
    if (first == 0)
        fprintf(file, "%s ", least);
    for (int color = first; color < HEAT_COLORS; color++) {
        blocks_set(&pen, 1, color);
        putc(' ', file);
    }
    blocks_reset(&pen);
    int at = HEAT_COLORS - first + (first == 0 ? (int)strlen(least) + 1 : 0);
    snprintf(text, sizeof text, "%s%s", most, first == 0 ? ", log scale:" : ":");
    size_t length = strlen(text);
    if (h->bin == 1)
        snprintf(text + length, sizeof text - length,
                 " bytes from a rank (row) to another (column)");
    else
        snprintf(text + length, sizeof text - length,
                 " bytes from %d ranks (row) to %d others (column)", (int)h->bin, (int)h->bin);
    if (has_nodes)
        strcat(text, "; the lighter squares are nodes");
    blocks_write_words(file, text, at, b->terminal.columns);
}

void blocks_write_maps(FILE *file, const struct report_blocks *b, const struct report *r)
{
    struct blocks_pen pen = blocks_pen(file, b);
    if (!b->maps)
        return;
    blocks_write_titles(file, b, r);
    for (int y = 0; y < b->heat.side * b->scale; y += 2) {
        for (int order = 0; order < b->maps; order++) {
            fprintf(file, "%*s", order ? BLOCKS_GAP : 0, "");
            blocks_write_line(&pen, b, order, y);
        }
        putc('\n', file);
    }
    int32_t cells = b->heat.side * b->heat.side;
    blocks_write_legend(file, b,
                        memchr(b->cell[0], BLOCKS_NODE, (size_t)cells) != NULL &&
                            memchr(b->cell[0], BLOCKS_EMPTY, (size_t)cells) != NULL);
}

/* ---- bars ---- */

/* A bar of `part` of `columns`, in eighths of a character; what is more than nothing can be
 * seen. */
static void blocks_write_bar(FILE *file, const struct report_blocks *b, double part, int columns,
                             int color)
{
    static const char *const ends[] = {"",       "\u258f", "\u258e", "\u258d",
                                       "\u258c", "\u258b", "\u258a", "\u2589"};
    struct blocks_pen pen = blocks_pen(file, b);
    int eighths = (int)(part * columns * 8 + 0.5);
    if (eighths == 0 && part > 0)
        eighths = 1;
    blocks_set(&pen, 0, color);
    for (int i = 0; i < eighths / 8; i++)
        fputs("\u2588", file);
    fputs(ends[eighths % 8], file);
    blocks_reset(&pen);
}

/* The bars of a level: one for each order that is shown. */
static void blocks_write_level(FILE *file, const struct report_blocks *b, const struct report *r,
                               int level, double most)
{
    char where[64], text[32];
    int columns = b->terminal.columns - BLOCKS_LABEL - BLOCKS_AMOUNT;
    const uint64_t bytes[2] = {r->bytes.before.weight_at[level], r->bytes.after.weight_at[level]};
    if (columns > BLOCKS_MOST_BAR)
        columns = BLOCKS_MOST_BAR;
    if (!bytes[0] && !bytes[1])
        return;
    for (int order = 0; order < (r->is_gain ? 2 : 1); order++) {
        fprintf(file, "%-*.*s ", BLOCKS_LABEL - 1, BLOCKS_LABEL - 1,
                order ? "" : level_crossing(r->by_metric.tree, level, where));
        blocks_write_bar(file, b, (double)bytes[order] / most, columns,
                         order ? BLOCKS_AFTER : BLOCKS_BEFORE);
        fprintf(file, " %s\n", amount((double)bytes[order], "B", text));
    }
}

void blocks_write_bars(FILE *file, const struct report_blocks *b, const struct report *r)
{
    int depth = tmap_tree_depth(r->by_metric.tree);
    double most = 0;
    for (int level = 0; level <= depth; level++)
        for (int order = 0; order < 2; order++) {
            uint64_t bytes =
                order ? r->bytes.after.weight_at[level] : r->bytes.before.weight_at[level];
            most = (double)bytes > most ? (double)bytes : most;
        }
    if (b->terminal.columns < BLOCKS_LABEL + BLOCKS_LEAST_BAR + BLOCKS_AMOUNT || most <= 0)
        return;
    fprintf(file, "\n%-*s ", BLOCKS_LABEL - 1, "bytes by level");
    blocks_write_bar(file, b, 1, 1, BLOCKS_BEFORE);
    fprintf(file, " launch order");
    if (r->is_gain) {
        fputs("  ", file);
        blocks_write_bar(file, b, 1, 1, BLOCKS_AFTER);
        fprintf(file, " %.*s", b->terminal.columns - BLOCKS_LABEL - 18, r->by_metric.method);
    }
    putc('\n', file);
    for (int level = 0; level <= depth; level++)
        blocks_write_level(file, b, r, level, most);
}
