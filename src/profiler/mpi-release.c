/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-release.c - see mpi-release.h. */
#include "profiler/mpi-release.h"

int mpi_release(void)
{
    static int release = -1; /* all threads write the same; -1: not asked yet */
    int found = __atomic_load_n(&release, __ATOMIC_RELAXED);
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    if (found >= 0)
        return found;
    PMPI_Get_library_version(text, &length);
    found = choices_release(text);
    __atomic_store_n(&release, found, __ATOMIC_RELAXED);
    return found;
}
