/* SPDX-License-Identifier: BSD-3-Clause */
/* error.c - see error.h. */
#include "format/error.h"

#include <stdarg.h>
#include <stdio.h>

int reseat_fail(struct reseat_error *error, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        /* What was read may hold anything; the line stays one, and a terminal safe. */
        for (char *c = error->text; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 127)
                *c = '?';
    }
    return -1;
}
