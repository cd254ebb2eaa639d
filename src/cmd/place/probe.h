/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe.h - what a job would get: the user's launcher is started once with all its options and a
 * small shell script in place of the program, which reports where each rank runs. The program
 * itself is not run.
 */
#ifndef RESEAT_PROBE_H
#define RESEAT_PROBE_H

#include "cmd/job/variables.h"
#include "profile/gain.h"
#include "text/host-name.h"
#include "network/location.h"

struct probe_host {
    char name[RESEAT_HOST_SIZE];
    int32_t ranks;
    char *address, *pattern; /* Slurm's (network.h); NULL: none */
};

/* The seat of one rank. */
struct probe_seat {
    int32_t rank; /* -1: the launcher does not tell */
    int32_t host; /* index */
    int is_bound; /* to a part of the host */
    int is_known; /* `reseat seat` was run there, and has reported what follows */
    /* For the mapping: the node is the host, unless RESEAT_TOPOLOGY is a tree. */
    struct reseat_location location;
    char *cpus;  /* the PUs it may run on, by OS numbers: "0-3,8" */
    char *cores; /* the same as logical cores; "-": none */
    char *pus;   /* and as logical PUs */
    int whole;   /* it has all PUs of these cores */
};

struct probe {
    struct probe_host *host;
    struct probe_seat *seat; /* in order of output; by rank after probe_sort */
    int32_t ranks, hosts;
    int32_t reached;  /* how many ranks have our library */
    int32_t readable; /* how many could read its file */
    int32_t unbound;
    char preload[256];                 /* what a rank preloads instead; empty: nothing */
    int is_crowded;                    /* a host has more ranks than processors */
    const struct variables *variables; /* set by the caller: passed to the ranks; NULL: none */
    int asks_places; /* set by the caller: run `reseat seat` on the ranks; else is_known stays 0 */
    int limit;       /* set by the caller: time limit of the launcher in seconds */
    int is_late;     /* it took longer, and was ended */
    double seconds;  /* how long it took */
    char no_host[RESEAT_HOST_SIZE]; /* an invalid host name that a rank has reported; empty: none */
    int status;                     /* exit status of the launcher */
    struct reseat_network network;  /* above the nodes (probe_topology) */
};

/*
 * Start the launcher and read what the ranks report. The output stays in *said (which the caller
 * closes, if not NULL), to be shown if there are no ranks. 0, or -1 if the launcher cannot be
 * started, out of memory, or if a signal asks us to end (job_start_and_ask).
 */
int probe_job(struct probe *probe, const struct job *job, char **argv, FILE **said);
void probe_free(struct probe *probe);

/* Adds the next rank, on this host and bound to nothing. 0, or -1: out of memory. */
typedef int probe_add_fn(struct probe *probe, const char *host);

/* The same for a launcher that simulates its ranks, without starting it (probe-simulated.c); why
 * there are none is written to `said`. 0, or -1: out of memory. */
int probe_simulated(struct probe *probe, const struct job *job, char **argv, FILE *said,
                    probe_add_fn *add);

/* Copy the launcher and its options from `argv`, up to the program, so that we get what the ranks
 * write. Returns the number of words, at most `most`. */
int probe_words(const struct job *job, char **argv, char **words, int most);

/*
 * Apply RESEAT_TOPOLOGY (`topology`, empty: not set) to the seats, which are in order of rank: a
 * tree as text gives each another node and place; a file gives the switches above the hosts, which
 * come from Slurm's addresses otherwise. 0; -1 with *error: `topology` cannot be used; 1 with
 * *error: Slurm's addresses cannot be used, and no switch is known.
 */
int probe_topology(struct probe *probe, const char *topology, struct reseat_error *error);

/* The locations of the seats after probe_topology, allocated; `inside` 0: nodes only. NULL: out of
 * memory. */
struct reseat_location *probe_locations(const struct probe *probe, int inside);

/* Fill the job's time, and whether the ranks are where they were watched. */
void probe_worth(const struct probe *probe, const struct reseat_profile *profile,
                 struct reseat_worth *worth);

/*
 * The locations of the ranks if each start of a host counts as a node of its own, below the
 * switches of the original node: rank r has seat seat_of[r] and belongs to start start_of[r], which
 * never decreases with the rank; a node's number is its first rank. Allocated, as are the members
 * of *network. NULL: out of memory.
 */
struct reseat_location *probe_locations_of_starts(const struct probe *probe, const int32_t *seat_of,
                                                  const int32_t *start_of,
                                                  struct reseat_network *network);

/* Number of numbers in a list like "0-3,8", each of at most six digits. */
int probe_count_list(const char *text);

/* Sort the seats by rank. 0, or -1 if they are not the ranks 0, 1, ... once each. */
int probe_sort(struct probe *probe);

#endif
