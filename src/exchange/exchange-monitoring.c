/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange-monitoring.c - the output of Open MPI's pml/monitoring (pml_monitoring_filename,
 * pml_monitoring_enable_output 3): a file for each rank, with lines
 *
 *   KIND TAB from TAB to TAB bytes " bytes" TAB messages " msgs sent" ...
 *
 * KIND is E: sent by the application; I: by MPI itself, that is by collectives; S, R: one-sided,
 * sent and fetched.
 */
#include <string.h>

#include "exchange/exchange-forms.h"

struct monitoring_file {
    char kind;
    struct reseat_entry entry;
};

static int monitoring_file_parse(const char *line, struct monitoring_file *o)
{
    uint64_t from, to;
    const char *text = line + 1;
    o->kind = line[0];
    if (lines_number(&text, RESEAT_MOST_RANKS - 1, &from) ||
        lines_number(&text, RESEAT_MOST_RANKS - 1, &to) ||
        lines_number(&text, UINT64_MAX, &o->entry.bytes) || strncmp(text, " bytes\t", 7) != 0)
        return -1;
    text += 7;
    if (lines_number(&text, UINT64_MAX, &o->entry.msgs) || strncmp(text, " msgs sent", 10) != 0 ||
        (text[10] && text[10] != '\t'))
        return -1;
    o->entry.source = (int32_t)(o->kind == 'R' ? to : from);
    o->entry.target = (int32_t)(o->kind == 'R' ? from : to);
    o->entry.phase = 0;
    return 0;
}

static int monitoring_file_take(struct lines *lines, struct reseat_profile *profile)
{
    struct monitoring_file o;
    if (!strchr("EISR", lines->line[0]) || !lines->line[0] || lines->line[1] != '\t')
        return 0; /* comments, summaries of collectives */
    if (monitoring_file_parse(lines->line, &o))
        return lines_fail(lines, "a line that cannot be read");
    int32_t most = o.entry.source > o.entry.target ? o.entry.source : o.entry.target;
    if (most >= profile->ranks)
        profile->domains[0].size = profile->ranks = most + 1;
    enum reseat_traffic kind = o.kind == 'E'   ? RESEAT_P2P
                               : o.kind == 'I' ? RESEAT_COLL
                                               : RESEAT_OSC;
    return o.entry.msgs && world_add(profile, kind, &o.entry) ? lines_no_memory(lines) : 0;
}

static int monitoring_file_read_file(struct reseat_profile *profile, const char *path,
                                     struct reseat_error *error)
{
    struct lines lines;
    if (lines_open(&lines, path, error))
        return -1;
    int more;
    do
        more = lines_next(&lines);
    while (more > 0 && monitoring_file_take(&lines, profile) == 0);
    if (more == 0 && !lines.number)
        more = reseat_fail(error, "%s: is empty", path);
    lines_close(&lines);
    return more ? -1 : 0;
}

/* Add up what S of one rank and R of another report for the same pair. */
static void monitoring_file_add_up(struct reseat_profile *profile)
{
    struct reseat_domain *world = &profile->domains[0];
    struct reseat_entry *e = world->entries[RESEAT_OSC], twice;
    while (world_finish(profile, &twice)) {
        size_t kept = 0, count = world->count[RESEAT_OSC];
        for (size_t i = 0; i < count; i++)
            if (kept && e[kept - 1].source == e[i].source && e[kept - 1].target == e[i].target) {
                e[kept - 1].msgs += e[i].msgs;
                e[kept - 1].bytes += e[i].bytes;
            } else {
                e[kept++] = e[i];
            }
        if (kept == count)
            return; /* duplicates in other kinds: the caller finds them */
        world->count[RESEAT_OSC] = kept;
    }
}

int form_read_monitoring(struct reseat_profile **profile, const char *const *paths, size_t count,
                         int32_t ranks, struct reseat_error *error)
{
    struct reseat_entry twice;
    struct reseat_profile *result = world_create(ranks > 0 ? ranks : 1);
    int rc = result ? 0 : reseat_fail(error, "out of memory");
    for (size_t i = 0; rc == 0 && i < count; i++)
        rc = monitoring_file_read_file(result, paths[i], error);
    if (rc == 0)
        monitoring_file_add_up(result);
    if (rc == 0 && world_finish(result, &twice))
        rc = reseat_fail(error, "the output of rank %d was given twice", (int)twice.source);
    if (rc == 0 && (size_t)result->ranks > count)
        rc = reseat_fail(error, "%d ranks and the output of %zu: that of all is needed",
                         (int)result->ranks, count);
    if (rc == 0 && (world_header(result, "collectives", "monitoring (as sent by Open MPI)") ||
                    world_header(result, "converted_from", paths[0])))
        rc = reseat_fail(error, "out of memory");
    if (rc)
        reseat_profile_destroy(result);
    else
        *profile = result;
    return rc;
}
