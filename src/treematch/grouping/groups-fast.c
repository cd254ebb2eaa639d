/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * groups-fast.c - FastGroupProcesses of TreeMatch (2014, 4.1.2): group by matrix elements in
 * falling order.
 *
 * The elements of the matrix are taken bucket by bucket, heaviest first, and each brings its two
 * processes together if there is room. The paper describes this for pairs; for groups of k > 2,
 * which it leaves open, an element (i, j)
 *   - opens a group if both are free and groups are still wanted,
 *   - lets the free one join the group of the other if that has room,
 *   - merges their groups if both fit into one.
 * There are never more open groups than wanted, so the remaining processes always fit: each goes to
 * the group with room to which it has the most traffic, and if it has none, to any.
 *
 * The wanted groups are bins (treematch.h). A uniform tree wants p/k bins of k. Any other tree
 * wants bins of several kinds; a new group takes an empty bin of the largest kind. A group that
 * outgrows its bin moves to an empty one that suits, or exchanges bins with a group that fits into
 * its own. The search for these is cut off after a few tries, which keeps the time nearly linear.
 *
 * Example: pairs of weight 9 (0,1), 8 (2,3), 7 (1,2), 1 (4,5) with two bins of 3: {0,1} and {2,3}
 * open; (1,2) cannot merge four processes into a bin of 3; (4,5) finds no empty bin; 4 joins {0,1},
 * 5 joins {2,3}.
 * Time O(pairs log pairs + p log p), memory O(pairs + p).
 */
#include "treematch/grouping/treematch.h"

/* Number of kinds of bins that are tried for a group, and of bins of each. */
enum { TRIED_KINDS = 16, TRIED_BINS = 8 };

/*
 * Five bins of two kinds, of which two are in use:
 *
 *                 kind 0            kind 1
 *             +-----+-----+   +-----+-----+-----+
 *   by_kind   |  1  |  0  |   |  4  |  3  |  2  |      bins; of each kind the empty ones first
 *             +-----+-----+   +-----+-----+-----+
 *             ^     ^         ^           ^
 *        first[0]  empty[0]   first[1]    empty[1]
 *
 *   place[4] = 2                                       where a bin stands in by_kind
 *   head[2] = 7, next[7] = 3, next[3] = -1             processes 7 and 3 are in bin 2
 *
 * Opening a group takes the last empty bin of a kind, and empty[kind] falls by one. A bin that
 * becomes empty changes places with the first one in use, and empty[kind] rises by one.
 */
struct grouping {
    const struct tmap_bins *bins;
    const int32_t *class_of; /* NULL: all 0 */
    int32_t *bin_of;         /* by process; -1: free */
    int32_t *room;           /* as bins->demand: what is still missing */
    int32_t *head, *next;    /* members of a bin: head[bin], next[process], -1 ends */
    int32_t *size;           /* of a bin */
    int32_t *by_kind;        /* bins, kind after kind */
    int32_t *place;          /* by bin: its index in by_kind */
    int32_t *first;          /* by_kind[first[kind]] .. [first[kind + 1] - 1]: bins of a kind */
    int32_t *empty;          /* by_kind[first[kind]] .. [empty[kind] - 1]: empty bins of a kind */
    int32_t *kind_order;     /* kinds, by falling demand */
    int32_t left;            /* free processes */
};

static int32_t class_of(const struct grouping *grouping, int32_t process)
{
    return grouping->class_of ? grouping->class_of[process] : 0;
}

/* Index of the demand of `bin` for a class; -1: it wants none of that class. */
static int32_t find_demand(const struct tmap_bins *bins, int32_t bin, int32_t class)
{
    int32_t first = bins->first[bin];
    size_t count = (size_t)(bins->first[bin + 1] - first);
    size_t at = tmap_sorted_find(bins->child_class + first, count, class);
    return at < count ? first + (int32_t)at : -1;
}

static int32_t room_for(const struct grouping *grouping, int32_t bin, int32_t class)
{
    int32_t at = find_demand(grouping->bins, bin, class);
    return at < 0 ? 0 : grouping->room[at];
}

static void bin_put(struct grouping *grouping, int32_t process, int32_t bin)
{
    grouping->room[find_demand(grouping->bins, bin, class_of(grouping, process))]--;
    grouping->bin_of[process] = bin;
    grouping->next[process] = grouping->head[bin];
    grouping->head[bin] = process;
    grouping->size[bin]++;
}

/* ---- Bins in use and empty ones, kind by kind ---- */

/* Exchange two places of by_kind. */
static void exchange_places(struct grouping *grouping, int32_t a, int32_t b)
{
    int32_t bin = grouping->by_kind[a], other = grouping->by_kind[b];
    grouping->by_kind[a] = other;
    grouping->by_kind[b] = bin;
    grouping->place[bin] = b;
    grouping->place[other] = a;
}

/* `bin` is empty again: it joins the empty ones of its kind, which come before those in use. */
static void bin_release(struct grouping *grouping, int32_t bin)
{
    int32_t kind = grouping->bins->kind[bin];
    exchange_places(grouping, grouping->place[bin], grouping->empty[kind]++);
}

static int32_t last_empty(const struct grouping *grouping, int32_t kind)
{
    int32_t at = grouping->empty[kind];
    return at > grouping->first[kind] ? grouping->by_kind[at - 1] : -1;
}

/* Both are free: open a group in an empty bin of the largest kind that suits. */
static void open_group(struct grouping *grouping, int32_t i, int32_t j)
{
    int32_t a = class_of(grouping, i), b = class_of(grouping, j), tried = 0;
    for (int32_t n = 0; n < grouping->bins->kinds && tried < TRIED_KINDS; n++) {
        int32_t kind = grouping->kind_order[n], bin = last_empty(grouping, kind);
        if (bin < 0)
            continue;
        tried++;
        if (room_for(grouping, bin, a) >= 1 + (a == b) && room_for(grouping, bin, b) >= 1) {
            grouping->empty[kind]--;
            bin_put(grouping, i, bin);
            bin_put(grouping, j, bin);
            grouping->left -= 2;
            return;
        }
    }
}

/* Returns 1 if the contents of `bin`, and one more of class `extra` (-1: none), fit into `other`
 * once that is emptied. */
static int contents_fit(const struct grouping *grouping, int32_t bin, int32_t other, int32_t extra)
{
    const struct tmap_bins *bins = grouping->bins;
    int seen = 0;
    for (int32_t i = bins->first[bin]; i < bins->first[bin + 1]; i++) {
        int32_t content = bins->demand[i] - grouping->room[i];
        content += bins->child_class[i] == extra;
        seen |= bins->child_class[i] == extra;
        int32_t at = content > 0 ? find_demand(bins, other, bins->child_class[i]) : -1;
        if (content > 0 && (at < 0 || bins->demand[at] < content))
            return 0;
    }
    return extra < 0 || seen || find_demand(bins, other, extra) >= 0;
}

/* Put the list of processes that begins at `process` into `bin`. */
static void put_list(struct grouping *grouping, int32_t process, int32_t bin)
{
    while (process >= 0) {
        int32_t following = grouping->next[process];
        bin_put(grouping, process, bin);
        process = following;
    }
}

/* Take everything out of `bin`; returns the list. */
static int32_t bin_clear(struct grouping *grouping, int32_t bin)
{
    const struct tmap_bins *bins = grouping->bins;
    int32_t list = grouping->head[bin];
    for (int32_t i = bins->first[bin]; i < bins->first[bin + 1]; i++)
        grouping->room[i] = bins->demand[i];
    grouping->head[bin] = -1;
    grouping->size[bin] = 0;
    return list;
}

static void bins_exchange(struct grouping *grouping, int32_t bin, int32_t other)
{
    int32_t list = bin_clear(grouping, bin), other_list = bin_clear(grouping, other);
    put_list(grouping, list, other);
    put_list(grouping, other_list, bin);
}

/* A bin of `kind` to which the group in `bin` can move with one more process of class `extra`. */
static int32_t find_exchange(const struct grouping *grouping, int32_t kind, int32_t bin,
                             int32_t extra)
{
    int32_t begin = grouping->empty[kind] - (grouping->empty[kind] > grouping->first[kind]);
    int32_t end = grouping->first[kind + 1];
    if (end - begin > TRIED_BINS)
        end = begin + TRIED_BINS;
    if (begin == end || !contents_fit(grouping, bin, grouping->by_kind[begin], extra))
        return -1;
    for (int32_t at = begin; at < end; at++) {
        if (contents_fit(grouping, grouping->by_kind[at], bin, -1))
            return grouping->by_kind[at];
    }
    return -1;
}

/* Move the group in `bin` to a bin of another kind that has room for one more of class `extra`.
 * Returns the new bin; -1: there is none. */
static int32_t move_group(struct grouping *grouping, int32_t bin, int32_t extra)
{
    int32_t kinds = grouping->bins->kinds;
    for (int32_t n = 0; n < kinds && n < TRIED_KINDS; n++) {
        int32_t kind = grouping->kind_order[n];
        if (kind == grouping->bins->kind[bin])
            continue;
        int32_t other = find_exchange(grouping, kind, bin, extra);
        if (other < 0)
            continue;
        int was_empty = grouping->size[other] == 0;
        bins_exchange(grouping, bin, other);
        if (was_empty) {
            grouping->empty[kind]--;
            bin_release(grouping, bin);
        }
        return other;
    }
    return -1;
}

static void bin_join(struct grouping *grouping, int32_t process, int32_t bin)
{
    int32_t class = class_of(grouping, process);
    if (room_for(grouping, bin, class) < 1)
        bin = grouping->bins->kinds > 1 ? move_group(grouping, bin, class) : -1;
    if (bin < 0)
        return;
    bin_put(grouping, process, bin);
    grouping->left--;
}

static int fits_beside(const struct grouping *grouping, int32_t bin, int32_t other)
{
    const struct tmap_bins *bins = grouping->bins;
    for (int32_t i = bins->first[bin]; i < bins->first[bin + 1]; i++) {
        int32_t content = bins->demand[i] - grouping->room[i];
        if (content > 0 && room_for(grouping, other, bins->child_class[i]) < content)
            return 0;
    }
    return 1;
}

static void merge_groups(struct grouping *grouping, int32_t a, int32_t b)
{
    int32_t small = grouping->size[a] < grouping->size[b] ? a : b, large = a + b - small;
    if (!fits_beside(grouping, small, large)) {
        int32_t swapped = small;
        small = large;
        large = swapped;
        if (grouping->bins->kinds == 1 || !fits_beside(grouping, small, large))
            return;
    }
    put_list(grouping, bin_clear(grouping, small), large);
    bin_release(grouping, small);
}

static void bring_together(struct grouping *grouping, int32_t i, int32_t j)
{
    int32_t a = grouping->bin_of[i], b = grouping->bin_of[j];
    if (a < 0 && b < 0)
        open_group(grouping, i, j);
    else if (a < 0)
        bin_join(grouping, i, b);
    else if (b < 0)
        bin_join(grouping, j, a);
    else if (a != b)
        merge_groups(grouping, a, b);
}

/* ---- The remaining processes ---- */

/* The bin with room to which `role` has the most traffic; -1: none. `sum` is all 0 before and
 * after. */
static int32_t heaviest_bin(const struct grouping *grouping, const struct tmap_matrix *matrix,
                            int32_t role, uint64_t *sum)
{
    int32_t best = -1, class = class_of(grouping, role);
    struct tmap_row row = tmap_row_of(matrix, role);
    for (size_t i = 0; i < row.count; i++) {
        int32_t bin = grouping->bin_of[row.partner[i]];
        if (bin >= 0)
            sum[bin] += row.weight[i];
    }
    for (size_t i = 0; i < row.count; i++) {
        int32_t bin = grouping->bin_of[row.partner[i]];
        if (bin < 0 || room_for(grouping, bin, class) < 1)
            continue;
        if (best < 0 || sum[bin] > sum[best] || (bin < best && sum[bin] == sum[best]))
            best = bin;
    }
    for (size_t i = 0; i < row.count; i++) {
        if (grouping->bin_of[row.partner[i]] >= 0)
            sum[grouping->bin_of[row.partner[i]]] = 0;
    }
    return best;
}

static enum tmap_status place_connected(struct grouping *grouping, const struct tmap_matrix *matrix)
{
    uint64_t *sum = tmap_new_zero((size_t)grouping->bins->bins, sizeof *sum);
    if (!sum)
        return TMAP_ENOMEM;
    for (int32_t role = 0; role < matrix->roles && grouping->left > 0; role++) {
        if (grouping->bin_of[role] >= 0)
            continue;
        int32_t bin = heaviest_bin(grouping, matrix, role, sum);
        if (bin >= 0) {
            bin_put(grouping, role, bin);
            grouping->left--;
        }
    }
    free(sum);
    return TMAP_OK;
}

/* The rest: the free processes of a class fill the demands for it, both in order. */
static enum tmap_status place_rest(struct grouping *grouping, int32_t p)
{
    const struct tmap_bins *bins = grouping->bins;
    int32_t *waiting = tmap_new((size_t)bins->classes, sizeof *waiting);
    int32_t *following = tmap_new((size_t)p, sizeof *following);
    if (waiting && following) {
        for (int32_t c = 0; c < bins->classes; c++)
            waiting[c] = -1;
        for (int32_t i = p - 1; i >= 0; i--) {
            if (grouping->bin_of[i] >= 0)
                continue;
            following[i] = waiting[class_of(grouping, i)];
            waiting[class_of(grouping, i)] = i;
        }
        for (int32_t b = 0; b < bins->bins; b++) {
            for (int32_t d = bins->first[b]; d < bins->first[b + 1]; d++) {
                int32_t *first = &waiting[bins->child_class[d]];
                while (grouping->room[d] > 0 && *first >= 0) {
                    int32_t process = *first;
                    *first = following[process];
                    bin_put(grouping, process, b);
                }
            }
        }
    }
    enum tmap_status status = waiting && following ? TMAP_OK : TMAP_ENOMEM;
    free(waiting);
    free(following);
    return status;
}

/* ---- Set-up ---- */

static int by_falling_demand(const void *context, int32_t a, int32_t b)
{
    const int32_t *demand = context;
    return (demand[a] < demand[b]) - (demand[a] > demand[b]);
}

/* `work`: 2 x kinds. */
static void order_kinds(struct grouping *grouping, int32_t *work)
{
    const struct tmap_bins *bins = grouping->bins;
    memset(work, 0, sizeof *work * (size_t)bins->kinds);
    for (int32_t kind = 0; kind < bins->kinds; kind++) {
        grouping->kind_order[kind] = kind;
        if (grouping->first[kind] == grouping->first[kind + 1])
            continue;
        int32_t bin = grouping->by_kind[grouping->first[kind]];
        for (int32_t i = bins->first[bin]; i < bins->first[bin + 1]; i++)
            work[kind] += bins->demand[i];
    }
    tmap_sort(grouping->kind_order, work + bins->kinds, bins->kinds, by_falling_demand, work);
}

static void reverse_range(int32_t *array, int32_t begin, int32_t end)
{
    for (end--; begin < end; begin++, end--) {
        int32_t swapped = array[begin];
        array[begin] = array[end];
        array[end] = swapped;
    }
}

static void grouping_set_up(struct grouping *grouping, int32_t p, int32_t *work)
{
    const struct tmap_bins *bins = grouping->bins;
    memcpy(grouping->room, bins->demand, sizeof *grouping->room * (size_t)bins->first[bins->bins]);
    memset(grouping->head, 0xff, sizeof *grouping->head * (size_t)bins->bins);
    memset(grouping->size, 0, sizeof *grouping->size * (size_t)bins->bins);
    memset(grouping->bin_of, 0xff, sizeof *grouping->bin_of * (size_t)p);
    tmap_list_members(bins->kind, bins->bins, bins->kinds, grouping->first, grouping->by_kind);
    for (int32_t kind = 0; kind < bins->kinds; kind++) {
        reverse_range(grouping->by_kind, grouping->first[kind], grouping->first[kind + 1]);
        grouping->empty[kind] = grouping->first[kind + 1];
    }
    for (int32_t at = 0; at < bins->bins; at++)
        grouping->place[grouping->by_kind[at]] = at;
    order_kinds(grouping, work);
    grouping->left = p;
}

static void free_grouping(struct grouping *grouping)
{
    free(grouping->room);
    free(grouping->head);
    free(grouping->next);
    free(grouping->size);
    free(grouping->by_kind);
    free(grouping->place);
    free(grouping->first);
    free(grouping->empty);
    free(grouping->kind_order);
}

static enum tmap_status alloc_grouping(struct grouping *grouping, int32_t p)
{
    size_t bins = (size_t)grouping->bins->bins, kinds = (size_t)grouping->bins->kinds;
    grouping->room = tmap_new((size_t)grouping->bins->first[bins], sizeof(int32_t));
    grouping->head = tmap_new(bins, sizeof(int32_t));
    grouping->next = tmap_new((size_t)p, sizeof(int32_t));
    grouping->size = tmap_new(bins, sizeof(int32_t));
    grouping->by_kind = tmap_new(bins, sizeof(int32_t));
    grouping->place = tmap_new(bins, sizeof(int32_t));
    grouping->first = tmap_new(kinds + 1, sizeof(int32_t));
    grouping->empty = tmap_new(kinds, sizeof(int32_t));
    grouping->kind_order = tmap_new(kinds, sizeof(int32_t));
    return grouping->room && grouping->head && grouping->next && grouping->size &&
                   grouping->by_kind && grouping->place && grouping->first && grouping->empty &&
                   grouping->kind_order
               ? TMAP_OK
               : TMAP_ENOMEM;
}

static void use_elements(struct grouping *grouping, struct tmap_buckets *buckets)
{
    for (int bucket = 0; bucket < buckets->count && grouping->left > 0; bucket++) {
        tmap_buckets_sort(buckets, bucket);
        size_t end = buckets->first[bucket + 1];
        for (size_t i = buckets->first[bucket]; i < end && grouping->left > 0; i++)
            bring_together(grouping, buckets->element[i].source, buckets->element[i].target);
    }
}

enum tmap_status tmap_group_fast(const struct tmap_matrix *matrix, int32_t p,
                                 const int32_t *class_of_process, const struct tmap_bins *bins,
                                 int buckets_count, int32_t *bin_of)
{
    struct grouping grouping = {.bins = bins, .class_of = class_of_process, .bin_of = bin_of};
    struct tmap_buckets buckets = {.element = NULL};
    enum tmap_status status = TMAP_ENOMEM;
    int32_t *work = tmap_new((size_t)bins->kinds, 2 * sizeof *work);
    if (!work || alloc_grouping(&grouping, p) || tmap_buckets_init(&buckets, matrix, buckets_count))
        goto out;
    grouping_set_up(&grouping, p, work);
    use_elements(&grouping, &buckets);
    status = place_connected(&grouping, matrix);
    if (status == TMAP_OK)
        status = place_rest(&grouping, p);
out:
    tmap_buckets_fini(&buckets);
    free_grouping(&grouping);
    free(work);
    return status;
}
