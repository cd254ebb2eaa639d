/* SPDX-License-Identifier: BSD-3-Clause */
/* load-traffic.h - what commands read: a profile, traffic in other forms or by the name of a
 * pattern, one phase or kind of it, jobs. */
#ifndef RESEAT_LOAD_TRAFFIC_H
#define RESEAT_LOAD_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include "generate/generate.h"
#include "profile/profile.h"
#include "profile/settings.h"
#include "simulate/workload.h"
#include "text/error.h"

/* The profile of a command line that names none: RESEAT_FILE, or else reseat.profile. */
const char *default_profile(void);

/* The same if that file is there. 0, or -1 with *error and *path untouched. */
int find_default_profile(const char **path, struct reseat_error *error);

/* 0, or -1 with *error, which names `path`: it is more than a matrix can hold. */
int check_sums(const struct reseat_profile *profile, const char *path, struct reseat_error *error);

/* Keep a phase and a kind of its traffic, -1: all, and check its sums; `path` is where it comes
 * from. 0, or -1 with *error. */
int keep_traffic(struct reseat_profile *profile, const char *path, int phase, int kind,
                 struct reseat_error *error);

/* Read a profile; `phase` (-1: all) is the one whose traffic is kept. 0, or -1 with *error and
 * *profile untouched. */
int load_profile(struct reseat_profile **profile, const char *path, int phase,
                 struct reseat_error *error);

/* Read traffic in any form (exchange/exchange.h): `from` names the form; NULL: the file tells, or
 * it is plain, or where there is no such file it is a pattern with its size (generate/generate.h).
 * 0, or -1 with *error. */
int load_traffic(struct reseat_profile **profile, const char *const *paths, size_t count,
                 const char *from, enum reseat_metric metric, int32_t ranks,
                 struct reseat_error *error);

/* What is kept of the traffic that is read. */
struct traffic_part {
    enum reseat_metric metric; /* of forms with one number a pair; those without time have bytes */
    int phase, kind;           /* -1: all */
    uint64_t seed;             /* of a pattern */
};

/* Read a part of such traffic. 0, or -1 with *error and *profile untouched. */
int load_part(struct reseat_profile **profile, const char *path, const struct traffic_part *part,
              struct reseat_error *error);

/* Generate a pattern; `name` is what the user calls it. 0, or -1 with *error. */
int load_pattern(struct reseat_profile **profile, const char *name,
                 const struct generate_pattern *pattern, int32_t ranks, uint64_t seed,
                 struct reseat_error *error);

/* Read jobs; `output` (or NULL) may be none of the files that these come from. 0, or -1 with
 * *error. */
int load_workload(struct reseat_workload **workload, const char *path, const char *output,
                  struct reseat_error *error);

#endif
