/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - what a user can set: the RESEAT_* variables, one row each. Parser, `reseat --help`,
 * the man page and the test that all three agree come from the table in settings.c.
 */
#ifndef RESEAT_SETTINGS_H
#define RESEAT_SETTINGS_H

#include "format/error.h"
#include "format/profile.h"

enum reseat_mode { RESEAT_MODE_OFF = 0, RESEAT_MODE_PROFILE = 1, RESEAT_MODE_REORDER = 2 };
enum reseat_scope { RESEAT_SCOPE_AUTO, RESEAT_SCOPE_GRAPH, RESEAT_SCOPE_WORLD };
enum reseat_strategy {
    RESEAT_STRATEGY_AUTO,
    RESEAT_STRATEGY_NODE,
    RESEAT_STRATEGY_GLOBAL,
    RESEAT_STRATEGY_TWOLEVEL
};
enum reseat_pattern { RESEAT_PATTERN_AUTO, RESEAT_PATTERN_PROFILE, RESEAT_PATTERN_GRAPH };

enum reseat_collectives {
    RESEAT_COLLECTIVES_AUTO,
    RESEAT_COLLECTIVES_MONITORING,
    RESEAT_COLLECTIVES_MODEL,
    RESEAT_COLLECTIVES_OFF
};

#define RESEAT_FILE_DEFAULT "reseat.profile"

struct reseat_settings {
    int mode; /* RESEAT_MODE_* or-ed */
    char file[4096];
    enum reseat_metric metric;
    enum reseat_scope scope;
    enum reseat_strategy strategy;
    enum reseat_pattern pattern;
    enum reseat_collectives collectives;
    double min_gain;     /* fraction, 0 .. 1 */
    int phase;           /* use the traffic of this phase only; -1: of all */
    char topology[4096]; /* a tree, or a path; empty: what is discovered */
    char mapping[4096];  /* a file with the order to take for MPI_COMM_WORLD; empty: none */
    int wait;            /* seconds for ranks without the library, where they cannot be told */
    int probe_seconds;   /* how long a launcher may take that is tried */
    int arguments;       /* of the program go into the profile */
    int verbose;         /* 0 .. 3 */
};

/* One row of the table, for help and manual. */
struct reseat_setting_row {
    const char *name;
    const char *values;   /* what can be given, in words: "profile, reorder, off" */
    const char *standard; /* the default, as it would be typed */
    const char *help;
};
/* Row `index`, or NULL after the last. */
const struct reseat_setting_row *reseat_setting(int index);

/*
 * Read the settings from `environment` (like environ). A variable that is not set gets its default.
 * Calls `warn` once for each RESEAT_* variable that is unknown or has a value that cannot be read
 * (its default is used then). Never fails, never allocates. RESEAT_CLUSTER* (of scripts/cluster),
 * RESEAT_LIBRARY_PATH (of the command), RESEAT_OUTCOME and RESEAT_MARK (with which the command asks
 * the library what came of the job, verify-output.c and mark.h) are not looked at.
 */
void reseat_settings_read(struct reseat_settings *settings, char *const *environment,
                          void (*warn)(void *context, const char *line), void *context);

#endif
