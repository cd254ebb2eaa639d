/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c - see matrix.h. As strict as the profile reader, but rows may come in any order. */
#include "exchange/matrix.h"

#include <inttypes.h>

#include "exchange/exchange-forms.h"
#include "exchange/exchange.h"
#include "profile/world-profile.h"

/* Parse `source target messages bytes`; 0, or -1 if the line cannot be in a matrix of `ranks`
 * ranks. */
static int matrix_text_parse_row(const char *text, int32_t ranks, struct reseat_entry *e)
{
    uint64_t number[4] = {0};
    for (int i = 0; i < 4; i++)
        if (lines_number(&text, i < 2 ? (uint64_t)ranks - 1 : UINT64_MAX, &number[i]))
            return -1;
    *e = (struct reseat_entry){(int32_t)number[0], (int32_t)number[1], number[2], number[3], 0};
    return lines_at_end(text) ? 0 : -1;
}

static int matrix_text_read_rows(struct lines *lines, struct reseat_profile *profile)
{
    struct reseat_entry entry;
    int more;
    while ((more = lines_next(lines)) > 0) {
        if (matrix_text_parse_row(lines->line, profile->ranks, &entry))
            return reseat_fail(lines->error,
                               "%s:%zu: `source target messages bytes` with ranks below %" PRId32
                               " is expected",
                               lines->path, lines->number, profile->ranks);
        if (world_add(profile, RESEAT_P2P, &entry))
            return lines_no_memory(lines);
    }
    if (more == 0 && world_finish(profile, &entry))
        more = reseat_fail(lines->error, "%s: the pair %" PRId32 " %" PRId32 " is there twice",
                           lines->path, entry.source, entry.target);
    return more;
}

int form_read_plain(const struct form_input *input, struct reseat_profile **profile)
{
    struct lines *lines = input->lines;
    uint64_t ranks;
    int more = lines_next(lines);
    if (more <= 0)
        return more < 0 ? -1 : reseat_fail(lines->error, "%s: is empty", lines->path);
    const char *text = lines->line;
    if (lines_number(&text, RESEAT_MOST_RANKS, &ranks) || !lines_at_end(text) || ranks < 1)
        return lines_fail(lines, "the number of ranks is expected here");
    *profile = world_create((int32_t)ranks);
    return *profile ? matrix_text_read_rows(lines, *profile) : lines_no_memory(lines);
}

int reseat_matrix_read(struct reseat_profile **profile, const char *path,
                       struct reseat_error *error)
{
    return reseat_exchange_read(profile, RESEAT_FORMAT_PLAIN, &path, 1, RESEAT_METRIC_SIZE, 0,
                                error);
}
