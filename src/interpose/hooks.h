/* SPDX-License-Identifier: BSD-3-Clause */
/* hooks.h - the hooks of calls.tbl: those of the profiler, and those that interpose has itself. */
#ifndef RESEAT_HOOKS_H
#define RESEAT_HOOKS_H

#include "declared.h"
#include "profiler/call-hooks.h"

/* ---- the end: lifecycle.c. Nothing is done the second time. ---- */
void before_finalize(void);

/* ---- the world: world.c ---- */
void world_group(const char *pset_name, MPI_Group *group);

/* ---- ends of communicators: sessions.c ---- */
void before_communicator_free(MPI_Comm *comm);
void before_communicator_disconnect(MPI_Comm *comm);

/* ---- sessions: sessions.c ---- */
#if DECLARES_MPI_Session_init
void session_group(MPI_Session session, const char *pset_name, MPI_Group *group);
#endif
void before_group_free(MPI_Group *group);

/* ---- what changes how other functions are called: direct.c ---- */
void before_error_handler(MPI_Errhandler handler); /* of some communicator */
void file_opened(void);                            /* which is not recorded either */

#endif
