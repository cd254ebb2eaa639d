/* SPDX-License-Identifier: BSD-3-Clause */
/* job-options.c - see job-options.h. */
#include "cmd/job/job-options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/origin.h"
#include "profile/settings.h"
#include "cmd/shell/shell-word.h"

static void job_options_count(void *number, const char *line)
{
    (void)line;
    ++*(int *)number;
}

/* Returns the setting whose variable is named like the option: --min-gain, RESEAT_MIN_GAIN. */
static const struct reseat_setting_row *job_options_setting_of(const char *option)
{
    char name[64];
    int row = 0;
    snprintf(name, sizeof name, "RESEAT_%s", option);
    for (char *at = name; *at; at++)
        *at = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
    while (strcmp(reseat_setting(row)->name, name) != 0)
        row++;
    return reseat_setting(row);
}

/* Set a variable for the ranks if the value of its option is valid. 0, or a usage status. */
static int job_options_set(void *context, const char *name, const char *value)
{
    struct variables *v = context;
    char variable[256], values[RESEAT_VALUES_SIZE];
    char timings[] = "RESEAT_TIMINGS=-"; /* without any, the metric cannot be time */
    char *environment[] = {timings, variable, NULL};
    struct reseat_settings settings;
    int bad = 0;
    if (strcmp(name, "no-arguments") == 0) {
        variables_add_setting(v, "RESEAT_ARGUMENTS", "no");
        return 0;
    }
    const struct reseat_setting_row *row = job_options_setting_of(name);
    value = value ? value : "yes";
    snprintf(variable, sizeof variable, "%s=%s", row->name, value);
    reseat_settings_read(&settings, environment, job_options_count, &bad);
    variables_add_setting(v, row->name, value);
    return bad ? options_refuse(name, reseat_setting_values(row, values), value) : 0;
}

int job_options_parse(struct job_options *options, struct variables *v, int argc, char **argv,
                      const char *order)
{
    int placement = 0;
    const struct option_target targets[] = {{"output", &options->output, NULL},
                                            {"mpi", &options->mpi, NULL},
                                            {"runs", &options->runs, NULL},
                                            {"html", &options->html, NULL},
                                            {"json", &options->json, NULL},
                                            {"placement", &placement, NULL},
                                            {"layout", &options->layout, NULL},
                                            {"replay", &options->replays, NULL},
                                            {"output-differs", &options->output_differs, NULL},
                                            {NULL, NULL, NULL}};
    const struct options all = {order, targets, job_options_set, v, options->given};
    int status = options_parse(&all, argc, argv);
    if (placement) {
        options->by_library = placement == 1;
        options->at_launch = placement == 2;
    }
    return status;
}

void job_options_add_environment(struct variables *v)
{
    const struct reseat_setting_row *row;
    for (int i = 0; (row = reseat_setting(i)); i++) {
        const char *value = getenv(row->name);
        if (variables_find(v, row->name) == v->count && value && v->count < MOST_VARIABLES)
            variables_add_setting(v, row->name, value);
    }
}

const char *job_options_setting(const struct variables *v, const char *name)
{
    const int i = variables_find(v, name);
    return i < v->count ? v->value[i] : getenv(name) ? getenv(name) : "";
}

void job_options_add_command(struct variables *v, char *const *command)
{
    char packed[ORIGIN_SIZE], *line = NULL;
    size_t size = 0;
    FILE *memory = strcmp(job_options_setting(v, "RESEAT_ARGUMENTS"), "no") == 0
                       ? NULL
                       : open_memstream(&line, &size);
    if (!memory)
        return;
    shell_words_print(memory, "", command);
    if (fclose(memory) == 0 && origin_pack_command(packed, line) == 0)
        variables_add(v, "RESEAT_COMMAND", packed);
    free(line);
}

int job_options_by_graph(struct variables *v)
{
    if (strcmp(job_options_setting(v, "RESEAT_SCOPE"), "graph") != 0 ||
        strcmp(job_options_setting(v, "RESEAT_PATTERN"), "profile") == 0)
        return 0;
    variables_add(v, "RESEAT_PATTERN", "graph");
    return 1;
}
