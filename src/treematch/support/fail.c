/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fail.c - the one place where error lines are made.
 */
#include "treematch/internal.h"

#include <stdarg.h>
#include <stdio.h>

enum tmap_status tmap_fail(struct tmap_error *error, enum tmap_status status, const char *format,
                           ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        /* What was given to us may hold anything; the line stays one, and a terminal safe. */
        for (char *c = error->text; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 127)
                *c = '?';
    }
    return status;
}

enum tmap_status tmap_fail_memory(struct tmap_error *error)
{
    return tmap_fail(error, TMAP_ENOMEM, "%s", tmap_status_text(TMAP_ENOMEM));
}
