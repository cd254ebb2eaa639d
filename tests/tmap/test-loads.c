/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-loads.c - loads of links: by hand, against routes that are walked link by link, and their sum
 * against hops.
 */
#include "test.h"

#include <math.h>

enum { MOST = 64 };

static void assert_near(double is, double expected)
{
    if (fabs(is - expected) > 1e-9 * (1 + fabs(expected)))
        fail_msg("%.17g, not %.17g", is, expected);
}

/* ---- Routes, without the library ---- */

/* Loads of the network of one object, by both ends; `way` from the first to the second. */
struct table {
    double load[MOST][MOST], way[MOST][MOST];
};

static void table_add(struct table *table, int32_t a, int32_t b, double weight)
{
    table->load[a][b] += weight;
    table->load[b][a] = table->load[a][b];
    table->way[a][b] += weight;
}

/* One step after the other; to an opposite position upwards. */
static void walk_grid(struct table *table, const struct tmap_shape *shape, int32_t at, int32_t to,
                      double weight)
{
    int32_t stride = 1, here = 0, there = 0, extent = 1, first = shape->dimensions;
    for (int d = shape->dimensions - 1, s = 1; d >= 0; s *= shape->extent[d--])
        if (at / s % shape->extent[d] != to / s % shape->extent[d])
            first = d, stride = s;
    if (first == shape->dimensions)
        return;
    extent = shape->extent[first];
    here = at / stride % extent, there = to / stride % extent;
    int32_t up = (there - here + extent) % extent, down = extent - up;
    if (shape->kind == TMAP_SHAPE_MESH)
        up = there > here ? 0 : 1, down = 1 - up;
    for (int way = -1; way <= 1; way += 2) {
        double share = (up <= down) == (way > 0) ? weight : 0;
        int32_t next = at + ((here + way + extent) % extent - here) * stride;
        if (share > 0) {
            table_add(table, at, next, share);
            walk_grid(table, shape, next, to, share);
        }
    }
}

struct lengths {
    double length[MOST][MOST];
    int hops[MOST][MOST];
};

/* A link between groups counts as more than all others of a path. */
static double length_of(const struct tmap_shape *shape, const struct tmap_link *link)
{
    int is_between = shape->group && link->from / shape->group != link->to / shape->group;
    return link->length + (is_between ? 1000 : 0);
}

static void find_lengths(struct lengths *l, const struct tmap_shape *shape)
{
    int n = shape->positions;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            l->length[i][j] = i == j ? 0 : 1e9, l->hops[i][j] = i == j ? 0 : 1000;
    for (size_t i = 0; i < shape->links; i++) {
        const struct tmap_link *link = &shape->link[i];
        double length = length_of(shape, link);
        if (link->from == link->to || length >= l->length[link->from][link->to])
            continue;
        l->length[link->from][link->to] = l->length[link->to][link->from] = length;
        l->hops[link->from][link->to] = l->hops[link->to][link->from] = 1;
    }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double through = l->length[i][k] + l->length[k][j];
                int hops = l->hops[i][k] + l->hops[k][j];
                if (through < l->length[i][j] ||
                    (through == l->length[i][j] && hops < l->hops[i][j]))
                    l->length[i][j] = through, l->hops[i][j] = hops;
            }
}

static int leads_to(const struct lengths *l, const struct tmap_shape *shape, size_t i, int at,
                    int to, int *next)
{
    const struct tmap_link *link = &shape->link[i];
    *next = link->from == at ? link->to : link->from;
    return (link->from == at || link->to == at) && *next != at &&
           length_of(shape, link) + l->length[*next][to] == l->length[at][to] &&
           l->hops[*next][to] + 1 == l->hops[at][to];
}

static void walk_graph(struct table *table, const struct tmap_shape *shape, const struct lengths *l,
                       const int32_t ends[2], double weight)
{
    int ways = 0, next;
    for (size_t i = 0; i < shape->links; i++)
        ways += leads_to(l, shape, i, ends[0], ends[1], &next);
    for (size_t i = 0; i < shape->links && ends[0] != ends[1]; i++)
        if (leads_to(l, shape, i, ends[0], ends[1], &next)) {
            table_add(table, ends[0], next, weight / ways);
            walk_graph(table, shape, l, (const int32_t[2]){next, ends[1]}, weight / ways);
        }
}

/* ---- Loads as they should be ---- */

struct expected {
    double up[4096];          /* by object */
    struct table table[MOST]; /* by parent */
    struct lengths lengths;
};

/* sent[i]: from slot[i] to the other one. */
static void expect_pair(struct expected *e, const struct tmap_tree *tree, int level,
                        const int32_t slot[2], const double sent[2])
{
    const double weight = sent[0] + sent[1];
    struct tmap_shape shape = {.size = sizeof shape};
    int has_shape = tmap_tree_shape(tree, level, &shape) != TMAP_SHAPE_NONE;
    int meet = tmap_tree_common_level(tree, slot[0], slot[1]);
    if (meet > level)
        return;
    if (meet < level || !has_shape) {
        e->up[tmap_tree_ancestor(tree, slot[0], level + 1)] += weight;
        e->up[tmap_tree_ancestor(tree, slot[1], level + 1)] += weight;
        return;
    }
    struct table *table = &e->table[tmap_tree_ancestor(tree, slot[0], level)];
    int32_t at[2];
    for (int i = 0; i < 2; i++)
        at[i] = tmap_tree_position(tree, level + 1, tmap_tree_ancestor(tree, slot[i], level + 1));
    for (int i = 0; i < 2; i++) {
        const int32_t ends[2] = {at[i], at[!i]};
        if (shape.kind == TMAP_SHAPE_GRAPH)
            walk_graph(table, &shape, &e->lengths, ends, sent[i]);
        else
            walk_grid(table, &shape, ends[0], ends[1], sent[i]);
    }
}

static void expect_level(struct expected *e, const struct tmap_matrix *matrix,
                         const struct tmap_tree *tree, const int32_t *slot_of, int level)
{
    struct tmap_shape shape = {.size = sizeof shape};
    memset(e, 0, sizeof *e);
    if (tmap_tree_shape(tree, level, &shape) == TMAP_SHAPE_GRAPH)
        find_lengths(&e->lengths, &shape);
    for (int32_t role = 0; role < matrix->roles; role++) {
        struct tmap_row row = tmap_row_of(matrix, role);
        for (size_t i = 0; i < row.count; i++)
            if (row.partner[i] > role) {
                const double half = (double)row.weight[i] / 2;
                const double sent[2] = {
                    matrix->sent ? (double)tmap_matrix_sent(matrix, role, row.partner[i]) : half,
                    matrix->sent ? (double)tmap_matrix_sent(matrix, row.partner[i], role) : half};
                expect_pair(e, tree, level,
                            (const int32_t[2]){slot_of[role], slot_of[row.partner[i]]}, sent);
            }
    }
}

static int has_parallel_links; /* of which the table knows only the sum */

/* Compare the loads of a level with what is expected, and return their sum. */
static double compare_level(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                            const int32_t *slot_of, int level)
{
    static struct expected e;
    static struct table is[MOST];
    struct tmap_error error;
    struct tmap_loads *loads = NULL;
    struct tmap_link_load link;
    struct tmap_load_summary summary;
    double total = 0, busiest = 0, way = 0;
    expect_level(&e, matrix, tree, slot_of, level);
    memset(is, 0, sizeof is);
    assert_ok(tmap_loads_create(&loads, matrix, tree, slot_of, level, &error), &error);
    for (size_t at = 0; tmap_loads_next(loads, &at, &link);) {
        assert_true(link.load > 0);
        total += link.load;
        busiest = fmax(busiest, link.load);
        if (link.kind == TMAP_LINK_UP) {
            assert_near(link.load, e.up[link.from]);
            e.up[link.from] = 0;
            assert_int_equal(link.to, link.object);
        } else {
            table_add(&is[link.object], link.from, link.to, link.load);
        }
    }
    for (int32_t o = 0; o < tmap_tree_objects(tree, level + 1); o++)
        assert_near(0, e.up[o]);
    for (int o = 0; o < MOST; o++)
        for (int i = 0; i < MOST; i++)
            for (int j = 0; j < MOST; j++) {
                assert_near(is[o].load[i][j], e.table[o].load[i][j]);
                way = fmax(way, e.table[o].way[i][j]);
            }
    tmap_loads_sum_up(loads, &summary);
    if (!has_parallel_links)
        assert_near(summary.busiest_way, way);
    assert_near(summary.total, total);
    assert_near(summary.busiest, busiest);
    if (summary.links > 0)
        assert_near(summary.mean, total / (double)summary.links);
    tmap_loads_destroy(loads);
    return total;
}

static void loads_are_those_of_all_routes(void **state)
{
    (void)state;
    static const char *const trees[] = {"node:3 core:4",
                                        "torus:3x4 node:2 core:2",
                                        "torus:4x4",
                                        "torus:2x5x4",
                                        "mesh:5x5",
                                        "ring:6 core:2",
                                        "ring:2",
                                        "hypercube:4 core:2",
                                        "dragonfly:4x3",
                                        "node:2 ring:7 core:2",
                                        "ring:3 mesh:3x3",
                                        "torus:1x5",
                                        "switch:3 torus:4 core:3",
                                        "dragonfly:5x2 mesh:2x2"};
    struct tmap_random random;
    struct tmap_error error;
    tmap_random_init(&random, 5);
    for (int i = 0; i < rounds(140); i++) {
        struct tmap_tree *tree = make_tree(trees[i % 14]);
        int32_t slots = tmap_tree_slots(tree), slot_of[MOST];
        int32_t roles = i < 14 ? slots : 1 + (int32_t)tmap_random_below(&random, (uint32_t)slots);
        struct tmap_matrix *matrix = i / 14 % 2
                                         ? random_directed_matrix(&random, roles, 3 * roles, 20)
                                         : random_matrix(&random, roles, 3 * roles, 20);
        int32_t all[MOST];
        struct tmap_cost cost;
        double sum = 0;
        for (int32_t s = 0; s < slots; s++)
            all[s] = s;
        tmap_random_shuffle(&random, all, slots);
        memcpy(slot_of, all, sizeof all);
        for (int level = 0; level < tmap_tree_depth(tree); level++)
            sum += compare_level(matrix, tree, slot_of, level);
        assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
        assert_near(sum, (double)cost.hops);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

static struct tmap_tree *graph_tree(int32_t positions, int32_t group, const struct tmap_link *link,
                                    size_t links, int32_t used, const int32_t *position)
{
    struct tmap_error error;
    struct tmap_tree *flat = NULL, *tree = NULL;
    const struct tmap_shape shape = {.size = sizeof shape,
                                     .kind = TMAP_SHAPE_GRAPH,
                                     .positions = positions,
                                     .group = group,
                                     .links = links,
                                     .link = link};
    assert_ok(tmap_tree_create_uniform(&flat, 1, &used, NULL, &error), &error);
    assert_ok(tmap_tree_copy_with_shape(&tree, flat, 0, &shape, position, &error), &error);
    tmap_tree_destroy(flat);
    return tree;
}

/* Random graphs with parallel links, loops, lengths, groups and positions that nobody uses. */
static void loads_of_graphs_follow_all_shortest_paths(void **state)
{
    (void)state;
    struct tmap_random random;
    struct tmap_error error;
    tmap_random_init(&random, 6);
    for (int i = 0; i < rounds(60); i++) {
        struct tmap_link link[3 * MOST];
        int32_t n = 2 + (int32_t)tmap_random_below(&random, 14), used[MOST], slot_of[MOST];
        int32_t count = 0;
        size_t links = 0;
        for (int32_t p = 1; p < 3 * n; p++) {
            int32_t b = (int32_t)tmap_random_below(&random, (uint32_t)(p < n ? p : n));
            link[links++] =
                (struct tmap_link){p % n, b, i % 2 ? 2.5 : 1 + tmap_random_below(&random, 3)};
        }
        for (int32_t p = n - 1; p >= 0; p--)
            if (p < 2 || tmap_random_below(&random, 3))
                slot_of[count] = count, used[count++] = p;
        struct tmap_tree *tree =
            graph_tree(n, i % 4 == 1 && n % 3 == 0 ? 3 : 0, link, links, count, used);
        struct tmap_matrix *matrix = i % 2 ? random_directed_matrix(&random, count, 4 * count, 20)
                                           : random_matrix(&random, count, 4 * count, 20);
        struct tmap_cost cost;
        has_parallel_links = 1;
        assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
        assert_near(compare_level(matrix, tree, slot_of, 0), (double)cost.hops);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
    has_parallel_links = 0;
}

/* ---- By hand ---- */

struct hand {
    int32_t from, to;
    double load;
};

static void assert_loads(struct tmap_tree *tree, struct entries *entries, const struct hand *hand,
                         size_t count)
{
    struct tmap_error error;
    int32_t slots = tmap_tree_slots(tree), slot_of[MOST];
    struct tmap_matrix *matrix = make_matrix(slots, entries);
    struct tmap_loads *loads = NULL;
    struct tmap_link_load link;
    size_t at = 0, n = 0;
    for (int32_t s = 0; s < slots; s++)
        slot_of[s] = s;
    assert_ok(tmap_loads_create(&loads, matrix, tree, slot_of, 0, &error), &error);
    for (; tmap_loads_next(loads, &at, &link); n++) {
        size_t i = 0;
        while (i < count && (hand[i].from != link.from || hand[i].to != link.to ||
                             fabs(hand[i].load - link.load) > 1e-9))
            i++;
        if (i == count)
            fail_msg("%d - %d: %g", (int)link.from, (int)link.to, link.load);
    }
    assert_int_equal(n, count);
    tmap_loads_destroy(loads);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

/* (0,0) sends to (1,1) by (1,0), in full; the way back is by (0,1), and is taken by what is sent back. Without
 * directions half takes each. */
static void a_message_takes_the_route_from_its_source(void **state)
{
    (void)state;
    static const struct tmap_entry entry[] = {{0, 9, 12}, {9, 0, 4}};
    static const struct hand hand[3][4] = {
        {{0, 8, 12}, {8, 9, 12}},
        {{0, 8, 12}, {8, 9, 12}, {1, 9, 4}, {0, 1, 4}},
        {{0, 8, 8}, {8, 9, 8}, {1, 9, 8}, {0, 1, 8}},
    };
    static const double way[] = {12, 12, 8};
    int32_t slot_of[MOST];
    for (int32_t s = 0; s < MOST; s++)
        slot_of[s] = s;
    for (int i = 0; i < 3; i++) {
        struct tmap_tree *tree = make_tree("torus:8x8");
        struct tmap_matrix *matrix = NULL;
        struct tmap_loads *loads = NULL;
        struct tmap_load_summary summary;
        struct tmap_link_load link;
        struct tmap_error error;
        size_t n = 0, count = i ? 4 : 2;
        assert_ok((i < 2 ? tmap_matrix_create_directed : tmap_matrix_create)(&matrix, MOST, entry,
                                                                             i ? 2 : 1, &error),
                  &error);
        assert_ok(tmap_loads_create(&loads, matrix, tree, slot_of, 0, &error), &error);
        for (size_t at = 0; tmap_loads_next(loads, &at, &link); n++) {
            size_t k = 0;
            while (k < count && (hand[i][k].from != link.from || hand[i][k].to != link.to ||
                                 hand[i][k].load != link.load))
                k++;
            if (k == count)
                fail_msg("%d: %d - %d: %g", i, (int)link.from, (int)link.to, link.load);
        }
        assert_int_equal(n, count);
        tmap_loads_sum_up(loads, &summary);
        assert_true(summary.busiest_way == way[i]);
        tmap_loads_destroy(loads);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

/* On a ring of 6, 0 to 2 takes two links, 5 to 1 the two around the corner, 0 to 3 all: there and back upwards. */
static void a_ring_by_hand(void **state)
{
    (void)state;
    static const struct hand hand[] = {{0, 1, 8 + 20 + 1}, {1, 2, 8 + 1}, {2, 3, 1},
                                       {3, 4, 1},          {4, 5, 1},     {5, 0, 20 + 1}};
    struct entries entries = {NULL, 0, 0};
    add_entry(&entries, 0, 2, 8);
    add_entry(&entries, 5, 1, 20);
    add_entry(&entries, 0, 3, 2);
    assert_loads(make_tree("ring:6"), &entries, hand, 6);
}

/* The most that a matrix may hold, all around a ring. */
static void large_loads_do_not_overflow(void **state)
{
    (void)state;
    const double most = 0x1p62 - 0x1p52;
    const struct hand hand[] = {
        {0, 1, most / 2 + most / 4}, {1, 2, most / 4}, {2, 3, most / 4}, {3, 0, most / 4}};
    struct entries entries = {NULL, 0, 0};
    add_entry(&entries, 0, 1, (uint64_t)(most / 2));
    add_entry(&entries, 1, 3, (uint64_t)(most / 2));
    assert_loads(make_tree("ring:4"), &entries, hand, 4);
}

/* Between (0,0) and (1,1) of a torus of 3 x 3: one direction by (1,0), the other by (0,1). */
static void a_torus_by_hand(void **state)
{
    (void)state;
    static const struct hand hand[] = {{0, 3, 4}, {3, 4, 4}, {1, 4, 4}, {0, 1, 4 + 6}};
    struct entries entries = {NULL, 0, 0};
    add_entry(&entries, 0, 4, 5);
    add_entry(&entries, 4, 0, 3);
    add_entry(&entries, 0, 1, 6);
    assert_loads(make_tree("torus:3x3"), &entries, hand, 4);
}

/* 0 - 1 - 3 and 0 - 2 - 3, with two links from 2 to 3, and a longer one from 0 to 3. */
static void equal_paths_share_the_load(void **state)
{
    (void)state;
    static const struct tmap_link link[] = {{0, 1, 1}, {1, 3, 1}, {0, 2, 1},
                                            {2, 3, 1}, {3, 2, 1}, {0, 3, 3}};
    /* From 0 one half each way; from 3 two of three links lead to 2. */
    static const struct hand hand[] = {
        {0, 1, 3 + 2}, {1, 3, 3 + 2}, {0, 2, 3 + 4}, {2, 3, 1.5 + 2}, {3, 2, 1.5 + 2}};
    static const int32_t used[] = {0, 3};
    struct entries entries = {NULL, 0, 0};
    add_entry(&entries, 0, 1, 12);
    assert_loads(graph_tree(4, 0, link, 6, 2, used), &entries, hand, 5);
}

/* A link so short that rounding makes it 0 in the sum of a path: found paths stay what they are. */
static void links_without_length_do_no_harm(void **state)
{
    (void)state;
    static const struct tmap_link link[] = {{0, 1, 1e8},  {1, 2, 1e8}, {2, 3, 1e8}, {0, 4, 3e8},
                                            {3, 4, 1e-9}, {3, 5, 1e8}, {4, 5, 1e8}};
    static const int32_t used[] = {0, 5};
    struct tmap_error error;
    struct entries entries = {NULL, 0, 0};
    add_entry(&entries, 0, 1, 4);
    static const int32_t slot_of[] = {0, 1};
    struct tmap_tree *tree = graph_tree(6, 0, link, 7, 2, used);
    struct tmap_matrix *matrix = make_matrix(2, &entries);
    struct tmap_loads *loads = NULL;
    struct tmap_load_summary summary;
    struct tmap_cost cost;
    assert_ok(tmap_mapping_evaluate(matrix, tree, slot_of, &cost, &error), &error);
    assert_ok(tmap_loads_create(&loads, matrix, tree, slot_of, 0, &error), &error);
    tmap_loads_sum_up(loads, &summary);
    assert_near(summary.total, (double)cost.hops);
    tmap_loads_destroy(loads);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

/* Trees of a billion slots: memory follows the roles. */
static void loads_of_wide_trees_follow_the_roles(void **state)
{
    (void)state;
    static const int32_t slot_of[] = {0, 1, 1999999999};
    struct tmap_error error;
    struct entries entries = {NULL, 0, 0};
    struct tmap_tree *tree = make_tree("1000000000 2");
    struct tmap_loads *loads = NULL;
    struct tmap_load_summary summary;
    add_entry(&entries, 0, 1, 5);
    add_entry(&entries, 2, 1, 7);
    struct tmap_matrix *matrix = make_matrix(3, &entries);
    assert_ok(tmap_loads_create(&loads, matrix, tree, slot_of, 0, &error), &error);
    tmap_loads_sum_up(loads, &summary);
    assert_near(summary.total, 14);
    assert_near(summary.busiest, 7);
    assert_int_equal(summary.links, 1000000000);
    tmap_loads_destroy(loads);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    static const int32_t good[] = {0, 1}, bad[] = {0, 4};
    struct tmap_error error;
    struct entries entries = {NULL, 0, 0};
    struct tmap_tree *tree = make_tree("ring:4");
    struct tmap_matrix *matrix = make_matrix(2, &entries);
    struct tmap_loads *loads = NULL;
    struct tmap_link_load link;
    struct tmap_load_summary summary;
    size_t at = 0;
    assert_int_equal(tmap_loads_create(&loads, matrix, tree, good, 1, &error), TMAP_EINVAL);
    assert_int_equal(tmap_loads_create(&loads, matrix, tree, good, -1, &error), TMAP_EINVAL);
    assert_int_equal(tmap_loads_create(&loads, matrix, tree, bad, 0, &error), TMAP_EINVAL);
    assert_null(loads);
    assert_ok(tmap_loads_create(&loads, matrix, tree, good, 0, &error), &error);
    assert_int_equal(tmap_loads_next(loads, &at, &link), 0);
    tmap_loads_sum_up(loads, &summary);
    assert_int_equal(summary.links, 4);
    assert_near(summary.mean, 0);
    tmap_loads_destroy(loads);
    tmap_loads_destroy(NULL);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_are_those_of_all_routes),
        cmocka_unit_test(loads_of_graphs_follow_all_shortest_paths),
        cmocka_unit_test(a_message_takes_the_route_from_its_source),
        cmocka_unit_test(a_ring_by_hand),
        cmocka_unit_test(large_loads_do_not_overflow),
        cmocka_unit_test(a_torus_by_hand),
        cmocka_unit_test(equal_paths_share_the_load),
        cmocka_unit_test(links_without_length_do_no_harm),
        cmocka_unit_test(loads_of_wide_trees_follow_the_roles),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
