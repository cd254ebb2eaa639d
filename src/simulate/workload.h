/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workload.h - jobs that share a machine, and what their ranks send, as a text file with a line a
 * job:
 *
 *   profile FILE [seconds=S]
 *   pattern NAME ranks=N length=L rate=R messages=M
 *   taken NODE CORES
 *
 * S is how long the program ran (without it: as long as the profile says, if it does). FILE is what
 * `reseat convert` reads (a name without blanks; one that is not absolute is relative
 * to the folder of the workload). NAME is alltoall, bcast (rank 0 sends to all others), gather (all
 * others send to rank 0) or linear (each rank but the last sends to the next one). Length, rate (a
 * second) and messages are those of each pair that communicates; L may end with KB, MB or GB, which
 * are powers of 1,024 bytes. taken: the first CORES cores of node NODE (from 0) belong to jobs that
 * are not in the file, and get no rank; nodes ascend. # begins a comment.
 */
#ifndef RESEAT_WORKLOAD_H
#define RESEAT_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "text/error.h"
#include "profile/profile.h"

/* Limits of a workload; the last: bytes of a message, and messages of a pair. */
enum { WORKLOAD_MOST_JOBS = 1 << 16, WORKLOAD_MOST_RANKS = 1 << 20, WORKLOAD_MOST_FLOWS = 1 << 22 };
#define WORKLOAD_MOST_MESSAGES (UINT64_C(1) << 40)

/* The messages that a rank of a job sends to another one. */
struct reseat_flow {
    int32_t source, target; /* never the same */
    uint64_t length;        /* of each message, bytes */
    uint64_t messages;      /* at least 1 */
    double rate;            /* messages a second; 0: not known */
};

struct reseat_job {
    char *name; /* the pattern, or the file as written */
    char *path; /* of that file; NULL: it was not read from one */
    int32_t ranks;
    int32_t first;             /* how many ranks the jobs before it have */
    double seconds;            /* how long it sends; 0: not known, and neither are the rates */
    struct reseat_flow *flows; /* ascending by source, target */
    size_t count;
};

struct reseat_taken {
    int32_t node, cores;
};

struct reseat_workload {
    struct reseat_job *jobs;
    size_t count;
    int32_t ranks;              /* of all jobs together */
    struct reseat_taken *taken; /* ascending by node, each once */
    size_t taken_nodes;
};

/* 0, or -1 with *error (file, line and reason) and *workload untouched. */
int reseat_workload_read(struct reseat_workload **workload, const char *path,
                         struct reseat_error *error);

/*
 * One job: the traffic of a profile, with that of communicators made from the world. Messages of a
 * pair all have its average length, rounded to the nearest; those of a rank to itself are left out.
 * `seconds`: how long the program ran, 0: what the profile says, if it does. 0, or -1 with *error.
 */
int reseat_workload_of_profile(struct reseat_workload **workload,
                               const struct reseat_profile *profile, const char *name,
                               double seconds, struct reseat_error *error);
void reseat_workload_destroy(struct reseat_workload *workload);

/* The other way round: the traffic of all jobs as a profile of all their ranks, one job after the
 * other, without seats. 0, or -1 with *error: out of memory. */
int reseat_workload_profile(struct reseat_profile **profile, const struct reseat_workload *workload,
                            struct reseat_error *error);

/* Bytes of all messages of a flow; at most 10^18. */
uint64_t reseat_flow_bytes(const struct reseat_flow *flow);

/* All messages of a job are sent in that time (> 0). */
void reseat_job_set_seconds(struct reseat_job *job, double seconds);

#endif
