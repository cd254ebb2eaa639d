/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lifecycle.c - from MPI_Init to MPI_Finalize or MPI_Abort: where src/profiler and src/reorder are
 * put to work.
 */
#include "interpose/lifecycle.h"

#include <limits.h>
#include <stdlib.h>

#include "text/printable.h"
#include "base/clock.h"
#include "interpose/meeting/assemble.h"
#include "interpose/direct.h"
#include "interpose/hooks.h"
#include "interpose/inherit.h"
#include "interpose/interpose.h"
#include "interpose/meeting/key-space.h"
#include "interpose/meeting/leave-mark.h"
#include "interpose/override.h"
#include "interpose/preload.h"
#include "interpose/meeting/rights.h"
#include "interpose/runtime.h"
#include "interpose/sessions.h"
#include "interpose/meeting/signals.h"
#include "interpose/topology-calls.h"
#include "interpose/world.h"
#include "profiler/monitoring.h"
#include "profiler/profiler.h"
#include "profiler/run-time.h"
#include "profiler/unseen.h"
#include "profiler/windows.h"
#include "reorder/reorder.h"
#include "comm/rank-tree.h"

/* ---- MPI_Init ---- */

/* When the time began that is ours, without that of the MPI's MPI_Init (base/clock.h). */
static struct {
    double began, before;
} lifecycle;

static int lifecycle_is_spawned(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}

/* Create the domains of this process, by its rank in MPI_COMM_WORLD. 0, or -1: out of memory. */
static int lifecycle_start_domains(int threads)
{
    MPI_Group world;
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
        return -1;
    int rc = profiler_start(world, threads);
    PMPI_Group_free(&world);
    return rc;
}

/* Find out whether all ranks take part. Settings that decide which steps are collective must be the
 * same everywhere, and become rank 0's; of the mode what rank 0's command has decided on is left.
 * `*failed`: 1 if a rank is out of memory. */
static int lifecycle_assemble(MPI_Comm *launched, int threads, int *failed)
{
    struct reseat_settings *settings = &runtime.settings;
    struct meeting meeting = {.where = "MPI_Init",
                              .mode = settings->mode,
                              .patience = settings->wait,
                              .least = {runtime.rank ? INT_MAX : (int)settings->scope,
                                        runtime.rank ? INT_MAX : (int)settings->collectives,
                                        lifecycle_start_domains(threads),
                                        runtime.rank ? INT_MAX : runtime_decision()}};
    int rc = assemble(MPI_COMM_WORLD, &meeting, launched);
    if (rc)
        return rc;
    settings->scope = (enum reseat_scope)meeting.least[0];
    settings->collectives = (enum reseat_collectives)meeting.least[1];
    *failed = meeting.least[2];
    settings->mode &= meeting.least[3];
    return 0;
}

/* Returns 1 if no rank has failed. All are in MPI_Init, so that no receive of the program can match
 * what is sent. */
static int lifecycle_agree(MPI_Comm order, int failed)
{
    struct rank_tree rank_tree;
    rank_tree_open(&rank_tree, order);
    return rank_tree_agree(&rank_tree, failed ? rank_tree.first : RANK_TREE_NOBODY) ==
           RANK_TREE_NOBODY;
}

/* Reorder the world, on all ranks or on none, and create the domains by the new ranks. Returns 1 if
 * a rank is out of memory. */
static int lifecycle_order_world(int threads)
{
    MPI_Comm order = reorder_world(&runtime.settings, lifecycle.began);
    if (order == MPI_COMM_NULL)
        return runtime_outcome(0);
    if (!lifecycle_agree(order, world_replace(order))) {
        world_restore();
        runtime_say(0, "MPI_COMM_WORLD cannot be replaced: launch order kept");
        return runtime_outcome(0);
    }
    runtime_outcome(1);
    profiler_stop();
    int failed = lifecycle_start_domains(threads);
    PMPI_Comm_rank(MPI_COMM_WORLD, &runtime.rank); /* which may have changed */
    return !lifecycle_agree(order, failed);
}

/* Read by `reseat doctor` (src/cmd/doctor.c). */
static void lifecycle_say_source(void)
{
    char version[PRELOAD_VERSION_SIZE];
    if (runtime.rank != 0 || runtime.settings.verbose < 2)
        return;
    preload_mpi(version);
    runtime_say(2, "%s; what its collectives send: %s", version, profiler_collectives());
}

/* Once it is known that all ranks take part. */
static void lifecycle_start_together(MPI_Comm launched)
{
    int records = (runtime.settings.mode & RESEAT_MODE_PROFILE) != 0;
    if (!topology_calls_matter())
        profiler_stop();
    profiler_listen(records ? runtime.settings.collectives : RESEAT_COLLECTIVES_OFF,
                    launched == MPI_COMM_NULL ? MPI_COMM_WORLD : launched);
    if (records && runtime.settings.collectives == RESEAT_COLLECTIVES_MONITORING &&
        monitoring_source == RESEAT_COLLECTIVES_MODEL)
        runtime_say(0, "this MPI does not tell what its collectives send: the model is used");
    if (records)
        lifecycle_say_source();
    interpose_active = runtime.all = 1;
    interpose_recording = records;
    if (records)
        direct_start();
    runtime_start_clock();
    if (records)
        windows_start();
}

static void lifecycle_start(int threads)
{
    MPI_Comm launched;
    int failed = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &runtime.rank);
    rights_note();
    runtime_read_settings(&runtime.settings, 1); /* again, for the warnings */
    if (runtime.settings.mode == RESEAT_MODE_OFF)
        return;
    if (runtime.rank == 0)
        mark_leave();
    if (lifecycle_is_spawned()) {
        runtime_say(1, "spawned processes are neither recorded nor reordered");
        return;
    }
    if (lifecycle_assemble(&launched, threads, &failed)) {
        profiler_stop();
        if (runtime.settings.mode & RESEAT_MODE_REORDER)
            runtime_outcome(0);
        return;
    }
    if (!failed && runtime.settings.mode & RESEAT_MODE_REORDER &&
        runtime.settings.scope != RESEAT_SCOPE_GRAPH)
        failed = lifecycle_order_world(threads);
    if (!failed && runtime.settings.mode != RESEAT_MODE_OFF)
        lifecycle_start_together(launched);
    else
        profiler_stop();
    if (failed)
        runtime_say(0, "out of memory at the start: the program runs as without reseat");
    if (launched != MPI_COMM_NULL)
        PMPI_Comm_free(&launched);
}

/* Read the settings that matter this early, and announce this rank to the others. The other ranks
 * may lack the library: nothing here may change what MPI does with them
 * (doc/design/0011-what-we-call.md). */
void lifecycle_before_init(void)
{
    static int is_done;
    if (is_done)
        return;
    is_done = 1;
    lifecycle.began = clock_now();
    preload_check_loaded();
    preload_leave();
    runtime_read_settings(&runtime.settings, 0);
    if (runtime.settings.mode != RESEAT_MODE_OFF)
        key_space_put(runtime.settings.mode);
    if (runtime.settings.mode & RESEAT_MODE_PROFILE)
        monitoring_before_init(runtime.settings.collectives);
    lifecycle.before = clock_now();
}

/* Part of our PMPI_Init, because other tools ask for rank and size as soon as that returns. An
 * MPI_Init that is not the MPI's may not have started it: libraries for one process (MUMPS'
 * libmpiseq) have such a stub. */
void lifecycle_after_init(void)
{
    static int is_done;
    int provided = MPI_THREAD_SINGLE, is_initialized = 0;
    PMPI_Initialized(&is_initialized);
    if (is_done || !is_initialized)
        return;
    is_done = 1;
    lifecycle.began += clock_now() - lifecycle.before;
    interpose_enter();
    sessions_give_way();
    monitoring_after_init();
    struct signals_held held;
    signals_hold(&held);
    PMPI_Query_thread(&provided);
    lifecycle_start(provided == MPI_THREAD_MULTIPLE);
    if (runtime.settings.mode != RESEAT_MODE_OFF || getenv("RESEAT_DECISION"))
        inherit_nothing();
    signals_release(&held);
    interpose_leave();
}

int override_MPI_Init(int *argc, char ***argv)
{
    lifecycle_before_init();
    int rc = PMPI_Init(argc, argv);
    if (rc == MPI_SUCCESS)
        lifecycle_after_init();
    return rc;
}

int override_MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    lifecycle_before_init();
    int rc = PMPI_Init_thread(argc, argv, required, provided);
    if (rc == MPI_SUCCESS)
        lifecycle_after_init();
    return rc;
}

/* ---- MPI_Finalize ---- */

/* The communicator is made only now (doc/design/0011-what-we-call.md). */
static void lifecycle_gather_profile(void)
{
    MPI_Comm own;
    monitoring_pause();
    const char *why = assemble_communicator(&own, runtime.settings.wait);
    if (why)
        runtime_say(0, "no profile written: %s", why);
    else
        runtime_write_profile(&own, 0);
    monitoring_resume();
}

/* Other tools communicate in MPI_Finalize, before their PMPI_Finalize. Whatever the guard says, the
 * program has called it: a process that did not take part would keep all others waiting. */
void before_finalize(void)
{
    struct signals_held held;
    if (!interpose_active)
        return;
    if (interpose_depth > 1 && !interpose_tools)
        unseen_add(UNSEEN_LEFT);
    interpose_enter();
    signals_hold(&held);
    interpose_active = interpose_recording = 0;
    run_time_stop();
    if (runtime.settings.mode & RESEAT_MODE_PROFILE)
        lifecycle_gather_profile();
    topology_calls_explain();
    runtime_stop_recording();
    signals_release(&held);
    interpose_leave();
}

int override_MPI_Abort(MPI_Comm comm, int errorcode)
{
    struct signals_held held;
    signals_hold(&held);
    if (interpose_active && runtime.settings.mode & RESEAT_MODE_PROFILE &&
        runtime.settings.verbose >= 1)
        printable_say("rank %d called MPI_Abort: no profile is written", runtime.rank);
    profiler_give_up();
    signals_release(&held);
    return PMPI_Abort(comm, errorcode);
}
