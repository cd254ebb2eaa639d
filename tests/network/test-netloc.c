/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test-netloc.c - machines as Netloc's lines: the example of its paper, hosts that differ, every
 * refusal; allocation is wrapped, and every k-th one fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "failing.h"
#include "network/netloc.h"

static const char path[] = "test-netloc.tmp";

/* Section 5.1 of the paper: 3 nodes on 2 routers of a torus. */
static const char paper[] = "torus 3 4 1600 4 1600 4 1600 2 32 52\n"
                            "tree 1 4 800 1 0\n"
                            "node n129 tree 4 2 80 2 40 4 20 2 10 -1\n"
                            "tree 1 4 800 2 0 1\n"
                            "node n208 tree 4 2 80 2 40 4 20 2 10 -1\n"
                            "node n210 tree 4 2 80 2 40 4 20 2 10 -1\n";

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static struct reseat_machine *read_text(const char *text)
{
    struct reseat_machine *machine = NULL;
    struct reseat_error error = {""};
    write_file(text);
    if (reseat_netloc_read(&machine, path, &error))
        fail_msg("%s", error.text);
    return machine;
}

static void check_written(const struct reseat_machine *machine, const char *want)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    assert_non_null(memory);
    assert_int_equal(reseat_netloc_write(memory, machine), 0);
    assert_int_equal(fclose(memory), 0);
    assert_string_equal(text, want);
    free(text);
}

static void the_example_of_the_paper(void **state)
{
    struct reseat_machine *m = read_text(paper);
    (void)state;
    assert_int_equal(tmap_tree_slots(m->tree), 96);
    assert_int_equal(m->hosts, 3);
    assert_int_equal(m->host_level, 2);
    assert_string_equal(m->host[0], "n129");
    assert_string_equal(m->host[1], "n208");
    assert_string_equal(m->host[2], "n210");
    assert_int_equal(m->number_of[31], 31);
    assert_int_equal(m->number_of[32], 0);
    assert_string_equal(tmap_tree_level(m->tree, 0)->name, "router");
    assert_string_equal(tmap_tree_level(m->tree, 1)->name, "node");
    /* siblings, same core, NUMA node, package; n208 and n210; two hops between the routers */
    const struct {
        int32_t a, b;
        double distance;
    } cases[] = {{0, 1, 10},    {0, 2, 20},    {0, 8, 40},     {0, 16, 80},
                 {32, 64, 800}, {0, 32, 3200}, {31, 95, 3200}, {95, 95, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (tmap_tree_distance(m->tree, cases[i].a, cases[i].b) != cases[i].distance)
            fail_msg("%d - %d: %g, not %g", (int)cases[i].a, (int)cases[i].b,
                     tmap_tree_distance(m->tree, cases[i].a, cases[i].b), cases[i].distance);
    struct tmap_shape shape = {.size = sizeof shape};
    assert_int_equal(tmap_tree_shape(m->tree, 0, &shape), TMAP_SHAPE_TORUS);
    assert_int_equal(shape.dimensions, 3);
    assert_int_equal(tmap_tree_position(m->tree, 1, 0), 32); /* (2,0,0): row-major */
    assert_int_equal(tmap_tree_position(m->tree, 1, 1), 52); /* (3,1,0) */
    check_written(m, paper);
    reseat_machine_destroy(m);
}

/* (0,0,0) and (3,0,0) are neighbors: the torus wraps. */
static void a_torus_wraps(void **state)
{
    struct reseat_machine *m = read_text("torus 3 4 1600 4 1600 4 1600 4 0 48 32 12\n"
                                         "node a tree 1 1 1 -1\nnode b tree 1 1 1 -1\n"
                                         "node c tree 1 1 1 -1\nnode d tree 1 1 1 -1\n");
    (void)state;
    assert_string_equal(m->host[0], "a");
    assert_string_equal(m->host[1], "d"); /* (0,3,0) */
    assert_string_equal(m->host[2], "c"); /* (2,0,0) */
    assert_string_equal(m->host[3], "b"); /* (3,0,0) */
    assert_true(tmap_tree_distance(m->tree, 0, 3) == 1600);
    assert_true(tmap_tree_distance(m->tree, 0, 1) == 1600);
    assert_true(tmap_tree_distance(m->tree, 0, 2) == 3200);
    assert_true(tmap_tree_distance(m->tree, 1, 2) == 4800);
    reseat_machine_destroy(m);
}

/* A dragonfly as an alltoall of groups, in each of which routers are a ring. */
static void rings_and_alltoall(void **state)
{
    struct reseat_machine *m =
        read_text("alltoall 1 9 500 3 0 4 8\nring 1 4 100 2 0 2\nnode a tree 1 1 1 -1\n"
                  "node b tree 1 1 1 -1\nring 1 4 100 1 3\nnode c tree 1 1 1 -1\n"
                  "ring 1 4 100 1 0\nnode d tree 1 1 1 -1\n");
    struct tmap_shape shape = {.size = sizeof shape};
    (void)state;
    assert_int_equal(tmap_tree_shape(m->tree, 0, &shape), TMAP_SHAPE_GRAPH);
    assert_int_equal(shape.positions, 9);
    assert_int_equal(shape.links, 36);
    assert_int_equal(tmap_tree_position(m->tree, 1, 2), 8);
    assert_true(tmap_tree_distance(m->tree, 0, 1) == 200); /* two hops in the ring */
    assert_true(tmap_tree_distance(m->tree, 0, 2) == 500); /* a link for each pair of groups */
    assert_true(tmap_tree_distance(m->tree, 2, 3) == 500);
    check_written(m, "alltoall 1 9 500 3 0 4 8\ntorus 1 4 100 2 0 2\nnode a tree 1 1 1 -1\n"
                     "node b tree 1 1 1 -1\ntorus 1 4 100 1 3\nnode c tree 1 1 1 -1\n"
                     "torus 1 4 100 1 0\nnode d tree 1 1 1 -1\n");
    reseat_machine_destroy(m);
}

static void what_is_written_can_be_read_again(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"node n0 tree 1 4 2 -1", "node n0 tree 1 4 2 -1\n"},
        {"# one host\n\nnode n0 tree 2 2 5 4 2.5 3 7 0 5 # all\r\n",
         "node n0 tree 2 2 5 4 2.5 3 0 5 7\n"},
        {"node n0 torus 2 3 2 4 0.5 2 1 0\n", "node n0 torus 2 3 2 4 0.5 2 0 1\n"},
        {"tree 2 2 100 3 50 2 5 0\nnode b tree 1 2 1 2 0 1\nnode a tree 1 2 1 -1\n",
         "tree 2 2 100 3 50 2 0 5\nnode a tree 1 2 1 -1\nnode b tree 1 2 1 -1\n"},
        {"tree 1 2 9e2 -1\ntorus 1 4 10 1 3\nnode a tree 1 1 1 -1\ntorus 1 4 10 1 3\n"
         "node b tree 1 1 1 -1\n",
         "tree 1 2 900 -1\ntorus 1 4 10 1 3\nnode a tree 1 1 1 -1\ntorus 1 4 10 1 3\n"
         "node b tree 1 1 1 -1\n"},
        {"alltoall 1 2 7 -1\nnode a alltoall 1 3 2 -1\nnode b alltoall 1 3 2 -1\n",
         "alltoall 1 2 7 -1\nnode a alltoall 1 3 2 -1\nnode b alltoall 1 3 2 -1\n"},
        {"torus 2 4 0.3 4 0.7 2 15 3\nnode a tree 1 1 1 -1\nnode b tree 1 1 1 -1\n",
         "torus 2 4 0.3 4 0.7 2 3 15\nnode b tree 1 1 1 -1\nnode a tree 1 1 1 -1\n"},
        /* hosts with other sizes, costs, numbers of levels */
        {"tree 1 4 100 -1\nnode a tree 3 2 80 2 40 4 10 -1\nnode b tree 3 2 80 4 20 2 10 1 9\n"
         "node c tree 1 8 10 2 0 7\nnode d tree 3 3 80 1 40 6 10 1 17\n",
         "tree 1 4 100 -1\nnode a tree 3 2 80 2 40 4 10 -1\nnode b tree 3 2 80 4 20 2 10 1 9\n"
         "node c tree 1 8 10 2 0 7\nnode d tree 3 3 80 1 40 6 10 1 17\n"},
        {"tree 1 2 100 -1\nnode a tree 2 2 5 4 10 -1\nnode b tree 2 4 5 1 10 -1\n",
         "tree 1 2 100 -1\nnode a tree 2 2 5 4 10 -1\nnode b tree 2 4 5 1 10 -1\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reseat_machine *machine = read_text(cases[i].text);
        check_written(machine, cases[i].want);
        reseat_machine_destroy(machine);
        machine = read_text(cases[i].want);
        check_written(machine, cases[i].want);
        reseat_machine_destroy(machine);
    }
}

/* Levels of hosts that differ are one cost each. */
static void hosts_that_differ_keep_their_distances(void **state)
{
    struct reseat_machine *m = read_text("tree 1 2 100 -1\nnode a tree 3 2 80 2 40 4 10 -1\n"
                                         "node b tree 2 2 80 4 20 -1\n");
    (void)state;
    assert_int_equal(tmap_tree_depth(m->tree), 5); /* 100 80 40 20 10 */
    assert_true(tmap_tree_distance(m->tree, 0, 1) == 10);
    assert_true(tmap_tree_distance(m->tree, 0, 4) == 40);
    assert_true(tmap_tree_distance(m->tree, 0, 8) == 80);
    assert_true(tmap_tree_distance(m->tree, 16, 17) == 20);
    assert_true(tmap_tree_distance(m->tree, 16, 20) == 80);
    assert_true(tmap_tree_distance(m->tree, 0, 16) == 100);
    assert_int_equal(m->number_of[20], 4);
    reseat_machine_destroy(m);
}

static void what_is_wrong_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", ": names no host"},
        {"# nothing\n\n", ": names no host"},
        {"mesh 1 4 1 -1\n", ":1: [node HOST] tree, torus, ring or alltoall is expected"},
        {"node n0\n", ":1: [node HOST] tree, torus, ring or alltoall is expected"},
        {"node\n", ":1: '' is not a host name"},
        {"node -x tree 1 4 1 -1\n", ":1: '-x' is not a host name"},
        {"tree 0 -1\n", ":1: a tree of 1 to 32 dimensions is expected"},
        {"torus 17 2 1 -1\n", ":1: a torus of 1 to 16 dimensions is expected"},
        {"tree x 2 1 -1\n", ":1: a tree of 1 to 32 dimensions is expected"},
        {"\ntree 2 2 1 -1\n", ":2: dimension 2 of 2: a size and a cost are expected"},
        {"tree 1 0 1 -1\n", ":1: dimension 1 of 1: a size and a cost are expected"},
        {"tree 1 4 -1 -1\n", ":1: dimension 1 of 1: a size and a cost are expected"},
        {"tree 1 4 1.5x -1\n", ":1: dimension 1 of 1: a size and a cost are expected"},
        {"tree 1 4 1.2345678901234567 -1\n",
         ":1: dimension 1 of 1: a size and a cost are expected"},
        {"tree 1 4 1e23 -1\n", ":1: dimension 1 of 1: a size and a cost are expected"},
        {"torus 1 4 0 -1\n", ":1: a hop of a torus costs more than 0"},
        {"ring 2 4 1 4 1 -1\n", ":1: a ring of 1 to 1 dimensions is expected"},
        {"alltoall 1 4 0 -1\n", ":1: a hop of an alltoall costs more than 0"},
        {"alltoall 1 5794 1 -1\n", ":1: an alltoall of more than 16777216 links"},
        {"tree 2 8192 1 8192 1 -1\n", ":1: more than 16777216 elements in one"},
        {"node a tree 1 4 1\n", ":1: the number of available elements has to be -1 or 1 to 4"},
        {"node a tree 1 4 1 0\n", ":1: the number of available elements has to be -1 or 1 to 4"},
        {"node a tree 1 4 1 5 0 1 2 3 4\n",
         ":1: the number of available elements has to be -1 or 1 to 4"},
        {"node a tree 1 4 1 -1 0\n", ":1: nothing may follow -1, which is all"},
        {"node a tree 1 4 1 2 0\n", ":1: fewer than the 2 indices that are announced"},
        {"node a tree 1 4 1 2 0 1 2\n", ":1: more than the 2 indices that are announced"},
        {"node a tree 1 4 1 2 0 x\n", ":1: fewer than the 2 indices that are announced"},
        {"node a tree 1 4 1 2 0 4\n", ":1: index 4: there are only 0 to 3"},
        {"node a tree 1 4 1 3 2 0 2\n", ":1: index 2 twice"},
        {"tree 1 4 9 2 0 1\nnode a tree 1 4 1 -1\n",
         ":2: the file ends here, and of the 2 elements of line 1 there are 1"},
        {"tree 1 4 9 1 0\nnode a tree 1 4 1 -1\nnode b tree 1 4 1 -1\n",
         ":3: one element too many: those before are complete"},
        {"tree 1 2 9 -1\nnode a tree 1 4 1 -1\nnode a tree 1 4 1 -1\n",
         ":3: host a is in line 2 already"},
        {"tree 1 2 9 -1\ntree 1 1 5 -1\nnode a tree 1 4 1 -1\ntree 1 2 5 -1\n",
         ":4: differs from line 2, which is at the same depth"},
        {"tree 1 2 9 -1\ntree 1 1 5 -1\nnode a tree 1 4 1 -1\ntorus 1 1 5 -1\n",
         ":4: differs from line 2, which is at the same depth"},
        {"tree 1 2 9 -1\ntree 1 1 5 -1\nnode a tree 1 4 1 -1\nnode b tree 1 4 1 -1\n",
         ":4: differs from line 2, which is at the same depth"},
        {"tree 1 2 9 -1\nnode a tree 1 4 1 -1\ntree 1 1 5 -1\nnode b tree 1 4 1 -1\n",
         ":3: differs from line 2, which is at the same depth"},
        {"tree 1 2 9 -1\nnode a tree 1 4 1 -1\nnode b torus 1 4 1 -1\n",
         ":3: a host with a network inside, and others differ"},
        {"tree 1 2 9 -1\nnode a tree 1 4 1 -1\nnode b tree 2 4 1 2 1 -1\n",
         ":3: hosts differ, and here costs do not fall from the root"},
        {"tree 1 2 9 -1\nnode a tree 2 4096 2 2048 1 -1\nnode b tree 1 4 1 -1\n",
         ":2: more than 4194304 leaves"},
        {"tree 32 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "
         "1 "
         "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 -1\n",
         ":1: more than 32 levels"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reseat_machine *machine = NULL;
        struct reseat_error error = {""};
        char want[256];
        write_file(cases[i].text);
        snprintf(want, sizeof want, "%s%s", path, cases[i].reason);
        if (reseat_netloc_read(&machine, path, &error) != -1 || machine ||
            strncmp(error.text, want, strlen(want)) != 0)
            fail_msg("'%s': '%s', not '%s'", cases[i].text, error.text, want);
    }
}

static void a_line_is_recognized(void **state)
{
    (void)state;
    assert_true(reseat_netloc_begins("torus 3 4 1600"));
    assert_true(reseat_netloc_begins(" tree\t1 4 800 1 0"));
    assert_true(reseat_netloc_begins("node n0 tree 4 2 80"));
    assert_true(reseat_netloc_begins("alltoall 1 9 500 -1"));
    assert_false(reseat_netloc_begins("node s0 top"));
    assert_false(reseat_netloc_begins("tree s0"));
    assert_false(reseat_netloc_begins("n0 tree 4"));
    assert_false(reseat_netloc_begins(""));
}

static void memory_runs_out_at_every_place(void **state)
{
    int failures = 0;
    (void)state;
    write_file("alltoall 1 2 100 -1\ntorus 1 4 50 2 1 3\nnode a tree 3 2 80 2 40 4 10 2 0 9\n"
               "node b tree 1 2 10 -1\ntorus 1 4 50 1 2\nnode c tree 1 8 10 -1\n");
    for (long k = 0; k < 1000; k++) {
        struct reseat_machine *machine = NULL;
        struct reseat_error error = {""};
        fail_at = k;
        int rc = reseat_netloc_read(&machine, path, &error);
        int failed = fail_at < 0;
        fail_at = -1;
        reseat_machine_destroy(machine);
        if (!failed) {
            assert_int_equal(rc, 0);
            break;
        }
        assert_int_equal(rc, -1);
        assert_null(machine);
        assert_true(error.text[0] != '\0');
        failures++;
    }
    assert_true(failures > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_paper),
        cmocka_unit_test(a_torus_wraps),
        cmocka_unit_test(rings_and_alltoall),
        cmocka_unit_test(what_is_written_can_be_read_again),
        cmocka_unit_test(hosts_that_differ_keep_their_distances),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_line),
        cmocka_unit_test(a_line_is_recognized),
        cmocka_unit_test(memory_runs_out_at_every_place),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failures;
}
