/* SPDX-License-Identifier: BSD-3-Clause */
/* error-handler.c - see error-handler.h. */
#include "reorder/error-handler.h"

void error_handler_return(MPI_Comm comm, MPI_Errhandler *theirs)
{
    *theirs = MPI_ERRHANDLER_NULL;
    if (PMPI_Comm_get_errhandler(comm, theirs) != MPI_SUCCESS)
        return;
#ifndef OPEN_MPI
    if (*theirs == MPI_ERRORS_ARE_FATAL)
        PMPI_Errhandler_free(theirs);
#endif
    if (*theirs != MPI_ERRHANDLER_NULL)
        PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
}

void error_handler_restore(MPI_Comm comm, MPI_Errhandler *theirs)
{
    if (*theirs == MPI_ERRHANDLER_NULL)
        return;
    PMPI_Comm_set_errhandler(comm, *theirs);
    PMPI_Errhandler_free(theirs);
}
