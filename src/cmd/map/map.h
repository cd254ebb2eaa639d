/* SPDX-License-Identifier: BSD-3-Clause */
/* map.h - `reseat map`: what is requested and what is found (map.c), the traffic and the machine
 * (map-target.c), methods by name (map-method.c), several jobs and the methods for jobs
 * (map-workload.c), numbers of the system (map-physical.c), how treematch groups (map-groups.c), a
 * layout (map-layout.c), all layouts (map-layouts.c), the tiles of a grid (map-tile.c), and the
 * file for a launcher (map-launcher.c). Of these, `compare` uses the machine and the methods. */
#ifndef RESEAT_MAP_H
#define RESEAT_MAP_H

#include <stdio.h>

#include "cmd/place/emit.h"
#include "network/machine.h"
#include "page/document.h"
#include "cmd/shell/time-forecast.h"
#include "simulate/workload.h"
#include "predict/prediction.h"

struct map_request {
    const char *profile, *workload, *tree, *topology, *costs, *timings, *output, *format;
    const char *hosts, *json, *layout, *bind;
    int phase;               /* -1: all */
    int ranks;               /* of a layout; 0: not given */
    int kind, kind_is_given; /* of traffic; without effect if it is not given */
    int seconds;             /* 0: no limit */
    char layout_method[80];  /* "layout ..." in the place of a method */
    int oversubscribe;
    int layouts;                        /* all of them */
    const struct launcher_format *emit; /* the format; NULL: not requested */
    enum reseat_metric metric;
    enum reseat_objective objective;
    enum reseat_keep_local keep_local; /* of the seats of a profile */
    int metric_is_given;
    struct tmap_options options;
    int tsv, verbose;
};

/* The cores, or PUs, and the PUs that a rank on a slot is bound to: "4", "4-7". */
enum { MAP_RANGE_SIZE = 24 };
struct map_binding_text {
    char slots[MAP_RANGE_SIZE], cpus[MAP_RANGE_SIZE];
};

struct map_result {
    struct prediction prediction; /* launch order: on a profile's seats, or else rank r on slot r */
    int has_seats;                /* the slots are those of a profile, or of a job */
    double seconds;
    struct reseat_profile *traffic;   /* of all jobs */
    struct reseat_workload *workload; /* NULL: there is one job, and no method needs it as such */
    struct time_forecast forecast;
    enum reseat_metric metric; /* as requested, but size for time by timings that lack something */
    struct emit_seat *seats; /* by slot; its host names belong to host_names, machine or profile */
    char *host_names;
    struct map_binding_text *binding; /* by slot; NULL: none but the slot itself */
    int by_thread;                    /* what the seats name are PUs, not cores */
    struct reseat_machine *machine; /* with hosts, without tree; NULL: the machine names no hosts */
};

/* Number `index` of all methods: those of libtmap, those for jobs and physical, Scotch's. NULL:
 * there is none. */
const char *map_method_name(int index);

/* Checks that there is that method. 0, or a usage status after an error message with a list of
 * all. */
int map_check_method(const char *method);

/* Read the traffic, and make it that of the prediction. 0, or an exit status after an error
 * message. */
int map_load_traffic(const struct map_request *r, struct map_result *x);

/* Find the machine for x->traffic, and price it by the timings: the requested tree; for a
 * launcher's file without one, or below switches, the seats of the profile. Returns as the
 * other. */
int map_load_target(const struct map_request *r, struct map_result *x);

/* Number `index` of the methods that map has beyond those of libtmap and Scotch; NULL: there is
 * none. Those of reseat simulate, but where both have one of that name, and physical. */
const char *map_job_method(int index);
int map_is_job_method(const char *method);

/* Print on standard error how treematch groups the ranks. Returns as the others. */
int map_show_groups(const struct map_request *r, const struct map_result *x);

/* Read --workload, and its traffic. 0, or an exit status after an error message. */
int map_load_workload(const struct map_request *r, struct map_result *x);

/* Map by such a method to the tree of the prediction. *slot_of is allocated, one for each rank of
 * all jobs. 0, or -1 with *error. */
int map_jobs(const struct map_request *r, struct map_result *x, int32_t **slot_of,
             struct reseat_error *error);

/* By the numbers that the system gives to the slots. Returns as map_jobs, which calls it. */
int map_by_numbers(const struct map_request *r, const struct map_result *x, int32_t **slot_of,
                   struct reseat_error *error);

/* Without traffic: as many ranks as --ranks says, which send nothing. 0, or an exit status
 * after an error message. */
int map_load_ranks(const struct map_request *r, struct map_result *x);

/* The mapping of --layout: *slot_of is allocated. Returns as the others. */
int map_lay_out(const struct map_request *r, struct map_result *x, int32_t **slot_of);

/* Without traffic: make it the result. Returns as the others. */
int map_solve_layout(const struct map_request *r, struct map_result *x);

/* With a prediction that has a better order: fill a document with the regular layouts of its tree,
 * and what of the gain they have. 0, or -1 with *error. */
int map_fill_layouts(struct document *document, const struct map_request *r,
                     const struct map_result *x, struct reseat_error *error);

/* The method that fills node after node with the tiles of a grid (recognize/grid-tile.h). */
extern const char map_tile_method[];

/* Its mapping: *slot_of is allocated. Returns as the others, with trouble where there is no grid,
 * or no tile for the nodes. */
int map_by_tile(const struct map_result *x, int32_t **slot_of);

/* Make x->seats those of --bind, after map_find_seats. Returns as the others. */
int map_bind_seats(const struct map_request *r, struct map_result *x);

/* The level whose objects are the hosts: `node`, else the first. */
int map_host_level(const struct tmap_tree *tree);

/* Fill x->seats for the tree of the prediction, by --hosts, the machine or the profile. 0, or an
 * exit status after an error message. */
int map_find_seats(const struct map_request *r, struct map_result *x);

/* Write the mapping to `file` in the format of --emit; the caller checks `file` for write errors.
 * 0, or -1 with *error. */
int map_write_launcher_file(FILE *file, const struct map_request *r, const struct map_result *x,
                            struct reseat_error *error);

/* Print how to start the launcher with that file; on standard error if the file went to standard
 * output. 0, or an exit status after an error message. */
int map_say_use(const struct map_request *r, const struct map_result *x);

#endif
