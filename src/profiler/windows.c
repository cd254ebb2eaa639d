/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * windows.c - see windows.h.
 *
 * All windows are equally long. When there would be more than WINDOWS, they are merged in pairs,
 * and later ones are twice as long; so a job of any length has 8 to 16 once it has had 8. Windows
 * begin by the clock, since MPI_Init, which all ranks leave at about the same time: 6 windows of
 * 10 s are
 *
 *   0 s       10        20        30        40        50        60
 *   |  64     |  65     |  66     |  67     |  68     |  69     |      as phases of traffic.h
 *      A         A         A+B       B         B         A             what is sent
 *
 * Similar are two of them (or two sets of them, in sum) by the cosine of their matrices: 1 for the
 * same pattern, however much is sent, 0 for no pair of ranks in common. All cosines follow from the
 * products of windows, which are sums over all processes. A window in which the pattern changes, as
 * the third one, is a mixture of its neighbors and goes to the one to which it is more similar; a
 * pattern that comes back is the phase that it was: 0, 0, 0 or 1, 1, 1, 0.
 */
#include "profiler/windows.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/ascending.h"
#include "base/array.h"
#include "profiler/call-cache.h"
#include "profiler/run-time.h"

static const double windows_first = 10;    /* seconds */
static const double windows_similar = 0.8; /* the least cosine */
static const double windows_mixed = 0.95;  /* of a mixture, to the plane of the two patterns */
static const double windows_quiet = 0.05;  /* of the most in a window: as good as no traffic */

enum {
    WINDOWS_PEERS = 512, /* of a process that has more, windows take too much memory */
    WINDOWS_PHASES = 8   /* more are no phases */
};

static struct {
    pthread_mutex_t lock;
    int count;  /* with the present one; 0: none */
    int merged; /* how often */
    double length;
} windows = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- while the job runs; the caller holds the lock ---- */

static void windows_set(int32_t phase)
{
    call_cache_flush();
    traffic_set_phase(phase);
    run_time_phase(phase);
}

static void windows_renumber(const int32_t phase_of[RUN_PHASES])
{
    call_cache_flush();
    traffic_renumber_phases(phase_of);
    run_time_renumber_phases(phase_of);
}

static void windows_keep_phases(int32_t phase_of[RUN_PHASES])
{
    for (int32_t phase = 0; phase < RESEAT_PHASES; phase++)
        phase_of[phase] = phase;
}

static void windows_merge_pairs(void)
{
    int32_t phase_of[RUN_PHASES];
    windows_keep_phases(phase_of);
    for (int32_t window = 0; window < WINDOWS; window++)
        phase_of[RESEAT_PHASES + window] = RESEAT_PHASES + window / 2;
    windows_renumber(phase_of);
    windows.count = (windows.count + 1) / 2;
    windows.length *= 2;
    windows.merged++;
}

static void windows_end(uint64_t phases)
{
    int32_t phase_of[RUN_PHASES];
    windows_keep_phases(phase_of);
    for (int32_t phase = RESEAT_PHASES; phase < RUN_PHASES; phase++)
        phase_of[phase] = windows_phase(phases, phase);
    windows_renumber(phase_of);
    windows.count = 0;
}

/* In a call whose time is measured, before that begins. */
static void windows_over(double seconds)
{
    pthread_mutex_lock(&windows.lock);
    while (windows.count && seconds >= WINDOWS * windows.length)
        windows_merge_pairs();
    if (windows.count && traffic_peers() > WINDOWS_PEERS)
        windows_end(0);
    if (windows.count) {
        int present = (int)(seconds / windows.length);
        windows.count = present + 1;
        windows_set(RESEAT_PHASES + present);
        run_time_alarm((present + 1) * windows.length, windows_over);
    }
    pthread_mutex_unlock(&windows.lock);
}

void windows_start(void)
{
    const char *first = getenv("RESEAT_WINDOW"); /* for tests */
    pthread_mutex_lock(&windows.lock);
    windows.merged = 0;
    windows.length = first && atof(first) >= 1e-3 ? atof(first) : windows_first;
    windows.count = run_time_alarm(windows.length, windows_over) == 0;
    if (windows.count)
        windows_set(RESEAT_PHASES);
    pthread_mutex_unlock(&windows.lock);
}

void windows_stop(void)
{
    pthread_mutex_lock(&windows.lock);
    if (windows.count)
        windows_end(0);
    pthread_mutex_unlock(&windows.lock);
}

void windows_become(uint64_t phases)
{
    pthread_mutex_lock(&windows.lock);
    windows_end(phases);
    pthread_mutex_unlock(&windows.lock);
}

int windows_count(void)
{
    pthread_mutex_lock(&windows.lock);
    int count = windows.count;
    pthread_mutex_unlock(&windows.lock);
    return count;
}

int windows_merged(void)
{
    pthread_mutex_lock(&windows.lock);
    int merged = windows.merged;
    pthread_mutex_unlock(&windows.lock);
    return merged;
}

void windows_merge(uint64_t merged)
{
    pthread_mutex_lock(&windows.lock);
    while (windows.count && (uint64_t)windows.merged < merged)
        windows_merge_pairs();
    pthread_mutex_unlock(&windows.lock);
}

/* ---- at the end ---- */

/* What was sent to a process in each window. */
struct windows_row {
    int32_t rank; /* in the world */
    double bytes[WINDOWS];
};

struct windows_rows {
    struct windows_row *list;
    size_t count;
    int failed;
};

static void windows_add_row(const struct domain *domain, struct peer *peer, void *context)
{
    struct windows_rows *rows = context;
    struct windows_row row = {.rank = peer->role};
    (void)domain;
    for (const struct phase_counters *past = peer->past; past; past = past->next)
        for (int kind = 0; past->phase >= RESEAT_PHASES && kind < RESEAT_TRAFFIC_KINDS; kind++)
            for (const struct counter *c = &past->counters[kind]; c; c = c->next)
                row.bytes[past->phase - RESEAT_PHASES] += (double)c->bytes;
    if (array_add(&rows->list, &rows->count, &row, sizeof row)) {
        rows->failed = 1;
        return;
    }
}

/* The peers of a domain, by their ranks in the world. */
static void windows_add_domain(struct windows_rows *rows, struct domain *domain)
{
    size_t first = rows->count;
    traffic_visit(domain, windows_add_row, rows);
    for (size_t i = first; i < rows->count; i++) {
        int role = rows->list[i].rank;
        rows->failed |= PMPI_Group_translate_ranks(domain->group, 1, &role, traffic_world()->group,
                                                   &rows->list[i].rank) != MPI_SUCCESS;
    }
}

/* A process may be a peer in several domains, as in each grid that a program makes anew: what was
 * sent to it is one sum. */
void windows_add_products(struct window_products *products)
{
    struct windows_rows rows = {.list = NULL};
    for (struct domain *d = traffic_next(NULL); d; d = traffic_next(d))
        windows_add_domain(&rows, d);
    if (rows.count)
        qsort(rows.list, rows.count, sizeof *rows.list, ascending_int32);
    for (size_t i = 0; i < rows.count && !rows.failed; i++) {
        struct windows_row *row = &rows.list[i];
        if (i + 1 < rows.count && row[1].rank == row->rank) {
            for (int w = 0; w < WINDOWS; w++)
                row[1].bytes[w] += row->bytes[w];
            continue;
        }
        for (int w = 0; w < WINDOWS; w++)
            for (int v = 0; v <= w; v++)
                products->of[w][v] += row->bytes[w] * row->bytes[v];
    }
    free(rows.list);
}

/* Sets of windows, as bits. */
static double windows_product(const struct window_products *products, unsigned a, unsigned b)
{
    double sum = 0;
    for (int i = 0; i < WINDOWS; i++)
        for (int j = 0; j < WINDOWS; j++)
            if (a & 1u << i && b & 1u << j)
                sum += products->of[i > j ? i : j][i > j ? j : i];
    return sum;
}

static double windows_cosine(const struct window_products *products, unsigned a, unsigned b)
{
    double norms = windows_product(products, a, a) * windows_product(products, b, b);
    return norms > 0 ? windows_product(products, a, b) / sqrt(norms) : 0;
}

/* Returns 1 if there is as good as no traffic in a set, as in a last window that was just begun. */
static int windows_are_quiet(const struct window_products *products, unsigned set)
{
    double most = 0;
    for (int i = 0; i < WINDOWS; i++)
        most = products->of[i][i] > most ? products->of[i][i] : most;
    return windows_product(products, set, set) <= windows_quiet * windows_quiet * most;
}

/* Returns 1 if `window` is a mixture of sets a and b: its cosine to the plane through both. */
static int windows_are_mixed(const struct window_products *products, unsigned window, unsigned a,
                             unsigned b)
{
    double to_a = windows_cosine(products, window, a), to_b = windows_cosine(products, window, b);
    double between = windows_cosine(products, a, b);
    if (between > windows_similar)
        return 0;
    double square =
        (to_a * to_a + to_b * to_b - 2 * to_a * to_b * between) / (1 - between * between);
    return square > windows_mixed * windows_mixed;
}

/* Stretches of windows with one pattern: segment[i] is the number of that of window i. Returns how
 * many there are. */
static int windows_find_segments(const struct window_products *products, int count,
                                 unsigned segment[WINDOWS])
{
    int segments = 0;
    for (int i = 0; i < count; i++) {
        unsigned window = 1u << i, *last = segments ? &segment[segments - 1] : NULL;
        if (last && (windows_are_quiet(products, window) || windows_are_quiet(products, *last) ||
                     windows_cosine(products, *last, window) >= windows_similar))
            *last |= window;
        else
            segment[segments++] = window;
    }
    return segments;
}

/* Segments of one window in which the pattern changes go to a neighbor. Returns how many remain. */
static int windows_dissolve_mixed(const struct window_products *products, int segments,
                                  unsigned segment[WINDOWS])
{
    int left = 0;
    for (int i = 0; i < segments; i++) {
        unsigned window = segment[i];
        int is_one = (window & (window - 1)) == 0 && left > 0 && i + 1 < segments;
        if (!is_one || !windows_are_mixed(products, window, segment[left - 1], segment[i + 1]))
            segment[left++] = window;
        else if (windows_cosine(products, window, segment[left - 1]) >=
                 windows_cosine(products, window, segment[i + 1]))
            segment[left - 1] |= window;
        else
            segment[i + 1] |= window;
    }
    return left;
}

uint64_t windows_find_phases(const struct window_products *products, int count)
{
    unsigned segment[WINDOWS], phase[WINDOWS];
    int phases = 0;
    uint64_t result = 0;
    int segments = windows_find_segments(products, count, segment);
    segments = windows_dissolve_mixed(products, segments, segment);
    for (int i = 0; i < segments; i++) {
        int at = 0;
        while (at < phases && windows_cosine(products, phase[at], segment[i]) < windows_similar)
            at++;
        phase[at] = segment[i] | (at < phases ? phase[at] : 0);
        phases += at == phases;
    }
    for (int at = 1; at < phases && phases <= WINDOWS_PHASES; at++)
        for (int window = 0; window < WINDOWS; window++)
            if (phase[at] & 1u << window)
                result |= (uint64_t)at << 4 * window;
    return result;
}
