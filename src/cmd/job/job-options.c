/* SPDX-License-Identifier: BSD-3-Clause */
/* job-options.c - see job-options.h. */
#include "cmd/job/job-options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/shell/options.h"
#include "profile/settings.h"
#include "cmd/shell/complain.h"

static void job_options_count(void *number, const char *line)
{
    (void)line;
    ++*(int *)number;
}

/* Set `name` for the ranks, by the option `letter`, if the value is valid. 0, or a usage status. */
static int job_options_set(struct variables *v, const char *command, int letter, const char *name,
                           const char *value)
{
    char variable[256];
    char timings[] = "RESEAT_TIMINGS=-"; /* without any, the metric cannot be time */
    char *environment[] = {timings, variable, NULL};
    struct reseat_settings settings;
    int bad = 0, row = 0;
    snprintf(variable, sizeof variable, "%s=%s", name, value);
    reseat_settings_read(&settings, environment, job_options_count, &bad);
    variables_add_setting(v, name, value);
    if (!bad)
        return 0;
    while (strcmp(reseat_setting(row)->name, name) != 0)
        row++;
    return cli_fail(EXIT_USAGE, command, "--%s takes %s, not '%s'", options_name(command, letter),
                    reseat_setting(row)->values, value);
}

static int job_options_placement(struct job_options *options, const char *name, const char *text)
{
    options->at_launch = strcmp(text, "launch") == 0;
    options->by_library = strcmp(text, "preload") == 0;
    if (!options->at_launch && !options->by_library)
        return cli_fail(EXIT_USAGE, name, "--placement takes launch or preload, not '%s'", text);
    return 0;
}

static int job_options_differs(struct job_options *options, const char *name, const char *text)
{
    static const char *const words[] = {"fail", "warn", "ignore"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            options->output_differs = (enum output_differs)i;
            return 0;
        }
    return cli_fail(EXIT_USAGE, name, "--output-differs takes fail, warn or ignore, not '%s'",
                    text);
}

static int job_options_pairs(int *pairs, const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || *end || number < 2 || number > 100)
        return -1;
    *pairs = (int)number;
    return 0;
}

int job_options_parse(struct job_options *options, struct variables *v, int argc, char **argv,
                      const char *order)
{
    static const struct {
        int letter;
        const char *name;
    } settings[] = {{'s', "RESEAT_STRATEGY"}, {'S', "RESEAT_SCOPE"},   {'O', "RESEAT_MAPPING"},
                    {'M', "RESEAT_METRIC"},   {'p', "RESEAT_PATTERN"}, {'g', "RESEAT_MIN_GAIN"},
                    {'P', "RESEAT_PHASE"},    {'v', "RESEAT_VERBOSE"}, {'j', "RESEAT_OBJECTIVE"},
                    {'T', "RESEAT_TIMINGS"},  {'k', "RESEAT_KIND"},    {'H', "RESEAT_METHOD"}};
    int letter;
    while ((letter = options_next(argc, argv, order)) >= 0) {
        if (letter == '?' || letter == ':')
            return cli_reject_option(argv[0], letter, argv);
        if (letter == 'o')
            options->output = optarg;
        if (letter == 'm')
            options->mpi = optarg;
        if (letter == 'n' && job_options_pairs(&options->pairs, optarg))
            return cli_fail(EXIT_USAGE, argv[0], "--pairs takes 2 to 100, not '%s'", optarg);
        options->replays |= letter == 'r';
        if (letter == 'l')
            options->layout = optarg;
        if (letter == 'h')
            options->html = optarg;
        if (letter == 'J')
            options->json = optarg;
        if (letter == 'A')
            variables_add_setting(v, "RESEAT_ARGUMENTS", "no");
        if (letter == 't')
            variables_add_setting(v, "RESEAT_TIME", "yes");
        if ((letter == 'L' && job_options_placement(options, argv[0], optarg)) ||
            (letter == 'D' && job_options_differs(options, argv[0], optarg)))
            return EXIT_USAGE;
        for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
            if (settings[i].letter == letter &&
                job_options_set(v, argv[0], letter, settings[i].name, optarg))
                return EXIT_USAGE;
    }
    return 0;
}

void job_options_add_environment(struct variables *v)
{
    const struct reseat_setting_row *row;
    for (int i = 0; (row = reseat_setting(i)); i++) {
        const char *value = getenv(row->name);
        if (!variables_have(v, row->name) && value && v->count < MOST_VARIABLES)
            variables_add_setting(v, row->name, value);
    }
}

const char *job_options_setting(const struct variables *v, const char *name)
{
    for (int i = 0; i < v->count; i++)
        if (strcmp(v->name[i], name) == 0)
            return v->value[i];
    return getenv(name) ? getenv(name) : "";
}

int job_options_by_graph(struct variables *v)
{
    if (strcmp(job_options_setting(v, "RESEAT_SCOPE"), "graph") != 0 ||
        strcmp(job_options_setting(v, "RESEAT_PATTERN"), "profile") == 0)
        return 0;
    variables_add(v, "RESEAT_PATTERN", "graph");
    return 1;
}
