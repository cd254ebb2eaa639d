/* SPDX-License-Identifier: BSD-3-Clause */
/* completions-fish.c - see completions.h. */
#include "cmd/completions.h"
#include "cmd/commands.h"

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
    if (row->is_short)
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

/* The launcher behind `--` and its arguments, which fish completes as if nothing stood before them. */
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

void completions_fish(FILE *file)
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
