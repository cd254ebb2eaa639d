/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * callbacks.c - functions of the application that MPI calls with a communicator: copy and delete
 * callbacks of attributes, error handlers. They must be given MPI_COMM_WORLD, not its replacement,
 * so MPI is given functions of ours, which call the application's. The functions that register them
 * are in override.h.
 *
 * Attributes: our functions find the application's by the extra state that MPI has, which names a
 * record that is never freed, and mostly has the application's state as well (registered.h). Error
 * handlers have no state: ours asks which one is set on the communicator that it is called with.
 *
 * Under MPICH other languages register their functions as if they were C's, and then tell MPI how
 * such functions are called: MPII_Keyval_set_proxy, MPII_Errhandler_set_cxx (src/mpi/attr,
 * src/mpi/errhan of MPICH 4.0; Fortran's error handlers are called like C's). We intercept these
 * two, so that what MPI is told about our function applies to the application's. If they have other
 * names, nothing is replaced; nor is it with the standard ABI if there is a Fortran library, which
 * may do the same.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>

#include "interpose/override.h"
#include "interpose/interpose.h"
#include "interpose/registered.h"
#include "interpose/world.h"
#include "profiler/mpi-release.h"

/* Functions that call callbacks of another language (MPICH: MPII_Attr_copy_proxy and
 * MPII_Attr_delete_proxy). */
typedef int copy_proxy(MPI_Comm_copy_attr_function *, int, int, void *, int, void *, void **,
                       int *);
typedef int delete_proxy(MPI_Comm_delete_attr_function *, int, int, int, void *, void *);

/* The callbacks of a keyval, and their extra state. */
struct callbacks {
    MPI_Comm_copy_attr_function *copy;
    MPI_Comm_delete_attr_function *remove;
    void *state;
};

struct record {
    struct callbacks application; /* what is compared */
    copy_proxy *call_copy;        /* NULL: C */
    delete_proxy *call_delete;
};

static struct registered_records records = REGISTERED_INIT;

/* The keyval that this thread has made last; its language may be told next. */
static __thread struct {
    int keyval;
    struct record *record; /* NULL: not ours */
} latest __attribute__((tls_model("initial-exec")));

static int callback_are_languages_known(void)
{
#if defined OPEN_MPI
    return 1;
#elif defined MPICH_VERSION
    return dlsym(RTLD_NEXT, "MPII_Keyval_set_proxy") != NULL;
#else
    return dlsym(RTLD_DEFAULT, "mpi_init_") == NULL;
#endif
}

/* Before MPI_Init this is not known yet; error handlers can be made then (MPI-4). */
static int callback_are_wanted(void)
{
    int initialized = 0;
    if (world_replacement == MPI_COMM_NULL)
        PMPI_Initialized(&initialized);
    return !initialized && callback_are_languages_known();
}

/* ---- attributes ---- */

/* By the state that MPI has: the record, and the application's state. */
static const struct record *callback_find(void *word, void **state)
{
    const struct record *r = registered_find(&records, (uintptr_t)word);
    intptr_t packed = registered_state((uintptr_t)word);
    *state = packed >= 0 ? (void *)packed : r->application.state;
    return r;
}

static int callback_copy(MPI_Comm comm, int keyval, void *word, void *value, void *result,
                         int *flag)
{
    void *state;
    const struct record *r = callback_find(word, &state);
    return r->application.copy(world_seen(comm), keyval, state, value, result, flag);
}

static int callback_delete(MPI_Comm comm, int keyval, void *value, void *word)
{
    void *state;
    const struct record *r = callback_find(word, &state);
    return r->application.remove(world_seen(comm), keyval, value, state);
}

/* Replace the callbacks of `keyval` by ours, which pass MPI_COMM_WORLD on under that handle. They
 * stay unchanged if the world is not and will not be replaced, if they are only MPI's own
 * functions, and if out of memory. */
static void callback_replace(struct callbacks *keyval)
{
    int copies =
        keyval->copy && keyval->copy != MPI_COMM_NULL_COPY_FN && keyval->copy != MPI_COMM_DUP_FN;
    int deletes = keyval->remove && keyval->remove != MPI_COMM_NULL_DELETE_FN;
    if ((!copies && !deletes) || !callback_are_wanted())
        return;
    struct callbacks wanted = {keyval->copy, keyval->remove, NULL};
    const size_t size = sizeof(struct record);
    uintptr_t word = registered_enter(&records, &wanted, sizeof wanted, size);
    if (word)
        word = registered_pack(word, (uintptr_t)keyval->state);
    if (!word)
        word = registered_enter(&records, keyval, sizeof *keyval, size);
    if (!word)
        return;
    keyval->state = (void *)word;
    keyval->copy = copies ? callback_copy : keyval->copy;
    keyval->remove = deletes ? callback_delete : keyval->remove;
}

int override_MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy_fn,
                                    MPI_Comm_delete_attr_function *delete_fn, int *keyval,
                                    void *state)
{
    struct callbacks ours = {copy_fn, delete_fn, state};
    callback_replace(&ours);
    int rc = PMPI_Comm_create_keyval(ours.copy, ours.remove, keyval, ours.state);
    int is_ours = ours.copy == callback_copy || ours.remove == callback_delete;
    latest.record =
        rc == MPI_SUCCESS && is_ours ? registered_find(&records, (uintptr_t)ours.state) : NULL;
    latest.keyval = latest.record ? *keyval : MPI_KEYVAL_INVALID;
    return rc;
}

int override_MPI_Keyval_create(MPI_Comm_copy_attr_function *copy_fn,
                               MPI_Comm_delete_attr_function *delete_fn, int *keyval, void *state)
{
    return override_MPI_Comm_create_keyval(copy_fn, delete_fn, keyval, state);
}

/* ---- error handlers ---- */

/* Open MPI passes a text and a NULL as well (ompi/errhandler/errhandler_invoke.c), MPICH nothing
 * more. */
static void callback_on_error(MPI_Comm *comm, int *code, ...)
{
    MPI_Comm seen = world_seen(*comm);
    MPI_Comm_errhandler_function *function = (MPI_Comm_errhandler_function *)registered_on(*comm);
    if (!function)
        return;
    if (!mpi_is_openmpi()) {
        function(&seen, code);
        return;
    }
    va_list more;
    va_start(more, code);
    function(&seen, code, va_arg(more, char *), NULL);
    va_end(more);
}

int override_MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function,
                                        MPI_Errhandler *errhandler)
{
    if (!function || !callback_are_wanted())
        return PMPI_Comm_create_errhandler(function, errhandler);
    int rc = PMPI_Comm_create_errhandler(callback_on_error, errhandler);
    if (rc != MPI_SUCCESS || registered_set(*errhandler, (any_function *)function) == 0)
        return rc;
    PMPI_Errhandler_free(errhandler);
    return PMPI_Comm_create_errhandler(function, errhandler);
}

int override_MPI_Errhandler_create(MPI_Comm_errhandler_function *function,
                                   MPI_Errhandler *errhandler)
{
    return override_MPI_Comm_create_errhandler(function, errhandler);
}

/* ---- MPI-1: not in the mpi.h of the standard ABI; without PMPI_ in the library of MPICH ---- */

#if !defined OPEN_MPI && !defined MPICH_VERSION && !DECLARES_MPI_Errhandler_set

INTERPOSE_EXPORT int MPI_Errhandler_create(MPI_Comm_errhandler_function *function,
                                           MPI_Errhandler *errhandler);
INTERPOSE_EXPORT int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler);
INTERPOSE_EXPORT int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler);

int MPI_Errhandler_create(MPI_Comm_errhandler_function *function, MPI_Errhandler *errhandler)
{
    return MPI_Comm_create_errhandler(function, errhandler);
}

int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    return MPI_Comm_get_errhandler(comm, errhandler);
}

int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler)
{
    return MPI_Comm_set_errhandler(comm, errhandler);
}

#endif

/* ---- error handlers with a state, MPICH 4.3 and later: also those of its Fortran and C++ ---- */

#if DECLARES_MPIX_Comm_create_errhandler_x

struct stateful {
    MPIX_Comm_errhandler_function_x *function;
    MPIX_Destructor_function *destroy;
    void *state;
};

static void callback_on_stateful_error(MPI_Comm comm, int code, void *record)
{
    const struct stateful *r = record;
    r->function(world_seen(comm), code, r->state);
}

static void callback_destroy_stateful(void *record)
{
    const struct stateful *r = record;
    if (r->destroy)
        r->destroy(r->state);
    free(record);
}

int override_MPIX_Comm_create_errhandler_x(MPIX_Comm_errhandler_function_x *function,
                                           MPIX_Destructor_function *destroy, void *state,
                                           MPI_Errhandler *errhandler)
{
    struct stateful *r = function && callback_are_wanted() ? malloc(sizeof *r) : NULL;
    if (!r)
        return PMPIX_Comm_create_errhandler_x(function, destroy, state, errhandler);
    *r = (struct stateful){.function = function, .destroy = destroy, .state = state};
    int rc = PMPIX_Comm_create_errhandler_x(callback_on_stateful_error, callback_destroy_stateful,
                                            r, errhandler);
    if (rc != MPI_SUCCESS)
        free(r);
    return rc;
}

#endif

/* ---- other languages, MPICH ---- */

#ifdef MPICH_VERSION

typedef void error_proxy(int kind, int *handle, int *code, any_function *function);
enum { OF_COMMUNICATOR }; /* a kind */

static error_proxy *call_error;

static int callback_copy_as_told(MPI_Comm_copy_attr_function *ours, int comm, int keyval,
                                 void *word, int type, void *value, void **result, int *flag)
{
    void *state;
    const struct record *r = callback_find(word, &state);
    (void)ours;
    return r->call_copy(r->application.copy, world_seen(comm), keyval, state, type, value, result,
                        flag);
}

static int callback_delete_as_told(MPI_Comm_delete_attr_function *ours, int comm, int keyval,
                                   int type, void *value, void *word)
{
    void *state;
    const struct record *r = callback_find(word, &state);
    (void)ours;
    return r->call_delete(r->application.remove, world_seen(comm), keyval, type, value, state);
}

/* `function` may be one of ours. Only the handle of a communicator is read: a file's is larger. */
static void callback_error_as_told(int kind, int *handle, int *code, any_function *function)
{
    int seen = kind == OF_COMMUNICATOR ? world_seen(*handle) : 0;
    if (function == (any_function *)callback_on_error)
        function = registered_on(*handle);
    if (function)
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
    real(keyval, r ? callback_copy_as_told : copies, r ? callback_delete_as_told : deletes);
}

INTERPOSE_EXPORT void MPII_Errhandler_set_cxx(MPI_Errhandler errhandler, any_function *call);
void MPII_Errhandler_set_cxx(MPI_Errhandler errhandler, any_function *call)
{
    static __typeof__(MPII_Errhandler_set_cxx) *real;
    INTERPOSE_RESOLVE(real, "MPII_Errhandler_set_cxx");
    call_error = (error_proxy *)call;
    real(errhandler, (any_function *)callback_error_as_told);
}

#endif
