/* SPDX-License-Identifier: BSD-3-Clause */
/* unknown-release.c - to be preloaded after the library: an MPI of a later release; an Open MPI in which a job whose
 * messages are monitored ends, as in 5.0 and in 6.0 when they came. */
#include <stdlib.h>
#include <string.h>

#ifdef MPICH
#define RELEASE "MPICH Version: 9.0.0"
#else
#define RELEASE "Open MPI v9.0.0, of a later year"
#endif

int PMPI_Get_library_version(char *version, int *length);
int PMPI_Get_library_version(char *version, int *length)
{
    strcpy(version, RELEASE);
    *length = (int)strlen(version);
    return 0;
}

void mca_common_monitoring_add_procs(void);
void mca_common_monitoring_add_procs(void)
{
    abort();
}
