/* SPDX-License-Identifier: BSD-3-Clause */
/* document.c - see document.h: values and texts are in blocks, which are freed together. */
#include "page/document.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "page/json.h"

/* ---- memory ---- */

enum { DOCUMENT_BLOCK = 16384 };

struct document_block {
    struct document_block *next;
    size_t used, size;
    _Alignas(max_align_t) char memory[];
};

/* NULL: out of memory. */
static void *document_allocate(struct document *d, size_t size)
{
    struct document_block *block = d->blocks;
    size = (size + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    if (!block || block->size - block->used < size) {
        size_t room = size > DOCUMENT_BLOCK ? size : DOCUMENT_BLOCK;
        block = malloc(sizeof *block + room);
        if (!block) {
            d->is_short = 1;
            return NULL;
        }
        *block = (struct document_block){d->blocks, 0, room};
        d->blocks = block;
    }
    void *memory = block->memory + block->used;
    block->used += size;
    return memory;
}

void document_init(struct document *d)
{
    *d = (struct document){.root = {.kind = DOCUMENT_OBJECT}};
    d->end[0] = &d->root.first;
}

void document_free(struct document *d)
{
    for (struct document_block *next, *block = d->blocks; block; block = next) {
        next = block->next;
        free(block);
    }
    d->blocks = NULL;
}

/* ---- filling ---- */

/* A new value where the next one goes; NULL: out of memory. */
static struct document_value *document_add(struct document *d, const char *key,
                                           enum document_kind kind)
{
    struct document_value *value = d->is_short ? NULL : document_allocate(d, sizeof *value);
    if (!value)
        return NULL;
    *value = (struct document_value){.key = key, .kind = kind};
    *d->end[d->depth] = value;
    d->end[d->depth] = &value->next;
    return value;
}

void document_open(struct document *d, const char *key, char kind)
{
    struct document_value *value = document_add(d, key,
                                                kind == '{'   ? DOCUMENT_OBJECT
                                                : kind == '[' ? DOCUMENT_ARRAY
                                                              : DOCUMENT_LINE);
    if (d->depth == DOCUMENT_DEPTH)
        d->is_short = 1;
    if (!value || d->is_short)
        return;
    d->depth++;
    d->end[d->depth] = &value->first;
}

void document_close(struct document *d)
{
    if (!d->is_short)
        d->depth--;
}

static void document_add_text(struct document *d, const char *key, enum document_kind kind,
                              const char *text)
{
    struct document_value *value = document_add(d, key, kind);
    size_t size = strlen(text) + 1;
    char *copy = value ? document_allocate(d, size) : NULL;
    if (copy)
        value->text = memcpy(copy, text, size);
}

void document_text(struct document *d, const char *key, const char *text)
{
    if (text)
        document_add_text(d, key, DOCUMENT_TEXT, text);
    else
        document_add(d, key, DOCUMENT_NULL);
}

void document_print(struct document *d, const char *key, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct document_value *value = document_add(d, key, DOCUMENT_TEXT);
    char *copy = value && size >= 0 ? document_allocate(d, (size_t)size + 1) : NULL;
    if (!copy)
        return;
    va_start(arguments, format);
    vsnprintf(copy, (size_t)size + 1, format, arguments);
    va_end(arguments);
    value->text = copy;
}

void document_written(struct document *d, const char *key, document_write_fn *write,
                      const void *context)
{
    char *text = NULL;
    size_t size = 0;
    if (!write) {
        document_add(d, key, DOCUMENT_NULL);
        return;
    }
    FILE *memory = open_memstream(&text, &size);
    if (memory)
        write(memory, context);
    if (!memory || fclose(memory))
        d->is_short = 1;
    else {
        if (size > 0 && text[size - 1] == '\n')
            text[size - 1] = '\0';
        document_add_text(d, key, DOCUMENT_TEXT, text);
    }
    free(text);
}

void document_number(struct document *d, const char *key, double number)
{
    struct document_value *value =
        document_add(d, key, isfinite(number) ? DOCUMENT_NUMBER : DOCUMENT_NULL);
    if (value)
        value->number = number;
}

void document_integer(struct document *d, const char *key, uint64_t integer)
{
    struct document_value *value = document_add(d, key, DOCUMENT_INTEGER);
    if (value)
        value->integer = integer;
}

void document_boolean(struct document *d, const char *key, int boolean)
{
    struct document_value *value = document_add(d, key, DOCUMENT_BOOLEAN);
    if (value)
        value->integer = boolean != 0;
}

/* Opens a line of values, or adds null. Returns 1 if it is open. */
static int document_open_line(struct document *d, const char *key, const void *values)
{
    if (values)
        document_open(d, key, '(');
    else
        document_add(d, key, DOCUMENT_NULL);
    return values != NULL;
}

void document_numbers(struct document *d, const char *key, int count, const double *number)
{
    if (!document_open_line(d, key, number))
        return;
    for (int i = 0; i < count; i++)
        document_number(d, NULL, number[i]);
    document_close(d);
}

void document_integers(struct document *d, const char *key, int count, const uint64_t *integer)
{
    if (!document_open_line(d, key, integer))
        return;
    for (int i = 0; i < count; i++)
        document_integer(d, NULL, integer[i]);
    document_close(d);
}

void document_ordinals(struct document *d, const char *key, int32_t count, const int32_t *ordinal)
{
    if (!document_open_line(d, key, ordinal))
        return;
    for (int32_t i = 0; i < count; i++)
        document_integer(d, NULL, (uint64_t)ordinal[i]);
    document_close(d);
}

void document_texts(struct document *d, const char *key, char *const *text)
{
    document_open(d, key, '(');
    for (int i = 0; text[i]; i++)
        document_text(d, NULL, text[i]);
    document_close(d);
}

void document_markup(struct document *d, const char *key, const char *markup)
{
    document_add_text(d, key, DOCUMENT_MARKUP, markup);
}

void document_drawing(struct document *d, const char *key, document_draw_fn *draw,
                      const void *context)
{
    struct document_value *value = document_add(d, key, DOCUMENT_DRAWING);
    struct document_drawing *drawing = value ? document_allocate(d, sizeof *drawing) : NULL;
    if (!drawing)
        return;
    *drawing = (struct document_drawing){draw, context};
    value->drawing = drawing;
}

/* ---- reading ---- */

static int document_is_list(const struct document_value *value)
{
    return value->kind == DOCUMENT_ARRAY || value->kind == DOCUMENT_LINE;
}

const struct document_value *document_find(const struct document_value *value, const char *key,
                                           size_t length)
{
    int is_list = document_is_list(value);
    if (!is_list && value->kind != DOCUMENT_OBJECT)
        return NULL;
    long index = is_list && *key >= '0' && *key <= '9' ? strtol(key, NULL, 10) : -1;
    for (value = value->first; value; value = value->next)
        if (value->key && strlen(value->key) == length && memcmp(value->key, key, length) == 0)
            return value;
        else if (!value->key && index-- == 0)
            return value;
    return NULL;
}

int document_holds(const struct document_value *value)
{
    switch (value->kind) {
    case DOCUMENT_NULL:
        return 0;
    case DOCUMENT_BOOLEAN:
        return value->integer != 0;
    case DOCUMENT_TEXT:
    case DOCUMENT_MARKUP:
        return *value->text != '\0';
    case DOCUMENT_OBJECT:
    case DOCUMENT_ARRAY:
    case DOCUMENT_LINE:
        return value->first != NULL;
    default:
        return 1;
    }
}

double document_number_of(const struct document_value *value)
{
    return value && value->kind == DOCUMENT_NUMBER    ? value->number
           : value && value->kind == DOCUMENT_INTEGER ? (double)value->integer
                                                      : NAN;
}

void document_copy_numbers(double *number, int count, const struct document_value *value)
{
    const struct document_value *member = document_is_list(value) ? value->first : NULL;
    for (int i = 0; i < count; i++) {
        number[i] = document_number_of(member);
        member = member ? member->next : NULL;
    }
}

/* ---- writing ---- */

static void document_serialize(FILE *file, const struct document_value *value, int depth,
                               int is_line);

/* Members of a line, and of what is in it, are on that line; else each has its own. */
static void document_serialize_members(FILE *file, const struct document_value *value, int depth,
                                       int is_line)
{
    const int is_object = value->kind == DOCUMENT_OBJECT;
    int count = 0;
    is_line |= value->kind == DOCUMENT_LINE;
    putc(is_object ? '{' : '[', file);
    for (value = value->first; value; value = value->next) {
        if (value->key && value->key[0] == '@')
            continue;
        if (count++)
            putc(',', file);
        if (!is_line)
            fprintf(file, "\n%*s", depth + 1, "");
        if (value->key) {
            json_write_text(file, value->key);
            fputs(": ", file);
        }
        document_serialize(file, value, depth + 1, is_line);
    }
    if (count && !is_line)
        fprintf(file, "\n%*s", depth, "");
    putc(is_object ? '}' : ']', file);
    if (depth == 0)
        putc('\n', file);
}

static void document_serialize(FILE *file, const struct document_value *value, int depth,
                               int is_line)
{
    switch (value->kind) {
    case DOCUMENT_BOOLEAN:
        fputs(value->integer ? "true" : "false", file);
        break;
    case DOCUMENT_INTEGER:
        fprintf(file, "%llu", (unsigned long long)value->integer);
        break;
    case DOCUMENT_NUMBER:
        json_write_number(file, value->number);
        break;
    case DOCUMENT_OBJECT:
    case DOCUMENT_ARRAY:
    case DOCUMENT_LINE:
        document_serialize_members(file, value, depth, is_line);
        break;
    default:
        json_write_text(file, value->kind == DOCUMENT_TEXT ? value->text : NULL);
    }
}

void document_write_value(FILE *file, const struct document_value *value)
{
    document_serialize(file, value, 0, 0);
}

int document_write_json(FILE *file, const struct document *d)
{
    if (d->is_short)
        return -1;
    document_write_value(file, &d->root);
    return 0;
}
