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

/* ---- groups ---- */

static void generate_group(struct generate_builder *b, const int32_t *member, int32_t size,
                           uint32_t most)
{
    for (int32_t i = 0; i < size; i++)
        for (int32_t j = 0; j < i; j++)
            if (member[i] != member[j])
                generate_add(b, member[i], member[j],
                             most + tmap_random_below(&b->random, 4 * most));
}

/* Groups of 4 to 15 ranks, each of which shares one to three with the next; and a quarter as many
 * small ones as there are ranks, of ranks within an eighth of all. */
void generate_communities(struct generate_builder *b, int parameter)
{
    int32_t member[16];
    (void)parameter;
    for (int32_t first = 0, size; first < b->roles;
         first += size - 1 - (int32_t)tmap_random_below(&b->random, 3)) {
        size = 4 + (int32_t)tmap_random_below(&b->random, 12);
        for (int32_t i = 0; i < size; i++)
            member[i] = first + i < b->roles ? first + i : b->roles - 1;
        generate_group(b, member, size, 5);
    }
    for (int32_t g = 0; g < b->roles / 4; g++) {
        int32_t size = 3 + (int32_t)tmap_random_below(&b->random, 4);
        int32_t first = (int32_t)tmap_random_below(&b->random, (uint32_t)b->roles);
        for (int32_t i = 0; i < size; i++)
            member[i] =
                (first + (int32_t)tmap_random_below(&b->random, (uint32_t)b->roles / 8 + 2)) %
                b->roles;
        generate_group(b, member, size, 1);
    }
}

/* Groups of about n^(2/3) ranks: in each a chain, and a quarter of all pairs; between each two of
 * them three pairs. */
void generate_dragonfly(struct generate_builder *b, int parameter)
{
    int32_t n = b->roles, groups = (int32_t)floor(cbrt(n) + 0.5), size = (n + groups - 1) / groups;
    (void)parameter;
    for (int32_t i = 0; i < n && b->status == TMAP_OK; i++)
        for (int32_t j = i / size * size; j < i; j++)
            if (j == i - 1 || tmap_random_below(&b->random, 4) == 0)
                generate_add(b, i, j, 20);
    for (int32_t x = 0; x * size < n; x++)
        for (int32_t y = 0; y < 3 * x; y++) {
            int32_t i = x * size + (int32_t)tmap_random_below(&b->random, (uint32_t)size);
            int32_t j = y / 3 * size + (int32_t)tmap_random_below(&b->random, (uint32_t)size);
            if (i < n)
                generate_add(b, i, j, 30);
        }
}

/* The stages of a transform: 2^k rows, at least k stages; a rank sends to the next stage, to its
 * own row and to the one whose number differs in the stage's bit. */
void generate_transform(struct generate_builder *b, int parameter)
{
    int bits = 1;
    (void)parameter;
    while ((int64_t)(bits + 1) << (bits + 1) <= b->roles)
        bits++;
    for (int32_t i = 0; i + (1 << bits) < b->roles; i++) {
        int32_t rows = 1 << bits, stage = i / rows, to = (stage + 1) * rows;
        int32_t other = to + (i % rows ^ 1 << stage % bits);
        generate_add(b, i, to + i % rows, 10);
        if (other < b->roles)
            generate_add(b, i, other, 10);
    }
}

/* A grid with diagonal neighbors of which a fifth is missing, as where the domain has holes; and a
 * sixteenth of the ranks, the last ones, that talk to nobody. */
void generate_holes(struct generate_builder *b, int parameter)
{
    int32_t inside = b->roles - b->roles / 16, side = (int32_t)ceil(sqrt(1.25 * inside)), id = 0;
    int32_t cells = side * side, *number = malloc(sizeof *number * (size_t)cells);
    (void)parameter;
    if (!number) {
        b->status = TMAP_ENOMEM;
        return;
    }
    for (int32_t c = 0; c < cells; c++)
        number[c] = tmap_random_below(&b->random, (uint32_t)(cells - c)) < (uint32_t)(inside - id)
                        ? id++
                        : -1;
    for (int32_t c = 0; c < cells; c++)
        for (int32_t k = 5; k < 9 && number[c] >= 0; k++) { /* each pair once */
            int32_t x = c % side + k % 3 - 1, y = c / side + k / 3 - 1;
            if (x >= 0 && x < side && y < side && number[y * side + x] >= 0)
                generate_add(b, number[c], number[y * side + x], k % 2 ? 4 : 1);
        }
    free(number);
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
