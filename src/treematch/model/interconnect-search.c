/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interconnect-search.c - see interconnect-search.h. Breadth first if all links are equally long,
 * with a second queue for the links between groups, otherwise Dijkstra's algorithm.
 */
#include "treematch/model/interconnect-search.h"

#include <math.h>

void tmap_interconnect_search_fini(struct tmap_interconnect_search *search)
{
    free(search->length);
    free(search->hops);
    free(search->queue);
    free(search->entered);
    free(search->heap.entry);
    free(search->heap.place);
    free(search->heap.key);
}

enum tmap_status tmap_interconnect_search_init(struct tmap_interconnect_search *search,
                                               const struct tmap_interconnect *interconnect)
{
    size_t positions = (size_t)interconnect->positions;
    *search = (struct tmap_interconnect_search){.interconnect = interconnect};
    search->hops = tmap_new(positions, sizeof *search->hops);
    if (!interconnect->length || interconnect->shape.group > 0)
        search->queue = tmap_new(positions, sizeof *search->queue);
    if (!interconnect->length)
        return search->hops && search->queue ? TMAP_OK : TMAP_ENOMEM;
    search->length = tmap_new(positions, sizeof *search->length);
    if (interconnect->shape.group > 0) {
        search->entered = tmap_new(positions, sizeof *search->entered);
        return search->hops && search->queue && search->length && search->entered ? TMAP_OK
                                                                                  : TMAP_ENOMEM;
    }
    search->heap.entry = tmap_new(positions, sizeof *search->heap.entry);
    search->heap.place = tmap_new(positions, sizeof(int32_t));
    search->heap.key = tmap_new(positions, sizeof(int64_t));
    if (!search->hops || !search->length || !search->heap.entry || !search->heap.place ||
        !search->heap.key)
        return TMAP_ENOMEM;
    memset(search->heap.place, 0xff, positions * sizeof(int32_t));
    return TMAP_OK;
}

void tmap_search_breadth_first(int64_t positions, const size_t *first, const int32_t *target,
                               int32_t from, int32_t *hops, int32_t *queue)
{
    int64_t head = 0, tail = 0;
    memset(hops, 0xff, (size_t)positions * sizeof *hops);
    hops[from] = 0;
    queue[tail++] = from;
    while (head < tail && tail < positions) { /* until all have been reached */
        int32_t at = queue[head++];
        for (size_t i = first[at]; i < first[at + 1]; i++) {
            int32_t next = target[i];
            if (hops[next] < 0) {
                hops[next] = hops[at] + 1;
                queue[tail++] = next;
            }
        }
    }
}

/* Two queues, for the two lengths of links: what is reached inside a group, and what is entered
 * over a link between groups, which may still be reached on a shorter path. As positions leave them
 * shortest first, both are sorted. Ends when all have been reached. */
static void search_by_groups(struct tmap_interconnect_search *search, int32_t from)
{
    const struct tmap_interconnect *interconnect = search->interconnect;
    int32_t *hops = search->hops, *queue = search->queue, *entered = search->entered;
    double *length = search->length;
    int64_t head = 0, tail = 0, taken = 0, known = 1, reached = 0;
    for (int64_t p = 0; p < interconnect->positions; p++) {
        hops[p] = -1;
        length[p] = INFINITY;
    }
    entered[0] = from;
    length[from] = 0;
    while (reached < interconnect->positions) {
        while (taken < known && hops[entered[taken]] >= 0)
            taken++;
        if (taken == known && head == tail)
            break;
        int enters =
            taken < known && (head == tail || length[entered[taken]] <= length[queue[head]]);
        int32_t at = enters ? entered[taken++] : queue[head++];
        if (enters) {
            int64_t links = (int64_t)length[at];
            hops[at] = (int32_t)(links / TMAP_BETWEEN_GROUPS + links % TMAP_BETWEEN_GROUPS);
            reached++;
        }
        for (size_t i = interconnect->first[at]; i < interconnect->first[at + 1]; i++) {
            int32_t next = interconnect->target[i];
            double through = length[at] + (double)interconnect->length[i];
            if (hops[next] >= 0 || length[next] <= through)
                continue;
            length[next] = through;
            if (interconnect->length[i] > 1) {
                entered[known++] = next;
            } else {
                hops[next] = hops[at] + 1;
                queue[tail++] = next;
                reached++;
            }
        }
    }
}

/* Positive numbers in floating point are ordered like their bits. */
static int64_t key_of(double length)
{
    int64_t bits;
    memcpy(&bits, &length, sizeof bits);
    return -bits;
}

static void search_reach(struct tmap_interconnect_search *search, int32_t position, double length,
                         int32_t hops)
{
    int is_new = search->hops[position] < 0;
    if (!is_new && (length > search->length[position] ||
                    (length == search->length[position] && hops >= search->hops[position])))
        return;
    if (!is_new && search->heap.place[position] < 0)
        return; /* done: a link so short that rounding makes it 0 led back */
    search->length[position] = length;
    search->hops[position] = hops;
    if (is_new) {
        search->heap.key[position] = key_of(length);
        tmap_heap_add(&search->heap, position);
    } else {
        tmap_heap_set(&search->heap, position, key_of(length));
    }
}

static void search_shortest_first(struct tmap_interconnect_search *search, int32_t from)
{
    const struct tmap_interconnect *interconnect = search->interconnect;
    memset(search->hops, 0xff, (size_t)interconnect->positions * sizeof *search->hops);
    search_reach(search, from, 0, 0);
    while (search->heap.count > 0) {
        int32_t at = tmap_heap_top(&search->heap);
        tmap_heap_remove(&search->heap, at);
        for (size_t i = interconnect->first[at]; i < interconnect->first[at + 1]; i++)
            search_reach(search, interconnect->target[i],
                         search->length[at] + (double)interconnect->length[i],
                         search->hops[at] + 1);
    }
}

void tmap_interconnect_search_from(struct tmap_interconnect_search *search, int32_t from)
{
    const struct tmap_interconnect *interconnect = search->interconnect;
    if (interconnect->shape.group > 0)
        search_by_groups(search, from);
    else if (interconnect->length)
        search_shortest_first(search, from);
    else
        tmap_search_breadth_first(interconnect->positions, interconnect->first,
                                  interconnect->target, from, search->hops, search->queue);
}
