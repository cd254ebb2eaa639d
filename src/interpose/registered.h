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
#include <stdint.h>

#include "base/handles.h"

/* A function of the application, of whatever type. */
typedef void any_function(void);

struct registered_records {
    struct handles by_value, by_number;
    uintptr_t count;
};
#define REGISTERED_INIT               \
    {                                 \
        HANDLES_INIT, HANDLES_INIT, 0 \
    }

/*
 * The number, from 1, of the record that begins with the `compared` bytes at `wanted`, which have
 * no padding; if there is none, a new one of `size` bytes, with zeros after these. Records are
 * never freed, because attributes outlive their keyval and MPI does not say when the last one is
 * gone; so there is one for each distinct value, however often that is registered. 0: out of
 * memory.
 */
uintptr_t registered_enter(struct registered_records *records, const void *wanted, size_t compared,
                           size_t size);
/* The record of a number, or of a word. */
void *registered_find(struct registered_records *records, uintptr_t word);

/*
 * The extra state of a keyval may be another one each time. So where it fits, as pointers do, MPI
 * gets it in one word with the number of a record, which is then of the functions only.
 * registered_pack returns that word, 0 if it does not fit; registered_state the state in it; of a
 * mere number that is -1.
 */
uintptr_t registered_pack(uintptr_t number, uintptr_t state);
intptr_t registered_state(uintptr_t word);

/* `function` is the application's error handler for `handler`. It replaces what that handle stood
 * for before, since MPI reuses handles. 0, or -1 if out of memory. */
int registered_set(MPI_Errhandler handler, any_function *function);

/* The function for an error on `comm`: that of the handler set on it, since MPI calls no other.
 * NULL: none is known. */
any_function *registered_on(MPI_Comm comm);

#endif
