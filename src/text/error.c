/* SPDX-License-Identifier: BSD-3-Clause */
/* error.c - see error.h. */
#include "text/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "text/printable.h"

int reseat_fail(struct reseat_error *error, const char *format, ...)
{
    if (error) {
        char raw[sizeof error->text];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(raw, sizeof raw, format, arguments);
        va_end(arguments);
        printable_copy(error->text, sizeof error->text, raw);
    }
    return -1;
}
