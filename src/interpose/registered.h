/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registered.h - callbacks that the application registers with MPI. Where MPI is given functions of
 * ours instead (callbacks.c, fortran.c), these find the application's here. Any number, in constant
 * time, from any thread.
 */
#ifndef RESEAT_REGISTERED_H
#define RESEAT_REGISTERED_H

#include <mpi.h>
#include <stddef.h>

#include "base/handles.h"

/* A function of the application, of whatever type. */
typedef void any_function(void);

/*
 * The record of `records` that begins with the `compared` bytes at `wanted`, which have no padding;
 * if there is none, a new one of `size` bytes, with zeros after these. Records are never freed,
 * because attributes outlive their keyval and MPI does not say when the last one is gone; so there
 * is one for each distinct value, however often that is registered. NULL: out of memory.
 */
void *registered_record(struct handles *records, const void *wanted, size_t compared, size_t size);

/* `function` is the application's error handler for `handler`. It replaces what that handle stood
 * for before, since MPI reuses handles. 0, or -1 if out of memory. */
int registered_set(MPI_Errhandler handler, any_function *function);

/* The function for an error on `comm`: that of the handler set on it, since MPI calls no other.
 * NULL: none is known. */
any_function *registered_on(MPI_Comm comm);

#endif
