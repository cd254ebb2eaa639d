/* SPDX-License-Identifier: BSD-3-Clause */
/* trouble.c - see trouble.h. */
#include "reorder/trouble.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "format/printable.h"

void trouble_note(struct trouble *trouble, const char *format, ...)
{
    if (trouble->failed)
        return;
    char raw[sizeof trouble->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    printable_copy(trouble->text, sizeof trouble->text, raw);
    trouble->failed = 1;
}

int trouble_mpi(struct trouble *trouble, int rc, const char *what)
{
    if (rc != MPI_SUCCESS)
        trouble_note(trouble, "%s failed", what);
    return rc == MPI_SUCCESS;
}

int trouble_agree(struct trouble *trouble, MPI_Comm comm)
{
    int rank = 0, first = 0;
    PMPI_Comm_rank(comm, &rank);
    int mine = trouble->failed ? rank : INT_MAX;
    if (PMPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS && first == INT_MAX)
        return 0;
    if (rank == first && trouble->failed && !trouble->said)
        fprintf(stderr, "reseat: launch order kept: rank %d: %s\n", rank, trouble->text);
    trouble->failed = trouble->said = 1;
    return -1;
}
