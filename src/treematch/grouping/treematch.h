/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * treematch.h - the parts of the method `treematch`, for the method and for its tests. The papers:
 * Jeannot and Mercier, Near-Optimal Placement of MPI Processes on Hierarchical NUMA Architectures,
 * Euro-Par 2010; Jeannot, Mercier and Tessier, Process Placement in Multicore Clusters, TPDS 2014.
 */
#ifndef TMAP_TREEMATCH_H
#define TMAP_TREEMATCH_H

#include "treematch/model/problem.h"

tmap_method_fn tmap_method_treematch;

/* ---- Arity division (2014, 4.1.1): arity-division.c ---- */

/* The smallest number of processes for which dividing a level of arity k pays (table 2 of the 2014
 * paper); 0, for a prime or 1: never. */
int64_t tmap_division_threshold(int32_t arity);
/*
 * Divide the levels of a uniform tree as long as that pays. `divided` has room for TMAP_MAX_DIVIDED
 * arities; returns their number.
 */
enum { TMAP_MAX_DIVIDED = TMAP_MAX_LEVELS + 32 };
int tmap_divide_arities(const int32_t *arity, int depth, int32_t *divided);

/* ---- All groups and independent sets (2010, 4): groups-all.c ---- */

/* T_h: with this many possible groups or more, the fast grouping is used, by default. */
enum { TMAP_GROUPS_THRESHOLD = 30000 };
/* C(p, k), but no more than `most`. */
int32_t tmap_count_groups(int32_t p, int32_t k, int32_t most);

enum tmap_set_heuristic {
    TMAP_SET_SMALLEST_FIRST, /* by value, ascending */
    TMAP_SET_LARGEST_LAST,   /* the largest rank that is used is the smallest possible, for k > 2 as
                                far as that can be found in reasonable time */
    TMAP_SET_DEGREE,         /* by weight of the neighbors / own weight, descending */
    TMAP_SET_DEGREE_LITERAL, /* by average weight of the neighbors, as the paper words it;
                                not used: not optimal on the paper's own example */
    TMAP_SET_LARGEST_ABOUT,  /* as LARGEST_LAST, without going back */
    TMAP_SET_HEURISTICS
};

struct tmap_all_groups;

/*
 * All groups of k among p processes, p a multiple of k and >= 2 k, fewer than TMAP_MOST_GROUPS
 * groups. The first processes are the roles of the matrix, the others are
 * artificial. TMAP_ENOMEM or TMAP_OK.
 */
enum tmap_status tmap_all_groups_create(struct tmap_all_groups **all,
                                        const struct tmap_matrix *matrix, int32_t p, int32_t k);
void tmap_all_groups_destroy(struct tmap_all_groups *all);
int32_t tmap_all_groups_count(const struct tmap_all_groups *all);
/* The members (k, ascending) and the value of group number `group`, in lexicographic order. */
uint64_t tmap_all_groups_value(const struct tmap_all_groups *all, int32_t group,
                               const int32_t **members);
/* An independent set: group_of[process]; *sum gets the sum of the values. TMAP_ENOMEM, TMAP_OK. */
enum tmap_status tmap_independent_set(struct tmap_all_groups *all,
                                      enum tmap_set_heuristic heuristic, int32_t *group_of,
                                      uint64_t *sum);
/* The choice of sets. As a start for exchanges, LARGEST_ABOUT is as good as LARGEST_LAST. */
struct tmap_set_choice {
    int is_start;  /* LARGEST_ABOUT in the place of LARGEST_LAST */
    int differs;   /* gets 1 if the choice of treematch itself is another one */
    double limit;  /* on a uniform tree, a mapping that costs more is not wanted; 0: any is */
    int is_dearer; /* gets 1, and there is no mapping, when it is sure to cost more */
};
/* The best of the first three heuristics. */
enum tmap_status tmap_group_all(const struct tmap_matrix *matrix, int32_t p, int32_t k,
                                struct tmap_set_choice *choice, int32_t *group_of);

/* ---- Fast grouping (2014, 4.1.2): buckets.c, groups-fast.c ---- */

/* The default number of buckets. */
enum { TMAP_BUCKETS = 8 };
/* pivot[0 .. buckets-2]: the 1st, 2nd, 4th, ... largest elements of the sample, which has 2^buckets
 * in any order and gets sorted. */
void tmap_bucket_pivots(uint64_t *sample, int buckets, uint64_t *pivot);
/* The bucket of a value: j in 0 .. buckets-1 with pivot[j] <= value < pivot[j - 1]. */
int tmap_bucket_of(const uint64_t *pivot, int buckets, uint64_t value);

/* Elements of the matrix, source < target. */
struct tmap_buckets {
    struct tmap_entry *element; /* bucket after bucket */
    struct tmap_entry *scratch;
    int count;
    size_t first[TMAP_MOST_BUCKETS + 1];
};
/* All elements above the diagonal, in `count` buckets, 0: TMAP_BUCKETS; TMAP_ENOMEM or TMAP_OK. */
enum tmap_status tmap_buckets_init(struct tmap_buckets *buckets, const struct tmap_matrix *matrix,
                                   int count);
void tmap_buckets_fini(struct tmap_buckets *buckets);
/* Sort one bucket by falling weight, then by source and target. */
void tmap_buckets_sort(struct tmap_buckets *buckets, int bucket);

/*
 * The demands of a level of the tree: bin b takes demand[i] processes of class child_class[i], for
 * i = first[b] .. first[b + 1] - 1, classes ascending. Bins of the same kind have the same demands.
 * Three bins of two kinds; the first takes two processes of class 0 and one of class 1:
 *
 *   bin             0        1      2
 *   first           0        2      3        5
 *   child_class   | 0   1  | 0    | 0   1  |
 *   demand        | 2   1  | 3    | 2   1  |
 *   kind            0        1      0
 *
 * bins.c
 */
struct tmap_bins {
    int32_t bins;
    int32_t kinds;
    int32_t classes;
    int32_t *first; /* bins + 1 */
    int32_t *child_class;
    int32_t *demand;
    int32_t *kind; /* by bin */
};
enum tmap_status tmap_bins_alloc(struct tmap_bins *bins, int32_t count, int32_t demands);
/* count bins of k processes each, all of one class and kind. */
enum tmap_status tmap_bins_init_uniform(struct tmap_bins *bins, int32_t count, int32_t k);
void tmap_bins_fini(struct tmap_bins *bins);

/*
 * Group `p` processes, of which the first are the roles of the matrix and the others artificial, so
 * that every bin gets exactly what it wants: bin_of[process]. class_of[process] NULL: all 0.
 * `buckets` as above.
 */
enum tmap_status tmap_group_fast(const struct tmap_matrix *matrix, int32_t p,
                                 const int32_t *class_of, const struct tmap_bins *bins, int buckets,
                                 int32_t *bin_of);

/* ---- Level by level on a uniform tree: treematch.c ---- */

/* The groups of each level: group_of[l][process], with count[l] processes at level l, counted from
 * below. */
struct tmap_grouped {
    int32_t threshold, buckets; /* 0: the default */
    struct tmap_set_choice choice;
    int levels;
    int32_t *group_of[TMAP_MAX_DIVIDED];
    int32_t count[TMAP_MAX_DIVIDED + 1];
};
/*
 * One level up: form groups of k and replace *matrix by the matrix between the groups; the old one
 * is destroyed unless it is `original`. TMAP_EOVERFLOW: 2^31 processes or more. TMAP_ENOMEM,
 * TMAP_OK.
 */
enum tmap_status tmap_group_up(struct tmap_grouped *grouped, int32_t k,
                               const struct tmap_matrix **matrix,
                               const struct tmap_matrix *original);
/* Fill slot_of[process of the lowest level]: the processes of the highest level are on the objects
 * `top`, and the levels below have these arities, from the highest down. TMAP_ENOMEM, TMAP_OK. */
enum tmap_status tmap_hand_down(const struct tmap_grouped *grouped, const int32_t *arity,
                                const int32_t *top, int32_t *slot_of);
void tmap_grouped_fini(struct tmap_grouped *grouped);
/* The method treematch, or a start for exchanges, with these choices. */
enum tmap_status tmap_treematch_below(const struct tmap_problem *problem,
                                      struct tmap_set_choice *choice, int32_t *slot_of);
/* Fill *grouped for a uniform tree with arrays, whose levels are divided into `levels` with the
 * arities `divided`, room for TMAP_MAX_DIVIDED; of *grouped the choice counts. Whatever happens,
 * tmap_grouped_fini has to follow. */
enum tmap_status tmap_group_uniform(const struct tmap_problem *problem,
                                    struct tmap_grouped *grouped, int32_t *divided, int *levels);

/*
 * Dense patterns on a uniform tree: group the roles from the bottom up until few groups are left,
 * which `map` then maps to the tree above them. dense.c
 */
enum tmap_status tmap_map_grouped(const struct tmap_problem *problem, tmap_method_fn *map,
                                  int32_t *slot_of);

/* ---- Trees that are not uniform: treematch-uneven.c ---- */
tmap_method_fn tmap_treematch_uneven;
/* Fill *grouped, as tmap_group_uniform, with no artificial processes: groups have different
 * sizes. */
enum tmap_status tmap_group_uneven(const struct tmap_problem *problem,
                                   struct tmap_grouped *grouped);

#endif
