/* SPDX-License-Identifier: BSD-3-Clause */
/* test-text.c - machines in words; lists of names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "draw/text.h"

static const char *const names[] = {"n2",  "n1",  "m7.here", "n3",      "login",    "n10",
                                    "x08", "x09", "x10",     "m8.here", "m8.there", "n7",
                                    "4",   "5",   "r1n01",   "r1n02"};

static void names_become_lists(void **state)
{
    static const struct {
        int first, count, width;
        const char *list;
    } cases[] = {
        {0, 2, 60, "n[1-2]"},           {0, 1, 60, "n2"},
        {2, 1, 60, "m7.here"},          {0, 6, 60, "login,m7.here,n[1-3,10]"},
        {6, 3, 60, "x[08-10]"},         {9, 2, 60, "m8.here,m8.there"},
        {12, 2, 60, "[4-5]"},           {14, 2, 60, "r1n[01-02]"},
        {0, 6, 8, "login,m7.here,..."}, {0, 12, 20, "login,m[7-8].here,m8.there,n[1-3,...]"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256] = "";
        FILE *file = fmemopen(text, sizeof text, "w");
        assert_int_equal(draw_names(file, (char *const *)(uintptr_t)names + cases[i].first,
                                    cases[i].count, cases[i].width),
                         0);
        fclose(file);
        assert_string_equal(text, cases[i].list);
    }
}

static void numbers_become_lists(void **state)
{
    static const int32_t numbers[] = {7, 0, 2, 1, 9};
    char text[64] = "";
    (void)state;
    FILE *file = fmemopen(text, sizeof text, "w");
    assert_int_equal(draw_numbers(file, numbers, 5, 60), 0);
    fclose(file);
    assert_string_equal(text, "0-2,7,9");
}

/* The text of a tree of rows of children, two levels each; hosts are of `host_level`. */
static char *text_of(struct tmap_tree *tree, int host_level, char *const *host)
{
    struct draw_view view = {.tree = tree, .host_level = host_level, .host = host};
    struct reseat_error error;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_int_equal(draw_view_open(&view, &error), 0);
    assert_int_equal(draw_text(file, &view, &error), 0);
    draw_view_close(&view);
    fclose(file);
    tmap_tree_destroy(tree);
    return text;
}

static void uniform_machines_are_their_levels(void **state)
{
    static const struct {
        const char *tree, *text;
    } cases[] = {
        {"3 2", "3 parts                    4 apart\n6 slots   2 in each part   2 apart\n"},
        {"node:4 core:8",
         "4 nodes                     400 apart\n32 cores   8 in each node   10 apart\n"},
        {"torus:4x4x4", "64 nodes   torus 4x4x4   400 a hop\n"},
        {"ring:5", "5 nodes   ring of 5   400 a hop\n"},
        {"hypercube:3", "8 nodes   hypercube of 3 dimensions   400 a hop\n"},
        {"mesh:2", "2 nodes   mesh 2   400 a hop\n"},
        {"mesh:3x2", "6 nodes   mesh 3x2   400 a hop\n"},
        {"dragonfly:5x2", "10 nodes   dragonfly 5x2   400 a hop\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tmap_tree *tree;
        assert_int_equal(tmap_tree_parse(&tree, cases[i].tree, NULL), TMAP_OK);
        char *text = text_of(tree, -1, NULL);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

/* Links like those of two groups of two, and all of four, whatever their order; groups are only
 * those that a shape has. */
static void a_graph_is_what_its_shape_says(void **state)
{
    static const struct tmap_link path[] = {{0, 1, 1}, {0, 2, 1}, {2, 3, 1}},
                                  all[] = {{2, 3, 1}, {0, 1, 1}, {0, 2, 1},
                                           {0, 3, 1}, {1, 2, 1}, {1, 3, 1}};
    static const struct {
        const struct tmap_link *link;
        size_t links;
        int32_t group;
        const char *text;
    } cases[] = {
        {path, 3, 0, "4 nodes   graph of 4 vertices and 3 links   400 a hop\n"},
        {path, 3, 2, "4 nodes   dragonfly 2x2   400 a hop\n"},
        {all, 5, 2, "4 nodes   graph of 4 vertices and 5 links   400 a hop\n"},
        {all, 6, 0, "4 nodes   alltoall of 4   400 a hop\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct tmap_shape shape = {.size = sizeof shape,
                                         .kind = TMAP_SHAPE_GRAPH,
                                         .positions = 4,
                                         .group = cases[i].group,
                                         .links = cases[i].links,
                                         .link = cases[i].link};
        struct tmap_tree *plain, *tree;
        assert_int_equal(tmap_tree_parse(&plain, "node:4", NULL), TMAP_OK);
        assert_int_equal(tmap_tree_copy_with_shape(&tree, plain, 0, &shape, NULL, NULL), TMAP_OK);
        tmap_tree_destroy(plain);
        char *text = text_of(tree, -1, NULL);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

/* A tree of `nodes` nodes below switches of `width`, of which every `odd`-th node has one core less. */
static struct tmap_tree *make_uneven(int32_t nodes, int32_t width, int32_t odd, int32_t cores)
{
    static const struct tmap_level levels[3] = {
        {.name = "switch", .cost = 40}, {.name = "node", .cost = 20}, {.name = "core", .cost = 1}};
    struct tmap_tree *tree;
    int32_t *path = malloc((size_t)nodes * (size_t)cores * 3 * sizeof *path), leaves = 0;
    for (int32_t n = 0; n < nodes; n++)
        for (int32_t c = 0; c < cores - (n % odd == 0); c++, leaves++) {
            path[3 * leaves] = n / width;
            path[3 * leaves + 1] = n % width;
            path[3 * leaves + 2] = c;
        }
    assert_int_equal(tmap_tree_create_from_paths(&tree, leaves, 3, path, NULL, levels, NULL, NULL),
                     TMAP_OK);
    free(path);
    return tree;
}

static void what_is_alike_is_said_once(void **state)
{
    static const char few[] = "2 switches                         40 apart\n"
                              "8 nodes      4 in each switch      20 apart\n"
                              "22 cores     2 to 3 in each node   1 apart\n"
                              "\n"
                              "switch 0\n"
                              "  node 0: 2 cores\n"
                              "  node 1: 3 cores\n"
                              "  node 2: 3 cores\n"
                              "  node 3: 3 cores\n"
                              "switch 1\n"
                              "  node 0: 2 cores\n"
                              "  node 1: 3 cores\n"
                              "  node 2: 3 cores\n"
                              "  node 3: 3 cores\n";
    static const char many[] = "2500 switches                           40 apart\n"
                               "10000 nodes     4 in each switch        20 apart\n"
                               "157500 cores    15 to 16 in each node   1 apart\n"
                               "\n"
                               "2500 switches, in each\n"
                               "  node 0: 15 cores\n"
                               "  3 nodes: 16 cores each\n";
    (void)state;
    char *text = text_of(make_uneven(8, 4, 4, 3), 2, NULL);
    assert_string_equal(text, few);
    free(text);
    text = text_of(make_uneven(10000, 4, 4, 16), 2, NULL);
    assert_string_equal(text, many);
    free(text);
}

/* Ten thousand switches of which hardly two are alike: few of them are described. */
static void many_kinds_are_few_lines(void **state)
{
    (void)state;
    int lines = 0;
    char *text = text_of(make_uneven(9973, 101, 7, 4), 2, NULL);
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    assert_in_range(lines, 10, 40);
    free(text);
}

static void hosts_are_named(void **state)
{
    (void)state;
    static const char *const host[] = {"a1", "a2", "a3", "a4"};
    char *text = text_of(make_uneven(4, 2, 2, 2), 2, (char *const *)(uintptr_t)host);
    assert_string_equal(strstr(text, "\n\n"), "\n\n"
                                              "switch 0\n"
                                              "  a1: 1 core\n"
                                              "  a2: 2 cores\n"
                                              "switch 1\n"
                                              "  a3: 1 core\n"
                                              "  a4: 2 cores\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_become_lists),
        cmocka_unit_test(numbers_become_lists),
        cmocka_unit_test(uniform_machines_are_their_levels),
        cmocka_unit_test(a_graph_is_what_its_shape_says),
        cmocka_unit_test(what_is_alike_is_said_once),
        cmocka_unit_test(many_kinds_are_few_lines),
        cmocka_unit_test(hosts_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
