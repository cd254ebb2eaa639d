/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nearby.c - candidates for roles on trees with networks.
 *
 * Objects get votes. A partner votes with the weight of its pair: for the objects that are next to
 * its own in a network, and for its own. An object that is next to three partners then gets the
 * votes of all three, as the best place on a torus does. The neighbors of the role's own object get
 * a vote of 1 each, so that they come last, but are not left out.
 *
 * The objects that are proposed are slots if the innermost level has a network, else the groups of
 * slots above them. If the network is further out, there are several groups below a neighbor; one
 * of them is proposed, another one for each role.
 *
 * Neighbors are one link away. Positions that no object is at (a partial allocation, the inner
 * switches of a interconnect) are passed through.
 */
#include "treematch/improve/nearby.h"

#include "treematch/model/interconnect.h"

enum { MOST_NEIGHBORS = 16, MOST_SEEN = 64, MOST_LINKS = 32 };

int tmap_nearby_is_for(const struct tmap_tree *tree)
{
    for (int l = 0; l < tree->depth; l++) {
        if (tree->interconnect[l])
            return 1;
    }
    return 0;
}

/* ---- Neighbors ---- */

/* The children of an object, ascending by position. */
struct siblings {
    const struct tmap_interconnect *interconnect;
    const int32_t *position;
    const int32_t *child;
    int32_t count;
};

/* The child at a position; -1: none. */
static int32_t child_at(const struct siblings *s, int32_t position)
{
    if (position < s->count && s->position[s->child[position]] == position)
        return s->child[position];
    return tmap_sorted_member(s->child, s->position, s->count, position);
}

/* Breadth first, through positions without a child. Returns the number of neighbors. */
static int32_t find_neighbors(const struct siblings *s, int32_t child, int32_t *neighbor)
{
    int32_t seen[MOST_SEEN], next[MOST_LINKS], count = 0, known = 1;
    seen[0] = s->position[child];
    for (int32_t head = 0; head < known; head++) {
        if (head > 0 && child_at(s, seen[head]) >= 0)
            continue;
        int32_t links = tmap_interconnect_next(s->interconnect, seen[head], next, MOST_LINKS);
        for (int32_t i = 0; i < links && known < MOST_SEEN; i++) {
            int32_t k = 0;
            while (k < known && seen[k] != next[i])
                k++;
            if (k == known)
                seen[known++] = next[i];
        }
    }
    for (int32_t i = 1; i < known && count < MOST_NEIGHBORS; i++) {
        int32_t other = child_at(s, seen[i]);
        if (other >= 0)
            neighbor[count++] = other;
    }
    return count;
}

/* Append the neighbors of the children of an object. `order` is scratch, 2 x children. */
static enum tmap_status list_siblings(struct tmap_nearby *nearby, int level, int32_t object,
                                      int32_t *order, size_t *room)
{
    const struct tmap_tree *tree = nearby->tree;
    int32_t begin = tree->first_child[level][object], end = tree->first_child[level][object + 1];
    const struct siblings s = {tree->interconnect[level], tree->position[level], order,
                               end - begin};
    size_t *first = nearby->first[level];
    for (int32_t i = 0; i < s.count; i++)
        order[i] = begin + i;
    tmap_sort(order, order + s.count, s.count, tmap_by_number, s.position);
    for (int32_t child = begin; child < end; child++) {
        if (first[child] + MOST_NEIGHBORS > *room) {
            size_t more = *room + *room / 2 + MOST_NEIGHBORS;
            int32_t *grown = realloc(nearby->neighbor[level], more * sizeof *grown);
            if (!grown)
                return TMAP_ENOMEM;
            nearby->neighbor[level] = grown;
            *room = more;
        }
        first[child + 1] = first[child] + (size_t)find_neighbors(
                                              &s, child, nearby->neighbor[level] + first[child]);
    }
    return TMAP_OK;
}

static enum tmap_status list_level(struct tmap_nearby *nearby, int level)
{
    size_t children = (size_t)nearby->tree->count[level + 1], room = 0;
    int32_t *order = tmap_new(children, 2 * sizeof *order);
    enum tmap_status status = TMAP_ENOMEM;
    nearby->first[level] = tmap_new_zero(children + 1, sizeof(size_t));
    if (order && nearby->first[level])
        status = TMAP_OK;
    for (int32_t o = 0; o < nearby->tree->count[level] && status == TMAP_OK; o++)
        status = list_siblings(nearby, level, o, order, &room);
    free(order);
    return status;
}

enum tmap_status tmap_nearby_init(struct tmap_nearby *nearby, const struct tmap_tree *tree)
{
    enum tmap_status status = TMAP_OK;
    *nearby = (struct tmap_nearby){.tree = tree};
    nearby->level = tree->interconnect[tree->depth - 1] ? tree->depth : tree->depth - 1;
    for (int32_t slot = 0; slot < tree->count[tree->depth] && nearby->level < tree->depth; slot++)
        nearby->with_own |= tree->capacity[slot] > 1;
    size_t objects = (size_t)tree->count[nearby->level];
    nearby->votes = tmap_new_zero(objects, sizeof *nearby->votes);
    nearby->voted = tmap_new(objects, sizeof *nearby->voted);
    if (!nearby->votes || !nearby->voted)
        return TMAP_ENOMEM;
    for (int l = 0; l < tree->depth && status == TMAP_OK; l++) {
        if (tree->interconnect[l])
            status = list_level(nearby, l);
    }
    return status;
}

void tmap_nearby_fini(struct tmap_nearby *nearby)
{
    for (int l = 0; l < TMAP_MAX_LEVELS; l++) {
        free(nearby->first[l]);
        free(nearby->neighbor[l]);
    }
    free(nearby->votes);
    free(nearby->voted);
}

/* ---- Votes ---- */

static void nearby_vote(struct tmap_nearby *nearby, int32_t object, uint64_t weight)
{
    if (weight == 0)
        return;
    if (nearby->votes[object] == 0)
        nearby->voted[nearby->voted_count++] = object;
    nearby->votes[object] += weight;
}

/* The object to be proposed below an object of `level`, by turns. */
static int32_t nearby_below(const struct tmap_nearby *nearby, int level, int32_t object,
                            int32_t turn)
{
    const struct tmap_tree *tree = nearby->tree;
    for (; level < nearby->level; level++) {
        int32_t first = tree->first_child[level][object];
        object = first + turn % (tree->first_child[level][object + 1] - first);
    }
    return object;
}

/* Vote for what is next to `slot`; returns the steps. */
static size_t vote_around(struct tmap_nearby *nearby, int32_t slot, int32_t turn, uint64_t weight)
{
    const struct tmap_tree *tree = nearby->tree;
    size_t steps = 0;
    for (int l = 0; l < tree->depth; l++) {
        if (!tree->interconnect[l])
            continue;
        int32_t at = tmap_ancestor_of(tree, slot, l + 1);
        for (size_t i = nearby->first[l][at]; i < nearby->first[l][at + 1]; i++) {
            nearby_vote(nearby, nearby_below(nearby, l + 1, nearby->neighbor[l][i], turn), weight);
            steps++;
        }
    }
    return steps;
}

/* Move the objects with most votes, but not `except`, into `object`, and forget all votes. Ties go
 * to the first. */
static int32_t take_best(struct tmap_nearby *nearby, int32_t except, int32_t *object, int32_t most)
{
    int32_t count = 0;
    for (int32_t i = 0; i < nearby->voted_count; i++) {
        int32_t voted = nearby->voted[i];
        if (voted == except || most == 0)
            continue;
        int32_t at = count < most ? count++ : most;
        while (at > 0 && nearby->votes[object[at - 1]] < nearby->votes[voted]) {
            if (at < most)
                object[at] = object[at - 1];
            at--;
        }
        if (at < most)
            object[at] = voted;
    }
    for (int32_t i = 0; i < nearby->voted_count; i++)
        nearby->votes[nearby->voted[i]] = 0;
    nearby->voted_count = 0;
    return count;
}

int32_t tmap_nearby_find(struct tmap_nearby *nearby, const struct tmap_matrix *matrix,
                         const int32_t *slot_of, int32_t role, int32_t *object, int32_t most,
                         double *work)
{
    const struct tmap_tree *tree = nearby->tree;
    struct tmap_row row = tmap_row_of(matrix, role);
    size_t steps = vote_around(nearby, slot_of[role], role, 1);
    for (size_t i = 0; i < row.count; i++) {
        int32_t slot = slot_of[row.partner[i]];
        nearby_vote(nearby, tmap_ancestor_of(tree, slot, nearby->level), row.weight[i]);
        steps += 1 + vote_around(nearby, slot, role, row.weight[i]);
    }
    *work = (double)steps;
    int32_t own = tmap_ancestor_of(tree, slot_of[role], nearby->level);
    return take_best(nearby, nearby->with_own ? -1 : own, object, most);
}
