/* SPDX-License-Identifier: BSD-3-Clause */
/* completions.c - see completions.h: which shell, and what all of them need to know. */
#include "cmd/completions.h"
#include "cmd/shell/complain.h"
#include "cmd/commands.h"
#include "treematch/tmap.h"

#include <ctype.h>
#include <string.h>

enum completions_kind completions_kind_of(const struct command_option *option)
{
    if (!option->argument)
        return COMPLETIONS_NOTHING;
    if (strstr(option->argument, "FILE"))
        return COMPLETIONS_FILE;
    return strstr(option->argument, "FOLDER") ? COMPLETIONS_FOLDER : COMPLETIONS_TEXT;
}

/* Append a word, if there is room. */
static void completions_add(char words[COMPLETIONS_WORDS], const char *word, size_t length)
{
    size_t used = strlen(words);
    if (used + length + 2 < COMPLETIONS_WORDS)
        snprintf(words + used, COMPLETIONS_WORDS - used, "%s%.*s", used > 0 ? " " : "", (int)length,
                 word);
}

const char *completions_words(const struct command_option *option, char words[COMPLETIONS_WORDS])
{
    const char *at = option->argument ? option->argument : "", *name;
    words[0] = '\0';
    for (int i = 0; strcmp(at, "METHOD") == 0 && tmap_method_describe(i, &name, NULL); i++)
        completions_add(words, name, strlen(name));
    while (*at) {
        size_t length = strcspn(at, "|");
        if (islower((unsigned char)*at))
            completions_add(words, at, length);
        at += length + (at[length] == '|');
    }
    return words;
}

const char *completions_operands(const char *command)
{
    static const struct {
        const char *command, *words;
    } rows[] = {{"env", "profile run"},
                {"completions", "bash zsh fish"},
                {"map", ""},
                {"simulate", ""},
                {"topo", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].command, command) == 0)
            return rows[i].words;
    return NULL;
}

void completions_sentence(FILE *file, const char *text, const char *escaped)
{
    for (; *text; text++) {
        if (*text == '\'')
            fprintf(file, "'\\'");
        else if (strchr(escaped, *text))
            putc('\\', file);
        putc(*text, file);
    }
}

int cmd_completions(int argc, char **argv)
{
    static const struct {
        const char *shell;
        void (*write)(FILE *file);
    } shells[] = {{"bash", completions_bash}, {"zsh", completions_zsh}, {"fish", completions_fish}};
    int letter = options_next(argc, argv, ":");
    if (letter >= 0)
        return cli_reject_option("completions", letter, argv);
    for (size_t i = 0; argc == 2 && i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(argv[1], shells[i].shell) == 0) {
            shells[i].write(stdout);
            return 0;
        }
    return cli_fail(EXIT_USAGE, "completions", "of which shell? reseat completions bash|zsh|fish");
}
