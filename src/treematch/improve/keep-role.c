/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keep-role.c - bring one role to one slot without raising the cost of the mapping.
 *
 * The distance of two slots depends only on the level where their paths part. So two sibling
 * subtrees that are alike may trade their contents, leaf by corresponding leaf, and no distance
 * changes. From the root down: if the subtree that holds the role and the one that holds the wanted
 * slot differ but are alike, they trade. Sizes at least halve from one trade to the next,
 * so all trades together are O(slots). Example, tree 2 x 2, role on slot 3, wanted on slot 0: the
 * halves trade (3 -> 1), then slots 0 and 1 trade.
 *
 * In a network it matters which of the children is where. But all of a torus (a ring, a hypercube)
 * may be shifted, and all of a torus or mesh reflected, if that maps children to children that are
 * alike: each hands its contents to the one in its new place (grid-symmetry.c). Example, ring:8,
 * role on slot 6, wanted on slot 1: what is on slot s goes to slot s + 3, and round from slot 7 to
 * slot 2.
 *
 * If neither is possible, the role is exchanged with one on the wanted slot, provided that the cost
 * does not rise.
 */
#include "treematch/improve/grid-symmetry.h"
#include "treematch/model/interconnect.h"

struct trade {
    const struct tmap_tree *tree;
    struct tmap_classes classes;
    int32_t *contents; /* contents[slot]: the slot whose roles are here now */
    int32_t *moved;    /* contents to be; 1 x slots */
    int32_t *image;    /* by child of an object with a network (grid-symmetry.h); 1 x slots */
    int32_t *pairs;    /* objects that correspond: a list of the left ones, one of the right ones */
    int32_t *work;     /* 3 x slots */
};

/* Write the children of `object` to `into`, ordered by class; returns their number. */
static int32_t ordered_children(struct trade *trade, int level, int32_t object, int32_t *into,
                                int32_t *scratch)
{
    const int32_t *first = trade->tree->first_child[level];
    int32_t arity = first[object + 1] - first[object];
    for (int32_t i = 0; i < arity; i++)
        into[i] = first[object] + i;
    tmap_sort(into, scratch, arity, tmap_by_number, trade->classes.class_of[level + 1]);
    return arity;
}

/* Fill pairs with the slots below the objects a and b of `level`, which are of one class, so that
 * those that correspond are at the same index; returns how many there are below each. */
static int32_t pair_slots(struct trade *trade, int level, int32_t a, int32_t b)
{
    int32_t slots = trade->tree->count[trade->tree->depth], count = 1;
    int32_t *left = trade->pairs, *right = left + slots;
    int32_t *next_left = trade->work, *next_right = next_left + slots;
    left[0] = a;
    right[0] = b;
    for (; level < trade->tree->depth; level++) {
        int32_t below = 0;
        for (int32_t i = 0; i < count; i++) {
            ordered_children(trade, level, left[i], next_left + below, next_right + slots);
            below +=
                ordered_children(trade, level, right[i], next_right + below, next_right + slots);
        }
        count = below;
        memcpy(left, next_left, sizeof *left * (size_t)count);
        memcpy(right, next_right, sizeof *right * (size_t)count);
    }
    return count;
}

/* The objects a and b of `level` trade their contents; they are of one class. Returns the slot
 * that corresponds to `slot`, which is below a. */
static int32_t trade_contents(struct trade *trade, int level, int32_t a, int32_t b, int32_t slot)
{
    int32_t count = pair_slots(trade, level, a, b), image = slot;
    const int32_t *left = trade->pairs, *right = left + trade->tree->count[trade->tree->depth];
    for (int32_t i = 0; i < count; i++) {
        int32_t swapped = trade->contents[left[i]];
        trade->contents[left[i]] = trade->contents[right[i]];
        trade->contents[right[i]] = swapped;
        if (left[i] == slot)
            image = right[i];
    }
    return image;
}

/* The first level whose objects may trade with their siblings: no network connects them, nor any of
 * the objects below. */
static int first_level_to_trade(const struct tmap_tree *tree)
{
    int level = tree->depth;
    while (level > 0 && !tree->interconnect[level - 1])
        level--;
    return level + 1;
}

/* Finds an exchange of the children of `parent`, an object of `level`, in their network that gives
 * a the place of b: fills image. Returns 0 if there is none. */
static int find_symmetry(struct trade *trade, int level, int32_t parent, int32_t a, int32_t b)
{
    const struct tmap_grid_symmetry symmetry = {.tree = trade->tree,
                                                .level = level,
                                                .class_of = trade->classes.class_of[level + 1],
                                                .parent = parent,
                                                .from = a,
                                                .to = b,
                                                .image = trade->image,
                                                .scratch = trade->work};
    return tmap_find_grid_symmetry(&symmetry);
}

/* Exchange the contents of the children of `parent`, an object of `level`, as `image` says. Returns
 * the slot that corresponds to `slot`, which is below it. */
static int32_t use_symmetry(struct trade *trade, int level, int32_t parent, int32_t slot)
{
    const struct tmap_tree *tree = trade->tree;
    int32_t begin = tree->first_child[level][parent], end = tree->first_child[level][parent + 1];
    int32_t first = tree->first_slot[level][parent], last = tree->first_slot[level][parent + 1];
    int32_t *left = trade->pairs, *right = left + tree->count[tree->depth], image = slot;
    for (int32_t child = begin; child < end; child++) {
        int32_t count = pair_slots(trade, level + 1, child, begin + trade->image[child - begin]);
        for (int32_t i = 0; i < count; i++) {
            trade->moved[right[i]] = trade->contents[left[i]];
            if (left[i] == slot)
                image = right[i];
        }
    }
    memcpy(trade->contents + first, trade->moved + first,
           sizeof *trade->contents * (size_t)(last - first));
    return image;
}

static void walk_down(struct trade *trade, int32_t from, int32_t wanted)
{
    const struct tmap_tree *tree = trade->tree;
    int first = first_level_to_trade(tree);
    for (int level = 1; level <= tree->depth && from != wanted; level++) {
        int32_t a = tmap_tree_ancestor(tree, from, level);
        int32_t b = tmap_tree_ancestor(tree, wanted, level);
        int32_t parent = tmap_tree_ancestor(tree, wanted, level - 1);
        if (a == b)
            continue;
        if (level >= first &&
            trade->classes.class_of[level][a] == trade->classes.class_of[level][b])
            from = trade_contents(trade, level, a, b, from);
        else if (level == first - 1 && find_symmetry(trade, level - 1, parent, a, b))
            from = use_symmetry(trade, level - 1, parent, from);
        else
            return;
    }
}

static enum tmap_status trade_subtrees(const struct tmap_matrix *matrix,
                                       const struct tmap_tree *tree, int32_t from, int32_t wanted,
                                       int32_t *slot_of)
{
    size_t slots = (size_t)tree->count[tree->depth];
    struct trade trade = {.tree = tree};
    enum tmap_status status = TMAP_ENOMEM;
    trade.contents = tmap_new(slots, 3 * sizeof(int32_t));
    trade.pairs = tmap_new(slots, 2 * sizeof(int32_t));
    trade.work = tmap_new(slots, 3 * sizeof(int32_t));
    if (!trade.contents || !trade.pairs || !trade.work ||
        tmap_classes_init(&trade.classes, tree, tree->capacity))
        goto out;
    trade.moved = trade.contents + slots;
    trade.image = trade.moved + slots;
    for (size_t slot = 0; slot < slots; slot++)
        trade.contents[slot] = (int32_t)slot;
    walk_down(&trade, from, wanted);
    tmap_permutation_invert(trade.contents, trade.work, (int32_t)slots);
    for (int32_t role = 0; role < matrix->roles; role++)
        slot_of[role] = trade.work[slot_of[role]];
    status = TMAP_OK;
out:
    tmap_classes_fini(&trade.classes);
    free(trade.contents);
    free(trade.pairs);
    free(trade.work);
    return status;
}

/* The same on a uniform tree, where the corresponding leaf is found by addition: time O(roles x
 * depth), no memory. */
static void trade_uniform(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                          int32_t from, int32_t wanted, int32_t *slot_of)
{
    for (int level = 1; level <= tree->depth && from != wanted; level++) {
        int32_t below = tmap_uniform_below(tree, level);
        int32_t a = from / below, b = wanted / below, step = (b - a) * below;
        for (int32_t role = 0; role < matrix->roles && a != b; role++) {
            int32_t object = slot_of[role] / below;
            slot_of[role] += object == a ? step : object == b ? -step : 0;
        }
        from += step;
    }
}

/* By how much a move changes the weight at each level, which is exact, and the cost of the paths
 * through networks. */
struct cost_change {
    int64_t weight[TMAP_MAX_LEVELS + 1];
    double in_networks;
};

static void count_path(const struct tmap_tree *tree, int32_t a, int32_t b, int64_t weight,
                       struct cost_change *change)
{
    int level = tmap_common_level(tree, a, b);
    if (level < tree->depth && tree->interconnect[level])
        change->in_networks += (double)weight * tmap_tree_distance(tree, a, b);
    else
        change->weight[level] += weight;
}

/* Add what changes for the pairs of `role`, except that with `except`, if it moves to `slot`;
 * `move`: role, slot, except. */
static void add_change(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                       const int32_t *slot_of, const int32_t move[3], struct cost_change *change)
{
    int32_t role = move[0], slot = move[1], except = move[2];
    struct tmap_row row = tmap_row_of(matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        int32_t partner = row.partner[i];
        if (partner == except)
            continue;
        count_path(tree, slot_of[role], slot_of[partner], -(int64_t)row.weight[i], change);
        count_path(tree, slot, slot_of[partner], (int64_t)row.weight[i], change);
    }
}

/* Returns 1 if the cost does not rise when `role` moves to `slot`, and `other` (-1: none) to where
 * `role` was. */
static int is_free_move(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                        const int32_t *slot_of, const int32_t move[3])
{
    struct cost_change change = {0};
    int32_t role = move[0], other = move[2];
    add_change(matrix, tree, slot_of, move, &change);
    if (other >= 0)
        add_change(matrix, tree, slot_of, (const int32_t[3]){other, slot_of[role], role}, &change);
    double cost = change.in_networks;
    for (int level = 0; level < tree->depth; level++)
        cost += (double)change.weight[level] * tree->level[level].cost;
    return cost <= 0;
}

/* Move the role to the slot, if there is room, or exchange it with one that is there. */
static int move_or_exchange(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                            int32_t role, int32_t slot, int32_t *slot_of)
{
    int32_t load = 0;
    for (int32_t other = 0; other < matrix->roles; other++) {
        if (slot_of[other] != slot)
            continue;
        load++;
        if (is_free_move(matrix, tree, slot_of, (const int32_t[3]){role, slot, other})) {
            slot_of[other] = slot_of[role];
            slot_of[role] = slot;
            return 1;
        }
    }
    if (load >= tree->capacity[slot] ||
        !is_free_move(matrix, tree, slot_of, (const int32_t[3]){role, slot, -1}))
        return 0;
    slot_of[role] = slot;
    return 1;
}

enum tmap_status tmap_mapping_keep_role(const struct tmap_matrix *matrix,
                                        const struct tmap_tree *tree, int32_t role, int32_t slot,
                                        int32_t *slot_of, int *kept, struct tmap_error *error)
{
    if (role < 0 || role >= matrix->roles || slot < 0 || slot >= tree->count[tree->depth])
        return tmap_fail(error, TMAP_EINVAL, "no role %ld or no slot %ld", (long)role, (long)slot);
    if (!tmap_mapping_is_valid(tree, matrix->roles, slot_of))
        return tmap_fail(error, TMAP_EINVAL, "not a valid mapping");
    if (tree->uniform)
        trade_uniform(matrix, tree, slot_of[role], slot, slot_of);
    else if (slot_of[role] != slot &&
             trade_subtrees(matrix, tree, slot_of[role], slot, slot_of) != TMAP_OK)
        return tmap_fail_memory(error);
    *kept = slot_of[role] == slot || move_or_exchange(matrix, tree, role, slot, slot_of);
    return TMAP_OK;
}
