/* SPDX-License-Identifier: BSD-3-Clause */
/* completions-zsh.c - see completions.h. */
#include "cmd/completions.h"
#include "cmd/commands.h"

/* One argument of _arguments: '--name=[sentence]:what:(words)'. */
static void completions_zsh_option(FILE *file, const struct command_option *row)
{
    char words[COMPLETIONS_WORDS];
    enum completions_kind kind = completions_kind_of(row);
    const char *equals = kind == COMPLETIONS_NOTHING ? "" : "=";
    if (row->is_short)
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

void completions_zsh(FILE *file)
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
