/* SPDX-License-Identifier: BSD-3-Clause */
/* recorded.h - what `report` prints of a profile as it was recorded, whatever the order. */
#ifndef RESEAT_RECORDED_H
#define RESEAT_RECORDED_H

#include "format/profile.h"

/* The traffic by communicator, and by phase if the program has named any. */
void recorded_print_domains(const struct reseat_profile *profile);
void recorded_print_phases(const struct reseat_profile *profile);

/* How long the ranks were in MPI, if that was measured: a line for all, and one for each phase. */
void recorded_print_time(const struct reseat_profile *profile);

/* Where the ranks ran, and the headers. */
void recorded_print_headers(const struct reseat_profile *profile);

/* Warn that the program reads the launch order in its environment, which will not be the order of
 * its ranks. */
void recorded_warn_of_variables(const struct reseat_profile *profile);

#endif
