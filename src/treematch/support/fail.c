/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fail.c - the only place where error lines are made.
 */
#include "treematch/support/support.h"

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
        /* Input may contain anything: keep it one line that is safe for a terminal. */
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
