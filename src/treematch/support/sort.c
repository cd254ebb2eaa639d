/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort.c - a merge sort from the bottom up, over indices; and one by the bytes of the weights, the
 * last byte first (Knuth 5.2.5), for entries. It compares nothing: branches on weights could not be
 * predicted.
 */
#include "treematch/support/support.h"

static void sort_merge(int32_t *restrict into, const int32_t *from, const int64_t bounds[3],
                       tmap_compare_fn *compare, const void *context)
{
    int64_t left = bounds[0], right = bounds[1];
    for (int64_t at = bounds[0]; at < bounds[2]; at++) {
        int take_left = right >= bounds[2] ||
                        (left < bounds[1] && compare(context, from[left], from[right]) <= 0);
        into[at] = from[take_left ? left++ : right++];
    }
}

int tmap_by_number(const void *context, int32_t a, int32_t b)
{
    const int32_t *number = context;
    return (number[a] > number[b]) - (number[a] < number[b]);
}

void tmap_sort(int32_t *elements, int32_t *scratch, int32_t count, tmap_compare_fn *compare,
               const void *context)
{
    int32_t *from = elements, *into = scratch;
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t begin = 0; begin < count; begin += 2 * width) {
            int64_t middle = begin + width < count ? begin + width : count;
            int64_t end = middle + width < count ? middle + width : count;
            sort_merge(into, from, (const int64_t[3]){begin, middle, end}, compare, context);
        }
        int32_t *swapped = from;
        from = into;
        into = swapped;
    }
    if (from != elements)
        memcpy(elements, from, sizeof *elements * (size_t)count);
}

/* ---- By weight ---- */

/* Up to this many entries are sorted by insertion. */
enum { FEW_ENTRIES = 32, BYTES = 256 };

static void insert_falling(struct tmap_entry *entries, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct tmap_entry entry = entries[i];
        size_t at = i;
        for (; at > 0 && entries[at - 1].weight < entry.weight; at--)
            entries[at] = entries[at - 1];
        entries[at] = entry;
    }
}

/* One pass: by the byte of the weights that `shift` brings to the end, largest first. */
static void deal_by_byte(struct tmap_entry *restrict into, const struct tmap_entry *from,
                         size_t count, int shift)
{
    size_t next[BYTES] = {0}, begin = 0;
    for (size_t i = 0; i < count; i++)
        next[from[i].weight >> shift & (BYTES - 1)]++;
    for (int byte = BYTES - 1; byte >= 0; byte--) {
        size_t those = next[byte];
        next[byte] = begin;
        begin += those;
    }
    for (size_t i = 0; i < count; i++)
        into[next[from[i].weight >> shift & (BYTES - 1)]++] = from[i];
}

void tmap_sort_falling(struct tmap_entry *entries, struct tmap_entry *scratch, size_t count)
{
    struct tmap_entry *from = entries, *into = scratch;
    uint64_t differs = 0;
    if (count <= FEW_ENTRIES) {
        insert_falling(entries, count);
        return;
    }
    for (size_t i = 1; i < count; i++)
        differs |= entries[i].weight ^ entries[0].weight;
    for (int shift = 0; shift < 64; shift += 8) {
        if ((differs >> shift & (BYTES - 1)) == 0)
            continue;
        deal_by_byte(into, from, count, shift);
        struct tmap_entry *swapped = from;
        from = into;
        into = swapped;
    }
    if (from != entries)
        memcpy(entries, from, sizeof *entries * count);
}

uint64_t tmap_weight_of_number(double number)
{
    uint64_t bits;
    number += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}
