/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callbacks.c - see callbacks.h. MPI is given functions of ours, which call the application's.
 *
 * Attributes: our functions find the application's in the extra state, which is a record.
 * Attributes outlive the freeing of their keyval, and MPI does not say when the last of them is
 * gone; so a record stays, and serves all keyvals with the same functions and state.
 *
 * Error handlers have no state. Each of the application's functions gets one of ours that is its
 * own; those are generated (generate.awk), so there is an end to them.
 *
 * Under MPICH other languages register their functions as if they were C's, and then tell MPI how
 * such functions are called: MPII_Keyval_set_proxy, MPII_Errhandler_set_cxx (src/mpi/attr,
 * src/mpi/errhan of MPICH 4.0; Fortran's error handlers are called like C's). These two are taken
 * over, so what is told about our function becomes what is done with the application's. Where they
 * have other names nothing is replaced.
 */
#include "interpose/callbacks.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "interpose/hand.h"
#include "interpose/interpose.h"
#include "interpose/world.h"

/* How another language's callbacks are called (MPICH: MPII_Attr_copy_proxy and its sister). */
typedef int copy_proxy(MPI_Comm_copy_attr_function *, int, int, void *, int, void *, void **,
                       int *);
typedef int delete_proxy(MPI_Comm_delete_attr_function *, int, int, int, void *, void *);

struct record {
    struct record *next;
    struct callbacks_keyval application;
    copy_proxy *call_copy; /* NULL: C */
    delete_proxy *call_delete;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record *records;
static MPI_Comm_errhandler_function *handlers[CALLBACKS_ERROR_HANDLERS];

/* The keyval that this thread has made last, whose language may follow. */
static __thread struct {
    int keyval;
    struct record *record; /* NULL: not ours */
} latest __attribute__((tls_model("initial-exec")));

#ifdef OPEN_MPI
static int are_languages_known(void)
{
    return 1;
}
#else
static int are_languages_known(void)
{
    return dlsym(RTLD_NEXT, "MPII_Keyval_set_proxy") != NULL;
}
#endif

/* Before MPI_Init nobody knows yet; error handlers can be made then (MPI-4). */
static int are_wanted(void)
{
    int initialized = 0;
    if (world_replacement == MPI_COMM_NULL)
        PMPI_Initialized(&initialized);
    return !initialized && are_languages_known();
}

/* ---- attributes ---- */

static int copy(MPI_Comm comm, int keyval, void *state, void *value, void *result, int *flag)
{
    const struct callbacks_keyval *k = &((const struct record *)state)->application;
    return k->copy(world_seen(comm), keyval, k->state, value, result, flag);
}

static int delete (MPI_Comm comm, int keyval, void *value, void *state)
{
    const struct callbacks_keyval *k = &((const struct record *)state)->application;
    return k->remove(world_seen(comm), keyval, value, k->state);
}

static struct record *find_record(const struct callbacks_keyval *keyval)
{
    struct record *r = records;
    while (r && (r->application.copy != keyval->copy || r->application.remove != keyval->remove ||
                 r->application.state != keyval->state))
        r = r->next;
    if (r || !(r = calloc(1, sizeof *r)))
        return r;
    r->application = *keyval;
    r->next = records;
    records = r;
    return r;
}

void callbacks_keyval(struct callbacks_keyval *keyval)
{
    int copies =
        keyval->copy && keyval->copy != MPI_COMM_NULL_COPY_FN && keyval->copy != MPI_COMM_DUP_FN;
    int deletes = keyval->remove && keyval->remove != MPI_COMM_NULL_DELETE_FN;
    if ((!copies && !deletes) || !are_wanted())
        return;
    pthread_mutex_lock(&lock);
    struct record *r = find_record(keyval);
    pthread_mutex_unlock(&lock);
    if (!r)
        return;
    keyval->state = r;
    keyval->copy = copies ? copy : keyval->copy;
    keyval->remove = deletes ? delete : keyval->remove;
}

int hand_MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy_fn,
                                MPI_Comm_delete_attr_function *delete_fn, int *keyval, void *state)
{
    struct callbacks_keyval ours = {copy_fn, delete_fn, state};
    callbacks_keyval(&ours);
    int rc = PMPI_Comm_create_keyval(ours.copy, ours.remove, keyval, ours.state);
    latest.record = rc == MPI_SUCCESS && ours.state != state ? ours.state : NULL;
    latest.keyval = latest.record ? *keyval : MPI_KEYVAL_INVALID;
    return rc;
}

int hand_MPI_Keyval_create(MPI_Comm_copy_attr_function *copy_fn,
                           MPI_Comm_delete_attr_function *delete_fn, int *keyval, void *state)
{
    return hand_MPI_Comm_create_keyval(copy_fn, delete_fn, keyval, state);
}

/* ---- error handlers ---- */

MPI_Comm_errhandler_function *callbacks_error_handler(MPI_Comm_errhandler_function *function)
{
    int slot = 0;
    if (!function || !are_wanted())
        return function;
    pthread_mutex_lock(&lock);
    while (slot < CALLBACKS_ERROR_HANDLERS && handlers[slot] && handlers[slot] != function)
        slot++;
    if (slot < CALLBACKS_ERROR_HANDLERS)
        handlers[slot] = function;
    pthread_mutex_unlock(&lock);
    return slot < CALLBACKS_ERROR_HANDLERS ? callbacks_error_functions[slot] : function;
}

/* Open MPI gives a text and a NULL besides (ompi/errhandler/errhandler_invoke.c), MPICH nothing. */
void callbacks_error(int slot, MPI_Comm *comm, int *code, va_list more)
{
    MPI_Comm seen = world_seen(*comm);
#ifdef OPEN_MPI
    handlers[slot](&seen, code, va_arg(more, char *), NULL);
#else
    (void)more;
    handlers[slot](&seen, code);
#endif
}

int hand_MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function,
                                    MPI_Errhandler *errhandler)
{
    return PMPI_Comm_create_errhandler(callbacks_error_handler(function), errhandler);
}

int hand_MPI_Errhandler_create(MPI_Comm_errhandler_function *function, MPI_Errhandler *errhandler)
{
    return hand_MPI_Comm_create_errhandler(function, errhandler);
}

/* ---- other languages, MPICH ---- */

#ifndef OPEN_MPI

typedef void any_function(void);
typedef void error_proxy(int kind, int *handle, int *code, any_function *function);
enum { OF_COMMUNICATOR }; /* a kind */

static error_proxy *call_error;

static int copy_as_told(MPI_Comm_copy_attr_function *ours, int comm, int keyval, void *state,
                        int type, void *value, void **result, int *flag)
{
    const struct record *r = state;
    (void)ours;
    return r->call_copy(r->application.copy, world_seen(comm), keyval, r->application.state, type,
                        value, result, flag);
}

static int delete_as_told(MPI_Comm_delete_attr_function *ours, int comm, int keyval, int type,
                          void *value, void *state)
{
    const struct record *r = state;
    (void)ours;
    return r->call_delete(r->application.remove, world_seen(comm), keyval, type, value,
                          r->application.state);
}

/* `function` may be one of ours. Only the handle of a communicator is read: a file's is larger. */
static void error_as_told(int kind, int *handle, int *code, any_function *function)
{
    int seen = kind == OF_COMMUNICATOR ? world_seen(*handle) : 0;
    for (int slot = 0; slot < CALLBACKS_ERROR_HANDLERS; slot++)
        if (function == (any_function *)callbacks_error_functions[slot])
            function = (any_function *)handlers[slot];
    call_error(kind, kind == OF_COMMUNICATOR ? &seen : handle, code, function);
}

INTERPOSE_EXPORT void MPII_Keyval_set_proxy(int keyval, copy_proxy *copies, delete_proxy *deletes);
void MPII_Keyval_set_proxy(int keyval, copy_proxy *copies, delete_proxy *deletes)
{
    static __typeof__(MPII_Keyval_set_proxy) *real;
    INTERPOSE_RESOLVE(real, "MPII_Keyval_set_proxy");
    struct record *r = latest.keyval == keyval ? latest.record : NULL;
    latest.record = NULL;
    if (r) {
        r->call_copy = copies;
        r->call_delete = deletes;
    }
    real(keyval, r ? copy_as_told : copies, r ? delete_as_told : deletes);
}

INTERPOSE_EXPORT void MPII_Errhandler_set_cxx(MPI_Errhandler errhandler, any_function *call);
void MPII_Errhandler_set_cxx(MPI_Errhandler errhandler, any_function *call)
{
    static __typeof__(MPII_Errhandler_set_cxx) *real;
    INTERPOSE_RESOLVE(real, "MPII_Errhandler_set_cxx");
    call_error = (error_proxy *)call;
    real(errhandler, (any_function *)error_as_told);
}

#endif
