/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registered.c - see registered.h. A record's key is a hash of what is compared or, if another
 * record has that key, the next free odd number.
 */
#include "interpose/registered.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static struct {
    pthread_mutex_t lock;     /* for all tables of records */
    struct handles functions; /* by MPI_Errhandler */
} registered = {PTHREAD_MUTEX_INITIALIZER, HANDLES_INIT};

/* Odd, so that neither it nor its successors are ever 0. */
static uintptr_t registered_key_of(const void *bytes, size_t size)
{
    return (uintptr_t)reseat_hash_add(reseat_hash_empty, bytes, size) | 1;
}

/* The number stands behind what the caller wants to have. */
static uintptr_t *registered_number_of(void *record, size_t size)
{
    return (uintptr_t *)((char *)record +
                         (size + sizeof(uintptr_t) - 1) / sizeof(uintptr_t) * sizeof(uintptr_t));
}

static void *registered_make(struct registered_records *records, uintptr_t key, const void *wanted,
                             size_t compared, size_t size)
{
    void *record = calloc(1, size + 2 * sizeof(uintptr_t));
    if (!record)
        return NULL;
    memcpy(record, wanted, compared);
    *registered_number_of(record, size) = records->count + 1;
    if (!handles_insert(&records->by_number, records->count + 1, record)) {
        free(record);
        return NULL;
    }
    if (handles_insert(&records->by_value, key, record)) {
        records->count++;
        return record;
    }
    handles_remove(&records->by_number, records->count + 1);
    free(record);
    return NULL;
}

uintptr_t registered_enter(struct registered_records *records, const void *wanted, size_t compared,
                           size_t size)
{
    uintptr_t key = registered_key_of(wanted, compared);
    void *record;
    pthread_mutex_lock(&registered.lock);
    while ((record = handles_find(&records->by_value, key)) &&
           memcmp(record, wanted, compared) != 0)
        key += 2;
    if (!record)
        record = registered_make(records, key, wanted, compared, size);
    pthread_mutex_unlock(&registered.lock);
    return record ? *registered_number_of(record, size) : 0;
}

/* Of a word of 64 bits, the upper 16 for the number. */
enum { STATE_BITS = 48, MOST_PACKED = (1 << 15) - 1 };

uintptr_t registered_pack(uintptr_t number, uintptr_t state)
{
    int fits = sizeof state == 8 && number <= MOST_PACKED && (uint64_t)state >> STATE_BITS == 0;
    return fits ? (uintptr_t)((uint64_t)number << STATE_BITS | state) : 0;
}

intptr_t registered_state(uintptr_t word)
{
    uint64_t number = (uint64_t)word >> STATE_BITS;
    return number ? (intptr_t)((uint64_t)word - (number << STATE_BITS)) : -1;
}

void *registered_find(struct registered_records *records, uintptr_t word)
{
    uintptr_t number = (uintptr_t)((uint64_t)word >> STATE_BITS);
    return handles_find(&records->by_number, number ? number : word);
}

int registered_set(MPI_Errhandler handler, any_function *function)
{
    handles_remove(&registered.functions, (uintptr_t)handler);
    return handles_insert(&registered.functions, (uintptr_t)handler, (void *)function) ? 0 : -1;
}

any_function *registered_on(MPI_Comm comm)
{
    MPI_Errhandler handler;
    if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
        return NULL;
    void *function = handles_find(&registered.functions, (uintptr_t)handler);
    PMPI_Errhandler_free(&handler);
    return (any_function *)function;
}
