/* SPDX-License-Identifier: BSD-3-Clause */
/* numbered-groups.c - see numbered.h. */
#include "recognize/numbered.h"

/* ---- Groups ---- */

/* Returns 1 if a and b are in one group, with their places in it, *i < *j. */
static int groups_places(const struct recognized_part *part, int32_t a, int32_t b, int32_t *i,
                         int32_t *j)
{
    int32_t block = part->group * part->stride;
    if (a / block != b / block || a % part->stride != b % part->stride)
        return 0;
    a = a % block / part->stride;
    b = b % block / part->stride;
    *i = a < b ? a : b;
    *j = a < b ? b : a;
    return 1;
}

static int groups_has(const struct recognized_part *part, int32_t a, int32_t b)
{
    int32_t i, j;
    if (part->cell_of) {
        a = part->cell_of[a];
        b = part->cell_of[b];
    }
    if (!groups_places(part, a, b, &i, &j))
        return 0;
    switch (part->kind) {
    case RECOGNIZED_CUBES:
        return __builtin_popcount((unsigned)(i ^ j)) == 1;
    case RECOGNIZED_CHAINS:
        return j == i + 1;
    case RECOGNIZED_RINGS:
        return j == i + 1 || (i == 0 && j == part->group - 1);
    default:
        return 1;
    }
}

static double groups_pairs(const struct recognized_part *part, int32_t ranks)
{
    double group = part->group, groups = ranks / group;
    switch (part->kind) {
    case RECOGNIZED_CUBES:
        return groups * group * (31 - __builtin_clz((unsigned)part->group)) / 2;
    case RECOGNIZED_CHAINS:
        return groups * (group - 1);
    case RECOGNIZED_RINGS:
        return groups * group;
    default:
        return groups * group * (group - 1) / 2;
    }
}

/* Weight at the distances of the pattern's pairs, and in *talking the number of pairs that talk
 * there: upper bounds for the pattern itself. */
static double groups_most(const struct traffic *traffic, const struct recognized_part *part,
                          double *talking)
{
    double most = 0;
    *talking = 0;
    for (int32_t step = 1; step < part->group; step++)
        if (part->kind == RECOGNIZED_GROUPS || step == 1 ||
            (part->kind == RECOGNIZED_CUBES && (step & (step - 1)) == 0) ||
            (part->kind == RECOGNIZED_RINGS && step == part->group - 1)) {
            most += traffic->weight_at[step * part->stride];
            *talking += traffic->count_at[step * part->stride];
        }
    return most;
}

/* Offer a part, unless even all that is at its distances is not enough to be kept as the best. */
static void groups_offer_part(struct traffic *traffic, const struct recognized_part *part)
{
    double ranks = traffic->ranks, talking, most = groups_most(traffic, part, &talking);
    double pairs = groups_pairs(part, traffic->ranks), density = pairs / (ranks * (ranks - 1) / 2);
    int is_everything = part->kind == RECOGNIZED_GROUPS && part->group == traffic->ranks;
    if (most < RECOGNIZE_LEAST_SHARE * traffic->total || talking < RECOGNIZE_NEARLY_ALL * pairs)
        return;
    if (!is_everything && (most < RECOGNIZE_LEAST_LIFT * density * traffic->unexplained ||
                           most / traffic->total - density <= traffic->best_score))
        return;
    if (traffic_may_try(traffic))
        traffic_offer(traffic, part);
}

/* Groups of so many ranks. Those of 2 are all the same, rings of 3 are all with all, rings in one
 * group of all are grids. A hypercube of two dimensions is a ring in another order. */
static void groups_offer(struct traffic *traffic, int32_t group, int32_t stride)
{
    for (enum recognized_kind kind = RECOGNIZED_GROUPS; kind <= RECOGNIZED_RINGS; kind++) {
        struct recognized_part part = {.kind = kind, .group = group, .stride = stride};
        if ((kind == RECOGNIZED_CUBES && (group < 4 || (group & (group - 1)))) ||
            (kind == RECOGNIZED_CHAINS && (group < 3 || group == traffic->ranks)) ||
            (kind == RECOGNIZED_RINGS && (group < 4 || group == traffic->ranks)))
            continue;
        groups_offer_part(traffic, &part);
    }
}

/* Returns 1 if at least every second pair at the distance of the stride talks, as in all patterns
 * within groups. */
static int groups_may_be(const struct traffic *traffic, int32_t stride)
{
    return traffic->ranks % stride == 0 &&
           traffic->count_at[stride] >= RECOGNIZE_NEARLY_ALL * traffic->ranks / 2;
}

/* The largest groups first: they are the best more often, and then others need no closer look. */
static void groups_search(struct traffic *traffic)
{
    traffic_begin(traffic);
    for (int32_t stride = 1; stride <= traffic->ranks / 2; stride++) {
        if (!groups_may_be(traffic, stride))
            continue;
        for (int32_t groups = 1; groups <= traffic->ranks / stride / 2; groups++)
            if (traffic->ranks / stride % groups == 0)
                groups_offer(traffic, traffic->ranks / stride / groups, stride);
    }
}

void numbered_groups_search_large(struct traffic *traffic)
{
    traffic_begin(traffic);
    for (int32_t stride = 1; stride <= traffic->ranks / 4; stride++) {
        if (!groups_may_be(traffic, stride))
            continue;
        for (int32_t groups = 1; groups <= traffic->ranks / stride / 4; groups++) {
            struct recognized_part part = {.kind = RECOGNIZED_GROUPS,
                                           .group = traffic->ranks / stride / groups,
                                           .stride = stride};
            if (traffic->ranks / stride % groups == 0 && part.group < traffic->ranks)
                groups_offer_part(traffic, &part);
        }
    }
}

/* ---- Transpositions ---- */

static int transposition_has(const struct recognized_part *part, int32_t a, int32_t b)
{
    int32_t p = a / part->unit, q = b / part->unit, side = part->side;
    return a % part->unit == b % part->unit && p != q && p / side == q % side &&
           p % side == q / side;
}

static void transposition_search(struct traffic *traffic)
{
    for (int32_t side = 2; side <= traffic->ranks / side; side++) {
        struct recognized_part part = {
            .kind = RECOGNIZED_TRANSPOSITION, .side = side, .unit = traffic->ranks / side / side};
        if (traffic->ranks % side == 0 && traffic->ranks / side % side == 0 && part.unit <= 2)
            traffic_offer(traffic, &part);
    }
}

/* ---- Powers of two ---- */

static int powers_has_distance(int32_t distance, int32_t ranks)
{
    int32_t other = ranks - distance;
    return (distance & (distance - 1)) == 0 || (other & (other - 1)) == 0;
}

static double powers_pairs(int32_t ranks)
{
    double pairs = 0;
    for (int32_t distance = 1; distance < ranks; distance++)
        pairs += powers_has_distance(distance, ranks) ? ranks - distance : 0;
    return pairs;
}

static void powers_search(struct traffic *traffic)
{
    struct recognized_part part = {.kind = RECOGNIZED_POWERS, .ranks = traffic->ranks};
    double weight = 0;
    for (int32_t distance = 1; distance < traffic->ranks; distance++)
        weight += powers_has_distance(distance, traffic->ranks) ? traffic->weight_at[distance] : 0;
    if (weight >= RECOGNIZE_LEAST_SHARE * traffic->total)
        traffic_offer(traffic, &part);
}

/* ---- Trees and stars ---- */

static int tree_has(const struct recognized_part *part, int32_t a, int32_t b)
{
    int32_t parent = a < b ? a : b, child = a < b ? b : a;
    return parent == (part->arity ? (child - 1) / part->arity : child & (child - 1));
}

static void tree_search(struct traffic *traffic)
{
    for (int32_t arity = 0; arity <= 16; arity++) {
        struct recognized_part part = {.kind = RECOGNIZED_TREE, .arity = arity};
        if (arity != 1 && arity < traffic->ranks - 1)
            traffic_offer(traffic, &part);
    }
}

static void star_search(struct traffic *traffic)
{
    struct recognized_part part = {.kind = RECOGNIZED_STAR};
    /* All edges of a star are its center's, the heaviest one, too. */
    const struct traffic_edge *heaviest = NULL;
    for (size_t i = 0; i < traffic->count; i++)
        if (!traffic->edge[i].explained &&
            (!heaviest || traffic->edge[i].weight > heaviest->weight))
            heaviest = &traffic->edge[i];
    if (!heaviest)
        return;
    part.center = heaviest->a;
    traffic_offer(traffic, &part);
    part.center = heaviest->b;
    traffic_offer(traffic, &part);
}

/* ---- All of these ---- */

int numbered_groups_has(const struct recognized_part *part, int32_t a, int32_t b)
{
    switch (part->kind) {
    case RECOGNIZED_TRANSPOSITION:
        return transposition_has(part, a, b);
    case RECOGNIZED_POWERS:
        return powers_has_distance(a < b ? b - a : a - b, part->ranks);
    case RECOGNIZED_TREE:
        return tree_has(part, a, b);
    case RECOGNIZED_STAR:
        return a == part->center || b == part->center;
    default:
        return groups_has(part, a, b);
    }
}

double numbered_groups_pairs(const struct recognized_part *part, int32_t ranks)
{
    switch (part->kind) {
    case RECOGNIZED_TRANSPOSITION:
        return (double)part->unit * part->side * (part->side - 1) / 2;
    case RECOGNIZED_POWERS:
        return powers_pairs(ranks);
    case RECOGNIZED_TREE:
    case RECOGNIZED_STAR:
        return ranks - 1;
    default:
        return groups_pairs(part, ranks);
    }
}

void numbered_groups_search(struct traffic *traffic)
{
    groups_search(traffic);
    transposition_search(traffic);
    powers_search(traffic);
    tree_search(traffic);
    star_search(traffic);
}
