/* SPDX-License-Identifier: BSD-3-Clause */
/* completions.c - `reseat completions`: what shells complete, from the tables of commands and
 * options. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/options.h"
#include "treematch/tmap.h"

/* What an option takes besides the words that completions_words has. */
enum completions_kind {
    COMPLETIONS_NOTHING,
    COMPLETIONS_TEXT,
    COMPLETIONS_FILE,
    COMPLETIONS_FOLDER
};

static enum completions_kind completions_kind_of(const struct command_option *option)
{
    if (!option->argument)
        return COMPLETIONS_NOTHING;
    if (strstr(option->argument, "FILE"))
        return COMPLETIONS_FILE;
    return strstr(option->argument, "FOLDER") ? COMPLETIONS_FOLDER : COMPLETIONS_TEXT;
}

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

/* Write a sentence within single quotes, with the characters of `escaped` behind a backslash. */
static void completions_sentence(FILE *file, const char *text, const char *escaped)
{
    for (; *text; text++) {
        if (*text == '\'')
            fprintf(file, "'\\'");
        else if (strchr(escaped, *text))
            putc('\\', file);
        putc(*text, file);
    }
}

/* ---- bash 4; with the package bash-completion also the arguments of the job ---- */

static const char completions_bash_start[] =
    "# Completion of reseat for bash; made by `reseat completions bash`.\n"
    "_reseat_words() # WORD CANDIDATES\n"
    "{\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$2\" -- \"$1\")\n"
    "}\n"
    "\n"
    "_reseat_files() # WORD f|d CANDIDATES\n"
    "{\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$3\" -- \"$1\"; compgen \"-$2\" -- \"$1\")\n"
    "}\n"
    "\n"
    "_reseat_job() # the index of its first word\n"
    "{\n"
    "    local current=${COMP_WORDS[COMP_CWORD]}\n"
    "    if declare -F _command_offset >/dev/null; then\n"
    "        _command_offset \"$1\"\n"
    "    elif [ \"$COMP_CWORD\" = \"$1\" ]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -c -- \"$current\")\n"
    "    else\n"
    "        _reseat_files \"$current\" f\n"
    "    fi\n"
    "}\n"
    "\n"
    "_reseat()\n"
    "{\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command=${COMP_WORDS[1]} i\n"
    "    COMPREPLY=()\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        [ \"${COMP_WORDS[i]}\" = -- ] && { _reseat_job $((i + 1)); return; }\n"
    "    done\n"
    "    if [ \"$current\" = = ]; then\n"
    "        current=\n"
    "    elif [ \"$previous\" = = ]; then\n"
    "        previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n";

/* What follows an option that takes something. */
static void completions_bash_value(FILE *file, const char *command,
                                   const struct command_option *row)
{
    char words[COMPLETIONS_WORDS];
    enum completions_kind kind = completions_kind_of(row);
    if (kind == COMPLETIONS_NOTHING)
        return;
    fprintf(file, "    %s:--%s", command, row->name);
    if (row->letter)
        fprintf(file, " | %s:-%c", command, row->letter);
    if (kind == COMPLETIONS_TEXT)
        fprintf(file, ") _reseat_words \"$current\" '%s' ;;\n", completions_words(row, words));
    else
        fprintf(file, ") _reseat_files \"$current\" %c '%s' ;;\n",
                kind == COMPLETIONS_FILE ? 'f' : 'd', completions_words(row, words));
}

/* The options of a command, or what it takes elsewhere. */
static void completions_bash_command(FILE *file, const char *command)
{
    const char *operands = completions_operands(command);
    fprintf(file, "    %s:-*) _reseat_words \"$current\" '", command);
    for (int i = -1; (i = options_find(command, i + 1)) >= 0;)
        fprintf(file, "--%s ", options_row(i)->name);
    fprintf(file, "--help' ;;\n");
    if (operands)
        fprintf(file, "    %s:*) _reseat_words \"$current\" '%s' ;;\n", command, operands);
}

static void completions_bash(FILE *file)
{
    const char *name, *help;
    fputs(completions_bash_start, file);
    fprintf(file, "    if ((COMP_CWORD == 1)) || [ \"$command\" = help ]; then\n"
                  "        _reseat_words \"$current\" '");
    for (int i = 0; (name = command_name(i, &help)); i++)
        fprintf(file, "%s ", name);
    fprintf(file,
            "help --help --version'\n        return\n    fi\n    case $command:$previous in\n");
    for (int i = 0; (name = command_name(i, &help)); i++)
        for (int k = -1; (k = options_find(name, k + 1)) >= 0;)
            completions_bash_value(file, name, options_row(k));
    fprintf(file, "    *)\n        _reseat_any\n        ;;\n    esac\n}\n\n"
                  "_reseat_any() # a word behind no option; the variables are those of _reseat\n{\n"
                  "    case $command:$current in\n");
    for (int i = 0; (name = command_name(i, &help)); i++)
        completions_bash_command(file, name);
    fprintf(file, "    *) _reseat_files \"$current\" f ;;\n    esac\n}\n\n"
                  "complete -F _reseat reseat\n");
}

/* ---- zsh ---- */

/* One argument of _arguments: '--name=[sentence]:what:(words)'. */
static void completions_zsh_option(FILE *file, const struct command_option *row)
{
    char words[COMPLETIONS_WORDS];
    enum completions_kind kind = completions_kind_of(row);
    const char *equals = kind == COMPLETIONS_NOTHING ? "" : "=";
    if (row->letter)
        fprintf(file, " \\\n            '(-%c --%s)'{-%c,--%s%s}'[", row->letter, row->name,
                row->letter, row->name, equals);
    else
        fprintf(file, " \\\n            '--%s%s[", row->name, equals);
    completions_sentence(file, row->help, "[]\\");
    putc(']', file);
    if (kind != COMPLETIONS_NOTHING)
        fprintf(file, ":%s:", row->name);
    if (kind == COMPLETIONS_FILE && completions_words(row, words)[0])
        fprintf(file, " _reseat_word_or_file %s", words);
    else if (kind == COMPLETIONS_FILE)
        fprintf(file, "_files");
    else if (kind == COMPLETIONS_FOLDER)
        fprintf(file, "_files -/");
    else if (kind == COMPLETIONS_TEXT && completions_words(row, words)[0])
        fprintf(file, "(%s)", words);
    else if (kind == COMPLETIONS_TEXT)
        putc(' ', file);
    putc('\'', file);
}

static void completions_zsh_command(FILE *file, const char *command)
{
    const char *operands = completions_operands(command);
    fprintf(file, "    %s)\n        _arguments '--help[explain the options]'", command);
    for (int i = -1; (i = options_find(command, i + 1)) >= 0;)
        completions_zsh_option(file, options_row(i));
    if (!operands)
        fprintf(file, " \\\n            '*:file:_files'");
    else if (operands[0])
        fprintf(file, " \\\n            '1:what:(%s)'", operands);
    fprintf(file, "\n        ;;\n");
}

static void completions_zsh(FILE *file)
{
    const char *name, *help;
    fprintf(file,
            "#compdef reseat\n# Completion of reseat for zsh; made by `reseat completions zsh`.\n"
            "_reseat_word_or_file()\n{\n    compadd -- \"$@\"\n    _files\n}\n\n"
            "_reseat()\n{\n"
            "    local -a subcommands\n    local job\n    subcommands=(\n");
    for (int i = 0; (name = command_name(i, &help)); i++) {
        fprintf(file, "        '%s:", name);
        completions_sentence(file, help, ":\\");
        fprintf(file, "'\n");
    }
    fprintf(file, "        'help:explain the options of a command'\n    )\n"
                  "    if ((CURRENT == 2)) || [[ $words[2] == help ]]; then\n"
                  "        _describe command subcommands\n        return\n    fi\n"
                  "    job=${words[(i)--]}\n"
                  "    if ((job < CURRENT)); then\n"
                  "        shift $job words\n        ((CURRENT -= job))\n        _normal\n"
                  "        return\n    fi\n"
                  "    shift words\n    ((CURRENT--))\n    case $words[1] in\n");
    for (int i = 0; (name = command_name(i, &help)); i++)
        completions_zsh_command(file, name);
    fprintf(file, "    esac\n}\n_reseat \"$@\"\n");
}

/* ---- fish ---- */

static void completions_fish_sentence(FILE *file, const char *text)
{
    for (putc('\'', file); *text; text++) {
        if (*text == '\'' || *text == '\\')
            putc('\\', file);
        putc(*text, file);
    }
    fprintf(file, "'\n");
}

static void completions_fish_option(FILE *file, const char *command,
                                    const struct command_option *row)
{
    char words[COMPLETIONS_WORDS];
    enum completions_kind kind = completions_kind_of(row);
    fprintf(file, "complete -c reseat -n '__fish_seen_subcommand_from %s' -l %s", command,
            row->name);
    if (row->letter)
        fprintf(file, " -s %c", row->letter);
    if (kind == COMPLETIONS_FILE && completions_words(row, words)[0])
        fprintf(file, " -r -F -a '%s'", words);
    else if (kind == COMPLETIONS_FILE)
        fprintf(file, " -r -F");
    else if (kind == COMPLETIONS_FOLDER)
        fprintf(file, " -x -a '(__fish_complete_directories)'");
    else if (kind == COMPLETIONS_TEXT)
        fprintf(file, " -x -a '%s'", completions_words(row, words));
    fprintf(file, " -d ");
    completions_fish_sentence(file, row->help);
}

/* The launcher behind `--` and its arguments, which fish completes as if nothing stood before
 * them. */
static const char completions_fish_job[] =
    "function __reseat_is_in_job\n"
    "    contains -- -- (commandline -opc)\n"
    "end\n"
    "function __reseat_complete_job\n"
    "    set -l words (commandline -opc)\n"
    "    set -e words[1..(contains -i -- -- $words)]\n"
    "    complete -C (string join -- ' ' (string escape -- $words) (commandline -ct))\n"
    "end\n"
    "complete -c reseat -n __reseat_is_in_job -f -a '(__reseat_complete_job)'\n";

static void completions_fish(FILE *file)
{
    const char *name, *help;
    fprintf(file,
            "# Completion of reseat for fish; made by `reseat completions fish`.\n"
            "complete -c reseat -f\n%s"
            "complete -c reseat -n __fish_use_subcommand -a help -d 'explain the options of a "
            "command'\n"
            "complete -c reseat -n 'not __fish_use_subcommand' -l help -d 'explain the options'\n",
            completions_fish_job);
    for (int i = 0; (name = command_name(i, &help)); i++) {
        const char *operands = completions_operands(name);
        fprintf(file, "complete -c reseat -n __fish_use_subcommand -a %s -d ", name);
        completions_fish_sentence(file, help);
        fprintf(file, "complete -c reseat -n '__fish_seen_subcommand_from help' -f -a %s\n", name);
        fprintf(file, "complete -c reseat -n '__fish_seen_subcommand_from %s' ", name);
        if (operands)
            fprintf(file, "-f -a '%s'\n", operands);
        else
            fprintf(file, "-F\n");
        for (int k = -1; (k = options_find(name, k + 1)) >= 0;)
            completions_fish_option(file, name, options_row(k));
    }
}

/* ---- the command ---- */

int cmd_completions(int argc, char **argv)
{
    static const struct {
        const char *shell;
        void (*write)(FILE *file);
    } shells[] = {{"bash", completions_bash}, {"zsh", completions_zsh}, {"fish", completions_fish}};
    const struct option_target none = {NULL, NULL, NULL};
    int status = options_parse(&(struct options){.order = ":", .targets = &none}, argc, argv);
    if (status)
        return status;
    for (size_t i = 0; argc == 2 && i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(argv[1], shells[i].shell) == 0) {
            shells[i].write(stdout);
            return 0;
        }
    return cli_fail(EXIT_USAGE, "of which shell? reseat completions bash|zsh|fish");
}
