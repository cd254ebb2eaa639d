/* SPDX-License-Identifier: BSD-3-Clause */
/* template.c - see template.h: a recursive descent, a call for each part. */
#include "page/template.h"

#include <math.h>
#include <string.h>

#include "page/markup.h"

enum { TEMPLATE_NAME = 64, TEMPLATE_DEPTH = 16 };

/* The page as a whole. */
struct template_page {
    FILE *file;
    const struct template_format *formats;
    int depth;  /* of parts */
    int status; /* of the drawing or format that has failed, or 0 */
};

/* A value in which names are looked up, and those around it. */
struct template_scope {
    const struct document_value *value;
    uint64_t number; /* in its array, from 1 */
    const struct template_scope *outer;
};

struct template_tag {
    char kind;                /* `?', `^', `#', `/'; 0: it is replaced */
    char name[TEMPLATE_NAME]; /* with its format */
    char *format;             /* in it, after the bar; NULL: none */
    const char *behind;       /* the source after the tag */
};

/* ---- names ---- */

/* The value of a name; NULL: there is none. */
static const struct document_value *template_find(const struct template_scope *scope,
                                                  const char *name)
{
    const struct document_value *value = NULL;
    size_t length = strcspn(name, ".");
    if (strcmp(name, ".") == 0)
        return scope->value;
    for (; scope && !value; scope = scope->outer)
        value = document_find(scope->value, name, length);
    while (value && value->kind != DOCUMENT_NULL && name[length] == '.') {
        name += length + 1;
        length = strcspn(name, ".");
        value = document_find(value, name, length);
    }
    return value;
}

/* Read the tag at `at`, behind its braces. 0, or -1: it has no end, or is too long. */
static int template_read(struct template_tag *tag, const char *at)
{
    const char *end = strstr(at, "}}");
    tag->kind = *at && strchr("?^#/", *at) ? *at++ : '\0';
    if (!end || end - at >= TEMPLATE_NAME)
        return -1;
    memcpy(tag->name, at, (size_t)(end - at));
    tag->name[end - at] = '\0';
    tag->format = strchr(tag->name, '|');
    if (tag->format)
        *tag->format++ = '\0';
    tag->behind = end + 2;
    return 0;
}

/* ---- values ---- */

/* As it is. 0, -1: out of memory, or TEMPLATE_WRONG: it has no text. */
static int template_put_plain(FILE *file, const struct document_value *value)
{
    switch (value->kind) {
    case DOCUMENT_NULL:
        putc('-', file);
        return 0;
    case DOCUMENT_INTEGER:
        fprintf(file, "%llu", (unsigned long long)value->integer);
        return 0;
    case DOCUMENT_NUMBER:
        fprintf(file, "%.15g", value->number);
        return 0;
    case DOCUMENT_TEXT:
        markup_write(file, value->text);
        return 0;
    case DOCUMENT_MARKUP:
        fputs(value->text, file);
        return 0;
    case DOCUMENT_DRAWING:
        return value->drawing->draw(file, value->drawing->context);
    default:
        return TEMPLATE_WRONG;
    }
}

/* By one of printf's formats, "%", perhaps "+", and digits: for a double. 0, or -1: it is another
 * one. */
static int template_put_number(FILE *file, const char *format, double number)
{
    size_t size = 1 + strspn(format + 1, "+.0123456789");
    if (!format[size] || !strchr("fg", format[size]) || format[size + 1])
        return TEMPLATE_WRONG;
    if (isnan(number))
        putc('-', file);
    else
        fprintf(file, format, number);
    return 0;
}

/* 0, -1: out of memory, or TEMPLATE_WRONG: there is no such value or format. */
static int template_put(const struct template_page *page, const struct template_tag *tag,
                        const struct template_scope *scope)
{
    const struct document_value *value = template_find(scope, tag->name);
    const struct template_format *format = page->formats;
    if (strcmp(tag->name, "@number") == 0) {
        fprintf(page->file, "%llu", (unsigned long long)scope->number);
        return 0;
    }
    if (!value || !tag->format)
        return value ? template_put_plain(page->file, value) : TEMPLATE_WRONG;
    if (*tag->format == '%')
        return template_put_number(page->file, tag->format, document_number_of(value));
    if (strcmp(tag->format, "json") == 0) {
        document_write_value(page->file, value);
        return 0;
    }
    while (format && format->name && strcmp(format->name, tag->format) != 0)
        format++;
    return format && format->name ? format->write(page->file, value) : TEMPLATE_WRONG;
}

/* ---- parts ---- */

static const char *template_part(struct template_page *page, const char *at, const char *name,
                                 const struct template_scope *scope);

/* Once for each value in it. Returns as template_part. */
static const char *template_loop(struct template_page *page, const struct template_tag *tag,
                                 const struct document_value *value,
                                 const struct template_scope *scope)
{
    const char *behind = NULL;
    struct template_scope inner = {value, 0, scope};
    if (value->kind == DOCUMENT_OBJECT) {
        inner.number = 1;
        return template_part(page, tag->behind, tag->name, &inner);
    }
    if (value->kind == DOCUMENT_ARRAY || value->kind == DOCUMENT_LINE)
        for (value = value->first; value; value = value->next) {
            if (value->key)
                continue;
            inner.value = value;
            inner.number++;
            behind = template_part(page, tag->behind, tag->name, &inner);
            if (!behind)
                return NULL;
        }
    return behind ? behind : template_part(page, tag->behind, tag->name, NULL);
}

/* Do what a tag says. Returns where the source goes on; NULL: it cannot be done. */
static const char *template_run(struct template_page *page, const struct template_tag *tag,
                                const struct template_scope *scope)
{
    if (!tag->kind) {
        page->status = scope ? template_put(page, tag, scope) : 0;
        return page->status ? NULL : tag->behind;
    }
    if (!scope)
        return template_part(page, tag->behind, tag->name, NULL);
    const struct document_value *value = template_find(scope, tag->name);
    if (!value)
        return NULL;
    if (tag->kind == '#')
        return template_loop(page, tag, value, scope);
    int is_there = document_holds(value) == (tag->kind == '?');
    return template_part(page, tag->behind, tag->name, is_there ? scope : NULL);
}

/* Write the source from `at` on until the end of the part `name` (NULL: all of it); nothing if
 * there is no `scope`.
 * Returns what is behind that end; NULL: something is wrong. */
static const char *template_part(struct template_page *page, const char *at, const char *name,
                                 const struct template_scope *scope)
{
    if (page->depth == TEMPLATE_DEPTH)
        return NULL;
    page->depth++;
    for (const char *open; (open = strstr(at, "{{"));) {
        struct template_tag tag;
        if (scope)
            fwrite(at, 1, (size_t)(open - at), page->file);
        if (template_read(&tag, open + 2))
            return NULL;
        if (tag.kind == '/') {
            page->depth--;
            return name && strcmp(tag.name, name) == 0 ? tag.behind : NULL;
        }
        at = template_run(page, &tag, scope);
        if (!at)
            return NULL;
    }
    if (scope)
        fputs(at, page->file);
    page->depth--;
    return name ? NULL : at + strlen(at);
}

int template_write(FILE *file, const char *source, const struct document_value *root,
                   const struct template_format *formats)
{
    struct template_page page = {.file = file, .formats = formats};
    const struct template_scope scope = {root, 0, NULL};
    if (template_part(&page, source, NULL, &scope))
        return 0;
    return page.status ? page.status : TEMPLATE_WRONG;
}
