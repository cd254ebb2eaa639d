/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handles.h - a hash table from MPI handles to what we know about them. It is read on the hot path:
 * a lookup takes no lock and makes no system call; changes take a lock.
 *
 * Keys are handles cast to uintptr_t, never 0 (no MPI has such handles for the objects we keep).
 * Looking up a key while another thread removes that same key is an error of the application.
 *
 * Four communicators of MPICH in a table of 8 cells (real tables start with 64). 0x84000002 hashes
 * to cell 5, as 0x44000000 does, and is in the next free one; 0x84000005 has been removed and keeps
 * its cell, for MPICH will reuse the handle. With half of the cells in use, the next key goes into
 * a table of 16, and this one stays for readers that are still in it:
 *
 *   handles.cells --> size 8, used 4, older --> NULL
 *
 *     cell    0            1      2            3      4      5            6            7
 *     key     0x84000004   0      0x84000005   0      0      0x44000000   0x84000002   0
 *     value   o                   NULL                       o            o
 */
#ifndef RESEAT_HANDLES_H
#define RESEAT_HANDLES_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct handle_cell {
    uintptr_t key;
    void *value; /* NULL: removed */
};

struct handle_cells {
    struct handle_cells *older;
    size_t size; /* a power of two */
    size_t used; /* keys, with or without a value */
    struct handle_cell cell[];
};

struct handles {
    pthread_mutex_t lock;
    struct handle_cells *cells; /* the present table; ->older: the smaller ones before it */
};

#define HANDLES_INIT                                     \
    {                                                    \
        .lock = PTHREAD_MUTEX_INITIALIZER, .cells = NULL \
    }

/* The cell of `key`, or the empty cell (key 0) where it would go; there always is one. */
static inline struct handle_cell *handles_probe(struct handle_cells *cells, uintptr_t key)
{
    size_t i = (size_t)(reseat_hash_word(key) >> 32);
    for (;; i++) {
        struct handle_cell *cell = &cells->cell[i & (cells->size - 1)];
        uintptr_t found = __atomic_load_n(&cell->key, __ATOMIC_ACQUIRE);
        if (found == key || !found)
            return cell;
    }
}

/* The value of `key`, or NULL. */
static inline void *handles_find(const struct handles *handles, uintptr_t key)
{
    struct handle_cells *cells = __atomic_load_n(&handles->cells, __ATOMIC_ACQUIRE);
    if (!cells)
        return NULL;
    struct handle_cell *cell = handles_probe(cells, key);
    return cell->key == key ? __atomic_load_n(&cell->value, __ATOMIC_ACQUIRE) : NULL;
}

/* Set the value of `key` unless it has one already. Returns the value that it has now; NULL when
 * out of memory. */
void *handles_insert(struct handles *handles, uintptr_t key, void *value);

/* Forget `key`; returns the value it had, or NULL. */
void *handles_remove(struct handles *handles, uintptr_t key);

/* Call `visit` (may be NULL) with each value, then free the table. No other thread may be using
 * it. */
void handles_clear(struct handles *handles, void (*visit)(void *value));

#endif
