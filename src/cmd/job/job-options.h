/* SPDX-License-Identifier: BSD-3-Clause */
/* job-options.h - the options of the commands that start jobs, and which of them, and of our
 * environment, reach the ranks as settings. */
#ifndef RESEAT_JOB_OPTIONS_H
#define RESEAT_JOB_OPTIONS_H

#include "cmd/job/variables.h"
#include "cmd/shell/options.h"

/* The reaction of verify and run if an order changes the output of a job. */
enum output_differs { OUTPUT_DIFFERS_FAIL, OUTPUT_DIFFERS_WARN, OUTPUT_DIFFERS_IGNORE };

struct job_options {
    const char *output; /* --output, --mpi; NULL: not given */
    const char *mpi;
    int runs;                /* of verify, in each order */
    const char *html, *json; /* of verify: files to write; NULL: not given */
    int at_launch;           /* --placement launch: not by the library */
    int by_library;          /* --placement preload, which is the default, was given */
    const char *layout;      /* --layout, of run: at launch; NULL: not given */
    int replays;             /* of verify: a replay of the profile in the place of the program */
    enum output_differs output_differs;
    struct option_uses *given; /* gets all options; NULL: they are not needed later */
};

/* Parse options up to the first word that is none, where optind points then; settings go to `v`.
 * Members of options that are not given stay as they are. `order` as in struct options. 0, or a
 * usage status after an error message. */
int job_options_parse(struct job_options *options, struct variables *v, int argc, char **argv,
                      const char *order);

/* Add the settings that the user has in the environment. */
void job_options_add_environment(struct variables *v);

/* The value of `name` for the ranks: from an option, else from our environment; "": not set. */
const char *job_options_setting(const struct variables *v, const char *name);

/* Tell the ranks how their job was started, for the profile, unless that leaves arguments out. */
void job_options_add_command(struct variables *v, char *const *command);

/* Whether topology calls can be reordered without a profile, by their own edges; if so, tell the
 * ranks by a variable. */
int job_options_by_graph(struct variables *v);

#endif
