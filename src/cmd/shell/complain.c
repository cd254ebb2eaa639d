/* SPDX-License-Identifier: BSD-3-Clause */
/* complain.c - see complain.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmd/shell/complain.h"
#include "cmd/shell/progress.h"
#include "text/printable.h"

static int cli_is_quiet;

void cli_keep_quiet(int quiet)
{
    cli_is_quiet = quiet;
}

int cli_fail(int status, const char *command, const char *format, ...)
{
    char line[1024], shown[2 * sizeof line];
    va_list arguments;
    if (cli_is_quiet)
        return status;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    printable_copy(shown, sizeof shown, line);
    progress_clear();
    fprintf(stderr, "reseat %s: %s\n", command, shown);
    return status;
}

int cli_is_help(const char *word)
{
    return word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0);
}
