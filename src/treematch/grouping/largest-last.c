/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * largest-last.c - the heuristic "largest value last" of TreeMatch (2010, section 4): rank the
 * groups by value, and choose a set whose last group comes as early as possible.
 *
 * That is to find the shortest prefix of the order with an independent set in it. It is found by
 * bisection, below what "smallest values first" needs. Whether a prefix has a set:
 *   1. Serve the process with the fewest remaining groups, by the one of the smallest value, and so
 *      on. This finds most sets, and good ones. Pairs are looked up in a square of their ranks,
 *      which takes a tenth of the time of going through lists of groups.
 *   2. Pairs: an independent set is a perfect matching in the graph of the prefix's pairs, and
 *      whether there is one is known after at most p/2 searches for augmenting paths (Edmonds
 *      1965). The pairs that a shorter prefix could match are where a longer one begins.
 *   3. Larger groups: that is exact cover by sets of k, which is NP-complete from k = 3 on. The
 *      search of 1. goes back and tries other groups while it has steps left. If it runs out of
 *      them, the prefix counts as too short; a set may then end later than necessary, but never
 *      later than the set of 1. alone.
 *
 * Example: the pairs of four processes in the order (0,1) (0,2) (0,3) (1,3) (1,2) (2,3). "Smallest
 * values first" takes (0,1), and needs the last one; the first four have the set (0,2) (1,3).
 * Time: 1. takes O(G k) for each prefix, O(p^2) for pairs; 2. O(p^3) for all; 3. has
 * LARGEST_LAST_STEPS for all.
 */
#include "treematch/grouping/groups-all.h"

/* Groups that the search may look at once it has begun to go back. */
enum { LARGEST_LAST_STEPS = 1 << 22 };

struct prefix {
    const struct tmap_all_groups *all;
    char *dead; /* by group of more than two: it is not in the prefix, or cannot be added to the set
                   any more */
    int32_t *options; /* by process: its groups that are not dead */
    int32_t *killed;  /* groups in the order in which they were killed */
    int32_t kills;
    int64_t steps;         /* left for going back */
    int is_exact;          /* pairs are matched */
    int32_t *rank;         /* by group: its place in the order */
    int32_t *rank_of_pair; /* pairs only: p x p; INT32_MAX on the diagonal */
    int32_t *free;         /* pairs only: the processes that have none, ascending */
    int32_t
        *matched; /* pairs only: the partner of a process in a prefix that was too short, or -1 */
};

/* ---- Search ---- */

static void prefix_kill(struct prefix *prefix, int32_t group)
{
    const int32_t *members = tmap_group_members(prefix->all, group);
    if (prefix->dead[group])
        return;
    prefix->dead[group] = 1;
    prefix->killed[prefix->kills++] = group;
    for (int32_t i = 0; i < prefix->all->k; i++)
        prefix->options[members[i]]--;
}

/* Back to when there were so many kills. */
static void prefix_revive(struct prefix *prefix, int32_t kills)
{
    while (prefix->kills > kills) {
        int32_t group = prefix->killed[--prefix->kills];
        const int32_t *members = tmap_group_members(prefix->all, group);
        prefix->dead[group] = 0;
        for (int32_t i = 0; i < prefix->all->k; i++)
            prefix->options[members[i]]++;
    }
}

/* Make exactly the first `limit` groups of the order available. */
static void prefix_begin(struct prefix *prefix, int32_t limit, int32_t *group_of)
{
    const struct tmap_all_groups *all = prefix->all;
    if (all->k > 2)
        memset(prefix->dead, 1, (size_t)all->count);
    memset(prefix->options, 0, sizeof *prefix->options * (size_t)all->p);
    memset(group_of, 0xff, sizeof *group_of * (size_t)all->p);
    prefix->kills = 0;
    for (int32_t i = 0; i < limit; i++) {
        const int32_t *members = tmap_group_members(all, all->order[i]);
        if (all->k > 2)
            prefix->dead[all->order[i]] = 0;
        for (int32_t j = 0; j < all->k; j++)
            prefix->options[members[j]]++;
    }
}

static int32_t prefix_hardest(const struct prefix *prefix, const int32_t *group_of)
{
    int32_t hardest = -1;
    for (int32_t i = 0; i < prefix->all->p; i++) {
        if (group_of[i] < 0 && (hardest < 0 || prefix->options[i] < prefix->options[hardest]))
            hardest = i;
    }
    return hardest;
}

/* The available group of `process` with the smallest value; -1: none. */
static int32_t prefix_best(const struct prefix *prefix, int32_t process)
{
    const struct tmap_all_groups *all = prefix->all;
    int32_t best = -1;
    for (int32_t i = all->first_group[process]; i < all->first_group[process + 1]; i++) {
        int32_t group = all->group_at[i];
        if (!prefix->dead[group] && (best < 0 || all->value[group] < all->value[best]))
            best = group;
    }
    return best;
}

static void prefix_take(struct prefix *prefix, int32_t group, int32_t number, int32_t *group_of)
{
    const struct tmap_all_groups *all = prefix->all;
    const int32_t *members = tmap_group_members(all, group);
    tmap_set_add(all, group, number, group_of);
    for (int32_t i = 0; i < all->k; i++) {
        for (int32_t j = all->first_group[members[i]]; j < all->first_group[members[i] + 1]; j++)
            prefix_kill(prefix, all->group_at[j]);
    }
}

/* Complete a set that has `number` groups. Returns 0 if that is not possible, or takes too long. */
static int prefix_search(struct prefix *prefix, int32_t number, int32_t *group_of)
{
    const struct tmap_all_groups *all = prefix->all;
    int32_t before = prefix->kills, group;
    if (number == all->p / all->k)
        return 1;
    int32_t process = prefix_hardest(prefix, group_of);
    while ((group = prefix_best(prefix, process)) >= 0) {
        int32_t kills = prefix->kills;
        prefix_take(prefix, group, number, group_of);
        if (prefix_search(prefix, number + 1, group_of))
            return 1;
        prefix->steps -= all->k * (int64_t)(all->first_group[1] - all->first_group[0]);
        if (prefix->steps <= 0)
            return 0;
        prefix_revive(prefix, kills);
        tmap_set_add(all, group, -1, group_of);
        prefix_kill(prefix, group);
    }
    prefix_revive(prefix, before);
    return 0;
}

/* ---- Pairs: the same without going back ---- */

/* Returns the free process whose pair with `process` comes first in the order; so does a pair that
 * is listed before another one of the same value. */
static int32_t pairs_best(const struct prefix *prefix, int32_t process, int32_t left)
{
    const int32_t *const rank = prefix->rank_of_pair + (size_t)process * (size_t)prefix->all->p;
    const int32_t *const free = prefix->free;
    int32_t best = 0, first = INT32_MAX;
    for (int32_t i = 0; i < left; i++) {
        const int32_t mine = rank[free[i]];
        best = mine < first ? i : best;
        first = mine < first ? mine : first;
    }
    return best;
}

/* `process` and `partner` are free no more. Returns the place of the one that has the fewest pairs
 * left among the others, in one pass without branches over all. */
static int32_t pairs_take(struct prefix *prefix, int32_t process, int32_t partner, int32_t left,
                          int32_t limit)
{
    const size_t p = (size_t)prefix->all->p;
    const int32_t *const rank = prefix->rank_of_pair + (size_t)process * p;
    const int32_t *const others = prefix->rank_of_pair + (size_t)partner * p;
    int32_t *restrict const free = prefix->free, *restrict const options = prefix->options;
    int32_t kept = 0, hardest = 0, fewest = INT32_MAX;
    for (int32_t i = 0; i < left; i++) {
        const int32_t at = free[i];
        const int is_free = (at != process) & (at != partner);
        const int32_t mine = options[at] - (rank[at] < limit) - (others[at] < limit);
        const int is_harder = is_free & (mine < fewest);
        options[at] = mine;
        free[kept] = at;
        hardest = is_harder ? kept : hardest;
        fewest = is_harder ? mine : fewest;
        kept += is_free;
    }
    return hardest;
}

/* Finds what prefix_search does, among the first `limit` pairs, beginning with `hardest`. */
static int pairs_search(struct prefix *prefix, int32_t limit, int32_t hardest, int32_t *group_of)
{
    const int32_t p = prefix->all->p;
    for (int32_t i = 0; i < p; i++)
        prefix->free[i] = i;
    for (int32_t left = p; left > 0; left -= 2) {
        const int32_t process = prefix->free[hardest];
        const int32_t partner = prefix->free[pairs_best(prefix, process, left)];
        if (prefix->rank_of_pair[(size_t)process * (size_t)p + (size_t)partner] >= limit)
            return 0;
        group_of[process] = group_of[partner] = (p - left) / 2;
        hardest = pairs_take(prefix, process, partner, left, limit);
    }
    return 1;
}

static void rank_pairs(struct prefix *prefix)
{
    const size_t p = (size_t)prefix->all->p;
    for (size_t i = 0; i < p; i++)
        prefix->rank_of_pair[i * p + i] = INT32_MAX;
    for (int32_t i = 0; i < prefix->all->count; i++) {
        const int32_t *members = tmap_group_members(prefix->all, prefix->all->order[i]);
        const size_t a = (size_t)members[0], b = (size_t)members[1];
        prefix->rank_of_pair[a * p + b] = prefix->rank_of_pair[b * p + a] = i;
    }
}

/* ---- Pairs: a perfect matching ---- */

/* A search for an augmenting path, breadth first. Blossoms, which are odd circles, are shrunk: all
 * their processes have the same base. */
struct pair_matching {
    const struct tmap_all_groups *all;
    const int32_t *rank;
    int32_t limit;    /* of rank: the pairs that are there */
    int32_t *partner; /* by process; -1: none */
    int32_t *parent;  /* by process, of those that are reached by a pair outside of the matching */
    int32_t *base;    /* by process */
    int32_t *queue;   /* processes to go on from */
    int32_t queued;
    char *is_even;    /* by process: it is in the queue */
    char *in_blossom; /* by base */
};

static void matching_reach(struct pair_matching *m, int32_t process)
{
    m->is_even[process] = 1;
    m->queue[m->queued++] = process;
}

/* The base of the smallest blossom that a pair of two even processes closes. in_blossom is
 * scratch. */
static int32_t matching_find_base(struct pair_matching *m, int32_t a, int32_t b)
{
    memset(m->in_blossom, 0, (size_t)m->all->p);
    for (a = m->base[a];; a = m->base[m->parent[m->partner[a]]]) {
        m->in_blossom[a] = 1;
        if (m->partner[a] < 0)
            break;
    }
    b = m->base[b];
    while (!m->in_blossom[b])
        b = m->base[m->parent[m->partner[b]]];
    return b;
}

/* Mark what is between `process` and the base of its new blossom; `child` is how to get on from
 * there. */
static void matching_mark(struct pair_matching *m, int32_t process, int32_t base, int32_t child)
{
    while (m->base[process] != base) {
        int32_t partner = m->partner[process];
        m->in_blossom[m->base[process]] = m->in_blossom[m->base[partner]] = 1;
        m->parent[process] = child;
        child = partner;
        process = m->parent[partner];
    }
}

static void matching_shrink(struct pair_matching *m, int32_t a, int32_t b)
{
    int32_t base = matching_find_base(m, a, b);
    memset(m->in_blossom, 0, (size_t)m->all->p);
    matching_mark(m, a, base, b);
    matching_mark(m, b, base, a);
    for (int32_t i = 0; i < m->all->p; i++) {
        if (!m->in_blossom[m->base[i]])
            continue;
        m->base[i] = base;
        if (!m->is_even[i])
            matching_reach(m, i);
    }
}

/* Look from an even process at a neighbor. Returns 1 if that ends an augmenting path. */
static int matching_look(struct pair_matching *m, int32_t root, int32_t from, int32_t to)
{
    int32_t partner = m->partner[to];
    if (m->base[from] == m->base[to] || m->partner[from] == to)
        return 0;
    if (to == root || (partner >= 0 && m->parent[partner] >= 0)) {
        matching_shrink(m, from, to);
    } else if (m->parent[to] < 0) {
        m->parent[to] = from;
        if (partner < 0)
            return 1;
        matching_reach(m, partner);
    }
    return 0;
}

/* The end of an augmenting path from `root`; -1: there is none, so no matching is perfect. */
static int32_t matching_find_path(struct pair_matching *m, int32_t root)
{
    const struct tmap_all_groups *all = m->all;
    memset(m->is_even, 0, (size_t)all->p);
    memset(m->parent, 0xff, sizeof *m->parent * (size_t)all->p);
    for (int32_t i = 0; i < all->p; i++)
        m->base[i] = i;
    m->queued = 0;
    matching_reach(m, root);
    for (int32_t at = 0; at < m->queued; at++) {
        int32_t from = m->queue[at];
        for (int32_t i = all->first_group[from]; i < all->first_group[from + 1]; i++) {
            const int32_t *members = tmap_group_members(all, all->group_at[i]);
            int32_t to = members[0] == from ? members[1] : members[0];
            if (m->rank[all->group_at[i]] < m->limit && matching_look(m, root, from, to))
                return to;
        }
    }
    return -1;
}

static void matching_augment(struct pair_matching *m, int32_t end)
{
    while (end >= 0) {
        int32_t from = m->parent[end], following = m->partner[from];
        m->partner[end] = from;
        m->partner[from] = end;
        end = following;
    }
}

/* Extend prefix->matched, a matching in a shorter prefix. Returns whether it is perfect.
 * TMAP_ENOMEM, TMAP_OK. */
static enum tmap_status prefix_match(struct prefix *prefix, int32_t limit, int *is_perfect)
{
    size_t p = (size_t)prefix->all->p;
    int32_t *numbers = tmap_new(p, 3 * sizeof *numbers), end = 0;
    char *marks = tmap_new(p, 2);
    struct pair_matching m = {.all = prefix->all,
                              .rank = prefix->rank,
                              .limit = limit,
                              .partner = prefix->matched,
                              .parent = numbers,
                              .base = numbers ? numbers + p : NULL,
                              .queue = numbers ? numbers + 2 * p : NULL,
                              .is_even = marks,
                              .in_blossom = marks ? marks + p : NULL};
    enum tmap_status status = numbers && marks ? TMAP_OK : TMAP_ENOMEM;
    for (int32_t i = 0; status == TMAP_OK && i < prefix->all->p && end >= 0; i++) {
        if (m.partner[i] >= 0)
            continue;
        end = matching_find_path(&m, i);
        matching_augment(&m, end);
    }
    *is_perfect = status == TMAP_OK && end >= 0;
    free(numbers);
    free(marks);
    return status;
}

/* ---- The shortest prefix ---- */

/* Tries the first `limit` groups of the order, among which each process has one: *is_found if there
 * is a set among them, which is then left in group_of. */
static enum tmap_status prefix_try(struct prefix *prefix, int32_t limit, int *is_found,
                                   int32_t *group_of)
{
    const struct tmap_all_groups *all = prefix->all;
    prefix_begin(prefix, limit, group_of);
    const int32_t hardest = prefix_hardest(prefix, group_of);
    *is_found = all->k == 2 ? pairs_search(prefix, limit, hardest, group_of)
                            : prefix_search(prefix, 0, group_of);
    if (*is_found || all->k != 2 || !prefix->is_exact)
        return TMAP_OK;
    enum tmap_status status = prefix_match(prefix, limit, is_found);
    int32_t number = 0;
    for (int32_t i = 0; *is_found && i < all->p; i++) {
        if (prefix->matched[i] > i)
            group_of[i] = group_of[prefix->matched[i]] = number++;
    }
    if (*is_found) /* too long a prefix is nothing to begin a shorter one with */
        memset(prefix->matched, 0xff, sizeof *prefix->matched * (size_t)all->p);
    return status;
}

/* The longest prefix in which some process has no group. `seen` is scratch, by process. */
static int32_t prefix_uncovered(const struct tmap_all_groups *all, int32_t *seen)
{
    int32_t at = 0, left = all->p;
    memset(seen, 0, sizeof *seen * (size_t)all->p);
    for (; left > 0; at++) {
        const int32_t *members = tmap_group_members(all, all->order[at]);
        for (int32_t i = 0; i < all->k; i++) {
            left -= !seen[members[i]];
            seen[members[i]] = 1;
        }
    }
    return at - 1;
}

static enum tmap_status prefix_bisect(struct prefix *prefix, int32_t *group_of, int32_t *tried)
{
    const struct tmap_all_groups *all = prefix->all;
    int32_t enough = tmap_take_greedily(all, group_of), little = all->p / all->k - 1;
    const int32_t uncovered = prefix_uncovered(all, tried);
    enum tmap_status status = TMAP_OK;
    while (enough - little > 1 && status == TMAP_OK) {
        int32_t middle = little + (enough - little) / 2;
        int is_found = 0;
        if (middle > uncovered)
            status = prefix_try(prefix, middle, &is_found, tried);
        if (status == TMAP_OK && is_found) {
            enough = middle;
            memcpy(group_of, tried, sizeof *tried * (size_t)all->p);
        } else {
            little = middle;
        }
    }
    return status;
}

enum tmap_status tmap_largest_last(const struct tmap_all_groups *all, int is_exact,
                                   int32_t *group_of)
{
    size_t p = (size_t)all->p, count = (size_t)all->count;
    int32_t *by_process = tmap_new(p, 4 * sizeof *by_process);
    int32_t *by_group = tmap_new(count, 2 * sizeof *by_group);
    int32_t *by_pair = tmap_new(all->k == 2 ? p * p : 0, sizeof *by_pair);
    char *dead = tmap_new(count, 1);
    enum tmap_status status = TMAP_ENOMEM;
    if (by_process && by_group && by_pair && dead) {
        struct prefix prefix = {.all = all,
                                .dead = dead,
                                .options = by_process,
                                .killed = by_group,
                                .steps = is_exact && all->k > 2 ? LARGEST_LAST_STEPS : 0,
                                .is_exact = is_exact,
                                .rank = by_group + count,
                                .rank_of_pair = by_pair,
                                .free = by_process + 3 * p,
                                .matched = by_process + p};
        for (int32_t i = 0; i < all->count; i++)
            prefix.rank[all->order[i]] = i;
        if (all->k == 2)
            rank_pairs(&prefix);
        memset(prefix.matched, 0xff, sizeof *prefix.matched * p);
        status = prefix_bisect(&prefix, group_of, by_process + 2 * p);
    }
    free(by_process);
    free(by_group);
    free(by_pair);
    free(dead);
    return status;
}
