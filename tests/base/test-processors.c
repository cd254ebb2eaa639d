/* SPDX-License-Identifier: BSD-3-Clause */
/* How many processors there are for us, on kernels of any size: sched_getaffinity is pretended. */
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The kernel that is pretended: the bits of its masks, of which the first `allowed' are for us; or why it tells nothing. */
static struct {
    size_t bits;
    int allowed, error;
    int asked; /* how often */
} kernel;

static int pretended_getaffinity(pid_t thread, size_t size, cpu_set_t *set)
{
    kernel.asked++;
    errno = kernel.error ? kernel.error : EINVAL;
    if (thread || kernel.error || 8 * size < kernel.bits)
        return -1;
    memset(set, 0, size);
    for (int i = 0; i < kernel.allowed; i++)
        CPU_SET_S((size_t)i * kernel.bits / (size_t)kernel.allowed, size, set);
    return 0;
}
#define sched_getaffinity pretended_getaffinity
#include "base/processors.h"
#undef sched_getaffinity

static void processors_of_any_kernel(void **state)
{
    static const struct {
        size_t bits;
        int allowed, error, expected;
    } cases[] = {{64, 1, 0, 1},      {64, 64, 0, 64},       {1024, 1000, 0, 1000},
                 {1088, 3, 0, 3},    {2048, 2048, 0, 2048}, {8192, 5000, 0, 5000},
                 {1 << 20, 7, 0, 7}, {1 << 24, 7, 0, 1}, /* more than any kernel has */
                 {64, 8, EPERM, 1},  {64, 8, ENOSYS, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kernel.bits = cases[i].bits;
        kernel.allowed = cases[i].allowed;
        kernel.error = cases[i].error;
        kernel.asked = 0;
        int found = processors_allowed();
        if (found != cases[i].expected)
            fail_msg("masks of %zu bits, error %d: %d, expected %d", cases[i].bits, cases[i].error,
                     found, cases[i].expected);
        if (cases[i].error || cases[i].bits <= 1024)
            assert_int_equal(kernel.asked, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(processors_of_any_kernel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
