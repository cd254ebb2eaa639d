/* SPDX-License-Identifier: BSD-3-Clause */
/* template.c - see template.h: a recursive descent, a call for each part. */
#include "page/template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/markup.h"
#include "text/printable.h"

enum { TEMPLATE_NAME = 64, TEMPLATE_DEPTH = 16 };

/* The page as a whole. */
struct template_page {
    FILE *file;
    const char *source;
    const struct template_format *formats;
    int is_text; /* nothing is escaped, and a tag alone on its line is none */
    int depth;   /* of parts */
    int status;  /* of the drawing or format that has failed, or 0 */
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
    int width;                /* of the text, as printf takes it; 0: any */
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
    char *width = tag->format ? strrchr(tag->format, '%') : NULL;
    tag->width = 0;
    if (width && width[strlen(width) - 1] == 's') {
        tag->width = (int)strtol(width + 1, NULL, 10);
        *width = '\0';
        if (width == tag->format)
            tag->format = NULL;
    }
    return 0;
}

/* ---- values ---- */

/* As it is. 0, -1: out of memory, or TEMPLATE_WRONG: it has no text. */
static int template_put_plain(FILE *file, const struct document_value *value, int is_text)
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
        (is_text ? printable_print : markup_write)(file, value->text);
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

/* By one of printf's formats, "%", perhaps "+" or "-", and digits: for a double. 0, or -1: it is
 * another one. */
static int template_put_number(FILE *file, const char *format, double number)
{
    size_t size = 1 + strspn(format + 1, "+-.0123456789");
    if (!format[size] || !strchr("fg", format[size]) || format[size + 1])
        return TEMPLATE_WRONG;
    if (isnan(number))
        putc('-', file);
    else
        fprintf(file, format, number);
    return 0;
}

/* 0, -1: out of memory, or TEMPLATE_WRONG: there is no such value or format. */
static int template_put_value(FILE *file, const struct template_page *page,
                              const struct template_tag *tag, const struct template_scope *scope)
{
    const int is_index = strcmp(tag->name, "@index") == 0;
    const struct document_value *value = template_find(scope, tag->name);
    const struct template_format *format = page->formats;
    if (is_index || strcmp(tag->name, "@number") == 0) {
        fprintf(file, "%llu", (unsigned long long)scope->number - (unsigned)is_index);
        return 0;
    }
    if (!value || !tag->format)
        return value ? template_put_plain(file, value, page->is_text) : TEMPLATE_WRONG;
    if (*tag->format == '%')
        return template_put_number(file, tag->format, document_number_of(value));
    if (strcmp(tag->format, "json") == 0) {
        document_write_value(file, value);
        return 0;
    }
    while (format && format->name && strcmp(format->name, tag->format) != 0)
        format++;
    if (!format || !format->name)
        return TEMPLATE_WRONG;
    return format->write_with ? format->write_with(file, value, format->with)
                              : format->write(file, value);
}

/* As the other. */
static int template_put(const struct template_page *page, const struct template_tag *tag,
                        const struct template_scope *scope)
{
    char *text = NULL;
    size_t size;
    if (!tag->width)
        return template_put_value(page->file, page, tag, scope);
    FILE *memory = open_memstream(&text, &size);
    int rc = memory ? template_put_value(memory, page, tag, scope) : -1;
    if (memory && fclose(memory))
        rc = -1;
    if (rc == 0)
        fprintf(page->file, "%*s", tag->width, text);
    free(text);
    return rc;
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

/* In a text, a part begins or ends behind the line that has nothing but its tag, which begins at
 * `open`. */
static void template_skip_line(const struct template_page *page, struct template_tag *tag,
                               const char *open)
{
    int begins_line = open == page->source || open[-1] == '\n';
    if (page->is_text && tag->kind && begins_line && *tag->behind == '\n')
        tag->behind++;
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
        template_skip_line(page, &tag, open);
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

static int template_run_page(struct template_page *page, const struct document_value *root)
{
    const struct template_scope scope = {root, 0, NULL};
    if (template_part(page, page->source, NULL, &scope))
        return 0;
    return page->status ? page->status : TEMPLATE_WRONG;
}

int template_write(FILE *file, const char *source, const struct document_value *root,
                   const struct template_format *formats)
{
    return template_run_page(&(struct template_page){file, source, formats, 0, 0, 0}, root);
}

int template_write_text(FILE *file, const char *source, const struct document_value *root,
                        const struct template_format *formats)
{
    return template_run_page(&(struct template_page){file, source, formats, 1, 0, 0}, root);
}
