/* SPDX-License-Identifier: BSD-3-Clause */
/* domain-index.c - see domain-index.h. */
#include "profiler/domain-index.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int domain_index_add(struct domain_index *domains, const struct domain_message *message,
                     const int32_t *members)
{
    struct domain_record *list = array_grow(domains->list, domains->count, sizeof *list);
    if (!list)
        return -1;
    domains->list = list;
    struct domain_record *record = &list[domains->count];
    *record = (struct domain_record){
        .key = message->key, .parent_key = message->identity.parent, .id = -1};
    memcpy(record->domain.function, message->identity.function, sizeof record->domain.function);
    record->domain.parent = -1;
    record->domain.size = message->identity.size;
    record->domain.first = message->identity.first;
    record->domain.ordinal = message->identity.ordinal;
    if (members) {
        size_t bytes = sizeof *members * (size_t)message->identity.size;
        record->domain.members = malloc(bytes);
        if (!record->domain.members)
            return -1;
        memcpy(record->domain.members, members, bytes);
    }
    domains->count++;
    return 0;
}

void domain_index_destroy(struct domain_index *domains)
{
    for (size_t i = 0; i < domains->count; i++)
        free(domains->list[i].domain.members);
    handles_clear(&domains->busy, NULL);
    free(domains->list);
}

static int32_t domain_index_find(const struct domain_index *domains, size_t count, uint64_t key)
{
    for (size_t i = 0; i < count; i++)
        if (domains->list[i].key == key)
            return (int32_t)i;
    return -1;
}

static int domain_index_compare(const void *a, const void *b)
{
    const struct reseat_domain *x = &((const struct domain_record *)a)->domain;
    const struct reseat_domain *y = &((const struct domain_record *)b)->domain;
    int order = strcmp(x->function, y->function);
    if (order)
        return order;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

void domain_index_order(struct domain_index *domains)
{
    if (domains->count > 1)
        qsort(domains->list + 1, domains->count - 1, sizeof *domains->list, domain_index_compare);
    for (size_t done = 1; done < domains->count; done++) {
        size_t next = done;
        while (next < domains->count &&
               domain_index_find(domains, done, domains->list[next].parent_key) < 0)
            next++;
        if (next == domains->count) { /* orphans: role 0 of the parent was out of memory */
            for (size_t i = done; i < domains->count; i++)
                free(domains->list[i].domain.members);
            domains->count = done;
            return;
        }
        struct domain_record record = domains->list[next];
        memmove(&domains->list[done + 1], &domains->list[done], (next - done) * sizeof record);
        record.domain.parent = domain_index_find(domains, done, record.parent_key);
        domains->list[done] = record;
    }
}

int32_t domain_index_world_rank(const struct domain_index *domains, size_t index, int32_t role)
{
    const struct reseat_domain *domain = &domains->list[index].domain;
    while (domain->parent >= 0) {
        role = domain->members[role];
        domain = &domains->list[domain->parent].domain;
    }
    return role;
}
