/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * link-loads.c - the loads of all links of a level.
 *
 * Only objects of the next level that hold roles matter, in the order of their slots: the parts.
 * Parts of the same parent are neighbors in this order, so one parent's network after the other is
 * filled and read out. Traffic is summed by pair of parts before it takes its routes.
 */
#include "treematch/model/link-routes.h"

struct tmap_loads {
    struct tmap_load_summary summary;
    size_t count, room;
    struct tmap_link_load *link;
};

struct loads_part {
    int32_t object, parent; /* of level + 1; of level */
    int32_t first;          /* its roles begin here in `role` */
};

struct collection {
    const struct tmap_matrix *matrix;
    const struct tmap_tree *tree;
    const int32_t *slot_of;
    int level;
    struct tmap_loads *loads;
    int32_t *role;           /* by slot */
    int32_t *part_of;        /* by role */
    struct loads_part *part; /* parts + 1 */
    int32_t parts;
    double *weight; /* by part: what it sends to the one in hand; 0 between uses */
    /* The parts that have such traffic: */
    int32_t *partner; /* part */
    int32_t *from;    /* position */
    double *sent;
};

static enum tmap_status loads_add(struct tmap_loads *loads, const struct tmap_link_load *link)
{
    if (link->load == 0)
        return TMAP_OK;
    if (loads->count == loads->room) {
        size_t room = loads->room * 2 + 16;
        struct tmap_link_load *more =
            room > PTRDIFF_MAX / sizeof *more ? NULL : realloc(loads->link, room * sizeof *more);
        if (!more)
            return TMAP_ENOMEM;
        loads->link = more;
        loads->room = room;
    }
    loads->link[loads->count++] = *link;
    loads->summary.total += link->load;
    if (link->load > loads->summary.busiest)
        loads->summary.busiest = link->load;
    return TMAP_OK;
}

/* ---- Parts ---- */

static enum tmap_status find_parts(struct collection *c)
{
    int32_t roles = c->matrix->roles, *scratch = tmap_new((size_t)roles, sizeof *scratch);
    if (!scratch)
        return TMAP_ENOMEM;
    for (int32_t r = 0; r < roles; r++)
        c->role[r] = r;
    tmap_sort(c->role, scratch, roles, tmap_by_number, c->slot_of);
    free(scratch);
    for (int32_t i = 0; i < roles; i++) {
        int32_t slot = c->slot_of[c->role[i]];
        int32_t object = tmap_ancestor_of(c->tree, slot, c->level + 1);
        if (c->parts == 0 || c->part[c->parts - 1].object != object)
            c->part[c->parts++] =
                (struct loads_part){object, tmap_ancestor_of(c->tree, slot, c->level), i};
        c->part_of[c->role[i]] = c->parts - 1;
    }
    c->part[c->parts] = (struct loads_part){-1, -1, roles};
    return TMAP_OK;
}

static enum tmap_status collection_init(struct collection *c)
{
    size_t roles = (size_t)c->matrix->roles;
    c->loads = tmap_new_zero(1, sizeof *c->loads);
    c->role = tmap_new(roles, sizeof *c->role);
    c->part_of = tmap_new(roles, sizeof *c->part_of);
    c->part = tmap_new(roles + 1, sizeof *c->part);
    c->weight = tmap_new_zero(roles, sizeof *c->weight);
    c->partner = tmap_new(roles, sizeof *c->partner);
    c->from = tmap_new(roles, sizeof *c->from);
    c->sent = tmap_new(roles, sizeof *c->sent);
    if (!c->loads || !c->role || !c->part_of || !c->part || !c->weight || !c->partner || !c->from ||
        !c->sent)
        return TMAP_ENOMEM;
    return find_parts(c);
}

static void collection_fini(struct collection *c)
{
    free(c->role);
    free(c->part_of);
    free(c->part);
    free(c->weight);
    free(c->partner);
    free(c->from);
    free(c->sent);
}

/* ---- Links up ---- */

/* Returns the weight that leaves part `at`, and its parent as well if the level has a network. Sums
 * of integers are exact. */
static uint64_t loads_leaving(const struct collection *c, int32_t at)
{
    int has_network = c->tree->interconnect[c->level] != NULL;
    uint64_t sum = 0;
    for (int32_t i = c->part[at].first; i < c->part[at + 1].first; i++) {
        struct tmap_row row = tmap_row_of(c->matrix, c->role[i]);
        for (size_t k = 0; k < row.count; k++) {
            int32_t other = c->part_of[row.partner[k]];
            if (other != at && (!has_network || c->part[other].parent != c->part[at].parent))
                sum += row.weight[k];
        }
    }
    return sum;
}

static enum tmap_status add_links_up(struct collection *c)
{
    enum tmap_status status = TMAP_OK;
    for (int32_t at = 0; at < c->parts && status == TMAP_OK; at++) {
        const struct loads_part *part = &c->part[at];
        status = loads_add(c->loads, &(struct tmap_link_load){
                                         .kind = TMAP_LINK_UP,
                                         .object = part->parent,
                                         .from = part->object,
                                         .to = part->parent,
                                         .load = (double)loads_leaving(c, at),
                                     });
    }
    return status;
}

/* ---- Links of networks ---- */

/* Sum up what part `at` gets from each other part of its parent. */
static int32_t list_partners(struct collection *c, int32_t at)
{
    int32_t count = 0;
    for (int32_t i = c->part[at].first; i < c->part[at + 1].first; i++) {
        struct tmap_row row = tmap_row_of(c->matrix, c->role[i]);
        for (size_t k = 0; k < row.count; k++) {
            int32_t other = c->part_of[row.partner[k]];
            double sent = (double)row.weight[k] - tmap_row_sends(&row, k);
            if (other == at || c->part[other].parent != c->part[at].parent || sent <= 0)
                continue;
            if (c->weight[other] == 0)
                c->partner[count++] = other;
            c->weight[other] += sent;
        }
    }
    return count;
}

/* Sends what all other parts have for part `at`. */
static void send_to_part(struct collection *c, struct tmap_routes *routes, int32_t at)
{
    const int32_t *position = c->tree->position[c->level];
    int32_t count = list_partners(c, at);
    for (int32_t i = 0; i < count; i++) {
        int32_t other = c->partner[i];
        c->from[i] = position[c->part[other].object];
        c->sent[i] = c->weight[other];
        c->weight[other] = 0;
    }
    if (count > 0)
        tmap_routes_send(routes, position[c->part[at].object], count, c->from, c->sent);
}

/* Add the loaded links of the network of `object`, and clear them. */
static enum tmap_status read_out(struct collection *c, struct tmap_routes *routes, int32_t object)
{
    struct tmap_link_load link = {.kind = TMAP_LINK_NETWORK, .object = object};
    enum tmap_status status = TMAP_OK;
    tmap_routes_sum_up(routes);
    for (size_t i = 0; i < routes->numbers && status == TMAP_OK; i++) {
        double way, *busiest = &c->loads->summary.busiest_way;
        link.load = tmap_routes_take(routes, i, &way);
        if (link.load == 0 || !tmap_routes_ends(routes->interconnect, i, &link.from, &link.to))
            continue;
        *busiest = way > *busiest ? way : *busiest;
        status = loads_add(c->loads, &link);
    }
    return status;
}

static enum tmap_status add_networks(struct collection *c)
{
    struct tmap_routes routes;
    enum tmap_status status =
        tmap_routes_init(&routes, c->tree->interconnect[c->level], (double)c->matrix->total + 1);
    for (int32_t at = 0; at < c->parts && status == TMAP_OK; at++) {
        send_to_part(c, &routes, at);
        if (c->part[at + 1].parent != c->part[at].parent)
            status = read_out(c, &routes, c->part[at].parent);
    }
    tmap_routes_fini(&routes);
    return status;
}

/* ---- All ---- */

static int64_t count_links(const struct tmap_tree *tree, int level)
{
    const struct tmap_interconnect *interconnect = tree->interconnect[level];
    int64_t up = interconnect && level == 0 ? 0 : tree->count[level + 1];
    return interconnect ? up + tree->count[level] * tmap_routes_links(interconnect) : up;
}

static enum tmap_status loads_collect(struct collection *c)
{
    const struct tmap_interconnect *interconnect = c->tree->interconnect[c->level];
    enum tmap_status status = collection_init(c);
    if (status == TMAP_OK)
        status = add_links_up(c);
    if (status == TMAP_OK && interconnect)
        status = add_networks(c);
    if (status != TMAP_OK)
        return status;
    struct tmap_load_summary *summary = &c->loads->summary;
    summary->links = count_links(c->tree, c->level);
    summary->mean = summary->links > 0 ? summary->total / (double)summary->links : 0;
    return TMAP_OK;
}

enum tmap_status tmap_loads_create(struct tmap_loads **result, const struct tmap_matrix *matrix,
                                   const struct tmap_tree *tree, const int32_t *slot_of, int level,
                                   struct tmap_error *error)
{
    struct collection c = {.matrix = matrix, .tree = tree, .slot_of = slot_of, .level = level};
    if (level < 0 || level >= tree->depth)
        return tmap_fail(error, TMAP_EINVAL, "level %d is not one of 0 .. %d", level,
                         tree->depth - 1);
    if (!tmap_mapping_is_valid(tree, matrix->roles, slot_of))
        return tmap_fail(error, TMAP_EINVAL, "not a valid mapping");
    enum tmap_status status = loads_collect(&c);
    collection_fini(&c);
    if (status == TMAP_OK)
        *result = c.loads;
    else
        tmap_loads_destroy(c.loads);
    return status == TMAP_OK ? TMAP_OK : tmap_fail_memory(error);
}

void tmap_loads_destroy(struct tmap_loads *loads)
{
    if (!loads)
        return;
    free(loads->link);
    free(loads);
}

void tmap_loads_sum_up(const struct tmap_loads *loads, struct tmap_load_summary *summary)
{
    *summary = loads->summary;
}

int tmap_loads_next(const struct tmap_loads *loads, size_t *position, struct tmap_link_load *link)
{
    if (*position >= loads->count)
        return 0;
    *link = loads->link[(*position)++];
    return 1;
}
