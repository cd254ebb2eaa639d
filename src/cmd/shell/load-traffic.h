/* SPDX-License-Identifier: BSD-3-Clause */
/* load-traffic.h - what commands read: a profile, one phase or kind of it, traffic in other forms,
 * jobs. */
#ifndef RESEAT_LOAD_TRAFFIC_H
#define RESEAT_LOAD_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"
#include "simulate/workload.h"

/* Read a profile; `phase` (NULL: all) is the one whose traffic is kept. 0, or an exit status after
 * an error message, with *profile untouched. */
int load_profile(struct reseat_profile **profile, const char *path, const char *phase,
                 const char *command);

/* Keep one kind of the traffic that was read from `path`; -1: all. 0, or an exit status after an
 * error message. */
int keep_kind(struct reseat_profile *profile, const char *path, int kind, const char *command);

/* Read traffic in any form (exchange/exchange.h): `from` names the form; NULL: the file tells, or
 * it is plain. 0, or an exit status after an error message. */
int load_traffic(struct reseat_profile **profile, const char *const *paths, size_t count,
                 const char *from, enum reseat_metric metric, int32_t ranks, const char *command);

/* Read jobs; `output` (or NULL) may be none of the files that these come from. 0, or an exit status
 * after an error message. */
int load_workload(struct reseat_workload **workload, const char *path, const char *output,
                  const char *command);

#endif
