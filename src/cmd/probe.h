/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe.h - what a job would get: the user's launcher is started once with all its options and a
 * small shell script in the place of the program, which tells on each rank where it is. The program
 * itself is not run.
 */
#ifndef RESEAT_PROBE_H
#define RESEAT_PROBE_H

#include "cmd/variables.h"
#include "format/location.h"

struct probe_host {
    char name[256];
    int32_t ranks;
    char *address, *pattern; /* of Slurm (network.h); NULL: none */
};

/* Where one rank is. */
struct probe_seat {
    int32_t rank; /* -1: the launcher does not tell */
    int32_t host; /* index */
    int is_bound; /* to less than the host */
    int is_known; /* reseat was asked for, has been found there, and says place, cpus ... whole */
    /* As the mapping sees it: the node is the host, unless RESEAT_TOPOLOGY is a tree. */
    struct reseat_location location;
    char *cpus;  /* the PUs it may run on, by the numbers of the system: "0-3,8" */
    char *cores; /* the same as logical cores, "-": no such things */
    char *pus;   /* and as logical PUs */
    int whole;   /* nothing else of these cores is left out */
};

struct probe {
    struct probe_host *host;
    struct probe_seat *seat; /* as the lines came; probe_sort: by rank */
    int32_t ranks, hosts;
    int32_t reached;  /* how many ranks have our library */
    int32_t readable; /* how many could read its file */
    int32_t unbound;
    char preload[256];                 /* what a rank has instead of it; empty: nothing */
    int is_crowded;                    /* a host has more ranks than processors */
    const struct variables *variables; /* set before: handed on to the ranks; NULL: none */
    int asks_places;   /* set before: run `reseat seat` on the ranks, else is_known stays 0 */
    int limit;         /* set before: seconds that the launcher may take */
    int is_late;       /* it took more, and was ended */
    double seconds;    /* that it took */
    char no_host[256]; /* what a rank has said and is no name of a host; empty: none */
    int status;        /* exit status of the launcher */
    struct reseat_network network; /* above the nodes (probe_topology) */
};

/*
 * Start the launcher and read what the ranks say. What was printed stays in *said (which the caller
 * closes, if not NULL), for a person to see when there are no ranks. 0, or -1 when the launcher
 * cannot be started, memory is short, or a signal asks us to end (job_start_and_ask).
 */
int probe_job(struct probe *probe, const char *command, const struct job *job, char **argv,
              FILE **said);
void probe_free(struct probe *probe);

/* The launcher with its options, of `argv`, as far as the program; what ranks write comes to us.
 * Returns how many words of at most `most`. */
int probe_words(const struct job *job, char **argv, char **words, int most);

/*
 * What RESEAT_TOPOLOGY (`topology`, empty: not set) says of the seats, which are in order of rank:
 * a tree as text gives each another node and place; a file tells the switches above the hosts,
 * which else come from what Slurm has told the ranks. 0; -1 with *why: not what was asked for; 1
 * with *why: Slurm's addresses cannot be used, and no switch is known.
 */
int probe_topology(struct probe *probe, const char *topology, struct tmap_error *why);

/* Where the seats are as probe_topology has left them, allocated; `inside` 0: on which nodes only.
 * NULL: out of memory. */
struct reseat_location *probe_locations(const struct probe *probe, int inside);

/*
 * The nodes of the ranks where each start of a host is a node of its own, below the switches of the
 * node that it is cut from: rank r has seat seat_of[r] and belongs to start start_of[r], which
 * never falls with the rank; a node has the number of its first rank. Allocated, as is what is in
 * *network. NULL: out of memory.
 */
struct reseat_location *probe_locations_of_starts(const struct probe *probe, const int32_t *seat_of,
                                                  const int32_t *start_of,
                                                  struct reseat_network *network);

/* How many numbers a list like "0-3,8" has, each of six digits at the most. */
int probe_count_list(const char *text);

/* Put the seats in order of rank. 0, or -1 when they are not the ranks 0, 1, ... each once. */
int probe_sort(struct probe *probe);

#endif
