/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange-forms.c - what the readers of forms share, and that of plain text: as strict as the
 * profile reader, but rows may come in any order. */
#include "exchange/exchange-forms.h"

#include <inttypes.h>
#include <math.h>

#define ROUNDED_AT_MOST 0.01 /* of the sum of all numbers */

int form_read_value(struct form_sums *sums, const char **text, uint64_t *value)
{
    double exact;
    if (lines_value(text, value, &exact))
        return -1;
    sums->values += exact;
    sums->rounded += fabs(exact - (double)*value);
    return 0;
}

int form_add_value(struct reseat_profile *profile, int32_t source, int32_t target, uint64_t value,
                   enum reseat_metric metric)
{
    struct reseat_entry entry = {source, target, 1, value, 0};
    if (metric == RESEAT_METRIC_MSG) {
        entry.msgs = value;
        entry.bytes = 0;
    }
    return value ? world_add(profile, RESEAT_P2P, &entry) : 0;
}

int form_expect_end(struct lines *lines, char comment, const char *otherwise)
{
    int more;
    while ((more = lines_next(lines)) > 0)
        if (!lines_at_end(lines->line) && lines->line[0] != comment)
            return lines_fail(lines, "%s", otherwise);
    return more;
}

int form_finish(const struct form_input *input, struct reseat_profile *profile)
{
    static const char *const known[] = {"bytes (messages unknown, 1 a pair)",
                                        "messages (bytes unknown)",
                                        "bytes per message (messages unknown, 1 a pair)"};
    struct reseat_entry twice;
    for (const struct form_sums *s = input->sums; s < input->sums + FORM_SUMS; s++)
        if (s->rounded > ROUNDED_AT_MOST * s->values)
            return reseat_fail(input->lines->error,
                               "%s: rounding to integers changes its numbers by %.0f %% in total: "
                               "scale them, for example by 1000000",
                               input->lines->path, 100 * s->rounded / s->values);
    if (world_finish(profile, &twice))
        return reseat_fail(input->lines->error,
                           "%s: the pair %" PRId32 " %" PRId32 " is there twice",
                           input->lines->path, twice.source, twice.target);
    return world_header(profile, "converted_from", input->lines->path) ||
                   world_header(profile, "values", known[input->metric])
               ? lines_no_memory(input->lines)
               : 0;
}

/* ---- plain text ---- */

/* Parse `source target messages bytes`; 0, or -1 if the line cannot be in a matrix of `ranks`
 * ranks. */
static int plain_parse_row(const char *text, int32_t ranks, struct reseat_entry *e)
{
    uint64_t number[4] = {0};
    for (int i = 0; i < 4; i++)
        if (lines_number(&text, i < 2 ? (uint64_t)ranks - 1 : UINT64_MAX, &number[i]))
            return -1;
    *e = (struct reseat_entry){(int32_t)number[0], (int32_t)number[1], number[2], number[3], 0};
    return lines_at_end(text) ? 0 : -1;
}

static int plain_read_rows(struct lines *lines, struct reseat_profile *profile)
{
    struct reseat_entry entry;
    int more;
    while ((more = lines_next(lines)) > 0) {
        if (plain_parse_row(lines->line, profile->ranks, &entry))
            return lines_fail(
                lines, "`source target messages bytes` with ranks below %" PRId32 " is expected",
                profile->ranks);
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
    return *profile ? plain_read_rows(lines, *profile) : lines_no_memory(lines);
}
