/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * communicators.c - see communicators.h. Only communicators that do not belong to the world's
 * domain are registered when they are created; the others at their first message. MPI is asked
 * about a communicator only then, since MPI_Comm_idup returns one that cannot be used yet.
 */
#include "profiler/communicators.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "profiler/call-hooks.h"
#include "profiler/monitoring.h"
#include "profiler/call-cache.h"
#include "profiler/unseen.h"

static struct communicator nobody = {.comm = MPI_COMM_NULL};

struct handles communicators = HANDLES_INIT;
__thread struct communicator *communicator_last __attribute__((tls_model("initial-exec"))) =
    &nobody;

static struct {
    pthread_mutex_t lock; /* also of what is asked about a communicator once */
    struct communicator *first;
} spares = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* NULL when out of memory. */
static struct communicator *communicator_make(struct domain *domain)
{
    pthread_mutex_lock(&spares.lock);
    struct communicator *c = spares.first;
    if (c)
        spares.first = c->spare;
    pthread_mutex_unlock(&spares.lock);
    if (!c && !(c = calloc(1, sizeof *c)))
        return NULL;
    c->domain = domain;
    c->group = MPI_GROUP_NULL;
    c->comm = MPI_COMM_NULL;
    c->neighbors = -1;
    return c;
}

void communicator_destroy(struct communicator *communicator)
{
    if (!communicator)
        return;
    __atomic_store_n(&communicator->comm, MPI_COMM_NULL, __ATOMIC_RELEASE);
    if (communicator->group != MPI_GROUP_NULL)
        PMPI_Group_free(&communicator->group);
    free(communicator->peer_of_rank);
    free(communicator->neighbor);
    call_cache_free(communicator->call_cache);
    communicator->peer_of_rank = NULL;
    communicator->neighbor = NULL;
    communicator->call_cache = NULL;
    communicator->size = 0;
    pthread_mutex_lock(&spares.lock);
    communicator->spare = spares.first;
    spares.first = communicator;
    pthread_mutex_unlock(&spares.lock);
}

static void communicator_destroy_one(void *value)
{
    communicator_destroy(value);
}

static struct communicator *communicator_insert(MPI_Comm comm, struct domain *domain)
{
    struct communicator *fresh = communicator_make(domain);
    if (!fresh)
        return NULL;
    struct communicator *now = handles_insert(&communicators, (uintptr_t)comm, fresh);
    if (now != fresh)
        communicator_destroy(fresh);
    return now;
}

/* Ask MPI once. 0, or -1. */
static int communicator_fill(struct communicator *c, MPI_Comm comm)
{
    int failed = PMPI_Comm_test_inter(comm, &c->inter) != MPI_SUCCESS ||
                 PMPI_Comm_rank(comm, &c->rank) != MPI_SUCCESS ||
                 (c->inter ? PMPI_Comm_remote_group(comm, &c->group)
                           : PMPI_Comm_group(comm, &c->group)) != MPI_SUCCESS ||
                 PMPI_Group_size(c->group, &c->size) != MPI_SUCCESS;
    if (!failed)
        c->peer_of_rank = calloc((size_t)c->size, sizeof(struct peer *));
    if (failed || !c->peer_of_rank) {
        if (c->group != MPI_GROUP_NULL)
            PMPI_Group_free(&c->group);
        return -1;
    }
    __atomic_store_n(&c->comm, comm, __ATOMIC_RELEASE);
    return 0;
}

/* 0, or -1. */
static int communicator_make_ready(struct communicator *communicator, MPI_Comm comm)
{
    if (__atomic_load_n(&communicator->comm, __ATOMIC_ACQUIRE) == comm)
        return 0;
    pthread_mutex_lock(&spares.lock);
    int failed = communicator->comm != comm && communicator_fill(communicator, comm);
    pthread_mutex_unlock(&spares.lock);
    return failed ? -1 : 0;
}

struct communicator *communicator_find_other(MPI_Comm comm)
{
    struct communicator *communicator = handles_find(&communicators, (uintptr_t)comm);
    if (!communicator)
        communicator = traffic_world() ? communicator_insert(comm, traffic_world()) : NULL;
    if (!communicator || communicator_make_ready(communicator, comm)) {
        unseen_add(UNSEEN_MEMORY);
        return NULL;
    }
    return communicator_last = communicator;
}

struct peer *communicator_resolve_peer(struct communicator *communicator, int rank)
{
    int role = MPI_UNDEFINED;
    if (rank < 0 || rank >= communicator->size ||
        PMPI_Group_translate_ranks(communicator->group, 1, &rank, communicator->domain->group,
                                   &role) != MPI_SUCCESS ||
        role == MPI_UNDEFINED) {
        unseen_add(UNSEEN_OTHER_JOBS);
        return NULL;
    }
    struct peer *peer = traffic_peer(communicator->domain, role);
    if (!peer)
        unseen_add(UNSEEN_MEMORY);
    else
        __atomic_store_n(&communicator->peer_of_rank[rank], peer, __ATOMIC_RELEASE);
    return peer;
}

/* ---- neighbors ---- */

static int communicator_cart_neighbors(struct communicator *c, MPI_Comm comm)
{
    int dims;
    if (PMPI_Cartdim_get(comm, &dims) != MPI_SUCCESS)
        return -1;
    c->neighbor = malloc(sizeof(int) * (size_t)(2 * dims + 1));
    for (int d = 0; c->neighbor && d < dims; d++)
        PMPI_Cart_shift(comm, d, 1, &c->neighbor[2 * d], &c->neighbor[2 * d + 1]);
    return c->neighbor ? 2 * dims : -1;
}

static int communicator_graph_neighbors(struct communicator *c, MPI_Comm comm)
{
    int count;
    if (PMPI_Graph_neighbors_count(comm, c->rank, &count) != MPI_SUCCESS)
        return -1;
    c->neighbor = malloc(sizeof(int) * (size_t)(count + 1));
    if (!c->neighbor)
        return -1;
    return PMPI_Graph_neighbors(comm, c->rank, count, c->neighbor) == MPI_SUCCESS ? count : -1;
}

static int communicator_dist_graph_neighbors(struct communicator *c, MPI_Comm comm)
{
    int in, out, weighted;
    if (PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted) != MPI_SUCCESS)
        return -1;
    c->neighbor = malloc(sizeof(int) * (size_t)(out + 1));
    int *rest = malloc(sizeof(int) * (size_t)(2 * in + out + 1));
    int failed = !c->neighbor || !rest ||
                 PMPI_Dist_graph_neighbors(comm, in, rest, rest + in, out, c->neighbor,
                                           rest + 2 * in) != MPI_SUCCESS;
    free(rest);
    return failed ? -1 : out;
}

static int communicator_ask_neighbors(struct communicator *c, MPI_Comm comm)
{
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &kind);
    int count = kind == MPI_CART         ? communicator_cart_neighbors(c, comm)
                : kind == MPI_GRAPH      ? communicator_graph_neighbors(c, comm)
                : kind == MPI_DIST_GRAPH ? communicator_dist_graph_neighbors(c, comm)
                                         : -1;
    if (count < 0) {
        free(c->neighbor);
        c->neighbor = NULL;
        count = 0;
    }
    return count;
}

const int *communicator_neighbors(struct communicator *communicator, MPI_Comm comm, int *count)
{
    pthread_mutex_lock(&spares.lock);
    if (communicator->neighbors < 0)
        communicator->neighbors = communicator_ask_neighbors(communicator, comm);
    pthread_mutex_unlock(&spares.lock);
    *count = communicator->neighbors;
    return communicator->neighbor;
}

/* ---- domains ---- */

static struct domain *communicator_domain_of(MPI_Comm comm)
{
    struct communicator *communicator = handles_find(&communicators, (uintptr_t)comm);
    return communicator ? communicator->domain : traffic_world();
}

/* The innermost domain from `domain` outwards that has all processes of `group`, at most the
 * world. */
static struct domain *communicator_domain_around(struct domain *domain, MPI_Group group)
{
    while (domain->parent && !traffic_contains(domain->group, group))
        domain = domain->parent;
    return domain;
}

void communicator_derived(MPI_Comm parent, MPI_Comm *child)
{
    struct domain *domain = communicator_domain_of(parent);
    if (*child != MPI_COMM_NULL && domain && domain != traffic_world())
        communicator_insert(*child, domain);
}

void communicator_joined(MPI_Comm local, MPI_Comm *joined)
{
    struct domain *domain = communicator_domain_of(local);
    MPI_Group group;
    int inter;
    if (*joined == MPI_COMM_NULL || !domain || domain == traffic_world() ||
        PMPI_Comm_test_inter(*joined, &inter) != MPI_SUCCESS ||
        (inter ? PMPI_Comm_remote_group(*joined, &group) : PMPI_Comm_group(*joined, &group)) !=
            MPI_SUCCESS)
        return;
    domain = communicator_domain_around(domain, group);
    PMPI_Group_free(&group);
    if (domain != traffic_world())
        communicator_insert(*joined, domain);
}

struct communicator *communicator_create(MPI_Comm comm, MPI_Group group)
{
    struct communicator *c = communicator_make(communicator_domain_of(comm));
    if (!c) {
        PMPI_Group_free(&group);
        return NULL;
    }
    c->group = group;
    if (PMPI_Group_size(group, &c->size) == MPI_SUCCESS &&
        PMPI_Group_rank(group, &c->rank) == MPI_SUCCESS)
        c->peer_of_rank = calloc((size_t)c->size, sizeof(struct peer *));
    if (!c->peer_of_rank) {
        communicator_destroy(c);
        return NULL;
    }
    return c;
}

/* At rank 0 of `comm`: the whole identity, for all. 0, or -1. */
static int communicator_count_domains(MPI_Comm comm, struct domain *around,
                                      struct domain_identity *identity)
{
    MPI_Group group;
    int zero = 0;
    if (PMPI_Comm_size(comm, &identity->size) != MPI_SUCCESS ||
        PMPI_Comm_group(comm, &group) != MPI_SUCCESS)
        return -1;
    around = communicator_domain_around(around, group);
    identity->parent = around->key;
    int rc = PMPI_Group_translate_ranks(group, 1, &zero, around->group, &identity->first);
    if (rc == MPI_SUCCESS)
        identity->ordinal = traffic_next_ordinal(identity, group);
    PMPI_Group_free(&group);
    return rc == MPI_SUCCESS ? 0 : -1;
}

/* Returns 1 if a member of `comm` has failed. Collective over comm. */
static int communicator_any_failed(MPI_Comm comm, int failed)
{
    int any = 1;
    return PMPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS || any;
}

/* All take rank 0's identity, for members of a communicator that joins two domains know it by
 * different ones. */
int communicator_identity(MPI_Comm comm, MPI_Comm comm_old, const char *function, int reorder,
                          struct domain_identity *identity)
{
    int rank = -1, status = 1;
    memset(identity, 0, sizeof *identity);
    strncpy(identity->function, function, sizeof identity->function - 1);
    identity->ordinal = TRAFFIC_NO_ORDINAL;
    int failed = PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS;
    if (rank == 0 && reorder &&
        communicator_count_domains(comm, communicator_domain_of(comm_old), identity))
        failed = 1, identity->ordinal = 0;
    monitoring_pause();
    failed |= PMPI_Bcast(identity, sizeof *identity, MPI_BYTE, 0, comm) != MPI_SUCCESS;
    if (identity->ordinal != TRAFFIC_NO_ORDINAL) {
        failed |= !traffic_find(identity->parent);
        status = communicator_any_failed(comm, failed) ? -1 : 0;
    }
    monitoring_resume();
    if (status < 0)
        unseen_add(UNSEEN_MEMORY);
    return status;
}

void communicator_opens_domain(MPI_Comm comm, const struct domain_identity *identity)
{
    struct domain *domain = traffic_add_domain(identity, traffic_find(identity->parent), comm);
    if (!domain || !communicator_insert(comm, domain))
        unseen_add(UNSEEN_MEMORY);
}

/* ---- the end ---- */

void communicator_forget(MPI_Comm comm)
{
    communicator_destroy_one(handles_remove(&communicators, (uintptr_t)comm));
}

void communicators_stop(void)
{
    handles_clear(&communicators, communicator_destroy_one);
}
