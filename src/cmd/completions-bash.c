/* SPDX-License-Identifier: BSD-3-Clause */
/* completions-bash.c - see completions.h. The script needs bash 4; with the package bash-completion it
 * also completes the arguments of the job. */
#include "cmd/completions.h"
#include "cmd/commands.h"

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
    if (row->is_short)
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

void completions_bash(FILE *file)
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
