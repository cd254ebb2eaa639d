/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job-run.h - a job that a command is going to run, once or many times: what the command line says,
 * what the ranks get, and the places where they are found at launch.
 *
 *   job_run_prepare (doctor: job_run_prepare_doctor)   the command line
 *   job_run_place                     run, verify: with --placement launch
 *   job_run_mark, job_run_is_missing  around runs with the library
 *   job_run_start                     the job, any number of times
 *   job_run_remove_files              after the last run, if there is more to do
 *   job_run_clean_up                  always, unless preparing failed
 */
#ifndef RESEAT_JOB_RUN_H
#define RESEAT_JOB_RUN_H

#include "cmd/job/job-options.h"
#include "cmd/run/mark.h"
#include "profile/settings.h"

struct placement;
struct replay_words;

struct job_run {
    const char *name; /* of the command, for messages */
    struct job_options options;
    struct job job;
    int own_words;                   /* of the command line, before those of the job */
    char **command;                  /* the words of the job; indices in `job` count from here */
    const char *profile;             /* NULL: topology calls are reordered by their own edges */
    struct variables variables;      /* of the ranks */
    struct reseat_settings settings; /* as the ranks get them (job_run_settings) */
    char *texts[MOST_VARIABLES + 1]; /* to which the settings refer */
    struct mark mark;
    struct placement *placed;    /* NULL: not at launch, or not yet */
    struct replay_words *replay; /* what is run instead of the program; NULL: the program */
};

/* Parse the command line of `run` or `verify`. `run` is all zeros except for defaults of its
 * options. 0, or an exit status after an error message. */
int job_run_prepare(struct job_run *run, int argc, char **argv);

/* The same for `doctor`, where the profile is optional, and the job as well: `command` stays NULL
 * then. */
int job_run_prepare_doctor(struct job_run *run, int argc, char **argv);

/* As job_run_prepare without a command line: name, options, profile and command are set. */
int job_run_prepare_command(struct job_run *run);

/* Fill the settings; `warn` as for reseat_settings_read. */
void job_run_settings(struct job_run *run, void (*warn)(void *context, const char *line),
                      void *context);

/* Whether topology calls are to be reordered, and not the world. */
int job_run_is_by_graph(const struct job_run *run);

/* With --placement launch, find the places, by the settings that the ranks would get. 0, or an exit
 * status after an error message. */
int job_run_place(struct job_run *run);

/* 0 if the places that were found are those that the ranks have without us. */
int job_run_moves(const struct job_run *run);

/* For jobs with the library. Before them: print what is certain to keep it out of the program, and
 * have one of the ranks that load it leave a mark. After a job that has succeeded: whether no rank
 * has, with the reason in `why`, of REASON_SIZE. */
void job_run_mark(struct job_run *run);
int job_run_is_missing(const struct job_run *run, char *why);

/* Run the job, in a better order (`with`) or unchanged, and return its exit status, or die of the
 * signal that it died of. `with` changes the environment of this process. */
int job_run_start(struct job_run *run, int with);

/* After the last run: nothing that ends us later leaves a file behind. The places are gone, too. */
void job_run_remove_files(struct job_run *run);

/* Files and memory; the words of a replay are no longer there. */
void job_run_clean_up(struct job_run *run);

#endif
