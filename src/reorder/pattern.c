/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern.c - see pattern.h. */
#include "reorder/pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/lines.h"
#include "format/printable.h"
#include "format/profile-time.h"

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

static int pattern_read_whole(struct reseat_profile **profile,
                              const struct reseat_settings *settings, struct reseat_error *error)
{
    if (lines_check_file(settings->file, error) ||
        reseat_profile_read(profile, settings->file, error))
        return -1;
    if (settings->phase >= 0)
        reseat_profile_keep_phase(*profile, settings->phase);
    reseat_profile_keep_kind(*profile, settings->kind);
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

/* Read the entries of the domain. 0, or -1 with the reason. */
static int pattern_take_entries(struct pattern *pattern, const struct reseat_settings *settings,
                                const struct lineage *lineage, const struct reseat_profile *profile,
                                struct reseat_error *error)
{
    int domain = pattern_find_domain(profile, lineage, error);
    pattern->most_gain = reseat_profile_most_gain(profile);
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
        fprintf(stderr, "reseat: %s; using the graph of the call instead\n", error.text);
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
    reseat_profile_destroy(profile);
    return rc;
}

void pattern_open_world(struct pattern *pattern, const struct reseat_settings *settings,
                        MPI_Comm plain, struct trouble *trouble)
{
    int rank, ranks;
    struct reseat_error error;
    *pattern = (struct pattern){.source = RESEAT_PATTERN_PROFILE, .most_gain = -1};
    PMPI_Comm_rank(plain, &rank);
    PMPI_Comm_size(plain, &ranks);
    if (rank == 0 && pattern_choose_world(pattern, settings, ranks, &error))
        trouble_note(trouble, "%s", error.text);
}

/* ---- from the call ---- */

/* The outgoing edges of this rank: each edge of the graph is known at both ends, so the outgoing
 * edges of all ranks are all edges. A weight below 1 counts as no edge. */
static void pattern_take_edges(struct pattern *pattern, const struct neighbor_lists *lists,
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

void pattern_open(struct pattern *pattern, const struct reseat_settings *settings,
                  const struct lineage *lineage, const struct neighbor_lists *lists, MPI_Comm plain,
                  struct trouble *trouble)
{
    int rank, source = RESEAT_PATTERN_GRAPH;
    *pattern = (struct pattern){.source = RESEAT_PATTERN_GRAPH, .most_gain = -1};
    PMPI_Comm_rank(plain, &rank);
    if (rank == 0)
        source = pattern_choose(pattern, settings, lineage, trouble);
    trouble_mpi(trouble, PMPI_Bcast(&source, 1, MPI_INT, 0, plain), "MPI_Bcast");
    pattern->source = (enum reseat_pattern)source;
    if (source == RESEAT_PATTERN_GRAPH)
        pattern_take_edges(pattern, lists, rank, trouble);
}

/* ---- to the leaders ---- */

/* MPI_DATATYPE_NULL: out of memory. */
static MPI_Datatype pattern_make_type(void)
{
    MPI_Datatype type;
    if (PMPI_Type_contiguous(sizeof(struct tmap_entry), MPI_BYTE, &type) != MPI_SUCCESS)
        return MPI_DATATYPE_NULL;
    if (PMPI_Type_commit(&type) != MPI_SUCCESS)
        PMPI_Type_free(&type);
    return type;
}

static void pattern_free_type(MPI_Datatype *type)
{
    if (*type != MPI_DATATYPE_NULL)
        PMPI_Type_free(type);
}

static void pattern_broadcast(struct pattern *pattern, MPI_Comm leaders, struct trouble *trouble)
{
    unsigned long long count = pattern->count;
    MPI_Datatype type = pattern_make_type();
    trouble_mpi(trouble, PMPI_Bcast(&count, 1, MPI_UNSIGNED_LONG_LONG, 0, leaders), "MPI_Bcast");
    int short_of_memory = 0, any = 0;
    if (!pattern->entries)
        pattern->entries = malloc(sizeof *pattern->entries * (size_t)(count + 1));
    if (!pattern->entries || count > INT32_MAX || type == MPI_DATATYPE_NULL) {
        trouble_note(trouble, "out of memory for the profile");
        short_of_memory = 1;
    }
    PMPI_Allreduce(&short_of_memory, &any, 1, MPI_INT, MPI_MAX, leaders);
    if (!any) {
        trouble_mpi(trouble, PMPI_Bcast(pattern->entries, (int)count, type, 0, leaders),
                    "MPI_Bcast");
        pattern->count = (size_t)count;
    }
    pattern_free_type(&type);
}

/* At the root: where each member's part starts. Returns the total, or -1. */
static int64_t pattern_lay_out(const int *counts, int *starts, int size)
{
    int64_t total = 0;
    for (int i = 0; i < size; i++) {
        starts[i] = (int)total;
        total += counts[i];
    }
    return total > INT32_MAX ? -1 : total;
}

static void pattern_collect(struct pattern *pattern, MPI_Comm group, struct trouble *trouble)
{
    int rank, size, mine = (int)pattern->count;
    PMPI_Comm_rank(group, &rank);
    PMPI_Comm_size(group, &size);
    int *counts = calloc((size_t)size, sizeof *counts);
    int *starts = calloc((size_t)size, sizeof *starts);
    struct tmap_entry *all = NULL;
    MPI_Datatype type = pattern_make_type();
    int64_t total = 0;
    int go = counts && starts && type != MPI_DATATYPE_NULL;
    PMPI_Allreduce(MPI_IN_PLACE, &go, 1, MPI_INT, MPI_MIN, group);
    if (go) {
        PMPI_Gather(&mine, 1, MPI_INT, counts, 1, MPI_INT, 0, group);
        total = rank == 0 ? pattern_lay_out(counts, starts, size) : 0;
        all = total >= 0 ? malloc(sizeof *all * (size_t)(total + 1)) : NULL;
        go = all != NULL;
        PMPI_Bcast(&go, 1, MPI_INT, 0, group);
    }
    if (go) {
        trouble_mpi(trouble,
                    PMPI_Gatherv(pattern->entries, mine, type, all, counts, starts, type, 0, group),
                    "MPI_Gatherv");
    } else {
        trouble_note(trouble, "out of memory for the graph");
        total = 0;
    }
    pattern_free_type(&type);
    free(counts);
    free(starts);
    free(pattern->entries);
    pattern->entries = all;
    pattern->count = (size_t)total;
}

void pattern_gather(struct pattern *pattern, MPI_Comm group, MPI_Comm leaders,
                    struct trouble *trouble)
{
    if (pattern->source == RESEAT_PATTERN_GRAPH)
        pattern_collect(pattern, group, trouble);
    else if (leaders != MPI_COMM_NULL)
        pattern_broadcast(pattern, leaders, trouble);
}

void pattern_share(struct pattern *pattern, MPI_Comm leaders, struct trouble *trouble)
{
    int rank = 0;
    if (leaders == MPI_COMM_NULL)
        return;
    PMPI_Comm_rank(leaders, &rank);
    if (rank != 0)
        pattern_close(pattern);
    pattern_broadcast(pattern, leaders, trouble);
}

void pattern_close(struct pattern *pattern)
{
    free(pattern->entries);
    free(pattern->messages);
    free(pattern->traffic);
    pattern->entries = pattern->messages = NULL;
    pattern->traffic = NULL;
    pattern->count = pattern->messages_count = pattern->traffic_count = 0;
}
