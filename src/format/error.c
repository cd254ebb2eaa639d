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
    }
    return -1;
}
