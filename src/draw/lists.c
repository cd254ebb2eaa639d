/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lists.c - see text.h. A name is a stem, digits and the rest ("rack", "07", ".example"); names
 * that differ only in their digits, of which all have as many or none begins with 0, are one list.
 */
#include "draw/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascending.h"
#include "text/printable.h"

enum { LISTS_MOST_DIGITS = 9 };

struct lists_name {
    const char *text;
    int stem, digits; /* how many characters */
    int32_t number;
};

/* The digits that count are the last ones before a domain. */
static struct lists_name lists_split(const char *text)
{
    int end = (int)strcspn(text, "."), digits = 0;
    while (digits < end && digits < LISTS_MOST_DIGITS &&
           isdigit((unsigned char)text[end - 1 - digits]))
        digits++;
    return (struct lists_name){text, end - digits, digits, digits ? atoi(text + end - digits) : 0};
}

/* Returns 1 if two names are the same but for their numbers. */
static int lists_are_alike(const struct lists_name *a, const struct lists_name *b)
{
    int padded = a->digits > 1 && a->text[a->stem] == '0';
    padded |= b->digits > 1 && b->text[b->stem] == '0';
    return a->stem == b->stem && a->digits && b->digits && (!padded || a->digits == b->digits) &&
           memcmp(a->text, b->text, (size_t)a->stem) == 0 &&
           strcmp(a->text + a->stem + a->digits, b->text + b->stem + b->digits) == 0;
}

static int lists_by_name(const void *a, const void *b)
{
    const struct lists_name *x = a, *y = b;
    int shorter = x->stem < y->stem ? x->stem : y->stem;
    int order = memcmp(x->text, y->text, (size_t)shorter);
    if (!order)
        order = (x->stem > y->stem) - (x->stem < y->stem);
    if (!order)
        order = (x->number > y->number) - (x->number < y->number);
    return order ? order : strcmp(x->text, y->text);
}

/* Print text of `length` bytes. Returns how many there were. */
static int lists_print(FILE *file, const char *text, int length)
{
    char copy[512];
    snprintf(copy, sizeof copy, "%.*s", length, text);
    printable_print(file, copy);
    return length;
}

/* Names [from, to), which are alike. Returns how many were printed before the width was used up. */
static int32_t lists_print_alike(FILE *file, const struct lists_name *name, int32_t count,
                                 int *width)
{
    int32_t i = 0;
    *width -= lists_print(file, name->text, name->stem) + (count > 1 ? 2 : 0);
    if (count > 1)
        fputc('[', file);
    while (i < count && (i == 0 || *width > 0)) {
        int32_t last = i;
        while (last + 1 < count && name[last + 1].number == name[last].number + 1)
            last++;
        if (i)
            fputc(',', file);
        *width -= 1 + lists_print(file, name[i].text + name[i].stem, name[i].digits);
        if (last > i) {
            fputc('-', file);
            *width -= 1 + lists_print(file, name[last].text + name[last].stem, name[last].digits);
        }
        i = last + 1;
    }
    if (i < count)
        fputs(",...", file);
    if (count > 1)
        fputc(']', file);
    printable_print(file, name->text + name->stem + name->digits);
    return i;
}

int draw_names(FILE *file, char *const *names, int32_t count, int width)
{
    struct lists_name *sorted = malloc(((size_t)count + 1) * sizeof *sorted);
    if (!sorted)
        return -1;
    for (int32_t i = 0; i < count; i++)
        sorted[i] = lists_split(names[i]);
    qsort(sorted, (size_t)count, sizeof *sorted, lists_by_name);
    for (int32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && lists_are_alike(&sorted[i], &sorted[end]); end++)
            ;
        if (i)
            fputc(',', file);
        if (i && width <= 0) {
            fputs("...", file);
            break;
        }
        if (lists_print_alike(file, &sorted[i], end - i, &width) < end - i)
            break;
    }
    free(sorted);
    return 0;
}

int draw_numbers(FILE *file, const int32_t *numbers, int32_t count, int width)
{
    int32_t *sorted = malloc(((size_t)count + 1) * sizeof *sorted);
    if (!sorted)
        return -1;
    memcpy(sorted, numbers, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending_int32);
    for (int32_t i = 0, last; i < count; i = last + 1) {
        for (last = i; last + 1 < count && sorted[last + 1] == sorted[last] + 1; last++)
            ;
        if (i)
            width -= fprintf(file, ",");
        if (i && width <= 0) {
            fputs("...", file);
            break;
        }
        width -= fprintf(file, "%d", (int)sorted[i]);
        if (last > i)
            width -= fprintf(file, "-%d", (int)sorted[last]);
    }
    free(sorted);
    return 0;
}
