/* SPDX-License-Identifier: BSD-3-Clause */
/* topology-form.c - see topology-form.h. */
#include "network/topology-form.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "network/coordinates.h"
#include "network/fabric.h"
#include "text/lines.h"
#include "network/netloc.h"
#include "network/platform.h"

/* Returns 1 if a line of a slurm.conf chooses the plugin. */
static int topology_form_is_torus(const char *line)
{
    static const char key[] = "TopologyPlugin=";
    line += strspn(line, " \t");
    return strncasecmp(line, key, sizeof key - 1) == 0 && strstr(line, "3d_torus");
}

/* Returns 1 if a line sets something that is not in a topology.conf. */
static int topology_form_is_setting(const char *line)
{
    static const char *const keys[] = {"SwitchName=", "BlockName=", "RingName=", "Include"};
    line += strspn(line, " \t");
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (strncasecmp(line, keys[k], strlen(keys[k])) == 0)
            return 0;
    return line[strcspn(line, "= \t")] == '=';
}

/* The form that a line shows which is no comment. */
static enum topology_form topology_form_of_line(const char *line)
{
    if (reseat_netloc_begins(line))
        return TOPOLOGY_NETLOC;
    if (reseat_fabric_begins(line))
        return TOPOLOGY_FABRIC;
    if (strncmp(line, "---", 3) == 0 || strncmp(line, "- ", 2) == 0)
        return TOPOLOGY_SLURM_YAML;
    return reseat_coordinates_begins(line) ? TOPOLOGY_COORDINATES : TOPOLOGY_SWITCHES;
}

/* Of a slurm.conf: go on to the plugin. */
static enum topology_form topology_form_of_settings(struct lines *lines)
{
    do
        if (topology_form_is_torus(lines->line))
            return TOPOLOGY_SLURM_TORUS;
    while (lines_next(lines) > 0);
    return TOPOLOGY_SWITCHES;
}

static int topology_form_is_of_ours(const char *line)
{
    return strncmp(line, "# reseat profile", 16) == 0 || strncmp(line, "# reseat timings", 16) == 0;
}

static enum topology_form topology_form_of_lines(struct lines *lines)
{
    int has_network = 0; /* a comment says which */
    while (lines_next(lines) > 0) {
        if (lines->number == 1 && topology_form_is_of_ours(lines->line))
            return TOPOLOGY_NONE;
        const char *text = lines->line + strspn(lines->line, " \t");
        if (*text == '#')
            has_network |= reseat_coordinates_begins(text);
        if (*text == '#' || !*text)
            continue;
        if (topology_form_is_setting(text) && !reseat_fabric_begins(text))
            return topology_form_of_settings(lines);
        enum topology_form form = topology_form_of_line(text);
        return form == TOPOLOGY_SWITCHES && has_network && !strchr(text, '=') ? TOPOLOGY_COORDINATES
                                                                              : form;
    }
    return TOPOLOGY_SWITCHES;
}

/* Returns 1 if there is text that is not XML, in which a line can be very long. */
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
    if (reseat_platform_is(path))
        return TOPOLOGY_PLATFORM;
    if (!topology_form_is_text(path) || lines_open(&lines, path, &unused))
        return TOPOLOGY_OTHER;
    lines.open_end = 1;
    enum topology_form form = topology_form_of_lines(&lines);
    lines_close(&lines);
    return form;
}
