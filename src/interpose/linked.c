/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linked.c - where the functions of the MPI are in a program that has its MPI, and this library, in
 * itself. Nothing can be preloaded between the two, so linked.sh makes of the library an object to
 * link, whose functions take the place of the MPI's by the linker's --wrap, which leaves the MPI's
 * own under the name __real_X.
 *
 * In that object, linked_symbol is called where the preloaded library calls dlsym. No tool can be
 * behind us there: no MPI_X but ours is found.
 *
 * A note in the program tells the command that nothing has to be preloaded (elf.h).
 */
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* linked.sh writes a line for each of them, by name. Some are weak: Fortran's bindings
 * and PMIx are not in every program, and later functions not in every MPI. */
#define ROW(name, symbol, attribute) extern char symbol[] attribute;
#include "linked-functions.h"
#undef ROW

static const struct linked_function {
    const char *name;
    void *address; /* NULL: not in this program */
} linked_functions[] = {
#define ROW(name, symbol, attribute) {#name, symbol},
#include "linked-functions.h"
};

static const struct {
    Elf64_Nhdr header;
    char name[8], mpi[8];
} linked_note __attribute__((section(".note.reseat"), used, aligned(4))) = {
    {sizeof "Reseat", sizeof LINKED_MPI, 1}, "Reseat", LINKED_MPI};

/* A program with more rights than its user takes no file names from the environment: the preloaded
 * library is kept away by the dynamic loader. */
static void linked_stay_off(void) __attribute__((constructor));
static void linked_stay_off(void)
{
    if (getauxval(AT_SECURE))
        unsetenv("RESEAT");
}

static int linked_compare(const void *name, const void *function)
{
    return strcmp(name, ((const struct linked_function *)function)->name);
}

void *linked_symbol(void *handle, const char *name);
void *linked_symbol(void *handle, const char *name)
{
    const struct linked_function *found =
        bsearch(name, linked_functions, sizeof linked_functions / sizeof *linked_functions,
                sizeof *linked_functions, linked_compare);
    if (found)
        return found->address;
    return strncmp(name, "MPI_", 4) == 0 ? NULL : dlsym(handle, name);
}
