/* SPDX-License-Identifier: BSD-3-Clause */
/* template.c - see template.h. */
#include "page/template.h"

#include <string.h>

enum { TEMPLATE_NAME = 64 };

/* The part of the name that ends before `end`; NULL: there is none. */
static const struct template_part *template_find(const struct template_part *part, size_t parts,
                                                 const char *name, const char *end)
{
    size_t length = (size_t)(end - name);
    for (size_t i = 0; i < parts; i++)
        if (strlen(part[i].name) == length && memcmp(part[i].name, name, length) == 0)
            return &part[i];
    return NULL;
}

/* Behind the end of the conditional part that begins before `at`; NULL: it has none. */
static const char *template_skip(const char *at, const char *name)
{
    char end[TEMPLATE_NAME + 8];
    snprintf(end, sizeof end, "{{/%s}}", name);
    const char *found = strstr(at, end);
    return found ? found + strlen(end) : NULL;
}

int template_write(FILE *file, const char *source, const struct template_part *part, size_t parts,
                   const void *context)
{
    for (const char *open; (open = strstr(source, "{{"));) {
        const char *name = open + 2 + (open[2] == '#' || open[2] == '/');
        const char *close = strstr(name, "}}");
        const struct template_part *found = close ? template_find(part, parts, name, close) : NULL;
        fwrite(source, 1, (size_t)(open - source), file);
        if (!found || strlen(found->name) >= TEMPLATE_NAME ||
            (open[2] == '#' ? !found->holds : open[2] != '/' && !found->write))
            return -1;
        source = close + 2;
        if (open[2] == '#' && !found->holds(context))
            source = template_skip(source, found->name);
        else if (open[2] != '#' && open[2] != '/')
            found->write(file, context);
        if (!source)
            return -1;
    }
    fputs(source, file);
    return 0;
}
