/* SPDX-License-Identifier: BSD-3-Clause */
/* test-handles.c - the table in which every message is looked up: it finds what is in it and
 * nothing else, while it grows, after removals, and while other threads insert. No MPI is
 * needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/handles.h"

enum { MANY = 5000, THREADS = 4 };
static char values[MANY + 2];

/* Handles as MPIs have them: small ints with flags on top, or addresses. */
static uintptr_t small(int i)
{
    return 0x84000000u + (uintptr_t)i;
}

static uintptr_t address(int i)
{
    return (uintptr_t)0x55550000 + 64 * (uintptr_t)i;
}

static int visited;
static void visit(void *value)
{
    assert_non_null(value);
    visited++;
}

static void an_empty_table_finds_nothing(void **state)
{
    (void)state;
    struct handles table = HANDLES_INIT;
    assert_null(handles_find(&table, small(1)));
    assert_null(handles_remove(&table, small(1)));
    handles_clear(&table, visit);
    handles_clear(&table, visit);
}

static void what_is_inserted_is_found_and_what_is_removed_is_not(void **state)
{
    uintptr_t (*const kinds[])(int) = {small, address};
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        struct handles table = HANDLES_INIT;
        for (int i = 0; i < MANY; i++) {
            assert_ptr_equal(handles_insert(&table, kinds[kind](i), &values[i]), &values[i]);
            assert_ptr_equal(handles_find(&table, kinds[kind](0)), &values[0]);
            assert_null(handles_find(&table, kinds[kind](i + 1)));
        }
        for (int i = 0; i < MANY; i += 3)
            assert_ptr_equal(handles_remove(&table, kinds[kind](i)), &values[i]);
        for (int i = 0; i < MANY; i++)
            assert_ptr_equal(handles_find(&table, kinds[kind](i)), i % 3 ? &values[i] : NULL);
        visited = 0;
        handles_clear(&table, visit);
        assert_int_equal(visited, MANY - (MANY + 2) / 3);
    }
}

static void the_first_value_of_a_key_stays(void **state)
{
    (void)state;
    struct handles table = HANDLES_INIT;
    handles_insert(&table, small(7), &values[1]);
    assert_ptr_equal(handles_insert(&table, small(7), &values[2]), &values[1]);
    assert_ptr_equal(handles_remove(&table, small(7)), &values[1]);
    assert_ptr_equal(handles_insert(&table, small(7), &values[2]), &values[2]);
    handles_clear(&table, visit);
}

/* MPI hands out the same handle again and again:
 * communicators that are made and freed in a loop. */
static void reuse_does_not_fill_the_table(void **state)
{
    (void)state;
    struct handles table = HANDLES_INIT;
    size_t before = mallinfo2().uordblks;
    for (int i = 0; i < 100 * MANY; i++) {
        assert_non_null(handles_insert(&table, small(i % 10), &values[i % 10]));
        assert_ptr_equal(handles_remove(&table, small(i % 10)), &values[i % 10]);
    }
    assert_in_range(mallinfo2().uordblks - before, 0, 8192);
    for (int i = 0; i < 10; i++)
        assert_null(handles_find(&table, small(i)));
    handles_clear(&table, visit);
}

static struct handles shared = HANDLES_INIT;
static int lost[THREADS];

/* Thread t owns the keys t, t + THREADS, ...;
 * key 0 has been there before and must always be found. */
static void *insert_and_find(void *argument)
{
    int t = (int)(intptr_t)argument;
    for (int i = THREADS + t; i < MANY; i += THREADS) {
        handles_insert(&shared, address(i), &values[i]);
        lost[t] += handles_find(&shared, address(i)) != &values[i];
        lost[t] += handles_find(&shared, address(0)) != &values[0];
        if (i % 5 == 0)
            lost[t] += handles_remove(&shared, address(i)) != &values[i];
    }
    return NULL;
}

static void threads_lose_nothing(void **state)
{
    pthread_t threads[THREADS];
    (void)state;
    handles_insert(&shared, address(0), &values[0]);
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, insert_and_find, (void *)(intptr_t)t),
                         0);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(lost[t], 0);
    for (int i = THREADS; i < MANY; i++)
        assert_ptr_equal(handles_find(&shared, address(i)), i % 5 ? &values[i] : NULL);
    handles_clear(&shared, visit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_table_finds_nothing),
        cmocka_unit_test(what_is_inserted_is_found_and_what_is_removed_is_not),
        cmocka_unit_test(the_first_value_of_a_key_stays),
        cmocka_unit_test(reuse_does_not_fill_the_table),
        cmocka_unit_test(threads_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
