/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile.h - the profile: who talked to whom in one run, as one text file.
 *
 * The file (doc/design/0002-profile-format.md has the grammar):
 *   # reseat profile 1
 *   # key: value                          any number; `ranks` is required
 *   # seconds: S                          optional: how long the job ran
 *   # seat: RANK HOST PKG NUMA L3 L2 CORE PU     optional, for all ranks: where each one ran
 *   # accelerators: HOST N                optional: how many a host had that had some
 *   # mpi_seconds: RANK PHASE IN ALL      optional, for all ranks: how long each one was in MPI
 *   # mpi_sampled: S                      these are from a sample, with this standard error
 *   # mpi_calls: KIND CALLS MEAN MOST     optional: how long a rank was in calls of a kind
 *   # domain ID function=F parent=ID|- size=N first=ROLE ordinal=K members=0-3,7|all
 *   # p2p                                 or `# coll`, `# osc` (one-sided), each also with
 *                                         followed by ` phase=N`: what the next rows are
 *   source<TAB>target<TAB>msgs<TAB>bytes<TAB>avg
 *   # sizes MSGS BYTES, MSGS BYTES ...    after a row: its messages by size (message-sizes.h)
 *   # end ROWS                            last: the number of rows; without it the file is torn
 *
 * Roles of a domain are its ranks, 0 .. size-1. A domain's members are roles of its parent.
 */
#ifndef RESEAT_PROFILE_H
#define RESEAT_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "text/error.h"
#include "text/host-name.h"
#include "treematch/tmap.h"

/* Point to point, collective, one-sided. */
enum reseat_traffic { RESEAT_P2P, RESEAT_COLL, RESEAT_OSC, RESEAT_TRAFFIC_KINDS };

/* Phases are 0 .. RESEAT_PHASES-1; 0 is outside all phases. */
enum { RESEAT_FUNCTION_SIZE = 64, RESEAT_PHASES = 64 };

/* The most ranks of a job: whoever reads a number of ranks allocates memory by it. */
enum { RESEAT_MOST_RANKS = 1 << 24 };

/* The header of a profile that tells the sizes of messages: without it those of a pair are known
 * only in the mean. */
#define RESEAT_SIZES_HEADER "sizes"

/* The header of a profile that has phases which were found where the pattern changes ("found"): the
 * program has announced none. */
#define RESEAT_PHASES_HEADER "phases"

/* The headers with the network cards of the nodes (network/card.h), one for each that differs. */
#define RESEAT_CARD_HEADER "card"

/* Messages and bytes that role `source` sent to role `target`. */
struct reseat_entry {
    int32_t source;
    int32_t target;
    uint64_t msgs;
    uint64_t bytes;
    int32_t phase; /* the last MPI_Pcontrol level, 0: none */
};

/* The name of a kind of traffic in the file ("p2p", "coll", "osc"). */
const char *reseat_traffic_name(enum reseat_traffic kind);

struct reseat_domain {
    char function[RESEAT_FUNCTION_SIZE]; /* MPI_COMM_WORLD or the topology function that made it */
    int32_t parent;                      /* index of the parent domain; -1: this is the world */
    int32_t size;                        /* number of roles */
    int32_t first;                       /* role, in the parent domain, of role 0 */
    int32_t ordinal;  /* how many domains with equal function, parent, size and first came before */
    int32_t *members; /* role of each role in the parent, size entries; NULL: the same numbers */
    /* Ascending by phase, source, target, and class of sizes (message-sizes.h): messages of a pair
     * whose classes differ are entries of their own. */
    struct reseat_entry *entries[RESEAT_TRAFFIC_KINDS];
    size_t count[RESEAT_TRAFFIC_KINDS];
};

/* The location of a rank when the profile was recorded. */
struct reseat_seat {
    char host[RESEAT_HOST_SIZE];
    struct tmap_place place;
};

/* The time that a rank spent in MPI functions in a phase, and the length of the phase there, both
 * in microseconds. */
struct reseat_rank_time {
    int32_t rank;
    int32_t phase;
    uint64_t in_mpi;
    uint64_t all;
};

/* The calls of all ranks of a kind of MPI function, and the time of a rank in them, in the mean and
 * at most, in microseconds. Of several threads of a rank each counts. */
enum { RESEAT_CALL_KIND_SIZE = 32, RESEAT_CALL_KINDS = 64 };
struct reseat_call_time {
    char kind[RESEAT_CALL_KIND_SIZE]; /* p2p, wait, osc, file, other, or a collective: allreduce */
    uint64_t calls;
    uint64_t mean;
    uint64_t most;
};

struct reseat_header {
    char *key;
    char *value;
};

struct reseat_profile {
    int32_t ranks;
    struct reseat_header *headers; /* as written, `ranks` included */
    size_t headers_count;
    struct reseat_seat *seats; /* ranks entries, or NULL if the profile has none */
    int32_t seats_count;
    /* From the end of MPI_Init to the beginning of MPI_Finalize, of the rank for which that took
     * longest; 0: not known. */
    uint64_t microseconds;
    struct reseat_rank_time *times; /* ascending by rank and phase, of all ranks; or NULL */
    size_t times_count;
    /* The times are estimates from a sample of the calls, and this is the largest standard error
     * of the time of a rank in MPI, in microseconds. */
    int is_sampled;
    uint64_t sampling_error;
    struct reseat_call_time *calls; /* of kinds that differ; or NULL */
    size_t calls_count;
    struct reseat_domain *domains; /* domains[0] is the world; parents come before children */
    size_t domains_count;
};

/*
 * Read a profile. Refuses, with file name, line number and reason: what cannot be opened, is empty,
 * is not a profile, has another version, is torn (no `# end` line or a wrong number of rows), names
 * a role outside its domain, has rows out of order or twice, a number out of range. Returns 0, or
 * -1 with *error filled and *profile untouched.
 */
int reseat_profile_read(struct reseat_profile **profile, const char *path,
                        struct reseat_error *error);
/* The same of lines that are open (text/lines.h); the error is theirs. */
struct lines;
int reseat_profile_read_lines(struct reseat_profile **profile, struct lines *lines);
void reseat_profile_destroy(struct reseat_profile *profile);

/* The value of the first header `key`, or NULL. Owned by the profile. */
const char *reseat_profile_header(const struct reseat_profile *profile, const char *key);

/* Returns 1 if its phases were found. */
int reseat_profile_has_found_phases(const struct reseat_profile *profile);

/* Returns the number of accelerators that a host had, by the headers; 0: none, or not known. */
int32_t reseat_profile_accelerators(const struct reseat_profile *profile, const char *host);

/* Index of the domain with this identity, or -1. */
int reseat_profile_find_domain(const struct reseat_profile *profile, const char *function,
                               int32_t parent, int32_t size, int32_t first, int32_t ordinal);

/* The role, in domain `to`, of `role` of domain `from`; -1: `from` is not below `to`. */
int32_t reseat_profile_role_in(const struct reseat_profile *profile, int from, int to,
                               int32_t role);

/* Drop the traffic and the times of all phases but one, and the times by kind of call, which are
 * those of all phases. Returns the number of remaining entries. */
size_t reseat_profile_keep_phase(struct reseat_profile *profile, int32_t phase);

/* The kind of this name, "all" being -1. 0, or -1 if there is none. */
int reseat_traffic_named(const char *name, int *kind);

/* Drop the traffic of all kinds but one; -1: of none. Returns the number of remaining entries. */
size_t reseat_profile_keep_kind(struct reseat_profile *profile, int kind);

/* Time: messages and bytes by the timings of a machine (time-model/time-weights.h); without any, as
 * size. */
enum reseat_metric { RESEAT_METRIC_SIZE, RESEAT_METRIC_MSG, RESEAT_METRIC_AVG, RESEAT_METRIC_TIME };

/* For qsort: by source, then target; phases are ignored. */
int reseat_entry_compare(const void *a, const void *b);
/* The same, but first by phase. */
int reseat_entry_by_phase(const void *a, const void *b);

/* Bytes; messages; bytes / messages, rounded to the nearest, at least 1 if there were bytes. */
uint64_t reseat_entry_weight(const struct reseat_entry *entry, enum reseat_metric metric);

/* Like reseat_profile_weights below, with messages and bytes, and each phase by itself: ascending
 * by phase, source, target. Each kind of traffic and class of sizes is an entry of its own, because
 * few large and many small messages have a mean size that neither has; those of a pair are next to
 * each other. */
int reseat_profile_phases(const struct reseat_profile *profile, int domain, int below,
                          struct reseat_entry **entries, size_t *count, struct reseat_error *error);

/* Like reseat_profile_weights below, with messages and bytes. */
int reseat_profile_pairs(const struct reseat_profile *profile, int domain, int below,
                         struct reseat_entry **entries, size_t *count, struct reseat_error *error);

/*
 * The weights of a domain by a metric: all kinds of traffic and phases together, one entry for each
 * directed pair; of the metric avg one for each pair, from its smaller rank, since the mean of what
 * two ranks exchange is not the sum of two means. The caller frees *entries. With `below`, domains
 * derived from this one are added, with their roles translated to this domain's: the traffic that
 * moves if this domain is reordered and they are not. Returns 0, or -1 if out of memory.
 */
int reseat_profile_weights(const struct reseat_profile *profile, int domain, int below,
                           enum reseat_metric metric, struct tmap_entry **entries, size_t *count,
                           struct reseat_error *error);

/*
 * Writing piece by piece, so that no process has to hold the whole: open; headers, of which some
 * may come later; seats; for each domain its line and then, for each phase and kind of traffic that
 * has rows, a line for these and the rows, all in ascending order; commit. Everything goes to a
 * temporary file next to `path`; commit makes it durable and renames it, so `path` is either
 * unchanged or complete. The first error is kept, later calls do nothing, and commit reports it.
 * Between open and commit or abort the writer owns the temporary file.
 */
struct reseat_writer;
int reseat_writer_open(struct reseat_writer **writer, const char *path, int32_t ranks,
                       struct reseat_error *error);
void reseat_writer_header(struct reseat_writer *writer, const char *key, const char *value);
void reseat_writer_seat(struct reseat_writer *writer, int32_t rank, const struct reseat_seat *seat);
void reseat_writer_accelerators(struct reseat_writer *writer, const char *host, int32_t count);
/* The time that the job ran, as in struct reseat_profile; 0 is not written. Before the times of
 * ranks. */
void reseat_writer_duration(struct reseat_writer *writer, uint64_t microseconds);
void reseat_writer_time(struct reseat_writer *writer, const struct reseat_rank_time *time);
/* The standard error of sampled times, and the time in calls of a kind; after the times. */
void reseat_writer_sampled(struct reseat_writer *writer, uint64_t microseconds);
void reseat_writer_calls(struct reseat_writer *writer, const struct reseat_call_time *calls);
/* Only the identity and the members of `domain` are used. */
void reseat_writer_domain(struct reseat_writer *writer, const struct reseat_domain *domain);
void reseat_writer_traffic(struct reseat_writer *writer, enum reseat_traffic kind, int32_t phase);
/* Entries as a domain has them: those of a pair become one row. Returns the number of rows. */
size_t reseat_writer_rows(struct reseat_writer *writer, const struct reseat_entry *entries,
                          size_t count);
/* Finish, or on error remove the temporary file; either way the writer is destroyed. 0, or -1. */
int reseat_writer_commit(struct reseat_writer *writer, struct reseat_error *error);
/* Remove the temporary file and destroy the writer. Accepts NULL. */
void reseat_writer_abort(struct reseat_writer *writer);

/* The variation among several runs. */
struct reseat_spread {
    size_t pairs,
        everywhere; /* directed pairs of all kinds, domains and phases; those in all runs */
    double bytes;   /* of the mean */
    double between; /* sum over pairs of the most bytes minus the least */
};

/* One profile of `count` runs with the same ranks: the mean of each pair (profile-merge.c). 0, or
 * -1 with *error. */
int reseat_profile_merge(struct reseat_profile **result, const struct reseat_profile *const *runs,
                         size_t count, struct reseat_spread *spread, struct reseat_error *error);

/* Write a whole profile. 0, or -1 with *error. */
int reseat_profile_write(const struct reseat_profile *profile, const char *path,
                         struct reseat_error *error);

#endif
