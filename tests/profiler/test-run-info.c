/* SPDX-License-Identifier: BSD-3-Clause */
/* test-run-info.c - the head of a profile describes this process; the test starts itself with other
 * arguments and prints what is found. */
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

#include "profiler/run-info.h"

static char program[PATH_MAX];

static void the_program_has_its_whole_path(void **state)
{
    char text[RUN_INFO_SIZE];
    (void)state;
    assert_string_equal(run_info_program(text), program);
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
        snprintf(command, sizeof command, "RUN_INFO_PRINT=1 '%s' %s", program, cases[i].words);
        FILE *pipe = popen(command, "r");
        assert_non_null(pipe);
        assert_non_null(fgets(said, sizeof said, pipe));
        assert_int_equal(pclose(pipe), 0);
        assert_string_equal(said, cases[i].expected);
    }
}

static void many_arguments_are_cut(void **state)
{
    char command[PATH_MAX + 128], said[2 * RUN_INFO_SIZE] = "";
    (void)state;
    snprintf(command, sizeof command, "RUN_INFO_PRINT=1 '%s' $(seq 10000 12000)", program);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(said, sizeof said, pipe));
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(strncmp(said, "<10000 10001 10002 ", 19), 0);
    assert_in_range(strlen(said), RUN_INFO_SIZE - strlen(program) - 8, RUN_INFO_SIZE);
}

static void the_date_is_one(void **state)
{
    char text[RUN_INFO_SIZE];
    int part[6], end = 0;
    (void)state;
    assert_int_equal(sscanf(run_info_date(text), "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &part[0], &part[1],
                            &part[2], &part[3], &part[4], &part[5], &end),
                     6);
    assert_int_equal(end, 20);
    assert_int_equal(text[20], '\0');
    assert_in_range(part[0], 2024, 2200);
}

static void the_host_has_its_name_and_no_place(void **state)
{
    struct reseat_seat seat;
    char host[sizeof seat.host] = "";
    (void)state;
    assert_int_equal(gethostname(host, sizeof host - 1), 0);
    memset(&seat, 1, sizeof seat);
    run_info_host(&seat);
    assert_string_equal(seat.host, host);
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        assert_int_equal(seat.place.at[level], -1);
    memset(&seat, 1, sizeof seat);
    run_info_seat(&seat);
    assert_string_equal(seat.host, host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_has_its_whole_path),
        cmocka_unit_test(arguments_are_those_of_the_command_line),
        cmocka_unit_test(many_arguments_are_cut),
        cmocka_unit_test(the_date_is_one),
        cmocka_unit_test(the_host_has_its_name_and_no_place),
    };
    char text[RUN_INFO_SIZE];
    if (getenv("RUN_INFO_PRINT"))
        return printf("<%s>\n", run_info_arguments(text)) < 0;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    return cmocka_run_group_tests(tests, NULL, NULL);
}
