/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loops.c - what the letters of a layout are on a tree.
 *
 * A letter without a level on this tree has no loop: where nothing is to be chosen, nothing is
 * iterated. A level without a letter has none either, so its children are numbered through below
 * the next outer level that has one ("pruned"; Hursey, Squyres and Dontje 2011, IV.B). Only the
 * leaves always have a loop, the outermost if no letter says otherwise: processes go to the
 * smallest units.
 */
#include "treematch/layout/loops.h"

#include <stdio.h>

/* ---- levels ---- */

static int loops_is_named(const struct tmap_tree *tree, int level, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(tree->level[level - 1].name, *names) == 0)
            return 1;
    return 0;
}

/* The level of switches that is number `number` from the nodes; 0: none. */
static int loops_find_switch(const struct tmap_tree *tree, int number)
{
    static const char *const names[] = {"switch", "router", NULL};
    for (int level = tree->depth; level >= 1; level--)
        if (loops_is_named(tree, level, names) && --number == 0)
            return level;
    return 0;
}

/* The outermost level whose objects are connected by a torus or mesh of more than `number`
 * dimensions; 0: none. */
static int loops_find_dimension(const struct tmap_tree *tree, int number)
{
    for (int level = 1; level <= tree->depth; level++) {
        struct tmap_shape shape = {.size = sizeof shape};
        enum tmap_shape_kind kind = tmap_tree_shape(tree, level - 1, &shape);
        if (kind == TMAP_SHAPE_TORUS || kind == TMAP_SHAPE_MESH)
            return number < shape.dimensions ? level : 0;
    }
    return 0;
}

/* The outermost level of that name; 0: none. */
static int loops_find_name(const struct tmap_tree *tree, const char *const *names)
{
    for (int level = 1; level <= tree->depth; level++)
        if (loops_is_named(tree, level, names))
            return level;
    return 0;
}

static int loops_find_level(const struct tmap_tree *tree, const struct tmap_letter *letter)
{
    switch (letter->kind) {
    case TMAP_LETTER_SWITCH:
        return loops_find_switch(tree, letter->number);
    case TMAP_LETTER_DIMENSION:
        return loops_find_dimension(tree, letter->number);
    case TMAP_LETTER_UNIT:
        return letter->names[0] && loops_find_name(tree, letter->names)
                   ? loops_find_name(tree, letter->names)
                   : tree->depth;
    default:
        return loops_find_name(tree, letter->names);
    }
}

int tmap_layout_find_level(const struct tmap_tree *tree, const char *letter)
{
    struct tmap_letter read[TMAP_MAX_LETTERS];
    int count;
    if (tmap_letters_read(read, &count, letter, NULL) != TMAP_OK || count != 1 || read[0].list)
        return -1;
    return loops_find_level(tree, &read[0]);
}

/* ---- a loop ---- */

/* The most objects of `level` below an object of `parent`. */
static int32_t loops_width(const struct tmap_tree *tree, int parent, int level)
{
    int32_t width = 0;
    if (!tree->capacity)
        return tree->count[level] / tree->count[parent];
    for (int32_t o = 0; o < tree->count[parent]; o++) {
        int32_t begin = o, end = o + 1;
        for (int l = parent; l < level; l++) {
            begin = tree->first_child[l][begin];
            end = tree->first_child[l][end];
        }
        width = end - begin > width ? end - begin : width;
    }
    return width;
}

static void loops_set_dimension(struct tmap_loop *loop, const struct tmap_tree *tree)
{
    struct tmap_shape shape = {.size = sizeof shape};
    tmap_tree_shape(tree, loop->level - 1, &shape);
    loop->stride = 1;
    for (int d = shape.dimensions - 1; d > loop->dimension; d--)
        loop->stride *= shape.extent[d];
    loop->width = loop->extent = shape.extent[loop->dimension];
}

/* Take the indices in the order of a list. */
static enum tmap_status loops_set_list(struct tmap_loop *loop, const struct tmap_letter *letter,
                                       const char *text, struct tmap_error *error)
{
    const char *list = letter->list;
    int32_t first, last;
    char what[80];
    loop->turn_of = tmap_new((size_t)loop->width, sizeof *loop->turn_of);
    loop->index_of = tmap_new((size_t)loop->width, sizeof *loop->index_of);
    if (!loop->turn_of || !loop->index_of)
        return tmap_fail_memory(error);
    memset(loop->turn_of, 0xff, sizeof *loop->turn_of * (size_t)loop->width);
    loop->turns = 0;
    while (tmap_letters_next_range(&list, &first, &last)) {
        int32_t step = first <= last ? 1 : -1;
        int32_t index = step < 0 && first >= loop->width ? loop->width - 1 : first;
        for (; step > 0 ? index <= last && index < loop->width : index >= last; index += step) {
            if (loop->turn_of[index] >= 0) {
                snprintf(what, sizeof what, "the list has %ld twice", (long)index);
                return tmap_letters_fail(error, TMAP_EINVAL, text, (int)(letter->list - text),
                                         what);
            }
            loop->turn_of[index] = loop->turns;
            loop->index_of[loop->turns++] = index;
        }
    }
    return TMAP_OK;
}

static enum tmap_status loops_finish(struct tmap_loop *loop, const struct tmap_tree *tree,
                                     const struct tmap_letter *letter, const char *text,
                                     struct tmap_error *error)
{
    if (loop->dimension >= 0)
        loops_set_dimension(loop, tree);
    else
        loop->width = loops_width(tree, loop->parent, loop->level);
    loop->turns = loop->width;
    return letter && letter->list ? loops_set_list(loop, letter, text, error) : TMAP_OK;
}

/* ---- all loops ---- */

/* The letters of a layout; letter[i] makes loop[i]. */
struct loops_text {
    const char *text;
    int letters;
    struct tmap_letter letter[TMAP_MAX_LETTERS + 1];
};

static int loops_find(const struct tmap_loops *loops, int level)
{
    for (int i = 0; i < loops->count; i++)
        if (loops->loop[i].level == level)
            return i;
    return -1;
}

/* Drop what has no level here, and an `h` that would be another letter's: a core without threads
 * has just one of them. */
static void loops_keep_known(struct tmap_loops *loops, struct loops_text *text,
                             const struct tmap_tree *tree)
{
    int units = 0;
    for (int i = 0; i < text->letters; i++)
        units += text->letter[i].kind != TMAP_LETTER_UNIT &&
                 loops_find_level(tree, &text->letter[i]) == tree->depth;
    for (int i = 0; i < text->letters; i++) {
        const struct tmap_letter *letter = &text->letter[i];
        int level = loops_find_level(tree, letter);
        int is_single = letter->kind == TMAP_LETTER_UNIT && letter->names[0] &&
                        level == tree->depth && !loops_is_named(tree, level, letter->names) &&
                        units;
        if (level == 0 || is_single)
            continue;
        text->letter[loops->count] = *letter;
        loops->loop[loops->count++] = (struct tmap_loop){
            .level = level,
            .dimension = letter->kind == TMAP_LETTER_DIMENSION ? letter->number : -1};
    }
}

static enum tmap_status loops_check_twice(const struct tmap_loops *loops,
                                          const struct loops_text *text, struct tmap_error *error)
{
    char what[80];
    for (int i = 0; i < loops->count; i++)
        for (int k = 0; k < i; k++) {
            const struct tmap_loop *a = &loops->loop[k], *b = &loops->loop[i];
            const struct tmap_letter *x = &text->letter[k], *y = &text->letter[i];
            if (a->level != b->level || (a->dimension >= 0 && b->dimension >= 0))
                continue;
            snprintf(what, sizeof what, "'%.*s' is the same level as '%.*s' here", y->length,
                     text->text + y->at, x->length, text->text + x->at);
            return tmap_letters_fail(error, TMAP_EINVAL, text->text, y->at, what);
        }
    return TMAP_OK;
}

/* Without one of its dimensions the network would have no order. */
static enum tmap_status loops_check_dimensions(const struct tmap_loops *loops,
                                               const struct loops_text *text,
                                               const struct tmap_tree *tree,
                                               struct tmap_error *error)
{
    struct tmap_shape shape = {.size = sizeof shape};
    char what[80];
    unsigned named = 0;
    int first = -1;
    for (int i = 0; i < loops->count; i++)
        if (loops->loop[i].dimension >= 0) {
            named |= 1u << loops->loop[i].dimension;
            first = first < 0 ? i : first;
        }
    if (first < 0)
        return TMAP_OK;
    tmap_tree_shape(tree, loops->loop[first].level - 1, &shape);
    for (int d = 0; d < shape.dimensions; d++)
        if (!(named >> d & 1) && shape.extent[d] > 1) {
            snprintf(what, sizeof what,
                     "dimension %d of %d has no letter, and all or none need one", d + 1,
                     shape.dimensions);
            return tmap_letters_fail(error, TMAP_EINVAL, text->text, text->letter[first].at, what);
        }
    return TMAP_OK;
}

static enum tmap_status loops_fail_none(const struct tmap_tree *tree, const char *text,
                                        struct tmap_error *error)
{
    char what[160];
    int length = snprintf(what, sizeof what, "no level is left, the machine has only");
    for (int l = 0; l < tree->depth && length < (int)sizeof what - TMAP_NAME_SIZE - 2; l++)
        length += snprintf(what + length, sizeof what - (size_t)length, " %s", tree->level[l].name);
    return tmap_letters_fail(error, TMAP_EINVAL, text, 0, what);
}

static void loops_find_parents(struct tmap_loops *loops)
{
    for (int i = 0; i < loops->count; i++) {
        struct tmap_loop *loop = &loops->loop[i];
        loop->parent = loop->level - 1;
        while (loop->parent > 0 && loops_find(loops, loop->parent) < 0)
            loop->parent--;
    }
}

enum tmap_status tmap_loops_init(struct tmap_loops *loops, const struct tmap_tree *tree,
                                 const char *layout, struct tmap_error *error)
{
    layout = tmap_letters_of_name(layout);
    struct loops_text text = {.text = layout};
    memset(loops, 0, sizeof *loops);
    enum tmap_status status = tmap_letters_read(text.letter, &text.letters, layout, error);
    if (status != TMAP_OK)
        return status;
    loops_keep_known(loops, &text, tree);
    if (loops->count == 0)
        return loops_fail_none(tree, layout, error);
    status = loops_check_twice(loops, &text, error);
    if (status == TMAP_OK)
        status = loops_check_dimensions(loops, &text, tree, error);
    int letters = loops->count;
    if (loops_find(loops, tree->depth) < 0)
        loops->loop[loops->count++] = (struct tmap_loop){.level = tree->depth, .dimension = -1};
    loops_find_parents(loops);
    for (int i = 0; i < loops->count && status == TMAP_OK; i++)
        status = loops_finish(&loops->loop[i], tree, i < letters ? &text.letter[i] : NULL, layout,
                              error);
    return status;
}

void tmap_loops_fini(struct tmap_loops *loops)
{
    for (int i = 0; i < loops->count; i++) {
        free(loops->loop[i].turn_of);
        free(loops->loop[i].index_of);
    }
}
