/* SPDX-License-Identifier: BSD-3-Clause */
/* job-seconds.c - see job-seconds.h. */
#include "reorder/job-seconds.h"

#include <stdlib.h>

#include "profile/gain.h"
#include "text/lines.h"
#include "time-model/time-model.h"
#include "profile/seats-match.h"

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
        entries[i] = (struct tmap_entry){e->source, e->target, time_weight(level, e)};
    }
    free(pattern->entries);
    pattern->entries = entries;
    pattern->count = pattern->traffic_count;
    return 0;
}

/* At rank 0. 0, also if they lack something; or -1 with *error. */
static int job_seconds_read(struct job_seconds *job, const struct reseat_settings *settings,
                            struct pattern *pattern, const struct seats *seats,
                            struct reseat_error *error)
{
    int nodes = seats->nodes;
    if (lines_check_file(settings->timings, error) ||
        reseat_timings_read(&job->timings, settings->timings, error))
        return -1;
    job->lack = reseat_timings_lack(job->timings, nodes, seats->rank_tree.last);
    if (job->lack)
        return 0;
    const char *outermost = nodes > 1 ? "machine" : "node";
    time_costs_find(&job->costs, job->timings, pattern->traffic, pattern->traffic_count, outermost);
    return settings->metric == RESEAT_METRIC_TIME
               ? job_seconds_set_weights(job, pattern, outermost, error)
               : 0;
}

/* Returns 1 if no order gains enough if the processes are where they were watched. */
static int job_seconds_may_be_few(const struct reseat_settings *settings,
                                  const struct pattern *pattern)
{
    const struct reseat_worth worth = {
        .gain = 1, .job = pattern->job, .is_watched = 1, .min_gain = settings->min_gain};
    return pattern->seats && !reseat_worth_suffices(&worth);
}

void job_seconds_open(struct job_seconds *job, const struct reseat_settings *settings,
                      struct pattern *pattern, const struct seats *seats, struct trouble *trouble)
{
    struct reseat_error error;
    job->asks = job_seconds_may_be_few(settings, pattern);
    if (!pattern->traffic)
        return;
    int rc = job_seconds_read(job, settings, pattern, seats, &error);
    job->known = rc == 0 && !job->lack;
    job->asks |= job->known;
    if (rc)
        trouble_note(trouble, "%s", error.text);
}

void job_seconds_close(struct job_seconds *job)
{
    reseat_timings_destroy(job->timings);
    job->timings = NULL;
}

/* At rank 0, with the slot of each process, the seconds of both orders. `slot_of` has room for two
 * orders. 0, or -1 with *error. */
static int job_seconds_judge(struct job_seconds *job, const struct time_model *model,
                             int32_t *slot_of, const int *roles, struct reseat_error *error)
{
    struct time_estimate found[2];
    int32_t *best = slot_of + model->roles;
    for (int32_t p = 0; p < model->roles; p++)
        best[p] = -1;
    for (int32_t p = 0; p < model->roles; p++)
        if (roles[p] >= 0 && roles[p] < model->roles)
            best[roles[p]] = slot_of[p];
    if (!tmap_mapping_is_valid(model->tree, model->roles, best))
        return reseat_fail(error, "the order is not a permutation");
    if (time_model_estimate(&found[0], model, slot_of, error) ||
        time_model_estimate(&found[1], model, best, error))
        return -1;
    for (int i = 0; i < 2; i++) {
        job->seconds[i] = found[i].estimate;
        job->bytes[i] = found[i].between_nodes;
    }
    return 0;
}

/* At rank 0. 0, or -1 with *error. */
static int job_seconds_model(struct job_seconds *job, const struct pattern *pattern,
                             const struct seats *seats, const int *roles,
                             struct reseat_error *error)
{
    int size = seats->rank_tree.last;
    struct reseat_location *locations = malloc(sizeof *locations * (size_t)size);
    int32_t *slot_of = malloc(2 * sizeof *slot_of * (size_t)size);
    struct tmap_tree *tree = NULL;
    int rc = locations && slot_of ? 0 : reseat_fail(error, "out of memory");
    for (int p = 0; rc == 0 && p < size; p++)
        locations[p] = seats->all[p].location;
    job->is_watched = rc == 0 && size == pattern->seats_count &&
                      reseat_seats_match(locations, pattern->seats, size);
    if (rc == 0 && job->known)
        rc = reseat_location_tree(&tree, locations, size, &seats->network, slot_of, error);
    struct time_model model = {.timings = job->timings,
                               .tree = tree,
                               .roles = size,
                               .entries = pattern->traffic,
                               .count = pattern->traffic_count};
    if (rc == 0 && job->known)
        rc = time_model_open(&model, error);
    if (rc == 0 && job->known)
        rc = job_seconds_judge(job, &model, slot_of, roles, error);
    time_model_close(&model);
    tmap_tree_destroy(tree);
    free(locations);
    free(slot_of);
    return rc;
}

void job_seconds_compare(struct job_seconds *job, const struct pattern *pattern,
                         const struct seats *seats, const int *roles, struct trouble *trouble)
{
    struct reseat_error error;
    if (job->asks && job_seconds_model(job, pattern, seats, roles, &error))
        trouble_note(trouble, "seconds: %s", error.text);
}
