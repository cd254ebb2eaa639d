/* SPDX-License-Identifier: BSD-3-Clause */
/* complain.c - see complain.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmd/shell/complain.h"
#include "cmd/shell/progress.h"
#include "text/printable.h"

static struct {
    const char *command;
    int is_quiet;
} cli;

void cli_begin(const char *command)
{
    cli.command = command;
    progress_of(command);
}

void cli_keep_quiet(int quiet)
{
    cli.is_quiet = quiet;
}

int cli_fail(int status, const char *format, ...)
{
    char line[1024], shown[2 * sizeof line];
    va_list arguments;
    if (cli.is_quiet)
        return status;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    printable_copy(shown, sizeof shown, line);
    progress_clear();
    fprintf(stderr, "reseat %s: %s\n", cli.command, shown);
    return status;
}

int cli_no_memory(void)
{
    return cli_fail(EXIT_TROUBLE, "out of memory");
}

int cli_status(int rc, const struct reseat_error *error)
{
    int status = rc == CLI_REFUSED     ? EXIT_USAGE
                 : rc == CLI_NOT_FOUND ? EXIT_NOT_FOUND
                                       : EXIT_TROUBLE;
    return rc ? cli_fail(status, "%s", error->text) : 0;
}

int cli_refuse(struct reseat_error *error, const char *format, ...)
{
    char text[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    reseat_fail(error, "%s", text);
    return CLI_REFUSED;
}

int cli_is_help(const char *word)
{
    return word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0);
}
