/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callbacks.h - functions of the application that MPI calls with a communicator: copy and delete
 * callbacks of attributes, error handlers. Where another communicator stands for MPI_COMM_WORLD
 * they are to be given MPI_COMM_WORLD. The functions that register them are in hand.h.
 *
 * What other languages register in ways that reach no function of C can use the same:
 * callbacks_keyval and callbacks_error_handler take what they would call with C's conventions.
 */
#ifndef RESEAT_CALLBACKS_H
#define RESEAT_CALLBACKS_H

#include <mpi.h>
#include <stdarg.h>

/* How many functions can be error handlers; the next ones are given the communicator that stands
 * for MPI_COMM_WORLD by its own handle. */
enum { CALLBACKS_ERROR_HANDLERS = 32 };

/* The callbacks of a keyval, and what they have been promised. */
struct callbacks_keyval {
    MPI_Comm_copy_attr_function *copy;
    MPI_Comm_delete_attr_function *remove;
    void *state;
};

/* Put in place of `keyval` one that hears of MPI_COMM_WORLD by that handle. Unchanged where no
 * world is or can be replaced any more, where nothing but MPI's own functions are called, and where
 * memory is short. */
void callbacks_keyval(struct callbacks_keyval *keyval);

/* The same for an error handler. */
MPI_Comm_errhandler_function *callbacks_error_handler(MPI_Comm_errhandler_function *function);

/* What generated function number `slot` does. */
void callbacks_error(int slot, MPI_Comm *comm, int *code, va_list more);

/* The generated functions, by slot. */
extern MPI_Comm_errhandler_function *const callbacks_error_functions[CALLBACKS_ERROR_HANDLERS];

#endif
