/* SPDX-License-Identifier: BSD-3-Clause */
/* completions.c - `reseat completions`: what shells complete, from the tables of commands and
 * options, as values of a script (src/page/completions-bash.txt and so on). */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/options.h"
#include "page/sources.h"
#include "page/template.h"
#include "treematch/tmap.h"

enum { COMPLETIONS_WORDS = 1024 };

/* Append a word, if there is room. */
static void completions_add(char words[COMPLETIONS_WORDS], const char *word, size_t length)
{
    size_t used = strlen(words);
    if (used + length + 2 < COMPLETIONS_WORDS)
        snprintf(words + used, COMPLETIONS_WORDS - used, "%s%.*s", used > 0 ? " " : "", (int)length,
                 word);
}

/* The words that an option takes, separated by blanks; "": there are none, or too many. Returns
 * `words`. */
static const char *completions_words(const struct command_option *option,
                                     char words[COMPLETIONS_WORDS])
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

/* The words, all of them, that a command takes where no option is; NULL: files. */
static const char *completions_operands(const char *command)
{
    static const struct {
        const char *command, *words;
    } rows[] = {{"env", "profile run"}, {"completions", "bash zsh fish"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].command, command) == 0)
            return rows[i].words;
    return NULL;
}

/* ---- sentences within single quotes ---- */

/* Write a text with a backslash before each of the characters `escaped`; a single quote that is not
 * among them ends the quotes, and begins them again. */
static int completions_quote(FILE *file, const struct document_value *value, const char *escaped)
{
    for (const char *text = value->text; *text; text++) {
        if (strchr(escaped, *text))
            putc('\\', file);
        else if (*text == '\'')
            fputs("'\\'", file);
        putc(*text, file);
    }
    return 0;
}

static const struct template_format completions_formats[] = {
    {"zsh:", NULL, completions_quote, ":\\"},
    {"zsh[]", NULL, completions_quote, "[]\\"},
    {"fish", NULL, completions_quote, "'\\"},
    {NULL, NULL, NULL, NULL}};

/* ---- values ---- */

/* An option: files that it takes are `f' or, if they are folders, `d'. */
static void completions_add_option(struct document *d, const struct command_option *row)
{
    char words[COMPLETIONS_WORDS];
    const char *argument = row->argument ? row->argument : "";
    const int is_file = strstr(argument, "FILE") != NULL;
    const int is_folder = !is_file && strstr(argument, "FOLDER");
    document_open(d, NULL, '{');
    document_text(d, "option", row->name);
    document_text(d, "letter", row->letter ? (const char[]){row->letter, '\0'} : NULL);
    document_text(d, "help", row->help);
    document_boolean(d, "takes", row->argument != NULL);
    document_boolean(d, "is_file", is_file);
    document_boolean(d, "is_folder", is_folder);
    document_text(d, "files", is_file ? "f" : is_folder ? "d" : NULL);
    document_text(d, "words", completions_words(row, words));
    document_close(d);
}

static void completions_fill(struct document *d)
{
    const char *name, *help;
    document_open(d, "commands", '[');
    for (int i = 0; (name = command_name(i, &help)); i++) {
        document_open(d, NULL, '{');
        document_text(d, "command", name);
        document_text(d, "help", help);
        document_text(d, "operands", completions_operands(name));
        document_open(d, "options", '[');
        for (int k = -1; (k = options_find(name, k + 1)) >= 0;)
            completions_add_option(d, options_row(k));
        document_close(d);
        document_close(d);
    }
    document_close(d);
}

/* ---- the command ---- */

static int completions_write(const char *script)
{
    struct document document;
    document_init(&document);
    completions_fill(&document);
    int rc = document.is_short
                 ? -1
                 : template_write_text(stdout, script, &document.root, completions_formats);
    document_free(&document);
    return rc ? cli_no_memory() : 0;
}

int cmd_completions(int argc, char **argv)
{
    static const struct {
        const char *shell, *script;
    } shells[] = {{"bash", page_completions_bash_txt},
                  {"zsh", page_completions_zsh_txt},
                  {"fish", page_completions_fish_txt}};
    const struct option_target none = {NULL, NULL, NULL};
    int status = options_parse(&(struct options){.order = ":", .targets = &none}, argc, argv);
    if (status)
        return status;
    for (size_t i = 0; argc == 2 && i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(argv[1], shells[i].shell) == 0)
            return completions_write(shells[i].script);
    return cli_fail(EXIT_USAGE, "of which shell? reseat completions bash|zsh|fish");
}
