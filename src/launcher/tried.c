/* SPDX-License-Identifier: BSD-3-Clause */
/* tried.c - see tried.h. */
#include "launcher/tried.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define EACH(how) how, how, how, how, how

static const struct tried_row tried_rows[] = {
    {"Open MPI", "4.1.4", "mpirun; srun of Slurm 22.05", "", EACH(TRIED_ALWAYS)},
    {"Open MPI", "5.0.7", "mpirun, prterun (PRRTE 3.0.8)", "", TRIED_ALWAYS, TRIED_ALWAYS,
     TRIED_IN_FULL, TRIED_IN_FULL, TRIED_IN_FULL},
    {"Open MPI", "5.0.11", "mpirun, of Python's registry", "2026-11", TRIED_BY_HAND, TRIED_BY_HAND,
     TRIED_NOT, TRIED_NOT, TRIED_BY_HAND},
    {"Open MPI", "6.0.0rc2", "mpirun (PRRTE 5.0.0rc1)", "", TRIED_ALWAYS, TRIED_ALWAYS,
     TRIED_IN_FULL, TRIED_IN_FULL, TRIED_IN_FULL},
    {"Open MPI", "6.0.0rc2", "prun (PRRTE 5.0.0rc1, after prte), prterun", "2026-11",
     EACH(TRIED_BY_HAND)},
    {"MPICH", "4.0.2", "mpiexec (Hydra); srun of Slurm 22.05", "", EACH(TRIED_ALWAYS)},
    {"MPICH", "4.2.1", "mpiexec (Hydra)", "", TRIED_ALWAYS, TRIED_ALWAYS, TRIED_IN_FULL,
     TRIED_IN_FULL, TRIED_IN_FULL},
    {"MPICH", "5.0.2", "mpiexec (Hydra)", "", TRIED_ALWAYS, TRIED_ALWAYS, TRIED_IN_FULL,
     TRIED_IN_FULL, TRIED_IN_FULL},
    {"MPICH", "5.0.2", "srun of Slurm 26.05", "", TRIED_IN_FULL, TRIED_IN_FULL, TRIED_NOT,
     TRIED_IN_FULL, TRIED_NOT},
    {"Intel(R) MPI Library", "2021.18.1", "its mpiexec.hydra", "2026-11", TRIED_ALWAYS,
     TRIED_ALWAYS, TRIED_ALWAYS, TRIED_ALWAYS, TRIED_BY_HAND},
    {"MVAPICH", "", "mpirun_rsh", "", TRIED_DOCUMENTS, TRIED_DOCUMENTS, TRIED_NOT, TRIED_NOT,
     TRIED_NOT},
    {"Cray MPICH", "", "srun, aprun, mpiexec (PALS)", "", TRIED_DOCUMENTS, TRIED_DOCUMENTS,
     TRIED_NOT, TRIED_DOCUMENTS, TRIED_NOT},
    {"any", "", "Flux 0.88, with Open MPI 4.1.4 and MPICH 4.0.2", "2026-11", TRIED_BY_HAND,
     TRIED_BY_HAND, TRIED_NOT, TRIED_BY_HAND, TRIED_BY_HAND},
    {"any", "", "OpenPBS 23.06.06, with Open MPI 4.1.4 and MPICH 5.0.2", "2026-11",
     EACH(TRIED_BY_HAND)},
    {"any", "", "jsrun of LSF", "", TRIED_DOCUMENTS, TRIED_DOCUMENTS, TRIED_NOT, TRIED_DOCUMENTS,
     TRIED_NOT},
};
enum { TRIED_ROWS = sizeof tried_rows / sizeof tried_rows[0] };

const struct tried_row *tried_row(int number)
{
    return number < TRIED_ROWS ? &tried_rows[number] : NULL;
}

/* The length of "4.1" in "4.1.4". */
static size_t tried_series(const char *release)
{
    size_t length = strcspn(release, ".");
    length += release[length] == '.';
    while (isdigit((unsigned char)release[length]))
        length++;
    return length;
}

static int tried_is_of(const struct tried_row *row, const char *mpi)
{
    size_t name = strlen(row->mpi), series = tried_series(row->release);
    if (row->profile <= TRIED_DOCUMENTS || strncmp(mpi, row->mpi, name) != 0 || mpi[name] != ' ')
        return 0;
    const char *number = mpi + name + 1;
    number += *number == 'v'; /* as Open MPI writes it */
    return strncmp(number, row->release, series) == 0 && !isdigit((unsigned char)number[series]);
}

int tried_has(const char *mpi)
{
    for (int i = 0; i < TRIED_ROWS; i++)
        if (tried_is_of(&tried_rows[i], mpi))
            return 1;
    return 0;
}
