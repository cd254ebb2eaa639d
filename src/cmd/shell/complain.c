/* SPDX-License-Identifier: BSD-3-Clause */
/* complain.c - see complain.h. */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/shell/complain.h"
#include "cmd/shell/options.h"
#include "cmd/shell/progress.h"
#include "text/printable.h"

int cli_fail(int status, const char *command, const char *format, ...)
{
    char line[1024], shown[2 * sizeof line];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    printable_copy(shown, sizeof shown, line);
    progress_clear();
    fprintf(stderr, "reseat %s: %s\n", command, shown);
    return status;
}

/* The word is a long option that we do not have, or not in this form. */
static int cli_reject_long_option(const char *command, const char *word)
{
    char name[64], meant[128] = "";
    size_t length = strcspn(word + 2, "=");
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             word + 2);
    const char *similar = options_similar(command, name);
    if (similar && word[2 + length] && strcmp(similar, name) == 0)
        return cli_fail(EXIT_USAGE, command, "--%s takes no value", name);
    if (similar)
        snprintf(meant, sizeof meant, "did you mean --%s? ", similar);
    return cli_fail(EXIT_USAGE, command, "there is no option %s; %ssee reseat %s --help", word,
                    meant, command);
}

static int (*help_on)(const char *command);

void cli_set_help(int (*help)(const char *command))
{
    help_on = help;
}

int cli_is_help(const char *word)
{
    return word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0);
}

int cli_reject_option(const char *command, int letter, char **argv)
{
    const char *word = argv[optind - 1];
    char one[3] = {'-', (char)optopt, '\0'};
    if (letter == '?' && cli_is_help(word))
        exit(help_on(command));
    if (letter == ':')
        return cli_fail(EXIT_USAGE, command, "%s needs a value", word);
    if (strncmp(word, "--", 2) == 0 && (!optopt || strchr(word, '=')))
        return cli_reject_long_option(command, word);
    return cli_fail(EXIT_USAGE, command, "there is no option %s; see reseat %s --help",
                    optopt ? one : word, command);
}
