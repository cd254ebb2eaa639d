/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * environment.c - getenv and secure_getenv, to see whether the application asks for its rank there
 * (rank-lookups.h). MPI asks too, inside its functions or from its own libraries; that does not
 * count. And MPI gets an answer of ours where the user has none (components.h). For all other names
 * this costs a few comparisons.
 *
 * The dynamic linker runs the constructors of our libraries, MPI among them, before ours: until
 * then the variables are looked up here, for the way to the C library's function may allocate
 * memory, and allocators ask for variables.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "interpose/components.h"
#include "interpose/interpose.h"
#include "interpose/tools.h"
#include "profiler/rank-lookups.h"

static char *(*next)(const char *name);

static void environment_find_next(void) __attribute__((constructor));
static void environment_find_next(void)
{
    next = (char *(*)(const char *))dlsym(RTLD_NEXT, "getenv");
}

static char *environment_look_up(const char *name)
{
    extern char **environ;
    size_t length = strlen(name);
    for (char **entry = environ; entry && *entry; entry++)
        if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
            return *entry + length + 1;
    return NULL;
}

/* Whether the code at this address is not ours, nor MPI's, nor that of another tool. Code that
 * belongs to no file was made by the program. */
static int environment_is_application(const void *caller)
{
    static const char *const mpi[] = {"libmpi", "libopen-", "libpmi", "libslurm", "mca_"};
    Dl_info self, there;
    if (tools_contain(caller))
        return 0;
    if (!dladdr(caller, &there) || !there.dli_fname)
        return 1;
    if (dladdr((void *)environment_is_application, &self) && self.dli_fbase == there.dli_fbase)
        return 0;
    const char *slash = strrchr(there.dli_fname, '/');
    const char *file = slash ? slash + 1 : there.dli_fname;
    for (size_t i = 0; i < sizeof mpi / sizeof *mpi; i++)
        if (strncmp(file, mpi[i], strlen(mpi[i])) == 0)
            return 0;
    return 1;
}

static char *environment_note(const char *name, const void *caller)
{
    int bit = rank_variable_find(name);
    if (bit >= 0 && interpose_depth == 0 && !(rank_lookup_bits() & 1u << bit) &&
        environment_is_application(caller))
        rank_lookup_add(bit);
    char *value = next ? next(name) : environment_look_up(name);
    const char *ours = value ? NULL : components_default(name);
    return ours && !environment_is_application(caller) ? (char *)(uintptr_t)ours : value;
}

INTERPOSE_EXPORT char *getenv(const char *name)
{
    return environment_note(name, __builtin_return_address(0));
}

INTERPOSE_EXPORT char *secure_getenv(const char *name)
{
    return getauxval(AT_SECURE) ? NULL : environment_note(name, __builtin_return_address(0));
}
