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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for all tables of records */
static struct handles functions = HANDLES_INIT;          /* by MPI_Errhandler */

/* Odd, so that neither it nor its successors are ever 0. */
static uintptr_t registered_key_of(const void *bytes, size_t size)
{
    return (uintptr_t)reseat_hash_add(reseat_hash_empty, bytes, size) | 1;
}

void *registered_record(struct handles *records, const void *wanted, size_t compared, size_t size)
{
    uintptr_t key = registered_key_of(wanted, compared);
    void *record;
    pthread_mutex_lock(&lock);
    while ((record = handles_find(records, key)) && memcmp(record, wanted, compared) != 0)
        key += 2;
    if (!record && (record = calloc(1, size))) {
        memcpy(record, wanted, compared);
        if (!handles_insert(records, key, record)) {
            free(record);
            record = NULL;
        }
    }
    pthread_mutex_unlock(&lock);
    return record;
}

int registered_set(MPI_Errhandler handler, any_function *function)
{
    handles_remove(&functions, (uintptr_t)handler);
    return handles_insert(&functions, (uintptr_t)handler, (void *)function) ? 0 : -1;
}

any_function *registered_on(MPI_Comm comm)
{
    MPI_Errhandler handler;
    if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
        return NULL;
    void *function = handles_find(&functions, (uintptr_t)handler);
    PMPI_Errhandler_free(&handler);
    return (any_function *)function;
}
