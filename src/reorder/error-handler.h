/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error-handler.h - errors of our own calls on a communicator of the application return to us.
 *
 * MPICH: a communicator that nobody gave an error handler has none, and MPI_COMM_WORLD's holds,
 * whenever that is set; MPI says of it that errors are fatal, as of one that was given that
 * handler. A handler that is set can never be taken away, and children inherit it. So nothing is
 * set where errors are fatal there: an error of ours is, too.
 */
#ifndef RESEAT_ERROR_HANDLER_H
#define RESEAT_ERROR_HANDLER_H

#include <mpi.h>

/* Errors on `comm` return, if that can be undone; *theirs gets what has to be restored. Local. */
void error_handler_return(MPI_Comm comm, MPI_Errhandler *theirs);

/* `comm`, or another communicator in its place, gets what error_handler_return has kept. */
void error_handler_restore(MPI_Comm comm, MPI_Errhandler *theirs);

#endif
