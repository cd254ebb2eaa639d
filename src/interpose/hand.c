/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hand.c - the MPI functions that are more than a hook: start, end, and the topology calls. What
 * they do is in src/profiler and src/reorder; here it is put together.
 */
#include "interpose/hand.h"

#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/printable.h"
#include "format/settings.h"
#include "interpose/assemble.h"
#include "interpose/components.h"
#include "interpose/direct.h"
#include "interpose/inherit.h"
#include "interpose/interpose.h"
#include "interpose/key-space.h"
#include "interpose/mark.h"
#include "interpose/output.h"
#include "interpose/preload.h"
#include "interpose/sessions.h"
#include "interpose/signals.h"
#include "interpose/world.h"
#include "profiler/communicators.h"
#include "profiler/hooks.h"
#include "profiler/monitoring.h"
#include "profiler/profiler.h"
#include "reorder/node-place.h"
#include "reorder/reorder.h"

static struct reseat_settings settings;
static int rank; /* in MPI_COMM_WORLD */
static int topology_calls, topologies_reordered;

/* One line on standard error from rank 0, if the user wants to hear that much. */
static void say(int verbose, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(int verbose, const char *format, ...)
{
    char line[1024], shown[2 * sizeof line];
    if (rank != 0 || settings.verbose < verbose)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    printable_copy(shown, sizeof shown, line);
    fprintf(stderr, "reseat: %s\n", shown);
}

static void warn(void *context, const char *line)
{
    (void)context;
    say(0, "%s", line);
}

/* ---- MPI_Init ---- */

static int is_spawned(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}

/* `reseat verify' asks what came of it (src/cmd/verify-output.c). Returns `is_reordered`. */
static int outcome(int is_reordered)
{
    const char *word = getenv("RESEAT_OUTCOME");
    if (rank == 0 && word)
        fprintf(stderr, "reseat: outcome %s %s\n", word, is_reordered ? "reordered" : "kept");
    return is_reordered;
}

/* Put a better order in the place of MPI_COMM_WORLD, on all ranks or on none. */
static int replace_world(MPI_Comm launched)
{
    MPI_Comm order = reorder_world(launched, &settings);
    if (order == MPI_COMM_NULL)
        return outcome(0);
    int mine = world_replace(order) == 0, all = 0;
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, launched);
    if (all)
        return outcome(1);
    world_restore();
    say(0, "MPI_COMM_WORLD cannot be replaced: launch order kept");
    return outcome(0);
}

/* What decides who takes part in which step has to be the same everywhere: rank 0's. By a
 * reduction, after which two ranks have sent each other equally much: Open MPI's shared memory
 * keeps two boxes that take turns best so (4.1.4: one broadcast makes all later messages of 8
 * bytes slower by 15 %). */
static void agree(MPI_Comm launched)
{
    int mine[2] = {settings.scope, settings.collectives}, decisive[2];
    if (rank != 0)
        mine[0] = mine[1] = INT_MAX;
    PMPI_Allreduce(mine, decisive, 2, MPI_INT, MPI_MIN, launched);
    settings.scope = (enum reseat_scope)decisive[0];
    settings.collectives = (enum reseat_collectives)decisive[1];
}

static void start(int threads)
{
    extern char **environ;
    MPI_Comm launched, own;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    settings.verbose = 1;                                 /* until it is known */
    reseat_settings_read(&settings, environ, warn, NULL); /* once more, for the warnings */
    if (settings.mode == RESEAT_MODE_OFF)
        return;
    if (rank == 0)
        mark_leave();
    if (is_spawned()) {
        say(1, "spawned processes are neither recorded nor reordered");
        return;
    }
    const struct meeting meeting = {
        .where = "MPI_Init", .mode = settings.mode, .patience = settings.wait};
    if (assemble(MPI_COMM_WORLD, &meeting, &launched)) {
        if (settings.mode & RESEAT_MODE_REORDER)
            outcome(0);
        return;
    }
    agree(launched);
    own = launched;
    if (settings.mode & RESEAT_MODE_REORDER && settings.scope != RESEAT_SCOPE_GRAPH &&
        replace_world(launched) && PMPI_Comm_dup(world_replacement, &own) != MPI_SUCCESS)
        own = launched;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank); /* which may be another one now */
    if (profiler_start(own, launched,
                       settings.mode & RESEAT_MODE_PROFILE ? settings.collectives
                                                           : RESEAT_COLLECTIVES_OFF,
                       threads)) {
        say(0, "no memory to start with; the program runs as without reseat");
        return;
    }
    if (settings.collectives == RESEAT_COLLECTIVES_MONITORING &&
        monitoring_source == RESEAT_COLLECTIVES_MODEL)
        say(0, "this MPI does not tell what its collectives send: the model serves");
    if (own != launched)
        PMPI_Comm_free(&launched);
    interpose_active = 1;
    interpose_recording = (settings.mode & RESEAT_MODE_PROFILE) != 0;
    if (interpose_recording)
        direct_start();
}

static void unheard(void *context, const char *line)
{
    (void)context;
    (void)line;
}

/* What has to be known so early, and what the others have to know of us. */
void hand_before_init(void)
{
    static int is_done;
    extern char **environ;
    if (is_done)
        return;
    is_done = 1;
    preload_leave();
    reseat_settings_read(&settings, environ, unheard, NULL);
    if (settings.mode != RESEAT_MODE_OFF) {
        components_choose();
        key_space_put(settings.mode);
    }
    if (settings.mode & RESEAT_MODE_PROFILE)
        monitoring_before_init(settings.collectives);
}

/* Other tools ask for rank and size as soon as their PMPI_Init returns. An MPI_Init that is not the
 * MPI's may start none: libraries for one process (MUMPS' libmpiseq) have such a stub. */
void hand_after_init(void)
{
    static int is_done;
    int provided = MPI_THREAD_SINGLE, is_initialized = 0;
    PMPI_Initialized(&is_initialized);
    if (is_done || !is_initialized)
        return;
    is_done = 1;
    interpose_enter();
    sessions_give_way();
    monitoring_after_init();
    struct signals_held held;
    signals_hold(&held);
    PMPI_Query_thread(&provided);
    start(provided == MPI_THREAD_MULTIPLE);
    if (settings.mode != RESEAT_MODE_OFF)
        inherit_nothing();
    signals_release(&held);
    interpose_leave();
}

int hand_MPI_Init(int *argc, char ***argv)
{
    hand_before_init();
    int rc = PMPI_Init(argc, argv);
    if (rc == MPI_SUCCESS)
        hand_after_init();
    return rc;
}

int hand_MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    hand_before_init();
    int rc = PMPI_Init_thread(argc, argv, required, provided);
    if (rc == MPI_SUCCESS)
        hand_after_init();
    return rc;
}

/* Topology calls give their processes other ranks in the middle of the program: only who asks for
 * it gets that (doc/design/0006-the-world-by-default.md). */
static int reorders_topologies(void)
{
    return settings.mode & RESEAT_MODE_REORDER && settings.scope == RESEAT_SCOPE_GRAPH;
}

/* ---- MPI_Finalize ---- */

/* With `own`, which has all ranks, or what the profiler has: then no other thread is writing. Else
 * threads may come at the same time, and in another order at another rank: none but rank 0 may let
 * one wait for another. */
static void write_profile(MPI_Comm own)
{
    static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
    char version[PRELOAD_VERSION_SIZE];
    size_t rows = 0;
    struct reseat_error error;
    struct signals_held held;
    preload_mpi(version);
    signals_hold(&held);
    if (rank == 0)
        pthread_mutex_lock(&writing);
    const char *path = rank == 0 ? output_name(settings.file) : settings.file;
    int replaces = rank == 0 && output_replaces();
    struct profiler_run run = {.own = own,
                               .path = path,
                               .mpi = version,
                               .arguments = settings.arguments,
                               .find_place = own == MPI_COMM_NULL ? node_place_among : NULL};
    int failed = profiler_write(&run, &rows, &error);
    if (failed)
        say(0, "no profile written: %s", error.text);
    else
        say(1, "profile of %d ranks written to %s (%zu pairs%s%s)",
            (int)traffic_world()->identity.size, path, rows,
            settings.arguments ? ", with the arguments of the program" : "",
            replaces ? "; it replaces that of another job" : "");
    if (rank == 0) {
        output_end(!failed);
        pthread_mutex_unlock(&writing);
    }
    signals_release(&held);
}

/* Other tools talk in MPI_Finalize, before their PMPI_Finalize. */
void hand_before_finalize(void)
{
    struct signals_held held;
    if (!interpose_active)
        return;
    interpose_enter();
    signals_hold(&held);
    interpose_active = interpose_recording = 0;
    if (settings.mode & RESEAT_MODE_PROFILE)
        write_profile(MPI_COMM_NULL);
    if (reorders_topologies())
        outcome(topologies_reordered > 0);
    if (reorders_topologies() && !topology_calls)
        say(1, "nothing was reordered: the program made no communicator with a topology "
               "and reorder = 1");
    profiler_stop();
    signals_release(&held);
    interpose_leave();
}

int hand_MPI_Finalize(void)
{
    hand_before_finalize();
    return PMPI_Finalize();
}

/* ---- sessions without MPI_Init ---- */

static int sessions_stay; /* where they are, although they should be reordered */

int hand_announce_sessions(void)
{
    extern char **environ;
    struct reseat_settings wanted;
    reseat_settings_read(&wanted, environ, unheard, NULL);
    if (wanted.mode != RESEAT_MODE_OFF)
        key_space_put(wanted.mode);
    return wanted.wait;
}

enum reseat_mode hand_record_sessions(MPI_Group world, int *records)
{
    extern char **environ;
    preload_leave();
    PMPI_Group_rank(world, &rank);
    settings.verbose = 1; /* until it is known */
    reseat_settings_read(&settings, environ, warn, NULL);
    enum reseat_mode wanted = settings.mode;
    if (rank == 0 && wanted != RESEAT_MODE_OFF)
        mark_leave();
    sessions_stay = (settings.mode & RESEAT_MODE_REORDER) != 0;
    if (wanted != RESEAT_MODE_OFF)
        components_choose();
    settings.mode = (enum reseat_mode)(settings.mode & RESEAT_MODE_PROFILE);
    *records = 0;
    if (!settings.mode)
        return wanted;
    if (profiler_start_alone(world, settings.collectives)) {
        say(0, "no memory to start with; the program runs as without reseat");
        return wanted;
    }
    *records = interpose_active = interpose_recording = 1;
    return wanted;
}

void hand_write_sessions(MPI_Comm own)
{
    write_profile(own);
}

void hand_end_sessions(const char *missing)
{
    struct signals_held held;
    signals_hold(&held);
    if (missing)
        say(0, "%s", missing);
    if (sessions_stay)
        say(1, "a program with sessions and without MPI_Init is not reordered (its launcher can: "
               "reseat run --placement launch)");
    inherit_nothing(); /* not before: MPI_Init may come and read it again */
    signals_release(&held);
}

void hand_stop_sessions(void)
{
    interpose_active = interpose_recording = 0;
    profiler_stop();
}

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

int hand_MPI_Abort(MPI_Comm comm, int errorcode)
{
    struct signals_held held;
    signals_hold(&held);
    if (interpose_active && settings.mode & RESEAT_MODE_PROFILE && settings.verbose >= 1)
        fprintf(stderr, "reseat: rank %d called MPI_Abort: no profile is written\n", rank);
    signals_release(&held);
    return PMPI_Abort(comm, errorcode);
}

/* ---- topology calls ---- */

/* Whether a topology call may open a domain of its own: not on what is no intracommunicator (MPI
 * will say so itself). */
static int opens_domain(MPI_Comm comm_old, int reorder)
{
    int inter = 1;
    return reorder && comm_old != MPI_COMM_NULL &&
           PMPI_Comm_test_inter(comm_old, &inter) == MPI_SUCCESS && !inter;
}

/* The way from the world to the domain that `identity` will be. -1: too deep. */
static int trace(const struct domain_identity *identity, struct lineage *lineage)
{
    enum { MOST = sizeof lineage->step / sizeof lineage->step[0] };
    const struct domain_identity *way[MOST];
    int depth = 0;
    while (identity->parent) {
        if (depth == MOST)
            return -1;
        way[depth++] = identity;
        identity = &traffic_find(identity->parent)->identity;
    }
    lineage->world_size = identity->size;
    for (lineage->count = 0; lineage->count < depth; lineage->count++) {
        const struct domain_identity *from = way[depth - 1 - lineage->count];
        memcpy(lineage->step[lineage->count].function, from->function, sizeof from->function);
        lineage->step[lineage->count].size = from->size;
        lineage->step[lineage->count].first = from->first;
        lineage->step[lineage->count].ordinal = from->ordinal;
    }
    return 0;
}

/* What all calls do once MPI has made `*newcomm`: reorder it if that is asked for, and open its
 * domain. */
static void finish_topology(const struct domain_identity *identity, MPI_Info info,
                            MPI_Comm *newcomm)
{
    struct lineage lineage;
    struct signals_held held;
    topology_calls++;
    monitoring_pause();
    signals_hold(&held);
    if (reorders_topologies() && trace(identity, &lineage) == 0 &&
        reorder_topology(*newcomm, info, &lineage, &settings, newcomm) && !topologies_reordered++)
        say(1, "scope graph presupposes a program that asks the new communicator for its rank; if "
               "results change, take scope world");
    communicator_opens_domain(*newcomm, identity);
    signals_release(&held);
    monitoring_resume();
}

/* The application's reorder flag does not go to MPI: two that reorder would be one too many, and
 * what is recorded while MPI does would be the traffic of other roles than in the second pass. */
static int reorder_for_mpi(int reorder)
{
    return interpose_active ? 0 : reorder;
}

/* After MPI_Cart_create and MPI_Graph_create, which may leave processes out. */
static void finish_grid(MPI_Comm comm_old, int reorder, const char *function, MPI_Comm *newcomm)
{
    struct domain_identity identity;
    if (*newcomm == MPI_COMM_NULL)
        return;
    if (reorder && communicator_identity_of(*newcomm, comm_old, function, &identity) == 0)
        finish_topology(&identity, MPI_INFO_NULL, newcomm);
    else
        communicator_derived(comm_old, newcomm);
}

int hand_MPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                         int reorder, MPI_Comm *comm_cart)
{
    int rc = PMPI_Cart_create(comm_old, ndims, dims, periods, reorder_for_mpi(reorder), comm_cart);
    if (rc == MPI_SUCCESS)
        finish_grid(comm_old, reorder, "MPI_Cart_create", comm_cart);
    return rc;
}

int hand_MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int index[], const int edges[],
                          int reorder, MPI_Comm *comm_graph)
{
    int rc =
        PMPI_Graph_create(comm_old, nnodes, index, edges, reorder_for_mpi(reorder), comm_graph);
    if (rc == MPI_SUCCESS)
        finish_grid(comm_old, reorder, "MPI_Graph_create", comm_graph);
    return rc;
}

int hand_MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[],
                               const int destinations[], const int weights[], MPI_Info info,
                               int reorder, MPI_Comm *newcomm)
{
    struct domain_identity identity;
    int opens = opens_domain(comm_old, reorder) &&
                communicator_identity(comm_old, "MPI_Dist_graph_create", &identity) == 0;
    int rc = PMPI_Dist_graph_create(comm_old, n, sources, degrees, destinations, weights, info,
                                    opens ? reorder_for_mpi(reorder) : reorder, newcomm);
    if (rc == MPI_SUCCESS && opens)
        finish_topology(&identity, info, newcomm);
    else if (rc == MPI_SUCCESS)
        communicator_derived(comm_old, newcomm);
    return rc;
}

int hand_MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
                                        const int sourceweights[], int outdegree,
                                        const int destinations[], const int destweights[],
                                        MPI_Info info, int reorder, MPI_Comm *newcomm)
{
    struct domain_identity identity;
    int opens = opens_domain(comm_old, reorder) &&
                communicator_identity(comm_old, "MPI_Dist_graph_create_adjacent", &identity) == 0;
    int rc = PMPI_Dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, outdegree,
                                             destinations, destweights, info,
                                             opens ? reorder_for_mpi(reorder) : reorder, newcomm);
    if (rc == MPI_SUCCESS && opens)
        finish_topology(&identity, info, newcomm);
    else if (rc == MPI_SUCCESS)
        communicator_derived(comm_old, newcomm);
    return rc;
}
