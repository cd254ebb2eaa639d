/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor.h - the result of `reseat doctor` (doctor-findings.c), what is installed (installation.c),
 * and what the profile tells (doctor-profile.c). */
#ifndef RESEAT_DOCTOR_H
#define RESEAT_DOCTOR_H

#include "cmd/place/probe.h"
#include "cmd/run/job-run.h"
#include "page/document.h"
#include "text/error.h"

/* The kinds of findings: an obstacle; good; or a remark, for instance on what follows from another
 * finding. */
enum doctor_kind { IN_THE_WAY = 0, WELL = 1, REMARK = 2 };

/* Begin the result, which goes to `json` (NULL: nowhere); if that is "-", nothing is printed.
 * Returns the document, for what stands above the findings (doc/json.md). */
struct document *doctor_begin(const char *json);

/* Print a line. */
void doctor_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Add a finding and print it; `subject` is what it is of, or NULL. */
void doctor_find(enum doctor_kind kind, const char *subject, const char *text);
void doctor_say(enum doctor_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Add the first lines of a launcher's output to the finding before. */
void doctor_show_output(FILE *file);

/* Print how much is in the way, and write the JSON. Returns the number of obstacles, or -1 with
 * *error. */
int doctor_conclude(int is_without_gain, struct reseat_error *error);

/* Print what the profile of the job tells, and what an order for its ranks would gain. Returns 1 if
 * that is too little to reorder for. */
int doctor_look_at_profile(struct probe *probe, const struct job_run *run);

/* installation.c: print and add to the result the version, our libraries, programs and modules with
 * their paths, and the launchers in PATH, each with what is wrong. */
void installation_look_at(struct document *document);

#endif
