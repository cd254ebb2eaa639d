/* SPDX-License-Identifier: BSD-3-Clause */
/* generate.c - see generate.h: the table of generators, the text, and what is common to all. */
#include "generate/generate-builder.h"

#include "text/number.h"

/* The meaning of AxB... for a generator. */
enum generate_size {
    GENERATE_PLAIN, /* only a number of ranks */
    GENERATE_GRID, /* extents whose product is the number of ranks, as many as the parameter says */
    GENERATE_ANY,  /* the same, any number of them */
    GENERATE_GROUPS, /* how many groups of which size */
    GENERATE_LEVELS  /* arities; a number of ranks that is not their product is possible */
};

/* Mirrored: pairs are generated once, and send the same both ways. */
static const struct {
    const char *name;
    generate_fn *fill;
    int parameter;
    enum generate_size size;
    int is_mirrored;
} generators[] = {
    {"stencil2d", generate_stencil, 2, GENERATE_GRID, 0},
    {"stencil2d5", generate_stencil, 2, GENERATE_GRID, 0},
    {"stencil2d9", generate_stencil, -2, GENERATE_GRID, 0},
    {"stencil3d", generate_stencil, 3, GENERATE_GRID, 0},
    {"stencil3d7", generate_stencil, 3, GENERATE_GRID, 0},
    {"stencil3d27", generate_stencil, -3, GENERATE_GRID, 0},
    {"stencil4d", generate_stencil, 4, GENERATE_GRID, 0},
    {"stencil4d9", generate_stencil, 4, GENERATE_GRID, 0},
    {"stencil4d81", generate_stencil, -4, GENERATE_GRID, 0},
    {"torus", generate_torus, 0, GENERATE_ANY, 1},
    {"ring", generate_ring, 0, GENERATE_PLAIN, 0},
    {"hypercube", generate_hypercube, 0, GENERATE_PLAIN, 0},
    {"butterfly", generate_hypercube, 1, GENERATE_PLAIN, 0},
    {"alltoall", generate_all, 1, GENERATE_PLAIN, 1},
    {"dense", generate_all, 0, GENERATE_PLAIN, 1},
    {"random", generate_random, 4, GENERATE_PLAIN, 1},
    {"rmat", generate_rmat, 0, GENERATE_PLAIN, 0},
    {"geometric", generate_geometric, 0, GENERATE_PLAIN, 1},
    {"mesh", generate_mesh, 0, GENERATE_PLAIN, 1},
    {"cliques", generate_cliques, 12, GENERATE_GROUPS, 1},
    {"planted", generate_planted, 0, GENERATE_LEVELS, 1},
    {"communities", generate_communities, 0, GENERATE_PLAIN, 1},
    {"dragonfly", generate_dragonfly, 0, GENERATE_PLAIN, 1},
    {"transform", generate_transform, 0, GENERATE_PLAIN, 1},
    {"holes", generate_holes, 0, GENERATE_PLAIN, 1},
};
enum { GENERATORS = sizeof generators / sizeof *generators };

/* ---- the text ---- */

static const char generate_shuffled[] = "-shuffled";
enum { GENERATE_SHUFFLED = sizeof generate_shuffled - 1 };

/* The row of the generator with which a text begins; -1: none. */
static int generate_find(const char *text)
{
    size_t length = strcspn(text, ":-");
    for (int i = 0; i < GENERATORS; i++)
        if (strlen(generators[i].name) == length && memcmp(generators[i].name, text, length) == 0)
            return i;
    return -1;
}

int generate_is_name(const char *text)
{
    return generate_find(text) >= 0;
}

/* Take the word that says that roles are renamed, if *text begins with it. */
static void generate_take_shuffled(struct generate_pattern *pattern, const char **text)
{
    if (strncmp(*text, generate_shuffled, GENERATE_SHUFFLED) != 0)
        return;
    pattern->is_shuffled = 1;
    *text += GENERATE_SHUFFLED;
}

static enum tmap_status generate_take_size(struct generate_pattern *pattern, const char **text,
                                           struct tmap_error *error)
{
    uint64_t extent, roles = 1;
    for (;;) {
        if (pattern->extents == TMAP_MAX_LEVELS)
            return tmap_fail(error, TMAP_EOVERFLOW, "more than %d extents", TMAP_MAX_LEVELS);
        if (read_number(text, GENERATE_MOST_ROLES, &extent) || extent == 0)
            return tmap_fail(error, TMAP_ESYNTAX,
                             "after its name a pattern has a number of ranks, or extents like 4x4, "
                             "each from 1 to %d",
                             GENERATE_MOST_ROLES);
        pattern->extent[pattern->extents++] = (int32_t)extent;
        roles *= extent;
        if (roles > GENERATE_MOST_ROLES)
            return tmap_fail(error, TMAP_EOVERFLOW, "more than %d ranks", GENERATE_MOST_ROLES);
        if (**text != 'x' && **text != ',')
            break;
        ++*text;
    }
    pattern->roles = (int32_t)roles;
    return TMAP_OK;
}

/* Checks that the generator can have these extents. */
static enum tmap_status generate_check_size(const struct generate_pattern *pattern,
                                            struct tmap_error *error)
{
    int kind = pattern->kind, count = pattern->extents;
    int wanted = generators[kind].parameter;
    wanted = wanted < 0 ? -wanted : wanted;
    switch (generators[kind].size) {
    case GENERATE_PLAIN:
        return count <= 1 ? TMAP_OK
                          : tmap_fail(error, TMAP_ESYNTAX, "%s takes a number of ranks",
                                      generators[kind].name);
    case GENERATE_GRID:
        return count <= 1 || count == wanted
                   ? TMAP_OK
                   : tmap_fail(error, TMAP_ESYNTAX, "%s takes a number of ranks or %d extents",
                               generators[kind].name, wanted);
    case GENERATE_GROUPS:
        return count <= 2 ? TMAP_OK
                          : tmap_fail(error, TMAP_ESYNTAX,
                                      "%s takes a number of ranks, or of groups and their size",
                                      generators[kind].name);
    case GENERATE_ANY:
    case GENERATE_LEVELS:
        break;
    }
    return TMAP_OK;
}

enum tmap_status generate_parse(struct generate_pattern *pattern, const char *text,
                                struct tmap_error *error)
{
    struct generate_pattern found = {.kind = generate_find(text)};
    enum tmap_status status = TMAP_OK;
    if (found.kind < 0)
        return tmap_fail(error, TMAP_ESYNTAX, "there is no pattern of that name");
    text += strlen(generators[found.kind].name);
    generate_take_shuffled(&found, &text);
    if (*text == ':') {
        text++;
        status = generate_take_size(&found, &text, error);
        generate_take_shuffled(&found, &text);
    }
    if (status == TMAP_OK)
        status = generate_check_size(&found, error);
    if (status == TMAP_OK && *text == ':') {
        text++;
        if (read_number(&text, UINT64_C(1) << 40, &found.heaviest) || found.heaviest == 0)
            return tmap_fail(error, TMAP_ESYNTAX,
                             "the bytes of the heaviest pair are a number from 1 to 2^40");
    }
    if (status == TMAP_OK && *text)
        return tmap_fail(error, TMAP_ESYNTAX, "'%.40s' is not expected", text);
    if (status == TMAP_OK)
        *pattern = found;
    return status;
}

/* ---- the traffic ---- */

static void generate_rename_roles(struct generate_builder *b)
{
    int32_t *name = malloc(sizeof *name * (size_t)b->roles);
    if (!name) {
        b->status = TMAP_ENOMEM;
        return;
    }
    for (int32_t i = 0; i < b->roles; i++)
        name[i] = i;
    tmap_random_shuffle(&b->random, name, b->roles);
    for (size_t e = 0; e < b->count; e++) {
        b->entry[e].source = name[b->entry[e].source];
        b->entry[e].target = name[b->entry[e].target];
    }
    free(name);
}

/* Fill a builder; what the generator does not say about directions is left out. */
static enum tmap_status generate_fill(struct generate_builder *b,
                                      const struct generate_pattern *pattern, int32_t roles,
                                      uint64_t seed)
{
    enum generate_size size = generators[pattern->kind].size;
    int has_extents = pattern->extents > 1 || (size == GENERATE_ANY && pattern->extents);
    if (roles < 1 || roles > GENERATE_MOST_ROLES ||
        (has_extents && (size == GENERATE_GRID || size == GENERATE_ANY) && roles != pattern->roles))
        return TMAP_EINVAL;
    *b = (struct generate_builder){
        .roles = roles, .extents = has_extents ? pattern->extents : 0, .extent = pattern->extent};
    tmap_random_init(&b->random, seed);
    generators[pattern->kind].fill(b, generators[pattern->kind].parameter);
    tmap_random_init(&b->random, seed + 1);
    if (b->status == TMAP_OK && pattern->is_shuffled)
        generate_rename_roles(b);
    return b->status;
}

static void generate_mirror(struct generate_builder *b)
{
    size_t count = b->count;
    for (size_t e = 0; e < count; e++)
        generate_add(b, b->entry[e].target, b->entry[e].source, b->entry[e].weight);
}

static int generate_ascending(const void *a, const void *b)
{
    const struct tmap_entry *x = a, *y = b;
    return x->source != y->source ? (x->source > y->source) - (x->source < y->source)
                                  : (x->target > y->target) - (x->target < y->target);
}

/* One entry for each directed pair, and the heaviest of them as the text says. */
static void generate_merge(struct generate_builder *b, uint64_t wanted)
{
    size_t kept = 0;
    uint64_t heaviest = 1;
    if (b->count > 1)
        qsort(b->entry, b->count, sizeof *b->entry, generate_ascending);
    for (size_t e = 0; e < b->count; e++) {
        if (kept > 0 && generate_ascending(&b->entry[kept - 1], &b->entry[e]) == 0)
            b->entry[kept - 1].weight += b->entry[e].weight;
        else
            b->entry[kept++] = b->entry[e];
        heaviest = b->entry[kept - 1].weight > heaviest ? b->entry[kept - 1].weight : heaviest;
    }
    b->count = kept;
    for (size_t e = 0; wanted && e < kept; e++) {
        double scaled = (double)b->entry[e].weight * ((double)wanted / (double)heaviest);
        b->entry[e].weight = scaled < 1 ? 1 : (uint64_t)(scaled + 0.5);
    }
}

enum tmap_status generate_traffic(struct tmap_entry **entries, size_t *count,
                                  const struct generate_pattern *pattern, int32_t roles,
                                  uint64_t seed, struct tmap_error *error)
{
    struct generate_builder b = {.entry = NULL};
    enum tmap_status status = generate_fill(&b, pattern, roles, seed);
    if (status == TMAP_OK && generators[pattern->kind].is_mirrored)
        generate_mirror(&b);
    if (status == TMAP_OK)
        status = b.status;
    if (status != TMAP_OK) {
        free(b.entry);
        return status == TMAP_EOVERFLOW
                   ? tmap_fail(error, status, "more than %d pairs of ranks", GENERATE_MOST_ENTRIES)
                   : tmap_fail(error, status, "%s", tmap_status_text(status));
    }
    generate_merge(&b, pattern->heaviest);
    *entries = b.entry;
    *count = b.count;
    return TMAP_OK;
}

struct tmap_matrix *generate_matrix(const char *text, int32_t roles, uint64_t seed)
{
    struct generate_pattern pattern;
    struct generate_builder b = {.entry = NULL};
    struct tmap_matrix *matrix = NULL;
    if (generate_parse(&pattern, text, NULL) == TMAP_OK &&
        generate_fill(&b, &pattern, roles, seed) == TMAP_OK)
        tmap_matrix_create(&matrix, roles, b.entry, b.count, NULL);
    free(b.entry);
    return matrix;
}
