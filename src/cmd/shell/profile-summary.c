/* SPDX-License-Identifier: BSD-3-Clause */
/* profile-summary.c - see profile-summary.h. */
#include "cmd/shell/profile-summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascending.h"
#include "cmd/shell/amount.h"
#include "text/printable.h"
#include "profile/message-sizes.h"
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

/* ---- the time in MPI ---- */

static const char *profile_summary_percent(double share, char text[16])
{
    snprintf(text, 16, share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
    return text;
}

void profile_summary_write_bound(FILE *file, const void *context)
{
    const struct reseat_profile *profile = context;
    struct reseat_time_in_mpi time;
    char all[32], limit[32], share[16];
    reseat_profile_time_in_mpi(&time, profile, -1);
    if (time.mean_all > 0)
        fprintf(file,
                "Ranks spend %s of %s in MPI, in the order that was recorded: from there no order "
                "can gain more than %s.\n",
                profile_summary_percent(time.mean / time.all, share), amount_seconds(time.all, all),
                amount_seconds(time.most_gain, limit));
}

static void profile_summary_write_phase_time(FILE *file, const struct reseat_profile *profile,
                                             int32_t phase)
{
    struct reseat_time_in_mpi time;
    char all[32], busiest[32], limit[32], share[16];
    reseat_profile_time_in_mpi(&time, profile, phase);
    if (time.mean_all > 0)
        fprintf(file,
                "  phase %d: %s of %s, the busiest rank %s: no order can gain more than %s.\n",
                (int)phase, profile_summary_percent(time.mean / time.all, share),
                amount_seconds(time.all, all), amount_seconds(time.busiest, busiest),
                amount_seconds(time.most_gain, limit));
}

const char *profile_summary_call_name(const struct reseat_call_time *calls,
                                      char text[PROFILE_SUMMARY_CALL])
{
    static const char *const names[][2] = {{"p2p", "point to point"},
                                           {"wait", "waiting and testing"},
                                           {"osc", "one-sided"},
                                           {"file", "files"},
                                           {"other", "making communicators and the like"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(calls->kind, names[i][0]) == 0) {
            snprintf(text, PROFILE_SUMMARY_CALL, "%s", names[i][1]);
            return text;
        }
    snprintf(text, PROFILE_SUMMARY_CALL, "MPI_%s", calls->kind);
    if (text[4] >= 'a' && text[4] <= 'z')
        text[4] = (char)(text[4] - 'a' + 'A');
    return text;
}

/* For qsort: those with most time first. */
static int profile_summary_by_time(const void *a, const void *b)
{
    const struct reseat_call_time *x = a, *y = b;
    if (x->mean != y->mean)
        return x->mean > y->mean ? -1 : 1;
    return strcmp(x->kind, y->kind);
}

/* Up to five kinds of calls in which the mean rank was longest, with half a percent each. */
static void profile_summary_write_calls(FILE *file, const struct reseat_profile *profile)
{
    struct reseat_call_time calls[RESEAT_CALL_KINDS];
    size_t count = profile->calls_count;
    char name[PROFILE_SUMMARY_CALL], share[16];
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)profile->calls[i].mean;
    if (sum <= 0)
        return;
    memcpy(calls, profile->calls, count * sizeof calls[0]);
    qsort(calls, count, sizeof calls[0], profile_summary_by_time);
    for (size_t i = 0; i < count && i < 5 && (double)calls[i].mean >= 0.005 * sum; i++)
        fprintf(file, "%s %s %s", i ? "," : " Of that,",
                profile_summary_percent((double)calls[i].mean / sum, share),
                profile_summary_call_name(&calls[i], name));
    putc('.', file);
}

/* The mean rank, the busiest one, and their calls. */
static void profile_summary_write_ranks(FILE *file, const struct reseat_profile *profile)
{
    struct reseat_time_in_mpi time;
    char mean[32], busiest[32], error[32];
    reseat_profile_time_in_mpi(&time, profile, -1);
    if (time.mean_all <= 0)
        return;
    fprintf(file, "In MPI: a rank %s in the mean, the busiest %s", amount_seconds(time.mean, mean),
            amount_seconds(time.busiest, busiest));
    if (profile->is_sampled && profile->sampling_error)
        fprintf(file, " (from a sample of the calls, with a standard error of %s)",
                amount_seconds(1e-6 * (double)profile->sampling_error, error));
    putc('.', file);
    profile_summary_write_calls(file, profile);
    putc('\n', file);
}

/* The hosts of all ranks, sorted. Allocated; NULL: out of memory. */
static const char **profile_summary_hosts(const struct reseat_profile *profile)
{
    size_t ranks = profile->seats ? (size_t)profile->ranks : 0;
    const char **name = malloc((ranks + 1) * sizeof *name);
    for (size_t r = 0; name && r < ranks; r++)
        name[r] = profile->seats[r].host;
    if (name)
        qsort(name, ranks, sizeof *name, ascending_text);
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

void profile_summary_write_time(FILE *file, const void *context)
{
    const struct reseat_profile *profile = context;
    int crowd = profile->times_count ? profile_summary_crowd(profile) : 0;
    uint64_t phases = 0;
    profile_summary_write_ranks(file, profile);
    if (crowd)
        fprintf(
            file,
            "These figures are loose: %d ranks of a host shared its processors (%s), and time in "
            "MPI is mostly waiting for one.\n",
            crowd, reseat_profile_header(profile, "processors"));
    for (size_t i = 0; i < profile->times_count; i++)
        phases |= UINT64_C(1) << profile->times[i].phase;
    if (reseat_profile_has_found_phases(profile) && phases & (phases - 1))
        fputs("The pattern changes while the job runs; these phases were found:\n", file);
    for (int32_t phase = 0; phases > 1 && phase < RESEAT_PHASES; phase++)
        if (phases & UINT64_C(1) << phase)
            profile_summary_write_phase_time(file, profile, phase);
}

/* The class up to which half of the messages are, or (`is_bytes') from which on half of the bytes
 * are; -1: there are none. */
static int profile_summary_half(const struct message_sizes *sizes, int is_bytes)
{
    double of[MESSAGE_SIZES] = {0}, all = 0, sum = 0;
    for (int size = 0; size < MESSAGE_SIZES; size++)
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            of[size] += is_bytes ? sizes->of[kind][size].bytes : sizes->of[kind][size].msgs;
    for (int size = 0; size < MESSAGE_SIZES; size++)
        all += of[size];
    for (int i = 0; all > 0 && i < MESSAGE_SIZES; i++) {
        int size = is_bytes ? MESSAGE_SIZES - 1 - i : i;
        sum += of[size];
        if (2 * sum >= all)
            return size;
    }
    return -1;
}

void profile_summary_write_sizes(FILE *file, const void *context)
{
    const struct reseat_profile *profile = context;
    struct message_sizes sizes;
    char most[32], least[32];
    message_sizes_find(&sizes, profile);
    int messages = profile_summary_half(&sizes, 0), bytes = profile_summary_half(&sizes, 1);
    if (messages < 0)
        return;
    fprintf(file, "Sizes: half of the messages have at most %s",
            amount((double)message_size_most(messages), "B", most));
    if (bytes > 0)
        fprintf(file, ", and half of the bytes are in messages of at least %s",
                amount((double)message_size_least(bytes), "B", least));
    fputs(".\n", file);
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

void profile_summary_warn_of_variables(FILE *file, const void *context)
{
    const struct reseat_profile *profile = context;
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
