/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map-physical.c - see map.h: rank i on the i-th unit in the order of the numbers that the system
 * gives them, which is what the papers call round robin (Jeannot, Mercier and Tessier 2014, section
 * 4.2). Neighboring numbers are often far apart.
 */
#include <stdlib.h>

#include "cmd/map/map.h"
#include "base/ascending.h"
#include "treematch/adapters/slot-numbers.h"
#include "cmd/shell/machine-load.h"
#include "treematch/tmap.h"

struct numbered_slot {
    int32_t number, slot;
};

/* The slots in the order of their numbers; NULL: out of memory. */
static struct numbered_slot *physical_sort(const int32_t *number, int32_t slots)
{
    struct numbered_slot *sorted = malloc((size_t)slots * sizeof *sorted);
    for (int32_t slot = 0; sorted && slot < slots; slot++)
        sorted[slot] = (struct numbered_slot){number[slot], slot};
    if (sorted)
        qsort(sorted, (size_t)slots, sizeof *sorted, ascending_int32);
    return sorted;
}

int map_by_numbers(const struct map_request *r, const struct map_result *x, int32_t **slot_of,
                   struct reseat_error *error)
{
    int32_t ranks = x->traffic->ranks, slots = tmap_tree_slots(x->prediction.tree), *number = NULL;
    struct tmap_error why;
    if (r->tree || x->has_seats || x->machine)
        return reseat_fail(error,
                           "--method physical needs the numbers of a system: --topology with "
                           "an hwloc XML file or synthetic description, or `this'");
    if (ranks > slots)
        return reseat_fail(error, "%d roles, but the tree takes %d", (int)ranks, (int)slots);
    if (tmap_slot_numbers(&number, topology_source(r->topology), 1, &why))
        return reseat_fail(error, "%s", why.text);
    struct numbered_slot *sorted = physical_sort(number, slots);
    int32_t *found = malloc(((size_t)ranks + 1) * sizeof *found);
    int is_ok = sorted && found;
    for (int32_t rank = 0; is_ok && rank < ranks; rank++)
        found[rank] = sorted[rank].slot;
    free(sorted);
    free(number);
    if (!is_ok) {
        free(found);
        return reseat_fail(error, "out of memory");
    }
    *slot_of = found;
    return 0;
}
