/* SPDX-License-Identifier: BSD-3-Clause */
/* prediction-find.c - prediction_find (prediction.h): candidates, the best of which is improved. */
#include "predict/prediction.h"

#include <stdlib.h>
#include <string.h>

#include "predict/time-search.h"

static size_t prediction_slots_bytes(const struct prediction *p)
{
    return (size_t)tmap_matrix_roles(p->matrix) * sizeof(int32_t);
}

/* A search for the best order. */
struct prediction_search {
    struct prediction *p;
    const struct prediction_request *request;
    struct tmap_options options;
    prediction_map_fn *map;
    int32_t *tried;
    struct time_model model; /* without timings: there is none */
    double least;            /* seconds, or the cost, of the best candidate so far */
};

static int prediction_evaluate(const struct prediction *p, const int32_t *slot_of,
                               struct tmap_cost *cost, struct reseat_error *error)
{
    struct tmap_error why;
    return tmap_mapping_evaluate(p->matrix, p->tree, slot_of, cost, &why)
               ? reseat_fail(error, "%s", why.text)
               : 0;
}

/* Its cost, and that again or its seconds. */
static int prediction_weigh(const struct prediction_search *s, const int32_t *slot_of,
                            struct tmap_cost *cost, double *value, struct reseat_error *error)
{
    struct time_estimate seconds;
    if (prediction_evaluate(s->p, slot_of, cost, error))
        return -1;
    *value = cost->cost;
    if (!s->model.timings)
        return 0;
    int rc = time_model_estimate(&seconds, &s->model, slot_of, error);
    if (rc == 0)
        *value = seconds.estimate;
    return rc;
}

static void prediction_add_candidate(struct prediction *p, const char *name, double cost)
{
    p->candidate[p->candidates++] = (struct prediction_candidate){name, cost};
}

/* Put role 0 on the slot where it was launched: if possible without extra cost; otherwise only if
 * `has_to_be`, by swapping it with the role there. */
static int prediction_keep_role0(const struct prediction *p, int32_t *slot_of, int has_to_be,
                                 struct reseat_error *error)
{
    int kept;
    int32_t slot = p->launch[0], roles = tmap_matrix_roles(p->matrix), other = 0;
    struct tmap_error why;
    if (tmap_mapping_keep_role(p->matrix, p->tree, 0, slot, slot_of, &kept, &why))
        return reseat_fail(error, "%s", why.text);
    if (kept || !has_to_be)
        return 0;
    while (other < roles && slot_of[other] != slot)
        other++;
    if (other < roles)
        slot_of[other] = slot_of[0];
    slot_of[0] = slot;
    return 0;
}

/* Returns 1 if it is better than the best so far. Equal seconds of two machines may differ by
 * rounding. */
static int prediction_is_better(const struct prediction_search *s, double value)
{
    const double little = s->model.timings ? 1e-9 : 0;
    return !s->p->method || value < s->least * (1 - little);
}

/* Take s->tried if it is better. 0, or -1 with *error. */
static int prediction_consider(struct prediction_search *s, const char *name, const char *method,
                               struct reseat_error *error)
{
    struct prediction *p = s->p;
    struct tmap_cost cost;
    double value;
    if (prediction_weigh(s, s->tried, &cost, &value, error))
        return -1;
    prediction_add_candidate(p, name, cost.cost);
    if (!prediction_is_better(s, value))
        return 0;
    s->least = value;
    int32_t *loser = p->best;
    p->best = s->tried;
    s->tried = loser;
    p->after = cost;
    p->method = method;
    return 0;
}

static int prediction_begin(struct prediction_search *s, int is_candidate,
                            struct reseat_error *error)
{
    struct prediction *p = s->p;
    p->candidates = 0;
    p->method = NULL;
    p->before = (struct tmap_cost){0};
    if (!p->launch)
        return 0;
    if (prediction_weigh(s, p->launch, &p->before, &s->least, error))
        return -1;
    if (is_candidate) {
        memcpy(p->best, p->launch, prediction_slots_bytes(p));
        p->after = p->before;
        p->method = prediction_method_name(0);
        prediction_add_candidate(p, p->method, p->before.cost);
    }
    return 0;
}

static int prediction_try(struct prediction_search *s, const char *method,
                          struct reseat_error *error)
{
    struct prediction *p = s->p;
    struct tmap_error why;
    s->options.method = method;
    if (s->request->mapping)
        memcpy(s->tried, s->request->mapping, prediction_slots_bytes(p));
    else if (s->map(p->matrix, p->tree, &s->options, s->tried, &why))
        return reseat_fail(error, "%s", why.text);
    if (p->launch && s->request->role0 == ROLE0_STAYS &&
        prediction_keep_role0(p, s->tried, 1, error))
        return -1;
    local_ranks_keep(&p->local, s->tried, tmap_matrix_roles(p->matrix));
    return prediction_consider(s, method, method, error);
}

/* The tree with the costs that it had before it was priced; NULL with *error. */
static struct tmap_tree *prediction_untimed_tree(const struct prediction *p,
                                                 struct reseat_error *error)
{
    struct tmap_tree *tree = NULL;
    struct tmap_error why;
    if (tmap_tree_copy_with_costs(&tree, p->tree, p->untimed, tmap_tree_depth(p->tree), &why))
        reseat_fail(error, "%s", why.text);
    return tree;
}

/* Tries the order that would be found without timings, by a metric; if that is time, it has the
 * matrix as it is. The weights and costs that timings give are means, by which a cheaper order may
 * take longer. */
static int prediction_try_untimed(struct prediction_search *s, enum reseat_metric metric,
                                  const char *name, struct reseat_error *error)
{
    struct prediction *p = s->p, untimed = {.tree = prediction_untimed_tree(p, error)};
    int rc = untimed.tree ? 0 : -1;
    untimed.launch = p->launch;
    untimed.local = p->local;
    untimed.matrix = p->matrix;
    if (rc == 0 && metric != RESEAT_METRIC_TIME)
        rc = time_pricing_matrix(&untimed.matrix, p->pricing, p, metric, error);
    rc = rc || prediction_find(&untimed, s->request, error);
    if (rc == 0) {
        memcpy(s->tried, untimed.best, prediction_slots_bytes(p));
        rc = prediction_consider(s, name, untimed.method, error);
    }
    untimed.launch = NULL; /* borrowed */
    untimed.local = (struct local_ranks){.first = NULL};
    if (untimed.matrix == p->matrix)
        untimed.matrix = NULL;
    prediction_close(&untimed);
    return rc ? -1 : 0;
}

static int prediction_try_all_untimed(struct prediction_search *s, struct reseat_error *error)
{
    if (!s->model.timings || !s->p->is_priced || s->request->mapping || s->request->by_metric)
        return 0;
    if (s->p->pricing->metric != RESEAT_METRIC_TIME)
        return prediction_try_untimed(s, RESEAT_METRIC_TIME, "untimed", error);
    return prediction_try_untimed(s, RESEAT_METRIC_SIZE, "by bytes", error) ||
                   prediction_try_untimed(s, RESEAT_METRIC_MSG, "by messages", error)
               ? -1
               : 0;
}

/* Keep role 0 where it was launched if that costs nothing. */
static int prediction_end(struct prediction_search *s, struct reseat_error *error)
{
    struct prediction *p = s->p;
    struct tmap_cost cost;
    double value;
    if (!p->launch || p->method == prediction_method_name(0) || s->request->role0 == ROLE0_MOVES)
        return 0;
    memcpy(s->tried, p->best, prediction_slots_bytes(p));
    if (prediction_keep_role0(p, s->tried, 0, error))
        return -1;
    local_ranks_keep(&p->local, s->tried, tmap_matrix_roles(p->matrix));
    if (prediction_weigh(s, s->tried, &cost, &value, error))
        return -1;
    if ((s->model.timings || p->local.of_all.kept) && value > s->least * (1 + 1e-9))
        return 0;
    s->least = value;
    memcpy(p->best, s->tried, prediction_slots_bytes(p));
    p->after = cost;
    return 0;
}

/* Exchange roles so that the busiest link carries less, with role 0 where it is if it was to
 * stay. */
static int prediction_exchange(struct prediction_search *s, struct reseat_error *error)
{
    struct prediction *p = s->p;
    struct tmap_options options = s->options;
    struct tmap_error why = {"out of memory"};
    int32_t roles = tmap_matrix_roles(p->matrix), *pinned = prediction_new_slots(p);
    enum tmap_status status = pinned ? TMAP_OK : TMAP_ENOMEM;
    if (pinned) {
        memset(pinned, 0xff, prediction_slots_bytes(p));
        if (roles > 0 && p->launch && s->request->role0 != ROLE0_MOVES)
            pinned[0] = p->best[0];
        options.pinned = pinned;
        status = tmap_mapping_lower_congestion(p->matrix, p->tree, &options, p->best, &why);
        local_ranks_keep(&p->local, p->best, roles);
    }
    free(pinned);
    return status ? reseat_fail(error, "%s", why.text) : 0;
}

/* Fill after, and find out whether exchanges have improved the order of which `busiest` and `cost`
 * were those: timings may say that it takes longer, and local ranks take some of it back. */
static int prediction_has_improved(struct prediction_search *s, double busiest, double cost,
                                   int *has_improved, struct reseat_error *error)
{
    struct prediction *p = s->p;
    double value;
    if (prediction_weigh(s, p->best, &p->after, &value, error) || prediction_find_busiest(p, error))
        return -1;
    *has_improved = !s->model.timings || value <= s->least * (1 + 1e-9);
    if (p->local.of_all.kept)
        *has_improved &= p->busiest[1] <= busiest && p->after.cost <= 1.02 * cost;
    return 0;
}

/* Lower the load of the busiest link. */
static int prediction_lower_congestion(struct prediction_search *s, struct reseat_error *error)
{
    struct prediction *p = s->p;
    const double cost = p->after.cost;
    int has_improved;
    if (prediction_find_busiest(p, error))
        return -1;
    const double busiest = p->busiest[1];
    memcpy(s->tried, p->best, prediction_slots_bytes(p));
    if (prediction_exchange(s, error) ||
        prediction_has_improved(s, busiest, cost, &has_improved, error))
        return -1;
    if (!has_improved) {
        memcpy(p->best, s->tried, prediction_slots_bytes(p));
        if (prediction_evaluate(p, p->best, &p->after, error))
            return -1;
    }
    prediction_name_exchanges(p);
    return prediction_find_busiest(p, error);
}

/* Local ranks may take back what the search has gained. */
static int prediction_lower_seconds(struct prediction_search *s, struct reseat_error *error)
{
    struct prediction *p = s->p;
    struct tmap_options options = s->options;
    struct tmap_cost cost, before = p->after;
    const char *method = p->method;
    double value;
    options.method = NULL;
    memcpy(s->tried, p->best, prediction_slots_bytes(p));
    if (time_search(p->pricing, p, &options, s->request->role0 == ROLE0_STAYS, error))
        return -1;
    if (!p->local.of_all.kept)
        return 0;
    local_ranks_keep(&p->local, p->best, tmap_matrix_roles(p->matrix));
    if (prediction_weigh(s, p->best, &cost, &value, error))
        return -1;
    p->after = cost;
    if (value <= s->least * (1 + 1e-9))
        return 0;
    memcpy(p->best, s->tried, prediction_slots_bytes(p));
    p->after = before;
    p->method = method;
    return 0;
}

static int prediction_run(struct prediction_search *s, struct reseat_error *error)
{
    const char *named = s->options.method;
    int count = named ? 2 : PREDICTION_TRIED;
    int rc = prediction_begin(s, !named, error);
    for (int i = 1; rc == 0 && i < count; i++)
        rc = prediction_try(s, named ? named : prediction_method_name(i), error);
    if (rc == 0)
        rc = prediction_try_all_untimed(s, error);
    if (rc == 0)
        rc = prediction_end(s, error);
    if (rc == 0 && s->p->objective == RESEAT_OBJECTIVE_CONGESTION)
        rc = prediction_lower_congestion(s, error);
    if (rc == 0 && s->model.timings && s->p->objective == RESEAT_OBJECTIVE_TIME)
        rc = prediction_lower_seconds(s, error);
    return rc;
}

/* The model of time, if there is one. */
static int prediction_open_model(struct prediction_search *s, struct reseat_error *error)
{
    const struct time_pricing *pricing = s->p->pricing;
    if (!pricing)
        return 0;
    s->model = (struct time_model){.timings = pricing->timings,
                                   .tree = s->p->tree,
                                   .roles = tmap_matrix_roles(s->p->matrix),
                                   .entries = pricing->entries,
                                   .count = pricing->count};
    return time_model_open(&s->model, error);
}

int prediction_find(struct prediction *p, const struct prediction_request *request,
                    struct reseat_error *error)
{
    struct prediction_search search = {.p = p,
                                       .request = request,
                                       .map = request->map ? request->map : tmap_mapping_find,
                                       .tried = prediction_new_slots(p)};
    if (request->options)
        search.options = *request->options;
    else
        tmap_options_init(&search.options, sizeof search.options);
    if (request->method)
        search.options.method = request->method;
    if (request->threads)
        search.options.threads = request->threads;
    p->objective = request->objective;
    memset(p->busiest, 0, sizeof p->busiest);
    if (!p->best)
        p->best = prediction_new_slots(p);
    int rc = p->best && search.tried ? prediction_open_model(&search, error)
                                     : reseat_fail(error, "out of memory");
    if (rc == 0)
        rc = prediction_run(&search, error);
    time_model_close(&search.model);
    free(search.tried);
    return rc;
}
