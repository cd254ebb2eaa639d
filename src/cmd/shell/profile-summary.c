/* SPDX-License-Identifier: BSD-3-Clause */
/* profile-summary.c - see profile-summary.h. */
#include "cmd/shell/profile-summary.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "text/printable.h"
#include "profile/profile-time.h"

void profile_summary_sum(struct profile_summary_amount *sum, const struct reseat_profile *profile,
                         int domain, int kind, int phase)
{
    size_t first = domain < 0 ? 0 : (size_t)domain;
    size_t end = domain < 0 ? profile->domains_count : first + 1;
    *sum = (struct profile_summary_amount){0, 0};
    for (size_t i = first; i < end; i++) {
        const struct reseat_domain *d = &profile->domains[i];
        for (size_t e = 0; e < d->count[kind]; e++) {
            int counts = phase < 0 || d->entries[kind][e].phase == phase;
            sum->bytes += counts ? (double)d->entries[kind][e].bytes : 0;
            sum->msgs += counts ? (double)d->entries[kind][e].msgs : 0;
        }
    }
}

int profile_summary_phases(const struct reseat_profile *profile, char has[RESEAT_PHASES])
{
    int any = 0;
    memset(has, 0, RESEAT_PHASES);
    for (size_t i = 0; i < profile->domains_count; i++)
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            for (size_t e = 0; e < profile->domains[i].count[kind]; e++) {
                int32_t phase = profile->domains[i].entries[kind][e].phase;
                has[phase] = 1;
                any |= phase > 0;
            }
    return any;
}

static void profile_summary_write_share(FILE *file, const struct reseat_profile *profile,
                                        int32_t phase)
{
    struct reseat_time_in_mpi time;
    char all[32], busiest[32], limit[32];
    reseat_profile_time_in_mpi(&time, profile, phase);
    if (time.mean_all <= 0)
        return;
    if (phase < 0)
        fprintf(file, "Ranks spent");
    else
        fprintf(file, "  phase %d:", (int)phase);
    fprintf(file,
            " %.1f %% of %s in MPI, the busiest rank %s: from the order that was watched, none can "
            "gain "
            "more than %s.\n",
            100 * time.mean / time.mean_all, amount_seconds(time.mean_all, all),
            amount_seconds(time.busiest, busiest), amount_seconds(time.most_gain, limit));
}

static int profile_summary_by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The hosts of all ranks, sorted. Allocated; NULL: out of memory. */
static const char **profile_summary_hosts(const struct reseat_profile *profile)
{
    size_t ranks = profile->seats ? (size_t)profile->ranks : 0;
    const char **name = malloc((ranks + 1) * sizeof *name);
    for (size_t r = 0; name && r < ranks; r++)
        name[r] = profile->seats[r].host;
    if (name)
        qsort(name, ranks, sizeof *name, profile_summary_by_name);
    return name;
}

int profile_summary_crowd(const struct reseat_profile *profile)
{
    const char *text = reseat_profile_header(profile, "processors");
    int most = 0, count = 0, processors = text ? atoi(text) : 0;
    const char **name = processors > 0 ? profile_summary_hosts(profile) : NULL;
    for (int32_t r = 0; name && profile->seats && r < profile->ranks; r++) {
        count = r > 0 && strcmp(name[r - 1], name[r]) == 0 ? count + 1 : 1;
        most = count > most ? count : most;
    }
    free(name);
    return most > processors ? most : 0;
}

void profile_summary_write_time(FILE *file, const struct reseat_profile *profile)
{
    int crowd = profile->times_count ? profile_summary_crowd(profile) : 0;
    uint64_t phases = 0;
    profile_summary_write_share(file, profile, -1);
    if (crowd)
        fprintf(
            file,
            "These figures are loose: %d ranks of a host shared its processors (%s), and time in "
            "MPI is mostly waiting for one.\n",
            crowd, reseat_profile_header(profile, "processors"));
    for (size_t i = 0; i < profile->times_count; i++)
        phases |= UINT64_C(1) << profile->times[i].phase;
    for (int32_t phase = 0; phases > 1 && phase < RESEAT_PHASES; phase++)
        if (phases & UINT64_C(1) << phase)
            profile_summary_write_share(file, profile, phase);
}

int profile_summary_count_hosts(const struct reseat_profile *profile, int *hosts, int *bound)
{
    int32_t ranks = profile->seats ? profile->ranks : 0;
    const char **name = profile_summary_hosts(profile);
    *hosts = *bound = 0;
    if (!name)
        return -1;
    for (int32_t r = 0; r < ranks; r++) {
        *bound += profile->seats[r].place.at[TMAP_PLACE_CORE] >= 0;
        *hosts += r == 0 || strcmp(name[r - 1], name[r]) != 0;
    }
    free(name);
    return 0;
}

void profile_summary_warn_of_variables(FILE *file, const struct reseat_profile *profile)
{
    for (size_t i = 0; i < profile->headers_count; i++)
        if (strcmp(profile->headers[i].key, "rank_variable") == 0) {
            fprintf(file, "The program asked for ");
            printable_print(file, profile->headers[i].value);
            fprintf(
                file,
                ", which stays what the launcher said: let the launcher make the better order "
                "(reseat run --placement launch, reseat map --emit), or say --scope world if it "
                "does not take that for its rank.\n");
        }
}
