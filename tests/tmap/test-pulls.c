/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-pulls.c - bisections of graphs whose vertices are pulled to a side: compared with all
 * bisections of small graphs, and where the best one is known.
 */
#include "test.h"
#include "treematch/multilevel/bisect.h"

/* The numbers of multilevel.c for large jobs, by effort. */
static const struct tmap_bisection efforts[] = {
    {.repeats = 1, .tries = 2, .passes = 2, .patience = 30},
    {.repeats = 4, .tries = 4, .passes = 4, .patience = 100, .cycles = 1},
    {.repeats = 8, .tries = 8, .passes = 8, .patience = 300, .cycles = 3},
};
enum { FAST, DEFAULT, STRONG, EFFORTS };

/* A matrix as a graph with room for pulls, all 0. */
struct pulled {
    struct tmap_matrix *matrix;
    struct tmap_graph graph;
    int64_t *pull;
    unsigned char *side;
};

static struct pulled make_pulled(struct tmap_matrix *matrix)
{
    struct pulled p = {.matrix = matrix};
    p.pull = calloc((size_t)matrix->roles, sizeof *p.pull);
    p.side = calloc((size_t)matrix->roles, 1);
    assert_non_null(p.pull);
    assert_non_null(p.side);
    p.graph = (struct tmap_graph){.n = matrix->roles,
                                  .start = matrix->start,
                                  .target = matrix->partner,
                                  .weight = matrix->weight,
                                  .largest = 1,
                                  .pull = p.pull};
    return p;
}

static void free_pulled(struct pulled *p)
{
    tmap_matrix_destroy(p->matrix);
    free(p->pull);
    free(p->side);
}

/* The definition. */
static int64_t cut_of(const struct tmap_graph *graph, const unsigned char *side)
{
    int64_t cut = 0;
    for (int32_t v = 0; v < graph->n; v++) {
        for (size_t e = graph->start[v]; e < graph->start[v + 1]; e++) {
            if (graph->target[e] > v && side[graph->target[e]] != side[v])
                cut += (int64_t)graph->weight[e];
        }
        if (side[v] == 1 && graph->pull[v] > 0)
            cut += graph->pull[v];
        if (side[v] == 0 && graph->pull[v] < 0)
            cut -= graph->pull[v];
    }
    return cut;
}

/* Bisect, check the size, return the cut. */
static int64_t bisect(struct pulled *p, struct tmap_bounds bounds, int effort, uint64_t seed)
{
    struct tmap_arena arena = {NULL, NULL, 0};
    struct tmap_random random;
    struct tmap_bisection bisection = efforts[effort];
    int64_t size = 0;
    tmap_random_init(&random, seed);
    bisection.arena = &arena;
    bisection.random = &random;
    assert_int_equal(tmap_bisect(&bisection, &p->graph, bounds, p->side), TMAP_OK);
    tmap_arena_fini(&arena);
    for (int32_t v = 0; v < p->graph.n; v++)
        size += p->side[v] == 0;
    if (size < bounds.low || size > bounds.high)
        fail_msg("%lld of %d on side 0, not %lld .. %lld", (long long)size, (int)p->graph.n,
                 (long long)bounds.low, (long long)bounds.high);
    return cut_of(&p->graph, p->side);
}

/* Random pulls: some of the vertices, up to `most` to either side. */
static void pull_at_random(struct pulled *p, struct tmap_random *random, uint32_t most)
{
    uint32_t sparse = 1 + tmap_random_below(random, 4);
    for (int32_t v = 0; v < p->graph.n; v++) {
        if (tmap_random_below(random, sparse) == 0)
            p->pull[v] = (int64_t)tmap_random_below(random, 2 * most + 1) - (int64_t)most;
    }
}

/* ---- The parts ---- */

static void refinement_knows_the_cut_and_never_raises_it(void **state)
{
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 5);
    for (int round = 0; round < rounds(200); round++) {
        int32_t n = 1 + (int32_t)tmap_random_below(&random, 100);
        struct pulled p = make_pulled(random_matrix(&random, n, round % 4 * n, 8));
        struct tmap_arena arena = {NULL, NULL, 0};
        struct tmap_bisection bisection = efforts[round % EFFORTS];
        int64_t size = 0, cut = -1;
        pull_at_random(&p, &random, 1 + tmap_random_below(&random, 1000));
        for (int32_t v = 0; v < n; v++) {
            p.side[v] = (unsigned char)tmap_random_below(&random, 2);
            size += p.side[v] == 0;
        }
        int64_t before = cut_of(&p.graph, p.side);
        bisection.arena = &arena;
        bisection.random = &random;
        assert_int_equal(
            tmap_refine(&bisection, &p.graph, (struct tmap_bounds){size, size}, p.side, &cut),
            TMAP_OK);
        assert_int_equal(cut, cut_of(&p.graph, p.side));
        assert_true(cut <= before);
        tmap_arena_fini(&arena);
        free_pulled(&p);
    }
}

/* Merged vertices have the sum of the pulls, so that cuts differ by what cancels out, whatever the
 * sides. */
static void coarsening_keeps_the_differences_of_cuts(void **state)
{
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 6);
    for (int round = 0; round < rounds(100); round++) {
        int32_t n = 2 + (int32_t)tmap_random_below(&random, 100), coarse_of[102];
        struct pulled p = make_pulled(random_matrix(&random, n, round % 4 * n, 8));
        struct tmap_arena arena = {NULL, NULL, 0};
        struct tmap_bisection bisection = {.arena = &arena, .random = &random, .limit = 4};
        struct tmap_graph coarser;
        int64_t lost = 0;
        pull_at_random(&p, &random, 300);
        assert_int_equal(tmap_coarsen(&bisection, &p.graph, NULL, &coarser, coarse_of), TMAP_OK);
        for (int i = 0; i < 5; i++) {
            unsigned char coarse_side[102];
            for (int32_t v = 0; v < coarser.n; v++)
                coarse_side[v] = (unsigned char)tmap_random_below(&random, 2);
            for (int32_t v = 0; v < n; v++)
                p.side[v] = coarse_side[coarse_of[v]];
            int64_t differs = cut_of(&p.graph, p.side) - cut_of(&coarser, coarse_side);
            assert_true(i == 0 || differs == lost);
            lost = differs;
        }
        assert_true(lost >= 0);
        tmap_arena_fini(&arena);
        free_pulled(&p);
    }
}

/* ---- The whole ---- */

/* The smallest cut of all bisections within the bounds. */
static int64_t smallest_cut(const struct pulled *p, struct tmap_bounds bounds)
{
    int64_t best = INT64_MAX;
    for (uint32_t set = 0; set < UINT32_C(1) << p->graph.n; set++) {
        unsigned char side[14];
        int64_t size = __builtin_popcount(set);
        if (size < bounds.low || size > bounds.high)
            continue;
        for (int32_t v = 0; v < p->graph.n; v++)
            side[v] = !(set >> v & 1);
        int64_t cut = cut_of(&p->graph, side);
        best = cut < best ? cut : best;
    }
    return best;
}

/* 99 of 100 are bisected optimally, and none has a cut of more than twice the optimum (of 4,000
 * graphs, 3,992 were, and the worst had 1.7 times). */
static void small_graphs_are_bisected_as_well_as_can_be(void **state)
{
    struct tmap_random random;
    int optimal = 0, all = rounds(400);
    (void)state;
    tmap_random_init(&random, 1);
    for (int round = 0; round < all; round++) {
        int32_t n = 2 + (int32_t)tmap_random_below(&random, 13);
        struct pulled p = make_pulled(random_matrix(&random, n, 1 + round % 3 * n, 6));
        static const uint32_t most[] = {3, 30, 100, 1000};
        pull_at_random(&p, &random, most[round % 4]);
        int64_t low = tmap_random_below(&random, (uint32_t)n + 1);
        int64_t high = round % 2 ? low : low + tmap_random_below(&random, (uint32_t)(n - low) + 1);
        struct tmap_bounds bounds = {low, high};
        int64_t best = smallest_cut(&p, bounds);
        int64_t cut = bisect(&p, bounds, STRONG, (uint64_t)round);
        if (cut < best || cut > 2 * best)
            fail_msg("round %d: cut %lld, the best is %lld", round, (long long)cut,
                     (long long)best);
        optimal += cut == best;
        free_pulled(&p);
    }
    if (optimal < all - all / 100)
        fail_msg("%d of %d are optimal", optimal, all);
}

static struct pulled make_path(int32_t n, int closed)
{
    struct entries entries = {NULL, 0, 0};
    for (int32_t v = 0; v + 1 < n + closed; v++)
        add_entry(&entries, v, (v + 1) % n, 3);
    return make_pulled(make_matrix(n, &entries));
}

/* The pulls are weaker than an edge: they decide between cuts of as many edges only. */
static void the_ends_of_a_path_go_where_they_are_pulled(void **state)
{
    static const int32_t sizes[] = {4, 48, 49, 200, 1000};
    (void)state;
    for (int i = 0; i < 5 * 2 * EFFORTS; i++) {
        int32_t n = sizes[i % 5];
        int closed = i / 5 % 2, effort = i / 10;
        struct pulled p = make_path(n, closed);
        for (uint64_t seed = 0; seed < (uint64_t)rounds(20); seed++) {
            int32_t left = seed % 2 ? 0 : n / 2, right = seed % 2 ? n / 2 : 0;
            left += closed ? 0 : left / (n / 2) * (n - 1 - n / 2);
            right += closed ? 0 : right / (n / 2) * (n - 1 - n / 2);
            p.pull[left] = 1 + (int64_t)seed % 3;
            p.pull[right] = -1;
            int64_t cut = bisect(&p, (struct tmap_bounds){n / 2, n / 2}, effort, seed);
            if (cut != 3 * (1 + closed))
                fail_msg("%s of %d, effort %d, seed %d: cut %lld", closed ? "ring" : "path", (int)n,
                         effort, (int)seed, (long long)cut);
            assert_true(p.side[left] == 0 && p.side[right] == 1);
        }
        free_pulled(&p);
    }
}

/* If pulls differ by more than all edges together, side 0 gets the vertices that are pulled there
 * most. */
static void strong_pulls_decide_each_vertex(void **state)
{
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 3);
    for (int round = 0; round < rounds(120); round++) {
        int32_t n = 2 + (int32_t)tmap_random_below(&random, round % 2 ? 40 : 400), rank[402];
        struct pulled p = make_pulled(random_matrix(&random, n, 3 * n, 8));
        int64_t size = tmap_random_below(&random, (uint32_t)n + 1);
        int64_t zero = tmap_random_below(&random, (uint32_t)n + 1);
        for (int32_t v = 0; v < n; v++)
            rank[v] = v;
        tmap_random_shuffle(&random, rank, n);
        for (int32_t v = 0; v < n; v++)
            p.pull[v] = (zero - rank[v]) * (int64_t)(p.matrix->total + 1);
        bisect(&p, (struct tmap_bounds){size, size}, round % EFFORTS, (uint64_t)round);
        for (int32_t v = 0; v < n; v++) {
            if (p.side[v] != (rank[v] >= size))
                fail_msg("round %d: vertex %d of %d, place %d, is on side %d of size %lld", round,
                         (int)v, (int)n, (int)rank[v], p.side[v], (long long)size);
        }
        free_pulled(&p);
    }
}

/* Without pulls, a square grid has two cuts between rows or columns, each in two orientations. */
static void pulls_choose_between_the_cuts_of_a_grid(void **state)
{
    enum { WIDTH = 8, N = WIDTH * WIDTH };
    struct entries entries = {NULL, 0, 0};
    (void)state;
    for (int32_t v = 0; v < N; v++) {
        if (v % WIDTH < WIDTH - 1)
            add_entry(&entries, v, v + 1, 10);
        if (v + WIDTH < N)
            add_entry(&entries, v, v + WIDTH, 10);
    }
    struct pulled p = make_pulled(make_matrix(N, &entries));
    for (int i = 0; i < rounds(20) * 4; i++) {
        int by_rows = i % 2, reversed = i / 2 % 2;
        for (int32_t v = 0; v < N; v++) {
            int32_t at = by_rows ? v / WIDTH : v % WIDTH;
            p.pull[v] = at == 0 ? 2 : at == WIDTH - 1 ? -2 : 0;
            p.pull[v] = reversed ? -p.pull[v] : p.pull[v];
        }
        int64_t cut = bisect(&p, (struct tmap_bounds){N / 2, N / 2}, DEFAULT, (uint64_t)i);
        if (cut != 10 * WIDTH)
            fail_msg("rows %d, reversed %d: cut %lld", by_rows, reversed, (long long)cut);
        for (int32_t v = 0; v < N; v++) {
            int32_t at = by_rows ? v / WIDTH : v % WIDTH;
            assert_int_equal(p.side[v], (at >= WIDTH / 2) != reversed);
        }
    }
    free_pulled(&p);
}

/* All weights and pulls together just fit (the sanitizers would report an overflow). */
static void the_largest_pulls_do_not_overflow(void **state)
{
    enum { N = 60 };
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 4);
    for (int effort = 0; effort < EFFORTS; effort++) {
        struct pulled p = make_pulled(random_matrix(&random, N, 3 * N, 8));
        int64_t each = ((INT64_C(1) << 62) - 1 - (int64_t)p.matrix->total) / N;
        for (int32_t v = 0; v < N; v++)
            p.pull[v] = v % 3 ? each : -each;
        int64_t cut = bisect(&p, (struct tmap_bounds){N / 2, N / 2}, effort, 1);
        assert_true(cut / each == N / 6);
        for (int32_t v = 0; v < N; v++)
            assert_true(v % 3 || p.side[v] == 1);
        free_pulled(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refinement_knows_the_cut_and_never_raises_it),
        cmocka_unit_test(coarsening_keeps_the_differences_of_cuts),
        cmocka_unit_test(small_graphs_are_bisected_as_well_as_can_be),
        cmocka_unit_test(the_ends_of_a_path_go_where_they_are_pulled),
        cmocka_unit_test(strong_pulls_decide_each_vertex),
        cmocka_unit_test(pulls_choose_between_the_cuts_of_a_grid),
        cmocka_unit_test(the_largest_pulls_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
