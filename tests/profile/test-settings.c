/* SPDX-License-Identifier: BSD-3-Clause */
/* test-settings.c - the variables: defaults, every word of every row, every refusal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "profile/settings.h"

struct heard {
    int count;
    char line[512];
};

static void hear(void *context, const char *line)
{
    struct heard *heard = context;
    heard->count++;
    snprintf(heard->line, sizeof heard->line, "%s", line);
}

static struct reseat_settings read_one(const char *variable, struct heard *heard)
{
    struct reseat_settings settings;
    char text[256];
    snprintf(text, sizeof text, "%s", variable);
    char *environment[] = {text, NULL};
    memset(heard, 0, sizeof *heard);
    reseat_settings_read(&settings, environment, hear, heard);
    return settings;
}

static void defaults(void **state)
{
    (void)state;
    struct heard heard;
    struct reseat_settings s = read_one("HOME=/", &heard);
    assert_int_equal(s.mode, RESEAT_MODE_OFF);
    assert_string_equal(s.file, "reseat.profile");
    assert_int_equal(s.metric, RESEAT_METRIC_SIZE);
    assert_int_equal(s.objective, RESEAT_OBJECTIVE_COST);
    assert_int_equal(s.strategy, RESEAT_STRATEGY_AUTO);
    assert_int_equal(s.keep_local, RESEAT_KEEP_LOCAL_AUTO);
    assert_int_equal(s.pattern, RESEAT_PATTERN_AUTO);
    assert_int_equal(s.phase, -1);
    assert_int_equal(s.kind, -1);
    assert_string_equal(s.method, "");
    assert_true(s.min_gain > 0.0199 && s.min_gain < 0.0201);
    assert_string_equal(s.topology, "");
    assert_string_equal(s.mapping, "");
    assert_int_equal(s.arguments, 1);
    assert_int_equal(s.verbose, 1);
    assert_int_equal(heard.count, 0);
}

static void values_that_are_taken(void **state)
{
    (void)state;
    struct heard heard;
    assert_int_equal(read_one("RESEAT=profile", &heard).mode, RESEAT_MODE_PROFILE);
    assert_int_equal(read_one("RESEAT=reorder", &heard).mode, RESEAT_MODE_REORDER);
    assert_int_equal(read_one("RESEAT=profile+reorder", &heard).mode, 3);
    assert_int_equal(read_one("RESEAT=reorder+profile", &heard).mode, 3);
    assert_int_equal(read_one("RESEAT=off", &heard).mode, 0);
    assert_int_equal(read_one("RESEAT_METRIC=msg", &heard).metric, RESEAT_METRIC_MSG);
    assert_int_equal(read_one("RESEAT_METRIC=avg", &heard).metric, RESEAT_METRIC_AVG);
    assert_int_equal(read_one("RESEAT_OBJECTIVE=congestion", &heard).objective,
                     RESEAT_OBJECTIVE_CONGESTION);
    assert_int_equal(read_one("RESEAT_STRATEGY=node", &heard).strategy, RESEAT_STRATEGY_NODE);
    assert_int_equal(read_one("RESEAT_STRATEGY=global", &heard).strategy, RESEAT_STRATEGY_GLOBAL);
    assert_int_equal(read_one("RESEAT_STRATEGY=twolevel", &heard).strategy,
                     RESEAT_STRATEGY_TWOLEVEL);
    assert_int_equal(read_one("RESEAT_KEEP_LOCAL=yes", &heard).keep_local, RESEAT_KEEP_LOCAL_YES);
    assert_int_equal(read_one("RESEAT_KEEP_LOCAL=no", &heard).keep_local, RESEAT_KEEP_LOCAL_NO);
    assert_int_equal(read_one("RESEAT_PATTERN=graph", &heard).pattern, RESEAT_PATTERN_GRAPH);
    assert_int_equal(read_one("RESEAT_PATTERN=profile", &heard).pattern, RESEAT_PATTERN_PROFILE);
    assert_int_equal(read_one("RESEAT_COLLECTIVES=off", &heard).collectives,
                     RESEAT_COLLECTIVES_OFF);
    assert_int_equal(read_one("RESEAT_COLLECTIVES=model", &heard).collectives,
                     RESEAT_COLLECTIVES_MODEL);
    assert_int_equal(read_one("RESEAT_PHASE=63", &heard).phase, 63);
    assert_int_equal(read_one("RESEAT_PHASE=all", &heard).phase, -1);
    assert_int_equal(read_one("RESEAT_KIND=p2p", &heard).kind, RESEAT_P2P);
    assert_int_equal(read_one("RESEAT_KIND=coll", &heard).kind, RESEAT_COLL);
    assert_int_equal(read_one("RESEAT_KIND=osc", &heard).kind, RESEAT_OSC);
    assert_int_equal(read_one("RESEAT_KIND=all", &heard).kind, -1);
    assert_string_equal(read_one("RESEAT_METHOD=auto", &heard).method, "");
    assert_true(read_one("RESEAT_MIN_GAIN=.5", &heard).min_gain == 0.5);
    assert_true(read_one("RESEAT_MIN_GAIN=1", &heard).min_gain == 1);
    assert_true(read_one("RESEAT_MIN_GAIN=0", &heard).min_gain == 0);
    assert_int_equal(read_one("RESEAT_VERBOSE=3", &heard).verbose, 3);
    assert_int_equal(read_one("RESEAT_PROBE_SECONDS=5", &heard).probe_seconds, 5);
    assert_int_equal(read_one("RESEAT_VERBOSE=3", &heard).probe_seconds, 60);
    assert_string_equal(read_one("RESEAT_STORE=/a/b", &heard).store, "/a/b");
    assert_string_equal(read_one("RESEAT_OUTPUT=/a/b", &heard).store, "");
    assert_int_equal(read_one("RESEAT_TIME=yes", &heard).time, RESEAT_TIME_YES);
    assert_int_equal(read_one("RESEAT_TIME=no", &heard).time, RESEAT_TIME_NO);
    assert_int_equal(read_one("RESEAT_ARGUMENTS=no", &heard).arguments, 0);
    assert_int_equal(read_one("RESEAT_ARGUMENTS=yes", &heard).arguments, 1);
    assert_int_equal(read_one("RESEAT_WAIT=7", &heard).wait, 7);
    assert_int_equal(read_one("RESEAT_VERBOSE=3", &heard).wait, 30);
    assert_string_equal(read_one("RESEAT_FILE=/a b", &heard).file, "/a b");
    assert_string_equal(read_one("RESEAT_TOPOLOGY=node:4 core:2", &heard).topology,
                        "node:4 core:2");
    assert_int_equal(read_one("RESEAT_SCOPE=world", &heard).scope, RESEAT_SCOPE_WORLD);
    assert_string_equal(read_one("RESEAT_MAPPING=m", &heard).mapping, "m");
    read_one("RESEAT_SCOPE=graph", &heard);
    assert_int_equal(heard.count, 0);
    read_one("RESEAT_CLUSTER=x", &heard);
    assert_int_equal(heard.count, 0);
    read_one("RESEAT_LIBRARY_PATH=x", &heard);
    assert_int_equal(heard.count, 0);
    read_one("RESEATED=x", &heard);
    assert_int_equal(heard.count, 0);
}

/* The words of the row are those of libtmap's table, and each is taken. */
static void any_method_of_the_library_is_taken(void **state)
{
    (void)state;
    char words[256] = "auto", values[RESEAT_VALUES_SIZE], variable[64], line[512];
    const char *name;
    struct heard heard;
    int row = 0;
    for (int i = 0; tmap_method_describe(i, &name, NULL); i++) {
        size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, ", %s", name);
        snprintf(variable, sizeof variable, "RESEAT_METHOD=%s", name);
        assert_string_equal(read_one(variable, &heard).method, name);
        assert_int_equal(heard.count, 0);
    }
    while (strcmp(reseat_setting(row)->name, "RESEAT_METHOD") != 0)
        row++;
    assert_string_equal(reseat_setting_values(reseat_setting(row), values), words);
    for (int i = 0; i < 2; i++) {
        const char *refused = i ? "RESEAT_METHOD=scotch" : "RESEAT_METHOD=";
        assert_string_equal(read_one(refused, &heard).method, "");
        snprintf(line, sizeof line, "%s cannot be read (%s); auto is used", refused, words);
        assert_string_equal(heard.line, line);
    }
}

static void time_needs_timings(void **state)
{
    (void)state;
    char timings[] = "RESEAT_TIMINGS=m", size[] = "RESEAT_METRIC=size",
         time[] = "RESEAT_METRIC=time";
    char *both[] = {size, timings, NULL}, *two[] = {time, timings, NULL};
    struct reseat_settings settings;
    struct heard heard = {0};
    settings = read_one(timings, &heard);
    assert_int_equal(settings.metric, RESEAT_METRIC_TIME);
    assert_string_equal(settings.timings, "m");
    reseat_settings_read(&settings, both, hear, &heard);
    assert_int_equal(settings.metric, RESEAT_METRIC_SIZE);
    reseat_settings_read(&settings, two, hear, &heard);
    assert_int_equal(settings.metric, RESEAT_METRIC_TIME);
    assert_int_equal(heard.count, 0);
    char objective[] = "RESEAT_OBJECTIVE=time", *timed[] = {objective, timings, NULL};
    reseat_settings_read(&settings, timed, hear, &heard);
    assert_int_equal(settings.objective, RESEAT_OBJECTIVE_TIME);
    assert_int_equal(heard.count, 0);
    assert_int_equal(read_one(objective, &heard).objective, RESEAT_OBJECTIVE_COST);
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.line, "RESEAT_OBJECTIVE=time needs RESEAT_TIMINGS; cost is used");
    assert_int_equal(read_one(time, &heard).metric, RESEAT_METRIC_SIZE);
    assert_string_equal(heard.line, "RESEAT_METRIC=time needs RESEAT_TIMINGS; size is used");
}

static void values_that_are_refused(void **state)
{
    (void)state;
    static const char *const refused[][2] = {
        {"RESEAT=yes",
         "RESEAT=yes cannot be read (off, profile, reorder, profile+reorder); off is used"},
        {"RESEAT=", "RESEAT= cannot be read (off, profile, reorder, profile+reorder); off is used"},
        {"RESEAT_FILE=", "RESEAT_FILE= cannot be read (a path); reseat.profile is used"},
        {"RESEAT_METRIC=bytes",
         "RESEAT_METRIC=bytes cannot be read (size, msg, avg, time); size is used"},
        {"RESEAT_OBJECTIVE=links",
         "RESEAT_OBJECTIVE=links cannot be read (cost, congestion, time); cost is used"},
        {"RESEAT_SCOPE=all", "RESEAT_SCOPE=all cannot be read (graph, world, auto); auto is used"},
        {"RESEAT_STRATEGY=all",
         "RESEAT_STRATEGY=all cannot be read (node, global, twolevel, auto); auto is used"},
        {"RESEAT_PATTERN=x",
         "RESEAT_PATTERN=x cannot be read (profile, graph, auto); auto is used"},
        {"RESEAT_COLLECTIVES=yes",
         "RESEAT_COLLECTIVES=yes cannot be read (auto, monitoring, model, off); auto is used"},
        {"RESEAT_PHASE=64", "RESEAT_PHASE=64 cannot be read (all or 0 to 63); all is used"},
        {"RESEAT_KIND=one", "RESEAT_KIND=one cannot be read (all, p2p, coll, osc); all is used"},
        {"RESEAT_PHASE=1x", "RESEAT_PHASE=1x cannot be read (all or 0 to 63); all is used"},
        {"RESEAT_MIN_GAIN=0,02", "RESEAT_MIN_GAIN=0,02 cannot be read (0 to 1); 0.02 is used"},
        {"RESEAT_MIN_GAIN=1.1", "RESEAT_MIN_GAIN=1.1 cannot be read (0 to 1); 0.02 is used"},
        {"RESEAT_MIN_GAIN=1.", NULL},
        {"RESEAT_MIN_GAIN=.", "RESEAT_MIN_GAIN=. cannot be read (0 to 1); 0.02 is used"},
        {"RESEAT_MIN_GAIN=-1", "RESEAT_MIN_GAIN=-1 cannot be read (0 to 1); 0.02 is used"},
        {"RESEAT_MIN_GAIN=1e-3", "RESEAT_MIN_GAIN=1e-3 cannot be read (0 to 1); 0.02 is used"},
        {"RESEAT_PROBE_SECONDS=0", "RESEAT_PROBE_SECONDS=0 cannot be read (1 to 3600); 60 is used"},
        {"RESEAT_TIME=1", "RESEAT_TIME=1 cannot be read (no, sampled, yes); sampled is used"},
        {"RESEAT_ARGUMENTS=none", "RESEAT_ARGUMENTS=none cannot be read (yes, no); yes is used"},
        {"RESEAT_WAIT=0", "RESEAT_WAIT=0 cannot be read (1 to 3600); 30 is used"},
        {"RESEAT_VERBOSE=4", "RESEAT_VERBOSE=4 cannot be read (0 to 3); 1 is used"},
        {"RESEAT_METRICS=size",
         "RESEAT_METRICS is not a setting of this version and has no effect"},
        {"RESEAT_=1", "RESEAT_ is not a setting of this version and has no effect"},
    };
    struct heard heard;
    struct reseat_settings standard = read_one("HOME=/", &heard);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct reseat_settings s = read_one(refused[i][0], &heard);
        assert_string_equal(heard.line, refused[i][1] ? refused[i][1] : "");
        if (refused[i][1])
            assert_memory_equal(&s, &standard, sizeof s);
    }
}

static void texts_that_are_too_long(void **state)
{
    (void)state;
    char variable[5000] = "RESEAT_FILE=";
    char *environment[] = {variable, NULL};
    struct reseat_settings settings;
    struct heard heard = {0};
    memset(variable + 12, 'x', sizeof variable - 13);
    reseat_settings_read(&settings, environment, hear, &heard);
    assert_int_equal(heard.count, 1);
    assert_string_equal(settings.file, "reseat.profile");
}

static void every_row_is_complete(void **state)
{
    (void)state;
    int rows = 0;
    char values[RESEAT_VALUES_SIZE];
    const struct reseat_setting_row *row;
    for (; (row = reseat_setting(rows)); rows++) {
        assert_true(strncmp(row->name, "RESEAT", 6) == 0);
        assert_true(reseat_setting_values(row, values)[0] && row->standard[0] && row->help[0]);
    }
    assert_int_equal(rows, 22);
    assert_null(reseat_setting(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(values_that_are_taken),
        cmocka_unit_test(values_that_are_refused),
        cmocka_unit_test(any_method_of_the_library_is_taken),
        cmocka_unit_test(time_needs_timings),
        cmocka_unit_test(texts_that_are_too_long),
        cmocka_unit_test(every_row_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
