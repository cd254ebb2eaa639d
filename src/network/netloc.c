/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * netloc.c - read Netloc's lines, see netloc.h. The elements that still miss some of theirs are on
 * a stack, at most one for each level; hosts are collected with the children that lead to them.
 * Time and memory follow the text, and the leaves of the hosts (netloc-machine.c).
 */
#include "network/netloc.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascending.h"
#include "base/array.h"
#include "text/host-name.h"
#include "text/lines.h"
#include "network/netloc-lines.h"
#include "text/number.h"

enum { NETLOC_MOST_ELEMENTS = 1 << 24 };

/* An element whose parts follow. */
struct netloc_frame {
    const struct netloc_form *form;
    size_t line;
    int32_t count, done;
    int32_t *index; /* NULL: 0, 1, ... */
};

struct netloc_reader {
    struct lines lines;
    struct netloc_text text;
    struct netloc_frame stack[TMAP_MAX_LEVELS];
    int open; /* frames on the stack */
    int is_complete;
};

/* ---- words ---- */

static const char *netloc_skip(const char *at)
{
    return at + strspn(at, " \t");
}

static int netloc_take_number(const char **at, int32_t *number)
{
    const char *from = netloc_skip(*at);
    if (read_number32(&from, number) || (*from && !strchr(" \t", *from)))
        return -1;
    *at = from;
    return 0;
}

/* The type of an element, and how many dimensions it can have. */
static const struct netloc_type {
    const char *word, *article;
    enum tmap_shape_kind kind;
    int dimensions;
} netloc_types[] = {{"tree", "a", TMAP_SHAPE_NONE, TMAP_MAX_LEVELS},
                    {"torus", "a", TMAP_SHAPE_TORUS, TMAP_MAX_DIMENSIONS},
                    {"ring", "a", TMAP_SHAPE_TORUS, 1},
                    {"alltoall", "an", TMAP_SHAPE_GRAPH, 1}};

/* The type that the next word is, behind which *at goes. NULL: it is none. */
static const struct netloc_type *netloc_take_type(const char **at)
{
    for (size_t t = 0; t < sizeof netloc_types / sizeof netloc_types[0]; t++)
        if (lines_word(at, netloc_types[t].word))
            return &netloc_types[t];
    return NULL;
}

int reseat_netloc_begins(const char *line)
{
    int32_t dimensions;
    if (lines_word(&line, "node")) {
        line = netloc_skip(line);
        line += strcspn(line, " \t");
    }
    return netloc_take_type(&line) && netloc_take_number(&line, &dimensions) == 0;
}

/* ---- one line ---- */

/* Check an element whose sizes are read, `size` elements. 0, or -1 with the error. */
static int netloc_check_form(struct netloc_reader *r, const struct netloc_form *form,
                             const struct netloc_type *type, int64_t size)
{
    if (size > NETLOC_MOST_ELEMENTS)
        return lines_fail(&r->lines, "more than %d elements in one", NETLOC_MOST_ELEMENTS);
    if (form->kind == TMAP_SHAPE_GRAPH && size * (size - 1) / 2 > TMAP_MAX_LINKS)
        return lines_fail(&r->lines, "an alltoall of more than %d links", TMAP_MAX_LINKS);
    for (int d = 0; d < form->dimensions && form->kind != TMAP_SHAPE_NONE; d++)
        if (!(form->cost[d] > 0))
            return lines_fail(&r->lines, "a hop of %s %s costs more than 0", type->article,
                              type->word);
    return 0;
}

static int netloc_read_form(struct netloc_reader *r, const char **at, struct netloc_form *form)
{
    const struct netloc_type *type = netloc_take_type(at);
    if (!type)
        return lines_fail(&r->lines, "[node HOST] tree, torus, ring or alltoall is expected");
    *form = (struct netloc_form){.line = r->lines.number, .kind = type->kind};
    if (netloc_take_number(at, &form->dimensions) || form->dimensions < 1 ||
        form->dimensions > type->dimensions)
        return lines_fail(&r->lines, "%s %s of 1 to %d dimensions is expected", type->article,
                          type->word, type->dimensions);
    int64_t size = 1;
    for (int d = 0; d < form->dimensions && size <= NETLOC_MOST_ELEMENTS; d++) {
        if (netloc_take_number(at, &form->extent[d]) || form->extent[d] < 1 ||
            lines_real(at, &form->cost[d]))
            return lines_fail(&r->lines, "dimension %d of %d: a size and a cost are expected",
                              d + 1, form->dimensions);
        size *= form->extent[d];
    }
    return netloc_check_form(r, form, type, size);
}

/* Check that no index is there twice. */
static int netloc_check_indices(struct netloc_reader *r, const int32_t *index, int32_t count)
{
    int32_t *sorted = malloc((size_t)count * sizeof *sorted);
    int rc = sorted ? 0 : lines_no_memory(&r->lines);
    if (sorted) {
        memcpy(sorted, index, (size_t)count * sizeof *sorted);
        qsort(sorted, (size_t)count, sizeof *sorted, ascending_int32);
    }
    for (int32_t i = 1; rc == 0 && i < count; i++)
        if (sorted[i] == sorted[i - 1])
            rc = lines_fail(&r->lines, "index %d twice", (int)sorted[i]);
    free(sorted);
    return rc;
}

/* The indices of a line; *index is NULL if all elements are available. The array grows with what is
 * there, since the count may be anything. */
static int netloc_read_indices(struct netloc_reader *r, const char *at, int64_t size,
                               int32_t *count, int32_t **index)
{
    int32_t *list = NULL, found = 0, number;
    int rc = 0;
    *index = NULL;
    *count = (int32_t)size;
    if (lines_word(&at, "-1"))
        return lines_at_end(at) ? 0 : lines_fail(&r->lines, "nothing may follow -1, which is all");
    if (netloc_take_number(&at, count) || *count < 1 || *count > size)
        return lines_fail(&r->lines, "the number of available elements has to be -1 or 1 to %lld",
                          (long long)size);
    while (rc == 0 && found < *count && netloc_take_number(&at, &number) == 0) {
        int32_t *grown = array_grow(list, (size_t)found, sizeof *list);
        if (grown) {
            list = grown;
            list[found++] = number;
        }
        if (!grown)
            rc = lines_no_memory(&r->lines);
        else if (number >= size)
            rc = lines_fail(&r->lines, "index %d: there are only 0 to %lld", (int)number,
                            (long long)size - 1);
    }
    if (rc == 0 && (found < *count || !lines_at_end(at)))
        rc = lines_fail(&r->lines, "%s than the %d indices that are announced",
                        found < *count ? "fewer" : "more", (int)*count);
    rc = rc || netloc_check_indices(r, list, found) ? -1 : 0;
    if (rc)
        free(list);
    else
        *index = list;
    return rc;
}

/* ---- elements ---- */

static int netloc_same_form(const struct netloc_form *a, const struct netloc_form *b)
{
    return a->kind == b->kind && a->dimensions == b->dimensions &&
           memcmp(a->extent, b->extent, sizeof a->extent) == 0 &&
           memcmp(a->cost, b->cost, sizeof a->cost) == 0;
}

static int netloc_fail_differs(struct netloc_reader *r, size_t other)
{
    return lines_fail(&r->lines,
                      "differs from line %zu, which is at the same depth: type, sizes and "
                      "costs have to be the same, and hosts at one depth",
                      other);
}

/* Begin an element whose parts follow. */
static int netloc_push(struct netloc_reader *r, const struct netloc_form *form, int32_t count,
                       int32_t *index)
{
    struct netloc_text *t = &r->text;
    struct netloc_form *known = &t->form[r->open];
    int is_new = r->open == t->depth;
    int rc = 0;
    if (is_new && t->hosts)
        rc = netloc_fail_differs(r, t->host[0].line);
    else if (is_new && t->levels + netloc_levels(form) >= TMAP_MAX_LEVELS)
        rc = lines_fail(&r->lines, "more than %d levels", TMAP_MAX_LEVELS);
    else if (!is_new && !netloc_same_form(known, form))
        rc = netloc_fail_differs(r, known->line);
    if (rc) {
        free(index);
        return rc;
    }
    if (is_new) {
        *known = *form;
        t->depth++;
        t->levels += netloc_levels(form);
    }
    r->stack[r->open++] = (struct netloc_frame){known, r->lines.number, count, 0, index};
    return 0;
}

/* The part that has been begun last is complete; so are the elements of which it is the last. */
static void netloc_pop(struct netloc_reader *r)
{
    while (r->open > 0) {
        struct netloc_frame *frame = &r->stack[r->open - 1];
        if (++frame->done < frame->count)
            return;
        free(frame->index);
        r->open--;
    }
    r->is_complete = 1;
}

/* Adds the position of the host: the children that lead to it. */
static int netloc_add_path(struct netloc_reader *r)
{
    struct netloc_text *t = &r->text;
    size_t used = t->hosts * (size_t)t->levels;
    for (int i = 0; i < t->levels; i++) {
        int32_t *grown = array_grow(t->above, used + (size_t)i, sizeof *grown);
        if (!grown)
            return lines_no_memory(&r->lines);
        t->above = grown;
    }
    for (int i = 0; i < r->open; i++) {
        const struct netloc_frame *frame = &r->stack[i];
        netloc_split(frame->form, frame->index ? frame->index[frame->done] : frame->done,
                     t->above + used);
        used += (size_t)netloc_levels(frame->form);
    }
    return 0;
}

/* The index of a form of hosts: most are like the one before. */
static int netloc_add_form(struct netloc_reader *r, const struct netloc_form *form)
{
    struct netloc_text *t = &r->text;
    if (t->host_forms && netloc_same_form(form, &t->host_form[t->host_forms - 1]))
        return 0;
    if (array_add(&t->host_form, &t->host_forms, form, sizeof *form))
        return lines_no_memory(&r->lines);
    return 0;
}

/* Takes the name and the indices. */
static int netloc_add_host(struct netloc_reader *r, const struct netloc_form *form,
                           struct netloc_host host)
{
    struct netloc_text *t = &r->text;
    struct netloc_host *grown = NULL;
    int rc = 0;
    if (r->open != t->depth)
        rc = netloc_fail_differs(r, t->form[r->open].line);
    else if ((t->slots += host.count) > NETLOC_MOST_SLOTS)
        rc = lines_fail(&r->lines, "more than %d leaves", NETLOC_MOST_SLOTS);
    if (rc == 0 && !(grown = array_grow(t->host, t->hosts, sizeof *grown)))
        rc = lines_no_memory(&r->lines);
    if (grown)
        t->host = grown;
    if (rc || netloc_add_form(r, form) || netloc_add_path(r)) {
        free(host.name);
        free(host.index);
        return -1;
    }
    host.form = t->host_forms - 1;
    t->host[t->hosts++] = host;
    netloc_pop(r);
    return 0;
}

/* The name behind `node`, allocated. NULL with the error. */
static char *netloc_read_name(struct netloc_reader *r, const char **at)
{
    const char *from = netloc_skip(*at);
    size_t length = strcspn(from, " \t");
    char *name = strndup(from, length);
    *at = from + length;
    if (name && host_name_is_valid(name))
        return name;
    if (name)
        lines_fail(&r->lines, "'%.100s' is not a host name", name);
    else
        lines_no_memory(&r->lines);
    free(name);
    return NULL;
}

static int netloc_read_element(struct netloc_reader *r)
{
    const char *at = r->lines.line;
    struct netloc_form form;
    struct netloc_host host = {.line = r->lines.number};
    int is_host = lines_word(&at, "node");
    if (r->is_complete)
        return lines_fail(&r->lines, "one element too many: those before are complete");
    if (is_host && !(host.name = netloc_read_name(r, &at)))
        return -1;
    if (netloc_read_form(r, &at, &form) ||
        netloc_read_indices(r, at, netloc_size(&form), &host.count, &host.index)) {
        free(host.name);
        return -1;
    }
    return is_host ? netloc_add_host(r, &form, host)
                   : netloc_push(r, &form, host.count, host.index);
}

/* ---- the file ---- */

static int netloc_read_lines(struct netloc_reader *r)
{
    int rc;
    while ((rc = lines_next(&r->lines)) > 0) {
        r->lines.line[strcspn(r->lines.line, "#")] = '\0';
        if (!lines_at_end(r->lines.line) && netloc_read_element(r))
            return -1;
    }
    if (rc < 0)
        return -1;
    if (r->open) {
        const struct netloc_frame *frame = &r->stack[r->open - 1];
        return lines_fail(&r->lines,
                          "the file ends here, and of the %d elements of line %zu there are %d",
                          (int)frame->count, frame->line, (int)frame->done);
    }
    return r->is_complete ? 0 : reseat_fail(r->lines.error, "%s: names no host", r->lines.path);
}

void netloc_text_free(struct netloc_text *t)
{
    for (size_t h = 0; h < t->hosts; h++) {
        free(t->host[h].name);
        free(t->host[h].index);
    }
    free(t->host);
    free(t->host_form);
    free(t->above);
}

int netloc_text_read(struct netloc_text *text, const char *path, struct reseat_error *error)
{
    struct netloc_reader r = {.text.path = path};
    *text = r.text;
    if (lines_open(&r.lines, path, error))
        return -1;
    r.lines.open_end = 1;
    int rc = netloc_read_lines(&r);
    for (int i = 0; i < r.open; i++)
        free(r.stack[i].index);
    lines_close(&r.lines);
    *text = r.text;
    return rc;
}

int reseat_netloc_read(struct reseat_machine **machine, const char *path,
                       struct reseat_error *error)
{
    struct netloc_text text;
    int rc =
        netloc_text_read(&text, path, error) || netloc_make_machine(machine, &text, error) ? -1 : 0;
    netloc_text_free(&text);
    return rc;
}
