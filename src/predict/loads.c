/* SPDX-License-Identifier: BSD-3-Clause */
/* loads.c - see loads.h. */
#include "predict/loads.h"

int loads_main_level(const struct tmap_tree *tree)
{
    int level = 0, depth = tmap_tree_depth(tree);
    while (level < depth && tmap_tree_shape(tree, level, NULL) == TMAP_SHAPE_NONE)
        level++;
    if (level < depth)
        return level;
    for (level = 0; level + 1 < depth; level++)
        if (tmap_tree_objects(tree, level + 1) > tmap_tree_objects(tree, level))
            break;
    return level;
}

/* Of one order. */
static enum tmap_status loads_of_order(const struct prediction *p, const struct tmap_matrix *matrix,
                                       int level, int which, struct loads *loads,
                                       struct tmap_error *why)
{
    const int32_t *slot_of = which ? p->best : p->launch;
    struct tmap_loads *all = NULL;
    struct tmap_load_summary summary;
    struct tmap_link_load link;
    struct tmap_cost cost;
    double inside = 0;
    enum tmap_status status = tmap_loads_create(&all, matrix, p->tree, slot_of, level, why);
    if (status == TMAP_OK)
        status = tmap_mapping_evaluate(matrix, p->tree, slot_of, &cost, why);
    if (status == TMAP_OK) {
        tmap_loads_sum_up(all, &summary);
        for (size_t at = 0; tmap_loads_next(all, &at, &link);)
            inside += link.kind == TMAP_LINK_NETWORK ? link.load : 0;
        loads->busiest[which] = summary.busiest;
        loads->mean[which] = summary.mean;
        loads->hops[which] = inside > 0 ? inside / (double)cost.weight_at[level] : 0;
    }
    tmap_loads_destroy(all);
    return status;
}

int loads_find(const struct prediction *p, const struct tmap_matrix *matrix, int level,
               struct loads *result, struct reseat_error *error)
{
    struct loads loads = {.busiest = {0, 0}};
    struct tmap_error why;
    for (int which = p->launch ? 0 : 1; which < 2; which++)
        if (loads_of_order(p, matrix, level, which, &loads, &why))
            return reseat_fail(error, "%s", why.text);
    *result = loads;
    return 0;
}
