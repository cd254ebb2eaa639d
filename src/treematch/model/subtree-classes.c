/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * subtree-classes.c - which subtrees are alike.
 *
 * From the bottom up, after Aho, Hopcroft and Ullman: the signature of an object is the sorted list
 * of its children's classes; equal signatures make a class. Example: a node with packages of 4 and
 * 2 cores and a node with packages of 2 and 4 cores are of one class.
 * Time O(slots log slots), memory O(slots).
 */
#include "treematch/model/objects.h"

struct level {
    const int32_t *first;     /* first[o] .. first[o + 1]: where the signature of o is */
    const int32_t *signature; /* child classes, sorted within each object */
};

static int compare_signatures(const void *context, int32_t a, int32_t b)
{
    const struct level *level = context;
    int32_t length = level->first[a + 1] - level->first[a];
    int32_t other = level->first[b + 1] - level->first[b];
    if (length != other)
        return length < other ? -1 : 1;
    for (int32_t i = 0; i < length; i++) {
        int32_t left = level->signature[level->first[a] + i];
        int32_t right = level->signature[level->first[b] + i];
        if (left != right)
            return left < right ? -1 : 1;
    }
    return 0;
}

/* Number the objects 0 .. count-1 by `compare`; returns the number of classes. `order` and
 * `scratch` have count entries. */
static int32_t number_classes(int32_t *class_of, int32_t count, tmap_compare_fn *compare,
                              const void *context, int32_t *order)
{
    int32_t *scratch = order + count, classes = 0;
    for (int32_t o = 0; o < count; o++)
        order[o] = o;
    tmap_sort(order, scratch, count, compare, context);
    for (int32_t i = 0; i < count; i++) {
        classes += i == 0 || compare(context, order[i - 1], order[i]) != 0;
        class_of[order[i]] = classes - 1;
    }
    return classes;
}

/* signature = the children's classes, sorted object by object. `work`: 2 x the largest arity. */
static void make_signatures(const int32_t *first, int32_t objects, const int32_t *child_class,
                            int32_t *signature, int32_t *work)
{
    for (int32_t o = 0; o < objects; o++) {
        int32_t arity = first[o + 1] - first[o];
        for (int32_t i = 0; i < arity; i++)
            work[i] = i;
        tmap_sort(work, work + arity, arity, tmap_by_number, child_class + first[o]);
        for (int32_t i = 0; i < arity; i++)
            signature[first[o] + i] = child_class[first[o] + work[i]];
    }
}

enum tmap_status tmap_classes_init(struct tmap_classes *classes, const struct tmap_tree *tree,
                                   const int32_t *value)
{
    int32_t slots = tree->count[tree->depth];
    enum tmap_status status = TMAP_ENOMEM;
    memset(classes, 0, sizeof *classes);
    int32_t *work = tmap_new((size_t)slots, 2 * sizeof *work);
    int32_t *signature = tmap_new((size_t)slots, sizeof *signature);
    if (!work || !signature)
        goto out;
    for (int l = tree->depth; l >= 0; l--) {
        classes->class_of[l] = tmap_new((size_t)tree->count[l], sizeof(int32_t));
        if (!classes->class_of[l])
            goto out;
        if (l == tree->depth) {
            classes->class_count[l] =
                number_classes(classes->class_of[l], slots, tmap_by_number, value, work);
            continue;
        }
        struct level level = {tree->first_child[l], signature};
        make_signatures(level.first, tree->count[l], classes->class_of[l + 1], signature, work);
        classes->class_count[l] =
            number_classes(classes->class_of[l], tree->count[l], compare_signatures, &level, work);
    }
    status = TMAP_OK;
out:
    free(work);
    free(signature);
    if (status != TMAP_OK)
        tmap_classes_fini(classes);
    return status;
}

void tmap_classes_fini(struct tmap_classes *classes)
{
    for (int l = 0; l <= TMAP_MAX_LEVELS; l++)
        free(classes->class_of[l]);
    memset(classes, 0, sizeof *classes);
}
