/* SPDX-License-Identifier: BSD-3-Clause */
/* domain-index.h - what rank 0 knows about the domains of a job while it gathers the profile. */
#ifndef RESEAT_DOMAIN_INDEX_H
#define RESEAT_DOMAIN_INDEX_H

#include "base/handles.h"
#include "profiler/traffic.h"

/* A domain as described by the process with role 0; `size` members follow. */
struct domain_message {
    struct domain_identity identity;
    uint64_t key;
};

struct domain_record {
    uint64_t key;
    uint64_t parent_key;
    struct reseat_domain domain; /* no entries; parent: index in the list */
    int32_t id;                  /* in the file; -1: not written yet */
};

struct domain_index {
    struct domain_record *list;
    size_t count;
    struct handles busy; /* by key: not NULL if the domain has traffic */
    int32_t written;     /* domains */
};

/* 0, or -1: out of memory. */
int domain_index_add(struct domain_index *domains, const struct domain_message *message,
                     const int32_t *members);
/* Sort by identity, then move parents before their children; the world stays first. */
void domain_index_order(struct domain_index *domains);
/* The rank in MPI_COMM_WORLD of the process with this role. */
int32_t domain_index_world_rank(const struct domain_index *domains, size_t index, int32_t role);
void domain_index_destroy(struct domain_index *domains);

#endif
