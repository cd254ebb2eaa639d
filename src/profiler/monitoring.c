/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * monitoring.c - Open MPI's own account of what its collectives send.
 *
 * Open MPI's component pml/monitoring wraps the one that carries messages and reports each message
 * to a function of ompi/mca/common/monitoring. These functions are in a library of their own up to
 * Open MPI 4 and in libmpi since 5.0. Our library precedes both in symbol order, so ours are
 * called:
 *
 *   mca_common_monitoring_   Open MPI calls it               ours
 *   record_pml               for each message that leaves    counts it, see 1
 *   init                     at the start of pml, coll and   calls the real one, and returns its
 *                            osc/monitoring, each            success only to the first, see 2
 *   finalize                 at the end of each, also        calls the real one as often as the
 *                            of those that were refused      real init has succeeded, see 3
 *   coll_cache_name          for each communicator           does nothing, see 2
 *
 * 1. Messages that MPI sends on its own behalf have a negative tag. (Not quite all, so inside of a
 *    collective every message counts.) They are counted as collective traffic, in the domain of the
 *    collective that this thread is in. The program's own messages are counted where it sends them
 *    (record.c), because only there is their communicator known.
 * 2. One switch turns on all three components. coll/monitoring must be kept out: it takes the
 *    topology of any neighborhood collective for a grid, and divides by zero (4.1.4 and 5.0.7).
 *    MPI starts pml/monitoring long before the others, so the first that asks for initialization
 *    gets it; the others get -1, as all do when monitoring is switched off. Without coll/monitoring
 *    there are no names of communicators to look up.
 * 3. The three share what the first initialization creates, and the last finalization destroys it.
 *    Components that were refused call finalize as well; so the real init has counted them, too,
 *    and nothing is destroyed that was never made (which crashes 5.0.7).
 * 4. Users who have switched the component on themselves still get their reports: then all calls
 *    are passed on to the real functions, and no component is refused.
 * 5. All this is the inside of another program: switched on in a release that came after ours, the
 *    component has killed every job of 5.0, and then of 6.0. So it is switched on, and what it says
 *    is understood, only in releases where it was tried, or where the user asks for it by name.
 *    In any other our functions pass on what they are given, whatever that is there.
 */
#include "profiler/monitoring.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "profiler/communicators.h"
#include "base/handles.h"
#include "profiler/mpi-release.h"
#include "profiler/unseen.h"

enum reseat_collectives monitoring_source = RESEAT_COLLECTIVES_MODEL;

#ifdef OPEN_MPI

static const char variable[] = "OMPI_MCA_pml_monitoring_enable";
static struct {
    int understood;      /* the component of this release is known */
    int switched_on;     /* by us; if by the user, the reports are the user's, too */
    int initializations; /* not yet finalized */
    int listening;       /* monitoring_start does */
    int reported;        /* number of messages of collectives, meanwhile */
    MPI_Group world;     /* the component reports ranks of this group */
} monitoring = {.world = MPI_GROUP_NULL};

static __thread struct {
    struct domain *now;       /* of the collective that this thread is in */
    struct domain *lingering; /* of the last nonblocking one */
    int paused;
} monitored __attribute__((tls_model("initial-exec")));

/* 4.1.4 and 5.0.7; in the others of these the sources of both folders (common/monitoring,
 * pml/monitoring) are the same to the byte. Not in candidates of 4.1.0 and 5.0.0. */
static int monitoring_was_tried(int release)
{
    return (release >= 40101 && release <= 40108) || (release >= 50001 && release <= 50010);
}

static int monitoring_is_wanted(enum reseat_collectives wanted)
{
    return wanted == RESEAT_COLLECTIVES_MONITORING ||
           (wanted == RESEAT_COLLECTIVES_AUTO && monitoring_was_tried(mpi_release()));
}

void monitoring_before_init(enum reseat_collectives wanted)
{
    monitoring.understood = monitoring_is_wanted(wanted);
    if (!monitoring.understood || getenv(variable))
        return;
    monitoring.switched_on = 1;
    setenv(variable, "2", 1);
}

void monitoring_after_init(void)
{
    if (monitoring.switched_on)
        unsetenv(variable);
}

/* Try it: in an MPI_Allreduce every rank has to send something. If fewer messages than size - 1 are
 * reported, collectives do not use the component that is being watched; nor is it used if some
 * rank was told not to switch it on. `wanted` is the same on all ranks, what each was told need
 * not be. */
enum reseat_collectives monitoring_start(enum reseat_collectives wanted, MPI_Comm launched)
{
    int size = 1, one = 1, sum = 0, all[2] = {0, 1};
    monitoring_source = wanted == RESEAT_COLLECTIVES_OFF ? wanted : RESEAT_COLLECTIVES_MODEL;
    if (!monitoring_is_wanted(wanted))
        return monitoring_source;
    PMPI_Comm_size(launched, &size);
    PMPI_Comm_group(launched, &monitoring.world);
    __atomic_store_n(&monitoring.listening, 1, __ATOMIC_RELAXED);
    PMPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, launched);
    __atomic_store_n(&monitoring.listening, 0, __ATOMIC_RELAXED);
    int mine[2] = {__atomic_load_n(&monitoring.reported, __ATOMIC_RELAXED), !monitoring.understood};
    PMPI_Allreduce(mine, all, 2, MPI_INT, MPI_SUM, launched);
    if (size > 1 && all[0] >= size - 1 && !all[1])
        monitoring_source = RESEAT_COLLECTIVES_MONITORING;
    return monitoring_source;
}

void monitoring_stop(void)
{
    monitoring_source = RESEAT_COLLECTIVES_OFF;
    monitored.now = monitored.lingering = NULL;
    if (monitoring.world != MPI_GROUP_NULL)
        PMPI_Group_free(&monitoring.world);
}

void monitoring_enter(MPI_Comm comm, int stays)
{
    struct communicator *communicator = comm == MPI_COMM_NULL ? NULL : communicator_find(comm);
    monitored.now = communicator ? communicator->domain : NULL;
    if (stays)
        monitored.lingering = monitored.now;
}

void monitoring_leave(void)
{
    monitored.now = NULL;
}

void monitoring_pause(void)
{
    monitored.paused++;
}

void monitoring_resume(void)
{
    monitored.paused -= monitored.paused > 0;
}

void monitoring_abandon(void)
{
    monitored.now = NULL;
    monitored.paused = 0;
}

/* The counters for the process with this rank in the world; NULL: it has no role in the domain, or
 * out of memory. */
static struct peer *monitoring_resolve_peer(struct domain *domain, int rank)
{
    int role = MPI_UNDEFINED;
    if (PMPI_Group_translate_ranks(monitoring.world, 1, &rank, domain->group, &role) !=
            MPI_SUCCESS ||
        role == MPI_UNDEFINED)
        return NULL;
    struct peer *peer = traffic_peer(domain, role);
    if (!peer || !handles_insert(&domain->launched, (uintptr_t)rank + 1, peer))
        unseen_add(UNSEEN_MEMORY);
    return peer;
}

static struct peer *monitoring_find_peer(struct domain *domain, int rank)
{
    struct peer *peer = handles_find(&domain->launched, (uintptr_t)rank + 1);
    return peer ? peer : monitoring_resolve_peer(domain, rank);
}

/* A message to a process outside of the domain does not belong to this collective. */
static void monitoring_count(int rank, size_t bytes)
{
    struct domain *domain = monitored.now ? monitored.now : monitored.lingering;
    struct peer *peer = domain ? monitoring_find_peer(domain, rank) : NULL;
    if (!peer)
        peer = monitoring_find_peer(traffic_world(), rank);
    if (peer)
        traffic_count(peer, RESEAT_COLL, 1, bytes);
}

/* ---- what the components call ---- */

/* Up to six words, as they come in registers: what the functions take and return in a release that
 * is not known is passed on. */
#define WORDS long a, long b, long c, long d, long e, long f
#define TAKEN __attribute__((visibility("default"))) long
typedef long monitoring_function(WORDS);
TAKEN mca_common_monitoring_init(WORDS);
TAKEN mca_common_monitoring_finalize(WORDS);
TAKEN mca_common_monitoring_coll_cache_name(WORDS);
TAKEN mca_common_monitoring_record_pml(WORDS);

static int monitoring_find_library(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    if (!strstr(info->dlpi_name, "libmca_common_monitoring"))
        return 0;
    *(void **)found = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    return 1;
}

/* The real function of this name, which comes after ours in symbol order; NULL: none. */
static monitoring_function *monitoring_find_real(const char *name)
{
    void *library = NULL;
    dl_iterate_phdr(monitoring_find_library, &library);
    return (monitoring_function *)dlsym(library ? library : RTLD_NEXT, name);
}

long mca_common_monitoring_init(WORDS)
{
    monitoring_function *real = monitoring_find_real("mca_common_monitoring_init");
    long rc = real ? real(a, b, c, d, e, f) : -1;
    monitoring.initializations += (int)rc == 0;
    return monitoring.switched_on && monitoring.initializations > 1 ? -1 : rc;
}

long mca_common_monitoring_finalize(WORDS)
{
    monitoring_function *real = monitoring_find_real("mca_common_monitoring_finalize");
    if (!real || (monitoring.understood && monitoring.initializations == 0))
        return 0;
    monitoring.initializations--;
    return real(a, b, c, d, e, f);
}

long mca_common_monitoring_coll_cache_name(WORDS)
{
    static monitoring_function *real;
    if (monitoring.switched_on)
        return 0;
    if (!real)
        real = monitoring_find_real("mca_common_monitoring_coll_cache_name");
    return real ? real(a, b, c, d, e, f) : 0;
}

/* `bytes` bytes leave for a process of the world; tag < 0: one of MPI's own messages. */
static void monitoring_record(int world_rank, size_t bytes, int tag)
{
    if ((tag >= 0 && !monitored.now) || monitored.paused)
        return;
    if (__atomic_load_n(&monitoring.listening, __ATOMIC_RELAXED))
        __atomic_fetch_add(&monitoring.reported, 1, __ATOMIC_RELAXED);
    else if (monitoring_source == RESEAT_COLLECTIVES_MONITORING)
        monitoring_count(world_rank, bytes);
}

long mca_common_monitoring_record_pml(WORDS)
{
    static monitoring_function *real;
    if (!monitoring.switched_on && !real)
        real = monitoring_find_real("mca_common_monitoring_record_pml");
    long rc = !monitoring.switched_on && real ? real(a, b, c, d, e, f) : 0;
    if (monitoring.understood)
        monitoring_record((int)a, (size_t)b, (int)c);
    return rc;
}

#else /* no other MPI tells */

void monitoring_before_init(enum reseat_collectives wanted)
{
    (void)wanted;
}

void monitoring_after_init(void)
{
}

enum reseat_collectives monitoring_start(enum reseat_collectives wanted, MPI_Comm launched)
{
    (void)launched;
    monitoring_source = wanted == RESEAT_COLLECTIVES_OFF ? wanted : RESEAT_COLLECTIVES_MODEL;
    return monitoring_source;
}

void monitoring_stop(void)
{
    monitoring_source = RESEAT_COLLECTIVES_OFF;
}

void monitoring_enter(MPI_Comm comm, int stays)
{
    (void)comm;
    (void)stays;
}

void monitoring_leave(void)
{
}

void monitoring_pause(void)
{
}

void monitoring_resume(void)
{
}

void monitoring_abandon(void)
{
}

#endif
