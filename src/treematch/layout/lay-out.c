/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lay-out.c - regular mappings by letters: the Locality-Aware Mapping Algorithm (Hursey, Squyres
 * and Dontje 2011, section IV).
 *
 * The paper nests a loop for each letter, the leftmost innermost, over the union of all nodes
 * ("maximal tree"), skips what a node does not have or may not use, and begins again when all is
 * done. Nested loops visit the slots in the order of their indices, compared from the rightmost
 * letter to the leftmost. So this sorts the slots that there are, by counting, letter by letter
 * from the left: what does not exist is never visited, and the union is only the width of each
 * loop. On two nodes, the first of two packages with a core each, the second of one with two cores:
 *
 *   slot         n0s0c0   n0s1c0   n1s0c0   n1s0c1
 *   sorted by n  n0s0c0   n0s1c0   n1s0c0   n1s0c1
 *   then by s    n0s0c0   n1s0c0   n1s0c1   n0s1c0
 *   then by c    n0s0c0   n1s0c0   n0s1c0   n1s0c1     the layout nsc
 *
 * Numbers are those of the node itself: core 3 of a node is its fourth one wherever packages end.
 *
 * Time O(roles + slots x letters), memory O(roles + slots). Uniform trees without arrays are
 * counted through instead: role r is a number whose digits are the indices; time O(roles x
 * letters).
 */
#include "treematch/layout/loops.h"

/* The size of struct tmap_layout in the first version that had it. */
enum { LEAST_LAYOUT = offsetof(struct tmap_layout, reserved) + sizeof(int32_t) };

struct lay_out {
    const struct tmap_tree *tree;
    struct tmap_layout layout;
    struct tmap_loops loops;
    int32_t *order;   /* the slots that have their turn, in this order */
    int32_t count;    /* of them */
    int32_t *left;    /* by slot: how many roles it can still take */
    int32_t *slot_of; /* of the roles placed so far */
    int32_t roles, placed;
    int node_level; /* what one role takes is on one of its objects */
};

/* ---- the order of the slots ---- */

/* The turn of each slot in a loop: turn[slot], -1: never. */
static void lay_find_turns(const struct tmap_loop *loop, const struct tmap_tree *tree,
                           int32_t *turn)
{
    int32_t parent = -1, first = 0;
    for (int32_t slot = 0; slot < tree->count[tree->depth]; slot++) {
        int32_t object = tmap_ancestor_of(tree, slot, loop->level);
        int32_t above = tmap_ancestor_of(tree, slot, loop->parent);
        if (above != parent) {
            parent = above;
            first = object;
        }
        int32_t index = loop->dimension < 0
                            ? object - first
                            : tree->position[loop->level - 1][object] / loop->stride % loop->extent;
        turn[slot] = loop->turn_of ? loop->turn_of[index] : index;
    }
}

/* Sort the slots by their turns, keeping the order of equal ones, and drop those without a turn.
 * `begin` has turns + 1 entries. */
static int32_t lay_sort_by_turn(const int32_t *turn, const int32_t *from, int32_t count,
                                int32_t *to, int32_t *begin, int32_t turns)
{
    memset(begin, 0, sizeof *begin * ((size_t)turns + 1));
    for (int32_t i = 0; i < count; i++)
        if (turn[from[i]] >= 0)
            begin[turn[from[i]] + 1]++;
    for (int32_t t = 0; t < turns; t++)
        begin[t + 1] += begin[t];
    int32_t kept = begin[turns];
    for (int32_t i = 0; i < count; i++)
        if (turn[from[i]] >= 0)
            to[begin[turn[from[i]]]++] = from[i];
    return kept;
}

static enum tmap_status lay_sort(struct lay_out *lay, struct tmap_error *error)
{
    int32_t slots = lay->tree->count[lay->tree->depth], widest = 0;
    for (int i = 0; i < lay->loops.count; i++)
        widest = lay->loops.loop[i].turns > widest ? lay->loops.loop[i].turns : widest;
    int32_t *turn = tmap_new((size_t)slots, sizeof *turn);
    int32_t *other = tmap_new((size_t)slots, sizeof *other);
    int32_t *begin = tmap_new((size_t)widest + 1, sizeof *begin);
    enum tmap_status status = turn && other && begin ? TMAP_OK : tmap_fail_memory(error);
    for (int i = 0; i < lay->loops.count && status == TMAP_OK; i++) {
        const struct tmap_loop *loop = &lay->loops.loop[i];
        lay_find_turns(loop, lay->tree, turn);
        lay->count = lay_sort_by_turn(turn, lay->order, lay->count, other, begin, loop->turns);
        int32_t *sorted = other;
        other = lay->order;
        lay->order = sorted;
    }
    free(turn);
    free(other);
    free(begin);
    return status;
}

/* ---- dealing the roles to them ---- */

/* The slot at the same position in the object that is `steps` after its own, on the same node, if
 * that has room; -1: there is none. */
static int32_t lay_slot_after(const struct lay_out *lay, int32_t slot, int32_t steps)
{
    const struct tmap_tree *tree = lay->tree;
    int level = lay->layout.width_level;
    int32_t own = tmap_ancestor_of(tree, slot, level), object = own + steps;
    if (object >= tree->count[level])
        return -1;
    int32_t next = tree->first_slot[level][object] + slot - tree->first_slot[level][own];
    int is_there = next < tree->first_slot[level][object + 1] && lay->left[next] > 0 &&
                   tmap_ancestor_of(tree, next, lay->node_level) ==
                       tmap_ancestor_of(tree, slot, lay->node_level);
    return is_there ? next : -1;
}

/* Take one place on a slot, and on that in each of the next objects that a role needs. 0: they are
 * not all free. */
static int lay_take(struct lay_out *lay, int32_t slot)
{
    int32_t width = lay->layout.width;
    if (lay->left[slot] == 0)
        return 0;
    for (int32_t steps = 1; steps < width; steps++)
        if (lay_slot_after(lay, slot, steps) < 0)
            return 0;
    for (int32_t steps = 1; steps < width; steps++)
        lay->left[lay_slot_after(lay, slot, steps)]--;
    lay->left[slot]--;
    return 1;
}

/* Go through the slots again and again. One that has failed once has no room any more. */
static void lay_deal(struct lay_out *lay)
{
    while (lay->placed < lay->roles && lay->count > 0) {
        int32_t kept = 0;
        for (int32_t i = 0; i < lay->count && lay->placed < lay->roles; i++)
            if (lay_take(lay, lay->order[i])) {
                lay->slot_of[lay->placed++] = lay->order[i];
                lay->order[kept++] = lay->order[i];
            }
        lay->count = kept;
    }
}

static enum tmap_status lay_by_sorting(struct lay_out *lay, struct tmap_error *error)
{
    int32_t slots = lay->tree->count[lay->tree->depth];
    lay->order = tmap_new((size_t)slots, sizeof *lay->order);
    lay->left = tmap_new((size_t)slots, sizeof *lay->left);
    if (!lay->order || !lay->left)
        return tmap_fail_memory(error);
    for (int32_t slot = 0; slot < slots; slot++) {
        int is_open = !lay->layout.closed || !lay->layout.closed[slot];
        lay->left[slot] = is_open ? lay->tree->capacity[slot] : 0;
        if (lay->left[slot] > 0)
            lay->order[lay->count++] = slot;
    }
    enum tmap_status status = lay_sort(lay, error);
    if (status == TMAP_OK)
        lay_deal(lay);
    return status;
}

/* ---- uniform trees without arrays ---- */

static void lay_by_counting(struct lay_out *lay)
{
    int64_t room = 1;
    for (int i = 0; i < lay->loops.count; i++)
        room *= lay->loops.loop[i].turns;
    for (; lay->placed < lay->roles && lay->placed < room; lay->placed++) {
        int32_t rest = lay->placed, slot = 0;
        for (int i = 0; i < lay->loops.count; i++) {
            const struct tmap_loop *loop = &lay->loops.loop[i];
            int32_t turn = rest % loop->turns;
            rest /= loop->turns;
            slot += (loop->index_of ? loop->index_of[turn] : turn) *
                    tmap_uniform_below(lay->tree, loop->level);
        }
        lay->slot_of[lay->placed] = slot;
    }
}

/* ---- the function ---- */

static enum tmap_status lay_check(const struct lay_out *lay, struct tmap_error *error)
{
    const struct tmap_layout *layout = &lay->layout;
    if (layout->reserved)
        return tmap_fail(error, TMAP_ENOTSUP, "a reserved word of tmap_layout is not 0");
    if (lay->roles < 0 || !layout->text || layout->width < 0)
        return tmap_fail(error, TMAP_EINVAL,
                         "a layout needs a text, and numbers that are not negative");
    if (layout->width > 1 && (layout->width_level < 1 || layout->width_level > lay->tree->depth))
        return tmap_fail(error, TMAP_EINVAL, "the tree has no level %d", layout->width_level);
    if (!lay->tree->capacity && (layout->closed || layout->width > 1))
        return tmap_fail(error, TMAP_ENOTSUP,
                         "closed slots and widths in a tree of more than %d slots",
                         TMAP_FILLED_SLOTS);
    return TMAP_OK;
}

static void lay_find_nodes(struct lay_out *lay)
{
    int level = lay->layout.width > 1 ? lay->layout.width_level : 0;
    while (level > 0 && strcmp(lay->tree->level[level - 1].name, "node") != 0)
        level--;
    lay->node_level = level;
}

/* Begin again with the first one where that is allowed. */
static enum tmap_status lay_repeat(struct lay_out *lay, struct tmap_error *error)
{
    int32_t room = lay->placed;
    if (room < lay->roles && (!lay->layout.oversubscribe || room == 0))
        return tmap_fail(error, TMAP_ENOSPACE,
                         "layout '%.60s': no slot is left for role %ld of %ld", lay->layout.text,
                         (long)room, (long)lay->roles);
    for (; lay->placed < lay->roles; lay->placed++)
        lay->slot_of[lay->placed] = lay->slot_of[lay->placed - room];
    return TMAP_OK;
}

enum tmap_status tmap_mapping_lay_out(const struct tmap_tree *tree,
                                      const struct tmap_layout *layout, int32_t roles,
                                      int32_t *slot_of, struct tmap_error *error)
{
    struct lay_out lay = {.tree = tree, .roles = roles};
    enum tmap_status status = tmap_struct_read(&lay.layout, sizeof lay.layout, LEAST_LAYOUT, layout,
                                               "tmap_layout", error);
    if (status == TMAP_OK)
        status = lay_check(&lay, error);
    if (status != TMAP_OK)
        return status;
    lay.slot_of = tmap_new((size_t)roles, sizeof *lay.slot_of);
    if (!lay.slot_of)
        return tmap_fail_memory(error);
    status = tmap_loops_init(&lay.loops, tree, lay.layout.text, error);
    lay_find_nodes(&lay);
    if (status == TMAP_OK && tree->capacity)
        status = lay_by_sorting(&lay, error);
    else if (status == TMAP_OK)
        lay_by_counting(&lay);
    if (status == TMAP_OK)
        status = lay_repeat(&lay, error);
    if (status == TMAP_OK)
        memcpy(slot_of, lay.slot_of, sizeof *slot_of * (size_t)roles);
    tmap_loops_fini(&lay.loops);
    free(lay.slot_of);
    free(lay.order);
    free(lay.left);
    return status;
}
