/* SPDX-License-Identifier: BSD-3-Clause */
/* profile-summary.h - what `report` says of a profile as it was recorded, whatever the order. What
 * writes a text is for document_written, and is given the struct reseat_profile. */
#ifndef RESEAT_PROFILE_SUMMARY_H
#define RESEAT_PROFILE_SUMMARY_H

#include <stdio.h>

#include "profile/profile.h"

/* Of so many communicators the traffic is listed. */
enum { PROFILE_SUMMARY_DOMAINS = 20 };

struct profile_summary_amount {
    double bytes, msgs;
};

/* The traffic of a kind in a phase (-1: all) of a domain (-1: all). */
void profile_summary_sum(struct profile_summary_amount *sum, const struct reseat_profile *profile,
                         int domain, int kind, int phase);

/* Finds the phases that have traffic. Returns 1 if any but 0 has. */
int profile_summary_phases(const struct reseat_profile *profile, char has[RESEAT_PHASES]);

/* On how many hosts the ranks ran, and how many of them were bound to a core; zeros where the
 * profile has no seats. 0, or -1: out of memory. */
int profile_summary_count_hosts(const struct reseat_profile *profile, int *hosts, int *bound);

/* Number of ranks on a host, if they were more than its processors, which they then mostly wait for
 * in MPI; 0: they were not, or it is not known. */
int profile_summary_crowd(const struct reseat_profile *profile);

/* Writes how much of the job the ranks were in MPI and what an order can gain at most, as one line,
 * if that was measured. */
void profile_summary_write_bound(FILE *file, const void *profile);

/* The name of a kind of calls for a person: "point to point", "MPI_Allreduce". Returns `text`. */
enum { PROFILE_SUMMARY_CALL = 40 };
const char *profile_summary_call_name(const struct reseat_call_time *calls,
                                      char text[PROFILE_SUMMARY_CALL]);

/* Writes the rest of that: the ranks and the kinds of calls in a line, one for each phase, and one
 * if these figures are loose. */
void profile_summary_write_time(FILE *file, const void *profile);

/* Writes which messages are most of them, and which have most of the bytes, as one line, if the
 * profile has their sizes. */
void profile_summary_write_sizes(FILE *file, const void *profile);

/* Warn that the program reads the launch order in its environment, which will not be the order of
 * its ranks. */
void profile_summary_warn_of_variables(FILE *file, const void *profile);

#endif
