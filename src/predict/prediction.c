/* SPDX-License-Identifier: BSD-3-Clause */
/* prediction.c - see prediction.h: what is sent, where the roles run, and orders that are given. */
#include "predict/prediction.h"

#include <stdlib.h>
#include <string.h>

#include "profile/gain.h"
#include "predict/loads.h"

const char *prediction_method_name(int number)
{
    const char *names[PREDICTION_METHODS] = {"launch order", NULL, "packed", "roundrobin",
                                             "exchanges"};
    tmap_method_describe(0, &names[1], NULL); /* the first one is the default */
    return names[number];
}

int prediction_method_number(const char *name)
{
    int number = PREDICTION_METHODS - 1;
    while (number > 0 && strcmp(name, prediction_method_name(number)) != 0)
        number--;
    return number;
}

int32_t *prediction_new_slots(const struct prediction *p)
{
    return malloc(((size_t)tmap_matrix_roles(p->matrix) + 1) * sizeof(int32_t));
}

void prediction_name_exchanges(struct prediction *p)
{
    size_t bytes = (size_t)tmap_matrix_roles(p->matrix) * sizeof *p->best;
    if (p->launch && p->method == prediction_method_name(0) &&
        memcmp(p->launch, p->best, bytes) != 0)
        p->method = prediction_method_name(PREDICTION_METHODS - 1);
}

/* ---- what is sent ---- */

/* Means of what two roles exchange have no direction; all else has, and takes the links that
 * way. */
static int prediction_make_matrix(struct tmap_matrix **matrix, int by_pair, int32_t roles,
                                  const struct tmap_entry *entries, size_t count,
                                  struct reseat_error *error)
{
    struct tmap_error why;
    enum tmap_status status =
        by_pair ? tmap_matrix_create(matrix, roles, entries, count, &why)
                : tmap_matrix_create_directed(matrix, roles, entries, count, &why);
    return status ? reseat_fail(error, "%s", why.text) : 0;
}

int prediction_load_matrix(struct tmap_matrix **matrix, const struct reseat_profile *profile,
                           enum reseat_metric metric, struct reseat_error *error)
{
    struct tmap_entry *entries;
    size_t count;
    if (reseat_profile_weights(profile, 0, 1, metric, &entries, &count, error))
        return -1;
    int rc = prediction_make_matrix(matrix, metric == RESEAT_METRIC_AVG, profile->ranks, entries,
                                    count, error);
    free(entries);
    return rc;
}

static void prediction_replace_matrix(struct prediction *p, struct tmap_matrix *matrix)
{
    tmap_matrix_destroy(p->matrix);
    p->matrix = matrix;
}

int prediction_set_profile(struct prediction *p, const struct reseat_profile *profile,
                           enum reseat_metric metric, struct reseat_error *error)
{
    struct tmap_matrix *matrix;
    if (prediction_load_matrix(&matrix, profile, metric, error))
        return -1;
    prediction_replace_matrix(p, matrix);
    return 0;
}

int prediction_set_entries(struct prediction *p, int32_t roles, const struct tmap_entry *entries,
                           size_t count, struct reseat_error *error)
{
    struct tmap_matrix *matrix;
    if (prediction_make_matrix(&matrix, p->by_pair, roles, entries, count, error))
        return -1;
    prediction_replace_matrix(p, matrix);
    return 0;
}

/* ---- where the roles run ---- */

void prediction_set_tree(struct prediction *p, struct tmap_tree *tree, int32_t *launch)
{
    if (tree != p->tree)
        tmap_tree_destroy(p->tree);
    free(p->launch);
    local_ranks_free(&p->local);
    p->tree = tree;
    p->launch = launch;
    p->is_priced = 0;
}

int prediction_keep_local(struct prediction *p, const struct reseat_location *locations,
                          struct reseat_error *error)
{
    local_ranks_free(&p->local);
    return local_ranks_find(&p->local, p->keep_local, locations, p->launch,
                            tmap_matrix_roles(p->matrix), error);
}

int prediction_price(struct prediction *p, struct reseat_error *error)
{
    for (int level = 0; level < tmap_tree_depth(p->tree) && !p->is_priced; level++)
        p->untimed[level] = tmap_tree_level(p->tree, level)->cost;
    p->is_priced = 1;
    return time_costs_set(p->costs, &p->tree, error);
}

int prediction_set_locations(struct prediction *p, const struct reseat_location *locations,
                             const struct reseat_network *network, struct reseat_error *error)
{
    int32_t roles = tmap_matrix_roles(p->matrix), *launch = prediction_new_slots(p);
    struct tmap_tree *tree;
    if (!launch)
        return reseat_fail(error, "out of memory");
    if (reseat_location_tree(&tree, locations, roles, network, launch, error)) {
        free(launch);
        return -1;
    }
    prediction_set_tree(p, tree, launch);
    if (prediction_keep_local(p, locations, error))
        return -1;
    return p->costs ? prediction_price(p, error) : 0;
}

/* Give the levels of `part`, which has the first objects of each level of `whole`, its shapes. */
static enum tmap_status prediction_copy_shapes(struct tmap_tree **part,
                                               const struct tmap_tree *whole,
                                               struct tmap_error *why)
{
    enum tmap_status status = TMAP_OK;
    for (int level = 0; level < tmap_tree_depth(whole) && status == TMAP_OK; level++) {
        struct tmap_shape shape = {.size = sizeof shape};
        struct tmap_tree *shaped = NULL;
        if (tmap_tree_shape(whole, level, &shape) == TMAP_SHAPE_NONE)
            continue;
        int32_t objects = tmap_tree_objects(*part, level + 1);
        int32_t *position = malloc(((size_t)objects + 1) * sizeof *position);
        for (int32_t o = 0; position && o < objects; o++)
            position[o] = tmap_tree_position(whole, level + 1, o);
        status = position ? tmap_tree_copy_with_shape(&shaped, *part, level, &shape, position, why)
                          : TMAP_ENOMEM;
        free(position);
        if (status == TMAP_OK) {
            tmap_tree_destroy(*part);
            *part = shaped;
        }
    }
    return status;
}

/* The part of `whole` with its first `slots` slots, each for one role. */
static enum tmap_status prediction_cut_tree(struct tmap_tree **tree, const struct tmap_tree *whole,
                                            int32_t slots, struct tmap_error *why)
{
    int depth = tmap_tree_depth(whole);
    struct tmap_level levels[TMAP_MAX_LEVELS];
    int32_t *path = malloc(((size_t)slots * (size_t)depth + 1) * sizeof *path);
    if (!path)
        return TMAP_ENOMEM;
    for (int level = 0; level < depth; level++) {
        levels[level] = *tmap_tree_level(whole, level);
        for (int32_t slot = 0; slot < slots; slot++)
            path[(size_t)slot * (size_t)depth + (size_t)level] =
                tmap_tree_ancestor(whole, slot, level + 1);
    }
    struct tmap_tree *part = NULL;
    enum tmap_status status =
        tmap_tree_create_from_paths(&part, slots, depth, path, NULL, levels, NULL, why);
    free(path);
    if (status == TMAP_OK)
        status = prediction_copy_shapes(&part, whole, why);
    if (status == TMAP_OK)
        *tree = part;
    else
        tmap_tree_destroy(part);
    return status;
}

int prediction_launch_in_order(struct prediction *p, struct reseat_error *error)
{
    int32_t roles = tmap_matrix_roles(p->matrix), *launch = prediction_new_slots(p);
    struct tmap_tree *tree = NULL;
    struct tmap_error why = {"out of memory"};
    if (!launch)
        return reseat_fail(error, "out of memory");
    for (int32_t role = 0; role < roles; role++)
        launch[role] = role;
    if (!tmap_mapping_is_valid(p->tree, roles, launch)) {
        free(launch);
        return reseat_fail(error, "%d ranks do not fit on a tree for %lld", (int)roles,
                           (long long)tmap_tree_capacity(p->tree));
    }
    if (tmap_tree_slots(p->tree) > roles && prediction_cut_tree(&tree, p->tree, roles, &why)) {
        free(launch);
        return reseat_fail(error, "%s", why.text);
    }
    prediction_set_tree(p, tree ? tree : p->tree, launch);
    return 0;
}

/* ---- given orders ---- */

int prediction_find_busiest(struct prediction *p, struct reseat_error *error)
{
    struct loads loads = {.busiest = {0, 0}};
    if (p->objective == RESEAT_OBJECTIVE_CONGESTION &&
        loads_find(p, p->matrix, loads_main_level(p->tree), &loads, error))
        return -1;
    memcpy(p->busiest, loads.busiest, sizeof p->busiest);
    return 0;
}

int prediction_compare(const struct prediction *p, const struct tmap_matrix *matrix,
                       struct tmap_cost *before, struct tmap_cost *after,
                       struct reseat_error *error)
{
    struct tmap_error why;
    return tmap_mapping_evaluate(matrix, p->tree, p->launch, before, &why) ||
                   tmap_mapping_evaluate(matrix, p->tree, p->best, after, &why)
               ? reseat_fail(error, "%s", why.text)
               : 0;
}

int prediction_judge(struct prediction *p, const int32_t *process_of, struct reseat_error *error)
{
    if (!p->best)
        p->best = prediction_new_slots(p);
    if (!p->best)
        return reseat_fail(error, "out of memory");
    for (int32_t role = 0; role < tmap_matrix_roles(p->matrix); role++)
        p->best[role] = p->launch[process_of[role]];
    return prediction_compare(p, p->matrix, &p->before, &p->after, error) ||
                   prediction_find_busiest(p, error)
               ? -1
               : 0;
}

int prediction_is_order(const struct prediction *p)
{
    int32_t roles = tmap_matrix_roles(p->matrix);
    return tmap_tree_slots(p->tree) == roles && tmap_permutation_is_valid(p->launch, roles) &&
           tmap_permutation_is_valid(p->best, roles);
}

int prediction_order(const struct prediction *p, int32_t *process_of, struct reseat_error *error)
{
    int32_t roles = tmap_matrix_roles(p->matrix);
    if (!prediction_is_order(p))
        return reseat_fail(error, "the mapping is not a permutation");
    int32_t *process_on = prediction_new_slots(p);
    if (!process_on)
        return reseat_fail(error, "out of memory");
    tmap_permutation_invert(p->launch, process_on, roles);
    for (int32_t role = 0; role < roles; role++)
        process_of[role] = process_on[p->best[role]];
    free(process_on);
    return 0;
}

double prediction_gain(const struct prediction *p)
{
    const double cost[2] = {p->before.cost, p->after.cost};
    return reseat_gain_with_links(cost, p->busiest);
}

void prediction_close(struct prediction *p)
{
    tmap_matrix_destroy(p->matrix);
    tmap_tree_destroy(p->tree);
    local_ranks_free(&p->local);
    free(p->launch);
    free(p->best);
    *p = (struct prediction){0};
}
