/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * preload.c - see preload.h.
 *
 * The two families of MPI have handles of different size (Open MPI: pointers; MPICH: ints), so the
 * wrappers of one cannot even forward the calls of a program of the other. Such a program is
 * executed again, before its main and without this library. So is one that is linked with the
 * standard ABI of MPI, whose handles are different again, whichever MPI is behind it, unless this
 * library is for that. A program
 * that loads its MPI later, as Python does, cannot be recognized here: it gets the MPI that this
 * library is linked with. If it has loaded another, it is told in MPI_Init, which is too late to
 * leave: the handles that it will pass are of that MPI.
 */
#include "interpose/preload.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/printable.h"
#include "interpose/interpose.h"
#include "interpose/meeting/leave-mark.h"
#include "interpose/meeting/signals.h"
#include "launcher/rank-variables.h"

#ifdef OPEN_MPI
static const char our_mpi[] = "Open MPI";
enum { OF_STANDARD_ABI = 0 };
#elif defined MPICH_VERSION
static const char our_mpi[] = "MPICH";
enum { OF_STANDARD_ABI = 0 };
#else
static const char our_mpi[] = "the standard ABI of MPI (libmpi_abi.so)";
enum { OF_STANDARD_ABI = 1 };
#endif

static const char *preload_base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *preload_others(const char *preload)
{
    Dl_info self;
    char *rest = calloc(1, strlen(preload) + 1), *words = strdup(preload), *save = NULL;
    if (!rest || !words || !dladdr((void *)preload_others, &self)) {
        free(words);
        free(rest);
        return NULL;
    }
    int is_ours = 0; /* with the MPI that the command has put behind it (job.c) */
    for (char *word = strtok_r(words, ": ", &save); word; word = strtok_r(NULL, ": ", &save)) {
        is_ours = strcmp(preload_base_of(word), preload_base_of(self.dli_fname)) == 0 ||
                  (is_ours && strcmp(preload_base_of(word), "libmpi.so.12") == 0);
        if (is_ours)
            continue;
        if (rest[0])
            strcat(rest, ":");
        strcat(rest, word);
    }
    free(words);
    return rest;
}

int preload_leave(void)
{
    const char *preload = getenv("LD_PRELOAD");
    char *rest = preload ? preload_others(preload) : NULL;
    int found = rest && strlen(rest) < strlen(preload);
    if (found && rest[0])
        setenv("LD_PRELOAD", rest, 1);
    else if (found)
        unsetenv("LD_PRELOAD");
    free(rest);
    return found;
}

/* Make it one line with single blanks, without MPICH's "Version:". */
static void preload_tidy(char *version)
{
    char *to = version;
    version[strcspn(version, "\n,")] = '\0';
    for (const char *from = version; *from; from++) {
        if (strncmp(from, "Version:", 8) == 0)
            from += 8;
        if (*from != ' ' && *from != '\t')
            *to++ = *from;
        else if (to > version && to[-1] != ' ')
            *to++ = ' ';
    }
    *to = '\0';
}

void preload_mpi(char version[PRELOAD_VERSION_SIZE])
{
    int length = 0;
    int (*ask)(char *, int *) = (int (*)(char *, int *))interpose_next("PMPI_Get_library_version");
    if (ask(version, &length) != MPI_SUCCESS)
        version[0] = '\0';
    preload_tidy(version);
}

/* Returns 1 if this is rank 0 by the launcher's variables, or if there are none. */
static int preload_is_first(void)
{
    const char *number = NULL;
    for (int i = 0; i < RANK_VARIABLES && !number; i++)
        number = getenv(rank_variable_name(i));
    return !number || strcmp(number, "0") == 0;
}

/* The words that this process was executed with. Of a program that was started as `ld.so
 * ./program', argv has not all. NULL: not known. */
static char **preload_words(void)
{
    FILE *file = fopen("/proc/self/cmdline", "re");
    char **words = NULL, **more;
    ssize_t length = 0;
    for (size_t count = 0, size = 0; file && length >= 0; count++, size = 0) {
        if (!(more = realloc(words, (count + 1) * sizeof *words)))
            return NULL;
        words = more;
        words[count] = NULL;
        if ((length = getdelim(&words[count], &size, '\0', file)) < 0)
            words[count] = NULL;
    }
    return words;
}

static int preload_is_standard_abi(const char *path)
{
    return strncmp(preload_base_of(path), "libmpi_abi", strlen("libmpi_abi")) == 0;
}

/* The argument of --mpi for the MPI that a shared library is of, by its name, if its handles are
 * not those of ours; else NULL. Behind the standard ABI there is another MPI's library as well. */
static const char *preload_other_mpi(const char *base)
{
    if (OF_STANDARD_ABI)
        return NULL;
    if (preload_is_standard_abi(base))
        return "abi";
    int is_mpich = strncmp(base, "libmpi.so.12", 12) == 0 || strncmp(base, "libmpich.so", 11) == 0;
#ifdef OPEN_MPI
    return is_mpich ? "mpich" : NULL;
#else
    return !is_mpich && strncmp(base, "libmpi.so.", 10) == 0 ? "openmpi" : NULL;
#endif
}

struct preload_loaded {
    const char *mpi; /* as of preload_other_mpi */
    char base[NAME_MAX + 1];
};

static int preload_find_loaded(struct dl_phdr_info *info, size_t size, void *context)
{
    struct preload_loaded *found = context;
    (void)size;
    snprintf(found->base, sizeof found->base, "%s", preload_base_of(info->dlpi_name));
    found->mpi = preload_other_mpi(found->base);
    return found->mpi != NULL;
}

void preload_check_loaded(void)
{
    struct preload_loaded found;
    if (preload_is_first() && dl_iterate_phdr(preload_find_loaded, &found))
        printable_say("this program has loaded %s, and the preloaded library is for %s: if it "
                      "uses that, say --mpi %s",
                      found.base, our_mpi, found.mpi);
}

/* Returns 1 if our calls would go to the library of the standard ABI. */
static int preload_calls_standard_abi(void)
{
    Dl_info there;
    return dladdr(interpose_next("PMPI_Init"), &there) && there.dli_fname &&
           preload_is_standard_abi(there.dli_fname);
}

/* The MPI that the program runs on, if this library was not built for it; else NULL. That of the
 * standard ABI need not be the next one: the command may have put Intel's behind this library. */
static const char *preload_find_other(char version[PRELOAD_VERSION_SIZE])
{
    struct preload_loaded found;
    if (OF_STANDARD_ABI && preload_calls_standard_abi())
        return NULL;
    if (dl_iterate_phdr(preload_find_loaded, &found) && strcmp(found.mpi, "abi") == 0)
        return "the standard ABI of MPI (libmpi_abi.so)";
    preload_mpi(version);
    int is_other = strncmp(version, "Open MPI", 8) == 0 || strncmp(version, "SMPI", 4) == 0;
    if (strncmp(version, our_mpi, strlen(our_mpi)) == 0 ||
        (strcmp(our_mpi, "MPICH") == 0 && !is_other))
        return NULL; /* the MPICH family: each member has its own name, and SimGrid's is none */
    return version;
}

static void preload_check_mpi(int argc, char **argv, char **environment)
    __attribute__((constructor));
static void preload_check_mpi(int argc, char **argv, char **environment)
{
    extern char **environ;
    char version[PRELOAD_VERSION_SIZE], program[PATH_MAX];
    (void)environment;
    printable_keep_to_stderr();
    const char *other = preload_find_other(version);
    if (!other)
        return;
    struct signals_held held;
    signals_hold(&held);
    if (preload_is_first()) {
        mark_leave();
        printable_say("this program runs on %s and the preloaded library is for %s: nothing is "
                      "recorded or reordered",
                      other, our_mpi);
    }
    signals_release(&held);
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (argc < 1 || length <= 0 || !preload_leave())
        return;
    program[length] = '\0';
    char **words = preload_words();
    execve(program, words ? words : argv, environ);
}
