/* SPDX-License-Identifier: BSD-3-Clause */
/* generate-graphs.c - see generate-builder.h: patterns made at random. */
#include "generate/generate-builder.h"

#include <math.h>
#include <stdio.h>

void generate_random(struct generate_builder *b, int parameter)
{
    for (int32_t i = 0; i < b->roles && b->roles > 1; i++) {
        for (int k = 0; k < parameter; k++) {
            int32_t other = (int32_t)tmap_random_below(&b->random, (uint32_t)b->roles - 1);
            generate_add(b, i, other + (other >= i), 1 + tmap_random_below(&b->random, 1000));
        }
    }
}

/* Chakrabarti, Zhan, Faloutsos 2004. */
void generate_rmat(struct generate_builder *b, int parameter)
{
    int bits = 1;
    (void)parameter;
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
            generate_add(b, i, j, 1 + tmap_random_below(&b->random, 100));
    }
}

/* ---- points in the unit square ---- */

struct generate_points {
    double *x, *y, radius;
    int32_t cells;        /* along each side, as wide as the radius at least */
    int32_t *head, *next; /* the points of a cell */
};

/* 0, or -1: out of memory. */
static int generate_throw_points(struct generate_points *points, struct generate_builder *b)
{
    int32_t n = b->roles;
    points->radius = 0.55 * sqrt(log(n + 1.0) / n) * 1.4;
    points->cells = (int32_t)(1 / points->radius) + 1;
    size_t cells = (size_t)points->cells * (size_t)points->cells;
    points->x = malloc(sizeof *points->x * 2 * (size_t)n);
    points->head = malloc(sizeof *points->head * cells);
    points->next = malloc(sizeof *points->next * (size_t)n);
    if (!points->x || !points->head || !points->next)
        return -1;
    points->y = points->x + n;
    memset(points->head, 0xff, sizeof *points->head * cells);
    for (int32_t i = 0; i < n; i++) {
        points->x[i] = (double)(tmap_random_next(&b->random) >> 11) / 9007199254740992.0;
        points->y[i] = (double)(tmap_random_next(&b->random) >> 11) / 9007199254740992.0;
        int32_t cell = (int32_t)(points->x[i] * points->cells) * points->cells +
                       (int32_t)(points->y[i] * points->cells);
        points->next[i] = points->head[cell];
        points->head[cell] = i;
    }
    return 0;
}

/* Point i with the points before it that are near. */
static void generate_connect(struct generate_builder *b, const struct generate_points *points,
                             int32_t i)
{
    int32_t cells = points->cells;
    int32_t cx = (int32_t)(points->x[i] * cells), cy = (int32_t)(points->y[i] * cells);
    for (int32_t c = 0; c < 9; c++) {
        int32_t u = cx + c / 3 - 1, v = cy + c % 3 - 1;
        if (u < 0 || v < 0 || u >= cells || v >= cells)
            continue;
        for (int32_t j = points->head[u * cells + v]; j >= 0; j = points->next[j]) {
            double d = hypot(points->x[i] - points->x[j], points->y[i] - points->y[j]);
            if (j < i && d < points->radius)
                generate_add(b, i, j, 1 + (uint64_t)(1000 * (1 - d / points->radius)));
        }
    }
}

/* A bit more than connected. */
void generate_geometric(struct generate_builder *b, int parameter)
{
    struct generate_points points = {.x = NULL};
    (void)parameter;
    if (generate_throw_points(&points, b))
        b->status = TMAP_ENOMEM;
    for (int32_t i = 0; i < b->roles && b->status == TMAP_OK; i++)
        generate_connect(b, &points, i);
    free(points.x);
    free(points.head);
    free(points.next);
}

/* The pattern of a domain decomposition: a mesh of 48 points a role is cut into equal parts, and
 * two parts exchange what crosses between them. */
void generate_mesh(struct generate_builder *b, int parameter)
{
    enum { POINTS = 48 };
    struct tmap_options options = {
        .size = sizeof options, .method = "multilevel", .effort = TMAP_EFFORT_FAST, .seed = 1};
    struct generate_builder fine = {.roles = b->roles * POINTS, .random = b->random};
    struct tmap_matrix *mesh = NULL;
    struct tmap_tree *tree = NULL;
    char text[32];
    int32_t *part = malloc(sizeof *part * (size_t)fine.roles);
    (void)parameter;
    generate_geometric(&fine, 0);
    snprintf(text, sizeof text, "%d %d", (int)b->roles, POINTS);
    b->status = part ? fine.status : TMAP_ENOMEM;
    if (b->status == TMAP_OK)
        b->status = tmap_tree_parse(&tree, text, NULL);
    if (b->status == TMAP_OK)
        b->status = tmap_matrix_create(&mesh, fine.roles, fine.entry, fine.count, NULL);
    if (b->status == TMAP_OK)
        b->status = tmap_mapping_find(mesh, tree, &options, part, NULL);
    for (size_t i = 0; i < fine.count && b->status == TMAP_OK; i++) {
        int32_t from = part[fine.entry[i].source] / POINTS;
        int32_t to = part[fine.entry[i].target] / POINTS;
        if (from != to)
            generate_add(b, from, to, fine.entry[i].weight);
    }
    tmap_matrix_destroy(mesh);
    tmap_tree_destroy(tree);
    free(fine.entry);
    free(part);
}

/* ---- hierarchies ---- */

/* Each role talks to `few` others within its object of every level, less with every level up, so
 * that the hierarchy is plain and the matrix sparse. Innermost groups talk all to all. */
void generate_planted(struct generate_builder *b, int parameter)
{
    int32_t size[TMAP_MAX_LEVELS + 1];
    int depth = b->extents ? b->extents : 1;
    (void)parameter;
    size[depth] = 1;
    size[0] = b->roles;
    for (int l = depth - 1; l >= 0 && b->extents; l--)
        size[l] = size[l + 1] * b->extent[l];
    for (int32_t i = 0; i < b->roles; i++) {
        uint64_t weight = 1;
        for (int l = 0; l < depth; l++, weight *= weight < UINT64_C(1) << 40 ? 16 : 1) {
            int32_t first = i / size[l] * size[l];
            int32_t few = size[l] <= 64 ? size[l] : 8;
            for (int32_t k = 0; k < few; k++) {
                int32_t j = size[l] <= 64
                                ? first + k
                                : first + (int32_t)tmap_random_below(&b->random, (uint32_t)size[l]);
                if (j < b->roles && j != i)
                    generate_add(b, i, j, weight * 64 + tmap_random_below(&b->random, 16));
            }
        }
    }
}
