/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor.h - the lines of `reseat doctor` (doctor-findings.c), and what the profile tells
 * (doctor-profile.c). */
#ifndef RESEAT_DOCTOR_H
#define RESEAT_DOCTOR_H

#include "cmd/place/probe.h"
#include "cmd/run/job-run.h"

/* The kinds of findings: an obstacle; good; or a remark, for instance on what follows from another
 * finding. */
enum { IN_THE_WAY = 0, WELL = 1, REMARK = 2 };

/* Print a finding. */
void doctor_say(int good, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Number of obstacles that have been printed. */
int doctor_troubles(void);

/* Print what the profile of the job tells, and what an order for its ranks would gain. Returns 1 if
 * that is too little to reorder for. */
int doctor_look_at_profile(struct probe *probe, const struct job_run *run);

#endif
