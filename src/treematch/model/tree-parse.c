/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree-parse.c - a tree from text: "4 4 3 2", "node:4 package:2 core:8", "torus:4x4x4 node:4
 * core:8".
 *
 * A level's cost is the default distance of the kind of object that it branches below: the kind
 * named by the level before; for the first level, "machine" if it names nodes or switches and
 * "node" if it names something inside a node. Several levels of switches are spaced between the
 * two. With a kind that has no default distance, or with bare arities, all costs are hops.
 *
 * A shape connects nodes if it is the last level or the next one is inside a node, otherwise
 * routers. The cost of its level is that of one hop.
 */
#include "treematch/model/shape-words.h"

#include <stdio.h>

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',';
}

/* A word of `length` characters: digits, or name:digits. */
struct word {
    const char *text;
    int length;
    int name_length; /* 0: bare */
};

static int next_word(const char **text, struct word *word)
{
    while (is_space(**text))
        (*text)++;
    word->text = *text;
    word->name_length = 0;
    while (**text && !is_space(**text)) {
        if (**text == ':' && word->name_length == 0)
            word->name_length = (int)(*text - word->text);
        (*text)++;
    }
    word->length = (int)(*text - word->text);
    return word->length > 0;
}

static enum tmap_status parse_arity(const struct word *word, int32_t *number,
                                    struct tmap_error *error)
{
    int64_t value = 0;
    int at = word->name_length > 0 ? word->name_length + 1 : 0;
    int shown = word->length < 100 ? word->length : 100;
    int valid = at < word->length;
    for (; at < word->length && valid; at++) {
        valid = word->text[at] >= '0' && word->text[at] <= '9';
        value = value * 10 + (word->text[at] - '0');
        if (valid && value > INT32_MAX)
            return tmap_fail(error, TMAP_EOVERFLOW, "'%.*s': number too large", shown, word->text);
    }
    if (!valid || value < 1)
        return tmap_fail(error, TMAP_ESYNTAX, "'%.*s' is neither a number >= 1 nor name:number",
                         shown, word->text);
    *number = (int32_t)value;
    return TMAP_OK;
}

/* All levels, as the text has them. */
struct parsed_levels {
    int depth, named;
    struct tmap_level level[TMAP_MAX_LEVELS];
    int32_t arity[TMAP_MAX_LEVELS];
    struct tmap_shape shape[TMAP_MAX_LEVELS];
    struct tmap_link *link[TMAP_MAX_LEVELS]; /* of the shape, from malloc */
};

static enum tmap_status parse_word(const struct word *word, struct tmap_level *level,
                                   int32_t *arity, struct tmap_error *error)
{
    if (word->name_length >= TMAP_NAME_SIZE)
        return tmap_fail(error, TMAP_ESYNTAX, "'%.40s...': the name is too long", word->text);
    for (int i = 0; i < word->name_length; i++) /* names are printed */
        if (word->text[i] <= ' ' || word->text[i] > '~')
            return tmap_fail(error, TMAP_ESYNTAX,
                             "the name of a level can have only printable ASCII characters");
    memcpy(level->name, word->text, (size_t)word->name_length);
    level->name[word->name_length] = '\0';
    return parse_arity(word, arity, error);
}

/* Returns 1 if a kind of object is inside a node. */
static int is_inside(const char *name)
{
    double cost = tmap_level_default_cost(name);
    return cost >= 0 && cost < tmap_level_default_cost("node");
}

static void name_shaped_levels(struct parsed_levels *levels)
{
    for (int l = 0; l < levels->depth; l++)
        if (levels->shape[l].kind != TMAP_SHAPE_NONE)
            snprintf(levels->level[l].name, TMAP_NAME_SIZE, "%s",
                     l + 1 == levels->depth || is_inside(levels->level[l + 1].name) ? "node"
                                                                                    : "router");
}

/* 1 when all levels have a default distance. */
static int default_costs(struct tmap_level *levels, int depth)
{
    const char *kind = is_inside(levels[0].name) ? "node" : "machine";
    int switches = 0;
    while (switches < depth && strcmp(levels[switches].name, "switch") == 0)
        switches++;
    for (int l = 0; l < depth; l++) {
        levels[l].cost = l > 0 && l <= switches ? tmap_switch_cost(l - 1, switches)
                                                : tmap_level_default_cost(kind);
        if (levels[l].cost < 0)
            return 0;
        kind = levels[l].name;
    }
    tmap_levels_raise_costs(levels, depth);
    return 1;
}

static enum tmap_status parse_level(struct parsed_levels *levels, const struct word *word,
                                    struct tmap_error *error)
{
    int l = levels->depth;
    if (l == TMAP_MAX_LEVELS)
        return tmap_fail(error, TMAP_ESYNTAX, "more than %d levels", TMAP_MAX_LEVELS);
    if (word->name_length > 0 && tmap_shape_is_word(word->text, word->name_length)) {
        enum tmap_status status = tmap_shape_parse(&levels->shape[l], word->text, word->length,
                                                   &levels->arity[l], &levels->link[l], error);
        if (status != TMAP_OK)
            return status;
    } else {
        enum tmap_status status = parse_word(word, &levels->level[l], &levels->arity[l], error);
        if (status != TMAP_OK)
            return status;
    }
    levels->named += word->name_length > 0;
    levels->depth++;
    if (levels->named != 0 && levels->named != levels->depth)
        return tmap_fail(error, TMAP_ESYNTAX, "'%.*s': either all levels have a name or none",
                         word->length < 100 ? word->length : 100, word->text);
    return TMAP_OK;
}

static enum tmap_status parse_levels(struct parsed_levels *levels, const char *text,
                                     struct tmap_error *error)
{
    struct word word;
    while (next_word(&text, &word)) {
        enum tmap_status status = parse_level(levels, &word, error);
        if (status != TMAP_OK)
            return status;
    }
    if (levels->depth == 0)
        return tmap_fail(error, TMAP_ESYNTAX,
                         "no levels: expected arities like \"4 2 8\" or "
                         "named levels like \"node:4 package:2 core:8\"");
    return TMAP_OK;
}

/* Names and costs, if the text has names. */
static void set_up_levels(struct parsed_levels *levels)
{
    name_shaped_levels(levels);
    if (!default_costs(levels->level, levels->depth)) {
        for (int l = 0; l < levels->depth; l++)
            levels->level[l].cost = 2 * (levels->depth - l);
    }
}

static enum tmap_status add_shapes(struct tmap_tree **tree, const struct parsed_levels *levels,
                                   struct tmap_error *error)
{
    enum tmap_status status = TMAP_OK;
    for (int l = 0; l < levels->depth && status == TMAP_OK; l++) {
        struct tmap_tree *shaped;
        if (levels->shape[l].kind == TMAP_SHAPE_NONE)
            continue;
        status = tmap_tree_copy_with_shape(&shaped, *tree, l, &levels->shape[l], NULL, error);
        if (status == TMAP_OK) {
            tmap_tree_destroy(*tree);
            *tree = shaped;
        }
    }
    return status;
}

static enum tmap_status tree_from_levels(struct tmap_tree **result, struct parsed_levels *levels,
                                         struct tmap_error *error)
{
    struct tmap_tree *tree = NULL;
    if (levels->named)
        set_up_levels(levels);
    enum tmap_status status = tmap_tree_create_uniform(&tree, levels->depth, levels->arity,
                                                       levels->named ? levels->level : NULL, error);
    if (status == TMAP_OK)
        status = add_shapes(&tree, levels, error);
    if (status == TMAP_OK)
        *result = tree;
    else
        tmap_tree_destroy(tree);
    return status;
}

enum tmap_status tmap_tree_parse(struct tmap_tree **tree, const char *text,
                                 struct tmap_error *error)
{
    struct parsed_levels *levels = tmap_new_zero(1, sizeof *levels);
    if (!levels)
        return tmap_fail_memory(error);
    enum tmap_status status = parse_levels(levels, text, error);
    if (status == TMAP_OK)
        status = tree_from_levels(tree, levels, error);
    for (int l = 0; l < TMAP_MAX_LEVELS; l++)
        free(levels->link[l]);
    free(levels);
    return status;
}
