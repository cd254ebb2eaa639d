/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * world.c - see world.h.
 *
 * When the replacement ends: MPI_Finalize first deletes the attributes of MPI_COMM_SELF, last set
 * first (MPI-4.0, 11.2.4), and their callbacks may still use MPI_COMM_WORLD. Ours is set before any
 * of the application's, so it is deleted after them.
 */
#include "interpose/world.h"

#include <stddef.h>
#include <strings.h>

#include "interpose/interpose.h"
#include "interpose/hooks.h"
#include "interpose/override.h"
#include "profiler/mpi-release.h"

MPI_Comm world_replacement = MPI_COMM_NULL;
MPI_Comm world_replaced = MPI_COMM_NULL;

/* The keyval of an attribute without a value on MPI_COMM_SELF and, in Open MPI, of one with a value
 * on the replacement and its duplicates. */
static int world_mark = MPI_KEYVAL_INVALID;

static int world_copy(MPI_Comm comm, int keyval, void *state, void *value, void *result, int *flag)
{
    (void)comm;
    (void)keyval;
    (void)state;
    *(void **)result = value;
    *flag = value != NULL;
    return MPI_SUCCESS;
}

static int world_free(MPI_Comm comm, int keyval, void *value, void *state)
{
    MPI_Comm order = world_replacement;
    (void)comm;
    (void)keyval;
    (void)state;
    if (value)
        return MPI_SUCCESS;
    int rc = order == MPI_COMM_NULL ? MPI_SUCCESS : PMPI_Comm_free(&order);
    world_restore(); /* not before: its attributes have callbacks */
    return rc;
}

int world_replace(MPI_Comm order)
{
    int marks = mpi_is_openmpi();
    if (PMPI_Comm_set_name(order, "MPI_COMM_WORLD") != MPI_SUCCESS ||
        PMPI_Comm_create_keyval(world_copy, world_free, &world_mark, NULL) != MPI_SUCCESS ||
        PMPI_Comm_set_attr(MPI_COMM_SELF, world_mark, NULL) != MPI_SUCCESS ||
        (marks && PMPI_Comm_set_attr(order, world_mark, &world_mark) != MPI_SUCCESS))
        return -1;
    if (!marks)
        PMPI_Comm_free_keyval(&world_mark);
    world_replacement = order;
    world_replaced = MPI_COMM_WORLD;
    return 0;
}

void world_restore(void)
{
    world_replaced = world_replacement = MPI_COMM_NULL;
}

/* Those that Open MPI has on duplicates of MPI_COMM_WORLD as well. MPICH has all of them on every
 * communicator. */
static int world_is_inherited(int keyval)
{
    return keyval == MPI_TAG_UB || keyval == MPI_HOST || keyval == MPI_IO ||
           keyval == MPI_WTIME_IS_GLOBAL || keyval == MPI_UNIVERSE_SIZE || keyval == MPI_APPNUM;
}

static int world_is_predefined(int keyval)
{
#if defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5
    if (keyval == MPI_FT)
        return 1;
#endif
    return world_is_inherited(keyval) || keyval == MPI_LASTUSEDCODE;
}

MPI_Comm world_with(MPI_Comm comm, int keyval)
{
    void *mark = NULL;
    int is_marked = 0;
    if (!world_is_predefined(keyval))
        return world_of(comm);
    if (world_is_inherited(keyval) && comm != MPI_COMM_WORLD && comm != MPI_COMM_NULL &&
        world_replacement != MPI_COMM_NULL && world_mark != MPI_KEYVAL_INVALID)
        PMPI_Comm_get_attr(comm, world_mark, &mark, &is_marked);
    return is_marked && mark ? MPI_COMM_WORLD : comm;
}

void world_group(const char *pset_name, MPI_Group *group)
{
    if (world_replacement == MPI_COMM_NULL || strcasecmp(pset_name, "mpi://WORLD") != 0)
        return;
    MPI_Group ours;
    if (PMPI_Comm_group(world_replacement, &ours) != MPI_SUCCESS)
        return;
    PMPI_Group_free(group);
    *group = ours;
}

/* ---- handles of tool variables (MPI_T) that are bound to a communicator ---- */

/* The object is passed by address, and only the variable tells its kind. Returns the address of the
 * communicator at `object`, or of its replacement. */
static void *world_of_object(int binding, void *object)
{
    return binding == MPI_T_BIND_MPI_COMM && object && world_replacement != MPI_COMM_NULL &&
                   *(MPI_Comm *)object == MPI_COMM_WORLD
               ? &world_replacement
               : object;
}

int override_MPI_T_cvar_handle_alloc(int index, void *object, MPI_T_cvar_handle *handle, int *count)
{
    int verbosity, binding = MPI_T_BIND_NO_OBJECT, scope;
    MPI_Datatype type;
    PMPI_T_cvar_get_info(index, NULL, NULL, &verbosity, &type, NULL, NULL, NULL, &binding, &scope);
    return PMPI_T_cvar_handle_alloc(index, world_of_object(binding, object), handle, count);
}

int override_MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void *object,
                                     MPI_T_pvar_handle *handle, int *count)
{
    int verbosity, class, binding = MPI_T_BIND_NO_OBJECT, readonly, continuous, atomic;
    MPI_Datatype type;
    PMPI_T_pvar_get_info(index, NULL, NULL, &verbosity, &class, &type, NULL, NULL, NULL, &binding,
                         &readonly, &continuous, &atomic);
    return PMPI_T_pvar_handle_alloc(session, index, world_of_object(binding, object), handle,
                                    count);
}

#ifdef MPICH_VERSION

/* MPICH's Fortran library sets and gets attributes by these functions, not by those of MPI. Its
 * keyval of a predefined attribute is one more than C's (mpif.h, mpi.h). */

INTERPOSE_EXPORT int MPII_Comm_set_attr(MPI_Comm comm, int keyval, void *value, int type);
int MPII_Comm_set_attr(MPI_Comm comm, int keyval, void *value, int type)
{
    static __typeof__(MPII_Comm_set_attr) *real;
    INTERPOSE_RESOLVE(real, "MPII_Comm_set_attr");
    return real(world_of(comm), keyval, value, type);
}

INTERPOSE_EXPORT int MPII_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag,
                                        int type);
int MPII_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag, int type)
{
    static __typeof__(MPII_Comm_get_attr) *real;
    INTERPOSE_RESOLVE(real, "MPII_Comm_get_attr");
    int predefined = world_is_predefined(keyval) || world_is_predefined(keyval - 1);
    return real(predefined ? comm : world_of(comm), keyval, value, flag, type);
}

#endif
