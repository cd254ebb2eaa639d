/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * netloc-write.c - write Netloc's lines, see netloc.h. Depth first is the order of the slots: at
 * the first slot of an object, its line is written, for which all of its slots are looked at. Time
 * O(slots x elements above each other x levels).
 */
#include <stdlib.h>

#include "base/ascending.h"
#include "network/netloc.h"

struct netloc_writer {
    FILE *file;
    const struct reseat_machine *machine;
    int32_t slots;
    int32_t *index; /* of the elements of a line */
};

/* The level after an element that begins at `level`. */
static int netloc_next_element(const struct reseat_machine *m, int level)
{
    do
        level++;
    while (level < m->host_level && !m->begins[level]);
    return level;
}

/* The index of the object of level `below` that holds `slot`, in the element from `level` on. */
static int32_t netloc_index_of(const struct reseat_machine *m, int32_t slot, int level, int below)
{
    int32_t index = 0;
    if (level == m->host_level)
        return m->number_of[slot];
    for (; level < below; level++)
        index = index * m->extent[level] +
                m->child[level + 1][tmap_tree_ancestor(m->tree, slot, level + 1)];
    return index;
}

/* " SIZE COST" of a level, or of each dimension of its shape. Returns how many there are; `file`
 * NULL: only counts. */
static int netloc_print_level(FILE *file, const struct reseat_machine *m, int level, int32_t extent)
{
    struct tmap_shape shape = {.size = sizeof shape};
    double cost = tmap_tree_level(m->tree, level)->cost;
    enum tmap_shape_kind kind = tmap_tree_shape(m->tree, level, &shape);
    if (kind != TMAP_SHAPE_TORUS) {
        extent = kind == TMAP_SHAPE_GRAPH ? shape.positions : extent;
        shape = (struct tmap_shape){.dimensions = 1};
        shape.extent[0] = extent;
        shape.length[0] = 1;
    }
    for (int d = 0; file && d < shape.dimensions; d++)
        fprintf(file, " %d %.15g", (int)shape.extent[d], cost * shape.length[d]);
    return shape.dimensions;
}

/* "tree 2 2 80 4 10". `extent` has an entry for each level; 0: left out. Returns the number of
 * elements that there could be. */
static int64_t netloc_print_form(const struct netloc_writer *w, int level, int below,
                                 const int32_t *extent)
{
    static const char *const types[] = {
        [TMAP_SHAPE_NONE] = "tree", [TMAP_SHAPE_TORUS] = "torus", [TMAP_SHAPE_GRAPH] = "alltoall"};
    const struct reseat_machine *m = w->machine;
    int64_t size = 1;
    int dimensions = 0;
    for (int l = level; l < below; l++)
        if (extent[l - level])
            dimensions += netloc_print_level(NULL, m, l, extent[l - level]);
    fprintf(w->file, "%s %d", types[tmap_tree_shape(m->tree, level, NULL)], dimensions);
    for (int l = level; l < below; l++)
        if (extent[l - level]) {
            netloc_print_level(w->file, m, l, extent[l - level]);
            size *= extent[l - level];
        }
    return size;
}

/* The line of the object of `level` whose first slot this is. */
static void netloc_write_line(const struct netloc_writer *w, int32_t first, int level)
{
    const struct reseat_machine *m = w->machine;
    int32_t object = tmap_tree_ancestor(m->tree, first, level), count = 0, last = -1;
    int depth = tmap_tree_depth(m->tree), is_host = level == m->host_level;
    int below = is_host ? depth : netloc_next_element(m, level);
    for (int32_t slot = first;
         slot < w->slots && tmap_tree_ancestor(m->tree, slot, level) == object; slot++) {
        int32_t part = tmap_tree_ancestor(m->tree, slot, below);
        if (part != last)
            w->index[count++] = netloc_index_of(m, slot, level, below);
        last = part;
    }
    if (is_host)
        fprintf(w->file, "node %s ", m->host[object]);
    if (below == level) { /* a host without levels of its own */
        fputs("tree 1 1 0 -1\n", w->file);
        return;
    }
    int64_t size = netloc_print_form(w, level, below,
                                     is_host ? m->inside + (size_t)object * (size_t)(depth - level)
                                             : m->extent + level);
    fprintf(w->file, " %d", count == size ? -1 : (int)count);
    qsort(w->index, (size_t)count, sizeof *w->index, ascending_int32);
    for (int32_t i = 0; count < size && i < count; i++)
        fprintf(w->file, " %d", (int)w->index[i]);
    fputc('\n', w->file);
}

int reseat_netloc_write(FILE *file, const struct reseat_machine *machine)
{
    struct netloc_writer w = {file, machine, tmap_tree_slots(machine->tree), NULL};
    w.index = malloc((size_t)w.slots * sizeof *w.index);
    if (!w.index)
        return -1;
    for (int32_t slot = 0; slot < w.slots; slot++)
        for (int level = 0; level <= machine->host_level;
             level = level < machine->host_level ? netloc_next_element(machine, level) : level + 1)
            if (slot == 0 || tmap_tree_ancestor(machine->tree, slot, level) !=
                                 tmap_tree_ancestor(machine->tree, slot - 1, level))
                netloc_write_line(&w, slot, level);
    free(w.index);
    return 0;
}
