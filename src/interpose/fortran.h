/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran.h - Fortran bindings of Open MPI that reach no function of C (calls.tbl: fortran). Their
 * wrappers are generated, under every name that its Fortran library may have for them; all
 * parameters are addresses, handles are integers. These functions serve those wrappers, and do
 * nothing as long as MPI_COMM_WORLD stands for itself. (MPICH: world.c, callbacks.c.)
 */
#ifndef RESEAT_FORTRAN_H
#define RESEAT_FORTRAN_H

#include <mpi.h>

typedef void fortran_function(void);

/* The function of the MPI's Fortran library with this name, or with one or two underscores
 * appended, or in capitals. Without it the program cannot go on and is ended, as by
 * interpose_next(). */
fortran_function *fortran_next(const char *name);

/* The function to which the program's mpi_X leads, for the name pmpi_X: mpi_X of another tool after
 * this library, or `own`. */
fortran_function *fortran_entry(const char *name, fortran_function *own);

/* Fill a wrapper's pointer at its first call. */
#define FORTRAN_RESOLVE(pointer, name)                                            \
    do {                                                                          \
        if (__builtin_expect(!__atomic_load_n(&(pointer), __ATOMIC_RELAXED), 0))  \
            __atomic_store_n(&(pointer), (__typeof__(pointer))fortran_next(name), \
                             __ATOMIC_RELAXED);                                   \
    } while (0)

#define FORTRAN_RESOLVE_ENTRY(pointer, own)                                                     \
    do {                                                                                        \
        if (__builtin_expect(!__atomic_load_n(&(pointer), __ATOMIC_RELAXED), 0))                \
            __atomic_store_n(&(pointer),                                                        \
                             (__typeof__(pointer))fortran_entry(#own, (fortran_function *)own), \
                             __ATOMIC_RELAXED);                                                 \
    } while (0)

/* The Fortran handle of the communicator that stands for `comm`. */
MPI_Fint fortran_world(MPI_Fint comm);

/* The same as world_with (world.h). */
MPI_Fint fortran_world_with(MPI_Fint comm, MPI_Fint keyval);

/* `real` registers Fortran callbacks; the application's are called with MPI_COMM_WORLD where MPI
 * passes its replacement. */
typedef void fortran_keyval_maker(void *copy, void *remove, void *keyval, void *state,
                                  void *ierror);
typedef void fortran_handler_maker(void *function, void *errhandler, void *ierror);
void fortran_MPI_Comm_create_keyval(fortran_keyval_maker *real, void *copy, void *remove,
                                    void *keyval, void *state, void *ierror);
void fortran_MPI_Keyval_create(fortran_keyval_maker *real, void *copy, void *remove, void *keyval,
                               void *state, void *ierror);
void fortran_MPI_Comm_create_errhandler(fortran_handler_maker *real, void *function,
                                        void *errhandler, void *ierror);
void fortran_MPI_Errhandler_create(fortran_handler_maker *real, void *function, void *errhandler,
                                   void *ierror);

#endif
