/* SPDX-License-Identifier: BSD-3-Clause */
/* test-origin.c - whether a profile is of the program that runs now. The test starts itself with other arguments
 * and prints what it finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/origin.h"

static char program[PATH_MAX];

static void the_program_has_its_whole_path(void **state)
{
    char text[ORIGIN_SIZE];
    (void)state;
    assert_string_equal(origin_own_program(text), program);
    assert_int_equal(text[0], '/');
}

/* Started by a shell with these words; all ends where there is no more room. */
static void arguments_are_those_of_the_command_line(void **state)
{
    static const struct {
        const char *words, *expected;
    } cases[] = {
        {"", "<>\n"},           {"a", "<a>\n"},         {"a 'b c' d", "<a b c d>\n"},
        {"a '' d", "<a  d>\n"}, {"-n '' ''", "<-n>\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char command[PATH_MAX + 128], said[128] = "";
        snprintf(command, sizeof command, "ORIGIN_PRINT=1 '%s' %s", program, cases[i].words);
        FILE *pipe = popen(command, "r");
        assert_non_null(pipe);
        assert_non_null(fgets(said, sizeof said, pipe));
        assert_int_equal(pclose(pipe), 0);
        assert_string_equal(said, cases[i].expected);
    }
}

static void many_arguments_are_cut(void **state)
{
    char command[PATH_MAX + 128], said[2 * ORIGIN_SIZE] = "";
    (void)state;
    snprintf(command, sizeof command, "ORIGIN_PRINT=1 '%s' $(seq 10000 12000)", program);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(said, sizeof said, pipe));
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(strncmp(said, "<10000 10001 10002 ", 19), 0);
    assert_in_range(strlen(said), ORIGIN_SIZE - strlen(program) - 8, ORIGIN_SIZE);
}

/* ---- comparisons ---- */

static int compare(const char *const header[3], const struct origin *now, int has_collectives,
                   char note[ORIGIN_NOTES][ORIGIN_NOTE_SIZE])
{
    static char keys[3][16] = {"program", "arguments", "mpi"};
    struct reseat_header headers[3];
    struct reseat_domain world = {.count = {[RESEAT_COLL] = (size_t)has_collectives}};
    struct reseat_profile profile = {.headers = headers, .domains = &world, .domains_count = 1};
    for (int i = 0; i < 3; i++)
        if (header[i])
            headers[profile.headers_count++] = (struct reseat_header){keys[i], (char *)header[i]};
    return origin_compare(&profile, "app.reseat", now, note);
}

/* Launchers that hand a variable through a shell do not change it. */
static void a_command_line_survives_launchers(void **state)
{
    static const char line[] = "mpirun -n 4 -x 'A=b;c' ./a '$(x)' \"%41%\" \xc3\xa4\n\t\\";
    char packed[ORIGIN_SIZE], text[ORIGIN_SIZE], longest[ORIGIN_SIZE];
    (void)state;
    assert_int_equal(origin_pack_command(packed, line), 0);
    assert_int_equal(strspn(packed, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                    "_-+./:,=@%"),
                     strlen(packed));
    assert_int_equal(setenv("RESEAT_COMMAND", packed, 1), 0);
    assert_string_equal(origin_own_command(text), line);
    assert_int_equal(setenv("RESEAT_COMMAND", "a%2", 1), 0); /* not ours */
    assert_string_equal(origin_own_command(text), "a%2");
    assert_int_equal(unsetenv("RESEAT_COMMAND"), 0);
    assert_string_equal(origin_own_command(text), "");
    memset(longest, ';', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(origin_pack_command(packed, longest), -1);
}

static void programs_are_compared_by_name(void **state)
{
    static const struct {
        const char *then, *then_arguments, *now, *now_arguments, *differ;
    } cases[] = {
        {"/a/halo", "64", "/b/c/halo", "128 -x", NULL},
        {"/a/halo", "64", "/a/halo (deleted)", "", NULL},
        {"/a/halo", NULL, "/a/heat", "64", "halo, and this program is heat"},
        {NULL, NULL, "/a/heat", "", NULL}, /* made of a matrix */
        {"/a/halo", "", NULL, NULL, NULL}, /* a shell script, to the command */
        {"/usr/bin/python3.11", "a.py 8", "/opt/bin/python3.12", "/x/a.py 9", NULL},
        {"/usr/bin/python3.11", "a.py", "/usr/bin/python3.11", "b.py",
         "a.py, and this program is b.py"},
        {"/usr/bin/python3.11", NULL, "/usr/bin/python3.11", "b.py", NULL}, /* --no-arguments */
        {"/usr/bin/python3.11", NULL, "/a/heat", "b.py", "python, and this program is heat"},
        {"/a/halo", "a.py", "/usr/bin/python3.11", "a.py", "halo, and this program is a.py"},
        {"/usr/bin/python3.11", "-u -W ignore -m mpi4py a.py", "/usr/bin/python3.11",
         "-X dev a.py -W", NULL},
        {"/usr/bin/python3.11", "-m solver.run", "/usr/bin/python3.11", "-m other.run",
         "solver.run, and this program is other.run"},
        {"/usr/bin/python3.11", "-c import a", "/usr/bin/python3.11", "-c import b", NULL},
        {"/usr/lib/R/bin/exec/R", "--no-echo --file=a.R", "/usr/lib/R/bin/exec/R", "--file=b/a.R",
         NULL},
        {"/usr/bin/julia", "-t 4 a.jl", "/usr/bin/julia", "-t 8 a.jl", NULL},
        {"/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "./halo 4", "/a/halo", "", NULL},
        {"/usr/lib/ld-linux-x86-64.so.2", "--library-path /x ./halo", "/a/halo", "", NULL},
        {"/usr/lib/ld-linux-x86-64.so.2", "--library-path /x ./halo", "/a/heat", "",
         "halo, and this program is heat"},
        {"/a/.libs/lt-halo", "", "/usr/bin/halo", "", NULL},
        {"/usr/bin/python3.11", "2d.py small.in", "/usr/bin/python3.11", "2d.py large.in", NULL},
        {"/usr/bin/python3.11", "2d.py a.in", "/usr/bin/python3.11", "3d.py a.in",
         "2d.py, and this program is 3d.py"},
        {"/usr/bin/python3.11", "-m cProfile -o a.prof a.py", "/usr/bin/python3.11", "a.py", NULL},
        {"/usr/bin/python3.11", "/x/bin/gpaw run", "/usr/bin/python3.11", "-m pdb /x/bin/gpaw run",
         NULL},
        {"/usr/bin/python3.11", "-m mpi4py.futures a.py", "/usr/bin/python3.11", "a.py", NULL},
        {"/usr/bin/python3.11", "/my files/a.py", "/usr/bin/python3.11", "/your files/a.py", NULL},
        {"/usr/bin/octave-cli-7.3.0", "a.m", "/usr/bin/octave-cli-8.4.0", "a.m", NULL},
        {"/usr/bin/java", "-cp build A", "/usr/bin/java", "-cp /opt/a A", NULL},
        {"/usr/bin/perl", "a.pl", "/usr/bin/ruby", "", "a.pl, and this program is ruby"},
        {"/a/halo", "", "/usr/lib/reseat/reseat-replay-openmpi", "app.reseat", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const header[3] = {cases[i].then, cases[i].then_arguments, NULL};
        const struct origin now = {.program = cases[i].now, .arguments = cases[i].now_arguments};
        char note[ORIGIN_NOTES][ORIGIN_NOTE_SIZE] = {"", ""}, expected[256] = "";
        int notes = compare(header, &now, 1, note);
        if (cases[i].differ)
            snprintf(expected, sizeof expected,
                     "app.reseat is a profile of %s: it may send other messages", cases[i].differ);
        if (notes != !!cases[i].differ || strcmp(note[0], expected) != 0)
            fail_msg("%zu: %d notes, '%s', expected '%s'", i, notes, note[0], expected);
    }
}

/* Only if there is what collectives have sent. */
static void another_mpi_has_other_collectives(void **state)
{
    static const char *const openmpi[3] = {"/a/halo", NULL, "Open MPI v4.1.4, package: Debian"},
                             *const mpich[3] = {"/a/halo", NULL, "MPICH Version: 4.0.2"},
                             *const other[3] = {"/a/halo", NULL, "some MPI"};
    struct origin now = {.program = "/a/heat", .is_openmpi = 1};
    char note[ORIGIN_NOTES][ORIGIN_NOTE_SIZE];
    (void)state;
    assert_int_equal(compare(mpich, &now, 1, note), 2);
    assert_string_equal(note[1], "app.reseat was recorded with MPICH, and this MPI is Open MPI, "
                                 "whose collectives send other messages");
    assert_int_equal(compare(mpich, &now, 0, note), 1);
    now.program = "/b/halo";
    assert_int_equal(compare(mpich, &now, 1, note), 1);
    assert_int_equal(compare(openmpi, &now, 1, note), 0);
    assert_int_equal(compare(other, &now, 1, note), 0);
    now = (struct origin){.program = "/b/halo", .is_mpich = 1};
    assert_int_equal(compare(openmpi, &now, 1, note), 1);
    assert_int_equal(compare(mpich, &now, 1, note), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_has_its_whole_path),
        cmocka_unit_test(arguments_are_those_of_the_command_line),
        cmocka_unit_test(many_arguments_are_cut),
        cmocka_unit_test(a_command_line_survives_launchers),
        cmocka_unit_test(programs_are_compared_by_name),
        cmocka_unit_test(another_mpi_has_other_collectives),
    };
    char text[ORIGIN_SIZE];
    if (getenv("ORIGIN_PRINT"))
        return printf("<%s>\n", origin_own_arguments(text)) < 0;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    return cmocka_run_group_tests(tests, NULL, NULL);
}
