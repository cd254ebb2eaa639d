/* SPDX-License-Identifier: BSD-3-Clause */
/* hooks.c - see hooks.h: those that are of interest to more than one module. */
#include "interpose/hooks.h"

#include "interpose/sessions.h"
#include "profiler/communicators.h"

/* A program may give these no address, and the MPI say that this is an error. */
void before_communicator_free(MPI_Comm *comm)
{
    if (!comm)
        return;
    sessions_communicator_ends(*comm, 0);
    communicator_forget(*comm);
}

void before_communicator_disconnect(MPI_Comm *comm)
{
    if (!comm)
        return;
    sessions_communicator_ends(*comm, 1);
    communicator_forget(*comm);
}
