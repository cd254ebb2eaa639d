/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange.h - communication matrices in the forms of other programs.
 *
 * Some forms have one number a pair: a metric chooses which (bytes, messages, bytes per message).
 * When they are read, what they lack is taken as one message a pair, or as no bytes. Graphs are
 * undirected: an edge is the traffic both ways together, and when it is read, half of it goes each
 * way.
 */
#ifndef RESEAT_EXCHANGE_H
#define RESEAT_EXCHANGE_H

#include <stdio.h>

#include "profile/profile.h"

enum reseat_format {
    RESEAT_FORMAT_PROFILE, /* everything; written only by reseat_profile_write */
    /* the number of ranks, then a line `source target messages bytes` for each directed pair with
     * traffic */
    RESEAT_FORMAT_PLAIN,
    RESEAT_FORMAT_MARKET, /* Matrix Market, coordinate; math.nist.gov/MatrixMarket/formats.html */
    RESEAT_FORMAT_DENSE,  /* n lines of n numbers, as TreeMatch reads */
    RESEAT_FORMAT_CSV,    /* source,target,msgs,bytes,avg */
    RESEAT_FORMAT_SCOTCH, /* Scotch 6/7 user's guide, "Graph files" */
    RESEAT_FORMAT_METIS,  /* METIS 5 manual, "Graph file" */
    /* the .prof files of Open MPI's pml/monitoring, all ranks; read only */
    RESEAT_FORMAT_MONITORING,
    RESEAT_FORMATS,
    RESEAT_FORMAT_TOLD /* for reading: the file tells, by its first line or else its name */
};

/* The name of a format as users type it ("mtx"); NULL after the last. */
const char *reseat_format_name(int format);
/* The format with this name, or -1. */
int reseat_format_named(const char *name);
/* The format by the suffix of a file's name; -1: not known. */
int reseat_format_of_name(const char *path);

/*
 * Read `count` files (one, except for MONITORING) as one profile. `ranks`: the minimum number of
 * ranks, for forms that do not tell (CSV, MONITORING); else 0. 0, or -1 with *error: file, line and
 * reason.
 */
int reseat_exchange_read(struct reseat_profile **profile, enum reseat_format format,
                         const char *const *paths, size_t count, enum reseat_metric metric,
                         int32_t ranks, struct reseat_error *error);

/* Write the traffic of the whole profile, all kinds and domains together; not as PROFILE or
 * MONITORING. 0, or -1 if out of memory; the caller checks `file` for errors. */
int reseat_exchange_write(const struct reseat_profile *profile, enum reseat_format format,
                          enum reseat_metric metric, FILE *file, struct reseat_error *error);

#endif
