/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * document.h - what a command has found out, as a tree of values: filled once, written as JSON
 * (RFC 8259) by document_write_json() and as a page by template_write().
 *
 *   struct document document;
 *   document_init(&document);
 *   document_text(&document, "name", name);
 *   document_open(&document, "levels", '[');
 *   ...                                 each is an object: document_open(&document, NULL, '{')
 *   document_close(&document);
 *   document_boolean(&document, "@is_gain", 1);
 *   rc = document_write_json(file, &document);
 *   document_free(&document);
 *
 * Values of an object have a key, those of an array have NULL. A key that begins with `@' is that
 * of a value for pages alone, which JSON leaves out; arrays may have such values too. Keys are
 * not copied; texts are. Values need no checks: when memory runs out, is_short stays set, and the
 * functions that write return -1.
 */
#ifndef RESEAT_DOCUMENT_H
#define RESEAT_DOCUMENT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum document_kind {
    DOCUMENT_NULL,
    DOCUMENT_BOOLEAN,
    DOCUMENT_INTEGER,
    DOCUMENT_NUMBER,
    DOCUMENT_TEXT,
    DOCUMENT_MARKUP,
    DOCUMENT_DRAWING,
    DOCUMENT_OBJECT,
    DOCUMENT_ARRAY,
    DOCUMENT_LINE
};

/* Writes a text. */
typedef void document_write_fn(FILE *file, const void *context);

/* Writes what is too large, or too much of a picture, to be values. 0, or a status as that of
 * template_write(). */
typedef int document_draw_fn(FILE *file, const void *context);

struct document_drawing {
    document_draw_fn *draw;
    const void *context;
};

struct document_value {
    struct document_value *next; /* in the same object or array */
    const char *key;             /* NULL: it is in an array */
    enum document_kind kind;
    union {
        struct document_value *first; /* of an object, array or line; NULL: it is empty */
        const char *text;             /* of a text or markup */
        double number;
        uint64_t integer; /* also of a boolean */
        struct document_drawing *drawing;
    };
};

enum { DOCUMENT_DEPTH = 15 };

struct document {
    struct document_value root; /* an object */
    int is_short;               /* out of memory: something is missing */
    /* Private: */
    int depth;
    struct document_value **end[DOCUMENT_DEPTH + 1]; /* where the next value goes, by depth */
    struct document_block *blocks;
};

/* ---- filling ---- */

void document_init(struct document *document);
void document_free(struct document *document);

/* Open an object `{' or an array `['; an array of short values `(' is one too, and all on one line
 * of JSON. What is added until it is closed belongs to it. */
void document_open(struct document *document, const char *key, char kind);
void document_close(struct document *document);

/* A text; NULL: null. */
void document_text(struct document *document, const char *key, const char *text);
/* A text by a format, as fprintf's. */
void document_print(struct document *document, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The text that `write` writes, without a newline at its end; NULL: null. */
void document_written(struct document *document, const char *key, document_write_fn *write,
                      const void *context);
/* Null if it is not finite. */
void document_number(struct document *document, const char *key, double value);
void document_integer(struct document *document, const char *key, uint64_t value);
void document_boolean(struct document *document, const char *key, int value);
/* Numbers on one line; NULL: null. Ordinals are not negative. */
void document_numbers(struct document *document, const char *key, int count, const double *value);
void document_integers(struct document *document, const char *key, int count,
                       const uint64_t *value);
void document_ordinals(struct document *document, const char *key, int32_t count,
                       const int32_t *value);
/* Texts on one line, ended by NULL. */
void document_texts(struct document *document, const char *key, char *const *text);

/* For pages: a text of our own with tags and entities. */
void document_markup(struct document *document, const char *key, const char *markup);
/* For pages: what `draw` writes into them; the context outlives the document. */
void document_drawing(struct document *document, const char *key, document_draw_fn *draw,
                      const void *context);

/* ---- reading ---- */

/* The value of that key in an object, or of that index ("0") in an array; NULL: there is none. */
const struct document_value *document_find(const struct document_value *value, const char *key,
                                           size_t length);

/* Returns 1 unless it is null, false, or an empty text, array or object. */
int document_holds(const struct document_value *value);

/* A number or integer; NaN: it is something else. */
double document_number_of(const struct document_value *value);

/* Copy the numbers of an array; those that it lacks become NaN. */
void document_copy_numbers(double *number, int count, const struct document_value *value);

/* ---- writing ---- */

/* 0, or -1: out of memory while it was filled. The caller checks `file` for write errors. */
int document_write_json(FILE *file, const struct document *document);

/* Write a part of one. */
void document_write_value(FILE *file, const struct document_value *value);

#endif
