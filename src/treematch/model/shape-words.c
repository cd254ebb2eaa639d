/* SPDX-License-Identifier: BSD-3-Clause */
/* shape-words.c - shapes as words of a tree's text. */
#include "treematch/model/shape-words.h"

enum shape_word { WORD_TORUS, WORD_MESH, WORD_RING, WORD_HYPERCUBE, WORD_DRAGONFLY, WORDS };

static const struct {
    const char *name;
    int least, most; /* numbers behind it */
    const char *form;
} shape_words[WORDS] = {
    [WORD_TORUS] = {"torus", 1, TMAP_MAX_DIMENSIONS, "torus:4x4x4"},
    [WORD_MESH] = {"mesh", 1, TMAP_MAX_DIMENSIONS, "mesh:16x16"},
    [WORD_RING] = {"ring", 1, 1, "ring:8"},
    [WORD_HYPERCUBE] = {"hypercube", 1, 1, "hypercube:6, for 2^6 positions"},
    [WORD_DRAGONFLY] = {"dragonfly", 2, 2, "dragonfly:9x8, for 9 groups of 8 routers"},
};

static enum shape_word find_word(const char *name, int length)
{
    int w = 0;
    while (w < WORDS && ((int)strlen(shape_words[w].name) != length ||
                         strncmp(shape_words[w].name, name, (size_t)length) != 0))
        w++;
    return (enum shape_word)w;
}

int tmap_shape_is_word(const char *name, int length)
{
    return find_word(name, length) != WORDS;
}

/* Numbers >= 1 with an x between them; returns how many, 0: something else. Those above the limit
 * of positions are cut to one more than it. */
static int parse_numbers(const char *text, const char *end, int32_t *number, int most)
{
    int count = 0;
    for (;; text++) {
        int64_t value = 0;
        const char *begin = text;
        for (; text < end && *text >= '0' && *text <= '9'; text++)
            if (value <= TMAP_MAX_POSITIONS)
                value = value * 10 + (*text - '0');
        if (text == begin || value < 1 || count == most)
            return 0;
        number[count++] = value > TMAP_MAX_POSITIONS ? TMAP_MAX_POSITIONS + 1 : (int32_t)value;
        if (text == end)
            return count;
        if (*text != 'x')
            return 0;
    }
}

static enum tmap_status make_dragonfly(struct tmap_shape *shape, const int32_t *number,
                                       struct tmap_link **link, struct tmap_error *error)
{
    int64_t links = tmap_shape_dragonfly(number[0], number[1], NULL);
    if (links < 0 || links > TMAP_MAX_LINKS)
        return tmap_fail(error, TMAP_EOVERFLOW,
                         "a dragonfly of more than %d routers or more than %d links",
                         TMAP_MAX_POSITIONS, TMAP_MAX_LINKS);
    *link = tmap_new((size_t)links, sizeof **link);
    if (!*link)
        return tmap_fail_memory(error);
    tmap_shape_dragonfly(number[0], number[1], *link);
    shape->kind = TMAP_SHAPE_GRAPH;
    shape->positions = number[0] * number[1];
    shape->group = number[1];
    shape->links = (size_t)links;
    shape->link = *link;
    return TMAP_OK;
}

static enum tmap_status make_shape(struct tmap_shape *shape, enum shape_word word, int numbers,
                                   int32_t *number, struct tmap_error *error)
{
    shape->kind = word == WORD_TORUS || word == WORD_RING ? TMAP_SHAPE_TORUS : TMAP_SHAPE_MESH;
    if (word == WORD_HYPERCUBE) {
        numbers = number[0];
        if (numbers > TMAP_MAX_DIMENSIONS)
            return tmap_fail(error, TMAP_EOVERFLOW, "a hypercube of more than %d dimensions",
                             TMAP_MAX_DIMENSIONS);
        for (int d = 0; d < numbers; d++)
            number[d] = 2;
    }
    shape->dimensions = numbers;
    memcpy(shape->extent, number, (size_t)numbers * sizeof *number);
    return TMAP_OK;
}

/* The product of the extents; more than the limit: one more than it. */
static int32_t count_positions(const struct tmap_shape *shape)
{
    int64_t positions = 1;
    for (int d = 0; d < shape->dimensions && positions <= TMAP_MAX_POSITIONS; d++)
        positions *= shape->extent[d];
    return positions > TMAP_MAX_POSITIONS ? TMAP_MAX_POSITIONS + 1 : (int32_t)positions;
}

enum tmap_status tmap_shape_parse(struct tmap_shape *shape, const char *word, int length,
                                  int32_t *positions, struct tmap_link **link,
                                  struct tmap_error *error)
{
    int32_t number[TMAP_MAX_DIMENSIONS];
    const char *colon = memchr(word, ':', (size_t)length);
    enum shape_word kind = find_word(word, (int)(colon - word));
    int numbers = parse_numbers(colon + 1, word + length, number, shape_words[kind].most);
    enum tmap_status status;
    *shape = (struct tmap_shape){.size = sizeof *shape};
    *link = NULL;
    if (numbers < shape_words[kind].least)
        return tmap_fail(error, TMAP_ESYNTAX, "'%.*s': expected a shape like %s",
                         length < 100 ? length : 100, word, shape_words[kind].form);
    status = kind == WORD_DRAGONFLY ? make_dragonfly(shape, number, link, error)
                                    : make_shape(shape, kind, numbers, number, error);
    if (status != TMAP_OK)
        return status;
    *positions = shape->kind == TMAP_SHAPE_GRAPH ? shape->positions : count_positions(shape);
    if (*positions > TMAP_MAX_POSITIONS)
        return tmap_fail(error, TMAP_EOVERFLOW, "'%.*s': more than %d positions",
                         length < 100 ? length : 100, word, TMAP_MAX_POSITIONS);
    return TMAP_OK;
}
