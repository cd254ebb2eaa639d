/* SPDX-License-Identifier: BSD-3-Clause */
/* template.c - see template.h. */
#include "page/template.h"

#include <string.h>

enum { TEMPLATE_NAME = 64, TEMPLATE_DEPTH = 8 };

/* The part of the name that ends before `end`; NULL: there is none. */
static const struct template_part *template_find(const struct template_part *part, size_t parts,
                                                 const char *name, const char *end)
{
    size_t length = (size_t)(end - name);
    for (size_t i = 0; i < parts; i++)
        if (strlen(part[i].name) == length && memcmp(part[i].name, name, length) == 0)
            return &part[i];
    return NULL;
}

/* The conditional parts that have begun and not ended; each ends inside of the one before it. */
struct template_open {
    const struct template_part *part[TEMPLATE_DEPTH];
    int count;
};

/* 0, or -1: there are too many. */
static int template_begin(struct template_open *open, const struct template_part *part)
{
    if (open->count == TEMPLATE_DEPTH)
        return -1;
    open->part[open->count++] = part;
    return 0;
}

/* 0, or -1: it is not the one that was begun last. */
static int template_end(struct template_open *open, const struct template_part *part)
{
    if (open->count == 0 || open->part[open->count - 1] != part)
        return -1;
    open->count--;
    return 0;
}

/* Behind the end of the conditional part that begins before `at`; NULL: it has none. */
static const char *template_skip(const char *at, const char *name)
{
    char end[TEMPLATE_NAME + 8];
    snprintf(end, sizeof end, "{{/%s}}", name);
    const char *found = strstr(at, end);
    return found ? found + strlen(end) : NULL;
}

struct template_tag {
    char kind; /* `#' begins a part, `/' ends it; any other: it is written */
    const struct template_part *part;
    const char *behind; /* the source after the tag */
};

/* Do what a tag says. Returns where the source goes on; NULL: the part cannot do that, or has no end. */
static const char *template_obey(FILE *file, const struct template_tag *tag,
                                 struct template_open *open, const void *context)
{
    if (tag->kind == '/')
        return template_end(open, tag->part) ? NULL : tag->behind;
    if (tag->kind == '#') {
        if (!tag->part->holds)
            return NULL;
        if (!tag->part->holds(context))
            return template_skip(tag->behind, tag->part->name);
        return template_begin(open, tag->part) ? NULL : tag->behind;
    }
    if (!tag->part->write)
        return NULL;
    tag->part->write(file, context);
    return tag->behind;
}

int template_write(FILE *file, const char *source, const struct template_part *part, size_t parts,
                   const void *context)
{
    struct template_open begun = {.count = 0};
    for (const char *open; (open = strstr(source, "{{"));) {
        const char *name = open + 2 + (open[2] == '#' || open[2] == '/');
        const char *close = strstr(name, "}}");
        const struct template_part *found = close ? template_find(part, parts, name, close) : NULL;
        fwrite(source, 1, (size_t)(open - source), file);
        if (!found || strlen(found->name) >= TEMPLATE_NAME)
            return -1;
        const struct template_tag tag = {open[2], found, close + 2};
        source = template_obey(file, &tag, &begun, context);
        if (!source)
            return -1;
    }
    fputs(source, file);
    return begun.count ? -1 : 0;
}
