/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c - see matrix.h. As strict as the reader of profiles; rows may come in any order. */
#include "format/matrix.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/number.h"

/* As in profiles: callers allocate by the number of ranks. */
enum { MOST_RANKS = 1 << 24 };

struct reader {
    const char *path;
    FILE *file;
    char *line;
    size_t room;
    size_t number; /* of the line */
    struct reseat_error *error;
};

/* The next line without its end. 1, 0 at the end of the file, -1. */
static int next_line(struct reader *r)
{
    errno = 0;
    ssize_t length = getline(&r->line, &r->room, r->file);
    if (length < 0)
        return errno ? reseat_fail(r->error, "%s: %s", r->path, strerror(errno)) : 0;
    r->number++;
    if (r->line[length - 1] != '\n')
        return reseat_fail(r->error, "%s:%zu: torn: the last line is not complete", r->path,
                           r->number);
    r->line[length - 1] = '\0';
    return 1;
}

static struct reseat_profile *world_of(int32_t ranks)
{
    struct reseat_profile *profile = calloc(1, sizeof *profile);
    struct reseat_domain *world = calloc(1, sizeof *world);
    if (!profile || !world) {
        free(profile);
        free(world);
        return NULL;
    }
    strcpy(world->function, "MPI_COMM_WORLD");
    world->parent = -1;
    world->size = profile->ranks = ranks;
    profile->domains = world;
    profile->domains_count = 1;
    return profile;
}

static int add(struct reseat_domain *world, const struct reseat_entry *entry)
{
    size_t n = world->count[RESEAT_P2P];
    struct reseat_entry **entries = &world->entries[RESEAT_P2P];
    if ((n & (n - 1)) == 0) {
        struct reseat_entry *grown = realloc(*entries, (n ? 2 * n : 1) * sizeof *grown);
        if (!grown)
            return -1;
        *entries = grown;
    }
    (*entries)[n] = *entry;
    world->count[RESEAT_P2P]++;
    return 0;
}

/* `source target messages bytes`; 0, or -1 when the line is none of a matrix of `ranks` ranks. */
static int parse_row(const char *text, int32_t ranks, struct reseat_entry *e)
{
    uint64_t number[4] = {0};
    for (int i = 0; i < 4; i++) {
        size_t blanks = strspn(text, " \t");
        text += blanks;
        if ((i > 0 && blanks == 0) ||
            read_number(&text, i < 2 ? (uint64_t)ranks - 1 : UINT64_MAX, &number[i]))
            return -1;
    }
    *e = (struct reseat_entry){(int32_t)number[0], (int32_t)number[1], number[2], number[3], 0};
    return text[strspn(text, " \t\r")] ? -1 : 0;
}

static int compare(const void *a, const void *b)
{
    const struct reseat_entry *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return (x->target > y->target) - (x->target < y->target);
}

/* Rows ascending, as a profile has them; a pair that is there twice is refused. */
static int sort_rows(struct reader *r, struct reseat_domain *world)
{
    struct reseat_entry *e = world->entries[RESEAT_P2P];
    size_t count = world->count[RESEAT_P2P];
    if (count)
        qsort(e, count, sizeof *e, compare);
    for (size_t i = 1; i < count; i++)
        if (compare(&e[i - 1], &e[i]) == 0)
            return reseat_fail(r->error, "%s: the pair %" PRId32 " %" PRId32 " is there twice",
                               r->path, e[i].source, e[i].target);
    return 0;
}

static int read_rows(struct reader *r, struct reseat_domain *world)
{
    struct reseat_entry entry;
    int more;
    while ((more = next_line(r)) > 0) {
        if (parse_row(r->line, world->size, &entry))
            return reseat_fail(r->error,
                               "%s:%zu: `source target messages bytes` with ranks below %" PRId32
                               " is expected",
                               r->path, r->number, world->size);
        if (add(world, &entry))
            return reseat_fail(r->error, "%s: out of memory", r->path);
    }
    return more < 0 ? -1 : sort_rows(r, world);
}

static int read_matrix(struct reader *r, struct reseat_profile **profile)
{
    int32_t ranks;
    int more = next_line(r);
    if (more <= 0)
        return more < 0 ? -1 : reseat_fail(r->error, "%s: is empty", r->path);
    const char *text = r->line;
    if (read_number32(&text, &ranks) || text[strspn(text, " \t\r")] || ranks < 1 ||
        ranks > MOST_RANKS)
        return reseat_fail(r->error, "%s:1: the number of ranks is expected here", r->path);
    *profile = world_of(ranks);
    if (!*profile)
        return reseat_fail(r->error, "%s: out of memory", r->path);
    return read_rows(r, &(*profile)->domains[0]);
}

int reseat_matrix_read(struct reseat_profile **profile, const char *path,
                       struct reseat_error *error)
{
    struct reader r = {.path = path, .error = error};
    struct reseat_profile *result = NULL;
    r.file = fopen(path, "re");
    if (!r.file)
        return reseat_fail(error, "%s: %s", path, strerror(errno));
    int rc = read_matrix(&r, &result);
    fclose(r.file);
    free(r.line);
    if (rc)
        reseat_profile_destroy(result);
    else
        *profile = result;
    return rc;
}
