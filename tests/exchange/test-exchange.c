/* SPDX-License-Identifier: BSD-3-Clause */
/* test-exchange.c - other forms of matrices: every refusal with its exact text, round trips,
 * numbers in every notation; merging. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "exchange/exchange.h"

static char path[] = "/tmp/reseat-exchange.XXXXXX";

static int set_up(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

static void put_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int read_as(struct reseat_profile **profile, enum reseat_format format, const char *text,
                   struct reseat_error *error)
{
    const char *paths[] = {path};
    put_file(text);
    return reseat_exchange_read(profile, format, paths, 1, RESEAT_METRIC_SIZE, 0, error);
}

static const struct {
    enum reseat_format format;
    const char *text;
    const char *reason; /* behind the path */
} refused[] = {
    {RESEAT_FORMAT_MARKET, "", ": is empty"},
    {RESEAT_FORMAT_MARKET, "3 3 1\n",
     ":1: `%%MatrixMarket matrix coordinate FIELD SYMMETRY` is expected"},
    {RESEAT_FORMAT_MARKET, "%%MatrixMarket matrix coordinate real general x\n",
     ":1: `%%MatrixMarket matrix coordinate FIELD SYMMETRY` is expected"},
    {RESEAT_FORMAT_MARKET, "%%MatrixMarket matrix coordinate complex general\n",
     ":1: the numbers have to be integer, real or pattern"},
    {RESEAT_FORMAT_MARKET, "%%MatrixMarket matrix coordinate real skew-symmetric\n",
     ":1: the matrix has to be general or symmetric"},
    {RESEAT_FORMAT_MARKET, "%%MatrixMarket matrix coordinate real general\n",
     ":1: torn: the size is missing"},
    {RESEAT_FORMAT_MARKET, "%%MatrixMarket matrix coordinate real general\n3 4 1\n",
     ":2: `n n entries` is expected here"},
    {RESEAT_FORMAT_MARKET, "%%MatrixMarket matrix coordinate real general\n3 3 1\n",
     ":2: torn: an entry is missing"},
    {RESEAT_FORMAT_MARKET, "%%MatrixMarket matrix coordinate real general\n3 3 1\n0 1 5\n",
     ":3: an entry that cannot be read"},
    {RESEAT_FORMAT_MARKET, "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 4 5\n",
     ":3: an entry that cannot be read"},
    {RESEAT_FORMAT_MARKET, "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 -5\n",
     ":3: an entry that cannot be read"},
    {RESEAT_FORMAT_MARKET, "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 5\n1 2 5\n",
     ": the pair 0 1 is there twice"},
    {RESEAT_FORMAT_MARKET,
     "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 5\n\n% a remark\n2 1 5\n",
     ":6: more entries than were announced"},
    {RESEAT_FORMAT_DENSE, "", ": is empty"},
    {RESEAT_FORMAT_DENSE, "a b\n", ":1: a row of numbers is expected here"},
    {RESEAT_FORMAT_DENSE, "1 2\n", ":1: torn: a row is missing"},
    {RESEAT_FORMAT_DENSE, "1 2\n3\n", ":2: a number cannot be read or is missing"},
    {RESEAT_FORMAT_DENSE, "1 2\n3 4 5\n", ":2: more numbers than in the first row"},
    {RESEAT_FORMAT_DENSE, "1 2\n3 4\n5 6\n", ":3: more rows than numbers in one"},
    {RESEAT_FORMAT_CSV, "0,1,2\n",
     ":1: the first line has to name the columns: source,target and value, or msgs and bytes"},
    {RESEAT_FORMAT_CSV, "source,target,value,bytes\n",
     ":1: the first line has to name the columns: source,target and value, or msgs and bytes"},
    {RESEAT_FORMAT_CSV, "source,source\n", ":1: too many columns"},
    {RESEAT_FORMAT_CSV, "source,target,value\n0,1\n", ":2: a number cannot be read or is missing"},
    {RESEAT_FORMAT_CSV, "source,target,value\n0,1,2,3\n", ":2: a row that cannot be read"},
    {RESEAT_FORMAT_CSV, "source,target,value\n0,16777216,2\n", ":2: a row that cannot be read"},
    {RESEAT_FORMAT_SCOTCH, "1\n", ":1: version 0 is expected here"},
    {RESEAT_FORMAT_SCOTCH, "0\n2\n", ":2: `vertices arcs` is expected here"},
    {RESEAT_FORMAT_SCOTCH, "0\n2 2\n2 010\n", ":3: `base flags` is expected here"},
    {RESEAT_FORMAT_SCOTCH, "0\n2 2\n0 110\n", ":3: labels of vertices are not supported"},
    {RESEAT_FORMAT_SCOTCH, "0\n2 2\n0 010\n1 5 1\n", ":4: torn: a vertex is missing"},
    {RESEAT_FORMAT_SCOTCH, "0\n2 2\n0 010\n1 5 2\n1 5 0\n", ":4: an edge that cannot be read"},
    {RESEAT_FORMAT_SCOTCH, "0\n2 2\n0 010\n1 5 1 7\n1 5 0\n", ":4: more edges than were announced"},
    {RESEAT_FORMAT_SCOTCH, "0\n2 2\n0 010\n1 5 1\n1 5 0\n0\n",
     ":6: more vertices than were announced"},
    {RESEAT_FORMAT_SCOTCH, "0\n2 1\n0 010\n0\n1 5 0\n",
     ": an edge is at one of its vertices only, or has another load there"},
    {RESEAT_FORMAT_SCOTCH, "0\n2 3\n0 010\n1 5 1\n1 5 0\n",
     ": not as many edges as were announced"},
    {RESEAT_FORMAT_METIS, "x\n", ":1: `vertices edges [format [loads]]` is expected here"},
    {RESEAT_FORMAT_METIS, "2 1 001\n2 5\n", ":2: torn: a vertex is missing"},
    {RESEAT_FORMAT_METIS, "2 1 001\n0 5\n1 5\n", ":2: an edge that cannot be read"},
    {RESEAT_FORMAT_METIS, "2 1 001\n2\n1 5\n", ":2: an edge that cannot be read"},
    {RESEAT_FORMAT_METIS, "2 1 001\n2 5\n1 6\n",
     ": an edge is at one of its vertices only, or has another load there"},
    {RESEAT_FORMAT_METIS, "3 2 001\n2 5\n1 5 3 7\n\n",
     ": an edge is at one of its vertices only, or has another load there"},
    {RESEAT_FORMAT_METIS, "3 2 001\n2 5\n1 5\n\n", ": not as many edges as were announced"},
    {RESEAT_FORMAT_METIS, "2 1", ":1: torn: the last line is not complete"},
};

static void forms_that_are_refused(void **state)
{
    (void)state;
    char expected[512];
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct reseat_profile *profile = NULL;
        struct reseat_error error = {""};
        assert_int_equal(read_as(&profile, refused[i].format, refused[i].text, &error), -1);
        assert_null(profile);
        snprintf(expected, sizeof expected, "%s%s", path, refused[i].reason);
        assert_string_equal(error.text, expected);
    }
}

/* Bytes from 0 to 1 and from 1 to 0, in every form. */
static const struct {
    enum reseat_format format;
    const char *text;
    uint64_t there, back;
} taken[] = {
    {RESEAT_FORMAT_MARKET,
     "%%MatrixMarket matrix coordinate real general\n% a remark\n2 2 2\n1 2 2.5e3\n2 1 .07e+2\n",
     2500, 7},
    {RESEAT_FORMAT_MARKET, "%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n2 1 9\n", 9,
     9},
    {RESEAT_FORMAT_MARKET, "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", 1, 0},
    {RESEAT_FORMAT_DENSE, "# a remark\n0 18446744073709551615\n1.6 0\n", UINT64_MAX, 2},
    {RESEAT_FORMAT_CSV, "target,source,value,note\r\n1,0,12,0\r\n0,1,3,0\r\n", 12, 3},
    {RESEAT_FORMAT_CSV, "source,target,messages,bytes\n0,1,4,12\n1,0,1,3\n", 12, 3},
    {RESEAT_FORMAT_SCOTCH, "0\n2 2\n1 011\n8 1 15 2\n8 1 15 1\n", 8, 7},
    {RESEAT_FORMAT_SCOTCH, "0\n2 2\n0 000\n1 1\n1 0\n", 1, 0},
    {RESEAT_FORMAT_METIS, "% a remark\n2 1 111 2\n8 3 4 2 15\n8 3 4 1 15\n", 8, 7},
    {RESEAT_FORMAT_METIS, "2 1\n2\n1\n", 1, 0},
    {RESEAT_FORMAT_METIS, "2 2 001\n2 15 1 3\n1 15\n\n% a remark\n", 8, 7},
};

static uint64_t bytes_of(const struct reseat_profile *profile, int32_t source, int32_t target)
{
    const struct reseat_domain *world = &profile->domains[0];
    for (size_t i = 0; i < world->count[RESEAT_P2P]; i++)
        if (world->entries[RESEAT_P2P][i].source == source &&
            world->entries[RESEAT_P2P][i].target == target)
            return world->entries[RESEAT_P2P][i].bytes;
    return 0;
}

static void forms_that_are_taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        struct reseat_profile *profile = NULL;
        struct reseat_error error = {""};
        int rc = read_as(&profile, taken[i].format, taken[i].text, &error);
        assert_string_equal(error.text, "");
        assert_int_equal(rc, 0);
        assert_int_equal(profile->ranks, 2);
        assert_true(bytes_of(profile, 0, 1) == taken[i].there);
        assert_true(bytes_of(profile, 1, 0) == taken[i].back);
        reseat_profile_destroy(profile);
    }
}

/* What each form keeps of a matrix with an isolated rank and a pair that goes one way. */
static void what_is_written_is_read(void **state)
{
    (void)state;
    struct reseat_profile *plain = NULL;
    struct reseat_error error;
    assert_int_equal(
        read_as(&plain, RESEAT_FORMAT_PLAIN, "5\n0 1 2 30\n1 0 1 10\n3 1 1 8\n4 3 1 2\n", &error),
        0);
    for (int format = RESEAT_FORMAT_PLAIN; format < RESEAT_FORMAT_MONITORING; format++) {
        struct reseat_profile *back = NULL;
        const char *paths[] = {path};
        int graph = format == RESEAT_FORMAT_SCOTCH || format == RESEAT_FORMAT_METIS;
        FILE *file = fopen(path, "w");
        assert_int_equal(reseat_exchange_write(plain, (enum reseat_format)format,
                                               RESEAT_METRIC_SIZE, file, &error),
                         0);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(reseat_exchange_read(&back, (enum reseat_format)format, paths, 1,
                                              RESEAT_METRIC_SIZE, 0, &error),
                         0);
        assert_int_equal(back->ranks, 5);
        assert_int_equal(bytes_of(back, 0, 1), graph ? 20 : 30);
        assert_int_equal(bytes_of(back, 1, 0), graph ? 20 : 10);
        assert_int_equal(bytes_of(back, 3, 1), graph ? 4 : 8);
        assert_int_equal(bytes_of(back, 1, 3), graph ? 4 : 0);
        assert_int_equal(bytes_of(back, 4, 3), graph ? 1 : 2);
        reseat_profile_destroy(back);
    }
    reseat_profile_destroy(plain);
}

static void names(void **state)
{
    (void)state;
    for (int i = 0; i < RESEAT_FORMATS; i++)
        assert_int_equal(reseat_format_named(reseat_format_name(i)), i);
    assert_int_equal(reseat_format_named("x"), -1);
    assert_null(reseat_format_name(RESEAT_FORMATS));
    assert_int_equal(reseat_format_of_name("/a/b.grf"), RESEAT_FORMAT_SCOTCH);
    assert_int_equal(reseat_format_of_name("/a/b"), -1);
    assert_int_equal(reseat_format_of_name(".csv"), -1);
}

/* The first line tells, else the name, else it is plain. */
static void the_file_tells_its_form(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason; /* NULL: it is read */
    } files[] = {{"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 8\n", NULL},
                 {"# reseat profile 1\n# ranks: 2\n# domain 0 function=F parent=- size=2 first=0 "
                  "ordinal=0 members=all\n# p2p\n0\t1\t1\t8\t8\n# end 1\n",
                  NULL},
                 {"2\n0 1 1 8\n", NULL},
                 {"", ": is empty"},
                 {"1\x1b\n", ":1: a control character (0x1b) at byte 2"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *const paths[] = {path};
        char expected[256];
        struct reseat_profile *p = NULL;
        struct reseat_error error = {""};
        put_file(files[i].text);
        int rc =
            reseat_exchange_read(&p, RESEAT_FORMAT_TOLD, paths, 1, RESEAT_METRIC_SIZE, 0, &error);
        snprintf(expected, sizeof expected, "%s%s", path, files[i].reason ? files[i].reason : "");
        if (files[i].reason) {
            assert_int_equal(rc, -1);
            assert_string_equal(error.text, expected);
        } else {
            assert_int_equal(rc, 0);
            assert_int_equal(bytes_of(p, 0, 1), 8);
        }
        reseat_profile_destroy(p);
    }
    const char *const two[] = {path, path};
    struct reseat_profile *p = NULL;
    struct reseat_error error = {""};
    put_file("2\n0 1 1 8\n");
    assert_int_equal(
        reseat_exchange_read(&p, RESEAT_FORMAT_TOLD, two, 2, RESEAT_METRIC_SIZE, 0, &error), -1);
    assert_string_equal(error.text, "one file is read at a time, not 2");
}

/* ---- merging ---- */

#define HEAD "# reseat profile 1\n# ranks: 2\n"
#define WORLD "# domain 0 function=MPI_COMM_WORLD parent=- size=2 first=0 ordinal=0 members=all\n"
#define GRID "function=MPI_Cart_create parent=0 size=2 first=1 ordinal=0 members=1,0\n"
#define GRAPH "function=MPI_Graph_create parent=0 size=2 first=0 ordinal=0 members=0-1\n"

static const char *const runs[] = {
    HEAD "# not_seen: MPI-IO\n" WORLD "# p2p\n0\t1\t2\t20\t10.0\n# p2p phase=1\n0\t1\t1\t1\t1.0\n"
         "# domain 1 " GRID "# coll\n0\t1\t4\t40\t10.0\n# end 3\n",
    HEAD "# not_seen: MPI-IO\n# not_seen: collectives\n" WORLD
         "# p2p\n0\t1\t2\t22\t11.0\n1\t0\t1\t8\t8.0\n"
         "# domain 1 " GRAPH "# domain 2 " GRID "# coll\n0\t1\t4\t40\t10.0\n# end 3\n",
};

static const char merged[] =
    HEAD "# not_seen: MPI-IO\n# not_seen: collectives\n# runs: 2\n" WORLD
         "# p2p\n0\t1\t2\t21\t10.5\n1\t0\t1\t4\t4.0\n# p2p phase=1\n0\t1\t1\t1\t1.0\n"
         "# domain 1 " GRID "# coll\n0\t1\t4\t40\t10.0\n# domain 2 " GRAPH "# end 4\n";

static void runs_are_merged(void **state)
{
    (void)state;
    struct reseat_profile *profile[2] = {NULL, NULL}, *result = NULL;
    struct reseat_spread spread;
    struct reseat_error error = {""};
    char text[4096];
    for (int i = 0; i < 2; i++) {
        put_file(runs[i]);
        assert_int_equal(reseat_profile_read(&profile[i], path, &error), 0);
    }
    assert_int_equal(reseat_profile_merge(&result, (const struct reseat_profile *const *)profile, 2,
                                          &spread, &error),
                     0);
    assert_int_equal(spread.pairs, 4);
    assert_int_equal(spread.everywhere, 2);
    assert_true(spread.between == 2 + 8 + 1);
    assert_true(spread.bytes == 21 + 4 + 0.5 + 40);
    assert_int_equal(reseat_profile_write(result, path, &error), 0);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, merged);
    reseat_profile_destroy(profile[1]);
    put_file("3\n");
    assert_int_equal(read_as(&profile[1], RESEAT_FORMAT_PLAIN, "3\n", &error), 0);
    assert_int_equal(reseat_profile_merge(&result, (const struct reseat_profile *const *)profile, 2,
                                          &spread, &error),
                     -1);
    assert_string_equal(error.text, "run 2 has 3 ranks, the first has 2");
    reseat_profile_destroy(profile[0]);
    reseat_profile_destroy(profile[1]);
    reseat_profile_destroy(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_that_are_refused),  cmocka_unit_test(forms_that_are_taken),
        cmocka_unit_test(what_is_written_is_read), cmocka_unit_test(names),
        cmocka_unit_test(the_file_tells_its_form), cmocka_unit_test(runs_are_merged),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
