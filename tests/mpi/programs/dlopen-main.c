/* SPDX-License-Identifier: BSD-3-Clause */
/* dlopen-main.c - run the main program that is in a shared library, loaded for this program only,
 * as Python loads modules: what it is linked with is not visible to others. Usage: dlopen-main
 * LIBRARY */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int initialized = 0;
    MPI_Initialized(&initialized); /* MPI itself is visible */
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*other_main)(int, char **) =
        library ? (int (*)(int, char **))dlsym(library, "main") : NULL;
    if (!other_main) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    return other_main(argc - 1, argv + 1);
}
