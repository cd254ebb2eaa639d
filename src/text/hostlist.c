/* SPDX-License-Identifier: BSD-3-Clause */
/* hostlist.c - see hostlist.h. A name is built in a buffer; at each bracket the rest of the item is
 * expanded once for every number. */
#include "text/hostlist.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text/host-name.h"
#include "text/number.h"

enum { MOST_DIGITS = 18, MOST_BRACKETS = 4 };

struct expansion {
    hostlist_name_fn *take;
    void *context;
    const char **reason;
    char name[RESEAT_HOST_SIZE];
    int names;    /* so far */
    int brackets; /* currently open */
};

static int hostlist_refuse(const struct expansion *e, const char *reason)
{
    *e->reason = reason;
    return -1;
}

static int hostlist_expand_range(struct expansion *e, size_t length, const char *at,
                                 const char *end);

/* "01-04" or "7" at *text; its width in *width. 0, or -1. */
static int hostlist_read_range(const char **text, uint64_t range[2], int *width)
{
    const char *start = *text;
    if (read_number(text, UINT64_MAX, &range[0]))
        return -1;
    *width = (int)(*text - start);
    range[1] = range[0];
    if (**text == '-') {
        (*text)++;
        if (read_number(text, UINT64_MAX, &range[1]))
            return -1;
    }
    return *width > MOST_DIGITS || range[1] < range[0] ? -1 : 0;
}

/* Expand the numbers between brackets, which end at `close`. */
static int hostlist_expand_numbers(struct expansion *e, size_t length, const char *at,
                                   const char *close, const char *end)
{
    uint64_t range[2];
    int width, rc = 0;
    while (rc == 0) {
        if (hostlist_read_range(&at, range, &width) || (at != close && *at != ','))
            return hostlist_refuse(e, "brackets have to hold numbers like 0-3,7");
        if (range[1] - range[0] >= HOSTLIST_MOST_NAMES)
            return hostlist_refuse(e, "too many names");
        for (uint64_t number = range[0]; rc == 0 && number <= range[1]; number++) {
            int digits =
                snprintf(e->name + length, sizeof e->name - length, "%0*" PRIu64, width, number);
            if (digits < 0 || (size_t)digits >= sizeof e->name - length)
                return hostlist_refuse(e, "a name is too long");
            rc = hostlist_expand_range(e, length + (size_t)digits, close + 1, end);
        }
        if (at++ == close)
            break;
    }
    return rc;
}

/* Expand the rest of an item, at .. end, after the first `length` characters of the name. */
static int hostlist_expand_range(struct expansion *e, size_t length, const char *at,
                                 const char *end)
{
    while (at < end && *at != '[') {
        if (length + 1 >= sizeof e->name)
            return hostlist_refuse(e, "a name is too long");
        e->name[length++] = *at++;
    }
    if (at == end) {
        e->name[length] = '\0';
        if (length == 0)
            return hostlist_refuse(e, "a name is empty");
        if (e->names++ >= HOSTLIST_MOST_NAMES)
            return hostlist_refuse(e, "too many names");
        return e->take(e->context, e->name);
    }
    const char *close = memchr(at, ']', (size_t)(end - at));
    if (!close)
        return hostlist_refuse(e, "a bracket is not closed");
    if (e->brackets == MOST_BRACKETS)
        return hostlist_refuse(e, "too many brackets in a name");
    e->brackets++;
    int rc = hostlist_expand_numbers(e, length, at + 1, close, end);
    e->brackets--;
    return rc;
}

/* The end of the item at `at`: a comma outside brackets. */
static const char *hostlist_item_end(const char *at)
{
    int inside = 0;
    for (; *at && (inside || *at != ','); at++)
        inside = *at == '[' || (inside && *at != ']');
    return at;
}

int hostlist_expand(const char *text, hostlist_name_fn *take, void *context, const char **reason)
{
    struct expansion e = {.take = take, .context = context, .reason = reason};
    for (;;) {
        const char *end = hostlist_item_end(text);
        int rc = hostlist_expand_range(&e, 0, text, end);
        if (rc || !*end)
            return rc;
        text = end + 1;
    }
}
