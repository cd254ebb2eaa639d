/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rates.h - a cluster of equal nodes as servers of messages: how fast its cards, memories and
 * caches are. As a text file, a line `KEY VALUE` for each member below, by its name; # begins a
 * comment. Members without a line are as in table 1 of Zarrinchian, Soryani and Analoui (2012),
 * which is
 *
 *   nodes 16
 *   packages 4                        a node
 *   cores 4                           a package
 *   card_bytes_per_second 1e9         in and out
 *   card_directions 2                 2: in and out at once, 1: one server for both
 *   card_seconds 0                    more for each message
 *   memory_bytes_per_second 4e9       of a package
 *   memory_seconds 0
 *   remote_memory_factor 1.1          times as long from another package
 *   cache_bytes_per_second 8e9        between two cores of a package; not in the paper
 *   cache_longest_bytes 1048576       longer messages go through memory
 *   switch_seconds 100e-9
 */
#ifndef RESEAT_RATES_H
#define RESEAT_RATES_H

#include <stdint.h>

#include "text/error.h"
#include "timings/timings.h"

/* The most nodes, packages of a node and cores of a package together. */
enum { RATES_MOST_CORES = 1 << 20 };

struct reseat_rates {
    int32_t nodes, packages, cores;
    double card_bytes_per_second;
    int32_t card_directions;
    double card_seconds;
    double memory_bytes_per_second;
    double memory_seconds;
    double remote_memory_factor;
    double cache_bytes_per_second;
    double cache_longest_bytes; /* -1: no message */
    double switch_seconds;
};

/* Table 1. */
void reseat_rates_init(struct reseat_rates *rates);

/* 0, or -1 with *error (file, line, reason) and *rates unchanged. */
int reseat_rates_read(struct reseat_rates *rates, const char *path, struct reseat_error *error);

/* 0, or -1 with *error: there are more cores than RATES_MOST_CORES. */
int reseat_rates_check(const struct reseat_rates *rates, struct reseat_error *error);

/* Nodes, packages and cores of a tree: the level named so (without names the first; a tree of what
 * is inside a node is one), what the last but one has in each node, and the last; switches do not
 * count. The cores are its slots, in the same order. 0, or -1 with *error: it is not uniform, or
 * too large. */
int reseat_rates_set_shape(struct reseat_rates *rates, const struct tmap_tree *tree,
                           struct reseat_error *error);

/*
 * The cluster of a file of rates or timings, which its first line tells (NULL: table 1), with the
 * shape of `tree` (NULL: that of the file, and for timings that of table 1). 0, or -1 with *error
 * and *rates unchanged; also if timings lack something of that shape.
 */
int reseat_rates_load(struct reseat_rates *rates, const char *path, const char *tree,
                      struct reseat_error *error);

static inline int32_t reseat_rates_all_cores(const struct reseat_rates *rates)
{
    return rates->nodes * rates->packages * rates->cores;
}

#endif
