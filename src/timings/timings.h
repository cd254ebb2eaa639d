/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timings.h - how long messages take on a machine, as it was measured or as somebody states it. A
 * text file, blanks between the words:
 *
 *     # reseat timings 1
 *     # figures: 8
 *     # date: 2026-11-22 16:40:00 UTC
 *     level machine bytes 8 seconds 4.1e-05 times 200 spread 0.03
 *     level machine bytes 1048576 seconds 0.0091 times 20 spread 0.01
 *     level node bytes 8 seconds 4e-07
 *     level node bytes 1048576 seconds 0.0002
 *     hop machine seconds 1.2e-06
 *     exchange machine among all ranks 16 bytes 8 messages 1 seconds 6.2e-05
 *     card out ranks 4 bytes_per_second 1.17e+08
 *     card out near package ranks 2 bytes_per_second 6e+08
 *     memory pairs 2 bytes_per_second 8e+09
 *
 *   level KIND   one message, one way, between two ranks that share no object smaller than one of
 *                this kind: the names of tmap_level_default_cost. "machine" is all nodes; "switch"
 *                the innermost switch, "switch2" the next one, and so on. A level has two sizes or
 *                more.
 *   hop KIND     each hop beyond the first, where the children of that level are a network
 *   exchange KIND  so many ranks, in pairs that are apart like those of the level, send so many
 *                messages each way at once, and wait for them: what that takes when one pair does
 *                it (pair), all ranks of a node with their partners (node), or as many as can
 *                (all; of `reseat measure' up to 2,048)
 *   card         what the network card of a node does, sending (out), receiving (in), or both at
 *                once (both: the sum of the two), for so many ranks of the node together; all of
 *                its cards if it has several
 *   card WAY near KIND   each object of this kind in a node has a card of its own, which does that
 *                for so many ranks in the object together. All these lines have the same kind
 *   memory       what so many pairs of ranks in a package get together
 *   times, spread  how often it was measured, and by which fraction of itself the middle half of
 *                the results varies. Both may be left out, in this order at the end of a line.
 *
 * Lines `# key: value` are kept, other comments (#) and blank lines are ignored. `figures` is the
 * number of lines that are none of these: a file that has lost some is refused. It is always
 * written; a file that somebody has typed need not have it. No result depends on the order of the
 * lines. No I/O but that of read and write; read may be used inside other people's programs.
 */
#ifndef RESEAT_TIMINGS_H
#define RESEAT_TIMINGS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "text/error.h"
#include "treematch/tmap.h"

/* Limits: of all records, and of the numbers in them. */
enum { TIMINGS_MOST = 65536 };
#define TIMINGS_MOST_BYTES ((uint64_t)1 << 50)
#define TIMINGS_LEAST 1e-13
#define TIMINGS_GREATEST 1e18
#define TIMINGS_MOST_SPREAD 1e6

/* times 0, spread 0: not known. */
struct timings_sample {
    int32_t times;
    double spread;
};

struct timings_point {
    uint64_t bytes;
    double seconds;
    struct timings_sample sample;
};

/* Who exchanges at the same time. */
enum timings_scope { TIMINGS_PAIR, TIMINGS_NODE, TIMINGS_ALL, TIMINGS_SCOPES };

struct timings_exchange {
    enum timings_scope scope;
    int32_t ranks;    /* the same for a scope of a level */
    uint64_t bytes;   /* of a message */
    int32_t messages; /* each way, at once */
    double seconds;
    struct timings_sample sample;
};

struct timings_level {
    char kind[TMAP_NAME_SIZE];
    size_t points;
    struct timings_point *point; /* by ascending size, no size twice */
    double hop_seconds;          /* 0: not known */
    struct timings_sample hop;
    size_t exchanges;
    struct timings_exchange *exchange; /* by scope, bytes, messages */
};

enum timings_resource {
    TIMINGS_CARD_OUT,
    TIMINGS_CARD_IN,
    TIMINGS_CARD_BOTH,
    TIMINGS_NEAR_OUT, /* of one of several cards */
    TIMINGS_NEAR_IN,
    TIMINGS_NEAR_BOTH,
    TIMINGS_MEMORY,
    TIMINGS_RESOURCES
};

struct timings_rate {
    int32_t users; /* ranks, or pairs of ranks */
    double bytes_per_second;
    struct timings_sample sample;
};

struct timings_header {
    char *key, *value;
};

struct reseat_timings {
    size_t headers;
    struct timings_header *header;
    size_t levels;
    struct timings_level *level; /* outermost first */
    char near[TMAP_NAME_SIZE];   /* the kind of object that has a card; empty: the node */
    size_t rates[TIMINGS_RESOURCES];
    struct timings_rate *rate[TIMINGS_RESOURCES]; /* by ascending number of users, none twice */
};

/* ---- making ---- */

/* Without anything. 0, or -1 with *error. */
int reseat_timings_create(struct reseat_timings **timings, struct reseat_error *error);
void reseat_timings_destroy(struct reseat_timings *timings);

/* Each adds one figure; 0, or -1 with *error and nothing changed (but an empty level may be new):
 * an unknown kind, a number beyond the limits, something that is there already, out of memory. A
 * header may be there several times. */
int reseat_timings_add_header(struct reseat_timings *timings, const char *key, const char *value,
                              struct reseat_error *error);
int reseat_timings_add_point(struct reseat_timings *timings, const char *kind,
                             const struct timings_point *point, struct reseat_error *error);
int reseat_timings_add_hop(struct reseat_timings *timings, const char *kind, double seconds,
                           const struct timings_sample *sample, struct reseat_error *error);
int reseat_timings_add_exchange(struct reseat_timings *timings, const char *kind,
                                const struct timings_exchange *exchange,
                                struct reseat_error *error);
/* Says which kind of object in a node has a card: before the first rate of such a card. */
int reseat_timings_add_near(struct reseat_timings *timings, const char *kind,
                            struct reseat_error *error);
int reseat_timings_add_rate(struct reseat_timings *timings, enum timings_resource resource,
                            const struct timings_rate *rate, struct reseat_error *error);

/* Checks that there is a level, and two sizes or more of each. 0, or -1 with *error. */
int reseat_timings_check(const struct reseat_timings *timings, struct reseat_error *error);

/* ---- files ---- */

/* 0, or -1 with *error, which names file and line. What was read has passed the check above. */
int reseat_timings_read(struct reseat_timings **timings, const char *path,
                        struct reseat_error *error);

/* Nine digits of each number. The caller checks `file` for errors. */
void reseat_timings_write(FILE *file, const struct reseat_timings *timings);

/* Returns 1 if this can be the first line of such a file. */
int reseat_timings_begins(const char *line);

/* ---- using; of timings that have passed the check ---- */

/* The value of a header; NULL: there is none. */
const char *reseat_timings_header(const struct reseat_timings *timings, const char *key);

/* The level of a kind; where that was not measured, the nearest one that was: the one whose default
 * distance differs by the smallest factor, the outer one of two. Never NULL; a name that is no kind
 * is taken for "node". */
const struct timings_level *reseat_timings_level(const struct reseat_timings *timings,
                                                 const char *kind);

/*
 * Returns what the timings lack for a machine on whose nodes so many ranks can be: "timings between
 * nodes", "timings inside nodes", "figures of network cards", which several ranks of a node share;
 * NULL: nothing is missing. Without them all places would be equally near, or a card would carry no
 * more than one pair of ranks, which allows no verdict.
 */
const char *reseat_timings_lack(const struct reseat_timings *timings, int32_t nodes, int64_t ranks);
/* The same of a tree, all of whose slots count. */
const char *reseat_timings_lack_on(const struct reseat_timings *timings,
                                   const struct tmap_tree *tree);

/* The outermost level of a tree at which paths part and that takes the timings of another such
 * level, for want of its own: what an order gains between the two is not known. -1: there is
 * none. */
int reseat_timings_borrow_on(const struct reseat_timings *timings, const struct tmap_tree *tree);

/* Returns 1 if paths that part at a level of this kind lead to different nodes. */
int reseat_timings_is_network(const char *kind);

/* Finds the kind of object that pairs of ranks share whose paths part at a level of a tree. If
 * names do not tell, level 0 is the machine, and all others are inside nodes. At the depth: the
 * kind of the leaves. */
void reseat_timings_kind(const struct tmap_tree *tree, int level, char kind[TMAP_NAME_SIZE]);

/* Seconds of a message of so many bytes, which may be a mean: on a straight line between two
 * points, those of the smallest point below it, and above the largest by the last two. */
double reseat_timings_seconds(const struct timings_level *level, double bytes);

/* The seconds of `messages` messages with so many bytes together, all of the mean size. */
double reseat_timings_sum(const struct timings_level *level, uint64_t messages, uint64_t bytes);

/* The straight line through all points that has the smallest sum of squares of relative errors:
 * seconds of any message, and of each byte. Neither is negative, and one is above 0. */
struct timings_line {
    double latency;
    double seconds_per_byte;
};
struct timings_line reseat_timings_line(const struct timings_level *level);

/* The seconds of an exchange: once, for each message each way, and for each byte of these; by its
 * smallest messages, and its largest. All 0: it was not measured among so many. */
struct timings_effort {
    double wait, message, byte;
    int32_t ranks;
};
struct timings_effort reseat_timings_effort(const struct timings_level *level,
                                            enum timings_scope scope);
const char *reseat_timings_scope_name(enum timings_scope scope);

/*
 * Bytes per second of a resource that so many ranks, or pairs, use: on a straight line between two
 * numbers of users, and the nearest otherwise. What is missing is replaced: a card is as fast in as
 * out, and both at once as fast as one of them; all cards of a node are as fast as one of them, and
 * the other way round; without any figure of a card, or of memory, it is
 * as fast as one pair of ranks on different nodes, or in a package, with the largest message. Above
 * 0.
 */
double reseat_timings_rate(const struct reseat_timings *timings, enum timings_resource resource,
                           double users);

#endif
