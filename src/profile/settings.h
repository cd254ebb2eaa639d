/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - the RESEAT_* variables that a user can set, a row each. The parser and `reseat
 * --help` use the table in settings.c, and a test compares it with the man page.
 */
#ifndef RESEAT_SETTINGS_H
#define RESEAT_SETTINGS_H

#include "text/error.h"
#include "profile/profile.h"

enum reseat_mode { RESEAT_MODE_OFF = 0, RESEAT_MODE_PROFILE = 1, RESEAT_MODE_REORDER = 2 };
enum reseat_scope { RESEAT_SCOPE_AUTO, RESEAT_SCOPE_GRAPH, RESEAT_SCOPE_WORLD };
enum reseat_strategy {
    RESEAT_STRATEGY_AUTO,
    RESEAT_STRATEGY_NODE,
    RESEAT_STRATEGY_GLOBAL,
    RESEAT_STRATEGY_TWOLEVEL
};
enum reseat_pattern { RESEAT_PATTERN_AUTO, RESEAT_PATTERN_PROFILE, RESEAT_PATTERN_GRAPH };

/* The aim of an order: the figure that it lowers. */
enum reseat_objective {
    RESEAT_OBJECTIVE_COST,       /* the predicted cost */
    RESEAT_OBJECTIVE_CONGESTION, /* and then the load of the busiest link */
    RESEAT_OBJECTIVE_TIME        /* the predicted seconds, by the timings of a machine */
};

/* Nodes where local ranks stay, so that programs find their GPUs: auto: those that have any. */
enum reseat_keep_local { RESEAT_KEEP_LOCAL_AUTO, RESEAT_KEEP_LOCAL_YES, RESEAT_KEEP_LOCAL_NO };

enum reseat_collectives {
    RESEAT_COLLECTIVES_AUTO,
    RESEAT_COLLECTIVES_MONITORING,
    RESEAT_COLLECTIVES_MODEL,
    RESEAT_COLLECTIVES_OFF
};

/* The way to measure the time in MPI functions: by a sample of the calls, or by all of them. */
enum reseat_time { RESEAT_TIME_NO, RESEAT_TIME_SAMPLED, RESEAT_TIME_YES };

#define RESEAT_FILE_DEFAULT "reseat.profile"

struct reseat_settings {
    int mode; /* RESEAT_MODE_* or-ed */
    char file[4096];
    enum reseat_metric metric;
    enum reseat_objective objective;
    enum reseat_scope scope;
    enum reseat_strategy strategy;
    enum reseat_keep_local keep_local;
    char method[16]; /* of libtmap; empty: the best of several */
    enum reseat_pattern pattern;
    enum reseat_collectives collectives;
    double min_gain;       /* fraction, 0 .. 1 */
    int phase;             /* use only the traffic of this phase; -1: of all */
    int kind;              /* use only this enum reseat_traffic; -1: all */
    char topology[4096];   /* a tree, or a path; empty: discover it */
    char timings[4096];    /* file with timings of the machine; empty: none */
    int metric_is_given;   /* and not the default */
    char mapping[4096];    /* file with the order for MPI_COMM_WORLD; empty: none */
    int wait;              /* seconds to wait for ranks that may lack the library */
    int probe_seconds;     /* limit for a launcher that is tried, in seconds */
    int arguments;         /* the program's arguments go into the profile */
    enum reseat_time time; /* of each rank in MPI functions, in the profile */
    char store[4096];      /* folder of auto and history; empty: that of the user */
    int verbose;           /* 0 .. 3 */
};

/* The word for a value, as in RESEAT_METRIC, RESEAT_OBJECTIVE and RESEAT_STRATEGY. */
const char *reseat_metric_name(enum reseat_metric metric);
const char *reseat_objective_name(enum reseat_objective objective);
const char *reseat_strategy_name(enum reseat_strategy strategy);

/* One row of the table, for help and manual. */
struct reseat_setting_row {
    const char *name;
    const char *values; /* possible values: "profile, reorder, off"; NULL: reseat_setting_values */
    const char *standard; /* the default, as it would be typed */
    const char *help;
};
/* Row `index`, or NULL after the last. */
const struct reseat_setting_row *reseat_setting(int index);

/* The possible values of a row, those of RESEAT_METHOD by libtmap's table. Returns `text`. */
enum { RESEAT_VALUES_SIZE = 256 };
const char *reseat_setting_values(const struct reseat_setting_row *row,
                                  char text[RESEAT_VALUES_SIZE]);

/*
 * Read the settings from `environment` (like environ). Variables that are not set get their
 * defaults; that of the metric is time if there are timings. Calls `warn` once for each RESEAT_*
 * variable that is unknown or has an invalid value (then its default is used), and for the metric
 * and the objective time without timings. Never fails, never allocates. Ignores RESEAT_CLUSTER* (of
 * scripts/cluster), RESEAT_LIBRARY_PATH (of the command), RESEAT_COMMAND (origin.h),
 * RESEAT_WINDOW (of tests: seconds of the first window of profiler/windows.h), and
 * RESEAT_OUTCOME, RESEAT_MARK, RESEAT_OUTPUT, RESEAT_JOB and RESEAT_DECISION, with which the
 * command asks the library about the job (run-outputs.c, mark.h, auto.c, left-jobs.h, runtime.h).
 */
void reseat_settings_read(struct reseat_settings *settings, char *const *environment,
                          void (*warn)(void *context, const char *line), void *context);

#endif
