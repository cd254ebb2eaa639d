/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-memory.c - when memory runs out: with every k-th allocation failing, for every k, a function
 * returns TMAP_ENOMEM, leaves its results unchanged and frees what it allocated. The linker sends
 * the library's malloc, calloc, realloc and free through here (-Wl,--wrap).
 */
#include "test.h"
#include "treematch/layout/baselines.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

static long fail_at;                     /* the number of the allocation that fails, 0: none */
static _Atomic long allocations, in_use; /* of all threads */

static int fails(void)
{
    return ++allocations == fail_at;
}

void *__wrap_malloc(size_t size)
{
    void *memory = fails() ? NULL : __real_malloc(size);
    in_use += memory != NULL;
    return memory;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *memory = fails() ? NULL : __real_calloc(count, size);
    in_use += memory != NULL;
    return memory;
}

void *__wrap_realloc(void *memory, size_t size)
{
    void *moved = fails() ? NULL : __real_realloc(memory, size);
    in_use += moved && !memory;
    return moved;
}

void __wrap_free(void *memory)
{
    in_use -= memory != NULL;
    __real_free(memory);
}

struct situation {
    struct tmap_matrix *matrix;
    struct tmap_tree *tree, *unbalanced;
    struct tmap_entry entries[64];
    int32_t slot_of[64];
    const char *method;
};

typedef enum tmap_status action(struct situation *s, struct tmap_error *error);

static enum tmap_status make_a_matrix(struct situation *s, struct tmap_error *error)
{
    struct tmap_matrix *matrix = NULL;
    enum tmap_status status = tmap_matrix_create(&matrix, 16, s->entries, 64, error);
    assert_int_equal(matrix != NULL, status == TMAP_OK);
    tmap_matrix_destroy(matrix);
    return status;
}

static enum tmap_status parse_a_tree(struct situation *s, struct tmap_error *error)
{
    struct tmap_tree *tree = NULL;
    enum tmap_status status = tmap_tree_parse(&tree, "node:4 core:4", error);
    (void)s;
    assert_int_equal(tree != NULL, status == TMAP_OK);
    tmap_tree_destroy(tree);
    return status;
}

static enum tmap_status copy_a_tree(struct situation *s, struct tmap_error *error)
{
    static const double costs[3] = {3, 2, 1};
    struct tmap_tree *tree = NULL;
    enum tmap_status status = tmap_tree_copy_with_costs(&tree, s->tree, costs, 3, error);
    assert_int_equal(tree != NULL, status == TMAP_OK);
    tmap_tree_destroy(tree);
    return status;
}

static enum tmap_status place_a_job(struct situation *s, struct tmap_error *error)
{
    static const int32_t node_of[4] = {0, 0, 1, 1};
    struct tmap_place places[4] = {{{0, 0, 0, 0, 0, 0}}, {{1, 0, 0, 0, 0, 0}}};
    struct tmap_tree *tree = NULL;
    enum tmap_status status =
        tmap_tree_create_from_places(&tree, 4, node_of, places, s->slot_of, error);
    assert_int_equal(tree != NULL, status == TMAP_OK);
    tmap_tree_destroy(tree);
    return status;
}

static enum tmap_status map(struct situation *s, struct tmap_error *error)
{
    struct tmap_options options = {
        .size = sizeof options, .method = s->method, .effort = TMAP_EFFORT_DEFAULT};
    return tmap_mapping_find(s->matrix, s->tree, &options, s->slot_of, error);
}

static enum tmap_status map_unbalanced(struct situation *s, struct tmap_error *error)
{
    struct tmap_options options = {
        .size = sizeof options, .method = s->method, .effort = TMAP_EFFORT_DEFAULT};
    return tmap_mapping_find(s->matrix, s->unbalanced, &options, s->slot_of, error);
}

static enum tmap_status keep(struct situation *s, struct tmap_error *error)
{
    int kept = 0;
    const struct tmap_problem problem = {
        .matrix = s->matrix, .tree = s->unbalanced, .effort = TMAP_EFFORT_FAST};
    tmap_method_packed(&problem, s->slot_of, error);
    return tmap_mapping_keep_role(s->matrix, s->unbalanced, 0, s->slot_of[15], s->slot_of, &kept,
                                  error);
}

/* A tree without arrays. */
static enum tmap_status map_wide(struct situation *s, struct tmap_error *error)
{
    struct tmap_tree *tree = NULL;
    struct tmap_options options = {
        .size = sizeof options, .method = s->method, .effort = TMAP_EFFORT_FAST};
    enum tmap_status status = tmap_tree_parse(&tree, "300000 2 5", error);
    if (status == TMAP_OK)
        status = tmap_mapping_find(s->matrix, tree, &options, s->slot_of, error);
    tmap_tree_destroy(tree);
    return status;
}

static enum tmap_status map_constrained(struct situation *s, struct tmap_error *error)
{
    static const unsigned char closed[40] = {0, 1};
    int32_t pinned[16] = {3, 4, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 39};
    struct tmap_options options = {.size = sizeof options,
                                   .method = "greedy",
                                   .effort = TMAP_EFFORT_DEFAULT,
                                   .pinned = pinned,
                                   .closed = closed};
    return tmap_mapping_find(s->matrix, s->tree, &options, s->slot_of, error);
}

static enum tmap_status map_part(struct situation *s, struct tmap_error *error)
{
    struct tmap_options options = {
        .size = sizeof options, .method = "greedy", .effort = TMAP_EFFORT_DEFAULT};
    for (int32_t i = 0; i < 16; i++)
        s->slot_of[i] = i;
    return tmap_mapping_improve_below(s->matrix, s->tree, 1, 0, &options, s->slot_of, error);
}

/* Links of a torus and of a graph, below a level without a shape. */
static enum tmap_status load_links(struct situation *s, struct tmap_error *error)
{
    static const char *const trees[] = {"node:2 torus:3x4", "node:2 dragonfly:4x3"};
    enum tmap_status status = TMAP_OK;
    for (int32_t i = 0; i < 16; i++)
        s->slot_of[i] = i;
    for (int t = 0; t < 2 && status == TMAP_OK; t++) {
        struct tmap_tree *tree = NULL;
        struct tmap_loads *loads = NULL;
        status = tmap_tree_parse(&tree, trees[t], error);
        if (status == TMAP_OK)
            status = tmap_loads_create(&loads, s->matrix, tree, s->slot_of, 1, error);
        assert_int_equal(loads != NULL, status == TMAP_OK);
        tmap_loads_destroy(loads);
        tmap_tree_destroy(tree);
    }
    return status;
}

static enum tmap_status lower_congestion(struct situation *s, struct tmap_error *error)
{
    struct tmap_tree *tree = NULL;
    enum tmap_status status = tmap_tree_parse(&tree, "node:2 torus:3x4", error);
    for (int32_t i = 0; i < 16; i++)
        s->slot_of[i] = i;
    if (status == TMAP_OK)
        status = tmap_mapping_lower_congestion(s->matrix, tree, NULL, s->slot_of, error);
    tmap_tree_destroy(tree);
    return status;
}

/* Machines with networks, and a pattern that is a grid. */
static enum tmap_status map_to_networks(struct situation *s, struct tmap_error *error)
{
    static const char *const trees[] = {"torus:3x4 core:2", "dragonfly:4x3 core:2",
                                        "node:2 mesh:5x2"};
    struct tmap_options options = {
        .size = sizeof options, .method = s->method, .effort = TMAP_EFFORT_DEFAULT};
    enum tmap_status status = TMAP_OK;
    for (int t = 0; t < 3 && status == TMAP_OK; t++) {
        struct tmap_tree *tree = NULL;
        status = tmap_tree_parse(&tree, trees[t], error);
        if (status == TMAP_OK)
            status = tmap_mapping_find(s->matrix, tree, &options, s->slot_of, error);
        tmap_tree_destroy(tree);
    }
    return status;
}

/* A graph whose links have different lengths. */
static enum tmap_status copy_with_a_graph(struct situation *s, struct tmap_error *error)
{
    static const struct tmap_link link[] = {{0, 1, 1}, {1, 2, 2}, {2, 3, 1}, {3, 4, 1}};
    const struct tmap_shape shape = {
        .size = sizeof shape, .kind = TMAP_SHAPE_GRAPH, .positions = 5, .links = 4, .link = link};
    struct tmap_tree *tree = NULL, *plain = NULL;
    enum tmap_status status = tmap_tree_copy_with_shape(&tree, s->tree, 0, &shape, NULL, error);
    assert_int_equal(tree != NULL, status == TMAP_OK);
    if (status == TMAP_OK)
        status = tmap_tree_copy_with_shape(
            &plain, tree, 1,
            &(struct tmap_shape){
                .size = sizeof shape, .kind = TMAP_SHAPE_MESH, .dimensions = 2, .extent = {1, 2}},
            NULL, error);
    assert_int_equal(plain != NULL, status == TMAP_OK);
    tmap_tree_destroy(plain);
    tmap_tree_destroy(tree);
    return status;
}

static void try_action(action *act, struct situation *s, const char *name)
{
    enum tmap_status status = TMAP_ENOMEM;
    /* `best` and `recursive` do nothing but call the others, many times; networks take long */
    int is_long =
        strcmp(name, "best") == 0 || strcmp(name, "recursive") == 0 || act == map_to_networks;
    int is_quick = getenv("TEST_QUICK") != NULL;
    long failures = 0, step = is_long ? (is_quick ? 2210 : 17) : (is_quick ? 13 : 1);
    for (fail_at = 1; status == TMAP_ENOMEM; fail_at += step) {
        struct tmap_error error = {""};
        long before = in_use;
        allocations = 0;
        status = act(s, &error);
        if (status != TMAP_OK && status != TMAP_ENOMEM)
            fail_msg("%s, allocation %ld: %s", name, fail_at, error.text);
        if (status == TMAP_ENOMEM && strcmp(error.text, "out of memory") != 0)
            fail_msg("%s, allocation %ld: says '%s'", name, fail_at, error.text);
        if (in_use != before)
            fail_msg("%s, allocation %ld: %ld blocks lost", name, fail_at, in_use - before);
        failures += status == TMAP_ENOMEM;
        if (status == TMAP_OK && allocations >= fail_at)
            status = TMAP_ENOMEM; /* it can do without that one: go on */
    }
    fail_at = 0;
    /* the simple methods allocate nothing, but making a matrix has to */
    if (step == 1 && failures == 0 && (allocations > 0 || act == make_a_matrix))
        fail_msg("%s: nothing failed", name);
}

static void situation_init(struct situation *s)
{
    struct tmap_random random;
    tmap_random_init(&random, 1);
    for (int i = 0; i < 64; i++)
        s->entries[i] =
            (struct tmap_entry){(int32_t)tmap_random_below(&random, 16),
                                (int32_t)tmap_random_below(&random, 16), 1 + (uint64_t)i};
    assert_int_equal(tmap_matrix_create(&s->matrix, 16, s->entries, 64, NULL), TMAP_OK);
    s->tree = make_tree("4 2 5");
    s->unbalanced = random_tree(&random, 3, 5, 2);
    while (tmap_tree_capacity(s->unbalanced) < 16) {
        tmap_tree_destroy(s->unbalanced);
        s->unbalanced = random_tree(&random, 3, 5, 2);
    }
}

static void running_out_of_memory_is_reported_and_leaks_nothing(void **state)
{
    struct situation s = {.method = NULL};
    const char *name;
    (void)state;
    situation_init(&s);
    try_action(make_a_matrix, &s, "matrix");
    try_action(parse_a_tree, &s, "parse");
    try_action(copy_a_tree, &s, "copy");
    try_action(place_a_job, &s, "places");
    try_action(keep, &s, "keep");
    try_action(map_constrained, &s, "constraints");
    try_action(map_part, &s, "part");
    try_action(load_links, &s, "loads");
    try_action(lower_congestion, &s, "congestion");
    try_action(copy_with_a_graph, &s, "graph");
    for (int m = 0; tmap_method_describe(m, &name, NULL); m++) {
        s.method = name;
        if (strcmp(name, "scotch") == 0) /* its own memory is not ours to watch */
            continue;
        try_action(map, &s, name);
        try_action(map_unbalanced, &s, name);
        try_action(map_wide, &s, name);
        if (strcmp(name, "multilevel") == 0 || strcmp(name, "recursive") == 0)
            try_action(map_to_networks, &s, name);
    }
    tmap_matrix_destroy(s.matrix);
    tmap_tree_destroy(s.tree);
    tmap_tree_destroy(s.unbalanced);
}

/* Enough roles for the fast grouping and for several levels of everything. */
static void large_problems_run_out_of_memory_as_well(void **state)
{
    struct situation s = {.method = "treematch"};
    struct tmap_random random;
    static int32_t slot_of[400];
    (void)state;
    tmap_random_init(&random, 6);
    struct tmap_matrix *matrix = random_matrix(&random, 400, 1500, 10);
    struct tmap_tree *tree = make_tree("10 20 2");
    for (long k = 1; k < 200; k += getenv("TEST_QUICK") ? 7 : 1) {
        struct tmap_options options = {
            .size = sizeof options, .method = s.method, .effort = TMAP_EFFORT_DEFAULT};
        long before = in_use;
        fail_at = k;
        allocations = 0;
        enum tmap_status status = tmap_mapping_find(matrix, tree, &options, slot_of, NULL);
        assert_true(status == (allocations >= k ? TMAP_ENOMEM : TMAP_OK));
        assert_int_equal(in_use, before);
    }
    fail_at = 0;
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

/* A ring, whose simple mapping is improved by a thread while the caller's improves a division. Which of them meets
 * the k-th allocation is not the same each time. (Some are only for speed.) */
static void threads_run_out_of_memory_as_well(void **state)
{
    struct entries entries = {NULL, 0, 0};
    struct tmap_options options = {
        .size = sizeof options, .method = "multilevel", .effort = TMAP_EFFORT_FAST};
    int32_t slot_of[600], expected[600];
    long k = 0, failed, reported = 0;
    (void)state;
    options.threads = 2;
    for (int32_t i = 0; i < 600; i++)
        add_entry(&entries, i, (i + 1) % 600, 100);
    struct tmap_matrix *matrix = make_matrix(600, &entries);
    struct tmap_tree *tree = make_tree("5 41 3");
    assert_int_equal(tmap_mapping_find(matrix, tree, &options, expected, NULL), TMAP_OK);
    do {
        long before = in_use;
        fail_at = ++k;
        allocations = 0;
        enum tmap_status status = tmap_mapping_find(matrix, tree, &options, slot_of, NULL);
        failed = allocations >= k;
        reported += failed && status == TMAP_ENOMEM;
        if (status == TMAP_OK)
            assert_memory_equal(slot_of, expected, sizeof expected);
        else
            assert_true(failed && status == TMAP_ENOMEM);
        assert_int_equal(in_use, before);
    } while (failed);
    fail_at = 0;
    assert_true(reported > 30);
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

/* A torus on a torus of nodes, which the best start alone does not finish. (Some checks need no
 * memory, they are only faster with it.) */
static void grids_run_out_of_memory_as_well(void **state)
{
    struct entries entries = {NULL, 0, 0};
    int32_t slot_of[48];
    long k = 0, failed, reported = 0;
    (void)state;
    for (int32_t i = 0; i < 48; i++) {
        add_entry(&entries, i, i % 6 == 5 ? i - 5 : i + 1, 100);
        add_entry(&entries, i, (i + 6) % 48, 100);
        add_entry(&entries, i, (i + 7) % 48, 1);
    }
    struct tmap_matrix *matrix = make_matrix(48, &entries);
    struct tmap_tree *tree = make_tree("torus:4x6 core:2");
    do {
        struct tmap_options options = {.size = sizeof options, .effort = TMAP_EFFORT_FAST};
        long before = in_use;
        fail_at = ++k;
        allocations = 0;
        enum tmap_status status = tmap_mapping_find(matrix, tree, &options, slot_of, NULL);
        failed = allocations >= k;
        assert_true(status == TMAP_OK || (failed && status == TMAP_ENOMEM));
        reported += status != TMAP_OK;
        assert_int_equal(in_use, before);
    } while (failed);
    assert_true(reported > 15);
    fail_at = 0;
    tmap_matrix_destroy(matrix);
    tmap_tree_destroy(tree);
}

/* A dense matrix and its mapping; for some allocations only, each takes long. */
static enum tmap_status make_and_map_dense(const uint64_t *table, const struct tmap_tree *tree,
                                           int32_t *slot_of)
{
    struct tmap_matrix *matrix = NULL;
    enum tmap_status status = tmap_matrix_create_dense(&matrix, 1050, table, NULL);
    if (status == TMAP_OK)
        status = tmap_mapping_find(matrix, tree, NULL, slot_of, NULL);
    tmap_matrix_destroy(matrix);
    return status;
}

static void dense_problems_run_out_of_memory_as_well(void **state)
{
    static const char *const trees[] = {"25 21 2", "25 21 2 2"};
    static int32_t slot_of[1050];
    uint64_t *table = malloc(sizeof *table * 1050 * 1050);
    (void)state;
    assert_non_null(table);
    for (size_t i = 0; i < (size_t)1050 * 1050; i++)
        table[i] = 1 + i % 1000;
    for (int t = 0; t < 2; t++) {
        struct tmap_tree *tree = make_tree(trees[t]);
        int failures = 0;
        for (long k = 1; k < 60; k += getenv("TEST_QUICK") ? 20 : 1) {
            long before = in_use;
            fail_at = k;
            allocations = 0;
            enum tmap_status status = make_and_map_dense(table, tree, slot_of);
            if (status != TMAP_ENOMEM && status != TMAP_OK)
                fail_msg("tree %s, allocation %ld: %s", trees[t], k, tmap_status_text(status));
            assert_int_equal(in_use, before);
            failures += status == TMAP_ENOMEM;
        }
        fail_at = 0;
        assert_true(failures > 0);
        tmap_tree_destroy(tree);
    }
    free(table);
}

static void layouts_run_out_of_memory_as_well(void **state)
{
    const struct tmap_layout layout = {.size = sizeof layout, .text = "c:1,0:nh"};
    struct tmap_tree *tree = make_tree("node:3 core:2 pu:2");
    int32_t slot_of[12] = {77};
    enum tmap_status status = TMAP_ENOMEM;
    long failures = 0;
    (void)state;
    for (long k = 1; status != TMAP_OK; k++) {
        long before = in_use;
        fail_at = k;
        allocations = 0;
        status = tmap_mapping_lay_out(tree, &layout, 12, slot_of, NULL);
        failures += status == TMAP_ENOMEM;
        assert_true(status == TMAP_OK || (status == TMAP_ENOMEM && slot_of[0] == 77));
        assert_int_equal(in_use, before);
    }
    assert_true(failures > 5);
    assert_int_equal(slot_of[0], 2);
    fail_at = 0;
    tmap_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(running_out_of_memory_is_reported_and_leaks_nothing),
        cmocka_unit_test(large_problems_run_out_of_memory_as_well),
        cmocka_unit_test(threads_run_out_of_memory_as_well),
        cmocka_unit_test(grids_run_out_of_memory_as_well),
        cmocka_unit_test(dense_problems_run_out_of_memory_as_well),
        cmocka_unit_test(layouts_run_out_of_memory_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
