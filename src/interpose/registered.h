/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registered.h - what the application registers with MPI to be called later, where MPI is given
 * functions of ours in its place (callbacks.c, fortran.c): kept for these to find. Any number, at
 * a constant price; from any thread.
 */
#ifndef RESEAT_REGISTERED_H
#define RESEAT_REGISTERED_H

#include <mpi.h>
#include <stddef.h>

#include "profiler/handles.h"

/* A function of the application, of whatever type. */
typedef void any_function(void);

/*
 * The record of `records` that begins with the `compared` bytes at `wanted`, which have no padding;
 * where there is none a new one of `size` bytes, 0 behind these. It is never freed: attributes
 * outlive their keyval, and MPI does not say when the last of them is gone. So there are as many as
 * are different, however often they are registered. NULL: memory is short.
 */
void *registered_record(struct handles *records, const void *wanted, size_t compared, size_t size);

/* `function` is what an error is for where `handler` is set; what a handle had before, when MPI
 * used it for another handler, is forgotten. 0, or -1 when memory is short. */
int registered_set(MPI_Errhandler handler, any_function *function);

/* The function for an error on `comm`: of the handler that is set on it, for MPI calls no other.
 * NULL: none is known. */
any_function *registered_on(MPI_Comm comm);

#endif
