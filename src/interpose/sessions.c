/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sessions.c - see sessions.h. Recording with sessions only:
 *
 *   process 0                                 process 1
 *
 *   MPI_Session_init: recording begins        :
 *   :                                         MPI_Session_init: recording begins
 *   MPI_Comm_create_from_group          <-->  MPI_Comm_create_from_group: both make an anchor
 *   :  messages                               :  messages
 *   MPI_Session_finalize                <-->  MPI_Session_finalize: the profile is written
 *
 * A session is local, so each process begins to record by itself, with its first session; roles are
 * the ranks in mpi://WORLD. Writing the profile is collective, and may only happen where no process
 * can wait in vain for another:
 * - A communicator of all of mpi://WORLD is made where every process is. There we make one of our
 *   own from it, the anchor, if all have loaded this library.
 * - The session of that communicator ends where MPI may synchronize its members (MPI-4.0, 11.3.1).
 *   There the anchor is used: MPI_Session_finalize, or MPI_Comm_disconnect where the program has
 *   disconnected the communicator before.
 * - A session with several anchors uses the one whose tag sorts first, on every process. Of several
 *   sessions with anchors the last one to end writes (anchor_write_profile).
 * - A program that never makes a communicator of all processes has no such place and leaves no
 *   profile.
 *
 * Threads may end different sessions at the same time, in another order on each process. So no lock
 * is held while processes communicate, each conversation has its own anchor, and profiler.c puts
 * these conversations in order.
 *
 * Recording ends with the last session. Programs that begin another one afterwards are not
 * supported; MPICH 4.0.2 crashes with them even without us.
 */
#include "interpose/sessions.h"

#include "interpose/override.h"
#include "interpose/hooks.h"
#include "profiler/communicators.h"

#if DECLARES_MPI_Session_init

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "profile/settings.h"
#include "interpose/meeting/assemble.h"
#include "interpose/interpose.h"
#include "interpose/meeting/rights.h"
#include "interpose/runtime.h"
#include "interpose/session-recorder.h"
#include "interpose/meeting/signals.h"
#include "base/handles.h"
#include "profiler/profiler.h"
#include "profiler/traffic.h"
#include "reorder/error-handler.h"

struct anchor {
    struct anchor *next; /* by tag */
    MPI_Session session;
    MPI_Comm comm; /* the application's; MPI_COMM_NULL: it was freed */
    MPI_Comm own;
    char tag[MPI_MAX_STRINGTAG_LEN];
};

enum session_stage { BEFORE, RECORDING, IDLE, OVER }; /* IDLE: nothing is recorded */

static struct session_state {
    pthread_mutex_t lock;
    enum session_stage stage; /* written under the lock, read anywhere */
    int open;                 /* number of sessions that have not ended */
    MPI_Session last_opened;  /* none once it has ended */
    struct anchor *anchors;
    struct handles session_of; /* by group; MPICH's handles are integers */
    MPI_Group processes;       /* mpi://WORLD, until the last session ends */
    int is_announced, patience;
    int mode;       /* as the user set it for this process */
    int world_size; /* of mpi://WORLD, once known; 0: no anchors are needed */
    int is_written;
    int is_refused; /* the processes have different modes; that has been printed */
} sessions = {.lock = PTHREAD_MUTEX_INITIALIZER,
              .last_opened = MPI_SESSION_NULL,
              .session_of = HANDLES_INIT,
              .processes = MPI_GROUP_NULL};

static enum session_stage session_stage(void)
{
    return __atomic_load_n(&sessions.stage, __ATOMIC_RELAXED);
}

static void session_set_stage(enum session_stage next)
{
    __atomic_store_n(&sessions.stage, next, __ATOMIC_RELAXED);
}

/* ---- anchors ---- */

static void anchor_add(struct anchor *anchor)
{
    pthread_mutex_lock(&sessions.lock);
    struct anchor **at = &sessions.anchors;
    while (*at && strcmp((*at)->tag, anchor->tag) <= 0)
        at = &(*at)->next;
    anchor->next = *at;
    *at = anchor;
    pthread_mutex_unlock(&sessions.lock);
}

/* Remove the first anchor of this session, or of this communicator, from the list. */
static struct anchor *anchor_remove(MPI_Session session, MPI_Comm comm)
{
    pthread_mutex_lock(&sessions.lock);
    struct anchor **at = &sessions.anchors;
    while (*at && (comm == MPI_COMM_NULL ? (*at)->session != session : (*at)->comm != comm))
        at = &(*at)->next;
    struct anchor *found = *at;
    if (found)
        *at = found->next;
    pthread_mutex_unlock(&sessions.lock);
    return found;
}

/* MPI may soon reuse the handle of this communicator. */
static void anchor_orphan(MPI_Comm comm)
{
    pthread_mutex_lock(&sessions.lock);
    for (struct anchor *anchor = sessions.anchors; anchor; anchor = anchor->next)
        if (anchor->comm == comm)
            anchor->comm = MPI_COMM_NULL;
    pthread_mutex_unlock(&sessions.lock);
}

static void anchor_free(struct anchor *anchor)
{
    if (anchor->own != MPI_COMM_NULL)
        PMPI_Comm_free(&anchor->own);
    free(anchor);
}

/* Write the profile, unless every process has another anchor left for that. Collective. */
static void anchor_write_profile(struct anchor *anchor)
{
    pthread_mutex_lock(&sessions.lock);
    int mine[2] = {sessions.anchors != NULL, rights_are_kept()}, least[2] = {0, 1};
    pthread_mutex_unlock(&sessions.lock);
    if (PMPI_Allreduce(mine, least, 2, MPI_INT, MPI_MIN, anchor->own) != MPI_SUCCESS || least[0])
        return;
    if (!least[1]) {
        runtime_say(0, "no profile written: %s", rights_lost);
        __atomic_store_n(&sessions.is_refused, 1, __ATOMIC_RELAXED);
        return;
    }
    runtime_write_profile(&anchor->own, 1);
    __atomic_store_n(&sessions.is_written, 1, __ATOMIC_RELAXED);
}

/* ---- what the program does ---- */

static void session_begin(MPI_Session session)
{
    MPI_Group world;
    pthread_mutex_lock(&sessions.lock);
    sessions.open++;
    sessions.last_opened = session;
    if (sessions.stage == BEFORE && sessions.is_announced &&
        PMPI_Group_from_session_pset(session, "mpi://WORLD", &world) == MPI_SUCCESS) {
        int records;
        struct signals_held held;
        signals_hold(&held);
        sessions.mode = session_recorder_record(world, &records);
        signals_release(&held);
        session_set_stage(records ? RECORDING : IDLE);
        if (sessions.mode != RESEAT_MODE_OFF)
            PMPI_Group_size(world, &sessions.world_size);
        sessions.processes = world;
    }
    pthread_mutex_unlock(&sessions.lock);
}

/* Find the session of a group: the one that it was obtained from, or the only one. 0, or -1. */
static int session_find(MPI_Group group, MPI_Session *session)
{
    void *found = handles_find(&sessions.session_of, (uintptr_t)group);
    pthread_mutex_lock(&sessions.lock);
    int doubtful = !found && sessions.open > 1;
    *session = found ? (MPI_Session)(uintptr_t)found : sessions.last_opened;
    pthread_mutex_unlock(&sessions.lock);
    return *session == MPI_SESSION_NULL || doubtful ? -1 : 0;
}

/* Local, and the same on all members. A process to which MPI gives no group takes part. */
static int session_is_of_all(MPI_Comm comm)
{
    int size;
    MPI_Group group;
    if (sessions.world_size == 0 || comm == MPI_COMM_NULL ||
        PMPI_Comm_size(comm, &size) != MPI_SUCCESS || size != sessions.world_size)
        return 0;
    if (PMPI_Comm_group(comm, &group) != MPI_SUCCESS)
        return 1;
    pthread_mutex_lock(&sessions.lock);
    int is_of_all =
        sessions.processes == MPI_GROUP_NULL || traffic_contains(sessions.processes, group);
    pthread_mutex_unlock(&sessions.lock);
    PMPI_Group_free(&group);
    return is_of_all;
}

/* The ranks in mpi://WORLD of the ranks of a communicator; NULL: not known. */
static int *session_number_ranks(MPI_Comm comm)
{
    MPI_Group group;
    int *numbers = malloc(2 * (size_t)sessions.world_size * sizeof *numbers);
    if (!numbers || PMPI_Comm_group(comm, &group) != MPI_SUCCESS) {
        free(numbers);
        return NULL;
    }
    int *ranks = numbers + sessions.world_size;
    for (int i = 0; i < sessions.world_size; i++)
        ranks[i] = i;
    pthread_mutex_lock(&sessions.lock);
    int failed =
        sessions.processes == MPI_GROUP_NULL ||
        PMPI_Group_translate_ranks(group, sessions.world_size, ranks, sessions.processes, numbers);
    pthread_mutex_unlock(&sessions.lock);
    PMPI_Group_free(&group);
    if (failed) {
        free(numbers);
        return NULL;
    }
    return numbers;
}

/* For the holder of the lock. */
static void session_forget_processes(void)
{
    if (sessions.processes != MPI_GROUP_NULL)
        PMPI_Group_free(&sessions.processes);
}

/* Make one if assemble() has not, on all ranks or on none. `comm` is new, so it has no attributes
 * that a duplicate would copy. */
static int session_own_communicator(MPI_Comm comm, MPI_Comm *own)
{
    MPI_Errhandler theirs;
    if (*own == MPI_COMM_NULL) {
        error_handler_return(comm, &theirs);
        int is_made = PMPI_Comm_dup(comm, own) == MPI_SUCCESS;
        int all = assemble_agree(comm, is_made);
        error_handler_restore(comm, &theirs);
        if (!all) { /* not freed: that is collective */
            if (!__atomic_load_n(&sessions.is_refused, __ATOMIC_RELAXED))
                runtime_say(0, "no profile written: MPI gives no communicator");
            return -1;
        }
    }
    PMPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN);
    return 0;
}

/* For a communicator of all processes. All of them must call assemble(), except those where RESEAT
 * is unset, which do nothing at all, as in MPI_Init. So nothing that differs between processes may
 * keep one from it: not which session the group is from, nor that recording is over or never
 * began. */
static void anchor_make(MPI_Group group, const char *tag, MPI_Comm comm)
{
    int same = MPI_UNEQUAL;
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Comm own;
    int *numbers = session_number_ranks(comm);
    struct meeting meeting = {.where = "MPI_Comm_create_from_group",
                              .number_of = numbers,
                              .mode = sessions.mode & RESEAT_MODE_PROFILE,
                              .patience = sessions.patience};
    struct signals_held held;
    signals_hold(&held);
    int refused = assemble(comm, &meeting, &own) || session_own_communicator(comm, &own);
    signals_release(&held);
    free(numbers);
    if (refused) {
        __atomic_store_n(&sessions.is_refused, 1, __ATOMIC_RELAXED);
        return;
    }
    struct anchor *anchor = calloc(1, sizeof *anchor);
    int mine = anchor && session_stage() == RECORDING &&
               PMPI_Group_compare(group, traffic_world()->group, &same) == MPI_SUCCESS &&
               same == MPI_IDENT && session_find(group, &session) == 0;
    if (!assemble_agree(own, mine)) {
        free(anchor);
        PMPI_Comm_free(&own);
        return;
    }
    anchor->session = session;
    anchor->comm = comm;
    anchor->own = own;
    strncpy(anchor->tag, tag, sizeof anchor->tag - 1);
    anchor_add(anchor);
}

/* The message to print at the end; NULL: none. */
static const char *session_what_is_missing(void)
{
    if (__atomic_load_n(&sessions.is_refused, __ATOMIC_RELAXED))
        return NULL;
    if (!__atomic_load_n(&sessions.is_written, __ATOMIC_RELAXED))
        return "no profile written: no communicator of all processes was made from a session";
    return profiler_has_written_all() ? NULL
                                      : "what was sent after the last communicator of all "
                                        "processes is not in the profile";
}

static void session_end(MPI_Session session)
{
    struct anchor *anchor = anchor_remove(session, MPI_COMM_NULL), *other;
    while (anchor && (other = anchor_remove(session, MPI_COMM_NULL)))
        anchor_free(other);
    if (anchor) {
        anchor_write_profile(anchor);
        anchor_free(anchor);
    }
    pthread_mutex_lock(&sessions.lock);
    if (session == sessions.last_opened)
        sessions.last_opened = MPI_SESSION_NULL;
    if (--sessions.open == 0) {
        session_recorder_end(sessions.stage == IDLE ? NULL : session_what_is_missing());
        runtime_stop_recording();
        session_set_stage(OVER);
        session_forget_processes();
        handles_clear(&sessions.session_of, NULL);
    }
    pthread_mutex_unlock(&sessions.lock);
}

/* A communicator is about to be freed or disconnected; when it is disconnected, all its members are
 * there. */
static void session_communicator_ends(MPI_Comm comm, int disconnects)
{
    if (session_stage() != RECORDING)
        return;
    if (!disconnects) {
        anchor_orphan(comm);
        return;
    }
    struct anchor *anchor = anchor_remove(MPI_SESSION_NULL, comm);
    if (!anchor)
        return;
    anchor_write_profile(anchor);
    anchor_free(anchor);
}

void sessions_give_way(void)
{
    struct anchor *anchor;
    int recorded = session_stage() == RECORDING;
    sessions.world_size = 0;
    session_forget_processes();
    session_set_stage(OVER);
    if (!recorded)
        return;
    while ((anchor = sessions.anchors)) {
        sessions.anchors = anchor->next;
        anchor_free(anchor);
    }
    if (profiler_messages())
        unseen_sessions();
    runtime_stop_recording();
}

/* ---- functions and hooks ---- */

/* Before the first session of this process. With the session Intel MPI says that it is
 * initialized. */
static void session_announce(void)
{
    int initialized = 0;
    PMPI_Initialized(&initialized);
    pthread_mutex_lock(&sessions.lock);
    if (sessions.stage == BEFORE && !initialized && !sessions.is_announced) {
        sessions.is_announced = 1;
        sessions.patience = session_recorder_announce();
    }
    pthread_mutex_unlock(&sessions.lock);
}

int override_MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    session_announce();
    int rc = PMPI_Session_init(info, errhandler, session);
    if (rc == MPI_SUCCESS)
        session_begin(*session);
    return rc;
}

int override_MPI_Session_finalize(MPI_Session *session)
{
    if ((session_stage() == RECORDING || session_stage() == IDLE) && session &&
        *session != MPI_SESSION_NULL)
        session_end(*session);
    return PMPI_Session_finalize(session);
}

int override_MPI_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info,
                                        MPI_Errhandler errhandler, MPI_Comm *newcomm)
{
    before_error_handler(errhandler);
    int rc = PMPI_Comm_create_from_group(group, stringtag, info, errhandler, newcomm);
    if (rc == MPI_SUCCESS && session_is_of_all(*newcomm))
        anchor_make(group, stringtag, *newcomm);
    return rc;
}

void session_group(MPI_Session session, const char *pset_name, MPI_Group *group)
{
    world_group(pset_name, group);
    if (session_stage() != RECORDING)
        return;
    handles_remove(&sessions.session_of, (uintptr_t)*group);
    handles_insert(&sessions.session_of, (uintptr_t)*group, (void *)(uintptr_t)session);
}

/* Groups are also freed inside other functions, ours included, and under handles that the
 * application has, too. */
void before_group_free(MPI_Group *group)
{
    if (group && session_stage() == RECORDING && interpose_is_outermost())
        handles_remove(&sessions.session_of, (uintptr_t)*group);
}

#else

static void session_communicator_ends(MPI_Comm comm, int disconnects)
{
    (void)comm;
    (void)disconnects;
}

void sessions_give_way(void)
{
}

void before_group_free(MPI_Group *group)
{
    (void)group;
}

#endif

/* ---- ends of communicators, with sessions or without ---- */

/* A program may pass NULL to these; it is for the MPI to report that error. */
void before_communicator_free(MPI_Comm *comm)
{
    if (!comm)
        return;
    session_communicator_ends(*comm, 0);
    communicator_forget(*comm);
}

void before_communicator_disconnect(MPI_Comm *comm)
{
    if (!comm)
        return;
    session_communicator_ends(*comm, 1);
    communicator_forget(*comm);
}
