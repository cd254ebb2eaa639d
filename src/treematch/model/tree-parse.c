/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree-parse.c - a uniform tree from text: "4 4 3 2" or "node:4 package:2 core:8".
 *
 * A level's cost is the default distance of the kind of object that it branches below: the kind
 * named by the level before; for the first level, "machine" if it names nodes or switches and
 * "node" if it names something inside a node. Several levels of switches are spaced between the
 * two. With a kind that has no default distance, or with bare arities, all costs are hops.
 */
#include "treematch/internal.h"

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

/* 1 when all levels have a default distance. */
static int default_costs(struct tmap_level *levels, int depth)
{
    const char *kind = "machine";
    double inside = tmap_level_default_cost(levels[0].name);
    int switches = 0;
    if (inside >= 0 && inside < tmap_level_default_cost("node"))
        kind = "node";
    while (switches < depth && strcmp(levels[switches].name, "switch") == 0)
        switches++;
    for (int l = 0; l < depth; l++) {
        levels[l].cost = l > 0 && l <= switches ? tmap_switch_cost(l - 1, switches)
                                                : tmap_level_default_cost(kind);
        if (levels[l].cost < 0)
            return 0;
        kind = levels[l].name;
    }
    return 1;
}

static enum tmap_status parse_levels(const char *text, struct tmap_level *levels, int32_t *arity,
                                     int *depth, struct tmap_error *error)
{
    struct word word;
    int named = 0, count = 0;
    while (next_word(&text, &word)) {
        if (count == TMAP_MAX_LEVELS)
            return tmap_fail(error, TMAP_ESYNTAX, "more than %d levels", TMAP_MAX_LEVELS);
        enum tmap_status status = parse_word(&word, &levels[count], &arity[count], error);
        if (status != TMAP_OK)
            return status;
        named += word.name_length > 0;
        count++;
        if (named != 0 && named != count)
            return tmap_fail(error, TMAP_ESYNTAX, "'%.*s': either all levels have a name or none",
                             word.length < 100 ? word.length : 100, word.text);
    }
    if (count == 0)
        return tmap_fail(error, TMAP_ESYNTAX,
                         "no levels: expected arities like \"4 2 8\" or "
                         "named levels like \"node:4 package:2 core:8\"");
    *depth = named ? count : -count;
    return TMAP_OK;
}

enum tmap_status tmap_tree_parse(struct tmap_tree **tree, const char *text,
                                 struct tmap_error *error)
{
    struct tmap_level levels[TMAP_MAX_LEVELS] = {0};
    int32_t arity[TMAP_MAX_LEVELS];
    int depth = 0;
    enum tmap_status status = parse_levels(text, levels, arity, &depth, error);
    if (status != TMAP_OK)
        return status;
    if (depth < 0)
        return tmap_tree_create_uniform(tree, -depth, arity, NULL, error);
    if (!default_costs(levels, depth)) {
        for (int l = 0; l < depth; l++)
            levels[l].cost = 2 * (depth - l);
    }
    return tmap_tree_create_uniform(tree, depth, arity, levels, error);
}
