/* SPDX-License-Identifier: BSD-3-Clause */
/* test-output.c - which outputs verify takes for equal: two plain runs, two in another order, and
 * what is found. `|` ends a line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/output/output.h"

struct vector {
    const char *name;
    const char *plain[2], *ordered[2];
    int differing, sorted_otherwise;
    const char *was, *is; /* NULL: not looked at */
};

static const struct vector vectors[] = {
    {"the same", {"sum 42|", "sum 42|"}, {"sum 42|", "sum 42|"}, 0, 0, "", ""},
    {"nothing", {"", ""}, {"", ""}, 0, 0, "", ""},
    {"a whole number",
     {"0 wrong blocks|", "0 wrong blocks|"},
     {"140 wrong blocks|", "140 wrong blocks|"},
     2,
     0,
     "0 wrong blocks",
     "140 wrong blocks"},
    {"in one run of two", {"sum 42|", "sum 42|"}, {"sum 42|", "sum 43|"}, 1, 0, "sum 42", "sum 43"},
    {"last digits of a sum",
     {"energy -3.14159265358979|", "energy -3.14159265358979|"},
     {"energy -3.14159265358812|", "energy -3.14159265358812|"},
     0,
     0,
     "",
     ""},
    {"rounding of few digits",
     {"x 1.2344|", "x 1.2344|"},
     {"x 1.2345|", "x 1.2343|"},
     0,
     0,
     "",
     ""},
    {"more than rounding",
     {"x 1.2344|", "x 1.2344|"},
     {"x 1.2347|", "x 1.2347|"},
     2,
     0,
     "x 1.2344",
     "x 1.2347"},
    {"one digit is no rounding",
     {"x 0.5|", "x 0.5|"},
     {"x 0.6|", "x 0.6|"},
     2,
     0,
     "x 0.5",
     "x 0.6"},
    {"noise near zero",
     {"residual 3.1e-17|", "residual 3.1e-17|"},
     {"residual -4.4e-16|", "residual 0.0|"},
     0,
     0,
     "",
     ""},
    {"Fortran's exponents",
     {"r 1.25D+03|", "r 1.25D+03|"},
     {"r 1.25D+02|", "r 1.25D+02|"},
     2,
     0,
     NULL,
     NULL},
    {"a number that ends a sentence",
     {"there are 5.|", "there are 5.|"},
     {"there are 6.|", "there are 6.|"},
     2,
     0,
     NULL,
     NULL},
    {"a time that varies", {"t 1.25|", "t 1.31|"}, {"t 0.4|", "t 0.41|"}, 0, 0, "", ""},
    {"a time that happens not to",
     {"Loop time of 0.3 on 4 procs|", "Loop time of 0.3 on 4 procs|"},
     {"Loop time of 0.1 on 4 procs|", "Loop time of 0.1 on 4 procs|"},
     0,
     0,
     "",
     ""},
    {"but the rest of such a line counts",
     {"Loop time of 0.3 on 4 procs|", "Loop time of 0.3 on 4 procs|"},
     {"Loop time of 0.1 on 5 procs|", "Loop time of 0.1 on 5 procs|"},
     2,
     0,
     NULL,
     NULL},
    {"a unit",
     {"0 wrong, 3 s, 20 MB/s, 5 ns/day|", "0 wrong, 3 s, 20 MB/s, 5 ns/day|"},
     {"0 wrong, 1 s, 60 MB/s, 9 ns/day|", "0 wrong, 1 s, 60 MB/s, 9 ns/day|"},
     0,
     0,
     "",
     ""},
    {"time steps are no times",
     {"timestep 100|", "timestep 100|"},
     {"timestep 101|", "timestep 101|"},
     2,
     0,
     NULL,
     NULL},
    {"dates",
     {"on Sun Nov 22 at 02:59:01|2026-11-22 x 5|", "on Sun Nov 22 at 02:59:09|2026-11-22 x 5|"},
     {"on Mon Nov 23 at 03:00:01|2026-11-23 x 5|", "on Mon Nov 23 at 03:00:09|2026-11-23 x 5|"},
     0,
     0,
     "",
     ""},
    {"an address",
     {"at 0x7ffe12ab|", "at 0x7ffe12ab|"},
     {"at 0x7f1212ac|", "at 0x7f1212ac|"},
     0,
     0,
     "",
     ""},
    {"who is where",
     {"rank 0 on n1|rank 1 on n1.site.org|pid 77, core 3|",
      "rank 0 on n1|rank 1 on n1.site.org|pid 77, core 3|"},
     {"rank 0 on n2|rank 1 on n1|pid 81, core 2|", "rank 0 on n2|rank 1 on n2|pid 82, core 2|"},
     0,
     0,
     "",
     ""},
    {"the begin of a name is none",
     {"mode new, on new-york|", "mode new, on n1|"},
     {"mode ne, on n1|", "mode ne, on n2|"},
     2,
     0,
     "mode new, on new-york",
     "mode ne, on n1"},
    {"a host that nobody knows",
     {"rank 3 on cn0123|", "rank 3 on cn0123|"},
     {"rank 3 on cn0124|", "rank 3 on cn0124|"},
     0,
     0,
     "",
     ""},
    {"lines of ranks in any order",
     {"rank 0 has 100|rank 1 has 101|", "rank 1 has 101|rank 0 has 100|"},
     {"rank 0 has 100|rank 1 has 101|", "rank 1 has 101|rank 0 has 100|"},
     0,
     0,
     "",
     ""},
    {"values at the wrong rank, lines in any order",
     {"rank 0 has 100|rank 1 has 101|", "rank 1 has 101|rank 0 has 100|"},
     {"rank 0 has 101|rank 1 has 100|", "rank 1 has 100|rank 0 has 101|"},
     2,
     0,
     "rank 0 has 100",
     "rank 0 has 101"},
    {"with a time in between",
     {"rank 0 has 100, 0.31 x|rank 1 has 101, 0.35 x|",
      "rank 1 has 101, 0.33 x|rank 0 has 100, 0.30 x|"},
     {"rank 0 has 101, 0.2 x|rank 1 has 100, 0.2 x|",
      "rank 1 has 100, 0.1 x|rank 0 has 101, 0.1 x|"},
     2,
     0,
     "rank 0 has 100, 0.31 x",
     "rank 0 has 101, 0.2 x"},
    {"an order that was the same twice",
     {"rank 0|rank 1|rank 2|", "rank 0|rank 1|rank 2|"},
     {"rank 0|rank 2|rank 1|", "rank 0|rank 1|rank 2|"},
     0,
     1,
     "",
     ""},
    {"words",
     {"n 5|PASSED|", "n 5|PASSED|"},
     {"n 5|FAILED|", "n 5|FAILED|"},
     2,
     0,
     "PASSED",
     "FAILED"},
    {"a line more", {"a|", "a|"}, {"a|b 3|", "a|b 3|"}, 2, 0, "", "b 3"},
    {"a line less", {"a|b 3|", "a|b 3|"}, {"a|", "a|"}, 2, 0, "b 3", ""},
    {"a warning that comes and goes",
     {"a|late by 3|", "a|"},
     {"a|late by 9|late by 7|", "a|"},
     0,
     0,
     "",
     ""},
    {"lines of ranks that are written into each other",
     {"rank 0 step 1 value 3|rank 1 step 1 value 3|rank 1 st|ue 7|",
      "rank 0 step 1 value 3|rank 1 step 1 value 3|rank 2 step 1 value 3|"},
     {"rank 0 step 1 valrank 1 step 1 value 3|rank 2 step 1 value 3|",
      "rank 0 step 1 value 3|rank 1 e 3|"},
     0,
     0,
     "",
     ""},
    {"and a line beside them that is none of theirs",
     {"rank 0 step 1 value 3|rank 1 st|ue 7|", "rank 0 step 1 value 3|rank 1 step 1 value 3|"},
     {"rank 0 step 1 value 3|rank 1 st|ue 7|FAILED|", "rank 0 step 1 value 3|value FAILED|"},
     2,
     0,
     NULL,
     NULL},
    {"a line like that where no plain run has any",
     {"rank 0 step 1|rank 1 step 1|", "rank 0 step 1|rank 1 step 1|"},
     {"rank 0 step 1|rank 1 step 1|rank 0 ep 1|", "rank 0 step 1|rank 1 step 1|rank 0 ep 1|"},
     2,
     0,
     "",
     "rank 0 ep 1"},
    {"names that are made up",
     {"file tmp.a81f done|", "file tmp.77bc done|"},
     {"file tmp.9cd1 done|", "file tmp.1 done|"},
     0,
     0,
     "",
     ""},
    {"a checksum",
     {"md5 a81f03|", "md5 a81f03|"},
     {"md5 77bc03|", "md5 77bc03|"},
     2,
     0,
     "md5 a81f03",
     "md5 77bc03"},
    {"a word that is made up",
     {"session qwhzt opened|sum 42|", "session mkrbv opened|sum 42|"},
     {"session ploin opened|sum 42|", "session xxoei opened|sum 42|"},
     0,
     0,
     "",
     ""},
    {"of each rank another, and what else is in such a line counts",
     {"0 is abe, sum 7|1 is cid, sum 8|", "1 is gus, sum 8|0 is eve, sum 7|"},
     {"0 is hal, sum 7|1 is ida, sum 9|", "0 is leo, sum 7|1 is max, sum 8|"},
     1,
     0,
     "1 is cid, sum 8",
     "1 is ida, sum 9"},
    {"two words that are made up",
     {"a key ab is cd ok|", "a key ef is gh ok|"},
     {"a key ij is kl ok|", "a key mn is op ok|"},
     0,
     0,
     "",
     ""},
    {"a line of nothing else, and one more",
     {"qwhzt|PASSED|", "mkrbv|PASSED|"},
     {"ploin|PASSED|", "xxoei|PASSED|ERROR|"},
     1,
     0,
     "",
     "ERROR"},
    {"a word that is always the same beside it",
     {"qwhzt|PASSED|", "mkrbv|PASSED|"},
     {"ploin|FAILED|", "xxoei|FAILED|"},
     2,
     0,
     "PASSED",
     "FAILED"},
    {"a word where none varies",
     {"session qwhzt opened|", "session mkrbv opened|"},
     {"session ploin FAILED|", "session xxoei FAILED|"},
     2,
     0,
     "session qwhzt opened",
     "session ploin FAILED"},
    {"a line that is nearer to another one teaches nothing",
     {"x m y|", "x a b|x n y|"},
     {"x o y|x k FAILED|", "x p y|"},
     1,
     0,
     "",
     "x k FAILED"},
    {"lines that have nothing in common",
     {"late host|", "bad luck|"},
     {"results differ|", "bad luck|"},
     1,
     0,
     "",
     "results differ"},
    {"an empty line is no word that is made up",
     {"|sum 42|", "qwhzt|sum 42|"},
     {"FAILED|sum 42|", "FAILED|sum 42|"},
     2,
     0,
     "",
     "FAILED"},
    {"in the place of a number no word is made up",
     {"x nan|", "x 1.5|"},
     {"x inf|", "x 1.5|"},
     1,
     0,
     NULL,
     NULL},
    {"tags of launchers",
     {"[1,0]<stdout>:sum 42|[3] sum 42|", "[1,0]<stdout>:sum 42|[3] sum 42|"},
     {"[1,5]<stdout>:sum 42|[2] sum 42|", "[1,5]<stdout>:sum 42|[2] sum 42|"},
     0,
     0,
     "",
     ""},
    {"signs of ours",
     {"# 5 @ x|# y|", "# 5 @ x|# y|"},
     {"# 6 @ x|# y|", "# 6 @ x|# y|"},
     2,
     0,
     "# 5 @ x",
     "# 6 @ x"},
    {"control characters are not shown",
     {"\033[31mred 1|", "\033[31mred 1|"},
     {"\033[31mred 2|", "\033[31mred 2|"},
     2,
     0,
     "\\x1b[31mred 1",
     "\\x1b[31mred 2"},
    {"not a number", {"x nan|", "x nan|"}, {"x 1.0|", "x 1.0|"}, 2, 0, "x nan", "x 1.0"},
    {"no end of the last line",
     {"sum 42", "sum 42"},
     {"sum 43", "sum 43"},
     2,
     0,
     "sum 42",
     "sum 43"},
};

static void read_text(struct output *output, const char *text, enum output_stream stream)
{
    char first[] = "n1", second[] = "n2", third[] = "new-york";
    char *names[] = {first, second, third};
    const struct output_hosts hosts = {names, 3};
    FILE *file = tmpfile();
    assert_non_null(file);
    for (; *text; text++)
        fputc(*text == '|' ? '\n' : *text, file);
    assert_int_equal(output_read(output, file, stream, &hosts), 0);
    fclose(file);
}

static void compare_vector(const struct vector *v)
{
    struct output plain[2], ordered[2];
    struct output_finding found;
    for (int i = 0; i < 2; i++) {
        read_text(&plain[i], v->plain[i], OUTPUT_STDOUT);
        read_text(&ordered[i], v->ordered[i], OUTPUT_STDOUT);
    }
    assert_int_equal(output_compare(plain, 2, ordered, 2, &found), 0);
    if (found.differing != v->differing || found.is_sorted_otherwise != v->sorted_otherwise ||
        (v->was && (strcmp(found.plain, v->was) != 0 || strcmp(found.ordered, v->is) != 0)))
        fail_msg("%s: %d differ, %d in another order, '%s' and '%s'", v->name, found.differing,
                 found.is_sorted_otherwise, found.plain, found.ordered);
    for (int i = 0; i < 2; i++) {
        output_destroy(&plain[i]);
        output_destroy(&ordered[i]);
    }
}

static void outputs_are_compared(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        compare_vector(&vectors[i]);
}

static void our_lines_and_launchers_do_not_count(void **state)
{
    (void)state;
    struct output output;
    read_text(&output,
              "reseat: 3 ranks|[node1:77] warning|----------------|a warning of the program|",
              OUTPUT_STDERR);
    assert_int_equal(output.count, 1);
    assert_string_equal(output.lines[0].shape, "a warning of the program");
    output_destroy(&output);
}

/* The bytes behind a host name in memory are NUL, too. */
static void a_nul_ends_a_host(void **state)
{
    (void)state;
    static const char text[] = "n1\0x 5\n";
    char name[16] = "n1", *names[] = {name};
    const struct output_hosts hosts = {names, 1};
    struct output output;
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, sizeof text - 1, file), sizeof text - 1);
    assert_int_equal(output_read(&output, file, OUTPUT_STDOUT, &hosts), 0);
    fclose(file);
    assert_string_equal(output.lines[0].shape, "@?x #");
    output_destroy(&output);
}

/* Any bytes: nothing is read or written where it should not be
 * (run with sanitizers or valgrind). */
static void bytes_are_read(void **state)
{
    (void)state;
    static const char signs[] = {0,          '\n', '.', '-', '+', 'e',  'D',  '1', '0',
                                 'x',        '[',  ']', ',', ' ', '/',  '#',  '@', 'n',
                                 (char)0xff, ':',  '<', '>', 's', '\r', '\t', 'o'};
    unsigned random = 1;
    char first[] = "n", second[] = "no", *names[] = {first, second};
    const struct output_hosts hosts = {names, 2};
    for (int round = 0; round < 300; round++) {
        struct output output[2];
        struct output_finding found;
        FILE *file = tmpfile();
        assert_non_null(file);
        for (int i = 0; i < round; i++) {
            random = random * 1103515245 + 12345;
            fputc(signs[(random >> 16) % sizeof signs], file);
        }
        assert_int_equal(output_read(&output[0], file, OUTPUT_STDOUT, &hosts), 0);
        assert_int_equal(output_read(&output[1], file, OUTPUT_STDOUT, &hosts), 0);
        assert_int_equal(output_compare(&output[0], 1, &output[1], 1, &found), 0);
        assert_int_equal(found.differing, 0);
        output_destroy(&output[0]);
        output_destroy(&output[1]);
        fclose(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(outputs_are_compared),
                                       cmocka_unit_test(our_lines_and_launchers_do_not_count),
                                       cmocka_unit_test(a_nul_ends_a_host),
                                       cmocka_unit_test(bytes_are_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
