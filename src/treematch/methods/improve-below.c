/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * improve-below.c - map the roles of one part of the tree among the slots of that part.
 *
 * A role outside is equally far from all slots inside, because its path to them leaves the tree
 * above the part. So only the traffic between roles inside counts, and a part is a smaller problem
 * of the same kind.
 */
#include "treematch/model/objects.h"

struct part {
    struct tmap_matrix *matrix; /* of the roles inside, in their order */
    struct tmap_tree *tree;
    int32_t *role;   /* inside -> whole */
    int32_t *inside; /* whole -> inside, -1: outside */
    int32_t *slot_of, *pinned;
    int32_t count, first_slot;
};

static void part_destroy(struct part *part)
{
    tmap_matrix_destroy(part->matrix);
    tmap_tree_destroy(part->tree);
    free(part->role);
    free(part->inside);
    free(part->slot_of);
    free(part->pinned);
}

/* Number the roles below the object. */
static void find_roles(struct part *part, const struct tmap_tree *tree, int level, int32_t object,
                       const int32_t *slot_of, int32_t roles)
{
    int32_t below = tree->capacity ? 0 : tmap_uniform_below(tree, level);
    int32_t first = below ? object * below : tree->first_slot[level][object];
    int32_t end = below ? first + below : tree->first_slot[level][object + 1];
    part->first_slot = first;
    part->count = 0;
    for (int32_t role = 0; role < roles; role++) {
        int is_inside = slot_of[role] >= first && slot_of[role] < end;
        part->inside[role] = is_inside ? part->count : -1;
        if (is_inside)
            part->role[part->count++] = role;
    }
}

static enum tmap_status part_allocate(struct part *part, int32_t roles, struct tmap_error *error)
{
    part->role = tmap_new((size_t)roles, sizeof *part->role);
    part->inside = tmap_new((size_t)roles, sizeof *part->inside);
    part->slot_of = tmap_new((size_t)roles, sizeof *part->slot_of);
    part->pinned = tmap_new((size_t)roles, sizeof *part->pinned);
    if (!part->role || !part->inside || !part->slot_of || !part->pinned)
        return tmap_fail_memory(error);
    return TMAP_OK;
}

/* Restrict the constraints to the part. */
static enum tmap_status part_narrow(struct part *part, struct tmap_options *options,
                                    const int32_t *slot_of, struct tmap_error *error)
{
    for (int32_t i = 0; i < part->count; i++) {
        int32_t role = part->role[i], pin = options->pinned ? options->pinned[role] : -1;
        if ((pin >= 0 && pin != slot_of[role]) ||
            (options->closed && options->closed[slot_of[role]]))
            return tmap_fail(error, TMAP_EINVAL, "role %ld is on a slot where it must not be",
                             (long)role);
        part->pinned[i] = pin >= 0 ? pin - part->first_slot : -1;
    }
    if (options->pinned)
        options->pinned = part->pinned;
    if (options->closed)
        options->closed += part->first_slot;
    return TMAP_OK;
}

/* Map the part, and put the result into slot_of if it costs less. */
static enum tmap_status map_part(struct part *part, const struct tmap_options *options,
                                 int32_t *slot_of, struct tmap_error *error)
{
    struct tmap_cost before = {0}, after = {0};
    int32_t *present = part->inside; /* no longer needed */
    for (int32_t i = 0; i < part->count; i++)
        present[i] = slot_of[part->role[i]] - part->first_slot;
    enum tmap_status status =
        tmap_mapping_find(part->matrix, part->tree, options, part->slot_of, error);
    if (status == TMAP_OK)
        status = tmap_mapping_evaluate(part->matrix, part->tree, present, &before, error);
    if (status == TMAP_OK)
        status = tmap_mapping_evaluate(part->matrix, part->tree, part->slot_of, &after, error);
    if (status == TMAP_OK && after.cost < before.cost) {
        for (int32_t i = 0; i < part->count; i++)
            slot_of[part->role[i]] = part->first_slot + part->slot_of[i];
    }
    return status;
}

enum tmap_status tmap_mapping_improve_below(const struct tmap_matrix *matrix,
                                            const struct tmap_tree *tree, int level, int32_t object,
                                            const struct tmap_options *given, int32_t *slot_of,
                                            struct tmap_error *error)
{
    struct tmap_options mine;
    struct part part = {0};
    enum tmap_status status = tmap_options_read(&mine, given, error);
    if (status != TMAP_OK)
        return status;
    if (level < 0 || level > tree->depth || object < 0 || object >= tree->count[level])
        return tmap_fail(error, TMAP_EINVAL, "the tree has no object %ld at level %d", (long)object,
                         level);
    if (!tmap_mapping_is_valid(tree, matrix->roles, slot_of))
        return tmap_fail(error, TMAP_EINVAL, "not a valid mapping");
    if (level == tree->depth)
        return TMAP_OK;
    status = part_allocate(&part, matrix->roles, error);
    if (status == TMAP_OK) {
        find_roles(&part, tree, level, object, slot_of, matrix->roles);
        status = part_narrow(&part, &mine, slot_of, error);
    }
    if (status == TMAP_OK)
        status = tmap_matrix_among(&part.matrix, matrix, part.role, part.count, part.inside, error);
    if (status == TMAP_OK)
        status = tmap_tree_copy_part(&part.tree, tree, level, object, NULL, error);
    if (status == TMAP_OK)
        status = map_part(&part, &mine, slot_of, error);
    part_destroy(&part);
    return status;
}
