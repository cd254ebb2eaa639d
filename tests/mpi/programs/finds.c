/* SPDX-License-Identifier: BSD-3-Clause */
/* finds.c - does a program that looks a function up find it? `finds NAME` prints "NAME: 1" or "NAME: 0". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    printf("%s: %d\n", argv[1], dlsym(RTLD_DEFAULT, argv[1]) != NULL);
    MPI_Finalize();
    return 0;
}
