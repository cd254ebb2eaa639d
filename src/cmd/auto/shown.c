/* SPDX-License-Identifier: BSD-3-Clause */
/* shown.c - see shown.h. */
#include "cmd/auto/shown.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "cmd/report/report-change.h"
#include "profile/profile-time.h"
#include "text/number.h"

/* Less than this share of the bytes goes elsewhere: the pattern is the same. A change of the amount
 * up to this factor is one of the number of steps. */
static const double SHOWN_SAME = 0.02, SHOWN_AMOUNT = 1.25;

/* ---- where it ran ---- */

static int shown_compare_seats(const void *a, const void *b)
{
    const struct reseat_seat *s = *(const struct reseat_seat *const *)a;
    const struct reseat_seat *t = *(const struct reseat_seat *const *)b;
    int order = strcmp(s->host, t->host);
    for (int level = 0; !order && level < TMAP_PLACE_LEVELS; level++)
        order =
            (s->place.at[level] > t->place.at[level]) - (s->place.at[level] < t->place.at[level]);
    return order;
}

static void shown_add_host(struct past_job *job, const char *host)
{
    size_t length = strlen(job->hosts), left = sizeof job->hosts - length;
    if (strlen(host) + 5 < left)
        snprintf(job->hosts + length, left, "%s%s", length ? "," : "", host);
    else if (length && left > 4 && strcmp(job->hosts + length - 3, "...") != 0)
        strcat(job->hosts, ",...");
}

/* The same in whatever order the ranks are: whether they are bound, and else how many processors
 * the host has. */
static uint64_t shown_machine(const struct reseat_profile *profile)
{
    const char *processors = reseat_profile_header(profile, "processors");
    int bound = 0;
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        bound |= (profile->seats[0].place.at[level] >= 0) << level;
    uint64_t hash = reseat_hash_add(reseat_hash_empty, &bound, sizeof bound);
    return reseat_hash_add(hash, processors ? processors : "",
                           processors ? strlen(processors) : 0) &
           UINT32_MAX;
}

/* Number of processors, or of the places to which ranks are bound. */
static int shown_cores(const struct reseat_profile *profile, int nodes, int places)
{
    const char *text = reseat_profile_header(profile, "processors");
    uint64_t number;
    return text && read_number(&text, 1 << 20, &number) == 0 ? nodes * (int)number : places;
}

int shown_fill(struct past_job *job, const struct reseat_profile *profile)
{
    struct reseat_time_in_mpi time;
    reseat_profile_time_in_mpi(&time, profile, -1);
    job->seconds_in_mpi = time.ranks ? time.mean : NAN;
    if (!profile->seats || profile->seats_count < 1)
        return 0;
    size_t count = (size_t)profile->seats_count;
    const struct reseat_seat **seat = malloc(count * sizeof *seat);
    int places = 0;
    if (!seat)
        return -1;
    for (size_t i = 0; i < count; i++)
        seat[i] = &profile->seats[i];
    qsort(seat, count, sizeof *seat, shown_compare_seats);
    job->nodes = 0;
    job->hosts[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        places += i == 0 || shown_compare_seats(&seat[i - 1], &seat[i]) != 0;
        if (i > 0 && strcmp(seat[i - 1]->host, seat[i]->host) == 0)
            continue;
        job->nodes++;
        shown_add_host(job, seat[i]->host);
    }
    job->cores = shown_cores(profile, job->nodes, places);
    job->machine = (job->machine & ~(uint64_t)UINT32_MAX) | shown_machine(profile);
    free(seat);
    return 0;
}

/* ---- what it sent ---- */

uint64_t shown_pattern(const struct reseat_profile *profile)
{
    uint64_t hash = reseat_hash_add(reseat_hash_empty, &profile->ranks, sizeof profile->ranks);
    for (size_t d = 0; d < profile->domains_count; d++) {
        const struct reseat_domain *domain = &profile->domains[d];
        hash = reseat_hash_add(hash, domain->function, strlen(domain->function));
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            for (size_t i = 0; i < domain->count[kind]; i++) {
                const struct reseat_entry *e = &domain->entries[kind][i];
                const uint64_t row[] = {(uint64_t)e->source, (uint64_t)e->target, e->msgs, e->bytes,
                                        (uint64_t)e->phase,  (uint64_t)kind};
                hash = reseat_hash_add(hash, row, sizeof row);
            }
    }
    return hash ? hash : 1;
}

double shown_between(const struct reseat_profile *profile)
{
    struct reseat_entry *list = NULL;
    struct reseat_error ignored;
    size_t count = 0;
    double bytes = 0;
    if (!profile->seats || profile->seats_count < profile->ranks ||
        reseat_profile_pairs(profile, 0, 1, &list, &count, &ignored))
        return NAN;
    for (size_t i = 0; i < count; i++)
        if (strcmp(profile->seats[list[i].source].host, profile->seats[list[i].target].host) != 0)
            bytes += (double)list[i].bytes;
    free(list);
    return bytes;
}

/* ---- orders ---- */

static void shown_unheard(void *context, const char *line)
{
    (void)context;
    (void)line;
}

/* As the ranks obey the environment; RESEAT_TOPOLOGY is a tree as text, or a file. */
static void shown_request(struct report_request *request, const struct reseat_profile *seats_of)
{
    *request = (struct report_request){.seats_of = seats_of};
    reseat_settings_read(&request->settings, environ, shown_unheard, NULL);
    const char *topology = request->settings.topology;
    if (topology[0] && access(topology, F_OK) == 0)
        request->topology = topology;
    else if (topology[0])
        request->tree = topology;
}

double shown_prediction(const struct reseat_profile *profile)
{
    struct report report = {.profile = NULL};
    struct report_request request;
    struct reseat_error ignored;
    double share = NAN;
    shown_request(&request, profile);
    if (profile->seats && report_open(&report, profile, &request, &ignored) == 0)
        share = report_run_finds(&report) ? report.worth.gain : 0;
    report_close(&report);
    return share;
}

/* The share of the bytes that goes elsewhere, whatever the amount, and by what factor the amount
 * changes. 0, or -1: out of memory. */
static int shown_compare_bytes(const struct reseat_profile *const profile[2], double *apart,
                               double *factor)
{
    struct reseat_entry *list[2] = {NULL, NULL};
    struct reseat_error ignored;
    size_t count[2] = {0, 0}, at[2] = {0, 0};
    double total[2] = {0, 0};
    int rc = 0;
    for (int i = 0; !rc && i < 2; i++)
        rc = reseat_profile_pairs(profile[i], 0, 1, &list[i], &count[i], &ignored);
    for (int i = 0; !rc && i < 2; i++)
        for (size_t k = 0; k < count[i]; k++)
            total[i] += (double)list[i][k].bytes;
    *apart = 0;
    *factor = total[0] > 0 ? total[1] / total[0] : total[1] > 0 ? INFINITY : 1;
    while (!rc && (at[0] < count[0] || at[1] < count[1])) {
        int order = at[0] == count[0]   ? 1
                    : at[1] == count[1] ? -1
                                        : reseat_entry_compare(&list[0][at[0]], &list[1][at[1]]);
        double share[2] = {0, 0};
        for (int i = 0; i < 2; i++)
            if (i ? order >= 0 : order <= 0)
                share[i] = (double)list[i][at[i]++].bytes / (total[i] > 0 ? total[i] : 1);
        *apart += fabs(share[0] - share[1]) / 2;
    }
    free(list[0]);
    free(list[1]);
    return rc;
}

/* Returns 1 if the order for the first is no longer good for the second. */
static int shown_order_fades(const struct reseat_profile *const profile[2])
{
    struct report report[2] = {{.profile = NULL}, {.profile = NULL}};
    struct report_change change = {.path = {"", ""}};
    struct report_request request;
    struct reseat_error ignored;
    int fades = 0;
    shown_request(&request, profile[0]);
    if (report_open(&report[0], profile[0], &request, &ignored) == 0 &&
        report_open(&report[1], profile[1], &request, &ignored) == 0 &&
        change_find(&change, &report[0], &report[1], &ignored) == 0)
        fades = change.verdict == CHANGE_FADES || change.verdict == CHANGE_LOSES ||
                change.verdict == CHANGE_ENDS;
    report_close(&report[0]);
    report_close(&report[1]);
    return fades;
}

int shown_drifts(const struct reseat_profile *known, const struct reseat_profile *profile,
                 int by_amount)
{
    const struct reseat_profile *const both[2] = {known, profile};
    double apart, factor;
    if (known->ranks != profile->ranks)
        return 1;
    if (shown_compare_bytes(both, &apart, &factor))
        return 0;
    if (by_amount && (factor > SHOWN_AMOUNT || factor * SHOWN_AMOUNT < 1))
        return 1;
    return apart > SHOWN_SAME && known->seats && shown_order_fades(both);
}
