/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile-write.c - the streaming writer. It runs inside other people's programs: integers only, so
 * that no locale can change the text; the first error is kept and reported at the end.
 */
#include "profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/message-sizes.h"
#include "text/host-name.h"
#include "text/printable.h"
#include "text/replace-file.h"

struct reseat_writer {
    struct replaced_file replaced;
    char *path; /* as the caller named it */
    int broken; /* errno of the first failure; 0: none so far */
    size_t rows;
    int32_t domains;
};

static void writer_put(struct reseat_writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void writer_put(struct reseat_writer *writer, const char *format, ...)
{
    if (writer->broken)
        return;
    va_list arguments;
    va_start(arguments, format);
    errno = 0;
    if (vfprintf(writer->replaced.file, format, arguments) < 0)
        writer->broken = errno ? errno : EIO;
    va_end(arguments);
}

static void writer_destroy(struct reseat_writer *writer)
{
    free(writer->path);
    free(writer);
}

int reseat_writer_open(struct reseat_writer **result, const char *path, int32_t ranks,
                       struct reseat_error *error)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return reseat_fail(error, "%s: is not a regular file", path);
    struct reseat_writer *writer = calloc(1, sizeof *writer);
    if (!writer || !(writer->path = strdup(path)) || replace_file_begin(&writer->replaced, path)) {
        int why = writer && writer->path ? errno : ENOMEM;
        if (writer)
            writer_destroy(writer);
        return reseat_fail(error, "%s: %s", path, why == ENOMEM ? "out of memory" : strerror(why));
    }
    writer_put(writer, "# reseat profile 1\n# ranks: %" PRId32 "\n", ranks);
    *result = writer;
    return 0;
}

/* Write a text as one line that the reader can restore. */
static void writer_put_escaped(struct reseat_writer *writer, const char *text)
{
    char piece[PRINTABLE_PIECE];
    while (printable_piece(&text, piece))
        writer_put(writer, "%s", piece);
}

void reseat_writer_header(struct reseat_writer *writer, const char *key, const char *value)
{
    writer_put(writer, "# %s: ", key);
    writer_put_escaped(writer, value);
    writer_put(writer, "\n");
}

void reseat_writer_seat(struct reseat_writer *writer, int32_t rank, const struct reseat_seat *seat)
{
    char host[RESEAT_HOST_SIZE];
    host_name_clean(host, sizeof host, seat->host);
    writer_put(writer, "# seat: %" PRId32 " %s", rank, host);
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++)
        writer_put(writer, " %" PRId32, seat->place.at[level]);
    writer_put(writer, "\n");
}

void reseat_writer_accelerators(struct reseat_writer *writer, const char *host, int32_t count)
{
    char clean[RESEAT_HOST_SIZE];
    host_name_clean(clean, sizeof clean, host);
    writer_put(writer, "# accelerators: %s %" PRId32 "\n", clean, count);
}

/* Seconds with six decimals, after what is to come before them. */
static void writer_put_seconds(struct reseat_writer *writer, const char *before,
                               uint64_t microseconds)
{
    writer_put(writer, "%s%" PRIu64 ".%06" PRIu64, before, microseconds / 1000000,
               microseconds % 1000000);
}

void reseat_writer_duration(struct reseat_writer *writer, uint64_t microseconds)
{
    if (!microseconds)
        return;
    writer_put_seconds(writer, "# seconds: ", microseconds);
    writer_put(writer, "\n");
}

void reseat_writer_time(struct reseat_writer *writer, const struct reseat_rank_time *time)
{
    writer_put(writer, "# mpi_seconds: %" PRId32 " %" PRId32, time->rank, time->phase);
    writer_put_seconds(writer, " ", time->in_mpi);
    writer_put_seconds(writer, " ", time->all);
    writer_put(writer, "\n");
}

void reseat_writer_sampled(struct reseat_writer *writer, uint64_t microseconds)
{
    writer_put_seconds(writer, "# mpi_sampled: ", microseconds);
    writer_put(writer, "\n");
}

void reseat_writer_calls(struct reseat_writer *writer, const struct reseat_call_time *calls)
{
    writer_put(writer, "# mpi_calls: %s %" PRIu64, calls->kind, calls->calls);
    writer_put_seconds(writer, " ", calls->mean);
    writer_put_seconds(writer, " ", calls->most);
    writer_put(writer, "\n");
}

static void writer_put_members(struct reseat_writer *writer, const int32_t *members, int32_t size)
{
    for (int32_t i = 0; i < size;) {
        int32_t last = i;
        while (last + 1 < size && members[last + 1] == members[last] + 1)
            last++;
        writer_put(writer, last > i ? "%s%" PRId32 "-%" PRId32 : "%s%" PRId32, i ? "," : "",
                   members[i], members[last]);
        i = last + 1;
    }
}

void reseat_writer_domain(struct reseat_writer *writer, const struct reseat_domain *domain)
{
    writer_put(writer, "# domain %" PRId32 " function=%s parent=", writer->domains++,
               domain->function);
    if (domain->parent < 0)
        writer_put(writer, "-");
    else
        writer_put(writer, "%" PRId32, domain->parent);
    writer_put(writer,
               " size=%" PRId32 " first=%" PRId32 " ordinal=%" PRId32 " members=", domain->size,
               domain->first, domain->ordinal);
    if (domain->members)
        writer_put_members(writer, domain->members, domain->size);
    else
        writer_put(writer, "all");
    writer_put(writer, "\n");
}

void reseat_writer_traffic(struct reseat_writer *writer, enum reseat_traffic kind, int32_t phase)
{
    writer_put(writer, "# %s", reseat_traffic_name(kind));
    if (phase)
        writer_put(writer, " phase=%" PRId32, phase);
    writer_put(writer, "\n");
}

static void writer_put_row(struct reseat_writer *writer, const struct reseat_entry *row)
{
    uint64_t msgs = row->msgs ? row->msgs : 1;
    writer_put(writer,
               "%" PRId32 "\t%" PRId32 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 ".%" PRIu64 "\n",
               row->source, row->target, row->msgs, row->bytes, row->bytes / msgs,
               row->bytes % msgs * 10 / msgs);
    writer->rows++;
}

/* Write the row of the pair that entries[0] is of. Returns how many of the entries it has. */
static size_t writer_put_pair(struct reseat_writer *writer, const struct reseat_entry *entries,
                              size_t count)
{
    struct reseat_entry parts[MESSAGE_SIZES], row = {entries->source, entries->target, 0, 0, 0};
    size_t taken = 0, n = 0;
    for (; taken < count && reseat_entry_compare(entries, &entries[taken]) == 0; taken++) {
        n = message_sizes_append(parts, n, &entries[taken]);
        row.msgs += entries[taken].msgs;
        row.bytes += entries[taken].bytes;
    }
    writer_put_row(writer, &row);
    for (size_t i = 0; n > 1 && i < n; i++)
        writer_put(writer, "%s %" PRIu64 " %" PRIu64 "%s", i ? "," : "# sizes", parts[i].msgs,
                   parts[i].bytes, i + 1 < n ? "" : "\n");
    return taken;
}

size_t reseat_writer_rows(struct reseat_writer *writer, const struct reseat_entry *entries,
                          size_t count)
{
    size_t before = writer->rows;
    while (count) {
        size_t taken = writer_put_pair(writer, entries, count);
        entries += taken;
        count -= taken;
    }
    return writer->rows - before;
}

int reseat_writer_commit(struct reseat_writer *writer, struct reseat_error *error)
{
    writer_put(writer, "# end %zu\n", writer->rows);
    errno = 0;
    FILE *file = writer->replaced.file;
    if (!writer->broken && (fflush(file) || fsync(fileno(file))))
        writer->broken = errno ? errno : EIO;
    int broken = writer->broken;
    if (broken)
        replace_file_give_up(&writer->replaced);
    else if (replace_file_finish(&writer->replaced))
        broken = errno;
    if (broken)
        reseat_fail(error, "%s: %s", writer->path, strerror(broken));
    writer_destroy(writer);
    return broken ? -1 : 0;
}

void reseat_writer_abort(struct reseat_writer *writer)
{
    if (!writer)
        return;
    replace_file_give_up(&writer->replaced);
    writer_destroy(writer);
}

/* ---- a whole profile ---- */

static void writer_write_kind(struct reseat_writer *writer, const struct reseat_domain *d, int kind,
                              int32_t phase)
{
    size_t first = 0, last;
    while (first < d->count[kind] && d->entries[kind][first].phase < phase)
        first++;
    for (last = first; last < d->count[kind] && d->entries[kind][last].phase == phase;)
        last++;
    if (last == first)
        return;
    reseat_writer_traffic(writer, (enum reseat_traffic)kind, phase);
    reseat_writer_rows(writer, d->entries[kind] + first, last - first);
}

int reseat_profile_write(const struct reseat_profile *profile, const char *path,
                         struct reseat_error *error)
{
    struct reseat_writer *writer;
    if (reseat_writer_open(&writer, path, profile->ranks, error))
        return -1;
    for (size_t i = 0; i < profile->headers_count; i++)
        if (strcmp(profile->headers[i].key, "ranks") != 0)
            reseat_writer_header(writer, profile->headers[i].key, profile->headers[i].value);
    reseat_writer_duration(writer, profile->microseconds);
    for (int32_t rank = 0; rank < profile->seats_count; rank++)
        reseat_writer_seat(writer, rank, &profile->seats[rank]);
    for (size_t i = 0; i < profile->times_count; i++)
        reseat_writer_time(writer, &profile->times[i]);
    if (profile->is_sampled)
        reseat_writer_sampled(writer, profile->sampling_error);
    for (size_t i = 0; i < profile->calls_count; i++)
        reseat_writer_calls(writer, &profile->calls[i]);
    for (size_t i = 0; i < profile->domains_count; i++) {
        reseat_writer_domain(writer, &profile->domains[i]);
        for (int32_t phase = 0; phase < RESEAT_PHASES; phase++)
            for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
                writer_write_kind(writer, &profile->domains[i], kind, phase);
    }
    return reseat_writer_commit(writer, error);
}
