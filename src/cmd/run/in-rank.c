/* SPDX-License-Identifier: BSD-3-Clause */
/* in-rank.c - see in-rank.h. */
#include "cmd/run/in-rank.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/job/child.h"
#include "cmd/job/elf.h"
#include "cmd/run/reasons.h"
#include "cmd/shell/complain.h"
#include "profile/origin.h"

static const char *in_rank_name(const char *word)
{
    const char *slash = strrchr(word, '/');
    return slash ? slash + 1 : word;
}

void in_rank_begin(char **argv)
{
    int quiet = launcher_own_rank() > 0;
    for (; *argv && quiet; argv++)
        quiet =
            !launcher_find(in_rank_name(*argv)) && !launcher_is_common_name(in_rank_name(*argv));
    cli_keep_quiet(quiet);
}

/* Returns 1 if a command starts others that its words do not show. */
static int in_rank_is_shell(const char *word)
{
    static const char *const names[] = {"sh", "bash", "dash", "ksh", "zsh", "csh", "tcsh", "fish"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(in_rank_name(word), names[i]) == 0)
            return 1;
    return origin_is_interpreter(word);
}

/* Returns 1 if no word is a program of an MPI, or anything that may load or start one. */
static int in_rank_has_no_mpi(const struct job *job, char **argv)
{
    char path[PATH_MAX];
    int commands = 0;
    for (int i = 0; argv[i]; i++) {
        if (find_in_path(argv[i], path))
            continue;
        if (in_rank_is_shell(argv[i]) || elf_kind_of(path, NULL) == ELF_NONE)
            return 0;
        commands++;
    }
    return commands == 1 && !job->linked && !job->standard_abi;
}

int in_rank_find_library(struct job *job, const char *command, char **argv)
{
    char path[PATH_MAX];
    if (job->rank >= 0 && !job->mpi && find_in_path(argv[0], path))
        return become_command(command, argv); /* it is not there */
    return find_library(job, command, argv);
}

int in_rank_become(const char *command, const struct job *job, const struct variables *v,
                   char **argv)
{
    char why[REASON_SIZE];
    if (v && reasons_of_program(job, argv, why) == 0)
        cli_fail(0, command, "%s", why);
    else if (v && in_rank_has_no_mpi(job, argv))
        cli_fail(
            0, command,
            "%s is not linked with an MPI: nothing is recorded or reordered, unless it loads one",
            argv[0]);
    for (int i = 0; v && i < v->count; i++)
        setenv(v->name[i], v->value[i], 1);
    return become_command(command, argv);
}
