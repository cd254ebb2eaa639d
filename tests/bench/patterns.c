/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * patterns.c - generators.
 */
#include "patterns.h"

#include <math.h>
#include <stdio.h>

struct builder {
    struct tmap_entry *entry;
    size_t count, room;
    int32_t roles;
    int failed;
    struct tmap_random random;
};

static void add(struct builder *builder, int64_t i, int64_t j, uint64_t weight)
{
    if (builder->count == builder->room) {
        size_t room = builder->room * 2 + 1024;
        void *larger = realloc(builder->entry, room * sizeof *builder->entry);
        if (!larger) {
            builder->failed = 1;
            return;
        }
        builder->entry = larger;
        builder->room = room;
    }
    builder->entry[builder->count++] = (struct tmap_entry){(int32_t)i, (int32_t)j, weight};
}

/* The most even factors of n, largest first. */
static void factor(int32_t n, int dimensions, int32_t *side)
{
    for (int d = dimensions; d > 1; d--) {
        int32_t best = 1;
        for (int32_t f = 1; pow(f, d) <= n * 1.0001; f++) {
            if (n % f == 0)
                best = f;
        }
        side[d - 1] = best;
        n /= best;
    }
    side[0] = n;
}

/* Neighbors in a box of side 3; all, or only those across a face. Faces 1000, edges 100, corners
 * 10. */
static void stencil(struct builder *b, int dimensions, int all)
{
    int32_t side[3] = {1, 1, 1};
    factor(b->roles, dimensions, side);
    for (int32_t i = 0; i < b->roles; i++) {
        int32_t z = i % side[2], y = i / side[2] % side[1], x = i / side[2] / side[1];
        for (int n = 0; n < 27; n++) {
            int dx = n / 9 - 1, dy = n / 3 % 3 - 1, dz = n % 3 - 1;
            int far = (dx != 0) + (dy != 0) + (dz != 0);
            int32_t u = x + dx, v = y + dy, w = z + dz;
            if (far == 0 || (!all && far > 1) || u < 0 || v < 0 || w < 0 || u >= side[0] ||
                v >= side[1] || w >= side[2])
                continue;
            add(b, i, ((int64_t)u * side[1] + v) * side[2] + w,
                far == 1   ? 1000
                : far == 2 ? 100
                           : 10);
        }
    }
}

static void hypercube(struct builder *b)
{
    for (int32_t i = 0; i < b->roles; i++) {
        for (int32_t bit = 1; bit < b->roles; bit *= 2)
            if ((i ^ bit) < b->roles)
                add(b, i, i ^ bit, 100);
    }
}

static void cliques(struct builder *b, int32_t size)
{
    for (int32_t i = 0; i < b->roles; i++) {
        for (int32_t j = i / size * size; j < i; j++)
            add(b, i, j, 1000);
        add(b, i, (i + size) % b->roles, 10);
    }
}

/* Points in the unit square, a bit more than connected. */
static void geometric(struct builder *b)
{
    int32_t n = b->roles, cells;
    double radius = 0.55 * sqrt(log(n + 1.0) / n) * 1.4;
    cells = (int32_t)(1 / radius) + 1;
    double *x = malloc(sizeof *x * 2 * (size_t)n), *y = x + n;
    int32_t *head = malloc(sizeof *head * (size_t)cells * (size_t)cells);
    int32_t *next = malloc(sizeof *next * (size_t)n);
    if (!x || !head || !next) {
        b->failed = 1;
        goto out;
    }
    memset(head, 0xff, sizeof *head * (size_t)cells * (size_t)cells);
    for (int32_t i = 0; i < n; i++) {
        x[i] = (double)(tmap_random_next(&b->random) >> 11) / 9007199254740992.0;
        y[i] = (double)(tmap_random_next(&b->random) >> 11) / 9007199254740992.0;
        int32_t cell = (int32_t)(x[i] * cells) * cells + (int32_t)(y[i] * cells);
        next[i] = head[cell];
        head[cell] = i;
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t cx = (int32_t)(x[i] * cells), cy = (int32_t)(y[i] * cells);
        for (int32_t c = 0; c < 9; c++) {
            int32_t u = cx + c / 3 - 1, v = cy + c % 3 - 1;
            if (u < 0 || v < 0 || u >= cells || v >= cells)
                continue;
            for (int32_t j = head[u * cells + v]; j >= 0; j = next[j]) {
                double d = hypot(x[i] - x[j], y[i] - y[j]);
                if (j < i && d < radius)
                    add(b, i, j, 1 + (uint64_t)(1000 * (1 - d / radius)));
            }
        }
    }
out:
    free(x);
    free(head);
    free(next);
}

/* What a domain decomposition looks like to MPI: a mesh of 48 points a role is cut into equal
 * parts, and two parts exchange what crosses between them. */
static void decomposed_mesh(struct builder *b)
{
    enum { POINTS = 48 };
    struct tmap_options options = {
        .size = sizeof options, .method = "multilevel", .effort = TMAP_EFFORT_FAST, .seed = 1};
    struct builder fine = {.roles = b->roles * POINTS, .random = b->random};
    struct tmap_matrix *mesh = NULL;
    struct tmap_tree *tree = NULL;
    char text[32];
    int32_t *part = malloc(sizeof *part * (size_t)fine.roles);
    geometric(&fine);
    snprintf(text, sizeof text, "%d %d", (int)b->roles, POINTS);
    b->failed = !part || fine.failed || tmap_tree_parse(&tree, text, NULL) ||
                tmap_matrix_create(&mesh, fine.roles, fine.entry, fine.count, NULL) ||
                tmap_mapping_find(mesh, tree, &options, part, NULL);
    for (size_t i = 0; i < fine.count && !b->failed; i++) {
        int32_t from = part[fine.entry[i].source] / POINTS;
        int32_t to = part[fine.entry[i].target] / POINTS;
        if (from != to)
            add(b, from, to, fine.entry[i].weight);
    }
    tmap_matrix_destroy(mesh);
    tmap_tree_destroy(tree);
    free(fine.entry);
    free(part);
}

static void rmat(struct builder *b)
{
    int bits = 1;
    while ((1 << bits) < b->roles)
        bits++;
    for (int64_t e = 0; e < 8 * (int64_t)b->roles; e++) {
        int32_t i = 0, j = 0;
        for (int bit = 0; bit < bits; bit++) {
            uint32_t r = tmap_random_below(&b->random, 100);
            i = 2 * i + (r >= 76);
            j = 2 * j + ((r >= 57 && r < 76) || r >= 95);
        }
        if (i < b->roles && j < b->roles)
            add(b, i, j, 1 + tmap_random_below(&b->random, 100));
    }
}

static void dense(struct builder *b, int even)
{
    for (int32_t i = 0; i < b->roles; i++) {
        for (int32_t j = 0; j < i; j++)
            add(b, i, j, even ? 1000 : 1 + tmap_random_below(&b->random, 1000));
    }
}

/* Each role talks to `few` others within its object of every level, less with every level up, so
 * that the hierarchy is plain and the matrix sparse. Innermost groups talk all to all. */
static void planted(struct builder *b, const char *text)
{
    int32_t arity[TMAP_MAX_LEVELS], size[TMAP_MAX_LEVELS + 1];
    int depth = 0;
    while (*text >= '0' && *text <= '9' && depth < TMAP_MAX_LEVELS) {
        arity[depth++] = (int32_t)strtol(text, (char **)&text, 10);
        text += *text == ',';
    }
    size[depth] = 1;
    for (int l = depth - 1; l >= 0; l--)
        size[l] = size[l + 1] * arity[l];
    for (int32_t i = 0; i < b->roles; i++) {
        uint64_t weight = 1;
        for (int l = 0; l < depth; l++, weight *= 16) {
            int32_t first = i / size[l] * size[l];
            int32_t few = size[l] <= 64 ? size[l] : 8;
            for (int32_t k = 0; k < few; k++) {
                int32_t j = size[l] <= 64
                                ? first + k
                                : first + (int32_t)tmap_random_below(&b->random, (uint32_t)size[l]);
                if (j < b->roles && j != i)
                    add(b, i, j, weight * 64 + tmap_random_below(&b->random, 16));
            }
        }
    }
}

/* Each role with its neighbors in a torus of the extents in `text`, whose product is the number of
 * roles. */
static void torus(struct builder *b, const char *text)
{
    int32_t stride = b->roles;
    while (*text >= '0' && *text <= '9') {
        int32_t extent = (int32_t)strtol(text, (char **)&text, 10);
        text += *text == 'x';
        b->failed |= extent < 1 || stride % extent;
        if (b->failed)
            return;
        stride /= extent;
        for (int32_t i = 0; i < b->roles; i++) {
            int32_t at = i / stride % extent;
            if (at + 1 < extent)
                add(b, i, i + stride, 1000);
            else if (extent > 2)
                add(b, i, i - at * stride, 1000);
        }
    }
    b->failed |= stride != 1;
}

static void ring(struct builder *b)
{
    for (int32_t i = 0; i < b->roles; i++)
        add(b, i, (i + 1) % b->roles, 1000);
}

static int generate(struct builder *b, const char *name)
{
    if (strncmp(name, "stencil2d5", 10) == 0)
        stencil(b, 2, 0);
    else if (strncmp(name, "stencil2d9", 10) == 0)
        stencil(b, 2, 1);
    else if (strncmp(name, "stencil3d7", 10) == 0)
        stencil(b, 3, 0);
    else if (strncmp(name, "stencil3d27", 11) == 0)
        stencil(b, 3, 1);
    else if (strncmp(name, "hypercube", 9) == 0)
        hypercube(b);
    else if (strncmp(name, "cliques", 7) == 0)
        cliques(b, 12);
    else if (strncmp(name, "geometric", 9) == 0)
        geometric(b);
    else if (strncmp(name, "mesh", 4) == 0)
        decomposed_mesh(b);
    else if (strncmp(name, "rmat", 4) == 0)
        rmat(b);
    else if (strncmp(name, "dense", 5) == 0)
        dense(b, 0);
    else if (strncmp(name, "alltoall", 8) == 0)
        dense(b, 1);
    else if (strncmp(name, "planted:", 8) == 0)
        planted(b, name + 8);
    else if (strncmp(name, "torus:", 6) == 0)
        torus(b, name + 6);
    else if (strncmp(name, "ring", 4) == 0)
        ring(b);
    else
        return 0;
    return !b->failed;
}

static int rename_roles(struct builder *b)
{
    int32_t *name = malloc(sizeof *name * (size_t)b->roles);
    if (!name)
        return 0;
    for (int32_t i = 0; i < b->roles; i++)
        name[i] = i;
    tmap_random_shuffle(&b->random, name, b->roles);
    for (size_t e = 0; e < b->count; e++) {
        b->entry[e].source = name[b->entry[e].source];
        b->entry[e].target = name[b->entry[e].target];
    }
    free(name);
    return 1;
}

struct tmap_matrix *pattern_make(const char *name, int32_t roles, uint64_t seed)
{
    struct builder builder = {.roles = roles};
    struct tmap_matrix *matrix = NULL;
    tmap_random_init(&builder.random, seed);
    int made = generate(&builder, name);
    tmap_random_init(&builder.random, seed + 1);
    if (made && (!strstr(name, "-shuffled") || rename_roles(&builder)))
        tmap_matrix_create(&matrix, roles, builder.entry, builder.count, NULL);
    free(builder.entry);
    return matrix;
}
