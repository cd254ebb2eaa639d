/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yaml.c - see yaml.h. Each line adds nodes below the last one that is indented less; an item of a
 * sequence may also be at the indentation of the key that it belongs to. `- a: 1` is an item with
 * the pair below it, at the column where it stands. Time and memory O(text).
 */
#include "text/yaml.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct yaml_reader {
    struct yaml *yaml;
    struct lines *lines;
    int32_t open; /* the last node of the block structure */
};

void yaml_free(struct yaml *yaml)
{
    for (int32_t i = 0; i < yaml->count; i++) {
        free(yaml->node[i].key);
        free(yaml->node[i].value);
    }
    free(yaml->node);
    *yaml = (struct yaml){0};
}

/* Add a node; returns its number, -1 with the error. */
static int32_t yaml_add(struct yaml_reader *r, int32_t parent, int indent)
{
    struct yaml *y = r->yaml;
    if (y->count == YAML_MOST_NODES)
        return lines_fail(r->lines, "too long");
    struct yaml_node *node = array_grow(y->node, (size_t)y->count, sizeof *node);
    if (!node)
        return lines_no_memory(r->lines);
    y->node = node;
    node[y->count] =
        (struct yaml_node){.line = r->lines->number, .indent = indent, .parent = parent};
    if (y->count) {
        struct yaml_node *above = &node[parent];
        if (above->last)
            node[above->last].next = y->count;
        else
            above->first = y->count;
        above->last = y->count;
    }
    return y->count++;
}

/* ---- scalars ---- */

/* The end of a scalar in quotes, behind them; NULL: they are not closed. */
static char *yaml_quoted_end(char *text)
{
    char *end = strchr(text + 1, *text);
    return end ? end + 1 : NULL;
}

/* Cut a comment off: a # at the beginning or behind a blank, outside quotes. */
static void yaml_cut_comment(char *line)
{
    for (char *c = line; *c; c++) {
        char *end = (*c == '"' || *c == '\'') && (c == line || strchr(" [{,:", c[-1]))
                        ? yaml_quoted_end(c)
                        : NULL;
        if (end)
            c = end - 1;
        else if (*c == '#' && (c == line || c[-1] == ' ' || c[-1] == '\t'))
            *c = '\0';
        if (!*c)
            return;
    }
}

/* A copy of a scalar without its quotes and the blanks around it; NULL with the error. */
static char *yaml_scalar(struct yaml_reader *r, const char *text, size_t length)
{
    while (length && strchr(" \t", text[length - 1]))
        length--;
    if (length && strchr("&*!|>%@`", *text)) {
        lines_fail(r->lines, "YAML that is not understood here");
        return NULL;
    }
    if (length && (*text == '"' || *text == '\'')) {
        if (length < 2 || text[length - 1] != *text || memchr(text, '\\', length)) {
            lines_fail(r->lines, "quotes that are not understood here");
            return NULL;
        }
        text++;
        length -= 2;
    }
    char *copy = strndup(text, length);
    if (!copy)
        lines_no_memory(r->lines);
    return copy;
}

/* Returns the colon behind a key; NULL: this is no pair. */
static char *yaml_colon(char *text)
{
    char *from = *text == '"' || *text == '\'' ? yaml_quoted_end(text) : text;
    for (char *c = from ? strchr(from, ':') : NULL; c; c = strchr(c + 1, ':'))
        if (!c[1] || c[1] == ' ' || c[1] == '\t')
            return c;
    return NULL;
}

/* ---- flow collections ---- */

/* One part of a collection: a scalar or "key: scalar", up to `end`. */
static int yaml_read_part(struct yaml_reader *r, int32_t parent, char *text, char *end,
                          int is_mapping)
{
    char *colon = NULL;
    text += strspn(text, " \t");
    *end = '\0';
    if (is_mapping && !(colon = yaml_colon(text)))
        return lines_fail(r->lines, "'key: value' is expected between { and }");
    int32_t node = yaml_add(r, parent, INT_MAX);
    if (node < 0)
        return -1;
    if (colon) {
        if (!(r->yaml->node[node].key = yaml_scalar(r, text, (size_t)(colon - text))))
            return -1;
        text = colon + 1 + strspn(colon + 1, " \t");
    }
    r->yaml->node[node].value = yaml_scalar(r, text, strlen(text));
    return r->yaml->node[node].value ? 0 : -1;
}

static int yaml_read_flow(struct yaml_reader *r, int32_t parent, char *text)
{
    int is_mapping = *text == '{';
    char *close = strrchr(text, is_mapping ? '}' : ']');
    if (!close || !lines_at_end(close + 1) || strpbrk(text + 1, "[{"))
        return lines_fail(r->lines, "a collection that is not closed, or nested");
    *close = '\0';
    for (char *at = text + 1; !lines_at_end(at);) {
        char *end = at + strcspn(at, ",");
        int more = *end == ',';
        if (yaml_read_part(r, parent, at, end, is_mapping))
            return -1;
        at = end + more;
    }
    return 0;
}

/* ---- blocks ---- */

/* The value behind a key or a dash. */
static int yaml_read_value(struct yaml_reader *r, int32_t node, char *text)
{
    text += strspn(text, " \t");
    if (!*text)
        return 0;
    if (*text == '{' || *text == '[')
        return yaml_read_flow(r, node, text);
    r->yaml->node[node].value = yaml_scalar(r, text, strlen(text));
    return r->yaml->node[node].value ? 0 : -1;
}

/* The node to which something at `indent` belongs. */
static int32_t yaml_parent(const struct yaml_reader *r, int indent, int is_item)
{
    const struct yaml_node *node = r->yaml->node;
    int32_t at = r->open;
    while (at > 0 &&
           !(node[at].indent < indent || (node[at].indent == indent && is_item && node[at].key)))
        at = node[at].parent;
    return at;
}

/* Checks that a node may have this kind of node, at this column, below it. 0, or -1 with the
 * error. */
static int yaml_check_parent(struct yaml_reader *r, int32_t parent, int indent, int is_item)
{
    const struct yaml_node *above = &r->yaml->node[parent], *first = &r->yaml->node[above->first];
    int fits = !above->first || (first->indent == indent && (first->key == NULL) == is_item);
    return above->value || !fits ? lines_fail(r->lines, "this does not fit the lines before") : 0;
}

static int yaml_read_block(struct yaml_reader *r, char *line)
{
    int indent = (int)strspn(line, " ");
    char *text = line + indent;
    if (*text == '\t')
        return lines_fail(r->lines, "YAML is not indented with tabs");
    while (*text) {
        int is_item = *text == '-' && (!text[1] || text[1] == ' ');
        char *colon = is_item || strchr("{[", *text) ? NULL : yaml_colon(text);
        int32_t parent = yaml_parent(r, indent, is_item);
        if (!is_item && !colon) /* "- scalar" */
            return r->yaml->node[r->open].key || r->yaml->node[r->open].line != r->lines->number
                       ? lines_fail(r->lines, "'key: value' or '- item' is expected")
                       : yaml_read_value(r, r->open, text);
        if (yaml_check_parent(r, parent, indent, is_item) ||
            (r->open = yaml_add(r, parent, indent)) < 0)
            return -1;
        if (colon) {
            r->yaml->node[r->open].key = yaml_scalar(r, text, (size_t)(colon - text));
            return r->yaml->node[r->open].key ? yaml_read_value(r, r->open, colon + 1) : -1;
        }
        int step = 1 + (int)strspn(text + 1, " ");
        indent += step;
        text += step;
    }
    return 0;
}

int yaml_read(struct yaml *yaml, struct lines *lines)
{
    struct yaml_reader r = {.yaml = yaml, .lines = lines};
    int more;
    *yaml = (struct yaml){0};
    if (yaml_add(&r, 0, -1) < 0)
        return -1;
    while ((more = lines_next(lines)) > 0) {
        yaml_cut_comment(lines->line);
        if (lines_at_end(lines->line) || (yaml->count == 1 && strncmp(lines->line, "---", 3) == 0 &&
                                          lines_at_end(lines->line + 3)))
            continue;
        lines->line[strcspn(lines->line, "\r")] = '\0';
        if (yaml_read_block(&r, lines->line))
            return -1;
    }
    return more;
}

/* ---- queries ---- */

int32_t yaml_find(const struct yaml *yaml, int32_t node, const char *key)
{
    int32_t at = yaml->node[node].first;
    while (at && !(yaml->node[at].key && strcmp(yaml->node[at].key, key) == 0))
        at = yaml->node[at].next;
    return at;
}

const char *yaml_value(const struct yaml *yaml, int32_t node, const char *key)
{
    int32_t at = yaml_find(yaml, node, key);
    return at ? yaml->node[at].value : NULL;
}
