/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error-handler.h - make errors of our own calls on the application's communicators return to us.
 *
 * In MPICH a communicator on which no error handler was set has none, and follows MPI_COMM_WORLD's,
 * whenever that is set; MPI reports MPI_ERRORS_ARE_FATAL for it, as if that had been set. Setting a
 * handler cannot be undone, and children inherit it. So under MPICH, if errors are fatal, no
 * handler is set, and our own errors are fatal as well.
 */
#ifndef RESEAT_ERROR_HANDLER_H
#define RESEAT_ERROR_HANDLER_H

#include <mpi.h>

/* Make errors on `comm` return, if that can be undone; *theirs gets what must be restored.
 * Local. */
void error_handler_return(MPI_Comm comm, MPI_Errhandler *theirs);

/* Restore, on `comm` or on a communicator that replaces it, what error_handler_return has saved. */
void error_handler_restore(MPI_Comm comm, MPI_Errhandler *theirs);

#endif
