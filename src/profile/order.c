/* SPDX-License-Identifier: BSD-3-Clause */
/* order.c - see order.h. */
#include "profile/order.h"

#include <stdio.h>
#include <stdlib.h>

#include "text/lines.h"

/* `taken` is NULL if several roles may be at one place. */
static int order_read_pairs(struct lines *lines, int32_t *place_of, int32_t roles, int32_t places,
                            char *taken)
{
    char what[96];
    int32_t count = 0;
    int more;
    if (taken)
        snprintf(what, sizeof what, "not an order of %d ranks, `role rank' a line", (int)roles);
    else
        snprintf(what, sizeof what, "not a mapping of %d roles to %d slots, `role slot' a line",
                 (int)roles, (int)places);
    for (int32_t role = 0; role < roles; role++)
        place_of[role] = -1;
    while ((more = lines_next(lines)) > 0) {
        const char *text = lines->line;
        uint64_t role, place;
        if (lines_at_end(text))
            continue;
        if (lines_number(&text, (uint64_t)roles - 1, &role) ||
            lines_number(&text, (uint64_t)places - 1, &place) || !lines_at_end(text) ||
            place_of[role] >= 0 || (taken && taken[place]))
            return lines_fail(lines, "%s", what);
        place_of[role] = (int32_t)place;
        if (taken)
            taken[place] = 1;
        count++;
    }
    if (more < 0)
        return -1;
    return count == roles ? 0 : reseat_fail(lines->error, "%s: %s", lines->path, what);
}

int reseat_order_read(int32_t *rank_of, int32_t ranks, const char *path, struct reseat_error *error)
{
    struct lines lines;
    if (lines_open(&lines, path, error))
        return -1;
    char *taken = calloc((size_t)ranks + 1, 1);
    int rc =
        taken ? order_read_pairs(&lines, rank_of, ranks, ranks, taken) : lines_no_memory(&lines);
    free(taken);
    lines_close(&lines);
    return rc;
}

int reseat_order_read_slots(int32_t *slot_of, int32_t roles, int32_t slots, const char *path,
                            struct reseat_error *error)
{
    struct lines lines;
    if (lines_open(&lines, path, error))
        return -1;
    int rc = order_read_pairs(&lines, slot_of, roles, slots, NULL);
    lines_close(&lines);
    return rc;
}
