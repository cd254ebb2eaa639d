/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.c - domains and their counters. One lock guards whatever grows. Once a peer's counters
 * exist, sending to it calls nothing here. */
#include "profiler/traffic.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/search.h"
#include "profiler/unseen.h"

int traffic_threads;

static struct {
    struct domain *domains; /* a list in order of creation: parents before children */
    pthread_mutex_t lock;
    int32_t phase; /* the present one */
} traffic = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct domain *traffic_world(void)
{
    return traffic.domains;
}

struct domain *traffic_next(const struct domain *domain)
{
    return __atomic_load_n(domain ? &domain->next : &traffic.domains, __ATOMIC_ACQUIRE);
}

struct domain *traffic_find(uint64_t key)
{
    struct domain *domain = traffic_next(NULL);
    while (domain && domain->key != key)
        domain = traffic_next(domain);
    return domain;
}

/* A hash, so that all members get the same key without communication. */
uint64_t traffic_key(const struct domain_identity *identity)
{
    uint64_t key =
        reseat_hash_add(reseat_hash_empty, identity->function, strlen(identity->function));
    key = reseat_hash_add(key, &identity->parent, sizeof identity->parent);
    key = reseat_hash_add(key, &identity->size, sizeof identity->size);
    key = reseat_hash_add(key, &identity->first, sizeof identity->first);
    key = reseat_hash_add(key, &identity->ordinal, sizeof identity->ordinal);
    return key ? key : 1;
}

/* Compare `group` with the domain's: MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL. */
static int traffic_compare_group(const struct domain *domain, MPI_Group group)
{
    int result = MPI_UNEQUAL;
    if (PMPI_Group_compare(domain->group, group, &result) != MPI_SUCCESS)
        return MPI_UNEQUAL;
    return result;
}

int traffic_contains(MPI_Group all, MPI_Group group)
{
    enum { AT_ONCE = 64 };
    int size = 0, ranks[AT_ONCE], there[AT_ONCE];
    if (PMPI_Group_size(group, &size) != MPI_SUCCESS)
        return 0;
    for (int first = 0; first < size; first += AT_ONCE) {
        int count = size - first < AT_ONCE ? size - first : AT_ONCE;
        for (int i = 0; i < count; i++)
            ranks[i] = first + i;
        if (PMPI_Group_translate_ranks(group, count, ranks, all, there) != MPI_SUCCESS)
            return 0;
        for (int i = 0; i < count; i++)
            if (there[i] == MPI_UNDEFINED)
                return 0;
    }
    return 1;
}

int32_t traffic_next_ordinal(const struct domain_identity *identity, MPI_Group group)
{
    int32_t ordinal = 0;
    const struct domain *last = NULL;
    pthread_mutex_lock(&traffic.lock);
    for (const struct domain *d = traffic.domains; d; d = d->next)
        if (d->identity.parent == identity->parent && d->identity.size == identity->size &&
            d->identity.first == identity->first &&
            strcmp(d->identity.function, identity->function) == 0) {
            ordinal++;
            last = d;
        }
    pthread_mutex_unlock(&traffic.lock);
    if (ordinal < TRAFFIC_ORDINALS)
        return ordinal;
    return traffic_compare_group(last, group) == MPI_UNEQUAL ? TRAFFIC_NO_ORDINAL
                                                             : TRAFFIC_ORDINALS - 1;
}

/* ---- counters by size ---- */

static void counters_init(struct counter counters[TRAFFIC_COUNTERS])
{
    for (int i = 0; i < TRAFFIC_COUNTERS; i++)
        counters[i] = (struct counter){.size = TRAFFIC_NO_SIZE};
}

static void counters_clear(struct counter counters[TRAFFIC_COUNTERS])
{
    for (int i = 0; i < TRAFFIC_COUNTERS; i++)
        while (counters[i].next) {
            struct counter *next = counters[i].next;
            counters[i].next = next->next;
            free(next);
        }
}

/* With the lock. Without memory messages of different classes share the first counter: what the
 * profile says of sizes is then wrong, but of traffic it is right. */
static struct counter *counter_of_size(struct counter *first, int size)
{
    struct counter *found = traffic_find_size(first, size);
    if (found)
        return found;
    if (first->size == TRAFFIC_NO_SIZE) {
        __atomic_store_n(&first->size, size, __ATOMIC_RELAXED);
        return first;
    }
    found = calloc(1, sizeof *found);
    if (!found)
        return first;
    found->size = size;
    found->next = first->next;
    __atomic_store_n(&first->next, found, __ATOMIC_RELEASE);
    return found;
}

struct counter *traffic_make_size(struct counter *first, int size)
{
    pthread_mutex_lock(&traffic.lock);
    struct counter *counter = counter_of_size(first, size);
    pthread_mutex_unlock(&traffic.lock);
    return counter;
}

/* ---- domains ---- */

static void peer_destroy(struct peer *peer)
{
    while (peer->past) {
        struct phase_counters *past = peer->past;
        peer->past = past->next;
        counters_clear(past->counters);
        free(past);
    }
    counters_clear(peer->now);
    free(peer);
}

static void domain_destroy(struct domain *domain)
{
    if (domain->group != MPI_GROUP_NULL)
        PMPI_Group_free(&domain->group);
    for (size_t i = 0; i < domain->peers_count; i++)
        peer_destroy(domain->peers[i]);
    handles_clear(&domain->launched, NULL);
    free(domain->peers);
    free(domain->members);
    free(domain);
}

/* Role 0 keeps the roles of the members in the parent domain, for the profile. */
static int traffic_find_members(struct domain *domain)
{
    if (!domain->parent || domain->role != 0)
        return 0;
    size_t size = (size_t)domain->identity.size;
    int *ranks = malloc(size * sizeof *ranks);
    domain->members = malloc(size * sizeof *domain->members);
    int failed = !ranks || !domain->members;
    for (size_t i = 0; !failed && i < size; i++)
        ranks[i] = (int)i;
    if (!failed)
        failed = PMPI_Group_translate_ranks(domain->group, domain->identity.size, ranks,
                                            domain->parent->group, domain->members) != MPI_SUCCESS;
    free(ranks);
    return failed ? -1 : 0;
}

/* Returns another one of that key, if a thread has been quicker. */
static struct domain *traffic_append_domain(struct domain *domain)
{
    pthread_mutex_lock(&traffic.lock);
    struct domain **end = &traffic.domains;
    while (*end && (*end)->key != domain->key)
        end = &(*end)->next;
    if (!*end)
        __atomic_store_n(end, domain, __ATOMIC_RELEASE);
    domain = *end;
    pthread_mutex_unlock(&traffic.lock);
    return domain;
}

/* The domain for the communicator of a domain that was not appended. */
static struct domain *traffic_take_other(struct domain *there, struct domain *domain)
{
    struct domain *parent = domain->parent;
    int same = traffic_compare_group(there, domain->group);
    domain_destroy(domain);
    return same == MPI_IDENT ? there : parent;
}

/* Takes ownership of `group`. */
static struct domain *traffic_insert_domain(const struct domain_identity *identity,
                                            struct domain *parent, MPI_Group group)
{
    struct domain *domain = calloc(1, sizeof *domain);
    if (!domain) {
        PMPI_Group_free(&group);
        return NULL;
    }
    domain->identity = *identity;
    domain->launched = (struct handles)HANDLES_INIT;
    domain->key = traffic_key(identity);
    domain->parent = parent;
    domain->group = group;
    if (PMPI_Group_rank(domain->group, &domain->role) != MPI_SUCCESS ||
        traffic_find_members(domain)) {
        domain_destroy(domain);
        return NULL;
    }
    struct domain *there = traffic_append_domain(domain);
    return there == domain ? domain : traffic_take_other(there, domain);
}

struct domain *traffic_add_domain(const struct domain_identity *identity, struct domain *parent,
                                  MPI_Comm comm)
{
    MPI_Group group;
    struct domain *there = traffic_find(traffic_key(identity));
    if (PMPI_Comm_group(comm, &group) != MPI_SUCCESS)
        return NULL;
    if (!there)
        return traffic_insert_domain(identity, parent, group);
    int same = traffic_compare_group(there, group);
    PMPI_Group_free(&group);
    return same == MPI_IDENT ? there : parent;
}

int traffic_start(MPI_Group group)
{
    struct domain_identity world = {.function = "MPI_COMM_WORLD"};
    MPI_Group own;
    if (PMPI_Group_size(group, &world.size) != MPI_SUCCESS ||
        PMPI_Group_excl(group, 0, NULL, &own) != MPI_SUCCESS)
        return -1;
    return traffic_insert_domain(&world, NULL, own) ? 0 : -1;
}

void traffic_stop(void)
{
    while (traffic.domains) {
        struct domain *domain = traffic.domains;
        traffic.domains = domain->next;
        domain_destroy(domain);
    }
}

struct traffic_sought {
    const struct domain *domain;
    int32_t role;
};

static int traffic_is_before(const void *sought, size_t at)
{
    const struct traffic_sought *s = sought;
    return s->domain->peers[at]->role < s->role;
}

/* Index of the first peer whose role is at least `role`. */
static size_t traffic_lower_bound(const struct domain *domain, int32_t role)
{
    return search_first(domain->peers_count, traffic_is_before,
                        &(struct traffic_sought){domain, role});
}

static struct peer *traffic_insert_peer(struct domain *domain, size_t at, int32_t role)
{
    struct peer **peers = array_grow(domain->peers, domain->peers_count, sizeof *peers);
    if (!peers)
        return NULL;
    domain->peers = peers;
    struct peer *peer = calloc(1, sizeof *peer);
    if (!peer)
        return NULL;
    peer->role = role;
    counters_init(peer->now);
    memmove(&domain->peers[at + 1], &domain->peers[at],
            (domain->peers_count - at) * sizeof domain->peers[0]);
    domain->peers[at] = peer;
    __atomic_fetch_add(&domain->peers_count, 1, __ATOMIC_RELAXED);
    return peer;
}

static struct peer *traffic_find_peer(struct domain *domain, int32_t role)
{
    size_t at = traffic_lower_bound(domain, role);
    return at < domain->peers_count && domain->peers[at]->role == role
               ? domain->peers[at]
               : traffic_insert_peer(domain, at, role);
}

struct peer *traffic_peer(struct domain *domain, int32_t role)
{
    pthread_mutex_lock(&traffic.lock);
    struct peer *peer = traffic_find_peer(domain, role);
    pthread_mutex_unlock(&traffic.lock);
    return peer;
}

/* The caller holds the lock. */
static void traffic_visit_peers(struct domain *domain, traffic_visitor *visit, void *context)
{
    for (size_t i = 0; i < domain->peers_count; i++)
        visit(domain, domain->peers[i], context);
}

static void traffic_visit_all(traffic_visitor *visit, void *context)
{
    for (struct domain *d = traffic.domains; d; d = d->next)
        traffic_visit_peers(d, visit, context);
}

void traffic_visit(struct domain *domain, traffic_visitor *visit, void *context)
{
    pthread_mutex_lock(&traffic.lock);
    if (domain)
        traffic_visit_peers(domain, visit, context);
    else
        traffic_visit_all(visit, context);
    pthread_mutex_unlock(&traffic.lock);
}

static void traffic_add_messages(const struct domain *domain, struct peer *peer, void *total)
{
    uint64_t *messages = total;
    (void)domain;
    for (int i = 0; i < TRAFFIC_COUNTERS; i++)
        *messages += traffic_messages_of(&peer->now[i]);
    for (const struct phase_counters *past = peer->past; past; past = past->next)
        for (int i = 0; i < TRAFFIC_COUNTERS; i++)
            *messages += traffic_messages_of(&past->counters[i]);
}

uint64_t traffic_messages(void)
{
    uint64_t messages = 0;
    traffic_visit(NULL, traffic_add_messages, &messages);
    return messages;
}

size_t traffic_peers(void)
{
    size_t peers = 0;
    for (const struct domain *d = traffic_next(NULL); d; d = traffic_next(d))
        peers += __atomic_load_n(&d->peers_count, __ATOMIC_RELAXED);
    return peers;
}

/* ---- phases ---- */

/* The counters of an earlier phase, created if missing; NULL when out of memory. */
static struct counter *phase_counters_of(struct peer *peer, int32_t phase)
{
    struct phase_counters *past = peer->past;
    while (past && past->phase != phase)
        past = past->next;
    if (past)
        return past->counters;
    past = calloc(1, sizeof *past);
    if (!past)
        return NULL;
    past->phase = phase;
    counters_init(past->counters);
    past->next = peer->past;
    peer->past = past;
    return past->counters;
}

int traffic_put(struct domain *domain, const struct reseat_entry *entry, int counter)
{
    pthread_mutex_lock(&traffic.lock);
    struct peer *peer = traffic_find_peer(domain, entry->target);
    struct counter *counters = peer ? phase_counters_of(peer, entry->phase) : NULL;
    if (counters) {
        int size = message_size_of_mean(entry->msgs, entry->bytes);
        struct counter *of_size = counter_of_size(&counters[counter], size);
        of_size->msgs += entry->msgs;
        of_size->bytes += entry->bytes;
    }
    pthread_mutex_unlock(&traffic.lock);
    return counters ? 0 : -1;
}

/* Move what one counter has to the present phase. Other threads may be counting; what they add now
 * goes to either phase, and the bytes of a message perhaps to a later one than the message. */
static void traffic_flush_counter(struct peer *peer, int kind, struct counter *now)
{
    uint64_t msgs = __atomic_exchange_n(&now->msgs, 0, __ATOMIC_RELAXED);
    uint64_t bytes = __atomic_exchange_n(&now->bytes, 0, __ATOMIC_RELAXED);
    if (!msgs && !bytes)
        return;
    struct counter *over = phase_counters_of(peer, traffic.phase);
    if (!over) {
        unseen_add(UNSEEN_MEMORY);
        return;
    }
    struct counter *of_size = counter_of_size(&over[kind], now->size);
    of_size->msgs += msgs;
    of_size->bytes += bytes;
}

static void traffic_flush_peer(const struct domain *domain, struct peer *peer, void *context)
{
    (void)domain;
    (void)context;
    for (int i = 0; i < TRAFFIC_COUNTERS; i++)
        for (struct counter *now = &peer->now[i]; now; now = now->next)
            traffic_flush_counter(peer, i, now);
}

void traffic_set_phase(int32_t phase)
{
    pthread_mutex_lock(&traffic.lock);
    traffic_visit_all(traffic_flush_peer, NULL);
    traffic.phase = phase;
    pthread_mutex_unlock(&traffic.lock);
}

/* Counters of an earlier phase become those of `phase`, which may have some. */
static void traffic_renumber_counters(struct peer *peer, struct phase_counters *past, int32_t phase)
{
    struct phase_counters **there = &peer->past;
    while (*there && (*there)->phase != phase)
        there = &(*there)->next;
    past->phase = phase;
    past->next = NULL;
    if (!*there) {
        *there = past;
        return;
    }
    for (int kind = 0; kind < TRAFFIC_COUNTERS; kind++)
        for (struct counter *c = &past->counters[kind]; c; c = c->next) {
            if (c->size == TRAFFIC_NO_SIZE)
                continue;
            struct counter *of_size = counter_of_size(&(*there)->counters[kind], c->size);
            of_size->msgs += c->msgs;
            of_size->bytes += c->bytes;
        }
    counters_clear(past->counters);
    free(past);
}

static void traffic_renumber_peer(const struct domain *domain, struct peer *peer, void *context)
{
    const int32_t *phase_of = context;
    struct phase_counters *past = peer->past;
    (void)domain;
    peer->past = NULL;
    while (past) {
        struct phase_counters *next = past->next;
        traffic_renumber_counters(peer, past, phase_of[past->phase]);
        past = next;
    }
}

void traffic_renumber_phases(const int32_t phase_of[RUN_PHASES])
{
    pthread_mutex_lock(&traffic.lock);
    traffic_visit_all(traffic_renumber_peer, (void *)phase_of);
    traffic.phase = phase_of[traffic.phase];
    pthread_mutex_unlock(&traffic.lock);
}

void traffic_flush_phase(void)
{
    traffic_visit(NULL, traffic_flush_peer, NULL);
}
