/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern.c - see pattern.h. */
#include "reorder/pattern.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/lines.h"
#include "profile/origin.h"
#include "text/printable.h"
#include "profile/profile-time.h"

/* ---- from the profile ---- */

/* The index of the domain in the profile, or -1 with the reason. */
static int pattern_find_domain(const struct reseat_profile *profile, const struct lineage *lineage,
                               struct reseat_error *error)
{
    if (profile->ranks != lineage->world_size)
        return reseat_fail(error, "profile of %d ranks, this job has %d", (int)profile->ranks,
                           (int)lineage->world_size);
    int domain = 0;
    for (int i = 0; i < lineage->count && domain >= 0; i++)
        domain = reseat_profile_find_domain(profile, lineage->step[i].function, domain,
                                            lineage->step[i].size, lineage->step[i].first,
                                            lineage->step[i].ordinal);
    if (domain < 0)
        return reseat_fail(error, "the profile does not know this communicator (%s, %d ranks)",
                           lineage->step[lineage->count - 1].function,
                           (int)lineage->step[lineage->count - 1].size);
    return domain;
}

/* If it is of something else than what runs here: once, for all communicators. */
static void pattern_compare_origin(const struct reseat_profile *profile, const char *path)
{
    static atomic_flag is_told = ATOMIC_FLAG_INIT;
    char program[ORIGIN_SIZE], arguments[ORIGIN_SIZE], note[ORIGIN_NOTES][ORIGIN_NOTE_SIZE];
    struct origin now = {.program = origin_own_program(program),
                         .arguments = origin_own_arguments(arguments)};
#ifdef OPEN_MPI
    now.is_openmpi = 1;
#elif defined MPICH_VERSION
    now.is_mpich = 1;
#endif
    if (atomic_flag_test_and_set(&is_told))
        return;
    for (int i = 0, count = origin_compare(profile, path, &now, note); i < count; i++)
        printable_say("%s", note[i]);
}

static int pattern_read_whole(struct reseat_profile **profile,
                              const struct reseat_settings *settings, struct reseat_error *error)
{
    if (lines_check_file(settings->file, error) ||
        reseat_profile_read(profile, settings->file, error))
        return -1;
    if (settings->phase >= 0)
        reseat_profile_keep_phase(*profile, settings->phase);
    reseat_profile_keep_kind(*profile, settings->kind);
    if (settings->verbose >= 1)
        pattern_compare_origin(*profile, settings->file);
    return 0;
}

/* Nothing of what is asked for was recorded. Returns -1. */
static int pattern_refuse_empty(const struct reseat_settings *settings, struct reseat_error *error)
{
    char kind[32] = "", phase[32] = "";
    if (settings->kind >= 0)
        snprintf(kind, sizeof kind, " of the kind %s",
                 reseat_traffic_name((enum reseat_traffic)settings->kind));
    if (settings->phase >= 0)
        snprintf(phase, sizeof phase, " in phase %d", settings->phase);
    return reseat_fail(error, "%s: no traffic%s%s was recorded in this communicator",
                       settings->file, kind, phase);
}

/* Keep where the ranks were watched when the profile goes. */
static void pattern_take_seats(struct pattern *pattern, struct reseat_profile *profile)
{
    pattern->seats = profile->seats;
    pattern->seats_count = profile->seats ? profile->ranks : 0;
    profile->seats = NULL;
}

/* Read the entries of the domain. 0, or -1 with the reason. */
static int pattern_take_entries(struct pattern *pattern, const struct reseat_settings *settings,
                                const struct lineage *lineage, const struct reseat_profile *profile,
                                struct reseat_error *error)
{
    int domain = pattern_find_domain(profile, lineage, error);
    pattern->job = reseat_profile_job_time(profile);
    if (domain < 0 || reseat_profile_weights(profile, domain, 1, settings->metric,
                                             &pattern->entries, &pattern->count, error))
        return -1;
    if (settings->metric != RESEAT_METRIC_MSG &&
        reseat_profile_weights(profile, domain, 1, RESEAT_METRIC_MSG, &pattern->messages,
                               &pattern->messages_count, error))
        pattern->messages = NULL; /* the report will lack messages */
    if (settings->timings[0] && reseat_profile_phases(profile, domain, 1, &pattern->traffic,
                                                      &pattern->traffic_count, error))
        return -1;
    return pattern->count ? 0 : pattern_refuse_empty(settings, error);
}

static int pattern_read_profile(struct pattern *pattern, const struct reseat_settings *settings,
                                const struct lineage *lineage, struct reseat_error *error)
{
    struct reseat_profile *profile;
    if (pattern_read_whole(&profile, settings, error))
        return -1;
    int rc = pattern_take_entries(pattern, settings, lineage, profile, error);
    pattern_take_seats(pattern, profile);
    reseat_profile_destroy(profile);
    if (rc)
        pattern_close(pattern); /* the graph may take its place */
    return rc;
}

/* Rank 0: profile or graph. */
static enum reseat_pattern pattern_choose(struct pattern *pattern,
                                          const struct reseat_settings *settings,
                                          const struct lineage *lineage, struct trouble *trouble)
{
    struct reseat_error error;
    if (settings->pattern == RESEAT_PATTERN_GRAPH)
        return RESEAT_PATTERN_GRAPH;
    if (pattern_read_profile(pattern, settings, lineage, &error) == 0)
        return RESEAT_PATTERN_PROFILE;
    if (settings->pattern == RESEAT_PATTERN_PROFILE)
        trouble_note(trouble, "%s", error.text);
    else if (lineage_is_told(lineage) && (strcmp(settings->file, RESEAT_FILE_DEFAULT) != 0 ||
                                          access(settings->file, F_OK) == 0))
        printable_say("%s; using the graph of the call instead", error.text);
    return RESEAT_PATTERN_GRAPH;
}

/* ---- for the world ---- */

/* The default scope leaves such a program alone: a reordered world contradicts what the launcher
 * told it. */
static int pattern_refuse_rank_variable(const struct pattern *pattern, struct reseat_error *error)
{
    return reseat_fail(error,
                       "the program asked for %s, which keeps the launch order: `reseat run "
                       "--placement launch' serves it, and --scope world if that is not its rank",
                       pattern->rank_variable);
}

static int pattern_choose_world(struct pattern *pattern, const struct reseat_settings *settings,
                                int32_t ranks, struct reseat_error *error)
{
    struct lineage world = {.world_size = ranks};
    struct reseat_profile *profile;
    if (settings->pattern == RESEAT_PATTERN_GRAPH)
        return reseat_fail(error, "MPI_COMM_WORLD has no graph: RESEAT_PATTERN=graph needs "
                                  "RESEAT_SCOPE=graph");
    if (pattern_read_whole(&profile, settings, error))
        return -1;
    const char *asked = reseat_profile_header(profile, "rank_variable");
    printable_copy(pattern->rank_variable, sizeof pattern->rank_variable, asked ? asked : "");
    int rc = pattern_take_entries(pattern, settings, &world, profile, error);
    if (rc == 0 && asked && settings->scope == RESEAT_SCOPE_AUTO)
        rc = pattern_refuse_rank_variable(pattern, error);
    pattern_take_seats(pattern, profile);
    reseat_profile_destroy(profile);
    return rc;
}

void pattern_open_world(struct pattern *pattern, const struct reseat_settings *settings,
                        int32_t ranks, struct trouble *trouble)
{
    struct reseat_error error;
    *pattern = (struct pattern){.source = RESEAT_PATTERN_PROFILE};
    if (pattern_choose_world(pattern, settings, ranks, &error))
        trouble_note(trouble, "%s", error.text);
}

/* ---- from the call ---- */

/* The outgoing edges of this rank: each edge of the graph is known at both ends, so the outgoing
 * edges of all ranks are all edges. A weight below 1 counts as no edge. */
static void pattern_copy_edges(struct pattern *pattern, const struct neighbor_lists *lists,
                               int rank, struct trouble *trouble)
{
    pattern->entries = malloc(sizeof *pattern->entries * ((size_t)lists->out + 1));
    if (!pattern->entries) {
        trouble_note(trouble, "out of memory for the graph");
        return;
    }
    for (int i = 0; i < lists->out; i++) {
        int weight = lists->weighted ? lists->destination_weights[i] : 1;
        if (weight > 0 && lists->destinations[i] >= 0)
            pattern->entries[pattern->count++] =
                (struct tmap_entry){rank, lists->destinations[i], (uint64_t)weight};
    }
}

int pattern_open(struct pattern *pattern, const struct reseat_settings *settings,
                 const struct lineage *lineage, struct trouble *trouble)
{
    *pattern = (struct pattern){.source = RESEAT_PATTERN_GRAPH};
    return (int)pattern_choose(pattern, settings, lineage, trouble);
}

void pattern_use_source(struct pattern *pattern, int source, const struct neighbor_lists *lists,
                        int rank, struct trouble *trouble)
{
    pattern->source = (enum reseat_pattern)source;
    if (source == RESEAT_PATTERN_GRAPH)
        pattern_copy_edges(pattern, lists, rank, trouble);
}

/* ---- to rank 0, and to the leaders ---- */

/* At rank 0: the edges of all, from what they have given. */
static void pattern_join(struct pattern *pattern, const struct rank_tree_parts *parts,
                         struct trouble *trouble)
{
    size_t at = 0, size;
    const void *part;
    struct tmap_entry *all = malloc(parts->size + sizeof *all);
    free(pattern->entries);
    pattern->entries = all;
    pattern->count = 0;
    if (!all)
        trouble_note(trouble, "out of memory for the graph");
    while (all && (part = rank_tree_next(parts, &at, &size))) {
        memcpy(all + pattern->count, part, size);
        pattern->count += size / sizeof *all;
    }
}

void pattern_gather(struct pattern *pattern, struct rank_tree *rank_tree, struct trouble *trouble)
{
    struct rank_tree_parts parts;
    if (pattern->source != RESEAT_PATTERN_GRAPH)
        return;
    trouble_gather(trouble, rank_tree, pattern->entries, pattern->count * sizeof *pattern->entries,
                   &parts);
    if (rank_tree->first == 0)
        pattern_join(pattern, &parts, trouble);
    else
        pattern_close(pattern);
    free(parts.data);
}

void pattern_share(struct pattern *pattern, MPI_Comm leaders, struct trouble *trouble)
{
    struct rank_tree rank_tree;
    uint64_t count = pattern->count;
    if (leaders == MPI_COMM_NULL)
        return;
    rank_tree_open(&rank_tree, leaders);
    rank_tree_broadcast(&rank_tree, 0, &count, sizeof count,
                        &(struct rank_tree_wanted){&count, sizeof count});
    size_t size = (size_t)count * sizeof *pattern->entries;
    if (rank_tree.first > 0) {
        pattern_close(pattern);
        pattern->entries = malloc(size + sizeof *pattern->entries);
        pattern->count = pattern->entries ? (size_t)count : 0;
        if (!pattern->entries)
            trouble_note(trouble, "out of memory for the profile");
    }
    const struct rank_tree_wanted wanted = {rank_tree.first > 0 ? pattern->entries : NULL, size};
    rank_tree_broadcast(&rank_tree, 0, pattern->entries, size, &wanted);
}

void pattern_close(struct pattern *pattern)
{
    free(pattern->entries);
    free(pattern->messages);
    free(pattern->traffic);
    free(pattern->seats);
    pattern->seats = NULL;
    pattern->job = (struct reseat_job_time){.seconds = 0};
    pattern->entries = pattern->messages = NULL;
    pattern->traffic = NULL;
    pattern->count = pattern->messages_count = pattern->traffic_count = 0;
}
