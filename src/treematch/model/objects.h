/* SPDX-License-Identifier: BSD-3-Clause */
/* objects.h - how matrices and trees are stored, and what is made of them inside the library. */
#ifndef TMAP_OBJECTS_H
#define TMAP_OBJECTS_H

#include "treematch/support/sorted.h"
#include "treematch/support/support.h"

/* The most that the entries of a matrix add up to (tmap_matrix_create). */
#define TMAP_MOST_WEIGHT (UINT64_MAX >> 2)

/*
 * Rows in CSR form: the partners of role i are partner[start[i] .. start[i + 1]), ascending and
 * without i itself; weight is the pair's weight, so every pair is stored from both ends. Of it
 * `sent` goes from i to the partner.
 *
 * A large matrix that is more than two thirds nonzero is stored dense: every row holds all roles,
 * with weight 0 for i itself and for roles without traffic, and all rows share one list of
 * partners, 0 .. roles-1. tmap_row_of reads both kinds alike; readers must tolerate weights of 0.
 */
struct tmap_matrix {
    int32_t roles;
    int is_dense;
    uint64_t total; /* each pair once */
    size_t pairs;
    size_t *start; /* roles + 1 */
    int32_t *partner;
    uint64_t *weight;
    uint64_t *sent; /* NULL: half of the weight */
};

struct tmap_row {
    const int32_t *partner;
    const uint64_t *weight;
    const uint64_t *sent; /* or NULL */
    size_t count;
};

static inline struct tmap_row tmap_row_of(const struct tmap_matrix *matrix, int32_t role)
{
    size_t begin = matrix->start[role];
    return (struct tmap_row){matrix->partner + (matrix->is_dense ? 0 : begin),
                             matrix->weight + begin, matrix->sent ? matrix->sent + begin : NULL,
                             matrix->start[role + 1] - begin};
}

/* The number of a partner in a row; row->count: it is none. */
static inline size_t tmap_row_find(const struct tmap_row *row, int32_t partner)
{
    return tmap_sorted_find(row->partner, row->count, partner);
}

/* Weight that the role of the row sends to its partner number `i`. */
static inline double tmap_row_sends(const struct tmap_row *row, size_t i)
{
    return row->sent ? (double)row->sent[i] : (double)row->weight[i] / 2;
}

/*
 * Level l has count[l] objects, from left to right; the children of object o are the objects
 * first_child[l][o] .. first_child[l][o + 1] of level l + 1, its slots first_slot[l][o] ..
 * first_slot[l][o + 1]. Levels 0 .. depth for count and first_slot, 0 .. depth-1 for first_child.
 *
 * A uniform tree of more than TMAP_FILLED_SLOTS slots has none of the arrays (capacity is NULL):
 * its counts determine everything. Methods never see such a tree (wide.h); other functions use the
 * inline ones below.
 */
enum { TMAP_FILLED_SLOTS = 1 << 20 };

struct tmap_interconnect;

struct tmap_tree {
    int depth;
    int uniform; /* as tmap_tree_is_uniform: not with networks */
    int64_t total_capacity;
    int32_t count[TMAP_MAX_LEVELS + 1];
    int32_t *first_child[TMAP_MAX_LEVELS];
    int32_t *first_slot[TMAP_MAX_LEVELS + 1];
    int32_t *capacity;                  /* by slot */
    int32_t *ancestor[TMAP_MAX_LEVELS]; /* by slot; ancestor[0] is all 0 */
    struct tmap_level level[TMAP_MAX_LEVELS];
    /* Of a level with a shape (interconnect.h): the network, and where the objects of the next
     * level are in it. NULL: all children of an object are equally far apart. */
    struct tmap_interconnect *interconnect[TMAP_MAX_LEVELS];
    int32_t *position[TMAP_MAX_LEVELS];
};

/* A matrix without rows: start is all 0. NULL: out of memory. */
struct tmap_matrix *tmap_matrix_empty(int32_t roles);
/* Room for `ends` stored ends of pairs. */
enum tmap_status tmap_matrix_alloc_rows(struct tmap_matrix *matrix, size_t ends);
/* Free the room beyond start[roles]; if realloc cannot shrink, the larger block stays. */
void tmap_matrix_shrink(struct tmap_matrix *matrix);

/* Returns 1 if a matrix with up to `ends` stored ends should be accumulated as a square. */
int tmap_matrix_is_worth_a_square(int32_t roles, size_t ends);
/* Fill an empty matrix, valid entries: dense, or as rows when it turns out to be sparse. */
enum tmap_status tmap_matrix_fill_square(struct tmap_matrix *matrix,
                                         const struct tmap_entry *entries, size_t count);
/* The pairs that are among the `most` heaviest of one of their two roles, with their weights; ties
 * go to the smaller partner. heaviest.c. NULL: out of memory. */
struct tmap_matrix *tmap_matrix_heaviest(const struct tmap_matrix *matrix, int32_t most);
/*
 * A sparse approximation of a matrix, with about `partners` for each role from each end: heavy
 * pairs unchanged, and a fair sample of the light ones. thin.c. NULL: out of memory.
 */
struct tmap_matrix *tmap_matrix_thin(const struct tmap_matrix *matrix, int32_t partners,
                                     uint64_t seed);

/* Copy `unsorted` (a symmetric pattern, every pair from both ends) into `sorted`, which has the
 * same start and room, with every row ascending. Reading the rows in the order of their owners and
 * appending each entry to its partner's row sorts them. */
enum tmap_status tmap_matrix_deal_rows(const struct tmap_matrix *unsorted,
                                       struct tmap_matrix *sorted);
/* tmap_matrix_aggregate of a dense matrix. */
struct tmap_matrix *tmap_matrix_aggregate_square(const struct tmap_matrix *matrix,
                                                 const int32_t *group_of, int32_t groups);
/*
 * The matrix between groups: weight {g, h} = sum of the weights between members of g and of h.
 * group_of[role] is in 0 .. groups-1. NULL: out of memory. Time O(roles + pairs).
 */
struct tmap_matrix *tmap_matrix_aggregate(const struct tmap_matrix *matrix, const int32_t *group_of,
                                          int32_t groups);

/* The matrix among the roles role[0 .. count-1], which get these numbers; inside[role] is that
 * number, or -1 for all others. */
enum tmap_status tmap_matrix_among(struct tmap_matrix **result, const struct tmap_matrix *matrix,
                                   const int32_t *role, int32_t count, const int32_t *inside,
                                   struct tmap_error *error);

/* member[first[g]] .. member[first[g + 1]]: the roles of group g, ascending. `first` has groups + 1
 * entries, `member` roles. */
void tmap_list_members(const int32_t *group_of, int32_t roles, int32_t groups, int32_t *first,
                       int32_t *member);

/* Names and costs of levels from `levels`, or the defaults of tmap_tree_create_uniform. */
enum tmap_status tmap_tree_set_levels(struct tmap_tree *tree, const struct tmap_level *levels,
                                      struct tmap_error *error);
/* TMAP_EINVAL: the cost of a level without a network is below that of the level inside it: such a
 * machine cannot be divided. */
enum tmap_status tmap_tree_check_costs(const struct tmap_tree *tree, struct tmap_error *error);
/* Raises each default cost to that of the levels below it. Defaults belong to kinds of objects,
 * which some machines nest in another order than the table of defaults. */
void tmap_levels_raise_costs(struct tmap_level *levels, int depth);
/* tmap_tree_create_uniform, but with all arrays, whatever the size. */
enum tmap_status tmap_tree_create_filled(struct tmap_tree **result, int depth, const int32_t *arity,
                                         const struct tmap_level *levels, struct tmap_error *error);
/*
 * Build a tree whose count[] and first_child[][] are filled: slots, ancestors, uniformity. Takes
 * `capacity` (NULL: all 1). On failure the caller destroys the half-built tree.
 */
enum tmap_status tmap_tree_finish(struct tmap_tree *tree, const int32_t *capacity,
                                  struct tmap_error *error);

/*
 * A copy of the subtree of `object` of `level` (0, 0: the whole tree), which is not a leaf.
 * `capacity`, by slot of the copy, replaces the capacities unless it is NULL; it must be NULL where
 * `from` has no arrays.
 */
enum tmap_status tmap_tree_copy_part(struct tmap_tree **result, const struct tmap_tree *from,
                                     int level, int32_t object, const int32_t *capacity,
                                     struct tmap_error *error);

/* A copy without networks, of a tree with arrays. */
enum tmap_status tmap_tree_copy_plain(struct tmap_tree **result, const struct tmap_tree *from);

/* Returns 1 if a tree with arrays is uniform, which takes a look at all of them. */
int tmap_tree_looks_uniform(const struct tmap_tree *tree);

/* A copy of the levels 0 .. depth of a tree that has arrays: its slots are the objects of level
 * `depth` and have these capacities. */
enum tmap_status tmap_tree_copy_top(struct tmap_tree **result, const struct tmap_tree *from,
                                    int depth, const int32_t *capacity, struct tmap_error *error);

/*
 * The distance of two slots that part below a switch of level `level`, 0 being the outermost, of
 * `levels`: the default of a switch for the innermost, and evenly spaced up to that of the machine.
 */
double tmap_switch_cost(int level, int levels);

/*
 * Classes of subtrees: class_of[l][o] is equal for two objects of level l exactly if their subtrees
 * are the same up to the order of children, with `value[slot]` as the label of each leaf. Classes
 * are numbered 0, 1, ... per level in ascending order of (leaf value; child classes), a
 * deterministic order; class_count[l] is their number. Arrays from malloc, for tmap_classes_fini.
 */
struct tmap_classes {
    int32_t *class_of[TMAP_MAX_LEVELS + 1];
    int32_t class_count[TMAP_MAX_LEVELS + 1];
};
enum tmap_status tmap_classes_init(struct tmap_classes *classes, const struct tmap_tree *tree,
                                   const int32_t *value);
void tmap_classes_fini(struct tmap_classes *classes);

/* Of a uniform tree: the children of an object, and the slots below it. */
static inline int32_t tmap_uniform_arity(const struct tmap_tree *tree, int level)
{
    return tree->count[level + 1] / tree->count[level];
}

static inline int32_t tmap_uniform_below(const struct tmap_tree *tree, int level)
{
    return tree->count[tree->depth] / tree->count[level];
}

static inline int32_t tmap_ancestor_of(const struct tmap_tree *tree, int32_t slot, int level)
{
    if (!tree->capacity)
        return slot / tmap_uniform_below(tree, level);
    return level == tree->depth ? slot : tree->ancestor[level][slot];
}

static inline int32_t tmap_capacity_of(const struct tmap_tree *tree, int32_t slot)
{
    return tree->capacity ? tree->capacity[slot] : 1;
}

static inline int tmap_common_level(const struct tmap_tree *tree, int32_t a, int32_t b)
{
    int level = tree->depth;
    if (a == b)
        return level;
    do
        level--;
    while (tmap_ancestor_of(tree, a, level) != tmap_ancestor_of(tree, b, level));
    return level;
}

/* Sum of the capacities below an object of a level; the tree is not uniform. tree.c. */
int64_t tmap_capacity_below(const struct tmap_tree *tree, int level, int32_t object);

#endif
