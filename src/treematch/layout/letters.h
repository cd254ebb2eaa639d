/* SPDX-License-Identifier: BSD-3-Clause */
/* letters.h - a layout as text, letter by letter (letters.c), before any machine gives it a
 * meaning. */
#ifndef TMAP_LETTERS_H
#define TMAP_LETTERS_H

#include "treematch/model/objects.h"

enum tmap_letter_kind {
    TMAP_LETTER_OBJECT,    /* a kind of object in a node, or the node */
    TMAP_LETTER_SWITCH,    /* `number`: 1 is the one next to the nodes */
    TMAP_LETTER_DIMENSION, /* of a torus or mesh, `number` from 0 */
    TMAP_LETTER_UNIT       /* the smallest unit, whatever it is */
};

/* A letter with what the text says about its order. */
struct tmap_letter {
    enum tmap_letter_kind kind;
    int number;
    const char *const *names; /* of levels, ends with NULL; NULL: none */
    int at, length;           /* where in the text */
    const char *list;         /* "3,0-2", ends at a colon; NULL: all, one after the other */
};

enum { TMAP_MAX_LETTERS = 48 };

/* The letters of a layout with a name, "hcsbn" for "by-slot"; any other text itself. */
const char *tmap_letters_of_name(const char *text);

/* Read `text`: letter[0 .. *count - 1], of TMAP_MAX_LETTERS. TMAP_ESYNTAX: what is wrong, and
 * where. */
enum tmap_status tmap_letters_read(struct tmap_letter *letter, int *count, const char *text,
                                   struct tmap_error *error);

/* The letters that all share with TMAP_ESYNTAX and TMAP_EINVAL: "layout 'TEXT', character AT". */
enum tmap_status tmap_letters_fail(struct tmap_error *error, enum tmap_status status,
                                   const char *text, int at, const char *what);

/* The next range of a list, which becomes shorter: *first may be more than *last. 0 at the end. */
int tmap_letters_next_range(const char **list, int32_t *first, int32_t *last);

#endif
