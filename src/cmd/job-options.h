/* SPDX-License-Identifier: BSD-3-Clause */
/* job-options.h - the options of the commands that start jobs, and what of them, and of our
 * environment, the ranks get as settings. */
#ifndef RESEAT_JOB_OPTIONS_H
#define RESEAT_JOB_OPTIONS_H

#include "cmd/variables.h"

/* What verify and run do where an order changes what a job prints. */
enum output_differs { OUTPUT_DIFFERS_FAIL, OUTPUT_DIFFERS_WARN, OUTPUT_DIFFERS_IGNORE };

/* The letters of those that are settings of the ranks. */
#define JOB_OPTIONS_SETTINGS "sSOMpgPv"

struct job_options {
    const char *takes;  /* the letters of those that the command has */
    const char *output; /* --output, --mpi: NULL when they are not there */
    const char *mpi;
    int pairs;     /* of verify */
    int at_launch; /* --placement launch: not by the library */
    enum output_differs output_differs;
};

/* Read them up to what is no option, where optind is then; settings go to `v`. What is not there
 * stays as it is in `options`. `letters` as of getopt. 0, or a usage status after having
 * complained. */
int job_options_parse(struct job_options *options, struct variables *v, int argc, char **argv,
                      const char *letters);

/* Settings that the user has in the environment reach the ranks too. */
void job_options_add_environment(struct variables *v);

/* What the ranks would get as `name`: by an option, else from our environment; "" when not set. */
const char *job_options_setting(const struct variables *v, const char *name);

/* Whether topology calls can be reordered without a profile, by their own edges; then the ranks are
 * told so. */
int job_options_by_graph(struct variables *v);

#endif
