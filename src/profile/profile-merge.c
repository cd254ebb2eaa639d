/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile-merge.c - one profile from several runs: the mean of each pair over all runs, including
 * those without it. Domains are matched by identity; a domain that only some runs have is kept.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "base/array.h"
#include "profile/message-sizes.h"
#include "profile/profile-time.h"
#include "profile/world-profile.h"

/* An entry, which comes first so that items are compared as entries, and the run it comes from. */
struct merge_item {
    struct reseat_entry entry;
    size_t run;
};

/* For qsort: the items of a pair by run, and by class of sizes. */
static int merge_by_run(const void *a, const void *b)
{
    const struct merge_item *x = a, *y = b;
    int order = reseat_entry_by_phase(a, b);
    return order ? order : (x->run > y->run) - (x->run < y->run);
}

static int merge_size(const struct merge_item *item)
{
    return message_size_of_mean(item->entry.msgs, item->entry.bytes);
}

static int merge_by_size(const void *a, const void *b)
{
    return merge_size(a) - merge_size(b);
}

/* Add the n items of a pair, sorted by run, to the spread. */
static void merge_spread(const struct merge_item *items, size_t n, size_t runs,
                         struct reseat_spread *spread)
{
    double all = 0, least = INFINITY, most = 0;
    size_t there = 0;
    for (size_t i = 0; i < n; there++) {
        size_t run = items[i].run;
        double bytes = 0;
        for (; i < n && items[i].run == run; i++)
            bytes += (double)items[i].entry.bytes;
        all += bytes;
        least = fmin(least, bytes);
        most = fmax(most, bytes);
    }
    spread->pairs++;
    spread->everywhere += there == runs;
    spread->bytes += all / (double)runs;
    spread->between += most - (there < runs ? 0 : least);
}

/* The messages and bytes of classes of a pair up to one of them: in all runs, and those of their
 * mean that are in an entry already. */
struct merge_sum {
    double msgs, bytes;
    uint64_t put_msgs, put_bytes;
};

/* Put what is due of the mean of `runs` runs into `entries`. Less than a message, unless it
 * `is_last` of the pair, waits for the next class, so that the entries add up to the rounded mean
 * of the pair. */
static size_t merge_put(struct merge_sum *sum, struct reseat_entry mean, size_t runs, int is_last,
                        struct reseat_entry *entries, size_t kept)
{
    mean.msgs = (uint64_t)(sum->msgs / (double)runs + 0.5) - sum->put_msgs;
    mean.bytes = (uint64_t)(sum->bytes / (double)runs + 0.5) - sum->put_bytes;
    if (mean.msgs == 0 && !is_last)
        return kept;
    sum->put_msgs += mean.msgs;
    sum->put_bytes += mean.bytes;
    if (mean.msgs == 0 && kept) {
        mean.msgs = entries[--kept].msgs;
        mean.bytes += entries[kept].bytes;
    }
    mean.msgs += mean.msgs == 0;
    return message_sizes_append(entries, kept, &mean);
}

/* Put the mean of the n items of a pair, by class, into `entries`. Returns their number. */
static size_t merge_pair(struct merge_item *items, size_t n, size_t runs,
                         struct reseat_entry *entries)
{
    struct merge_sum sum = {0, 0, 0, 0};
    size_t kept = 0;
    qsort(items, n, sizeof *items, merge_by_size);
    for (size_t i = 0; i < n; i++) {
        sum.msgs += (double)items[i].entry.msgs;
        sum.bytes += (double)items[i].entry.bytes;
        if (i + 1 == n || merge_by_size(&items[i], &items[i + 1]) != 0)
            kept = merge_put(&sum, items[i].entry, runs, i + 1 == n, entries, kept);
    }
    return kept;
}

/* Phases that were found in a run have no counterpart in another one. */
static struct merge_item merge_take(const struct reseat_entry *entry, size_t run,
                                    const struct reseat_profile *profile)
{
    struct merge_item item = {*entry, run};
    if (reseat_profile_has_found_phases(profile))
        item.entry.phase = 0;
    return item;
}

/* Merge the entries of one kind of a domain of all runs into *result. 0, or -1 if out of memory. */
static int merge_kind(const struct reseat_domain *const *of_run,
                      const struct reseat_profile *const *profile, size_t runs, int kind,
                      struct reseat_domain *result, struct reseat_spread *spread)
{
    size_t total = 0, n = 0;
    for (size_t r = 0; r < runs; r++)
        total += of_run[r] ? of_run[r]->count[kind] : 0;
    struct merge_item *items = malloc((total + 1) * sizeof *items);
    struct reseat_entry *entries = malloc((total + 1) * sizeof *entries);
    if (!items || !entries) {
        free(items);
        free(entries);
        return -1;
    }
    for (size_t r = 0; r < runs; r++)
        for (size_t i = 0; of_run[r] && i < of_run[r]->count[kind]; i++)
            items[n++] = merge_take(&of_run[r]->entries[kind][i], r, profile[r]);
    qsort(items, n, sizeof *items, merge_by_run);
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && reseat_entry_by_phase(&items[i], &items[end]) == 0)
            end++;
        merge_spread(items + i, end - i, runs, spread);
        result->count[kind] += merge_pair(items + i, end - i, runs, entries + result->count[kind]);
        i = end;
    }
    free(items);
    free(result->entries[kind]);
    result->entries[kind] = entries;
    return 0;
}

/* The domain of `profile` with the identity of domain d of `like`; -1: none. */
static int merge_counterpart(const struct reseat_profile *profile,
                             const struct reseat_profile *like, int d)
{
    const struct reseat_domain *domain = &like->domains[d];
    if (d == 0)
        return 0;
    int parent = merge_counterpart(profile, like, domain->parent);
    return parent < 0 ? -1
                      : reseat_profile_find_domain(profile, domain->function, parent, domain->size,
                                                   domain->first, domain->ordinal);
}

/* Append a copy of domain d of `from`, without entries. 0, or -1 if out of memory. */
static int merge_adopt(struct reseat_profile *result, const struct reseat_profile *from, int d)
{
    size_t n = result->domains_count;
    struct reseat_domain *domains = array_grow(result->domains, n, sizeof *domains);
    if (!domains)
        return -1;
    result->domains = domains;
    domains[n] = from->domains[d];
    memset(domains[n].entries, 0, sizeof domains[n].entries);
    memset(domains[n].count, 0, sizeof domains[n].count);
    domains[n].parent = merge_counterpart(result, from, from->domains[d].parent);
    if (from->domains[d].members) {
        size_t bytes = (size_t)from->domains[d].size * sizeof *from->domains[d].members;
        domains[n].members = malloc(bytes);
        if (!domains[n].members)
            return -1;
        memcpy(domains[n].members, from->domains[d].members, bytes);
    }
    result->domains_count++;
    return 0;
}

/* Returns 1 if the result keeps all values of this key, from any run. */
static int merge_is_of_all(const char *key)
{
    return strcmp(key, "not_seen") == 0 || strcmp(key, "rank_variable") == 0;
}

static int merge_has_header(const struct reseat_profile *profile,
                            const struct reseat_header *header)
{
    for (size_t i = 0; i < profile->headers_count; i++)
        if (strcmp(profile->headers[i].key, header->key) == 0 &&
            strcmp(profile->headers[i].value, header->value) == 0)
            return 1;
    return 0;
}

/* Returns 1 if a header of the first run holds for all: sizes that one run does not tell are not
 * those of the mean, and phases that were found in a run are not merged. */
static int merge_keeps(const char *key, const struct reseat_profile *const *runs, size_t count)
{
    int keeps = strcmp(key, RESEAT_PHASES_HEADER) != 0;
    for (size_t r = 1; r < count && strcmp(key, RESEAT_SIZES_HEADER) == 0; r++)
        keeps &= reseat_profile_header(runs[r], key) != NULL;
    return keeps;
}

/* Headers of the first run, what any run has not seen, and the number of runs. */
static int merge_headers(struct reseat_profile *result, const struct reseat_profile *const *runs,
                         size_t count)
{
    char number[24];
    int rc = 0;
    snprintf(number, sizeof number, "%zu", count);
    for (size_t i = 0; rc == 0 && i < runs[0]->headers_count; i++)
        rc = merge_keeps(runs[0]->headers[i].key, runs, count)
                 ? world_header(result, runs[0]->headers[i].key, runs[0]->headers[i].value)
                 : 0;
    for (size_t r = 1; r < count; r++)
        for (size_t i = 0; rc == 0 && i < runs[r]->headers_count; i++) {
            const struct reseat_header *header = &runs[r]->headers[i];
            if (merge_is_of_all(header->key) && !merge_has_header(result, header))
                rc = world_header(result, header->key, header->value);
        }
    return rc ? -1 : world_header(result, "runs", number);
}

/* Keep the seats if they were the same in all runs. 0, or -1 if out of memory. */
static int merge_seats(struct reseat_profile *result, const struct reseat_profile *const *runs,
                       size_t count)
{
    const struct reseat_profile *first = runs[0];
    for (size_t r = 0; r < count; r++) {
        if (runs[r]->seats_count != first->seats_count || !first->seats_count)
            return 0;
        for (int32_t i = 0; i < first->seats_count; i++)
            if (strcmp(runs[r]->seats[i].host, first->seats[i].host) != 0 ||
                memcmp(&runs[r]->seats[i].place, &first->seats[i].place,
                       sizeof first->seats[i].place) != 0)
                return 0;
    }
    result->seats = malloc((size_t)first->seats_count * sizeof *result->seats);
    if (!result->seats)
        return -1;
    memcpy(result->seats, first->seats, (size_t)first->seats_count * sizeof *result->seats);
    result->seats_count = first->seats_count;
    return 0;
}

static int merge_all(struct reseat_profile *result, const struct reseat_profile *const *runs,
                     size_t count, struct reseat_spread *spread)
{
    const struct reseat_domain **of_run = calloc(count, sizeof(struct reseat_domain *));
    int rc =
        of_run && merge_headers(result, runs, count) == 0 ? merge_seats(result, runs, count) : -1;
    rc = rc ? rc : profile_time_merge(result, runs, count);
    for (size_t r = 0; rc == 0 && r < count; r++)
        for (int d = 0; rc == 0 && d < (int)runs[r]->domains_count; d++)
            if (merge_counterpart(result, runs[r], d) < 0)
                rc = merge_adopt(result, runs[r], d);
    for (int d = 0; rc == 0 && d < (int)result->domains_count; d++) {
        for (size_t r = 0; r < count; r++) {
            int there = merge_counterpart(runs[r], result, d);
            of_run[r] = there < 0 ? NULL : &runs[r]->domains[there];
        }
        for (int kind = 0; rc == 0 && kind < RESEAT_TRAFFIC_KINDS; kind++)
            rc = merge_kind(of_run, runs, count, kind, &result->domains[d], spread);
    }
    free(of_run);
    return rc;
}

int reseat_profile_merge(struct reseat_profile **result, const struct reseat_profile *const *runs,
                         size_t count, struct reseat_spread *spread, struct reseat_error *error)
{
    *spread = (struct reseat_spread){0};
    for (size_t r = 1; r < count; r++)
        if (runs[r]->ranks != runs[0]->ranks)
            return reseat_fail(error, "run %zu has %" PRId32 " ranks, the first has %" PRId32,
                               r + 1, runs[r]->ranks, runs[0]->ranks);
    struct reseat_profile *merged = world_create(runs[0]->ranks);
    if (!merged || merge_all(merged, runs, count, spread)) {
        reseat_profile_destroy(merged);
        return reseat_fail(error, "out of memory");
    }
    *result = merged;
    return 0;
}
