/* SPDX-License-Identifier: BSD-3-Clause */
/* test-array.c - an array that grows keeps its items, has room before they need it, and is as it was when memory is
 * short. Allocation is wrapped, and every k-th one fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <malloc.h>
#include <stdlib.h>

#include "base/array.h"
#include "failing.h"

enum { ITEMS = 1000 };

/* Not inlined: the compiler would see that realloc may have freed what is looked at below. */
static __attribute__((noinline)) int *grow(int *items, size_t count)
{
    return array_grow(items, count, sizeof *items);
}

static void items_stay_and_room_is_ahead_of_them(void **state)
{
    int *items = NULL, moves = 0;
    (void)state;
    for (int i = 0; i < ITEMS; i++) {
        size_t before = i ? malloc_usable_size(items) : 0;
        items = grow(items, (size_t)i);
        assert_non_null(items);
        assert_true(malloc_usable_size(items) >= ((size_t)i + 1) * sizeof *items);
        moves += malloc_usable_size(items) != before;
        items[i] = 3 * i;
    }
    assert_in_range(moves, 2, 11); /* at the powers of two up to 512 */
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(items[i], 3 * i);
    free(items);
}

static void without_memory_the_array_is_as_it_was(void **state)
{
    int *items = grow(NULL, 0);
    (void)state;
    assert_non_null(items);
    items[0] = 7;
    fail_at = 0;
    assert_null(grow(items, 1));
    fail_at = -1;
    assert_int_equal(items[0], 7);
    items = grow(items, 1);
    assert_non_null(items);
    assert_int_equal(items[0], 7);
    free(items);
}

static void an_item_is_put_where_it_belongs(void **state)
{
    int *items = NULL;
    size_t count = 0;
    (void)state;
    for (int i = 0; i < ITEMS; i += 2)
        assert_int_equal(array_add(&items, &count, &i, sizeof i), 0);
    for (int i = 1; i < ITEMS; i += 2)
        assert_int_equal(array_insert(&items, &count, (size_t)i, &i, sizeof i), 0);
    assert_int_equal(count, ITEMS);
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(items[i], i);
    free(items);
}

static void without_memory_no_item_is_put(void **state)
{
    int *items = NULL, *before, item = 7;
    size_t count = 0;
    (void)state;
    assert_int_equal(array_add(&items, &count, &item, sizeof item), 0);
    before = items;
    fail_at = 0;
    assert_int_equal(array_insert(&items, &count, 0, &item, sizeof item), -1);
    fail_at = -1;
    assert_ptr_equal(items, before);
    assert_int_equal(count, 1);
    assert_int_equal(items[0], 7);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_item_is_put_where_it_belongs),
        cmocka_unit_test(without_memory_no_item_is_put),
        cmocka_unit_test(items_stay_and_room_is_ahead_of_them),
        cmocka_unit_test(without_memory_the_array_is_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
