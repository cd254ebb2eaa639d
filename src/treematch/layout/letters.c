/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * letters.c - the text of a layout: "scbnh", "XYZT", "n:3-0:sc".
 *
 * Letters are those of Hursey, Squyres and Dontje (2011), table I; n b s c h N L1 L2 L3, and, for
 * what is not in that table, d (die), g (group), S (switch; S1 next to the nodes, S2 above it), the
 * dimensions of a torus as BlueGene/P (X Y Z) and BlueGene/Q (A B C D E) name them, and T,
 * BlueGene's letter for what is inside a node. A list between colons is the order of the letter
 * before it.
 */
#include "treematch/layout/letters.h"

#include <stdio.h>

enum { LETTERS_MAX_NAMES = 4 };

static const struct letters_row {
    const char *text;
    enum tmap_letter_kind kind;
    int number;
    const char *names[LETTERS_MAX_NAMES];
} letters_rows[] = {
    {"n", TMAP_LETTER_OBJECT, 0, {"node", NULL, NULL, NULL}},
    {"b", TMAP_LETTER_OBJECT, 1, {"board", NULL, NULL, NULL}},
    {"s", TMAP_LETTER_OBJECT, 2, {"package", "pack", "socket", NULL}},
    {"c", TMAP_LETTER_OBJECT, 3, {"core", "process", NULL, NULL}},
    {"h", TMAP_LETTER_UNIT, 0, {"pu", NULL, NULL, NULL}},
    {"N", TMAP_LETTER_OBJECT, 4, {"numa", "numanode", NULL, NULL}},
    {"L1", TMAP_LETTER_OBJECT, 5, {"l1", NULL, NULL, NULL}},
    {"L2", TMAP_LETTER_OBJECT, 6, {"l2", NULL, NULL, NULL}},
    {"L3", TMAP_LETTER_OBJECT, 7, {"l3", NULL, NULL, NULL}},
    {"d", TMAP_LETTER_OBJECT, 8, {"die", NULL, NULL, NULL}},
    {"g", TMAP_LETTER_OBJECT, 9, {"group", NULL, NULL, NULL}},
    {"S1", TMAP_LETTER_SWITCH, 1, {NULL, NULL, NULL, NULL}},
    {"S2", TMAP_LETTER_SWITCH, 2, {NULL, NULL, NULL, NULL}},
    {"S3", TMAP_LETTER_SWITCH, 3, {NULL, NULL, NULL, NULL}},
    {"S4", TMAP_LETTER_SWITCH, 4, {NULL, NULL, NULL, NULL}},
    {"S", TMAP_LETTER_SWITCH, 1, {NULL, NULL, NULL, NULL}},
    {"X", TMAP_LETTER_DIMENSION, 0, {NULL, NULL, NULL, NULL}},
    {"Y", TMAP_LETTER_DIMENSION, 1, {NULL, NULL, NULL, NULL}},
    {"Z", TMAP_LETTER_DIMENSION, 2, {NULL, NULL, NULL, NULL}},
    {"A", TMAP_LETTER_DIMENSION, 0, {NULL, NULL, NULL, NULL}},
    {"B", TMAP_LETTER_DIMENSION, 1, {NULL, NULL, NULL, NULL}},
    {"C", TMAP_LETTER_DIMENSION, 2, {NULL, NULL, NULL, NULL}},
    {"D", TMAP_LETTER_DIMENSION, 3, {NULL, NULL, NULL, NULL}},
    {"E", TMAP_LETTER_DIMENSION, 4, {NULL, NULL, NULL, NULL}},
    {"T", TMAP_LETTER_UNIT, 1, {NULL, NULL, NULL, NULL}},
};

/* The two orders that the paper names in words. */
static const struct {
    const char *name, *text;
} letters_names[] = {{"by-slot", "hcsbn"}, {"by-node", "ncsbh"}};

enum { LETTERS_ROWS = sizeof letters_rows / sizeof letters_rows[0], LETTERS_SHOWN = 60 };

enum tmap_status tmap_letters_fail(struct tmap_error *error, enum tmap_status status,
                                   const char *text, int at, const char *what)
{
    char shown[LETTERS_SHOWN + 1];
    int length = 0;
    for (; length < LETTERS_SHOWN && text[length]; length++)
        shown[length] = text[length];
    shown[length] = '\0';
    for (int i = 0; i < length; i++) /* it is printed */
        if (shown[i] < ' ' || shown[i] > '~')
            shown[i] = '?';
    return tmap_fail(error, status, "layout '%s', character %d: %s", shown, at + 1, what);
}

/* The row of the letter that `text` begins with; NULL: none. Rows with two characters come before
 * those that they begin with. */
static const struct letters_row *letters_find(const char *text)
{
    for (int i = 0; i < LETTERS_ROWS; i++)
        if (strncmp(text, letters_rows[i].text, strlen(letters_rows[i].text)) == 0)
            return &letters_rows[i];
    return NULL;
}

static enum tmap_status letters_fail_unknown(struct tmap_error *error, const char *text, int at)
{
    char what[160];
    int length = snprintf(what, sizeof what,
                          "'%c' is no level:", text[at] > ' ' && text[at] <= '~' ? text[at] : '?');
    for (int i = 0; i < LETTERS_ROWS && length < (int)sizeof what - 4; i++)
        length +=
            snprintf(what + length, sizeof what - (size_t)length, " %s", letters_rows[i].text);
    return tmap_letters_fail(error, TMAP_ESYNTAX, text, at, what);
}

/* ---- lists ---- */

/* A number of at most 2^31 - 1 at *text, which goes behind it; -1: there is none. */
static int32_t letters_number(const char **text)
{
    int64_t number = -1;
    for (; **text >= '0' && **text <= '9' && number <= INT32_MAX; ++*text)
        number = (number < 0 ? 0 : number) * 10 + (**text - '0');
    return number <= INT32_MAX ? (int32_t)number : -1;
}

int tmap_letters_next_range(const char **list, int32_t *first, int32_t *last)
{
    if (**list == ':')
        return 0;
    *first = *last = letters_number(list);
    if (**list == '-') {
        ++*list;
        *last = letters_number(list);
    }
    *list += **list == ',';
    return 1;
}

/* Check a list, which begins at text[*at] and ends with a colon; *at goes behind that. */
static enum tmap_status letters_check_list(const char *text, int *at, struct tmap_error *error)
{
    const char *list = text + *at;
    do {
        int is_range = 0;
        do {
            int begin = (int)(list - text);
            if (letters_number(&list) < 0)
                return tmap_letters_fail(error, TMAP_ESYNTAX, text, begin,
                                         "a list of numbers like :3,0-2: is expected");
            is_range = !is_range && *list == '-';
            list += is_range;
        } while (is_range);
    } while (*list == ',' && list++);
    if (*list != ':')
        return tmap_letters_fail(error, TMAP_ESYNTAX, text, (int)(list - text),
                                 "the list must end with a colon");
    *at = (int)(list - text) + 1;
    return TMAP_OK;
}

/* ---- letters ---- */

const char *tmap_letters_of_name(const char *text)
{
    for (size_t i = 0; i < sizeof letters_names / sizeof letters_names[0]; i++)
        if (strcmp(text, letters_names[i].name) == 0)
            return letters_names[i].text;
    return text;
}

static enum tmap_status letters_check_new(const struct tmap_letter *letter, int count,
                                          const char *text, struct tmap_error *error)
{
    const struct tmap_letter *latest = &letter[count];
    char what[80];
    for (int i = 0; i < count; i++)
        if (letter[i].kind == latest->kind && letter[i].number == latest->number) {
            snprintf(what, sizeof what, "'%.*s' was there already, at %d", latest->length,
                     text + latest->at, letter[i].at + 1);
            return tmap_letters_fail(error, TMAP_ESYNTAX, text, latest->at, what);
        }
    return TMAP_OK;
}

enum tmap_status tmap_letters_read(struct tmap_letter *letter, int *count, const char *text,
                                   struct tmap_error *error)
{
    int found = 0, at = 0;
    if (!*text)
        return tmap_fail(error, TMAP_ESYNTAX, "a layout has at least one letter, like scbnh");
    while (text[at]) {
        const struct letters_row *row = letters_find(text + at);
        if (!row)
            return letters_fail_unknown(error, text, at);
        letter[found] = (struct tmap_letter){.kind = row->kind,
                                             .number = row->number,
                                             .names = row->names,
                                             .at = at,
                                             .length = (int)strlen(row->text)};
        enum tmap_status status = letters_check_new(letter, found, text, error);
        at += letter[found].length;
        if (status == TMAP_OK && text[at] == ':') {
            letter[found].list = text + ++at;
            status = letters_check_list(text, &at, error);
        }
        if (status != TMAP_OK)
            return status;
        found++; /* no letter comes twice, so there are fewer than TMAP_MAX_LETTERS */
    }
    *count = found;
    return TMAP_OK;
}
