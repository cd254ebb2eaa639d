/* SPDX-License-Identifier: BSD-3-Clause */
/* hooks.c - see hooks.h: hooks that several modules need. */
#include "interpose/hooks.h"

#include "interpose/sessions.h"
#include "profiler/communicators.h"

/* A program may pass NULL to these; it is for the MPI to report that error. */
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
