/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scotch-machine.c - architectures of Scotch for trees.
 *
 *   tleaf         uniform trees without shapes
 *   mesh, torus   one level of that shape, hops of equal length, one role a slot; a hypercube is a
 *                 mesh of extents 2. (In Scotch 7.0.3 a mesh made by SCOTCH_archMeshX has the
 *                 distances of a torus, so meshes of more than three dimensions are not made.)
 *   sub           a mesh or torus of which only some positions are in use
 *   deco          everything else: Scotch divides the whole graph. Of the two kinds, the second
 *                 takes a list of the vertices that hold roles and still divides by the rest of the
 *                 graph; the first (a table of all distances) is for graphs that hold roles
 *                 everywhere.
 */
#include "treematch/adapters/scotch-machine.h"

#include <math.h>

/* Scotch's limits of dimensions; slots for which it shall keep a table of distances. */
enum { TORUS_DIMENSIONS = 5, MESH_DIMENSIONS = 3, MOST_IN_TABLE = 4096 };

int scotch_paper_weight(const struct tmap_tree *tree, int level, enum tmap_scotch_weights weights)
{
    static const int heavy[] = {10, 50, 100, 500};
    int height = tree->depth - 1 - level, levels = weights & ~TMAP_SCOTCH_RAW;
    if (levels == TMAP_SCOTCH_LIGHT)
        return height + 1;
    if (levels == TMAP_SCOTCH_HEAVY)
        return height < 4 ? heavy[height] : 500 * (height - 2);
    return 0;
}

/* Scotch adds up the weights from a level down to the leaves: `below` is the cost of the next
 * one. */
static SCOTCH_Num weight_of_level(const struct tmap_tree *tree, int level, double below,
                                  enum tmap_scotch_weights weights)
{
    int weight = scotch_paper_weight(tree, level, weights);
    if (weight)
        return weight;
    double more = tree->level[level].cost - below;
    return more < 1 ? 1 : more > 1e6 ? 1000000 : (SCOTCH_Num)llround(more);
}

static int make_tleaf(struct scotch_machine *machine, const struct tmap_tree *tree,
                      enum tmap_scotch_weights weights)
{
    SCOTCH_Num arity[TMAP_MAX_LEVELS], weight[TMAP_MAX_LEVELS];
    int first = TMAP_MAX_LEVELS;
    double below = 0;
    machine->longest = 0;
    for (int l = tree->depth - 1; l >= 0; l--) {
        if (tree->first_child[l][1] == 1) /* Scotch does not accept such levels */
            continue;
        arity[--first] = tree->first_child[l][1];
        weight[first] = weight_of_level(tree, l, below, weights);
        machine->longest += weight[first];
        below = tree->level[l].cost;
    }
    return SCOTCH_archTleaf(&machine->arch, TMAP_MAX_LEVELS - first, arity + first, weight + first);
}

#if SCOTCH_VERSION >= 7
/* The extents that matter, and 1 behind them; Scotch's first dimension varies fastest. 0: too many
 * of them. */
static SCOTCH_Num grid_extents(const struct tmap_shape *shape, SCOTCH_Num *extent, int *is_cube)
{
    SCOTCH_Num count = 0,
               most = shape->kind == TMAP_SHAPE_TORUS ? TORUS_DIMENSIONS : MESH_DIMENSIONS;
    for (int d = 0; d < TMAP_MAX_DIMENSIONS; d++)
        extent[d] = 1;
    *is_cube = shape->kind == TMAP_SHAPE_MESH;
    for (int d = shape->dimensions - 1; d >= 0; d--) {
        if (shape->extent[d] == 1)
            continue;
        *is_cube &= shape->extent[d] == 2;
        extent[count++] = shape->extent[d];
    }
    return count > most && !*is_cube ? 0 : count;
}

static int is_grid(const struct tmap_tree *tree)
{
    const struct tmap_interconnect *interconnect = tree->interconnect[0];
    if (tree->depth != 1 || !interconnect || interconnect->vertex)
        return 0;
    for (int d = 0; d < interconnect->shape.dimensions; d++)
        if (interconnect->shape.extent[d] > 1 &&
            interconnect->shape.length[d] != interconnect->shortest)
            return 0;
    for (int32_t s = 0; s < tree->count[1]; s++)
        if (tree->capacity[s] != 1)
            return 0;
    return 1;
}

/* -1: there is no such architecture. */
static int make_grid(struct scotch_machine *machine, const struct tmap_tree *tree)
{
    SCOTCH_Num extent[TMAP_MAX_DIMENSIONS];
    const struct tmap_shape *shape = &tree->interconnect[0]->shape;
    int is_cube, all = tree->count[1] == tree->interconnect[0]->positions;
    SCOTCH_Num dimensions = grid_extents(shape, extent, &is_cube);
    SCOTCH_Arch *whole = all ? &machine->arch : &machine->base;
    if (dimensions == 0)
        return -1;
    machine->longest = 0;
    for (SCOTCH_Num d = 0; d < dimensions; d++)
        machine->longest += extent[d];
    machine->slot_of = tmap_new((size_t)tree->count[1], sizeof *machine->slot_of);
    if (!machine->slot_of)
        return 1;
    for (int32_t s = 0; s < tree->count[1]; s++)
        machine->slot_of[all ? tree->position[0][s] : s] = s;
    int failed = is_cube ? SCOTCH_archHcub(whole, dimensions)
                 : shape->kind == TMAP_SHAPE_TORUS
                     ? SCOTCH_archTorusX(whole, dimensions, extent)
                     : SCOTCH_archMesh3(whole, extent[0], extent[1], extent[2]);
    if (failed || all)
        return failed;
    return SCOTCH_archSub(&machine->arch, whole, tree->count[1], tree->position[0]);
}
#endif

/* The architecture that the graph defines. Where all vertices are slots, terminal domains have the
 * numbers of vertices, else those of places in `list`, the vertices of slots that hold
 * something. */
static int build_arch(SCOTCH_Arch *arch, const SCOTCH_Graph *graph,
                      const struct scotch_links *links, const SCOTCH_Num *list, SCOTCH_Num count,
                      SCOTCH_Strat *strategy)
{
    if (count == links->vertices && count <= MOST_IN_TABLE)
        return SCOTCH_archBuild(arch, graph, 0, NULL, strategy);
    return SCOTCH_archBuild2(arch, graph, count, list);
}

/* On one thread, because with several the result varies. */
static int make_deco(struct scotch_machine *machine, const struct scotch_links *links,
                     const SCOTCH_Num *list, SCOTCH_Num count)
{
    if (SCOTCH_graphBuild(&machine->graph, 0, links->vertices, links->start, NULL, links->weight,
                          NULL, links->start[links->vertices], links->target, links->length))
        return 1;
#if SCOTCH_VERSION >= 7
    SCOTCH_Context context;
    SCOTCH_Graph bound;
    if (SCOTCH_contextInit(&context) || SCOTCH_contextThreadSpawn(&context, 1, NULL))
        return 1;
    SCOTCH_contextRandomReset(&context);
    SCOTCH_graphInit(&bound);
    int failed = SCOTCH_contextBindGraph(&context, &machine->graph, &bound) ||
                 build_arch(&machine->arch, &bound, links, list, count, &machine->strategy);
    SCOTCH_graphExit(&bound);
    SCOTCH_contextExit(&context);
    return failed;
#else
    return build_arch(&machine->arch, &machine->graph, links, list, count, &machine->strategy);
#endif
}

static int make_whole(struct scotch_machine *machine, const struct tmap_tree *tree)
{
    struct scotch_links links;
    SCOTCH_Num *list = NULL, count = 0;
    int32_t slots = tree->count[tree->depth];
    int failed = 1;
    if (scotch_links_init(&links, tree))
        goto out;
    list = tmap_new((size_t)slots, sizeof *list);
    machine->slot_of = tmap_new_zero((size_t)slots, sizeof *machine->slot_of);
    machine->longest = links.longest;
    if (!list || !machine->slot_of)
        goto out;
    for (int32_t s = 0; s < slots; s++)
        if (tree->capacity[s] > 0)
            list[count++] = links.vertex_of[s];
    for (int32_t s = 0, i = 0; s < slots; s++)
        if (tree->capacity[s] > 0)
            machine->slot_of[count == links.vertices ? links.vertex_of[s] : i++] = s;
    failed = make_deco(machine, &links, list, count);
out:
    free(list);
    scotch_links_fini(&links);
    return failed;
}

enum tmap_status scotch_machine_init(struct scotch_machine *machine, const struct tmap_tree *tree,
                                     enum tmap_scotch_weights weights)
{
    int failed = -1;
    machine->slot_of = NULL;
    machine->longest = 4;
    SCOTCH_archInit(&machine->arch);
    SCOTCH_archInit(&machine->base);
    SCOTCH_graphInit(&machine->graph);
    SCOTCH_stratInit(&machine->strategy);
    if (tree->uniform && weights != TMAP_SCOTCH_WHOLE)
        failed = make_tleaf(machine, tree, weights);
#if SCOTCH_VERSION >= 7
    else if (weights != TMAP_SCOTCH_WHOLE && is_grid(tree))
        failed = make_grid(machine, tree);
#endif
    if (failed < 0)
        failed = make_whole(machine, tree);
    return failed ? TMAP_ENOTSUP : TMAP_OK;
}

void scotch_machine_fini(struct scotch_machine *machine)
{
    SCOTCH_stratExit(&machine->strategy);
    SCOTCH_archExit(&machine->arch);
    SCOTCH_archExit(&machine->base);
    SCOTCH_graphExit(&machine->graph);
    free(machine->slot_of);
}
