/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * congestion.c - lower the load of the busiest link.
 *
 * Many mappings cost the same and send very different amounts over their busiest link. In each step
 * the roles whose traffic is on that link, the heaviest first, try to change places with each other
 * role, or to move to a free slot. The first change is made that lowers the largest load, or leaves
 * fewer links with it, and does not raise the cost by more than 2 % in all. Loads are kept up to
 * date: a try takes the traffic of two roles off its links and puts it on others.
 *
 * The number of links touched is limited by a budget, not by a clock, so the result is the same on
 * every machine; jobs whose loads alone would take ten times that budget are left as they are. At
 * the end loads and cost are computed anew, because sums of fractions drift.
 */
#include "treematch/improve/improve.h"

#include "treematch/model/distance.h"
#include "treematch/model/link-routes.h"

static const double congestion_slack = 1.02, congestion_rounding = 1e-9;
enum { CONGESTION_MOST_LINKS = 1 << 26 };

/* The largest load, how many links have it, and the first of them. */
struct peak {
    double load;
    int64_t links;
    const double *first;
};

struct congestion {
    const struct tmap_matrix *matrix;
    const struct tmap_tree *tree;
    const struct tmap_options *options;
    int level;
    struct tmap_distance distance;
    struct tmap_routes *routes; /* by object of the level; NULL: it has no network */
    int32_t networks;           /* of which are made */
    double *up;                 /* by object of level + 1 */
    int32_t *slot_of;
    int32_t *held;      /* by slot: roles */
    double *share;      /* by role: of the busiest link */
    int32_t *candidate; /* roles, largest share first */
    int32_t *scratch;
    struct peak peak;
    double cost, limit;
    double left; /* of the budget */
};

static int congestion_level(const struct tmap_tree *tree)
{
    int level = 0;
    while (level < tree->depth && !tree->interconnect[level])
        level++;
    if (level < tree->depth)
        return level;
    for (level = 0; level + 1 < tree->depth; level++)
        if (tree->count[level + 1] > tree->count[level])
            break;
    return level;
}

static void congestion_fini(struct congestion *c)
{
    for (int32_t i = 0; i < c->networks; i++)
        tmap_routes_fini(&c->routes[i]);
    tmap_distance_fini(&c->distance);
    free(c->routes);
    free(c->up);
    free(c->slot_of);
    free(c->held);
    free(c->share);
    free(c->candidate);
    free(c->scratch);
}

static enum tmap_status congestion_init(struct congestion *c, const int32_t *slot_of)
{
    const struct tmap_tree *tree = c->tree;
    const struct tmap_interconnect *interconnect = tree->interconnect[c->level];
    size_t roles = (size_t)c->matrix->roles,
           parents = interconnect ? (size_t)tree->count[c->level] : 0;
    enum tmap_status status = tmap_distance_init(&c->distance, tree);
    c->up = tmap_new_zero((size_t)tree->count[c->level + 1], sizeof *c->up);
    c->held = tmap_new_zero((size_t)tree->count[tree->depth], sizeof *c->held);
    c->slot_of = tmap_new(roles, sizeof *c->slot_of);
    c->share = tmap_new(roles, sizeof *c->share);
    c->candidate = tmap_new(roles, sizeof *c->candidate);
    c->scratch = tmap_new(roles, sizeof *c->scratch);
    c->routes = tmap_new_zero(parents, sizeof *c->routes);
    if (!c->up || !c->held || !c->slot_of || !c->share || !c->candidate || !c->scratch ||
        !c->routes)
        return TMAP_ENOMEM;
    while (status == TMAP_OK && (size_t)c->networks < parents)
        status = tmap_routes_init(&c->routes[c->networks++], interconnect, 0);
    memcpy(c->slot_of, slot_of, roles * sizeof *slot_of);
    for (size_t r = 0; r < roles; r++)
        c->held[slot_of[r]]++;
    return status;
}

/* ---- Loads ---- */

/* Two different children of an object with a network, between which there is traffic. */
struct crossing {
    struct tmap_routes *routes; /* NULL: they have no network in common */
    int32_t child[2];
};

/* Finds where the traffic between two slots crosses the level; returns 0 if it does not. */
static int congestion_cross(const struct congestion *c, const int32_t slot[2],
                            struct crossing *crossing)
{
    int32_t parent[2];
    for (int i = 0; i < 2; i++) {
        crossing->child[i] = tmap_ancestor_of(c->tree, slot[i], c->level + 1);
        parent[i] = tmap_ancestor_of(c->tree, slot[i], c->level);
    }
    crossing->routes = c->networks > 0 && parent[0] == parent[1] ? &c->routes[parent[0]] : NULL;
    return crossing->child[0] != crossing->child[1];
}

/* About the number of links to look at to load a crossing. */
static double congestion_work(const struct congestion *c, const struct crossing *crossing)
{
    const struct tmap_routes *routes = crossing->routes;
    const int32_t *position = c->tree->position[c->level], *child = crossing->child;
    int32_t hops = 0;
    if (!routes)
        return 1;
    if (routes->interconnect->vertex)
        return 2 * (double)(routes->interconnect->positions + (int64_t)routes->numbers);
    tmap_interconnect_path(routes->interconnect, position[child[0]], position[child[1]], &hops);
    return hops > 8 ? 1 + hops : 9;
}

/* Put what each of two slots sends to the other on its links; off them if that is negative. */
static void congestion_load(struct congestion *c, const int32_t slot[2], const double sent[2])
{
    const int32_t *position = c->tree->position[c->level];
    struct crossing crossing;
    if (!congestion_cross(c, slot, &crossing)) {
        c->left--;
        return;
    }
    c->left -= congestion_work(c, &crossing);
    for (int i = 0; i < 2; i++) {
        int32_t child = crossing.child[i], from = crossing.routes ? position[child] : 0;
        if (crossing.routes)
            tmap_routes_send(crossing.routes, position[crossing.child[!i]], 1, &from, &sent[i]);
        else
            c->up[child] += sent[0] + sent[1];
    }
}

/* All traffic of a role, apart from that with `except`. */
static void congestion_load_role(struct congestion *c, int32_t role, int32_t except, double sign)
{
    struct tmap_row row = tmap_row_of(c->matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        const int32_t slot[2] = {c->slot_of[role], c->slot_of[row.partner[i]]};
        const double sends = tmap_row_sends(&row, i);
        const double sent[2] = {sign * sends, sign * ((double)row.weight[i] - sends)};
        if (row.partner[i] != except && row.weight[i] > 0)
            congestion_load(c, slot, sent);
    }
}

static void congestion_scan(const double *load, size_t count, struct peak *peak)
{
    for (size_t i = 0; i < count; i++) {
        double more = load[i] - peak->load, rounding = congestion_rounding * peak->load;
        if (more > rounding)
            *peak = (struct peak){load[i], 1, &load[i]};
        else if (peak->load > 0 && more >= -rounding)
            peak->links++;
    }
}

static struct peak congestion_measure(struct congestion *c)
{
    struct peak peak = {0, 0, NULL};
    size_t children = (size_t)c->tree->count[c->level + 1];
    congestion_scan(c->up, children, &peak);
    c->left -= (double)children / 4;
    for (int32_t i = 0; i < c->networks; i++) {
        congestion_scan(c->routes[i].load, c->routes[i].numbers, &peak);
        c->left -= (double)c->routes[i].numbers / 4;
    }
    return peak;
}

/* About what congestion_load_all takes; more than `most` stands for all that is more. */
static double congestion_work_of_all(const struct congestion *c, double most)
{
    double work = 0;
    for (int32_t role = 0; role < c->matrix->roles && work <= most; role++) {
        struct tmap_row row = tmap_row_of(c->matrix, role);
        for (size_t i = 0; i < row.count; i++) {
            const int32_t slot[2] = {c->slot_of[role], c->slot_of[row.partner[i]]};
            struct crossing crossing;
            if (row.partner[i] > role && congestion_cross(c, slot, &crossing))
                work += congestion_work(c, &crossing);
        }
    }
    return work;
}

/* All loads anew. */
static struct peak congestion_load_all(struct congestion *c)
{
    memset(c->up, 0, (size_t)c->tree->count[c->level + 1] * sizeof *c->up);
    for (int32_t i = 0; i < c->networks; i++)
        memset(c->routes[i].load, 0, c->routes[i].numbers * sizeof *c->routes[i].load);
    for (int32_t role = 0; role < c->matrix->roles; role++) {
        struct tmap_row row = tmap_row_of(c->matrix, role);
        for (size_t i = 0; i < row.count; i++) {
            const int32_t slot[2] = {c->slot_of[role], c->slot_of[row.partner[i]]};
            const double sends = tmap_row_sends(&row, i);
            const double sent[2] = {sends, (double)row.weight[i] - sends};
            if (row.partner[i] > role && row.weight[i] > 0)
                congestion_load(c, slot, sent);
        }
    }
    return congestion_measure(c);
}

/* ---- Changes ---- */

/* `role` goes to a slot, and `partner` (-1: none) from there to where it was. */
struct change {
    int32_t role, partner, slot;
};

static double congestion_cost_of(const struct congestion *c, int32_t role, int32_t slot,
                                 int32_t except)
{
    struct tmap_row row = tmap_row_of(c->matrix, role);
    double cost = 0;
    for (size_t i = 0; i < row.count; i++)
        if (row.partner[i] != except)
            cost += (double)row.weight[i] *
                    tmap_distance_of(&c->distance, slot, c->slot_of[row.partner[i]]);
    return cost;
}

/* By how much a change raises the cost. */
static double congestion_price(const struct congestion *c, const struct change *change)
{
    int32_t from = c->slot_of[change->role];
    double price = congestion_cost_of(c, change->role, change->slot, change->partner) -
                   congestion_cost_of(c, change->role, from, change->partner);
    if (change->partner >= 0)
        price += congestion_cost_of(c, change->partner, from, change->role) -
                 congestion_cost_of(c, change->partner, change->slot, change->role);
    return price;
}

static void congestion_make(struct congestion *c, const struct change *change)
{
    int32_t from = c->slot_of[change->role];
    congestion_load_role(c, change->role, -1, -1);
    if (change->partner >= 0)
        congestion_load_role(c, change->partner, change->role, -1);
    c->slot_of[change->role] = change->slot;
    if (change->partner >= 0)
        c->slot_of[change->partner] = from;
    congestion_load_role(c, change->role, -1, 1);
    if (change->partner >= 0)
        congestion_load_role(c, change->partner, change->role, 1);
}

static int is_less_congested(const struct peak *a, const struct peak *b)
{
    double rounding = congestion_rounding * b->load;
    return a->load < b->load - rounding || (a->load <= b->load + rounding && a->links < b->links);
}

/* Make a change if it helps; returns whether it did. */
static int congestion_try(struct congestion *c, struct change change)
{
    const struct tmap_tree *tree = c->tree;
    int32_t from = c->slot_of[change.role];
    if (tmap_ancestor_of(tree, from, c->level + 1) ==
        tmap_ancestor_of(tree, change.slot, c->level + 1))
        return 0;
    double price = congestion_price(c, &change);
    c->left -= 8;
    if (c->cost + price > c->limit)
        return 0;
    congestion_make(c, &change);
    struct peak peak = congestion_measure(c);
    if (is_less_congested(&peak, &c->peak)) {
        c->cost += price;
        c->peak = peak;
        c->held[from] -= change.partner < 0;
        c->held[change.slot] += change.partner < 0;
        return 1;
    }
    change.slot = from;
    congestion_make(c, &change);
    return 0;
}

static int is_pinned(const struct congestion *c, int32_t role)
{
    return c->options->pinned && c->options->pinned[role] >= 0;
}

/* Try a role with all others, and with all free slots. */
static int congestion_try_role(struct congestion *c, int32_t role)
{
    for (int32_t other = 0; other < c->matrix->roles && c->left > 0; other++)
        if (other != role && !is_pinned(c, other) &&
            congestion_try(c, (struct change){role, other, c->slot_of[other]}))
            return 1;
    for (int32_t slot = 0; slot < c->tree->count[c->tree->depth] && c->left > 0; slot++) {
        c->left -= 0.125;
        if (c->held[slot] < c->tree->capacity[slot] &&
            !(c->options->closed && c->options->closed[slot]) &&
            congestion_try(c, (struct change){role, -1, slot}))
            return 1;
    }
    return 0;
}

static int by_share(const void *context, int32_t a, int32_t b)
{
    const double *share = context;
    return share[a] > share[b] ? -1 : share[a] < share[b];
}

/* List the roles that may move and whose traffic is on the busiest link. */
static int32_t congestion_candidates(struct congestion *c)
{
    int32_t count = 0;
    for (int32_t role = 0; role < c->matrix->roles; role++) {
        double before = *c->peak.first;
        if (is_pinned(c, role))
            continue;
        congestion_load_role(c, role, -1, -1);
        c->share[role] = before - *c->peak.first;
        congestion_load_role(c, role, -1, 1);
        if (c->share[role] > congestion_rounding * before)
            c->candidate[count++] = role;
    }
    tmap_sort(c->candidate, c->scratch, count, by_share, c->share);
    return count;
}

static void congestion_lower(struct congestion *c)
{
    int changed = 1;
    while (changed && c->peak.load > 0 && c->left > 0) {
        int32_t count = congestion_candidates(c);
        changed = 0;
        for (int32_t i = 0; i < count && !changed; i++)
            changed = congestion_try_role(c, c->candidate[i]);
    }
}

/* ---- The entry points ---- */

static double congestion_cost(const struct congestion *c)
{
    double cost = 0;
    for (int32_t role = 0; role < c->matrix->roles; role++)
        cost += congestion_cost_of(c, role, c->slot_of[role], -1) / 2;
    return cost;
}

static double congestion_budget(enum tmap_effort effort)
{
    return effort == TMAP_EFFORT_FAST ? 2e6 : effort == TMAP_EFFORT_STRONG ? 2e8 : 2e7;
}

enum tmap_status tmap_lower_congestion(const struct tmap_matrix *matrix,
                                       const struct tmap_tree *tree,
                                       const struct tmap_options *options, int32_t *slot_of)
{
    struct congestion c = {
        .matrix = matrix, .tree = tree, .options = options, .level = congestion_level(tree)};
    const struct tmap_interconnect *interconnect = tree->interconnect[c.level];
    if (!tree->capacity || matrix->roles == 0 ||
        (interconnect &&
         tmap_routes_links(interconnect) > CONGESTION_MOST_LINKS / (int64_t)tree->count[c.level]))
        return TMAP_OK;
    enum tmap_status status = congestion_init(&c, slot_of);
    double most = 10 * congestion_budget(TMAP_EFFORT_DEFAULT);
    if (status == TMAP_OK && congestion_work_of_all(&c, most) <= most) {
        double busiest = (c.peak = congestion_load_all(&c)).load;
        c.cost = congestion_cost(&c);
        c.limit = c.cost * congestion_slack;
        c.left = congestion_budget(options->effort);
        congestion_lower(&c);
        if (congestion_load_all(&c).load <= busiest && congestion_cost(&c) <= c.limit)
            memcpy(slot_of, c.slot_of, (size_t)matrix->roles * sizeof *slot_of);
    }
    congestion_fini(&c);
    return status;
}

enum tmap_status tmap_mapping_lower_congestion(const struct tmap_matrix *matrix,
                                               const struct tmap_tree *tree,
                                               const struct tmap_options *given, int32_t *slot_of,
                                               struct tmap_error *error)
{
    struct tmap_options options;
    enum tmap_status status = tmap_options_read(&options, given, error);
    if (status != TMAP_OK)
        return status;
    if (!tmap_mapping_is_valid(tree, matrix->roles, slot_of))
        return tmap_fail(error, TMAP_EINVAL, "not a valid mapping");
    return tmap_lower_congestion(matrix, tree, &options, slot_of) ? tmap_fail_memory(error)
                                                                  : TMAP_OK;
}
