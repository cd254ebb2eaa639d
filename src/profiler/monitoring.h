/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * monitoring.h - what the MPI itself reports that it sends for a collective: Open MPI's component
 * pml/monitoring reports each message to a function that this library replaces (monitoring.c).
 * The model (model.c) is used where that is not available.
 */
#ifndef RESEAT_MONITORING_H
#define RESEAT_MONITORING_H

#include <mpi.h>

#include "profile/settings.h"

/* The present source of the messages of collectives; never RESEAT_COLLECTIVES_AUTO. */
extern enum reseat_collectives monitoring_source __attribute__((visibility("hidden")));

/* Around the real MPI_Init: make Open MPI switch the component on. */
void monitoring_before_init(enum reseat_collectives wanted);
void monitoring_after_init(void);

/* Find out whether the component reports what collectives send. Collective over `launched`, all
 * ranks of the world in launch order. Returns the source that all ranks will use from now on. */
enum reseat_collectives monitoring_start(enum reseat_collectives wanted, MPI_Comm launched);
void monitoring_stop(void);

/*
 * The application's collective on `comm` begins and ends: what is reported in between is its
 * traffic. After a nonblocking one (`stays`), so is what is reported outside of any collective,
 * until the next nonblocking one.
 */
void monitoring_enter(MPI_Comm comm, int stays);
void monitoring_leave(void);

/* Between these two the calling thread sends messages that are not the application's. */
void monitoring_pause(void);
void monitoring_resume(void);

/* The collective, or the pause, that the calling thread is in has been left without returning. */
void monitoring_abandon(void);

static inline void collective_begins(MPI_Comm comm, int stays)
{
    if (monitoring_source == RESEAT_COLLECTIVES_MONITORING)
        monitoring_enter(comm, stays);
}

/* 1: the model has to work out what was sent. */
static inline int collective_ends(void)
{
    if (monitoring_source == RESEAT_COLLECTIVES_MONITORING)
        monitoring_leave();
    return monitoring_source == RESEAT_COLLECTIVES_MODEL;
}

#endif
