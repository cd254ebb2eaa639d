/* SPDX-License-Identifier: BSD-3-Clause */
/* topology-form.c - see topology-form.h. */
#include "format/topology-form.h"

#include <stdio.h>
#include <string.h>

#include "format/lines.h"
#include "format/netloc.h"

/* The form that a line shows, without its comment. */
static enum topology_form topology_form_of_line(const char *line)
{
    if (reseat_netloc_begins(line))
        return TOPOLOGY_NETLOC;
    return TOPOLOGY_SWITCHES;
}

/* Whether there is text that is not XML, in which a line can be very long. */
static int topology_form_is_text(const char *path)
{
    FILE *file = fopen(path, "re");
    int c = file ? fgetc(file) : EOF;
    while (c > 0 && strchr(" \t\r\n", c))
        c = fgetc(file);
    if (file)
        fclose(file);
    return c != EOF && c != '<';
}

enum topology_form topology_form_of(const char *path)
{
    struct lines lines;
    struct reseat_error unused;
    enum topology_form form = TOPOLOGY_OTHER;
    if (!topology_form_is_text(path) || lines_open(&lines, path, &unused))
        return TOPOLOGY_OTHER;
    lines.open_end = 1;
    while (form == TOPOLOGY_OTHER && lines_next(&lines) > 0) {
        lines.line[strcspn(lines.line, "#")] = '\0';
        if (!lines_at_end(lines.line))
            form = topology_form_of_line(lines.line);
    }
    lines_close(&lines);
    return form == TOPOLOGY_OTHER ? TOPOLOGY_SWITCHES : form;
}
