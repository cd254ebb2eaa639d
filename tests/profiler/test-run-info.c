/* SPDX-License-Identifier: BSD-3-Clause */
/* test-run-info.c - the head of a profile describes this process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "profiler/run-info.h"

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
        cmocka_unit_test(the_date_is_one),
        cmocka_unit_test(the_host_has_its_name_and_no_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
