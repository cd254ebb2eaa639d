/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran.c - see fortran.h.
 *
 * Open MPI's Fortran library handles attributes and callbacks with internal functions of MPI
 * (ompi_attr_set_aint, ompi_errhandler_create: `nm -D` of libmpi_mpifh.so), which do not know the
 * replacement of MPI_COMM_WORLD.
 *
 * Callbacks of attributes: MPI is given functions of ours and, as the extra state, the number of a
 * record with the application's, which is never freed (registered.h). Error handlers have no state:
 * ours asks which one is set on the communicator that it is called with.
 */
#include "interpose/fortran.h"

#include <ctype.h>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

#include "interpose/interpose.h"
#include "interpose/registered.h"
#include "interpose/tools.h"
#include "interpose/world.h"

/* ---- the way to the real functions ---- */

/* A library that was loaded with RTLD_LOCAL, as Python does, is not found by RTLD_NEXT: look into
 * all that are loaded. */
static void *fortran_find_loaded(const char *name)
{
    Dl_info self, found;
    struct link_map *map = NULL;
    void *program = dlopen(NULL, RTLD_LAZY), *symbol = NULL;
    if (!program || dlinfo(program, RTLD_DI_LINKMAP, &map) || !dladdr((void *)fortran_next, &self))
        return NULL;
    for (; map && !symbol; map = map->l_next) {
        void *library = map->l_name[0] ? dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
        if (!library)
            continue;
        symbol = dlsym(library, name);
        if (symbol && dladdr(symbol, &found) && found.dli_fbase == self.dli_fbase)
            symbol = NULL;
        dlclose(library);
    }
    dlclose(program);
    return symbol;
}

static void *fortran_find(const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    return symbol ? symbol : fortran_find_loaded(name);
}

/* The ways in which Fortran compilers mangle a name. */
enum { MANGLINGS = 4, NAME_SIZE = 64 };
static void fortran_mangle(const char *name, char manglings[MANGLINGS][NAME_SIZE])
{
    snprintf(manglings[0], NAME_SIZE, "%s", name);
    snprintf(manglings[1], NAME_SIZE, "%s_", name);
    snprintf(manglings[2], NAME_SIZE, "%s__", name);
    snprintf(manglings[3], NAME_SIZE, "%s", name);
    for (char *c = manglings[3]; *c; c++)
        *c = (char)toupper((unsigned char)*c);
}

fortran_function *fortran_next(const char *name)
{
    char manglings[MANGLINGS][NAME_SIZE];
    void *symbol = NULL;
    fortran_mangle(name, manglings);
    for (int i = 0; i < MANGLINGS && !symbol; i++)
        symbol = fortran_find(manglings[i]);
    return symbol ? (fortran_function *)symbol : (fortran_function *)interpose_next(name);
}

fortran_function *fortran_entry(const char *name, fortran_function *own)
{
    char manglings[MANGLINGS][NAME_SIZE];
    void *real = (void *)fortran_next(name), *tool = NULL;
    fortran_mangle(name + 1, manglings);
    for (int i = 0; i < MANGLINGS && !tool; i++)
        tool = tools_behind(manglings[i], real);
    return tool ? (fortran_function *)tool : own;
}

/* ---- communicators ---- */

MPI_Fint fortran_world(MPI_Fint comm)
{
    if (world_replacement == MPI_COMM_NULL || comm != PMPI_Comm_c2f(MPI_COMM_WORLD))
        return comm;
    return PMPI_Comm_c2f(world_replacement);
}

MPI_Fint fortran_world_with(MPI_Fint comm, MPI_Fint keyval)
{
    if (world_replacement == MPI_COMM_NULL)
        return comm;
    MPI_Comm given = PMPI_Comm_f2c(comm), with = world_with(given, keyval);
    return with == given ? comm : PMPI_Comm_c2f(with);
}

/* The inverse: the handle that the application knows. */
static MPI_Fint fortran_seen(MPI_Fint comm)
{
    if (world_replacement == MPI_COMM_NULL || comm != PMPI_Comm_c2f(world_replacement))
        return comm;
    return PMPI_Comm_c2f(MPI_COMM_WORLD);
}

/* ---- attributes ---- */

typedef void copy_function(MPI_Fint *comm, MPI_Fint *keyval, void *state, void *value, void *copied,
                           void *flag, MPI_Fint *ierror);
typedef void delete_function(MPI_Fint *comm, MPI_Fint *keyval, void *value, void *state,
                             MPI_Fint *ierror);

/* The size of `state` depends on the call: MPI_Keyval_create takes an integer. */
struct fortran_callbacks {
    copy_function *copy;
    delete_function *remove;
    union state {
        MPI_Aint wide;
        MPI_Fint narrow;
    } state;
};

static struct registered_records records = REGISTERED_INIT;

/* By the state that MPI has: the functions, and the application's state. */
static struct fortran_callbacks fortran_find_callbacks(MPI_Aint word)
{
    struct fortran_callbacks found =
        *(const struct fortran_callbacks *)registered_find(&records, (uintptr_t)word);
    intptr_t packed = registered_state((uintptr_t)word);
    if (packed >= 0)
        found.state.wide = packed;
    return found;
}

static void fortran_call_copy(struct fortran_callbacks k, MPI_Fint comm, MPI_Fint *keyval,
                              void *const value[3], MPI_Fint *ierror)
{
    comm = fortran_seen(comm);
    k.copy(&comm, keyval, &k.state, value[0], value[1], value[2], ierror);
}

static void fortran_copy_wide(MPI_Fint *comm, MPI_Fint *keyval, void *state, void *value,
                              void *copied, void *flag, MPI_Fint *ierror)
{
    void *const values[3] = {value, copied, flag};
    fortran_call_copy(fortran_find_callbacks(*(MPI_Aint *)state), *comm, keyval, values, ierror);
}

static void fortran_copy_narrow(MPI_Fint *comm, MPI_Fint *keyval, void *state, void *value,
                                void *copied, void *flag, MPI_Fint *ierror)
{
    void *const values[3] = {value, copied, flag};
    fortran_call_copy(fortran_find_callbacks(*(MPI_Fint *)state), *comm, keyval, values, ierror);
}

static void fortran_call_delete(struct fortran_callbacks k, MPI_Fint comm, MPI_Fint *keyval,
                                void *value, MPI_Fint *ierror)
{
    comm = fortran_seen(comm);
    k.remove(&comm, keyval, value, &k.state, ierror);
}

static void fortran_delete_wide(MPI_Fint *comm, MPI_Fint *keyval, void *value, void *state,
                                MPI_Fint *ierror)
{
    fortran_call_delete(fortran_find_callbacks(*(MPI_Aint *)state), *comm, keyval, value, ierror);
}

static void fortran_delete_narrow(MPI_Fint *comm, MPI_Fint *keyval, void *value, void *state,
                                  MPI_Fint *ierror)
{
    fortran_call_delete(fortran_find_callbacks(*(MPI_Fint *)state), *comm, keyval, value, ierror);
}

/* The state for MPI, which is that of these callbacks; 0: out of memory. A narrow one has no room
 * for more than a number. */
static uintptr_t fortran_enter(const struct fortran_callbacks *wanted, int is_wide)
{
    struct fortran_callbacks functions = *wanted;
    uintptr_t word = 0;
    functions.state.wide = 0;
    if (is_wide &&
        (word = registered_enter(&records, &functions, sizeof functions, sizeof functions)))
        word = registered_pack(word, (uintptr_t)wanted->state.wide);
    return word ? word : registered_enter(&records, wanted, sizeof *wanted, sizeof *wanted);
}

void fortran_MPI_Comm_create_keyval(fortran_keyval_maker *real, void *copy, void *remove,
                                    void *keyval, void *state, void *ierror)
{
    struct fortran_callbacks wanted = {.copy = (copy_function *)copy,
                                       .remove = (delete_function *)remove};
    wanted.state.wide = *(MPI_Aint *)state;
    MPI_Aint number = world_replacement == MPI_COMM_NULL ? 0 : (MPI_Aint)fortran_enter(&wanted, 1);
    if (number)
        real((void *)fortran_copy_wide, (void *)fortran_delete_wide, keyval, &number, ierror);
    else
        real(copy, remove, keyval, state, ierror);
}

void fortran_MPI_Keyval_create(fortran_keyval_maker *real, void *copy, void *remove, void *keyval,
                               void *state, void *ierror)
{
    struct fortran_callbacks wanted = {.copy = (copy_function *)copy,
                                       .remove = (delete_function *)remove};
    wanted.state.narrow = *(MPI_Fint *)state;
    MPI_Fint number = world_replacement == MPI_COMM_NULL ? 0 : (MPI_Fint)fortran_enter(&wanted, 0);
    if (number)
        real((void *)fortran_copy_narrow, (void *)fortran_delete_narrow, keyval, &number, ierror);
    else
        real(copy, remove, keyval, state, ierror);
}

/* ---- error handlers ---- */

typedef void error_function(MPI_Fint *comm, MPI_Fint *code);

static void fortran_on_error(MPI_Fint *comm, MPI_Fint *code)
{
    error_function *function = (error_function *)registered_on(PMPI_Comm_f2c(*comm));
    MPI_Fint as_known = fortran_seen(*comm);
    if (function)
        function(&as_known, code);
}

void fortran_MPI_Comm_create_errhandler(fortran_handler_maker *real, void *function,
                                        void *errhandler, void *ierror)
{
    int again = function == (void *)fortran_on_error; /* MPI_Errhandler_create gets here twice */
    int ours = world_replacement != MPI_COMM_NULL && !again;
    real(ours ? (void *)fortran_on_error : function, errhandler, ierror);
    MPI_Errhandler handler = ours ? PMPI_Errhandler_f2c(*(MPI_Fint *)errhandler) : NULL;
    if (handler) /* NULL also if none was made */
        registered_set(handler, (any_function *)function);
}

void fortran_MPI_Errhandler_create(fortran_handler_maker *real, void *function, void *errhandler,
                                   void *ierror)
{
    fortran_MPI_Comm_create_errhandler(real, function, errhandler, ierror);
}
