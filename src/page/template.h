/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * template.h - a page, or a text, from its source and the values of a document, by name:
 *
 *   {{name}}                    the value: a text is escaped, markup and drawings are not; null is
 *   - {{name|format}}             a value by a format, as
 *   {{name|%+.1f}}                  a number by one of printf's; null is -
 *   {{name|json}}                   JSON
 *   {{name|B}}                      one of those that the caller has given
 *   {{name|B%-14s}}                 in so many columns, on the left; `{{name|%14s}}' without format
 *   {{?name}} ... {{/name}}     is only there if the value holds: it is not null, false or empty
 *   {{^name}} ... {{/name}}     only if it does not
 *   {{#name}} ... {{/name}}     once for each value of an array, or for an object; not for null
 *
 * Inside of the last, names are first looked up in that value, then in those around it: `.' is the
 * value itself, `@number' its number, from 1, `@index' from 0. `a.b' is b in a (null if a is),
 * `a.0' the first of an array. Parts may be inside of others. A name that there is not is an error,
 * so that a page shows nothing that nobody fills.
 */
#ifndef RESEAT_TEMPLATE_H
#define RESEAT_TEMPLATE_H

#include <stdio.h>

#include "page/document.h"

struct template_format {
    const char *name;
    /* 0, -1: out of memory, or TEMPLATE_WRONG: no value for this format. */
    int (*write)(FILE *file, const struct document_value *value);
    /* The same, called instead if it is there, of which several formats differ by `with`. */
    int (*write_with)(FILE *file, const struct document_value *value, const char *with);
    const char *with;
};

/* The source names a value or format that there is not, or an end is missing. */
enum { TEMPLATE_WRONG = -2 };

/* Write the page; the formats are ended by one without a name (NULL: none). 0, -1: out of
 * memory, or TEMPLATE_WRONG; this much of it has been written. The caller checks `file` for write
 * errors. */
int template_write(FILE *file, const char *source, const struct document_value *root,
                   const struct template_format *formats);

/* The same for a text: of texts, only what cannot be printed is escaped, and a line that has only
 * the tag of a part is left out. */
int template_write_text(FILE *file, const char *source, const struct document_value *root,
                        const struct template_format *formats);

#endif
