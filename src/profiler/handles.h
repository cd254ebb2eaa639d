/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handles.h - a table from MPI handles to what we know about them, read on the way of every
 * message: looking up takes no lock and no system call; changes take a lock.
 *
 * Keys are handles cast to uintptr_t, never 0 (no MPI has such handles for the objects we keep).
 * A key that is looked up while another thread removes *that* key is the application's error.
 */
#ifndef RESEAT_HANDLES_H
#define RESEAT_HANDLES_H

#include <pthread.h>
#include <stdint.h>

struct handle_cells;

struct handles {
    pthread_mutex_t lock;
    struct handle_cells *cells; /* the table now; older, smaller ones hang behind it */
};

#define HANDLES_INIT                                     \
    {                                                    \
        .lock = PTHREAD_MUTEX_INITIALIZER, .cells = NULL \
    }

/* The value of `key`, or NULL. */
void *handles_find(const struct handles *handles, uintptr_t key);

/* Set the value of `key` unless it has one already. Returns the value that it has now; NULL when
 * memory is short. */
void *handles_insert(struct handles *handles, uintptr_t key, void *value);

/* Forget `key`; returns the value it had, or NULL. */
void *handles_remove(struct handles *handles, uintptr_t key);

/* Call `visit` (may be NULL) with each value, then free the table. No other thread may use it any
 * more. */
void handles_clear(struct handles *handles, void (*visit)(void *value));

#endif
