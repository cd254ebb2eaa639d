/* SPDX-License-Identifier: BSD-3-Clause */
/* options-read.c - the options of a caller, checked. */
#include <stddef.h>

#include "treematch/support/support.h"

/* The first version of the struct ended with this member. */
enum { LEAST_OPTIONS = offsetof(struct tmap_options, reserved) + sizeof(int) };

void tmap_options_init(struct tmap_options *options, size_t size)
{
    const struct tmap_options defaults = {.size = size, .effort = TMAP_EFFORT_DEFAULT};
    memset(options, 0, size);
    memcpy(options, &defaults, size < sizeof defaults ? size : sizeof defaults);
}

enum tmap_status tmap_options_read(struct tmap_options *options, const struct tmap_options *given,
                                   struct tmap_error *error)
{
    tmap_options_init(options, sizeof *options);
    if (!given)
        return TMAP_OK;
    enum tmap_status status =
        tmap_struct_read(options, sizeof *options, LEAST_OPTIONS, given, "tmap_options", error);
    if (status != TMAP_OK)
        return status;
    options->size = sizeof *options;
    if ((int)options->effort < TMAP_EFFORT_FAST || (int)options->effort > TMAP_EFFORT_STRONG)
        return tmap_fail(error, TMAP_EINVAL, "there is no effort %d", (int)options->effort);
    if ((int)options->objective < TMAP_OBJECTIVE_COST ||
        (int)options->objective > TMAP_OBJECTIVE_CONGESTION)
        return tmap_fail(error, TMAP_EINVAL, "there is no objective %d", (int)options->objective);
    if (options->reserved != 0 || options->reserved_too != 0)
        return tmap_fail(error, TMAP_ENOTSUP, "a reserved word of tmap_options is not 0");
    if (!(options->seconds >= 0) || options->threads < 0)
        return tmap_fail(error, TMAP_EINVAL, "seconds and threads are numbers >= 0");
    if (options->group_threshold < 0 || options->group_threshold > TMAP_MOST_GROUPS ||
        options->buckets < 0 || options->buckets > TMAP_MOST_BUCKETS)
        return tmap_fail(error, TMAP_EINVAL,
                         "the threshold of groups is 1 to %d, and buckets are 1 to %d",
                         TMAP_MOST_GROUPS, TMAP_MOST_BUCKETS);
    return TMAP_OK;
}
