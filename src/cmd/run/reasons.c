/* SPDX-License-Identifier: BSD-3-Clause */
/* reasons.c - see reasons.h. */
#include "cmd/run/reasons.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "cmd/job/elf.h"
#include "profile/origin.h"

/* ---- the file ---- */

/* Whether the program runs with more rights than we have, so that the loader ignores LD_PRELOAD. By
 * the kernel's rules: setuid to our own user adds none, nor do capabilities for root. */
static const char *reasons_of_rights(const char *path)
{
    struct stat status;
    struct statvfs where;
    const mode_t setgid = S_ISGID | S_IXGRP;
    if (stat(path, &status) || (statvfs(path, &where) == 0 && where.f_flag & ST_NOSUID) ||
        prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
        return NULL;
    if ((status.st_mode & S_ISUID && status.st_uid != getuid()) ||
        ((status.st_mode & setgid) == setgid && status.st_gid != getgid()))
        return "is setuid or setgid";
    if (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0)
        return "has capabilities (setcap)";
    return NULL;
}

static int reasons_of_file(const char *path, int holds_library, char why[REASON_SIZE])
{
    const char *rights = reasons_of_rights(path);
    if (rights)
        snprintf(why, REASON_SIZE, "%s %s: %s", path, rights,
                 holds_library ? "the library in it stays off" : "the system drops LD_PRELOAD");
    return rights ? 0 : -1;
}

/* A program has its MPI in itself: say how it can be linked. Open MPI has no such object. */
static void reasons_of_static_mpi(const char *path, char why[REASON_SIZE])
{
    char object[LIBRARY_PATH_SIZE], where[LIBRARY_WHERE_SIZE];
    int length = snprintf(why, REASON_SIZE, "%s has its MPI in itself, linked statically", path);
    if (length >= REASON_SIZE || elf_defines(path, "ompi_mpi_init"))
        return;
    if (locate_module("libreseat-mpich.o", object, where)) {
        snprintf(why + length, REASON_SIZE - (size_t)length,
                 ", and libreseat-mpich.o, to link it with, is not installed (LINKING in "
                 "reseat(1))");
        return;
    }
    *strrchr(object, '.') = '\0';
    snprintf(why + length, REASON_SIZE - (size_t)length,
             ": link it with %s.o @%s.link (LINKING in reseat(1))", object, object);
}

/* The program itself. 0, or -1: the library can do its work in it. */
static int reasons_of_executable(const struct job *job, char why[REASON_SIZE])
{
    enum elf_kind kind = elf_kind_of(job->path, NULL);
    if (kind == ELF_NONE)
        return -1;
    if (!job->linked && elf_defines(job->path, "PMPI_Init")) {
        reasons_of_static_mpi(job->path, why);
        return 0;
    }
    if (kind == ELF_DYNAMIC || job->holds_library)
        return reasons_of_file(job->path, job->holds_library, why);
    snprintf(why, REASON_SIZE, "%s is linked statically: no library can be preloaded into it",
             job->path);
    return 0;
}

int reasons_of_program(const struct job *job, char **argv, char why[REASON_SIZE])
{
    char wrapper[PATH_MAX];
    if (job->program < 0)
        return -1;
    if (job->standard_abi) {
        snprintf(why, REASON_SIZE,
                 "%s is linked with the standard ABI of MPI (libmpi_abi.so), and "
                 "libreseat-abi.so is not installed: it is neither recorded nor reordered",
                 job->path);
        return 0;
    }
    if (reasons_of_executable(job, why) == 0)
        return 0;
    return job_preloads(job) && job->wrapper != job->program &&
                   find_in_path(argv[job->wrapper], wrapper) == 0 &&
                   elf_kind_of(wrapper, NULL) == ELF_DYNAMIC
               ? reasons_of_file(wrapper, 0, why)
               : -1;
}

/* ---- the words ---- */

/* Returns 1 if a command starts others that its words do not show. */
static int reasons_is_shell(const char *word)
{
    static const char *const names[] = {"sh", "bash", "dash", "ksh", "zsh", "csh", "tcsh", "fish"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(job_base_name(word), names[i]) == 0)
            return 1;
    return origin_is_interpreter(word);
}

int reasons_has_no_mpi(const struct job *job, char **argv)
{
    char path[PATH_MAX];
    int commands = 0;
    for (int i = job->wrapper; i >= 0 && argv[i]; i++) {
        if (find_in_path(argv[i], path))
            continue;
        if (reasons_is_shell(argv[i]) || elf_kind_of(path, NULL) == ELF_NONE)
            return 0;
        commands++;
    }
    return commands == 1 && !job->linked && !job->standard_abi;
}

/* Whether `word` names a variable that the library needs. */
static int reasons_is_needed(const char *word)
{
    return word && (strcmp(word, "LD_PRELOAD") == 0 || strcmp(word, "RESEAT") == 0);
}

/* Whether the option argv[i] of env(1) clears the environment, or unsets a variable of ours; *skip:
 * how many of the following words belong to it. */
static int reasons_is_taking(char **argv, int i, int *skip)
{
    static const char unset[] = "--unset=";
    const char *word = argv[i];
    *skip = strcmp(word, "-u") == 0 || strcmp(word, "--unset") == 0 || strcmp(word, "-C") == 0 ||
            strcmp(word, "--chdir") == 0;
    if (strcmp(word, "-") == 0 || strcmp(word, "--ignore-environment") == 0)
        return 1;
    if (strncmp(word, unset, sizeof unset - 1) == 0)
        return reasons_is_needed(word + sizeof unset - 1);
    if (word[1] == 'u')
        return reasons_is_needed(word[2] ? word + 2 : argv[i + 1]);
    size_t flags = strspn(word + 1, "iv0");
    return !word[1 + flags] && memchr(word + 1, 'i', flags) != NULL;
}

int reasons_of_words(const struct job *job, char **argv, char why[REASON_SIZE])
{
    int i = job->wrapper, skip;
    while (i >= 0 && i <= job->program && strcmp(job_base_name(argv[i]), "env") != 0)
        i++;
    if (i < 0 || i > job->program)
        return -1;
    for (i++; argv[i] && (argv[i][0] == '-' || strchr(argv[i], '=')); i++) {
        const char *value = strcmp(argv[i], "-u") == 0 && argv[i + 1] ? argv[i + 1] : "";
        if (argv[i][0] != '-')
            continue;
        if (reasons_is_taking(argv, i, &skip)) {
            snprintf(why, REASON_SIZE,
                     "`env %s%s%s' before the program takes the library out of its environment",
                     argv[i], value[0] ? " " : "", value);
            return 0;
        }
        for (; skip && argv[i + 1]; skip--)
            i++;
    }
    return -1;
}

void reasons_find(const struct job *job, char **argv, const char *folder, char why[REASON_SIZE])
{
    static const char nobody[] = "no rank has come to MPI_Init with the library";
    char reason[REASON_SIZE];
    if (reasons_of_program(job, argv, reason) == 0 || reasons_of_words(job, argv, reason) == 0)
        snprintf(why, REASON_SIZE, "%s: %.*s", nobody, REASON_SIZE - 64, reason);
    else if (job->program >= 0 && !job->linked && elf_kind_of(job->path, NULL) == ELF_DYNAMIC)
        snprintf(why, REASON_SIZE,
                 "%s, it seems: %s is not linked with an MPI, and nothing that it has loaded or "
                 "started has come there",
                 nobody, job->path);
    else
        snprintf(why, REASON_SIZE, "%s, or none that sees %s; reseat doctor looks for the reason",
                 nobody, folder);
}
