/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile-read.c - the reader, line by line. It trusts nothing: every number is checked against
 * what was declared before, and memory grows with what is really in the file, never with what a
 * line announces.
 */
#include "base/ascending.h"
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "profile/message-sizes.h"
#include "text/host-name.h"
#include "text/lines.h"
#include "text/number.h"
#include "text/printable.h"

/* Limits on what one short line ("members=0-16777215") can make the reader allocate, on a first
 * line, and on the number of headers and remarks, so that reading an endless stream ends. */
enum { LONGEST_FIRST = 4096, MOST_REMARKS = 1 << 16, MOST_SECONDS = 1000000000 };

struct profile_reader {
    struct lines *lines;
    struct reseat_profile *profile;
    int kind; /* of the rows that follow; -1: none yet */
    int32_t phase;
    size_t rows;
    size_t remarks;     /* and headers */
    int is_after_row;   /* which may have sizes */
    uint64_t rank_time; /* of the last rank with a time, in all phases so far */
    int ended;
};

static int reader_fail(struct profile_reader *r, const char *reason)
{
    return lines_fail(r->lines, "%s", reason);
}

/* The line cannot be read from `at` on. */
static int reader_fail_at(struct profile_reader *r, const char *reason, const char *at)
{
    return lines_fail(r->lines, "%s, at byte %zu", reason, (size_t)(at - r->lines->line) + 1);
}

/* Move *text past `word`, which has to be next. 0, or -1 with nothing changed. */
static int reader_take(const char **text, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0)
        return -1;
    *text += length;
    return 0;
}

/* ---- comment lines ---- */

static int reader_read_host(struct profile_reader *r, struct reseat_seat *seat, const char **text)
{
    size_t length = strcspn(*text, " ");
    if (length == 0)
        return reader_fail(r, "a seat without a host");
    if (length >= sizeof seat->host)
        return reader_fail(r, "a host of more than 255 characters");
    memcpy(seat->host, *text, length);
    seat->host[length] = '\0';
    *text += length;
    if (!host_name_is_valid(seat->host))
        return lines_fail(r->lines, "'%.100s' is not a host name", seat->host);
    return 0;
}

static int reader_read_seat(struct profile_reader *r, const char *text)
{
    struct reseat_profile *p = r->profile;
    int32_t rank;
    if (!p->ranks || read_number32(&text, &rank) || rank >= p->ranks || reader_take(&text, " "))
        return reader_fail(r, "a seat of no rank");
    if (rank != p->seats_count)
        return reader_fail(r, "seats are not in the order of the ranks");
    struct reseat_seat *seats = array_grow(p->seats, (size_t)rank, sizeof *seats);
    if (!seats)
        return reader_fail(r, "out of memory");
    p->seats = seats;
    struct reseat_seat *seat = &seats[rank];
    if (reader_read_host(r, seat, &text))
        return -1;
    for (int level = 0; level < TMAP_PLACE_LEVELS; level++) {
        if (reader_take(&text, " -1") == 0)
            seat->place.at[level] = -1;
        else if (reader_take(&text, " ") || read_number32(&text, &seat->place.at[level]))
            return reader_fail_at(r, "a seat that cannot be read", text);
    }
    p->seats_count++;
    return *text ? reader_fail_at(r, "a seat that cannot be read", text) : 0;
}

static int reader_read_header(struct profile_reader *r, char *text)
{
    struct reseat_profile *p = r->profile;
    char *colon = strstr(text, ": ");
    if (++r->remarks > MOST_REMARKS)
        return reader_fail(r, "more headers and remarks than a profile can have");
    if (!colon)
        return 0; /* a remark */
    *colon = '\0';
    const struct reseat_header header = {strdup(text), strdup(colon + 2)};
    if (!header.key || !header.value ||
        array_add(&p->headers, &p->headers_count, &header, sizeof header)) {
        free(header.key);
        free(header.value);
        return reader_fail(r, "out of memory");
    }
    if (printable_restore(header.value))
        return reader_fail(r, "a header with an escaped NUL");
    if (strcmp(text, "ranks") != 0)
        return 0;
    const char *value = colon + 2;
    if (p->ranks || read_number32(&value, &p->ranks) || *value || p->ranks < 1)
        return reader_fail(r, "the number of ranks cannot be read");
    return p->ranks > RESEAT_MOST_RANKS ? reader_fail(r, "more ranks than a profile can have") : 0;
}

/* ---- times ---- */

/* Read seconds with up to six decimals, as microseconds. 0, or -1. */
static int reader_read_seconds(const char **text, uint64_t *microseconds)
{
    const char *p = *text;
    uint64_t whole;
    if (read_number(&p, MOST_SECONDS, &whole))
        return -1;
    *microseconds = whole * 1000000;
    if (*p == '.') {
        uint64_t unit = 100000;
        if (p[1] < '0' || p[1] > '9')
            return -1;
        for (p++; *p >= '0' && *p <= '9' && unit; p++, unit /= 10)
            *microseconds += (uint64_t)(*p - '0') * unit;
    }
    *text = p;
    return 0;
}

static int reader_read_duration(struct profile_reader *r, const char *text)
{
    uint64_t *microseconds = &r->profile->microseconds;
    if (*microseconds)
        return reader_fail(r, "the seconds of the job twice");
    return reader_read_seconds(&text, microseconds) || *text || !*microseconds
               ? reader_fail(r, "the seconds of the job cannot be read")
               : 0;
}

/* The times of a rank follow each other, and ranks come in order. */
static int reader_check_time(struct profile_reader *r, const struct reseat_rank_time *time)
{
    const struct reseat_profile *p = r->profile;
    const struct reseat_rank_time *last = p->times_count ? &p->times[p->times_count - 1] : NULL;
    int is_next = last && time->rank == last->rank;
    if (!p->microseconds)
        return reader_fail(r, "a time before the seconds of the job");
    if (time->rank >= p->ranks)
        return reader_fail(r, "a time of no rank");
    if (is_next ? time->phase <= last->phase : time->rank != (last ? last->rank + 1 : 0))
        return reader_fail(r, "times are not in the order of ranks and phases");
    r->rank_time = (is_next ? r->rank_time : 0) + time->all;
    if (time->in_mpi > time->all)
        return reader_fail(r, "a rank is longer in MPI than in the program");
    return r->rank_time > p->microseconds ? reader_fail(r, "a rank takes longer than the job") : 0;
}

static int reader_read_time(struct profile_reader *r, const char *text)
{
    struct reseat_profile *p = r->profile;
    struct reseat_rank_time time;
    if (read_number32(&text, &time.rank) || reader_take(&text, " ") ||
        read_number32(&text, &time.phase) || time.phase >= RESEAT_PHASES ||
        reader_take(&text, " ") || reader_read_seconds(&text, &time.in_mpi) ||
        reader_take(&text, " ") || reader_read_seconds(&text, &time.all) || *text)
        return reader_fail_at(r, "a time that cannot be read", text);
    if (reader_check_time(r, &time))
        return -1;
    if (array_add(&p->times, &p->times_count, &time, sizeof time))
        return reader_fail(r, "out of memory");
    return 0;
}

static int reader_read_sampled(struct profile_reader *r, const char *text)
{
    struct reseat_profile *p = r->profile;
    if (p->is_sampled || !p->times_count)
        return reader_fail(r, p->is_sampled ? "the error of times twice"
                                            : "the error of times before them");
    p->is_sampled = 1;
    return reader_read_seconds(&text, &p->sampling_error) || *text
               ? reader_fail_at(r, "the error of times cannot be read", text)
               : 0;
}

/* A kind of call: lower-case letters, digits and `_'. 0, or -1. */
static int reader_read_call_kind(struct reseat_call_time *calls, const char **text)
{
    size_t length = strspn(*text, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (length == 0 || length >= sizeof calls->kind)
        return -1;
    memcpy(calls->kind, *text, length);
    calls->kind[length] = '\0';
    *text += length;
    return 0;
}

static int reader_read_calls(struct profile_reader *r, const char *text)
{
    struct reseat_profile *p = r->profile;
    struct reseat_call_time calls = {.calls = 0};
    if (!p->times_count)
        return reader_fail(r, "times of calls before those of ranks");
    if (reader_read_call_kind(&calls, &text) || reader_take(&text, " ") ||
        read_number(&text, UINT64_MAX, &calls.calls) || reader_take(&text, " ") ||
        reader_read_seconds(&text, &calls.mean) || reader_take(&text, " ") ||
        reader_read_seconds(&text, &calls.most) || *text)
        return reader_fail_at(r, "times of calls that cannot be read", text);
    if (calls.mean > calls.most)
        return reader_fail(r, "a rank is longer in calls than the one that is longest");
    for (size_t i = 0; i < p->calls_count; i++)
        if (strcmp(p->calls[i].kind, calls.kind) == 0)
            return reader_fail(r, "a kind of calls twice");
    if (p->calls_count == RESEAT_CALL_KINDS)
        return reader_fail(r, "more kinds of calls than a profile can have");
    if (array_add(&p->calls, &p->calls_count, &calls, sizeof calls))
        return reader_fail(r, "out of memory");
    return 0;
}

/* ---- domains ---- */

static int reader_check_distinct(struct profile_reader *r, const struct reseat_domain *d)
{
    size_t size = (size_t)d->size;
    int32_t *sorted = malloc(size * sizeof *sorted);
    if (!sorted)
        return reader_fail(r, "out of memory");
    memcpy(sorted, d->members, size * sizeof *sorted);
    qsort(sorted, size, sizeof *sorted, ascending_int32);
    int twice = 0;
    for (size_t i = 1; i < size; i++)
        twice |= sorted[i] == sorted[i - 1];
    free(sorted);
    return twice ? reader_fail(r, "a member twice") : 0;
}

/* Parse "0-3,7" into members. */
static int reader_read_members(struct profile_reader *r, struct reseat_domain *d, const char *text)
{
    int32_t most = r->profile->domains[d->parent].size, count = 0;
    while (count < d->size) {
        int32_t low, high;
        if (read_number32(&text, &low))
            return reader_fail(r, "members cannot be read");
        high = low;
        if (*text == '-' && (text++, read_number32(&text, &high)))
            return reader_fail(r, "members cannot be read");
        if (high < low || high >= most || high - low >= d->size - count)
            return reader_fail(r, "members outside the parent communicator");
        for (int32_t member = low; member <= high; member++) {
            int32_t *members = array_grow(d->members, (size_t)count, sizeof *members);
            if (!members)
                return reader_fail(r, "out of memory");
            d->members = members;
            members[count++] = member;
        }
        if (count < d->size && *text++ != ',')
            return reader_fail(r, "fewer members than the size");
    }
    if (*text)
        return reader_fail(r, "more members than the size");
    if (d->members[0] != d->first)
        return reader_fail(r, "the first member is another one");
    return reader_check_distinct(r, d);
}

/* The name of the function at *text, which is moved past it. 0, or -1. */
static int reader_read_function(struct reseat_domain *d, const char **text)
{
    size_t length = strcspn(*text, " ");
    if (length == 0 || length >= sizeof d->function)
        return -1;
    memcpy(d->function, *text, length);
    d->function[length] = '\0';
    *text += length;
    return 0;
}

/* By which a later run finds the domain again; *text is moved to its members. */
static int reader_read_identity(struct profile_reader *r, struct reseat_domain *d,
                                const char **text)
{
    d->parent = -1;
    if (reader_take(text, " function=") || reader_read_function(d, text) ||
        reader_take(text, " parent=") ||
        (reader_take(text, "-") && read_number32(text, &d->parent)) ||
        reader_take(text, " size=") || read_number32(text, &d->size) || d->size < 1 ||
        reader_take(text, " first=") || read_number32(text, &d->first) ||
        reader_take(text, " ordinal=") || read_number32(text, &d->ordinal) ||
        reader_take(text, " members="))
        return reader_fail_at(r, "a communicator that cannot be read", *text);
    return 0;
}

static int reader_read_domain(struct profile_reader *r, const char *text)
{
    struct reseat_profile *p = r->profile;
    struct reseat_domain *domains = array_grow(p->domains, p->domains_count, sizeof *domains);
    if (!domains)
        return reader_fail(r, "out of memory");
    p->domains = domains;
    struct reseat_domain *d = &domains[p->domains_count];
    memset(d, 0, sizeof *d);
    int32_t id;
    if (read_number32(&text, &id) || (size_t)id != p->domains_count)
        return reader_fail(r, "communicators are not numbered in order");
    if (reader_read_identity(r, d, &text))
        return -1;
    if ((d->parent < 0) != (id == 0) || (id > 0 && d->parent >= id))
        return reader_fail(r, "a communicator's parent has to come before it");
    if (id == 0 && (!p->ranks || d->size != p->ranks))
        return reader_fail(r, "the first communicator is not the world of all ranks");
    if (id > 0 && d->size > p->domains[d->parent].size)
        return reader_fail(r, "a communicator larger than its parent");
    p->domains_count++;
    r->kind = -1;
    if (strcmp(text, "all") == 0)
        return id == 0 || d->size == p->domains[d->parent].size
                   ? 0
                   : reader_fail(r, "only a communicator of its parent's size has all members");
    return id == 0 ? reader_fail(r, "the world's members are all")
                   : reader_read_members(r, d, text);
}

/* The kind of traffic that `text` begins with, or -1. */
static int reader_kind_named(const char *text)
{
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        size_t length = strlen(reseat_traffic_name(kind));
        if (strncmp(text, reseat_traffic_name(kind), length) == 0 &&
            (text[length] == '\0' || strncmp(text + length, " phase=", 7) == 0))
            return kind;
    }
    return -1;
}

/* Parts come in the order of phase and kind. */
static int reader_read_part(struct profile_reader *r, int kind, const char *text)
{
    int32_t phase = 0;
    if (*text) {
        text += strlen(" phase=");
        if (read_number32(&text, &phase) || *text || !phase || phase >= RESEAT_PHASES)
            return reader_fail(r, "a phase that cannot be read");
    }
    if (!r->profile->domains_count ||
        (r->kind >= 0 && (phase < r->phase || (phase == r->phase && kind <= r->kind))))
        return reader_fail(r, "a part out of order");
    r->kind = kind;
    r->phase = phase;
    return 0;
}

static int reader_add_entry(struct profile_reader *r, const struct reseat_entry *entry)
{
    struct reseat_domain *d = &r->profile->domains[r->profile->domains_count - 1];
    if (array_add(&d->entries[r->kind], &d->count[r->kind], entry, sizeof *entry))
        return reader_fail(r, "out of memory");
    return 0;
}

/* One part of a row, which is taken off `rest`. 0, or -1. */
static int reader_read_size(struct profile_reader *r, const char **text, struct reseat_entry *part,
                            struct reseat_entry *rest)
{
    if (read_number(text, UINT64_MAX, &part->msgs) || reader_take(text, " ") ||
        read_number(text, UINT64_MAX, &part->bytes) ||
        (**text && (reader_take(text, ", ") || !**text)))
        return reader_fail_at(r, "sizes that cannot be read", *text);
    if (!part->msgs || part->msgs > rest->msgs || part->bytes > rest->bytes)
        return reader_fail(r, "sizes that are not those of the row");
    rest->msgs -= part->msgs;
    rest->bytes -= part->bytes;
    return 0;
}

/* The entries of the row before, instead of the one of all its messages. */
static int reader_read_sizes(struct profile_reader *r, const char *text)
{
    if (!r->is_after_row)
        return reader_fail(r, "sizes without a row");
    struct reseat_domain *d = &r->profile->domains[r->profile->domains_count - 1];
    struct reseat_entry rest = d->entries[r->kind][--d->count[r->kind]], part = rest;
    int last = -1;
    r->is_after_row = 0;
    while (*text) {
        if (reader_read_size(r, &text, &part, &rest))
            return -1;
        int size = message_size_of_mean(part.msgs, part.bytes);
        if (size <= last)
            return reader_fail(r, "sizes are not in order");
        last = size;
        if (reader_add_entry(r, &part))
            return -1;
    }
    return rest.msgs || rest.bytes ? reader_fail(r, "sizes that are not those of the row") : 0;
}

static int reader_read_comment(struct profile_reader *r, char *text)
{
    if (strncmp(text, "sizes ", 6) == 0)
        return reader_read_sizes(r, text + 6);
    r->is_after_row = 0;
    if (strncmp(text, "domain ", 7) == 0)
        return reader_read_domain(r, text + 7);
    if (strncmp(text, "seat: ", 6) == 0)
        return reader_read_seat(r, text + 6);
    if (strncmp(text, "seconds: ", 9) == 0)
        return reader_read_duration(r, text + 9);
    if (strncmp(text, "mpi_seconds: ", 13) == 0)
        return reader_read_time(r, text + 13);
    if (strncmp(text, "mpi_sampled: ", 13) == 0)
        return reader_read_sampled(r, text + 13);
    if (strncmp(text, "mpi_calls: ", 11) == 0)
        return reader_read_calls(r, text + 11);
    int kind = reader_kind_named(text);
    if (kind >= 0)
        return reader_read_part(r, kind, text + strlen(reseat_traffic_name(kind)));
    if (strncmp(text, "end ", 4) == 0) {
        const char *rest = text + 4;
        uint64_t rows;
        if (read_number(&rest, UINT64_MAX, &rows) || *rest || rows != r->rows)
            return reader_fail(r, "another number of rows than promised");
        r->ended = 1;
        return 0;
    }
    return reader_read_header(r, text);
}

/* ---- rows ---- */

static int reader_read_row(struct profile_reader *r, const char *text)
{
    struct reseat_profile *p = r->profile;
    struct reseat_entry e;
    uint64_t whole, part;
    if (!p->domains_count || r->kind < 0)
        return reader_fail(r, "a row outside a communicator");
    e.phase = r->phase;
    struct reseat_domain *d = &p->domains[p->domains_count - 1];
    if (read_number32(&text, &e.source) || reader_take(&text, "\t") ||
        read_number32(&text, &e.target) || reader_take(&text, "\t") ||
        read_number(&text, UINT64_MAX, &e.msgs) || reader_take(&text, "\t") ||
        read_number(&text, UINT64_MAX, &e.bytes) || reader_take(&text, "\t") ||
        read_number(&text, UINT64_MAX, &whole) ||
        (reader_take(&text, ".") == 0 && read_number(&text, UINT64_MAX, &part)) || *text)
        return reader_fail_at(r, "a row that cannot be read", text);
    if (e.source >= d->size || e.target >= d->size)
        return reader_fail(r, "a role outside the communicator");
    if (e.msgs == 0 || whole != e.bytes / e.msgs)
        return reader_fail(r, "messages, bytes and average do not fit together");
    size_t n = d->count[r->kind];
    if (n) {
        const struct reseat_entry *last = &d->entries[r->kind][n - 1];
        if (e.phase == last->phase &&
            (e.source < last->source || (e.source == last->source && e.target <= last->target)))
            return reader_fail(r, "rows are not in order");
    }
    r->rows++;
    r->is_after_row = 1;
    return reader_add_entry(r, &e);
}

/* ---- the file ---- */

static int reader_read_lines(struct profile_reader *r)
{
    r->lines->most = LONGEST_FIRST;
    int more = lines_next(r->lines);
    r->lines->most = 0;
    const char *line = r->lines->line;
    if (more == 0)
        return reseat_fail(r->lines->error, "%s: is empty", r->lines->path);
    if (more > 0 && strcmp(line, "# reseat profile 1") != 0)
        return reader_fail(r, strncmp(line, "# reseat profile", 16) == 0
                                  ? "written by a newer reseat: this one reads profiles of format 1"
                                  : "not a reseat profile");
    while (more > 0 && (more = lines_next(r->lines)) > 0) {
        char *text = r->lines->line;
        if (r->ended)
            return reader_fail(r, "something after the end");
        if (strncmp(text, "# ", 2) == 0 ? reader_read_comment(r, text + 2)
                                        : reader_read_row(r, text))
            return -1;
    }
    if (more < 0)
        return -1;
    if (!r->ended)
        return reader_fail(r, "torn: the end is missing");
    if (!r->profile->domains_count)
        return reader_fail(r, "no communicator");
    if (r->profile->seats && r->profile->seats_count != r->profile->ranks)
        return reader_fail(r, "not every rank has a seat");
    const struct reseat_profile *p = r->profile;
    if (p->times_count && p->times[p->times_count - 1].rank != p->ranks - 1)
        return reader_fail(r, "not every rank has a time");
    return 0;
}

int reseat_profile_read_lines(struct reseat_profile **profile, struct lines *lines)
{
    struct profile_reader r = {.lines = lines, .kind = -1};
    r.profile = calloc(1, sizeof *r.profile);
    int rc = r.profile ? reader_read_lines(&r) : lines_no_memory(lines);
    if (rc)
        reseat_profile_destroy(r.profile);
    else
        *profile = r.profile;
    return rc;
}

int reseat_profile_read(struct reseat_profile **profile, const char *path,
                        struct reseat_error *error)
{
    struct lines lines;
    int rc = lines_open(&lines, path, error);
    if (rc == 0)
        rc = reseat_profile_read_lines(profile, &lines);
    lines_close(&lines);
    return rc;
}

void reseat_profile_destroy(struct reseat_profile *profile)
{
    if (!profile)
        return;
    for (size_t i = 0; i < profile->headers_count; i++) {
        free(profile->headers[i].key);
        free(profile->headers[i].value);
    }
    for (size_t i = 0; i < profile->domains_count; i++) {
        free(profile->domains[i].members);
        for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++)
            free(profile->domains[i].entries[kind]);
    }
    free(profile->headers);
    free(profile->seats);
    free(profile->times);
    free(profile->calls);
    free(profile->domains);
    free(profile);
}
