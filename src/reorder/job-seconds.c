/* SPDX-License-Identifier: BSD-3-Clause */
/* job-seconds.c - see job-seconds.h. */
#include "reorder/job-seconds.h"

#include <stdlib.h>

#include "format/lines.h"
#include "predict/seconds.h"

/* At rank 0. 0, or -1 with *error. */
static int job_seconds_set_weights(const struct job_seconds *job, struct pattern *pattern,
                                   const char *outermost, struct reseat_error *error)
{
    const struct timings_level *level = reseat_timings_level(job->timings, outermost);
    struct tmap_entry *entries = malloc((pattern->traffic_count + 1) * sizeof *entries);
    if (!entries)
        return reseat_fail(error, "out of memory for the weights");
    for (size_t i = 0; i < pattern->traffic_count; i++) {
        const struct reseat_entry *e = &pattern->traffic[i];
        entries[i] = (struct tmap_entry){e->source, e->target, seconds_weight(level, e)};
    }
    free(pattern->entries);
    pattern->entries = entries;
    pattern->count = pattern->traffic_count;
    return 0;
}

/* At rank 0. 0, or -1 with *error. */
static int job_seconds_read(struct job_seconds *job, const struct reseat_settings *settings,
                            struct pattern *pattern, const struct seats *seats,
                            struct reseat_error *error)
{
    int nodes = 1;
    if (lines_check_file(settings->timings, error) ||
        reseat_timings_read(&job->timings, settings->timings, error))
        return -1;
    if (seats->leaders != MPI_COMM_NULL)
        PMPI_Comm_size(seats->leaders, &nodes);
    const char *outermost = nodes > 1 ? "machine" : "node";
    seconds_costs_find(&job->costs, job->timings, pattern->traffic, pattern->traffic_count,
                       outermost);
    return settings->metric == RESEAT_METRIC_TIME
               ? job_seconds_set_weights(job, pattern, outermost, error)
               : 0;
}

void job_seconds_open(struct job_seconds *job, const struct reseat_settings *settings,
                      struct pattern *pattern, const struct seats *seats, MPI_Comm plain,
                      struct trouble *trouble)
{
    struct reseat_error error;
    int rank;
    PMPI_Comm_rank(plain, &rank);
    *job = (struct job_seconds){.timings = NULL};
    if (rank == 0 && pattern->traffic) {
        job->known = job_seconds_read(job, settings, pattern, seats, &error) == 0;
        if (!job->known)
            trouble_note(trouble, "%s", error.text);
    }
    trouble_mpi(trouble, PMPI_Bcast(&job->known, 1, MPI_INT, 0, plain), "MPI_Bcast");
    if (job->known)
        trouble_mpi(trouble, PMPI_Bcast(&job->costs, sizeof job->costs, MPI_BYTE, 0, plain),
                    "MPI_Bcast");
}

void job_seconds_close(struct job_seconds *job)
{
    reseat_timings_destroy(job->timings);
    job->timings = NULL;
}

/* At rank 0, with the slot of each process, the seconds of both orders. `slot_of` has room for two
 * orders. 0, or -1 with *error. */
static int job_seconds_judge(struct job_seconds *job, const struct seconds_model *model,
                             int32_t *slot_of, const int *roles, struct reseat_error *error)
{
    struct seconds found[2];
    int32_t *best = slot_of + model->roles;
    for (int32_t p = 0; p < model->roles; p++)
        best[p] = -1;
    for (int32_t p = 0; p < model->roles; p++)
        if (roles[p] >= 0 && roles[p] < model->roles)
            best[roles[p]] = slot_of[p];
    if (!tmap_mapping_is_valid(model->tree, model->roles, best))
        return reseat_fail(error, "the order is not a permutation");
    if (seconds_find(&found[0], model, slot_of, error) ||
        seconds_find(&found[1], model, best, error))
        return -1;
    for (int i = 0; i < 2; i++) {
        job->seconds[i] = found[i].estimate;
        job->bytes[i] = found[i].between_nodes;
    }
    return 0;
}

/* At rank 0. 0, or -1 with *error. */
static int job_seconds_model(struct job_seconds *job, const struct pattern *pattern,
                             const struct seats *seats, const struct seat *seat, const int *roles,
                             int size, struct reseat_error *error)
{
    struct reseat_location *locations = malloc(sizeof *locations * (size_t)size);
    int32_t *slot_of = malloc(2 * sizeof *slot_of * (size_t)size);
    struct tmap_tree *tree = NULL;
    int rc = locations && slot_of ? 0 : reseat_fail(error, "out of memory");
    for (int p = 0; rc == 0 && p < size; p++)
        locations[p] = seat[p].location;
    if (rc == 0)
        rc = reseat_location_tree(&tree, locations, size, &seats->network, slot_of, error);
    struct seconds_model model = {.timings = job->timings,
                                  .tree = tree,
                                  .roles = size,
                                  .entries = pattern->traffic,
                                  .count = pattern->traffic_count};
    if (rc == 0)
        rc = seconds_open(&model, error);
    if (rc == 0)
        rc = job_seconds_judge(job, &model, slot_of, roles, error);
    seconds_close(&model);
    tmap_tree_destroy(tree);
    free(locations);
    free(slot_of);
    return rc;
}

void job_seconds_compare(struct job_seconds *job, const struct pattern *pattern,
                         const struct seats *seats, int role, MPI_Comm plain,
                         struct trouble *trouble)
{
    struct reseat_error error;
    int rank, size, go;
    if (!job->known)
        return;
    PMPI_Comm_rank(plain, &rank);
    PMPI_Comm_size(plain, &size);
    struct seat *seat = rank == 0 ? malloc(sizeof *seat * (size_t)size) : NULL;
    int *roles = rank == 0 ? malloc(sizeof *roles * (size_t)size) : NULL;
    go = rank != 0 || (seat && roles);
    trouble_mpi(trouble, PMPI_Bcast(&go, 1, MPI_INT, 0, plain), "MPI_Bcast");
    if (go) {
        PMPI_Gather(&seats->self, sizeof seats->self, MPI_BYTE, seat, sizeof seats->self, MPI_BYTE,
                    0, plain);
        PMPI_Gather(&role, 1, MPI_INT, roles, 1, MPI_INT, 0, plain);
    }
    if (rank == 0 && !go)
        trouble_note(trouble, "out of memory for the seats");
    else if (rank == 0 && job_seconds_model(job, pattern, seats, seat, roles, size, &error))
        trouble_note(trouble, "seconds: %s", error.text);
    free(seat);
    free(roles);
}
