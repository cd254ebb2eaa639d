/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tmap.h - the public interface of libtmap: map the roles of a parallel program to the slots of a
 * topology tree so that roles that communicate a lot sit close together.
 *
 * Guarantees
 *   - No function prints, exits, aborts, reads the environment or the locale, or keeps global
 *     state.
 *   - Every function that can fail returns a tmap_status and, when `error` is not NULL, leaves one
 *     line for a person in it. Results are assigned only on success.
 *   - Every `_destroy` accepts NULL.
 *   - Same input, options and seed give the same mapping on every machine.
 *   - Objects are read-only once made: any number of threads may use one.
 *   - An argument out of range never makes a function read or write out of bounds: it returns
 *     TMAP_EINVAL, or what its comment says. (Only tmap_permutation_invert trusts its input.)
 *     Pointers must not be NULL unless the comment allows it, and must lead to as many elements as
 *     it asks for.
 *
 * Newer versions with the same soname (libtmap.so.N) work for programs that were built with this
 * header:
 *   - Functions, enumerators and members keep their meaning and position; new ones are added at the
 *     end.
 *   - A struct that callers fill begins with `size`, its size when the caller was compiled. The
 *     library reads no more than that; all other members have their defaults. A nonzero member that
 *     the library is too old to know is TMAP_ENOTSUP, never ignored.
 *   - `reserved` words are 0 in what the library fills, and must be 0 in what callers fill.
 *   - tmap_entry, tmap_place and tmap_error never change.
 *   - Statuses may be added: any status other than TMAP_OK is a failure.
 *
 * Words
 *   role   the part of the work that the program gives to rank r: 0 .. n-1, index of the matrix.
 *   slot   a leaf of the tree, numbered 0 .. slots-1 from left to right (depth first).
 *   level  0 is the root; the leaves are at level `depth`. All leaves are at the same level.
 *   shape  of a level: how the children of one of its objects are connected. Without one they are
 *          all equally far apart.
 */
#ifndef TMAP_H
#define TMAP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TMAP_API __attribute__((visibility("default")))
#else
#define TMAP_API
#endif

/* The version of this header, and of the library that the program runs with, which may be newer.
 * Versions compare as numbers. */
#define TMAP_VERSION_MAJOR 0
#define TMAP_VERSION_MINOR 1
#define TMAP_VERSION_PATCH 0
#define TMAP_VERSION_NUMBER(major, minor, patch) ((major)*65536 + (minor)*256 + (patch))
#define TMAP_VERSION TMAP_VERSION_NUMBER(TMAP_VERSION_MAJOR, TMAP_VERSION_MINOR, TMAP_VERSION_PATCH)
TMAP_API int tmap_version(void);

/* Each row: enumerator, text for a person. */
/* clang-format off */
#define TMAP_STATUS_LIST(row)                                \
    row(TMAP_OK, "success")                                  \
    row(TMAP_ENOMEM, "out of memory")                        \
    row(TMAP_EINVAL, "invalid argument")                     \
    row(TMAP_ESYNTAX, "text cannot be understood")           \
    row(TMAP_EOVERFLOW, "number too large")                  \
    row(TMAP_ENOSPACE, "more roles than slots")              \
    row(TMAP_ENOTSUP, "not available in this build")         \
    row(TMAP_ETOPOLOGY, "hardware topology cannot be read")
/* clang-format on */

#define TMAP_STATUS_ENUM(name, text) name,
enum tmap_status { TMAP_STATUS_LIST(TMAP_STATUS_ENUM) };
#undef TMAP_STATUS_ENUM

/* The text of a status; never NULL, even for a number that is not a status. */
TMAP_API const char *tmap_status_text(enum tmap_status status);

/* An error message: one line without newline, always terminated. */
struct tmap_error {
    char text[256];
};

/* ---- Communication matrix: sparse, symmetric, n roles ------------------------------------- */

struct tmap_matrix;

/* One directed entry: `weight` (bytes, messages or whatever the metric counts) from source to
 * target. */
struct tmap_entry {
    int32_t source;
    int32_t target;
    uint64_t weight;
};

/*
 * Make the symmetric matrix of `roles` roles from `count` directed entries, given in any order.
 * The weight of the pair {i, j} is the sum of all entries (i, j) and (j, i): the traffic in both
 * directions together. Entries of weight 0 and of a role with itself are dropped.
 * TMAP_EINVAL: roles < 0 or an entry names a role outside 0 .. roles-1.
 * TMAP_EOVERFLOW: the sum of all weights, each pair counted from both ends, is 2^63 or more.
 * Time O(roles + count log runs), where `runs` is the number of ascending runs in which a row is
 * given; memory: that of the result before equal partners are merged, and one row.
 */
TMAP_API enum tmap_status tmap_matrix_create(struct tmap_matrix **matrix, int32_t roles,
                                             const struct tmap_entry *entries, size_t count,
                                             struct tmap_error *error);
/*
 * The same from a full table: the entry (i, j) is weights[i * roles + j]; the table stays the
 * caller's. Memory: that of the result, 8 bytes for each pair of roles if more than two thirds of
 * them talk, else 12 bytes for each that does.
 */
TMAP_API enum tmap_status tmap_matrix_create_dense(struct tmap_matrix **matrix, int32_t roles,
                                                   const uint64_t *weights,
                                                   struct tmap_error *error);
/*
 * tmap_matrix_create for traffic whose directions are known. Only loads of links depend on them:
 * what goes from i to j takes the route from i to j. In other matrices half of each pair's weight
 * goes each way. Memory: 8 bytes more for each pair, from both ends.
 */
TMAP_API enum tmap_status tmap_matrix_create_directed(struct tmap_matrix **matrix, int32_t roles,
                                                      const struct tmap_entry *entries,
                                                      size_t count, struct tmap_error *error);
TMAP_API void tmap_matrix_destroy(struct tmap_matrix *matrix);

TMAP_API int32_t tmap_matrix_roles(const struct tmap_matrix *matrix);
/* Number of pairs {i, j} with traffic. */
TMAP_API size_t tmap_matrix_pairs(const struct tmap_matrix *matrix);
/* Sum of the weights of all pairs, each counted once. */
TMAP_API uint64_t tmap_matrix_total(const struct tmap_matrix *matrix);
/* Number of roles that `role` has traffic with; 0 if there is no such role. */
TMAP_API size_t tmap_matrix_partners(const struct tmap_matrix *matrix, int32_t role);
/*
 * The partners of `role` one by one, ascending, never the role itself, and the weight of the pair,
 * never 0: returns 1, or 0 when there are no more or there is no such role. `*position` is 0 before
 * the first call, and private to the function after that. A whole loop takes O(partners), or
 * O(roles) where nearly all roles talk.
 *   for (size_t at = 0; tmap_matrix_next(matrix, role, &at, &partner, &weight);)
 */
TMAP_API int tmap_matrix_next(const struct tmap_matrix *matrix, int32_t role, size_t *position,
                              int32_t *partner, uint64_t *weight);
/* Returns the weight from `source` to `target`; without directions half of the weight, and of an
 * odd one the larger part from the smaller role. Both ways add up to the weight of the pair; 0 if
 * there is no such pair. */
TMAP_API uint64_t tmap_matrix_sent(const struct tmap_matrix *matrix, int32_t source,
                                   int32_t target);

/* ---- Topology tree ------------------------------------------------------------------------- */

struct tmap_tree;

enum { TMAP_MAX_LEVELS = 32, TMAP_NAME_SIZE = 32 };

/*
 * A level of a tree: `name` is the kind of object that sits *below* the level (the children of
 * level 0 may be "node"), `cost` the distance of two slots whose lowest common ancestor is at this
 * level. Costs are finite and >= 0. Two roles on the same slot are at distance 0. A name that is
 * not terminated within its array is truncated.
 */
struct tmap_level {
    char name[TMAP_NAME_SIZE];
    double cost;
    double reserved[3]; /* 0 */
};

/*
 * A tree in which every object of a level has the same number of children: arity[0] below the
 * root, and so on; slots = product of all. `levels` may be NULL (names "level1", ..., cost of
 * level l = 2 * (depth - l), the hops up and down) or has `depth` entries.
 * TMAP_EINVAL: depth outside 1 .. TMAP_MAX_LEVELS, an arity < 1, a bad cost. TMAP_ENOTSUP: a
 * reserved word is not 0. TMAP_EOVERFLOW: 2^31 slots or more. Memory O(slots) up to 2^20 slots,
 * O(depth) for larger trees.
 */
TMAP_API enum tmap_status tmap_tree_create_uniform(struct tmap_tree **tree, int depth,
                                                   const int32_t *arity,
                                                   const struct tmap_level *levels,
                                                   struct tmap_error *error);

/*
 * Any tree, from the paths of its leaves: `path` has `leaves` rows of `depth` numbers, row-major;
 * path[leaf * depth + l] says which child is taken below level l. The numbers need not be dense:
 * equal prefixes share an object, children are ordered by number. All rows differ. Slots are
 * numbered from left to right; `slot_of_leaf` (leaves entries, or NULL) gets the slot of each row.
 * `capacity` (leaves entries, or NULL: all 1) is how many roles a leaf can hold, >= 0.
 * `levels`: as above.
 * TMAP_EINVAL: leaves < 1, two equal rows, a negative capacity, depth or cost out of range.
 * TMAP_ENOTSUP: a reserved word is not 0.
 */
TMAP_API enum tmap_status
tmap_tree_create_from_paths(struct tmap_tree **tree, int32_t leaves, int depth, const int32_t *path,
                            const int32_t *capacity, const struct tmap_level *levels,
                            int32_t *slot_of_leaf, struct tmap_error *error);

/*
 * A tree from text: arities from the root ("4 4 3 2") or named levels ("node:4 package:2 core:8",
 * names from hwloc's vocabulary or any other). Default costs for named levels come from
 * tmap_level_default_cost. Instead of a name, a level can have a shape (below): torus:4x4x4,
 * mesh:16x16, ring:8, hypercube:6 (of 2^6), dragonfly:9x8 (9 groups of 8 routers). TMAP_ESYNTAX
 * says which word is wrong. TMAP_EOVERFLOW: a number or a shape beyond the limits.
 */
TMAP_API enum tmap_status tmap_tree_parse(struct tmap_tree **tree, const char *text,
                                          struct tmap_error *error);
/* The same tree with other costs, `count` of them, from the root; count must be the depth. */
TMAP_API enum tmap_status tmap_tree_copy_with_costs(struct tmap_tree **tree,
                                                    const struct tmap_tree *from,
                                                    const double *costs, int count,
                                                    struct tmap_error *error);
TMAP_API void tmap_tree_destroy(struct tmap_tree *tree);

/* The default distance of two slots whose paths part below an object of kind `name` ("machine",
 * "switch", "node", "package", "numa", "die", "l3", "l2", "core", "pu"); unknown names: -1. With
 * the defaults, a byte on the network costs more than any rearrangement inside a node can save. */
TMAP_API double tmap_level_default_cost(const char *name);

TMAP_API int tmap_tree_depth(const struct tmap_tree *tree);
TMAP_API int32_t tmap_tree_slots(const struct tmap_tree *tree);
/* Number of roles that the whole tree can hold: the sum of the capacities. */
TMAP_API int64_t tmap_tree_capacity(const struct tmap_tree *tree);
/* Number of roles that `slot` can hold; 0 if there is no such slot. */
TMAP_API int32_t tmap_tree_slot_capacity(const struct tmap_tree *tree, int32_t slot);
/* Number of objects at `level` (level 0: 1, level depth: slots); 0 if there is no such level. */
TMAP_API int32_t tmap_tree_objects(const struct tmap_tree *tree, int level);
/* Index, within its level, of the ancestor of `slot` at `level`; -1: no such slot or level. */
TMAP_API int32_t tmap_tree_ancestor(const struct tmap_tree *tree, int32_t slot, int level);
/* Level of the lowest common ancestor of two slots; `depth` when a == b; -1: no such slot. */
TMAP_API int tmap_tree_common_level(const struct tmap_tree *tree, int32_t a, int32_t b);
/* The cost of that level; 0 when a == b; -1: no such slot. */
TMAP_API double tmap_tree_distance(const struct tmap_tree *tree, int32_t a, int32_t b);
/* Name and cost of level 0 .. depth-1, valid as long as the tree; NULL: no such level. */
TMAP_API const struct tmap_level *tmap_tree_level(const struct tmap_tree *tree, int level);
/* Returns 1 if every object of each level has the same number of children, no level has a shape,
 * and every slot has capacity 1. */
TMAP_API int tmap_tree_is_uniform(const struct tmap_tree *tree);

/* ---- Shapes of levels: torus, mesh, any graph ------------------------------------------------ */

/*
 * With a shape, the children of an object of the level are at positions of a network, and two slots
 * whose paths part there are apart by
 *     cost of the level x length of the shortest path between the positions of the two children.
 * Torus and mesh: positions are row-major, the last coordinate varying fastest; a torus wraps in
 * all dimensions. A ring is a torus of one dimension, a hypercube a mesh of extents 2. Graph:
 * positions are vertices with links between them; all that are in use must be connected. In a
 * graph with groups (a dragonfly's; all links are then equally long) the paths with the fewest
 * links between groups count, and of these the shortest: minimal routing. Several children of an
 * object are never at the same position.
 */
enum tmap_shape_kind { TMAP_SHAPE_NONE, TMAP_SHAPE_TORUS, TMAP_SHAPE_MESH, TMAP_SHAPE_GRAPH };

/* Limits: dimensions; positions of a shape; links of a graph; positions of a graph that are in use,
 * for which all distances are kept (2 bytes a pair, 6 if the links have different lengths). */
enum {
    TMAP_MAX_DIMENSIONS = 16,
    TMAP_MAX_POSITIONS = 1 << 24,
    TMAP_MAX_LINKS = 1 << 24,
    TMAP_MAX_USED = 16384
};

/* Limits of the lengths of hops and links. */
#define TMAP_LEAST_LENGTH 1e-9
#define TMAP_MOST_LENGTH 1e9

/* A link of a graph, in both directions. */
struct tmap_link {
    int32_t from, to;
    double length;
};

/* A shape, as callers describe it. Members that are not needed are 0 or NULL; arrays stay the
 * caller's. */
struct tmap_shape {
    size_t size; /* sizeof (struct tmap_shape) */
    enum tmap_shape_kind kind;
    int dimensions;                      /* torus, mesh: 1 .. TMAP_MAX_DIMENSIONS */
    int32_t extent[TMAP_MAX_DIMENSIONS]; /* >= 1 */
    double length[TMAP_MAX_DIMENSIONS];  /* of a hop along each dimension; 0 means 1 */
    int32_t positions;                   /* graph: vertices */
    int32_t group;                       /* graph, if not 0: positions of a group, in a row */
    size_t links;                        /* graph */
    const struct tmap_link *link;
};

/*
 * The same tree with a shape at `level`, which replaces any that it had. `position` (an entry for
 * each object of level + 1) says where the objects are; NULL: the children of each object are at
 * positions 0, 1, ...
 * TMAP_EINVAL: no such level, a bad extent, length, link or group, a position outside the shape
 * or taken twice, positions that no path connects, an invalid size. TMAP_EOVERFLOW: a limit is
 * exceeded, or the tree has more than 2^24 slots. TMAP_ENOTSUP: a member that this version does not
 * know.
 * Time of a graph: O(used x links), and a factor log(positions) if their lengths differ.
 */
TMAP_API enum tmap_status tmap_tree_copy_with_shape(struct tmap_tree **tree,
                                                    const struct tmap_tree *from, int level,
                                                    const struct tmap_shape *shape,
                                                    const int32_t *position,
                                                    struct tmap_error *error);

/* Shape of a level: the kind, TMAP_SHAPE_NONE if it has none or there is no such level. With
 * `shape`, whose `size` is set, what it was made of, valid as long as the tree. */
TMAP_API enum tmap_shape_kind tmap_tree_shape(const struct tmap_tree *tree, int level,
                                              struct tmap_shape *shape);
/* The position of object `object` of `level` among the children of its parent: in the shape of the
 * level above, or, without one, its number there. -1: no such object, or the root. */
TMAP_API int32_t tmap_tree_position(const struct tmap_tree *tree, int level, int32_t object);
/* Number of links on the path between two slots: those of the network where their paths part, two
 * for each level below it, and two at a level without a shape. 0 when a == b; -1: no such slot. */
TMAP_API int32_t tmap_tree_hops(const struct tmap_tree *tree, int32_t a, int32_t b);

/*
 * A graph of several kinds by its usual name, for TMAP_SHAPE_GRAPH: a dragonfly of `groups` groups
 * of `routers` routers each. The routers of a group are all connected. Each pair of groups has one
 * link: link k of a group (0 .. groups-2) leads to group k, or k + 1 from group k on, and is on its
 * router k / ceil((groups-1) / routers). Fills `link`, which has room for the number returned;
 * NULL: only counts. -1: not possible. With `group` set to `routers` paths are those of minimal
 * routing.
 */
TMAP_API int64_t tmap_shape_dragonfly(int32_t groups, int32_t routers, struct tmap_link *link);

/* ---- Where processes sit ------------------------------------------------------------------- */

/*
 * The hardware levels inside a node, from the outside in. The place of a process is one number for
 * each: the logical index of the object that holds it, or -1 where the process may move between
 * several (a process bound to a package has a package and no core) or the machine has no such
 * objects.
 */
enum tmap_place_level {
    TMAP_PLACE_PACKAGE,
    TMAP_PLACE_NUMA,
    TMAP_PLACE_L3,
    TMAP_PLACE_L2,
    TMAP_PLACE_CORE,
    TMAP_PLACE_PU,
    TMAP_PLACE_LEVELS
};

struct tmap_place {
    int32_t at[TMAP_PLACE_LEVELS];
};

/* The name of a place level ("package", "numa", "l3", "l2", "core", "pu"); "unknown": none. */
TMAP_API const char *tmap_place_level_name(enum tmap_place_level level);

/*
 * The tree of the processes of a job: each process is a slot of capacity 1, below the objects that
 * hold it. `node_of[p]` is any number that is equal for processes on the same node; places are
 * compared inside a node only. Levels, from the root: node, then those of tmap_place_level, then
 * one for the processes; a level that branches nowhere is left out (one always stays). Processes
 * with the same place are siblings, at the distance of the innermost object they share.
 * `slot_of_process` (processes entries) gets the slot of each process. Slots follow the order of
 * node (by the first process on it), place and process number.
 * TMAP_EINVAL: processes < 1.
 */
TMAP_API enum tmap_status tmap_tree_create_from_places(struct tmap_tree **tree, int32_t processes,
                                                       const int32_t *node_of,
                                                       const struct tmap_place *places,
                                                       int32_t *slot_of_process,
                                                       struct tmap_error *error);

enum { TMAP_SWITCH_LEVELS = 8 };

/* A job as tmap_tree_create_from_places sees it, plus the switches above its nodes. Arrays stay the
 * caller's. Members that are not needed are 0 or NULL. */
struct tmap_job {
    size_t size; /* sizeof (struct tmap_job) */
    int32_t processes;
    const int32_t *node_of; /* by process; with switches 0 .. nodes-1 */
    const struct tmap_place *places;
    const char *leaf_name; /* of the level of the processes; NULL: "process" */
    int switch_levels;     /* 0 .. TMAP_SWITCH_LEVELS */
    /* by node, switch_levels numbers each, outermost first: the switches above it. Numbers are
     * compared only below the same switch. */
    const int32_t *switches;
    int32_t nodes;    /* rows of `switches` */
    int32_t reserved; /* 0 */
    /* By level of switches: how its switches below the same one are connected; their numbers are
     * then positions. NULL, for a level or all: they are equally far apart. */
    const struct tmap_shape *const *shapes;
};

/*
 * The same tree with the levels "switch" above the nodes; slots follow the numbers of the switches
 * first. Processes whose paths part below the innermost switch are at the default distance of a
 * switch, those with no switch in common at that of the machine; the levels in between are spaced
 * evenly. Where switches have a shape, this is the cost of a link of length 1.
 * TMAP_EINVAL: processes < 1, too many levels of switches, a node outside 0 .. nodes-1, a shape or
 * position that tmap_tree_copy_with_shape refuses, an invalid size. TMAP_ENOTSUP: a member that
 * this version does not know. Time O(processes x log processes x levels), and what shapes take;
 * memory O(processes x levels).
 */
TMAP_API enum tmap_status tmap_tree_create_from_job(struct tmap_tree **tree,
                                                    const struct tmap_job *job,
                                                    int32_t *slot_of_process,
                                                    struct tmap_error *error);

/* ---- Mapping ------------------------------------------------------------------------------- */

enum tmap_effort { TMAP_EFFORT_FAST, TMAP_EFFORT_DEFAULT, TMAP_EFFORT_STRONG };

/* The aim of a mapping: the least cost, or, with a cost of up to 1.02 times that, a low load of the
 * busiest link (tmap_mapping_lower_congestion). */
enum tmap_objective { TMAP_OBJECTIVE_COST, TMAP_OBJECTIVE_CONGESTION };

struct tmap_options {
    size_t size;             /* from tmap_options_init */
    const char *method;      /* see tmap_method_describe; NULL: the default method */
    enum tmap_effort effort; /* one dial for all methods; more effort never costs more */
    uint64_t seed;           /* for random choices; 0 is as good as any */
    double seconds;          /* method "best" goes on until so much processor time has passed; 0: a
                                fixed number of rounds. All other methods ignore the clock. */
    const int32_t *pinned;   /* by role: the slot where it must sit, -1: any; NULL: all are free */
    const unsigned char *closed; /* by slot: 1: holds no role; NULL: all are open */
    int threads;  /* may be used; 0: only the caller's. Their number never changes the mapping. */
    int reserved; /* 0 */
    enum tmap_objective objective;
    int reserved_too; /* 0 */
    /* Of treematch, also where another method tries it. With so many possible groups of a level or
     * more, up to TMAP_MOST_GROUPS, groups are found from single elements of the matrix, with fewer
     * by looking at them all; 0: 30,000, as in the paper. */
    int32_t group_threshold;
    /* These elements are sorted in so many buckets, up to TMAP_MOST_BUCKETS; 0: 8, as in the paper.
     * Their number never changes the mapping. */
    int32_t buckets;
};

enum { TMAP_MOST_GROUPS = 1000000, TMAP_MOST_BUCKETS = 16 };

/* Set the defaults: default method and effort, seed 0, no constraints. `size` is sizeof *options;
 * no more than that is written. */
TMAP_API void tmap_options_init(struct tmap_options *options, size_t size);

/* Name and one line of help (either pointer may be NULL) of method number `index`; the texts stay
 * valid. Returns 0 when there is no such method, so a loop from 0 lists them all. */
TMAP_API int tmap_method_describe(int index, const char **name, const char **help);

/*
 * Map the roles of `matrix` to the slots of `tree`: slot_of[role], roles entries, at most
 * slot-capacity roles on a slot. `options` NULL: the defaults.
 * If a uniform tree has many more slots than there are roles, time and memory follow the roles.
 * TMAP_ENOSPACE: more roles than the open slots can take.
 * TMAP_EINVAL: the cost of a level is above that of the level outside it, which has no shape;
 * unknown method, effort or objective; seconds or threads < 0; a group_threshold or buckets out of
 * range; options without a size; a role pinned to a slot that does not exist, is
 * closed, or has more roles pinned to it than it can hold.
 * TMAP_ENOTSUP: pinned or closed in a uniform tree of more than 2^20 slots; an option that this
 * version does not know.
 */
TMAP_API enum tmap_status tmap_mapping_find(const struct tmap_matrix *matrix,
                                            const struct tmap_tree *tree,
                                            const struct tmap_options *options, int32_t *slot_of,
                                            struct tmap_error *error);

/*
 * Remap, among the slots below object number `object` of `level`, the roles that slot_of, a valid
 * mapping, has there; all others stay where they are. This is a problem of its own, because
 * everything outside is equally far from all these slots, so different processes can map different
 * parts of a machine. The result never costs more than before. Constraints in `options` are those
 * of the whole problem.
 * TMAP_EINVAL: no such object, slot_of is not valid or does not obey the constraints.
 */
TMAP_API enum tmap_status tmap_mapping_improve_below(const struct tmap_matrix *matrix,
                                                     const struct tmap_tree *tree, int level,
                                                     int32_t object,
                                                     const struct tmap_options *options,
                                                     int32_t *slot_of, struct tmap_error *error);

/*
 * Put `role` on `slot` without raising the cost of the mapping, where possible: on the way down
 * from the root, equal subtrees (branching and capacities) trade their contents, which changes
 * no distance, and all of a torus or mesh is shifted or reflected if that leads to equal subtrees;
 * where they differ, the role and the slot's occupant are exchanged if the cost does
 * not rise. `*kept` tells whether the role now sits there. Time O(roles + slots + depth), and with
 * networks a factor of the logarithm of their positions, and of up to 2^8 for those that are nearly
 * symmetric.
 */
TMAP_API enum tmap_status tmap_mapping_keep_role(const struct tmap_matrix *matrix,
                                                 const struct tmap_tree *tree, int32_t role,
                                                 int32_t slot, int32_t *slot_of, int *kept,
                                                 struct tmap_error *error);

/*
 * Lower the load of the busiest link (see Loads of links) of a valid mapping, by exchanges of roles
 * and moves to free slots: of the outermost level with a shape, or else the outermost that
 * branches. The cost rises by 2 % at most, and the busiest link is never busier than before. Of
 * `options`, or NULL, counts the effort; pinned roles stay where they are, and closed slots get no
 * role. Nothing is done in uniform trees of more than 2^20 slots and networks of more than 2^26
 * links. Deterministic; work is limited by a budget. TMAP_EINVAL: slot_of is not valid.
 */
TMAP_API enum tmap_status tmap_mapping_lower_congestion(const struct tmap_matrix *matrix,
                                                        const struct tmap_tree *tree,
                                                        const struct tmap_options *options,
                                                        int32_t *slot_of, struct tmap_error *error);

/* 1 when slot_of puts every role on an existing slot and no slot has more roles than its
 * capacity. */
TMAP_API int tmap_mapping_is_valid(const struct tmap_tree *tree, int32_t roles,
                                   const int32_t *slot_of);

/* ---- Layouts: regular mappings, without a matrix ------------------------------------------- */

/*
 * A layout says by letters in which order the slots are filled: a loop for each letter, the
 * leftmost innermost. (Hursey, Squyres and Dontje, Locality-Aware Parallel Process Mapping for
 * Multi-Core HPC Systems, 2011, section IV.) So "scbnh" changes the package from role to role, then
 * the core, and the node only when each core of it has a role. A letter stands for the level of the
 * tree of that name:
 *
 *   n node   b board   s package (pack, socket)   c core   h pu   N numa (numanode)   L1 L2 L3
 *   d die    g group   S switch or router: S or S1 is next to the nodes, S2 S3 S4 above it
 *   X Y Z, or A B C D E   the dimensions, from the first, of the outermost level that is a torus or
 *                mesh; all with more than one position must be named, or none
 *   T            the leaves, whatever they are
 *
 *   - Where there are no cores, `c` is the level "process" (tmap_tree_create_from_places).
 *   - A letter without a level in the tree has no effect; `h` is then the leaves, unless another
 *     letter is.
 *   - A level without a letter is pruned: what is below it is numbered through below the next outer
 *     level that has one. Leaves without a letter come last, as the outermost loop.
 *   - Subtrees may differ: a loop is as wide as the widest, and what does not exist is skipped, as
 *     are slots that are closed or full. Numbers are those of the subtree itself, from 0.
 *   - When the outermost loop ends, all begins again, and slots with capacities above 1 get a
 *     second role, and so on.
 *   - Behind a letter, a list between colons is the order of its objects: "n:3,0-2:sc", "c:7-0:n".
 *     Numbers that are not in it get no role; those that do not exist are skipped.
 *   - The text "by-slot" is the layout hcsbn, "by-node" is ncsbh.
 */
struct tmap_layout {
    size_t size; /* sizeof (struct tmap_layout) */
    const char *text;
    const unsigned char *closed; /* by slot: 1: holds no role; NULL: all are open */
    int oversubscribe;           /* 1: when all slots are full, begin again with the first role's */
    int width_level;             /* 1 .. depth, see `width`; otherwise 0 */
    /* Above 1: a role needs so many consecutive objects of `width_level`, on one object of the
     * level "node" if there is such a level above: its slot, and in each of the other objects the
     * slot at the same position, which no other role gets. Where they are not free, the slot is
     * skipped. */
    int32_t width;
    int32_t reserved; /* 0 */
};

/*
 * Put `roles` roles on the slots by a layout: slot_of[role].
 * TMAP_ESYNTAX: an unknown letter, a letter twice, a bad list. TMAP_EINVAL: no letter names a level
 * of the tree, two name the same one, a dimension is missing, a number is twice in a list; an
 * invalid size, roles or width. Errors of the text say at which character, from 1. TMAP_ENOSPACE:
 * more roles than free slots, also with `oversubscribe` if no slot is free. TMAP_ENOTSUP: closed
 * slots or a width in a uniform tree of more than 2^20 slots; a member that this version does not
 * know. Oversubscribed slots hold more than their capacity, so the result is not valid for other
 * functions. Time O(roles + slots x letters), and a factor `width`; memory O(roles + slots). In
 * uniform trees of more than 2^20 slots time is O(roles x letters), and memory O(roles); a list
 * adds the width of its level to both.
 */
TMAP_API enum tmap_status tmap_mapping_lay_out(const struct tmap_tree *tree,
                                               const struct tmap_layout *layout, int32_t roles,
                                               int32_t *slot_of, struct tmap_error *error);

/* The level of the tree that a letter of layouts means, 1 .. depth; 0: the tree has none; -1:
 * `letter` is not one letter. */
TMAP_API int tmap_layout_find_level(const struct tmap_tree *tree, const char *letter);

/* ---- What a mapping costs ------------------------------------------------------------------ */

struct tmap_cost {
    double cost;   /* sum over pairs {i, j} of weight x distance */
    uint64_t hops; /* sum over pairs of weight x tmap_tree_hops, which is 2 x levels climbed to the
                      common ancestor on a tree without shapes; saturates at UINT64_MAX */
    uint64_t weight_at[TMAP_MAX_LEVELS + 1]; /* weight of the pairs whose common ancestor is at this
                                                level; [depth]: same slot */
    uint64_t pairs_at[TMAP_MAX_LEVELS + 1];  /* number of those pairs */
    uint64_t reserved[8];                    /* 0 */
};

/* Evaluate a valid mapping. TMAP_EINVAL: it is not valid. */
TMAP_API enum tmap_status tmap_mapping_evaluate(const struct tmap_matrix *matrix,
                                                const struct tmap_tree *tree,
                                                const int32_t *slot_of, struct tmap_cost *cost,
                                                struct tmap_error *error);

/* The part of each level in the cost: cost_at[level], depth entries, whose sum is `cost` above up
 * to rounding. TMAP_EINVAL: not a valid mapping. */
TMAP_API enum tmap_status tmap_mapping_evaluate_levels(const struct tmap_matrix *matrix,
                                                       const struct tmap_tree *tree,
                                                       const int32_t *slot_of, double *cost_at,
                                                       struct tmap_error *error);

/*
 * The load of links: outside[o], for each object o of `level` (1 .. depth), gets the weight of the
 * pairs that have one role below o and the other elsewhere: what crosses the link above o. If level
 * 1 is nodes, the maximum there is the load of the busiest node. TMAP_EINVAL: not a valid mapping,
 * or no such level.
 */
TMAP_API enum tmap_status tmap_mapping_evaluate_links(const struct tmap_matrix *matrix,
                                                      const struct tmap_tree *tree,
                                                      const int32_t *slot_of, int level,
                                                      uint64_t *outside, struct tmap_error *error);

/* ---- Loads of links ------------------------------------------------------------------------- */

/*
 * The load of each link under a mapping, with static routes. Links of a level are
 *   - those up: from each object of level + 1 to its parent. They carry what leaves the object; if
 *     the level has a shape, only what leaves the parent as well (so none below the root).
 *   - those of the network, if the level has a shape. Torus and mesh: routes go dimension by
 *     dimension, from the lowest, the shorter way around, and upwards if both are equally long.
 *     (A torus has one link between two positions of a dimension of extent 2.) Graph: the shortest
 *     paths, with the fewest links of these; at each vertex evenly over all links that lead on.
 * Half of the weight of a pair goes each way, or what the matrix says
 * (tmap_matrix_create_directed); the load of a link is that of both its directions.
 * So the loads of a level add up to weight x hops there, and those of all levels to `hops` of
 * tmap_cost.
 */
struct tmap_loads;

enum tmap_link_kind { TMAP_LINK_UP, TMAP_LINK_NETWORK };

struct tmap_link_load {
    enum tmap_link_kind kind;
    int32_t object; /* of the level: the parent, or the one whose network it is */
    int32_t from;   /* up: object of level + 1; network: position */
    int32_t to;     /* up: the parent; network: position */
    double load;
};

struct tmap_load_summary {
    double busiest; /* the largest load */
    double mean;    /* of all links, also those without load */
    double total;
    int64_t links;
    double busiest_way;   /* the largest load of one direction, of the links of networks */
    uint64_t reserved[3]; /* 0 */
};

/*
 * The loads of the links of a level. TMAP_EINVAL: not a valid mapping, or no such level.
 * Time: O(roles log roles + pairs), and for a network O(hops) for each pair of positions that
 * exchange anything, or, in a graph, O(links) for each position that does (and a factor
 * log(positions) if lengths differ). Memory: O(roles + loaded links + links of one network).
 */
TMAP_API enum tmap_status tmap_loads_create(struct tmap_loads **loads,
                                            const struct tmap_matrix *matrix,
                                            const struct tmap_tree *tree, const int32_t *slot_of,
                                            int level, struct tmap_error *error);
TMAP_API void tmap_loads_destroy(struct tmap_loads *loads);
TMAP_API void tmap_loads_sum_up(const struct tmap_loads *loads, struct tmap_load_summary *summary);
/* The links that have a load, one by one: returns 1, or 0 when there are no more. `*position` is 0
 * before the first call, and private to the function after that. */
TMAP_API int tmap_loads_next(const struct tmap_loads *loads, size_t *position,
                             struct tmap_link_load *link);

/* ---- Permutations -------------------------------------------------------------------------- */

/* 1 when `image_of` (count entries) holds each of 0 .. count-1 once. */
TMAP_API int tmap_permutation_is_valid(const int32_t *image_of, int32_t count);
/* preimage_of[image_of[i]] = i; the arrays must not overlap; image_of must be a valid permutation,
 * which is not checked. */
TMAP_API void tmap_permutation_invert(const int32_t *image_of, int32_t *preimage_of, int32_t count);

#ifdef __cplusplus
}
#endif

#endif
