/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - queries to a profile that has been read. */
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "profile/message-sizes.h"
#include "text/number.h"

typedef int profile_comparison(const void *a, const void *b);

const char *reseat_profile_header(const struct reseat_profile *profile, const char *key)
{
    for (size_t i = 0; i < profile->headers_count; i++)
        if (strcmp(profile->headers[i].key, key) == 0)
            return profile->headers[i].value;
    return NULL;
}

int reseat_profile_has_found_phases(const struct reseat_profile *profile)
{
    const char *phases = reseat_profile_header(profile, RESEAT_PHASES_HEADER);
    return phases && strcmp(phases, "found") == 0;
}

int32_t reseat_profile_accelerators(const struct reseat_profile *profile, const char *host)
{
    size_t length = strlen(host);
    for (size_t i = 0; i < profile->headers_count; i++) {
        const char *value = profile->headers[i].value;
        int32_t count;
        if (strcmp(profile->headers[i].key, "accelerators") != 0 ||
            strncmp(value, host, length) != 0 || value[length] != ' ')
            continue;
        value += length + 1;
        return read_number32(&value, &count) == 0 && !*value ? count : 0;
    }
    return 0;
}

int reseat_profile_find_domain(const struct reseat_profile *profile, const char *function,
                               int32_t parent, int32_t size, int32_t first, int32_t ordinal)
{
    for (size_t i = 0; i < profile->domains_count; i++) {
        const struct reseat_domain *d = &profile->domains[i];
        if (d->parent == parent && d->size == size && d->first == first && d->ordinal == ordinal &&
            strcmp(d->function, function) == 0)
            return (int)i;
    }
    return -1;
}

int32_t reseat_profile_role_in(const struct reseat_profile *profile, int from, int to, int32_t role)
{
    while (from >= 0 && from != to) {
        const struct reseat_domain *d = &profile->domains[from];
        role = d->members ? d->members[role] : role;
        from = d->parent;
    }
    return from == to ? role : -1;
}

int reseat_entry_compare(const void *a, const void *b)
{
    const struct reseat_entry *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return (x->target > y->target) - (x->target < y->target);
}

/* a + b, saturated. */
static uint64_t profile_sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

int reseat_entry_by_phase(const void *a, const void *b)
{
    const struct reseat_entry *x = a, *y = b;
    if (x->phase != y->phase)
        return x->phase < y->phase ? -1 : 1;
    return reseat_entry_compare(a, b);
}

/* For qsort: the same, and then any order that is always the same. */
static int profile_in_order(const void *a, const void *b)
{
    const struct reseat_entry *x = a, *y = b;
    int order = reseat_entry_by_phase(a, b);
    if (order || x->msgs != y->msgs)
        return order ? order : (x->msgs > y->msgs) - (x->msgs < y->msgs);
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* For qsort: by phase, source, target, and class of sizes. */
static int profile_by_size(const void *a, const void *b)
{
    const struct reseat_entry *x = a, *y = b;
    int order = reseat_entry_by_phase(a, b);
    return order
               ? order
               : message_size_of_mean(x->msgs, x->bytes) - message_size_of_mean(y->msgs, y->bytes);
}

/* Put entries in place so that those of a source are next to each other: begin[source], which has
 * one more at the end; `next' has as many, and gets all ends. Each exchange puts one entry where it
 * stays. */
static void profile_gather_rows(struct reseat_entry *all, const size_t *begin, size_t *next,
                                int32_t sources)
{
    memcpy(next, begin, (size_t)sources * sizeof *next);
    for (int32_t source = 0; source < sources; source++)
        while (next[source] < begin[source + 1]) {
            struct reseat_entry *here = &all[next[source]];
            size_t *at = &next[here->source];
            struct reseat_entry moved = *here;
            *here = all[*at];
            all[(*at)++] = moved;
        }
}

/* Entries out of order are mostly rows of several kinds, one after the other: sorting each row by
 * itself needs less time, and not the memory of all entries once more. */
static void profile_sort(struct reseat_entry *all, size_t count, profile_comparison *in_order)
{
    int32_t sources = 0;
    int is_sorted = 1, is_one_phase = 1;
    for (size_t i = 0; i < count; i++) {
        sources = all[i].source >= sources ? all[i].source + 1 : sources;
        is_one_phase &= all[i].phase == all[0].phase;
        is_sorted &= i == 0 || in_order(&all[i - 1], &all[i]) <= 0;
    }
    if (is_sorted)
        return;
    size_t *begin = is_one_phase && (size_t)sources < count
                        ? calloc(2 * ((size_t)sources + 1), sizeof *begin)
                        : NULL;
    if (!begin) {
        qsort(all, count, sizeof *all, in_order);
        return;
    }
    for (size_t i = 0; i < count; i++)
        begin[all[i].source + 1]++;
    for (int32_t source = 0; source < sources; source++)
        begin[source + 1] += begin[source];
    profile_gather_rows(all, begin, begin + sources + 1, sources);
    for (int32_t source = 0; source < sources; source++)
        qsort(all + begin[source], begin[source + 1] - begin[source], sizeof *all, in_order);
    free(begin);
}

/* Add up entries that are the same in this order. Returns the number of remaining entries. */
static size_t profile_merge(struct reseat_entry *all, size_t count, profile_comparison *in_order)
{
    size_t kept = 0;
    profile_sort(all, count, in_order);
    for (size_t i = 0; i < count; i++) {
        if (kept && in_order(&all[kept - 1], &all[i]) == 0) {
            all[kept - 1].msgs = profile_sum(all[kept - 1].msgs, all[i].msgs);
            all[kept - 1].bytes = profile_sum(all[kept - 1].bytes, all[i].bytes);
        } else {
            all[kept++] = all[i];
        }
    }
    return kept;
}

const char *reseat_traffic_name(enum reseat_traffic kind)
{
    static const char *const names[] = {"p2p", "coll", "osc"};
    return names[kind];
}

static size_t profile_keep_phase(struct reseat_entry *entries, size_t count, int32_t phase)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (entries[i].phase == phase)
            entries[kept++] = entries[i];
    return kept;
}

static void profile_keep_times(struct reseat_profile *profile, int32_t phase)
{
    size_t kept = 0;
    for (size_t i = 0; i < profile->times_count; i++)
        if (profile->times[i].phase == phase)
            profile->times[kept++] = profile->times[i];
    profile->times_count = kept;
    free(profile->calls);
    profile->calls = NULL;
    profile->calls_count = 0;
}

size_t reseat_profile_keep_phase(struct reseat_profile *profile, int32_t phase)
{
    size_t rows = 0;
    profile_keep_times(profile, phase);
    for (size_t i = 0; i < profile->domains_count; i++) {
        struct reseat_domain *d = &profile->domains[i];
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
            d->count[kind] = profile_keep_phase(d->entries[kind], d->count[kind], phase);
            rows += d->count[kind];
        }
    }
    return rows;
}

int reseat_traffic_named(const char *name, int *kind)
{
    int found = strcmp(name, "all") == 0 ? -1 : 0;
    while (found >= 0 && found < RESEAT_TRAFFIC_KINDS &&
           strcmp(reseat_traffic_name((enum reseat_traffic)found), name) != 0)
        found++;
    if (found == RESEAT_TRAFFIC_KINDS)
        return -1;
    *kind = found;
    return 0;
}

size_t reseat_profile_keep_kind(struct reseat_profile *profile, int kind)
{
    size_t rows = 0;
    for (size_t i = 0; i < profile->domains_count; i++)
        for (int other = 0; other < RESEAT_TRAFFIC_KINDS; other++) {
            size_t *count = &profile->domains[i].count[other];
            *count = kind < 0 || other == kind ? *count : 0;
            rows += *count;
        }
    return rows;
}

uint64_t reseat_entry_weight(const struct reseat_entry *entry, enum reseat_metric metric)
{
    if (metric == RESEAT_METRIC_MSG)
        return entry->msgs;
    if (metric != RESEAT_METRIC_AVG || !entry->msgs)
        return entry->bytes;
    uint64_t average =
        entry->bytes / entry->msgs + (entry->bytes % entry->msgs >= entry->msgs - entry->msgs / 2);
    return average || !entry->bytes ? average : 1;
}

/* Collect the entries of a kind in all domains that count, with roles of `domain`, and their
 * phases. */
static size_t profile_collect(const struct reseat_profile *profile, int domain, int below, int kind,
                              struct reseat_entry *all)
{
    size_t count = 0;
    for (int d = domain; d < (int)(below ? profile->domains_count : (size_t)domain + 1); d++) {
        if (reseat_profile_role_in(profile, d, domain, 0) < 0)
            continue;
        for (size_t i = 0; i < profile->domains[d].count[kind]; i++) {
            struct reseat_entry entry = profile->domains[d].entries[kind][i];
            entry.source = reseat_profile_role_in(profile, d, domain, entry.source);
            entry.target = reseat_profile_role_in(profile, d, domain, entry.target);
            all[count++] = entry;
        }
    }
    return count;
}

/* Room for what is collected; NULL with *error. */
static struct reseat_entry *profile_new_list(const struct reseat_profile *profile,
                                             struct reseat_error *error)
{
    size_t most = 1;
    for (size_t d = 0; d < profile->domains_count; d++)
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            most += profile->domains[d].count[kind];
    struct reseat_entry *all = malloc(most * sizeof *all);
    if (!all)
        reseat_fail(error, "out of memory for the weights");
    return all;
}

int reseat_profile_phases(const struct reseat_profile *profile, int domain, int below,
                          struct reseat_entry **entries, size_t *count, struct reseat_error *error)
{
    struct reseat_entry *all = profile_new_list(profile, error);
    size_t n = 0;
    if (!all)
        return -1;
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
        n += profile_merge(all + n, profile_collect(profile, domain, below, kind, all + n),
                           profile_by_size);
    profile_sort(all, n, profile_in_order);
    *entries = all;
    *count = n;
    return 0;
}

int reseat_profile_pairs(const struct reseat_profile *profile, int domain, int below,
                         struct reseat_entry **entries, size_t *count, struct reseat_error *error)
{
    struct reseat_entry *all = profile_new_list(profile, error);
    size_t n = 0;
    if (!all)
        return -1;
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
        n += profile_collect(profile, domain, below, kind, all + n);
    for (size_t i = 0; i < n; i++)
        all[i].phase = 0;
    *entries = all;
    *count = profile_merge(all, n, reseat_entry_by_phase);
    return 0;
}

/* Add up both directions of each pair, as from the smaller rank to the larger one. Returns the
 * number of pairs. */
static size_t profile_join_directions(struct reseat_entry *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pairs[i].source > pairs[i].target) {
            int32_t source = pairs[i].target;
            pairs[i].target = pairs[i].source;
            pairs[i].source = source;
        }
    return profile_merge(pairs, count, reseat_entry_by_phase);
}

int reseat_profile_weights(const struct reseat_profile *profile, int domain, int below,
                           enum reseat_metric metric, struct tmap_entry **entries, size_t *count,
                           struct reseat_error *error)
{
    struct reseat_entry *pairs;
    size_t n;
    if (reseat_profile_pairs(profile, domain, below, &pairs, &n, error))
        return -1;
    if (metric == RESEAT_METRIC_AVG)
        n = profile_join_directions(pairs, n);
    struct tmap_entry *result = malloc((n + 1) * sizeof *result);
    for (size_t i = 0; result && i < n; i++)
        result[i] = (struct tmap_entry){pairs[i].source, pairs[i].target,
                                        reseat_entry_weight(&pairs[i], metric)};
    free(pairs);
    if (!result)
        return reseat_fail(error, "out of memory for the weights");
    *entries = result;
    *count = n;
    return 0;
}
