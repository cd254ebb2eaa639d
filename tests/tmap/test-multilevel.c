/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-multilevel.c - the method `multilevel` and its parts: exact sizes, planted hierarchies of
 * any arity, exact optima of small problems, no dependence on the numbering of roles.
 */
#include "generate/generate.h"
#include "test.h"
#include "treematch/improve/local-search.h"
#include "treematch/multilevel/division.h"

static double map_cost(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                       const char *method, enum tmap_effort effort)
{
    struct tmap_options options = {.size = sizeof options, .method = method, .effort = effort};
    struct tmap_error error;
    int32_t *slot_of = malloc(sizeof *slot_of * (size_t)(matrix->roles + 1));
    assert_non_null(slot_of);
    assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
    double cost = mapping_cost(matrix, tree, slot_of);
    free(slot_of);
    return cost;
}

/* ---- Parts ---- */

static void an_arena_gives_and_takes_back(void **state)
{
    struct tmap_arena arena = {NULL, NULL, 0};
    (void)state;
    char *first = tmap_arena_take(&arena, 100, 1);
    struct tmap_mark mark = tmap_arena_mark(&arena);
    memset(tmap_arena_take(&arena, 1000000, 1), 1, 1000000);
    memset(tmap_arena_take(&arena, 10, 8), 2, 80);
    assert_non_null(tmap_arena_take(&arena, 0, 8));
    tmap_arena_release(&arena, mark);
    char *again = tmap_arena_take(&arena, 50, 1);
    assert_true(again == first + 112);
    assert_null(tmap_arena_take(&arena, SIZE_MAX, 8));
    assert_int_equal((uintptr_t)tmap_arena_take(&arena, 3, 1) % 16, 0);
    tmap_arena_fini(&arena);
}

/* Of what is kept every second block; what is in use stays as it is. */
static void an_arena_shares_what_it_keeps(void **state)
{
    enum { BLOCKS = 6, SIZE = 1 << 18 };
    (void)state;
    for (int used = 0; used <= BLOCKS; used++) {
        struct tmap_arena arena = {NULL, NULL, 0}, other = {NULL, NULL, 0};
        struct tmap_mark mark = tmap_arena_mark(&arena);
        char *block[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            block[i] = tmap_arena_take(&arena, SIZE, 1);
            memset(block[i], i, SIZE);
            if (i + 1 == used)
                mark = tmap_arena_mark(&arena);
        }
        tmap_arena_release(&arena, mark);
        tmap_arena_share(&arena, &other);
        for (int i = used; i < BLOCKS; i++) {
            char *taken = tmap_arena_take((i - used) % 2 ? &other : &arena, SIZE, 1);
            if (taken != block[i])
                fail_msg("with %d blocks in use, block %d is not where it should be", used, i);
            memset(taken, 'x', SIZE);
        }
        for (int i = 0; i < used; i++)
            assert_true(block[i][0] == i && block[i][SIZE - 1] == i);
        tmap_arena_fini(&arena);
        tmap_arena_fini(&other);
    }
}

static void a_heap_gives_the_largest_key_first(void **state)
{
    enum { N = 200, APPENDED = 120 };
    struct tmap_heap_entry entry[N];
    int32_t place[N];
    int64_t key[N];
    struct tmap_heap heap = {0, entry, place, key};
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 1);
    memset(place, 0xff, sizeof place);
    for (int32_t v = 0; v < N; v++)
        key[v] = tmap_random_below(&random, 50);
    for (int32_t v = 0; v < APPENDED; v++)
        tmap_heap_append(&heap, v);
    tmap_heap_arrange(&heap);
    for (int32_t v = APPENDED; v < N; v++)
        tmap_heap_add(&heap, v);
    for (int32_t v = 1; v < N; v += 3)
        tmap_heap_set(&heap, v, tmap_random_below(&random, 50));
    for (int32_t v = 2; v < N; v += 7)
        tmap_heap_remove(&heap, v);
    for (int32_t last = -1; heap.count > 0;) {
        int32_t top = tmap_heap_top(&heap);
        assert_true(last < 0 || key[top] < key[last] || (key[top] == key[last] && top > last));
        assert_true(top % 7 != 2);
        tmap_heap_remove(&heap, top);
        last = top;
    }
}

static struct tmap_graph graph_of(const struct tmap_matrix *matrix)
{
    return (struct tmap_graph){.n = matrix->roles,
                               .start = matrix->start,
                               .target = matrix->partner,
                               .weight = matrix->weight,
                               .largest = 1};
}

static void bisections_have_the_size_that_was_asked_for(void **state)
{
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 1);
    for (int round = 0; round < rounds(200); round++) {
        int32_t n = 2 + (int32_t)tmap_random_below(&random, 400);
        struct tmap_matrix *matrix = random_matrix(&random, n, round % 5 * n, 8);
        struct tmap_graph graph = graph_of(matrix);
        struct tmap_arena arena = {NULL, NULL, 0};
        struct tmap_bisection bisection = {.arena = &arena,
                                           .random = &random,
                                           .repeats = 2,
                                           .tries = 2,
                                           .passes = 3,
                                           .patience = 30,
                                           .cycles = 1};
        unsigned char *side = malloc((size_t)n);
        int64_t low = tmap_random_below(&random, (uint32_t)n + 1);
        int64_t high = round % 2 ? low : low + tmap_random_below(&random, (uint32_t)(n - low) + 1);
        struct tmap_bounds bounds = {low, high};
        int64_t size = 0;
        assert_int_equal(tmap_bisect(&bisection, &graph, bounds, side), TMAP_OK);
        for (int32_t v = 0; v < n; v++)
            size += side[v] == 0;
        if (size < low || size > high)
            fail_msg("round %d: %lld of %d, not in %lld .. %lld", round, (long long)size, (int)n,
                     (long long)low, (long long)high);
        free(side);
        tmap_arena_fini(&arena);
        tmap_matrix_destroy(matrix);
    }
}

/* The random numbers that are used for a graph of 120 vertices: two complete ones, or a ring. */
static struct tmap_random after_bisecting(int is_ring, int repeats)
{
    enum { N = 120 };
    struct entries entries = {NULL, 0, 0};
    unsigned char side[N];
    struct tmap_arena arena = {NULL, NULL, 0};
    struct tmap_random random;
    const struct tmap_bisection bisection = {.arena = &arena,
                                             .random = &random,
                                             .repeats = repeats,
                                             .tries = 2,
                                             .passes = 3,
                                             .patience = 30};
    for (int32_t a = 0; a < N; a++)
        for (int32_t b = a + 1; b < N; b++)
            if (is_ring ? b - a == 1 || b - a == N - 1 : a % 2 == b % 2)
                add_entry(&entries, a, b, 1);
    struct tmap_matrix *matrix = make_matrix(N, &entries);
    const struct tmap_graph graph = graph_of(matrix);
    tmap_random_init(&random, 9);
    assert_int_equal(tmap_bisect(&bisection, &graph, (struct tmap_bounds){N / 2, N / 2}, side),
                     TMAP_OK);
    for (int32_t v = 0; v < N && !is_ring; v++)
        assert_true(side[v] == side[v % 2]);
    tmap_arena_fini(&arena);
    tmap_matrix_destroy(matrix);
    return random;
}

static void a_bisection_that_cuts_nothing_is_not_repeated(void **state)
{
    (void)state;
    for (int is_ring = 0; is_ring < 2; is_ring++) {
        struct tmap_random once = after_bisecting(is_ring, 1);
        struct tmap_random nine_times = after_bisecting(is_ring, 9);
        assert_int_equal(tmap_random_next(&once) != tmap_random_next(&nine_times), is_ring);
    }
}

/* What the cut loses if `vertex` changes sides; *border: it has a partner on the other one. */
static int64_t gain_of_move(const struct tmap_graph *graph, const unsigned char *side,
                            int32_t vertex, int *border)
{
    int64_t gain = 0;
    *border = 0;
    for (size_t e = graph->start[vertex]; e < graph->start[vertex + 1]; e++) {
        int crosses = side[graph->target[e]] != side[vertex];
        *border |= crosses;
        gain += crosses ? (int64_t)graph->weight[e] : -(int64_t)graph->weight[e];
    }
    return gain;
}

/* The vertex at the border, of `from` or (-1) of either side, that has the largest gain, which is added to
 * *sum. */
static int32_t best_move(const struct tmap_graph *graph, const unsigned char *side, int from,
                         int64_t *sum)
{
    int32_t best = -1;
    int64_t largest = INT64_MIN;
    int border;
    for (int s = 0; s < 2; s++)
        for (int32_t v = 0; v < graph->n; v++) {
            int64_t gain = gain_of_move(graph, side, v, &border);
            if (side[v] != s || (from >= 0 && from != s) || !border || gain <= largest)
                continue;
            largest = gain;
            best = v;
        }
    *sum += best >= 0 ? largest : 0;
    return best;
}

/* The last pass found nothing: so its first two moves, which this makes again, gain nothing. Small and
 * large graphs look for them in different ways. */
static void refinement_ends_where_no_exchange_gains(void **state)
{
    static const int32_t sizes[] = {2, 3, 10, 48, 97, 256, 258, 400};
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 5);
    for (int round = 0; round < rounds(160); round++) {
        int32_t n = sizes[round % 8];
        struct tmap_matrix *matrix = random_matrix(&random, n, 3 * n, 1 + (uint32_t)round % 9);
        struct tmap_graph graph = graph_of(matrix);
        struct tmap_arena arena = {NULL, NULL, 0};
        const struct tmap_bisection bisection = {.arena = &arena, .passes = 1000, .patience = n};
        unsigned char side[400];
        int64_t cut, sum = 0, again = 0;
        for (int32_t v = 0; v < n; v++)
            side[v] = v % 2 != 0;
        assert_int_equal(
            tmap_refine(&bisection, &graph, (struct tmap_bounds){n - n / 2, n - n / 2}, side, &cut),
            TMAP_OK);
        for (int32_t v = 0; v < n; v++)
            for (size_t e = graph.start[v]; e < graph.start[v + 1]; e++)
                again += side[v] < side[graph.target[e]] ? (int64_t)graph.weight[e] : 0;
        assert_int_equal(again, cut);
        int32_t first = best_move(&graph, side, -1, &sum);
        if (first >= 0)
            side[first] ^= 1;
        if (first >= 0 && best_move(&graph, side, side[first], &sum) >= 0 && sum > 0)
            fail_msg("round %d, %d vertices, cut %lld: an exchange gains %lld", round, (int)n,
                     (long long)cut, (long long)sum);
        tmap_arena_fini(&arena);
        tmap_matrix_destroy(matrix);
    }
}

/* A ring of 64 has a bisection of 2; a 16 x 16 grid one of 16. */
static void known_bisections_are_found(void **state)
{
    static const struct {
        const char *pattern;
        int32_t roles;
        double best;
    } cases[] = {{"stencil2d5-shuffled", 256, 16 * 2000},
                 {"stencil3d7-shuffled", 512, 64 * 2000},
                 {"hypercube-shuffled", 256, 128 * 200}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tmap_matrix *matrix = generate_matrix(cases[i].pattern, cases[i].roles, 3);
        char text[64];
        static const double costs[2] = {1, 0};
        struct tmap_tree *tree = NULL;
        snprintf(text, sizeof text, "2 %d", (int)cases[i].roles / 2);
        struct tmap_tree *hops = make_tree(text);
        assert_int_equal(tmap_tree_copy_with_costs(&tree, hops, costs, 2, NULL), TMAP_OK);
        double cost = map_cost(matrix, tree, "multilevel", TMAP_EFFORT_DEFAULT);
        if (cost > cases[i].best)
            fail_msg("%s: cut %.0f, the best is %.0f", cases[i].pattern, cost, cases[i].best);
        tmap_tree_destroy(hops);
        tmap_tree_destroy(tree);
        tmap_matrix_destroy(matrix);
    }
}

static void exchanges_never_make_a_mapping_dearer(void **state)
{
    struct tmap_random random;
    struct tmap_error error;
    (void)state;
    tmap_random_init(&random, 1);
    for (int round = 0; round < rounds(200); round++) {
        struct tmap_tree *tree = random_tree(&random, 1 + round % 4, 5, 1 + round % 3);
        int32_t roles = (int32_t)tmap_random_below(&random, 1 + (uint32_t)tmap_tree_capacity(tree));
        struct tmap_matrix *matrix = random_matrix(&random, roles, 3 * roles, 10);
        struct tmap_options options = {.size = sizeof options,
                                       .method = "random",
                                       .effort = TMAP_EFFORT_DEFAULT,
                                       .seed = (uint64_t)round};
        struct tmap_swaps swaps = {8, 16, 50, NULL, 0, 0};
        int32_t *slot_of = malloc(sizeof *slot_of * ((size_t)roles + 1));
        char *fixed = calloc((size_t)roles + 1, 1);
        int32_t first = -1;
        assert_ok(tmap_mapping_find(matrix, tree, &options, slot_of, &error), &error);
        double before = mapping_cost(matrix, tree, slot_of);
        if (roles > 0 && round % 2) {
            swaps.fixed = fixed;
            fixed[0] = 1;
            first = slot_of[0];
        }
        assert_int_equal(tmap_improve(matrix, tree, &swaps, slot_of), TMAP_OK);
        assert_true(tmap_mapping_is_valid(tree, roles, slot_of));
        assert_true(mapping_cost(matrix, tree, slot_of) <= before);
        assert_true(first < 0 || slot_of[0] == first);
        free(slot_of);
        free(fixed);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

/* Returns the cost of 20 patterns with disturbances over that without: exchanges alone end where
 * each of them loses. In the beginning, role i is on slot i / roles_per_slot. */
static double cost_if_disturbed(const struct tmap_tree *tree, int32_t roles_per_slot)
{
    double sum[2] = {0, 0};
    for (int round = 0; round < 20; round++) {
        struct tmap_matrix *matrix = generate_matrix("geometric-shuffled", 64, (uint64_t)round);
        for (int i = 0; i < 2; i++) {
            struct tmap_swaps swaps = {6, 16, 40, NULL, i * 100, 0};
            int32_t slot_of[64];
            for (int32_t role = 0; role < 64; role++)
                slot_of[role] = role / roles_per_slot;
            assert_int_equal(tmap_improve(matrix, tree, &swaps, slot_of), TMAP_OK);
            assert_true(tmap_mapping_is_valid(tree, 64, slot_of));
            sum[i] += mapping_cost(matrix, tree, slot_of);
        }
        tmap_matrix_destroy(matrix);
    }
    return sum[1] / sum[0];
}

/* In no group has a role, or a free slot, more to gain by an exchange than is known of the group. */
static void check_groups(const struct tmap_search *search, int round)
{
    for (int32_t slot = 0; slot < search->tree->count[search->tree->depth]; slot++) {
        const int32_t role = search->head[slot], group = tmap_search_group(search, slot);
        const double want = role < 0 ? 0 : search->want[role];
        if (search->most[group] < want)
            fail_msg("round %d: slot %d: %g, its group: %g", round, slot, want,
                     search->most[group]);
    }
}

static void no_group_is_passed_over_that_could_gain(void **state)
{
    static const char *const trees[] = {"8 2 4", "4 5 4", "2 4 3 3"};
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct tmap_matrix *matrix = generate_matrix("geometric-shuffled", 64, (uint64_t)round);
        struct tmap_tree *tree = make_tree(trees[round % 3]);
        const struct tmap_swaps swaps = {6, 16, 40, NULL, 10, 0};
        int32_t slot_of[64];
        for (int32_t role = 0; role < 64; role++)
            slot_of[role] = role;
        struct tmap_search search = {
            .matrix = matrix, .tree = tree, .swaps = &swaps, .slot_of = slot_of};
        assert_int_equal(tmap_search_init(&search), TMAP_OK);
        for (int32_t role = 0; role < 64; role++)
            tmap_search_enqueue(&search, role);
        tmap_search_run(&search);
        check_groups(&search, round);
        for (int i = 0; i < 20; i++) {
            assert_int_equal(tmap_search_disturb(&search), TMAP_OK);
            check_groups(&search, round);
        }
        tmap_search_fini(&search);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

static void disturbances_find_what_exchanges_alone_do_not(void **state)
{
    struct tmap_tree *tree = make_tree("8 2 4");
    (void)state;
    double cost = cost_if_disturbed(tree, 1);
    tmap_tree_destroy(tree);
    if (cost > 0.98)
        fail_msg("%.3f of the cost without disturbances", cost);
}

/* Slots that hold eight roles each: all are in one group, but a role is better off on one of them
 * than on another. */
static void roles_are_disturbed_on_slots_that_hold_several(void **state)
{
    static const int32_t path[8] = {0, 1, 2, 3, 4, 5, 6, 7}, capacity[8] = {8, 8, 8, 8, 8, 8, 8, 8};
    struct tmap_error error;
    struct tmap_tree *tree = NULL;
    (void)state;
    assert_ok(tmap_tree_create_from_paths(&tree, 8, 1, path, capacity, NULL, NULL, &error), &error);
    double cost = cost_if_disturbed(tree, 8);
    tmap_tree_destroy(tree);
    if (cost > 0.7)
        fail_msg("%.3f of the cost without disturbances", cost);
}

/* With pairs that send the same, or almost, every mapping is as good, and the simplest one is
 * taken; not if one pair sends more, or a slot may stay empty. */
static void equal_pairs_are_not_searched(void **state)
{
    enum { N = 96 };
    static const struct {
        const char *tree;
        int32_t roles;
        uint64_t more; /* by the first and the last role, in a thousandth of a pair */
        int is_packed;
    } cases[] = {{"4 3 8", 96, 0, 1}, {"4 3 8", 96, 1, 1}, {"4 3 8", 96, 99999, 0},
                 {"4 5 8", 96, 0, 0}, {"4 3 2", 24, 0, 1}, {"4 3 2", 24, 1, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct entries entries = {NULL, 0, 0};
        struct tmap_tree *tree = make_tree(cases[i].tree);
        int32_t slot_of[N], packed = 1, n = cases[i].roles;
        for (int32_t a = 0; a < n; a++)
            for (int32_t b = a + 1; b < n; b++)
                add_entry(&entries, a, b, 1000 + (a == 0 && b == n - 1 ? cases[i].more : 0));
        struct tmap_matrix *matrix = make_matrix(n, &entries);
        const struct tmap_options options = {.size = sizeof options, .method = "multilevel"};
        assert_int_equal(tmap_mapping_find(matrix, tree, &options, slot_of, NULL), TMAP_OK);
        for (int32_t role = 0; role < n; role++)
            packed &= slot_of[role] == role;
        if (packed != cases[i].is_packed)
            fail_msg("case %d: packed %d", (int)i, (int)packed);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

enum { DIVIDED = 512 };

static double divided_cost(const struct tmap_matrix *matrix, const struct tmap_tree *tree,
                           int attempts)
{
    int64_t units_before[DIVIDED + 1];
    int32_t order[DIVIDED], slot_of[DIVIDED];
    const struct tmap_bisection bisection = {
        .repeats = 2, .tries = 4, .passes = 4, .patience = 100, .cycles = 1};
    const struct tmap_division division = {.matrix = matrix,
                                           .tree = tree,
                                           .bisection = bisection,
                                           .attempts = attempts,
                                           .units_before = units_before,
                                           .order = order,
                                           .slot_of = slot_of};
    for (int32_t slot = 0; slot <= DIVIDED; slot++)
        units_before[slot] = slot;
    assert_int_equal(tmap_divide(&division), TMAP_OK);
    assert_true(tmap_mapping_is_valid(tree, DIVIDED, slot_of));
    return mapping_cost(matrix, tree, slot_of);
}

/* The best halves need not be those of the best quarters. */
static void children_are_divided_as_a_whole(void **state)
{
    static const double costs[] = {1, 0};
    struct tmap_tree *tree = NULL, *hops = make_tree("4 128");
    double sum[3] = {0, 0, 0};
    (void)state;
    assert_int_equal(tmap_tree_copy_with_costs(&tree, hops, costs, 2, NULL), TMAP_OK);
    for (int round = 0; round < 8; round++) {
        struct tmap_matrix *matrix =
            generate_matrix("geometric-shuffled", DIVIDED, (uint64_t)round);
        for (int attempts = 0; attempts < 3; attempts++)
            sum[attempts] += divided_cost(matrix, tree, attempts);
        tmap_matrix_destroy(matrix);
    }
    tmap_tree_destroy(tree);
    tmap_tree_destroy(hops);
    if (sum[1] >= sum[0] || sum[2] >= sum[1])
        fail_msg("cut %.0f, in one attempt %.0f, by halving %.0f", sum[2], sum[1], sum[0]);
}

/* ---- The whole ---- */

static void the_result_is_never_worse_than_a_simple_method(void **state)
{
    static const char *const simple[] = {"treematch", "packed", "roundrobin"};
    struct tmap_random random;
    (void)state;
    tmap_random_init(&random, 7);
    for (int round = 0; round < rounds(150); round++) {
        struct tmap_tree *tree = random_tree(&random, 1 + round % 4, 6, 1 + round % 2);
        int32_t roles = (int32_t)tmap_random_below(&random, 1 + (uint32_t)tmap_tree_capacity(tree));
        struct tmap_matrix *matrix = random_matrix(&random, roles, 1 + round % 4 * roles, 12);
        for (int effort = 0; effort < 2; effort++) {
            double cost = map_cost(matrix, tree, "multilevel", (enum tmap_effort)effort);
            for (int m = 0; m < 3; m++) {
                double other = map_cost(matrix, tree, simple[m], TMAP_EFFORT_DEFAULT);
                if (cost > other)
                    fail_msg("round %d: %g, but %s %g", round, cost, simple[m], other);
            }
        }
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

/* Planted hierarchies are generated so that role i belongs on slot i; then roles are renamed. */
static void planted_hierarchies_of_every_arity_are_recovered(void **state)
{
    static const char *const cases[] = {
        "2,2,2,2,2,2", "3,3,3",      "5,5,5",    "7,7",       "7,5,3",    "12,12",
        "20,20",       "11,13",      "24,5",     "31,4",      "16,2,2,6", "4,4,3,2",
        "9,7,5,3",     "5,3,12,2",   "6,50",     "2,37",      "128,2,4",  "8,8,8,8",
        "16,16,2,2,4", "27,3,3,3,3", "10,10,10", "64,4,4,4,4"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += getenv("TEST_QUICK") ? 19 : 1) {
        char pattern[64], same[64], text[64];
        snprintf(pattern, sizeof pattern, "planted:%s-shuffled", cases[i]);
        snprintf(same, sizeof same, "planted:%s", cases[i]);
        snprintf(text, sizeof text, "%s", cases[i]);
        struct tmap_tree *tree = make_tree(text);
        struct tmap_matrix *matrix = generate_matrix(pattern, tmap_tree_slots(tree), i);
        struct tmap_matrix *ordered = generate_matrix(same, tmap_tree_slots(tree), i);
        double cost = map_cost(matrix, tree, "multilevel", TMAP_EFFORT_DEFAULT);
        double planted = map_cost(ordered, tree, "packed", TMAP_EFFORT_DEFAULT);
        if (cost > planted)
            fail_msg("%s: cost %.0f, planted %.0f", cases[i], cost, planted);
        tmap_matrix_destroy(matrix);
        tmap_matrix_destroy(ordered);
        tmap_tree_destroy(tree);
    }
}

static void the_names_of_roles_do_not_matter(void **state)
{
    static const struct {
        const char *pattern;
        int32_t roles;
        const char *tree;
    } cases[] = {{"stencil2d5", 96, "4 4 3 2"},   {"stencil3d7", 64, "8 2 4"},
                 {"geometric", 96, "4 4 3 2"},    {"hypercube", 256, "2 16 2 4"},
                 {"stencil3d7", 512, "4 16 2 4"}, {"cliques", 240, "5 4 12"},
                 {"stencil2d9", 120, "5 4 3 2"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += getenv("TEST_QUICK") ? 2 : 1) {
        struct tmap_tree *tree = make_tree(cases[i].tree);
        char shuffled[64];
        double least = 1e300, most = 0;
        snprintf(shuffled, sizeof shuffled, "%s-shuffled", cases[i].pattern);
        struct tmap_random random;
        struct tmap_matrix *matrix = generate_matrix(cases[i].pattern, cases[i].roles, 11);
        tmap_random_init(&random, i);
        for (int round = 0; round < (getenv("TEST_QUICK") ? 2 : 5); round++) {
            double cost = map_cost(matrix, tree, "multilevel", TMAP_EFFORT_DEFAULT);
            struct entries entries = {NULL, 0, 0};
            int32_t name[1024];
            least = cost < least ? cost : least;
            most = cost > most ? cost : most;
            for (int32_t r = 0; r < matrix->roles; r++)
                name[r] = r;
            tmap_random_shuffle(&random, name, matrix->roles);
            for (int32_t r = 0; r < matrix->roles; r++) {
                for (size_t e = matrix->start[r]; e < matrix->start[r + 1]; e++) {
                    if (matrix->partner[e] > r)
                        add_entry(&entries, name[r], name[matrix->partner[e]], matrix->weight[e]);
                }
            }
            struct tmap_matrix *renamed = make_matrix(matrix->roles, &entries);
            tmap_matrix_destroy(matrix);
            matrix = renamed;
        }
        if (most > least * 1.01)
            fail_msg("%s: from %.0f to %.0f", cases[i].pattern, least, most);
        tmap_matrix_destroy(matrix);
        tmap_tree_destroy(tree);
    }
}

static void the_clock_and_earlier_calls_do_not_matter(void **state)
{
    struct tmap_matrix *matrix = generate_matrix("geometric", 300, 1);
    struct tmap_tree *tree = make_tree("10 30");
    struct tmap_options options = {
        .size = sizeof options, .method = "multilevel", .effort = TMAP_EFFORT_DEFAULT, .seed = 42};
    int32_t first[300], again[300];
    (void)state;
    assert_int_equal(tmap_mapping_find(matrix, tree, &options, first, NULL), TMAP_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tmap_mapping_find(matrix, tree, &options, again, NULL), TMAP_OK);
        assert_memory_equal(first, again, sizeof first);
    }
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arena_gives_and_takes_back),
        cmocka_unit_test(an_arena_shares_what_it_keeps),
        cmocka_unit_test(a_heap_gives_the_largest_key_first),
        cmocka_unit_test(bisections_have_the_size_that_was_asked_for),
        cmocka_unit_test(a_bisection_that_cuts_nothing_is_not_repeated),
        cmocka_unit_test(refinement_ends_where_no_exchange_gains),
        cmocka_unit_test(known_bisections_are_found),
        cmocka_unit_test(exchanges_never_make_a_mapping_dearer),
        cmocka_unit_test(no_group_is_passed_over_that_could_gain),
        cmocka_unit_test(disturbances_find_what_exchanges_alone_do_not),
        cmocka_unit_test(roles_are_disturbed_on_slots_that_hold_several),
        cmocka_unit_test(equal_pairs_are_not_searched),
        cmocka_unit_test(children_are_divided_as_a_whole),
        cmocka_unit_test(the_result_is_never_worse_than_a_simple_method),
        cmocka_unit_test(planted_hierarchies_of_every_arity_are_recovered),
        cmocka_unit_test(the_names_of_roles_do_not_matter),
        cmocka_unit_test(the_clock_and_earlier_calls_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
