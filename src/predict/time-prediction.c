/* SPDX-License-Identifier: BSD-3-Clause */
/* time-prediction.c - see time-prediction.h. */
#include "predict/time-prediction.h"

#include <stdlib.h>

int time_pricing_matrix(struct tmap_matrix **matrix, const struct time_pricing *pricing,
                        const struct prediction *p, enum reseat_metric metric,
                        struct reseat_error *error)
{
    char outermost[TMAP_NAME_SIZE];
    reseat_timings_kind(p->tree, 0, outermost);
    const struct timings_level *level = reseat_timings_level(pricing->timings, outermost);
    struct tmap_entry *weights = malloc((pricing->count + 1) * sizeof *weights);
    struct tmap_error why = {"out of memory for the weights"};
    enum tmap_status status = weights ? TMAP_OK : TMAP_ENOMEM;
    for (size_t i = 0; weights && i < pricing->count; i++) {
        const struct reseat_entry *e = &pricing->entries[i];
        weights[i] = (struct tmap_entry){
            e->source, e->target,
            metric == RESEAT_METRIC_TIME ? time_weight(level, e) : reseat_entry_weight(e, metric)};
    }
    if (weights)
        status = tmap_matrix_create_directed(matrix, tmap_matrix_roles(p->matrix), weights,
                                             pricing->count, &why);
    free(weights);
    return status ? reseat_fail(error, "%s", why.text) : 0;
}

int time_pricing_open(struct time_pricing *pricing, const struct reseat_timings *timings,
                      const struct reseat_profile *profile, struct reseat_error *error)
{
    pricing->timings = timings;
    return reseat_profile_phases(profile, 0, 1, &pricing->entries, &pricing->count, error);
}

int time_pricing_set(struct time_pricing *pricing, struct prediction *p, enum reseat_metric metric,
                     struct reseat_error *error)
{
    char outermost[TMAP_NAME_SIZE];
    reseat_timings_kind(p->tree, 0, outermost);
    time_costs_find(&pricing->costs, pricing->timings, pricing->entries, pricing->count, outermost);
    pricing->metric = metric;
    p->costs = &pricing->costs;
    p->pricing = pricing;
    if (prediction_price(p, error))
        return -1;
    if (metric != RESEAT_METRIC_TIME)
        return 0;
    struct tmap_matrix *matrix;
    if (time_pricing_matrix(&matrix, pricing, p, metric, error))
        return -1;
    tmap_matrix_destroy(p->matrix);
    p->matrix = matrix;
    return 0;
}

void time_pricing_close(struct time_pricing *pricing)
{
    free(pricing->entries);
    pricing->entries = NULL;
}

int time_pricing_compare(const struct time_pricing *pricing, const struct prediction *p,
                         struct time_estimate seconds[2], struct reseat_error *error)
{
    struct time_model model = {.timings = pricing->timings,
                               .tree = p->tree,
                               .roles = tmap_matrix_roles(p->matrix),
                               .entries = pricing->entries,
                               .count = pricing->count};
    if (time_model_open(&model, error))
        return -1;
    seconds[0] = (struct time_estimate){.busiest = -1};
    int rc = p->launch ? time_model_estimate(&seconds[0], &model, p->launch, error) : 0;
    if (rc == 0)
        rc = time_model_estimate(&seconds[1], &model, p->best, error);
    time_model_close(&model);
    return rc;
}
