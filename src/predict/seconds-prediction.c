/* SPDX-License-Identifier: BSD-3-Clause */
/* seconds-prediction.c - see seconds-prediction.h. */
#include "predict/seconds-prediction.h"

#include <stdlib.h>

static int seconds_set_weights(const struct seconds_pricing *pricing, struct prediction *p,
                               const char *outermost, struct reseat_error *error)
{
    const struct timings_level *level = reseat_timings_level(pricing->timings, outermost);
    struct tmap_entry *weights = malloc((pricing->count + 1) * sizeof *weights);
    if (!weights)
        return reseat_fail(error, "out of memory for the weights");
    for (size_t i = 0; i < pricing->count; i++)
        weights[i] = (struct tmap_entry){pricing->entries[i].source, pricing->entries[i].target,
                                         seconds_weight(level, &pricing->entries[i])};
    int rc =
        prediction_set_entries(p, tmap_matrix_roles(p->matrix), weights, pricing->count, error);
    free(weights);
    return rc;
}

int seconds_pricing_open(struct seconds_pricing *pricing, const struct reseat_timings *timings,
                         const struct reseat_profile *profile, struct reseat_error *error)
{
    pricing->timings = timings;
    return reseat_profile_phases(profile, 0, 1, &pricing->entries, &pricing->count, error);
}

int seconds_pricing_set(struct seconds_pricing *pricing, struct prediction *p,
                        enum reseat_metric metric, struct reseat_error *error)
{
    char outermost[TMAP_NAME_SIZE];
    reseat_timings_kind(p->tree, 0, outermost);
    seconds_costs_find(&pricing->costs, pricing->timings, pricing->entries, pricing->count,
                       outermost);
    p->costs = &pricing->costs;
    p->pricing = pricing;
    if (seconds_costs_set(&pricing->costs, &p->tree, error))
        return -1;
    return metric == RESEAT_METRIC_TIME ? seconds_set_weights(pricing, p, outermost, error) : 0;
}

void seconds_pricing_close(struct seconds_pricing *pricing)
{
    free(pricing->entries);
    pricing->entries = NULL;
}

int seconds_pricing_compare(const struct seconds_pricing *pricing, const struct prediction *p,
                            struct seconds seconds[2], struct reseat_error *error)
{
    struct seconds_model model = {.timings = pricing->timings,
                                  .tree = p->tree,
                                  .roles = tmap_matrix_roles(p->matrix),
                                  .entries = pricing->entries,
                                  .count = pricing->count};
    if (seconds_open(&model, error))
        return -1;
    seconds[0] = (struct seconds){.busiest_card = -1};
    int rc = p->launch ? seconds_find(&seconds[0], &model, p->launch, error) : 0;
    if (rc == 0)
        rc = seconds_find(&seconds[1], &model, p->best, error);
    seconds_close(&model);
    return rc;
}
