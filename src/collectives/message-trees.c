/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message-trees.c - rooted trees, down which a collective sends from the root, or up to it.
 *
 * With v the rank counted from the root, the children of v are (13 ranks, the children of 1):
 *
 *   chain          v + 1                                       2
 *   binary         two; level k is 2^k - 1 .. 2^(k+1) - 2,     3, 5
 *                  and what hangs below 1 are the odd ranks
 *   lowest bit     v + 2^k below the lowest bit of v           none (of 4: 5, 6)
 *   highest bit    v + 2^k above the highest bit of v          3, 5, 9
 *   four-fold      as lowest bit, with the digits of base 4    none (of 4: 5, 6, 7)
 *   in order       n - 1 is the root; its right subtree has the lower half of the other ranks, its
 *                  left one the rest. The ranks of a subtree are a run, so operands stay in order
 *
 * A process works out only its own place in the tree, in O(log n) steps.
 *
 * Sources: J. Pjesivac-Grbovic et al., "Performance analysis of MPI collective operations", Cluster
 * Computing 10, 2007 (the trees, split binary); Open MPI 4.1's ompi/mca/coll/base/coll_base_topo.c
 * (https://github.com/open-mpi/ompi) for the numbering.
 */
#include "collectives/algorithms.h"

int largest_power(int n)
{
    int power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

static void tree_add_child(struct position *position, int child, int n)
{
    if (child < n && position->children < POSITION_CHILDREN)
        position->child[position->children++] = child;
}

void shape_chain(int v, int n, struct position *position)
{
    *position = (struct position){.parent = v - 1};
    tree_add_child(position, v + 1, n);
}

void shape_binary(int v, int n, struct position *position)
{
    int width = largest_power(v + 1); /* of the level of v, whose first rank is width - 1 */
    int above = width / 2;
    *position = (struct position){.parent = v ? above - 1 + (v + 1 - width) % above : -1};
    tree_add_child(position, v + width, n);
    tree_add_child(position, v + 2 * width, n);
}

/* Of the ranks of a subtree the last is its root; the lower half are the right subtree, the rest
 * the left one. */
void shape_in_order(int v, int n, struct position *position)
{
    int low = 0, size = n;
    *position = (struct position){.parent = -1};
    while (low + size - 1 != v) {
        int right = size / 2;
        position->parent = low + size - 1;
        if (v < low + right) {
            size = right;
        } else {
            low += right;
            size -= right + 1;
        }
    }
    if (size > 1)
        tree_add_child(position, v - 1, n);
    if (size > 2)
        tree_add_child(position, low + size / 2 - 1, n);
}

/* The lowest set bit of v; for the root the first power of two that is at least n. */
static int tree_reach(int v, int n)
{
    if (v)
        return v & -v;
    int bit = 1;
    while (bit < n)
        bit *= 2;
    return bit;
}

void shape_lowest_bit(int v, int n, struct position *position)
{
    *position = (struct position){.parent = v ? v & (v - 1) : -1};
    for (int bit = tree_reach(v, n) / 2; bit > 0; bit /= 2)
        tree_add_child(position, v + bit, n);
}

void shape_highest_bit(int v, int n, struct position *position)
{
    *position = (struct position){.parent = v ? v - largest_power(v) : -1};
    for (int64_t bit = v ? 2 * (int64_t)largest_power(v) : 1; v + bit < n; bit *= 2)
        tree_add_child(position, v + (int)bit, n);
}

void shape_four_fold(int v, int n, struct position *position)
{
    int64_t digit = 1;
    *position = (struct position){.parent = -1};
    while (digit < n && v % (4 * digit) == 0)
        digit *= 4;
    if (digit < n)
        position->parent = (int)(v / (4 * digit) * (4 * digit));
    for (digit /= 4; digit > 0; digit /= 4)
        for (int64_t times = 1; times < 4 && v + times * digit < n; times++)
            tree_add_child(position, v + (int)(times * digit), n);
}

/* ---- a shape among the ranks of a communicator: both ways ---- */

static int tree_numbered(const struct sender *self, const struct tree *tree, int rank)
{
    if (tree->swaps)
        return rank == tree->root ? 0 : rank == 0 ? tree->root : rank;
    return (rank - tree->root + self->size) % self->size;
}

static int tree_rank_of(const struct sender *self, const struct tree *tree, int v)
{
    return tree->swaps ? tree_numbered(self, tree, v) : (v + tree->root) % self->size;
}

void send_down_tree(const struct sender *self, const struct tree *tree, uint64_t msgs,
                    uint64_t bytes)
{
    struct position position;
    tree->shape(tree_numbered(self, tree, self->rank), self->size, &position);
    for (int i = 0; i < position.children; i++)
        algorithm_send(self, tree_rank_of(self, tree, position.child[i]), msgs, bytes);
}

void send_up_tree(const struct sender *self, const struct tree *tree, uint64_t msgs, uint64_t bytes)
{
    struct position position;
    tree->shape(tree_numbered(self, tree, self->rank), self->size, &position);
    if (position.parent >= 0)
        algorithm_send(self, tree_rank_of(self, tree, position.parent), msgs, bytes);
}

/* ---- a block for each rank ---- */

/* Number of ranks in the subtree of v. */
static uint64_t tree_subtree(int v, int n)
{
    int bit = tree_reach(v, n);
    return (uint64_t)(bit < n - v ? bit : n - v);
}

void send_down_binomial(const struct sender *self, int root, uint64_t bytes)
{
    struct tree tree = {shape_lowest_bit, root, 0};
    struct position position;
    shape_lowest_bit(tree_numbered(self, &tree, self->rank), self->size, &position);
    for (int i = 0; i < position.children; i++)
        algorithm_send(self, tree_rank_of(self, &tree, position.child[i]), 1,
                       bytes * tree_subtree(position.child[i], self->size));
}

void send_up_binomial(const struct sender *self, int root, uint64_t bytes)
{
    struct tree tree = {shape_lowest_bit, root, 0};
    send_up_tree(self, &tree, 1,
                 bytes * tree_subtree(tree_numbered(self, &tree, self->rank), self->size));
}

/* ---- the others ---- */

void send_to_root(const struct sender *self, int root, uint64_t bytes)
{
    if (self->rank != root)
        algorithm_send(self, root, 1, bytes);
}

/* The side of odd v gets the first half. Then v and v + 1 exchange halves (v odd); with an even n
 * the last v has no partner and gets the other half from the root. */
void send_split_binary(const struct sender *self, int root, uint64_t count, uint64_t size)
{
    struct tree tree = {shape_binary, root, 0};
    struct position position;
    uint64_t half[] = {(count + 1) / 2 * size, count / 2 * size};
    int v = tree_numbered(self, &tree, self->rank), mine = (v + 1) % 2, even = self->size % 2 == 0;
    shape_binary(v, self->size, &position);
    for (int i = 0; i < position.children; i++)
        algorithm_send(self, tree_rank_of(self, &tree, position.child[i]), 1, half[v ? mine : i]);
    if (v && !(even && v == self->size - 1))
        algorithm_send(self, tree_rank_of(self, &tree, mine ? v - 1 : v + 1), 1, half[mine]);
    else if (!v && even)
        algorithm_send(self, tree_rank_of(self, &tree, self->size - 1), 1, half[1]);
}
