/* SPDX-License-Identifier: BSD-3-Clause */
/* map.h - `reseat map`: what is requested and what is found (map.c), and the file for a launcher
 * (map-launcher.c). */
#ifndef RESEAT_MAP_H
#define RESEAT_MAP_H

#include <stdio.h>

#include "cmd/emit.h"
#include "format/machine.h"
#include "cmd/timed.h"
#include "predict/prediction.h"

struct map_request {
    const char *profile, *matrix, *tree, *topology, *costs, *output, *format, *hosts;
    const char *seed, *threads, *seconds, *phase;
    const struct launcher_format *emit; /* the format; NULL: not requested */
    enum reseat_metric metric;
    enum reseat_objective objective;
    int metric_is_given;
    int by_time; /* the objective */
    struct tmap_options options;
    int tsv;
};

struct map_result {
    struct prediction prediction; /* launch order: on a profile's seats, or else rank r on slot r */
    int has_seats;                /* the slots are those of a profile */
    double seconds;
    struct reseat_profile *traffic;
    struct timed timed;
    struct emit_seat *seats; /* by slot; its host names belong to host_names, machine or profile */
    char *host_names;
    struct reseat_machine *machine; /* with hosts, without tree; NULL: the machine names no hosts */
};

/* Fill x->seats for the tree of the prediction, by --hosts, the machine or the profile. 0, or an exit status
 * after an error message. */
int map_find_seats(const struct map_request *r, struct map_result *x);

/* Write the mapping to `file` in the format of --emit; the caller checks `file` for write errors.
 * 0, or an exit status after an error message. */
int map_write_launcher_file(FILE *file, const struct map_request *r, const struct map_result *x);

/* Print how to start the launcher with that file; on standard error if the file went to standard
 * output. 0, or an exit status after an error message. */
int map_say_use(const struct map_request *r, const struct map_result *x);

#endif
