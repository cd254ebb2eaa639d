/* SPDX-License-Identifier: BSD-3-Clause */
/* decide.c - see decide.h. */
#include "reorder/decide.h"

#include <stdlib.h>
#include <string.h>

#include "predict/time-prediction.h"

static int decide_open(struct prediction *p, const struct decide_input *input,
                       struct reseat_error *error)
{
    p->costs = input->costs;
    p->by_pair = input->by_pair;
    p->keep_local = input->keep_local;
    return prediction_set_entries(p, input->processes, input->entries, input->entries_count,
                                  error) ||
                   prediction_set_locations(p, input->locations, input->network, error)
               ? -1
               : 0;
}

/* The loads of the links of each level with a network, in both orders. */
static int decide_loads(struct decision *decision, const struct prediction *p,
                        struct reseat_error *error)
{
    int rc = 0;
    for (int l = 0; l < decision->levels && rc == 0; l++) {
        if (tmap_tree_shape(p->tree, l, NULL) == TMAP_SHAPE_NONE)
            continue;
        rc = loads_find(p, p->matrix, l, &decision->level[l].loads, error);
        decision->level[l].has_loads = rc == 0;
    }
    return rc;
}

/* The cost of each level in both orders. */
static int decide_levels(struct decision *decision, const struct prediction *p,
                         struct reseat_error *error)
{
    double before[TMAP_MAX_LEVELS], after[TMAP_MAX_LEVELS];
    struct tmap_error why;
    if (tmap_mapping_evaluate_levels(p->matrix, p->tree, p->launch, before, &why) ||
        tmap_mapping_evaluate_levels(p->matrix, p->tree, p->best, after, &why))
        return reseat_fail(error, "%s", why.text);
    decision->levels = tmap_tree_depth(p->tree);
    for (int l = 0; l < decision->levels; l++) {
        memcpy(decision->level[l].name, tmap_tree_level(p->tree, l)->name, TMAP_NAME_SIZE);
        decision->level[l].before = before[l];
        decision->level[l].after = after[l];
        decision->level[l].has_loads = 0;
    }
    return 0;
}

/* Keep what is reported of a prediction. */
static int decide_sum_up(struct decision *decision, const struct decide_input *input,
                         const struct prediction *p, struct reseat_error *error)
{
    decision->before = p->before.cost;
    decision->after = p->after.cost;
    memcpy(decision->busiest, p->busiest, sizeof p->busiest);
    decision->method = p->method;
    decision->local = p->local.of_all;
    decision->candidates = p->candidates;
    memcpy(decision->candidate, p->candidate, sizeof p->candidate);
    return decide_levels(decision, p, error) ||
                   (input->with_loads && decide_loads(decision, p, error))
               ? -1
               : 0;
}

/* role_of[process_of[role]] = role. */
static int decide_hand_out(const struct prediction *p, int32_t processes, int32_t *role_of,
                           struct reseat_error *error)
{
    int32_t *process_of = malloc(sizeof *process_of * (size_t)processes);
    int rc =
        process_of ? prediction_order(p, process_of, error) : reseat_fail(error, "out of memory");
    if (rc == 0)
        tmap_permutation_invert(process_of, role_of, processes);
    free(process_of);
    return rc;
}

int decide(const struct decide_input *input, int32_t *role_of, struct decision *decision,
           struct reseat_error *error)
{
    const struct time_pricing pricing = {.timings = input->timings,
                                         .metric = input->metric,
                                         .entries = input->traffic,
                                         .count = input->traffic_count};
    struct prediction p = {.pricing = input->timings ? &pricing : NULL};
    const struct prediction_request request = {.role0 = input->keep_first ? ROLE0_STAYS
                                                                          : ROLE0_STAYS_IF_FREE,
                                               .objective = input->objective,
                                               .method = input->method};
    int rc = decide_open(&p, input, error) || prediction_find(&p, &request, error) ||
                     decide_hand_out(&p, input->processes, role_of, error)
                 ? -1
                 : 0;
    if (rc == 0)
        rc = decide_sum_up(decision, input, &p, error);
    prediction_close(&p);
    return rc;
}

int decide_compare(const struct decide_input *input, const int32_t *role_of,
                   struct decision *decision, struct reseat_error *error)
{
    struct prediction p = {.objective = input->objective};
    int32_t *process_of = malloc(sizeof *process_of * (size_t)input->processes);
    int rc = process_of ? decide_open(&p, input, error) : reseat_fail(error, "out of memory");
    if (rc == 0 && !tmap_permutation_is_valid(role_of, input->processes))
        rc = reseat_fail(error, "the order is not a permutation");
    if (rc == 0) {
        tmap_permutation_invert(role_of, process_of, input->processes);
        rc = prediction_judge(&p, process_of, error);
    }
    if (rc == 0)
        rc = decide_sum_up(decision, input, &p, error);
    free(process_of);
    prediction_close(&p);
    return rc;
}
