/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c - the table of settings, and its reader. A value is looked up in a list of words or
 * read as a number, independently of the locale, which the application may have set. */
#include "profile/settings.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "text/number.h"

enum row_number {
    MODE,
    FILE_NAME,
    METRIC,
    OBJECTIVE,
    SCOPE,
    STRATEGY,
    KEEP_LOCAL,
    METHOD,
    PATTERN,
    COLLECTIVES,
    PHASE,
    KIND,
    MIN_GAIN,
    TOPOLOGY,
    TIMINGS,
    MAPPING,
    WAIT,
    PROBE_SECONDS,
    ARGUMENTS,
    TIME,
    STORE,
    VERBOSE
};

static const struct reseat_setting_row table[] = {
    [MODE] = {"RESEAT", "off, profile, reorder, profile+reorder", "off", "what to do"},
    [FILE_NAME] = {"RESEAT_FILE", "a path", RESEAT_FILE_DEFAULT,
                   "the profile: written by profile, read by reorder"},
    [METRIC] = {"RESEAT_METRIC", "size, msg, avg, time", "size",
                "what counts between two ranks: bytes, messages, bytes per message, or seconds by "
                "RESEAT_TIMINGS, which is the default where that is set"},
    [OBJECTIVE] = {"RESEAT_OBJECTIVE", "cost, congestion, time", "cost",
                   "what a better order lowers: the predicted cost; congestion: then the load of "
                   "the busiest link, too; time: the seconds predicted by RESEAT_TIMINGS"},
    [SCOPE] = {"RESEAT_SCOPE", "graph, world, auto", "auto",
               "what is reordered: topology calls, MPI_COMM_WORLD; auto: the latter, unless the "
               "program asks the launcher for its rank"},
    [STRATEGY] = {"RESEAT_STRATEGY", "node, global, twolevel, auto", "auto",
                  "node: each node permutes the roles it holds; global: one process for all; "
                  "twolevel: roles to nodes first, then each node its own"},
    [KEEP_LOCAL] = {"RESEAT_KEEP_LOCAL", "auto, yes, no", "auto",
                    "local ranks stay as they are, so that programs find their GPUs by them: on "
                    "all nodes, on none; auto: on those with accelerators"},
    [METHOD] =
        {"RESEAT_METHOD", NULL, "auto",
         "how a better order is found: by this method of map alone; auto: the best of several, "
         "and of the launch order"},
    [PATTERN] = {"RESEAT_PATTERN", "profile, graph, auto", "auto",
                 "where the pattern comes from: the profile or the edges of the call"},
    [COLLECTIVES] =
        {"RESEAT_COLLECTIVES", "auto, monitoring, model, off", "auto",
         "what collectives send: as Open MPI's monitoring sees it, by a model, not at all"},
    [PHASE] = {"RESEAT_PHASE", "all or 0 to 63", "all",
               "use only what was sent after MPI_Pcontrol(N); 0: outside of all phases"},
    [KIND] = {"RESEAT_KIND", "all, p2p, coll, osc", "all",
              "use only what was sent point to point, by collectives, or one-sided"},
    [MIN_GAIN] = {"RESEAT_MIN_GAIN", "0 to 1", "0.02",
                  "keep the launch order unless the predicted gain is at least this fraction"},
    [TOPOLOGY] = {"RESEAT_TOPOLOGY", "a tree, as \"node:4 core:8\", or a path", "discovered",
                  "replaces what is discovered: world rank r is on leaf r; or a file that says "
                  "below which switches the hosts are"},
    [TIMINGS] = {"RESEAT_TIMINGS", "a path", "none",
                 "how long messages take on this machine; predictions are in seconds then"},
    [MAPPING] = {"RESEAT_MAPPING", "a path", "none",
                 "the order to take for MPI_COMM_WORLD: `role rank' a line, as map writes"},
    [WAIT] = {"RESEAT_WAIT", "1 to 3600", "30",
              "how many seconds ranks wait in MPI_Init for those without the library, where the "
              "launcher cannot tell which they are; then the job is ended"},
    [PROBE_SECONDS] =
        {"RESEAT_PROBE_SECONDS", "1 to 3600", "60",
         "how long the launcher may take when placement at launch or doctor tries it"},
    [ARGUMENTS] = {"RESEAT_ARGUMENTS", "yes, no", "yes",
                   "whether the profile keeps the arguments of the program"},
    [TIME] = {"RESEAT_TIME", "no, sampled, yes", "sampled",
              "how the profile knows how long each rank was in MPI: from some of the calls; yes: "
              "from each call, which takes a little time"},
    [STORE] = {"RESEAT_STORE", "a folder", "~/.local/state/reseat",
               "where auto and history keep what they learn"},
    [VERBOSE] = {"RESEAT_VERBOSE", "0 to 3", "1", "how much is printed on standard error"},
};
enum { ROWS = sizeof table / sizeof table[0] };

const struct reseat_setting_row *reseat_setting(int index)
{
    return index >= 0 && index < ROWS ? &table[index] : NULL;
}

const char *reseat_setting_values(const struct reseat_setting_row *row,
                                  char text[RESEAT_VALUES_SIZE])
{
    const char *name;
    snprintf(text, RESEAT_VALUES_SIZE, "%s", row->values ? row->values : row->standard);
    for (int i = 0; !row->values && tmap_method_describe(i, &name, NULL); i++) {
        size_t length = strlen(text);
        snprintf(text + length, RESEAT_VALUES_SIZE - length, ", %s", name);
    }
    return text;
}

/* The member that a row sets, and how its value is read. */
struct settings_field {
    int (*read)(const struct settings_field *field, const char *value, void *result);
    size_t offset, size;      /* in struct reseat_settings */
    const char *const *words; /* for settings_enum: word i is value i; ends with NULL */
};

/* Index of `value` in a NULL-terminated list; -1: not found. */
static int settings_word(const char *value, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(value, words[i]) == 0)
            return i;
    return -1;
}

/* Read a decimal fraction 0 .. 1. 0, or -1. */
static int settings_fraction(const struct settings_field *field, const char *value, void *result)
{
    (void)field;
    double number = 0, place = 1;
    int digits = 0, point = 0;
    for (; *value; value++) {
        if (*value == '.' && !point++)
            continue;
        if (*value < '0' || *value > '9' || ++digits > 15)
            return -1;
        number = 10 * number + (*value - '0');
        place *= point ? 10 : 1;
    }
    if (!digits || number / place > 1)
        return -1;
    *(double *)result = number / place;
    return 0;
}

/* A method of libtmap, or "auto", which is none. 0, or -1. */
static int settings_method(const struct settings_field *field, const char *value, void *result)
{
    const char *name = "";
    int is_auto = strcmp(value, "auto") == 0, i = 0;
    while (!is_auto && tmap_method_describe(i, &name, NULL) && strcmp(name, value) != 0)
        i++;
    if (!is_auto && !tmap_method_describe(i, NULL, NULL))
        return -1;
    snprintf(result, field->size, "%s", is_auto ? "" : name);
    return 0;
}

/* Read "all" (-1) or a number. 0, or -1. */
static int settings_phase(const struct settings_field *field, const char *value, void *result)
{
    uint64_t number;
    (void)field;
    if (strcmp(value, "all") == 0) {
        *(int *)result = -1;
        return 0;
    }
    if (read_number(&value, RESEAT_PHASES - 1, &number) || *value)
        return -1;
    *(int *)result = (int)number;
    return 0;
}

static int settings_kind(const struct settings_field *field, const char *value, void *result)
{
    (void)field;
    return reseat_traffic_named(value, result);
}

/* Read a number of seconds, at least one. 0, or -1. */
static int settings_seconds(const struct settings_field *field, const char *value, void *result)
{
    uint64_t number;
    (void)field;
    if (read_number(&value, 3600, &number) || *value || number == 0)
        return -1;
    *(int *)result = (int)number;
    return 0;
}

static int settings_path(const struct settings_field *field, const char *value, void *result)
{
    if (!*value || strlen(value) >= field->size)
        return -1;
    strcpy(result, value);
    return 0;
}

/* Enumerations and small integers. */
static int settings_enum(const struct settings_field *field, const char *value, void *result)
{
    int position = settings_word(value, field->words);
    if (position < 0)
        return -1;
    memcpy(result, &position, sizeof position);
    return 0;
}

/* Word i stands for the modes whose bits are in i, but for the last: the third in another order. */
static int settings_mode(const struct settings_field *field, const char *value, void *result)
{
    int position = settings_word(value, field->words);
    if (position < 0)
        return -1;
    *(int *)result = position == 4 ? RESEAT_MODE_PROFILE | RESEAT_MODE_REORDER : position;
    return 0;
}

static_assert(sizeof(enum reseat_scope) == sizeof(int), "settings_enum stores an int");

static const char *const metric_words[] = {"size", "msg", "avg", "time", NULL};
static const char *const objective_words[] = {"cost", "congestion", "time", NULL};
static const char *const strategy_words[] = {"auto", "node", "global", "twolevel", NULL};

const char *reseat_metric_name(enum reseat_metric metric)
{
    return metric_words[metric];
}

const char *reseat_objective_name(enum reseat_objective objective)
{
    return objective_words[objective];
}

const char *reseat_strategy_name(enum reseat_strategy strategy)
{
    return strategy_words[strategy];
}

#define WORDS(...)        \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }
#define AT(field) \
    offsetof(struct reseat_settings, field), sizeof(((struct reseat_settings *)0)->field)
static const struct settings_field fields[ROWS] = {
    [MODE] = {settings_mode, AT(mode),
              WORDS("off", "profile", "reorder", "profile+reorder", "reorder+profile")},
    [FILE_NAME] = {settings_path, AT(file), NULL},
    [METRIC] = {settings_enum, AT(metric), metric_words},
    [OBJECTIVE] = {settings_enum, AT(objective), objective_words},
    [SCOPE] = {settings_enum, AT(scope), WORDS("auto", "graph", "world")},
    [STRATEGY] = {settings_enum, AT(strategy), strategy_words},
    [KEEP_LOCAL] = {settings_enum, AT(keep_local), WORDS("auto", "yes", "no")},
    [METHOD] = {settings_method, AT(method), NULL},
    [PATTERN] = {settings_enum, AT(pattern), WORDS("auto", "profile", "graph")},
    [COLLECTIVES] = {settings_enum, AT(collectives), WORDS("auto", "monitoring", "model", "off")},
    [PHASE] = {settings_phase, AT(phase), NULL},
    [KIND] = {settings_kind, AT(kind), NULL},
    [MIN_GAIN] = {settings_fraction, AT(min_gain), NULL},
    [TOPOLOGY] = {settings_path, AT(topology), NULL},
    [TIMINGS] = {settings_path, AT(timings), NULL},
    [MAPPING] = {settings_path, AT(mapping), NULL},
    [WAIT] = {settings_seconds, AT(wait), NULL},
    [PROBE_SECONDS] = {settings_seconds, AT(probe_seconds), NULL},
    [ARGUMENTS] = {settings_enum, AT(arguments), WORDS("no", "yes")},
    [TIME] = {settings_enum, AT(time), WORDS("no", "sampled", "yes")},
    [STORE] = {settings_path, AT(store), NULL},
    [VERBOSE] = {settings_enum, AT(verbose), WORDS("0", "1", "2", "3")},
};
#undef AT
#undef WORDS

/* Set one row. 0, or -1 if the value is invalid. */
static int settings_set(struct reseat_settings *s, int row, const char *value)
{
    const struct settings_field *field = &fields[row];
    return field->read(field, value, (char *)s + field->offset);
}

static int settings_find_row(const char *name, size_t length)
{
    for (int row = 0; row < ROWS; row++)
        if (strlen(table[row].name) == length && strncmp(table[row].name, name, length) == 0)
            return row;
    return -1;
}

/* Returns 1 for variables that are no settings: what parts of Reseat tell each other. */
static int settings_is_internal(const char *variable)
{
    static const char *const begins[] = {
        "RESEAT_CLUSTER", "RESEAT_LIBRARY_PATH=", "RESEAT_OUTCOME=",
        "RESEAT_MARK=",   "RESEAT_OUTPUT=",       "RESEAT_COMMAND=",
        "RESEAT_JOB=",    "RESEAT_DECISION=",     "RESEAT_WINDOW="};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (strncmp(variable, begins[i], strlen(begins[i])) == 0)
            return 1;
    return 0;
}

/* Apply one NAME=VALUE of the environment; warn if it is invalid. */
static void settings_take(struct reseat_settings *settings, const char *variable,
                          void (*warn)(void *context, const char *line), void *context)
{
    char line[512], values[RESEAT_VALUES_SIZE];
    const char *equals = strchr(variable, '=');
    if (!equals || strncmp(variable, "RESEAT", 6) != 0 ||
        (variable[6] != '_' && variable[6] != '=') || settings_is_internal(variable))
        return;
    int row = settings_find_row(variable, (size_t)(equals - variable));
    if (row < 0)
        snprintf(line, sizeof line, "%.*s is not a setting of this version and has no effect",
                 (int)(equals - variable), variable);
    else if (settings_set(settings, row, equals + 1))
        snprintf(line, sizeof line, "%s=%.100s cannot be read (%s); %s is used", table[row].name,
                 equals + 1, reseat_setting_values(&table[row], values), table[row].standard);
    else {
        settings->metric_is_given |= row == METRIC;
        return;
    }
    warn(context, line);
}

void reseat_settings_read(struct reseat_settings *settings, char *const *environment,
                          void (*warn)(void *context, const char *line), void *context)
{
    memset(settings, 0, sizeof *settings);
    for (int row = 0; row < ROWS; row++)
        if (row != TOPOLOGY && row != TIMINGS && row != MAPPING && row != STORE)
            settings_set(settings, row, table[row].standard);
    for (; environment && *environment; environment++)
        settings_take(settings, *environment, warn, context);
    if (settings->timings[0] && !settings->metric_is_given)
        settings->metric = RESEAT_METRIC_TIME;
    if (settings->metric == RESEAT_METRIC_TIME && !settings->timings[0]) {
        settings->metric = RESEAT_METRIC_SIZE;
        warn(context, "RESEAT_METRIC=time needs RESEAT_TIMINGS; size is used");
    }
    if (settings->objective == RESEAT_OBJECTIVE_TIME && !settings->timings[0]) {
        settings->objective = RESEAT_OBJECTIVE_COST;
        warn(context, "RESEAT_OBJECTIVE=time needs RESEAT_TIMINGS; cost is used");
    }
}
