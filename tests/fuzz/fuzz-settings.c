/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-settings.c - any environment, a variable a line: settings within their bounds, warnings of
 * one line. */
#include <math.h>
#include <string.h>

#include "profile/settings.h"
#include "fuzz/fuzz.h"

enum { MOST_VARIABLES = 64 };

static void warn(void *context, const char *line)
{
    require(line[0] && !strchr(line, '\n'));
    ++*(int *)context;
}

static void check(const struct reseat_settings *s)
{
    require(s->mode >= 0 && s->mode <= (RESEAT_MODE_PROFILE | RESEAT_MODE_REORDER));
    require(memchr(s->file, '\0', sizeof s->file) && s->file[0]);
    require(memchr(s->topology, '\0', sizeof s->topology));
    require(memchr(s->mapping, '\0', sizeof s->mapping));
    require(memchr(s->timings, '\0', sizeof s->timings));
    require(s->metric <= RESEAT_METRIC_TIME && s->scope <= RESEAT_SCOPE_WORLD);
    require(s->metric != RESEAT_METRIC_TIME || s->timings[0]);
    require(s->objective <= RESEAT_OBJECTIVE_TIME);
    require(s->strategy <= RESEAT_STRATEGY_TWOLEVEL && s->pattern <= RESEAT_PATTERN_GRAPH);
    require(s->collectives <= RESEAT_COLLECTIVES_OFF);
    require(isfinite(s->min_gain) && s->min_gain >= 0 && s->min_gain <= 1);
    require((s->arguments | s->time | s->metric_is_given | 1) == 1);
    require(memchr(s->method, '\0', sizeof s->method));
    require(s->kind >= -1 && s->kind < RESEAT_TRAFFIC_KINDS);
    require(s->phase >= -1 && s->wait >= 0 && s->probe_seconds >= 0);
    require(s->verbose >= 0 && s->verbose <= 3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *environment[MOST_VARIABLES + 1], *text = malloc(size + 1);
    struct reseat_settings settings, again;
    int count = 0, warnings = 0, before = 0;
    require(text);
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *line = text; line && count < MOST_VARIABLES;) {
        char *end = strchr(line, '\n');
        environment[count++] = line;
        if (end)
            *end++ = '\0';
        line = end;
    }
    environment[count] = NULL;
    memset(&settings, 0, sizeof settings);
    memset(&again, 0xff, sizeof again);
    reseat_settings_read(&settings, environment, warn, &before);
    reseat_settings_read(&again, environment, warn, &warnings);
    require(before == warnings);
    check(&settings);
    check(&again);
    require(strcmp(settings.file, again.file) == 0 && settings.min_gain == again.min_gain);
    free(text);
    return 0;
}
