/* SPDX-License-Identifier: BSD-3-Clause */
/* recorded.c - see recorded.h. */
#include "cmd/recorded.h"

#include <stdio.h>
#include <string.h>

#include "cmd/amount.h"
#include "format/printable.h"
#include "format/profile-time.h"

/* The amount of a kind in a phase (-1: all) of a domain (-1: all). */
static void recorded_print_amount(const struct reseat_profile *profile, int domain, int kind,
                                  int phase)
{
    char text[32];
    double bytes = 0, msgs = 0;
    for (size_t i = 0; i < profile->domains_count; i++) {
        const struct reseat_domain *d = &profile->domains[i];
        for (size_t e = 0; (domain < 0 || (size_t)domain == i) && e < d->count[kind]; e++) {
            int counts = phase < 0 || d->entries[kind][e].phase == phase;
            bytes += counts ? (double)d->entries[kind][e].bytes : 0;
            msgs += counts ? (double)d->entries[kind][e].msgs : 0;
        }
    }
    printf(" %10s in %-9.4g", amount(bytes, "B", text), msgs);
}

static void recorded_print_kinds(const char *what)
{
    printf("\n%-36s %6s %23s %23s %23s\n", what, "ranks", "point to point", "collectives",
           "one-sided");
}

void recorded_print_domains(const struct reseat_profile *profile)
{
    recorded_print_kinds("bytes in messages, by communicator");
    for (size_t i = 0; i < profile->domains_count && i < 20; i++) {
        const struct reseat_domain *d = &profile->domains[i];
        printf("%-36s %6d", d->function, (int)d->size);
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            recorded_print_amount(profile, (int)i, kind, -1);
        printf("\n");
    }
    if (profile->domains_count > 20)
        printf("... and %zu more\n", profile->domains_count - 20);
}

void recorded_print_phases(const struct reseat_profile *profile)
{
    char has[RESEAT_PHASES] = {0};
    int any = 0;
    for (size_t i = 0; i < profile->domains_count; i++)
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            for (size_t e = 0; e < profile->domains[i].count[kind]; e++) {
                int32_t phase = profile->domains[i].entries[kind][e].phase;
                has[phase] = 1;
                any |= phase > 0;
            }
    if (any)
        recorded_print_kinds("bytes in messages, by phase");
    for (int phase = 0; any && phase < RESEAT_PHASES; phase++) {
        if (!has[phase])
            continue;
        printf("%-36d %6d", phase, (int)profile->ranks);
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            recorded_print_amount(profile, -1, kind, phase);
        printf("\n");
    }
}

static void recorded_print_share(const struct reseat_profile *profile, int32_t phase)
{
    struct reseat_time_in_mpi time;
    char all[32], busiest[32], limit[32];
    reseat_profile_time_in_mpi(&time, profile, phase);
    if (time.mean_all <= 0)
        return;
    if (phase < 0)
        printf("Ranks spent");
    else
        printf("  phase %d:", (int)phase);
    printf(" %.1f %% of %s in MPI, the busiest rank %s: no order can gain more than %s.\n",
           100 * time.mean / time.mean_all, amount_seconds(time.mean_all, all),
           amount_seconds(time.busiest, busiest), amount_seconds(time.most_gain, limit));
}

void recorded_print_time(const struct reseat_profile *profile)
{
    uint64_t phases = 0;
    recorded_print_share(profile, -1);
    for (size_t i = 0; i < profile->times_count; i++)
        phases |= UINT64_C(1) << profile->times[i].phase;
    for (int32_t phase = 0; phases > 1 && phase < RESEAT_PHASES; phase++)
        if (phases & UINT64_C(1) << phase)
            recorded_print_share(profile, phase);
}

/* On how many hosts the ranks ran, and whether they were bound there. */
static void recorded_print_seats(const struct reseat_profile *profile)
{
    int hosts = 0, bound = 0;
    for (int32_t r = 0; profile->seats && r < profile->ranks; r++) {
        int32_t s = 0;
        while (s < r && strcmp(profile->seats[s].host, profile->seats[r].host) != 0)
            s++;
        hosts += s == r;
        bound += profile->seats[r].place.at[TMAP_PLACE_CORE] >= 0;
    }
    if (profile->seats)
        printf("watched on: %d host%s, %d of %d ranks bound to a core\n", hosts,
               hosts == 1 ? "" : "s", bound, (int)profile->ranks);
}

void recorded_print_headers(const struct reseat_profile *profile)
{
    char text[32];
    printf("\n");
    recorded_print_seats(profile);
    if (profile->microseconds)
        printf("the job ran for: %s, from MPI_Init to MPI_Finalize\n",
               amount_seconds(reseat_profile_seconds(profile), text));
    for (size_t i = 0; i < profile->headers_count; i++) {
        printf("%s: ", profile->headers[i].key);
        printable_print(stdout, profile->headers[i].value);
        printf("\n");
    }
    if (!reseat_profile_header(profile, "not_seen"))
        printf("not_seen: nothing was used that is not recorded\n");
}

void recorded_warn_of_variables(const struct reseat_profile *profile)
{
    for (size_t i = 0; i < profile->headers_count; i++)
        if (strcmp(profile->headers[i].key, "rank_variable") == 0) {
            printf("The program asked for ");
            printable_print(stdout, profile->headers[i].value);
            printf(", which stays what the launcher said: let the launcher make the better order "
                   "(reseat run --placement launch, reseat map --emit), or say --scope world if it "
                   "does not take that for its rank.\n");
        }
}
