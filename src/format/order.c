/* SPDX-License-Identifier: BSD-3-Clause */
/* order.c - see order.h. */
#include "format/order.h"

#include <stdio.h>
#include <stdlib.h>

#include "format/lines.h"

static int order_read_pairs(struct lines *lines, int32_t *rank_of, int32_t ranks, char *taken)
{
    char what[64];
    int32_t count = 0;
    int more;
    snprintf(what, sizeof what, "not an order of %d ranks, `role rank' a line", (int)ranks);
    for (int32_t role = 0; role < ranks; role++)
        rank_of[role] = -1;
    while ((more = lines_next(lines)) > 0) {
        const char *text = lines->line;
        uint64_t role, rank;
        if (lines_at_end(text))
            continue;
        if (lines_number(&text, (uint64_t)ranks - 1, &role) ||
            lines_number(&text, (uint64_t)ranks - 1, &rank) || !lines_at_end(text) ||
            rank_of[role] >= 0 || taken[rank])
            return lines_fail(lines, what);
        rank_of[role] = (int32_t)rank;
        taken[rank] = 1;
        count++;
    }
    if (more < 0)
        return -1;
    return count == ranks ? 0 : reseat_fail(lines->error, "%s: %s", lines->path, what);
}

int reseat_order_read(int32_t *rank_of, int32_t ranks, const char *path, struct reseat_error *error)
{
    struct lines lines;
    if (lines_open(&lines, path, error))
        return -1;
    char *taken = calloc((size_t)ranks + 1, 1);
    int rc = taken ? order_read_pairs(&lines, rank_of, ranks, taken) : lines_no_memory(&lines);
    free(taken);
    lines_close(&lines);
    return rc;
}
