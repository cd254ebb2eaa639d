/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tool-handles.c - handles of tool variables (MPI_T) that are bound to a communicator. The object
 * is passed by address, and only the variable tells its kind.
 */
#include <stddef.h>

#include "interpose/override.h"
#include "interpose/world.h"

/* The address of the communicator at `object`, or of its replacement. */
static void *tool_handle_object_seen(int binding, void *object)
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
    return PMPI_T_cvar_handle_alloc(index, tool_handle_object_seen(binding, object), handle, count);
}

int override_MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void *object,
                                     MPI_T_pvar_handle *handle, int *count)
{
    int verbosity, class, binding = MPI_T_BIND_NO_OBJECT, readonly, continuous, atomic;
    MPI_Datatype type;
    PMPI_T_pvar_get_info(index, NULL, NULL, &verbosity, &class, &type, NULL, NULL, NULL, &binding,
                         &readonly, &continuous, &atomic);
    return PMPI_T_pvar_handle_alloc(session, index, tool_handle_object_seen(binding, object),
                                    handle, count);
}
