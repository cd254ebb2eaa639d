/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regular-layouts.c - see regular-layouts.h.
 *
 * A layout is an order of the levels of a machine (Hursey, Squyres and Dontje 2011: 9! of nine
 * letters). A level whose objects have one child each has nothing to order, so few of these remain
 * on a real machine: node, package, L3 and core are 24. Where all objects of a level are alike,
 * leaving out a letter makes no new order: its children are then numbered through, as if the letter
 * came right behind theirs. With objects that differ it does: of two packages with one and three
 * cores, core 1 of the node is core 0 of the second package.
 */
#include "regular/regular-layouts.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "treematch/model/objects.h"

/* Pairs, roles and slots visited, some 3 ns each. */
#define REGULAR_MOST_WORK 2e10

/* Texts of one machine while they are made. */
struct regular_search {
    const struct tmap_tree *tree;
    int32_t roles;
    const char *letter[REGULAR_MOST_LETTERS]; /* from the innermost level to the outermost */
    int letters;
    unsigned
        dimensions; /* those that are dimensions, a bit each: all of them are in a text, or none */
    int subsets;    /* whether the texts are those that leave letters out */
    int32_t *slot_of;
    char text[REGULAR_TEXT];
    unsigned used; /* letters of the text, a bit each */
    struct regular_layouts *found;
    struct reseat_error *error;
};

/* ---- the letters ---- */

static int regular_branches(const struct tmap_tree *tree, int level)
{
    return tmap_tree_objects(tree, level) > tmap_tree_objects(tree, level - 1);
}

/* The letter of a level; NULL: it has none. */
static const char *regular_letter_of(const struct tmap_tree *tree, int level)
{
    static const char *const letters[] = {"n", "b", "s",  "c",  "N",  "L1", "L2", "L3",
                                          "d", "g", "S1", "S2", "S3", "S4", "h"};
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (tmap_layout_find_level(tree, letters[i]) == level)
            return letters[i];
    return NULL;
}

/* Add the letters of the dimensions of a level's network, the last one first. 0: it has no such
 * network. */
static int regular_add_dimensions(struct regular_search *search, int level)
{
    static const char *const few[] = {"X", "Y", "Z"}, *const more[] = {"A", "B", "C", "D", "E"};
    struct tmap_shape shape = {.size = sizeof shape};
    enum tmap_shape_kind kind = tmap_tree_shape(search->tree, level - 1, &shape);
    if ((kind != TMAP_SHAPE_TORUS && kind != TMAP_SHAPE_MESH) || shape.dimensions > 5 ||
        tmap_layout_find_level(search->tree, "A") != level)
        return 0;
    for (int d = shape.dimensions - 1; d >= 0; d--)
        if (shape.extent[d] > 1 && search->letters < REGULAR_MOST_LETTERS) {
            search->dimensions |= 1u << search->letters;
            search->letter[search->letters++] = shape.dimensions <= 3 ? few[d] : more[d];
        }
    return 1;
}

static void regular_find_letters(struct regular_search *search)
{
    const struct tmap_tree *tree = search->tree;
    for (int level = tmap_tree_depth(tree); level >= 1; level--) {
        if (!regular_branches(tree, level) || regular_add_dimensions(search, level))
            continue;
        const char *letter = regular_letter_of(tree, level);
        if (letter && search->letters < REGULAR_MOST_LETTERS)
            search->letter[search->letters++] = letter;
        else
            search->found->unnamed++;
    }
}

/* Number of texts that the letters make. */
static double regular_count_texts(int letters, int subsets)
{
    double all = 0, of_length = 1;
    for (int i = 0; i < letters; i++) {
        of_length *= letters - i;
        all = subsets ? all + of_length : of_length;
    }
    return all;
}

/* A layout sorts all slots by each letter, however few roles there are; in trees so large that they
 * have no arrays it visits only those of the roles (lay-out.c). */
int regular_letters_in_time(const struct tmap_tree *tree, int32_t roles, size_t pairs, int letters)
{
    double slots = tree->capacity ? tmap_tree_slots(tree) : 0;
    double each = (roles + slots) * (letters + 1) + 2 * (double)pairs;
    int subsets = !tmap_tree_is_uniform(tree);
    while (letters > 1 && each * regular_count_texts(letters, subsets) > REGULAR_MOST_WORK)
        letters--;
    return letters;
}

static void regular_leave_out(struct regular_search *search, size_t pairs)
{
    int kept = regular_letters_in_time(search->tree, search->roles, pairs, search->letters);
    int left_out = search->letters - kept;
    memmove(search->letter, search->letter + left_out, sizeof search->letter[0] * (size_t)kept);
    search->letters = kept;
    search->dimensions >>= left_out;
    search->found->unnamed += left_out;
}

/* ---- the texts ---- */

int regular_layout_map(const struct tmap_tree *tree, const char *text, int32_t roles,
                       int32_t *slot_of, struct reseat_error *error)
{
    const struct tmap_layout layout = {.size = sizeof layout, .text = text};
    struct tmap_error why;
    return tmap_mapping_lay_out(tree, &layout, roles, slot_of, &why)
               ? reseat_fail(error, "%s", why.text)
               : 0;
}

uint64_t regular_mapping_key(const int32_t *slot_of, int32_t roles)
{
    uint64_t key = reseat_hash_empty;
    for (int32_t role = 0; role < roles; role++) {
        unsigned char bytes[4];
        for (int i = 0; i < 4; i++)
            bytes[i] = (unsigned char)((uint32_t)slot_of[role] >> 8 * i);
        key = reseat_hash_add(key, bytes, sizeof bytes);
    }
    return key;
}

static int regular_add_text(struct regular_search *search)
{
    struct regular_layouts *found = search->found;
    if (regular_layout_map(search->tree, search->text, search->roles, search->slot_of,
                           search->error))
        return -1;
    struct regular_layout layout = {.key = regular_mapping_key(search->slot_of, search->roles),
                                    .place = found->tried + 1};
    memcpy(layout.text, search->text, sizeof layout.text);
    return array_add(&found->layout, &found->tried, &layout, sizeof layout)
               ? reseat_fail(search->error, "out of memory")
               : 0;
}

/* Returns 1 if the letters so far are a layout. */
static int regular_is_text(const struct regular_search *search)
{
    unsigned dimensions = search->used & search->dimensions;
    int is_whole = search->used == (1u << search->letters) - 1;
    if (!search->subsets || is_whole)
        return !search->subsets && is_whole;
    return search->used && (!dimensions || dimensions == search->dimensions);
}

/* All texts that begin with the one that there is. */
static int regular_add_texts(struct regular_search *search)
{
    size_t length = strlen(search->text);
    if (regular_is_text(search) && regular_add_text(search))
        return -1;
    for (int i = 0; i < search->letters; i++) {
        if (search->used >> i & 1)
            continue;
        strcpy(search->text + length, search->letter[i]);
        search->used |= 1u << i;
        if (regular_add_texts(search))
            return -1;
        search->used &= ~(1u << i);
        search->text[length] = '\0';
    }
    return 0;
}

/* ---- those that differ ---- */

static int regular_by_key(const void *a, const void *b)
{
    const struct regular_layout *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Costs are 0 before they are known. */
static int regular_by_cost(const void *a, const void *b)
{
    const struct regular_layout *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void regular_keep_different(struct regular_layouts *found)
{
    qsort(found->layout, found->tried, sizeof *found->layout, regular_by_key);
    for (size_t i = 0; i < found->tried; i++)
        if (i == 0 || found->layout[i].key != found->layout[i - 1].key)
            found->layout[found->count++] = found->layout[i];
}

static int regular_price(const struct regular_search *search, const struct tmap_matrix *matrix)
{
    struct regular_layouts *found = search->found;
    for (size_t i = 0; i < found->count; i++) {
        struct tmap_cost cost;
        struct tmap_error why;
        if (regular_layout_map(search->tree, found->layout[i].text, search->roles, search->slot_of,
                               search->error))
            return -1;
        if (tmap_mapping_evaluate(matrix, search->tree, search->slot_of, &cost, &why))
            return reseat_fail(search->error, "%s", why.text);
        found->layout[i].cost = cost.cost;
    }
    qsort(found->layout, found->count, sizeof *found->layout, regular_by_cost);
    return 0;
}

int regular_layouts_find(struct regular_layouts *found, const struct tmap_matrix *matrix,
                         const struct tmap_tree *tree, struct reseat_error *error)
{
    struct regular_layouts mine = {0};
    struct regular_search search = {
        .tree = tree, .roles = tmap_matrix_roles(matrix), .found = &mine, .error = error};
    *found = mine;
    search.slot_of = malloc(sizeof *search.slot_of * ((size_t)search.roles + 1));
    if (!search.slot_of)
        return reseat_fail(error, "out of memory");
    regular_find_letters(&search);
    if (search.letters == 0) /* the leaves have this one where nothing branches */
        search.letter[search.letters++] = "h";
    regular_leave_out(&search, tmap_matrix_pairs(matrix));
    int rc = regular_add_texts(&search);
    search.subsets = 1;
    if (rc == 0 && !tmap_tree_is_uniform(tree))
        rc = regular_add_texts(&search);
    if (rc == 0) {
        regular_keep_different(&mine);
        rc = regular_price(&search, matrix);
    }
    free(search.slot_of);
    if (rc)
        regular_layouts_free(&mine);
    *found = mine;
    return rc;
}

void regular_layouts_free(struct regular_layouts *found)
{
    free(found->layout);
    *found = (struct regular_layouts){0};
}
