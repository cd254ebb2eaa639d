/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compact.c - halve networks again and again, and number their positions in that order.
 *
 * The parts should be compact, so that roles that are put into one part are close together, and the
 * halves of a part are alike. A part of a torus or mesh is cut across its longest dimension; a part
 * of a graph in two clusters. Both halves hold about as much, but a cut between two planes, or
 * between two clusters, matters more than equal halves: roles are divided in proportion anyway.
 *
 * Example: a mesh of 2 x 4 is cut into two of 2 x 2, these into two of 1 x 2, and so on, so that
 * its positions come in the order 0 1 4 5 2 3 6 7; a range of the order that has been halved as a
 * whole is a compact part.
 */
#include "treematch/multilevel/compact.h"
#include "treematch/model/interconnect.h"

#include <limits.h>

/* One level of the tree: its objects in the new order. */
struct compaction {
    const struct tmap_tree *from;
    struct tmap_compact *compact;
    int32_t *object[TMAP_MAX_LEVELS + 1]; /* by new number: the number in `from` */
    struct tmap_halving halving;
    int32_t *object_at; /* by position: of the parent in hand */
};

/* A range of `member` that is still to be halved. */
struct compact_range {
    int32_t first, last;
    int depth;
};

/* Each halving leaves the larger half on the stack: so 64 are enough. */
enum { RANGES = 64 };

/* Arrange `count` members; depth[i] gets the depth of the halving left of the i-th. */
static enum tmap_status halve_all(struct tmap_halving *halving, int32_t count, unsigned char *depth)
{
    struct compact_range stack[RANGES];
    int waiting = 0;
    stack[waiting++] = (struct compact_range){0, count, 0};
    while (waiting > 0) {
        struct compact_range range = stack[--waiting];
        int32_t size = range.last - range.first;
        if (size < 2)
            continue;
        int32_t left = 1;
        if ((halving->interconnect->vertex ? tmap_halve_graph
                                           : tmap_halve_grid)(halving, range.first, size, &left))
            return TMAP_ENOMEM;
        int32_t middle = range.first + left;
        int deeper = range.depth < UCHAR_MAX ? range.depth + 1 : UCHAR_MAX;
        struct compact_range half[2] = {{range.first, middle, deeper},
                                        {middle, range.last, deeper}};
        int larger = left > size - left ? 0 : 1;
        depth[middle] = (unsigned char)range.depth;
        stack[waiting++] = half[larger];
        stack[waiting++] = half[1 - larger];
    }
    return TMAP_OK;
}

/* The children of the `parent`-th object of a level with a network, from number `first` on. */
static enum tmap_status arrange_children(struct compaction *a, int level, int32_t parent,
                                         int32_t first)
{
    const struct tmap_tree *from = a->from;
    int32_t child = from->first_child[level][a->object[level][parent]];
    int32_t count = from->first_child[level][a->object[level][parent] + 1] - child;
    for (int32_t i = 0; i < count; i++) {
        int32_t position = from->position[level][child + i];
        a->halving.member[i] = position;
        a->halving.weight[position] = tmap_capacity_below(from, level + 1, child + i);
        a->object_at[position] = child + i;
    }
    if (tmap_halve_begin(&a->halving, count) ||
        halve_all(&a->halving, count, a->compact->depth[level] + first))
        return TMAP_ENOMEM;
    for (int32_t i = 0; i < count; i++)
        a->object[level + 1][first + i] = a->object_at[a->halving.member[i]];
    return TMAP_OK;
}

static enum tmap_status keep_children(struct compaction *a, int level, int32_t parent,
                                      int32_t first)
{
    const int32_t *first_child = a->from->first_child[level];
    int32_t child = first_child[a->object[level][parent]];
    int32_t end = first_child[a->object[level][parent] + 1];
    for (int32_t c = child; c < end; c++)
        a->object[level + 1][first + c - child] = c;
    return TMAP_OK;
}

/* Prepares the halving of a level with a network. */
static enum tmap_status prepare_network(struct compaction *a, int level)
{
    struct tmap_halving *halving = &a->halving;
    struct tmap_interconnect *interconnect = a->from->interconnect[level];
    size_t children = (size_t)a->from->count[level + 1],
           positions = (size_t)interconnect->positions;
    halving->interconnect = interconnect;
    halving->member = tmap_new(children, sizeof(int32_t));
    halving->work = tmap_new(children, 2 * sizeof(int32_t));
    halving->weight = tmap_new(positions, sizeof(int64_t));
    halving->key = tmap_new(positions, sizeof(int32_t));
    a->object_at = tmap_new(positions, sizeof(int32_t));
    a->compact->depth[level] = tmap_new_zero(children, 1);
    a->compact->tree->position[level] = tmap_new(children, sizeof(int32_t));
    a->compact->tree->interconnect[level] = tmap_interconnect_share(interconnect);
    return halving->member && halving->work && halving->weight && halving->key && a->object_at &&
                   a->compact->depth[level] && a->compact->tree->position[level]
               ? TMAP_OK
               : TMAP_ENOMEM;
}

static void drop_scratch(struct compaction *a)
{
    free(a->halving.member);
    free(a->halving.work);
    free(a->halving.weight);
    free(a->halving.key);
    free(a->object_at);
    a->halving = (struct tmap_halving){.kind = a->halving.kind};
    a->object_at = NULL;
}

static enum tmap_status arrange_level(struct compaction *a, int level)
{
    const struct tmap_tree *from = a->from;
    struct tmap_tree *tree = a->compact->tree;
    size_t parents = (size_t)from->count[level], children = (size_t)from->count[level + 1];
    int has_network = from->interconnect[level] != NULL;
    enum tmap_status status = TMAP_OK;
    int32_t at = 0;
    tree->count[level + 1] = (int32_t)children;
    tree->first_child[level] = tmap_new(parents + 1, sizeof(int32_t));
    a->object[level + 1] = tmap_new(children, sizeof(int32_t));
    if (!tree->first_child[level] || !a->object[level + 1] ||
        (has_network && prepare_network(a, level)))
        return TMAP_ENOMEM;
    for (int32_t o = 0; o < from->count[level] && status == TMAP_OK; o++) {
        int32_t original = a->object[level][o];
        tree->first_child[level][o] = at;
        status = (has_network ? arrange_children : keep_children)(a, level, o, at);
        at += from->first_child[level][original + 1] - from->first_child[level][original];
    }
    tree->first_child[level][parents] = at;
    for (size_t o = 0; has_network && status == TMAP_OK && o < children; o++)
        tree->position[level][o] = from->position[level][a->object[level + 1][o]];
    return status;
}

static enum tmap_status compact_arrange(struct compaction *a)
{
    const struct tmap_tree *from = a->from;
    struct tmap_tree *tree = a->compact->tree;
    int32_t slots = from->count[from->depth];
    tree->depth = from->depth;
    tree->count[0] = 1;
    memcpy(tree->level, from->level, sizeof tree->level);
    a->object[0] = tmap_new_zero(1, sizeof(int32_t));
    enum tmap_status status = a->object[0] ? TMAP_OK : TMAP_ENOMEM;
    for (int l = 0; l < from->depth && status == TMAP_OK; l++) {
        status = arrange_level(a, l);
        drop_scratch(a);
    }
    int32_t *capacity = tmap_new((size_t)slots, sizeof *capacity);
    if (!capacity)
        status = TMAP_ENOMEM;
    for (int32_t s = 0; s < slots && status == TMAP_OK; s++)
        capacity[s] = from->capacity[a->object[from->depth][s]];
    if (status == TMAP_OK)
        status = tmap_tree_finish(tree, capacity, NULL);
    free(capacity);
    return status;
}

enum tmap_status tmap_compact_init(struct tmap_compact *compact, const struct tmap_tree *tree,
                                   enum tmap_compact_kind kind)
{
    struct compaction a = {.from = tree, .compact = compact, .halving.kind = kind};
    *compact = (struct tmap_compact){.tree = tmap_new_zero(1, sizeof *compact->tree)};
    enum tmap_status status = compact->tree ? compact_arrange(&a) : TMAP_ENOMEM;
    if (status == TMAP_OK) {
        compact->slot_of = a.object[tree->depth];
        a.object[tree->depth] = NULL;
    } else {
        tmap_compact_fini(compact);
    }
    for (int l = 0; l <= TMAP_MAX_LEVELS; l++)
        free(a.object[l]);
    return status;
}

void tmap_compact_fini(struct tmap_compact *compact)
{
    tmap_tree_destroy(compact->tree);
    free(compact->slot_of);
    for (int l = 0; l < TMAP_MAX_LEVELS; l++)
        free(compact->depth[l]);
    *compact = (struct tmap_compact){0};
}
