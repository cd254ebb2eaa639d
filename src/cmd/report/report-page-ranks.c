/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report-page-ranks.c - see report-page.h: the ranks that send and receive most, and those that are
 * longest in MPI. Ranks whose bytes read the same are one row, for in regular programs most of them
 * are alike.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/report/report-page.h"
#include "cmd/shell/amount.h"
#include "profile/profile.h"

enum { RANKS_ROWS = 10, RANKS_NAMED = 6 }; /* of a table, and of a row */

struct rank_use {
    int32_t rank;
    double bytes;         /* sent and received */
    double in_mpi, whole; /* seconds; 0: not known */
};

/* ---- what they do ---- */

static void ranks_add_traffic(struct rank_use *use, const struct reseat_profile *profile)
{
    for (size_t d = 0; d < profile->domains_count; d++)
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            for (size_t i = 0; i < profile->domains[d].count[kind]; i++) {
                const struct reseat_entry *entry = &profile->domains[d].entries[kind][i];
                int32_t from = reseat_profile_role_in(profile, (int)d, 0, entry->source);
                int32_t to = reseat_profile_role_in(profile, (int)d, 0, entry->target);
                if (from < 0 || to < 0 || from == to)
                    continue;
                use[from].bytes += (double)entry->bytes;
                use[to].bytes += (double)entry->bytes;
            }
}

static void ranks_add_times(struct rank_use *use, const struct reseat_profile *profile)
{
    for (size_t i = 0; i < profile->times_count; i++) {
        const struct reseat_rank_time *time = &profile->times[i];
        use[time->rank].in_mpi += 1e-6 * (double)time->in_mpi;
        use[time->rank].whole += 1e-6 * (double)time->all;
    }
}

/* NULL: out of memory. */
static struct rank_use *ranks_of(const struct reseat_profile *profile)
{
    struct rank_use *use = calloc((size_t)profile->ranks + 1, sizeof *use);
    for (int32_t rank = 0; use && rank < profile->ranks; rank++)
        use[rank].rank = rank;
    if (use) {
        ranks_add_traffic(use, profile);
        ranks_add_times(use, profile);
    }
    return use;
}

/* ---- the most first ---- */

static int ranks_by_bytes(const void *a, const void *b)
{
    const struct rank_use *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int ranks_by_time(const void *a, const void *b)
{
    const struct rank_use *x = a, *y = b;
    if (x->in_mpi != y->in_mpi)
        return x->in_mpi < y->in_mpi ? 1 : -1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* ---- tables ---- */

/* "0, 1, 2 and 13 more". */
static void ranks_add_names(struct document *d, const struct rank_use *use, int32_t count)
{
    char text[RANKS_NAMED * 12 + 32];
    size_t length = 0;
    for (int32_t i = 0; i < count && i < RANKS_NAMED; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%d", i ? ", " : "",
                                   (int)use[i].rank);
    if (count > RANKS_NAMED)
        snprintf(text + length, sizeof text - length, " and %d more", (int)(count - RANKS_NAMED));
    document_text(d, "ranks", text);
}

/* Number of ranks from the first one on whose bytes read as its own. */
static int32_t ranks_alike(const struct rank_use *use, int32_t ranks)
{
    char first[32], next[32];
    int32_t count = 1;
    amount(use[0].bytes, "B", first);
    while (count < ranks && strcmp(amount(use[count].bytes, "B", next), first) == 0)
        count++;
    return count;
}

static void ranks_add_traffic_rows(struct document *d, const struct rank_use *use, int32_t ranks)
{
    int32_t first = 0;
    document_open(d, "@ranks_by_bytes", '[');
    for (int row = 0; row < RANKS_ROWS && first < ranks && use[first].bytes > 0; row++) {
        int32_t count = ranks_alike(&use[first], ranks - first);
        document_open(d, NULL, '{');
        ranks_add_names(d, &use[first], count);
        document_number(d, "bytes", use[first].bytes);
        document_numbers(d, "bars", 2, (double[]){use[0].bytes, use[first].bytes});
        document_close(d);
        first += count;
    }
    document_close(d);
    document_boolean(d, "@ranks_are_left_out", first < ranks);
    document_integer(d, "@ranks_left_out", (uint64_t)(ranks - first));
    document_number(d, "@ranks_least", ranks ? use[ranks - 1].bytes : 0);
}

static void ranks_add_time_rows(struct document *d, const struct rank_use *use, int32_t ranks)
{
    document_open(d, "@ranks_by_time", '[');
    for (int32_t i = 0; i < ranks && i < RANKS_ROWS && use[i].in_mpi > 0; i++) {
        document_open(d, NULL, '{');
        document_integer(d, "rank", (uint64_t)use[i].rank);
        document_number(d, "seconds", use[i].in_mpi);
        document_number(d, "share", use[i].whole > 0 ? use[i].in_mpi / use[i].whole : 0);
        document_number(d, "bytes", use[i].bytes);
        document_close(d);
    }
    document_close(d);
}

void page_add_ranks(struct document *d, const struct report_page *page)
{
    const struct reseat_profile *profile = page->report->profile;
    struct rank_use *use = ranks_of(profile);
    if (!use) {
        d->is_short = 1;
        return;
    }
    qsort(use, (size_t)profile->ranks, sizeof *use, ranks_by_bytes);
    ranks_add_traffic_rows(d, use, profile->ranks);
    qsort(use, (size_t)profile->ranks, sizeof *use, ranks_by_time);
    ranks_add_time_rows(d, use, profile->ranks);
    free(use);
}
