/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history.h - the jobs of one program so far (same build, ranks, MPI and arguments), and what
 * follows from them: in which order the next one runs, and what the better order has gained. No
 * MPI, no files, no chance, no state: the same jobs give the same answer. doc/design/0016 has the
 * rule, what was measured, and what was rejected.
 *
 *   struct past_job *jobs;                 from the lines of a file, by history_read_line
 *   struct next_job next = {.nodes = 4, .machine = m, .pattern = p, .order = o, .predicted = 0.2};
 *   struct history_decision decision;
 *   history_decide(&decision, jobs, count, &next);
 *   if (decision.run == HISTORY_BETTER) ...
 *   history_decision_text(&decision, text, sizeof text);
 */
#ifndef RESEAT_HISTORY_H
#define RESEAT_HISTORY_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum {
    HISTORY_METHOD_SIZE = 32, /* of the name of an order, with its NUL */
    HISTORY_HOSTS_SIZE = 128, /* of the text about the nodes */
    HISTORY_LINE_SIZE = 768,  /* room for a line, with its end and NUL */
    HISTORY_TEXT_SIZE = 160,  /* room for a text */
    HISTORY_LATEST = 32,      /* of each order, the latest so many comparable jobs count */
};

/* ---- one job ---- */

/* Not known: NaN for seconds and shares, 0 for hashes, "" for texts. */
struct past_job {
    time_t when;    /* its start */
    int status;     /* as the shell has it; not 0: failed or killed, so its seconds say nothing; -1:
                     * it is not known with which status */
    double seconds; /* from start to end; not positive or NaN: not known, the job says nothing */
    double seconds_in_mpi; /* of `seconds`, the mean of its ranks */
    /* Share of the traffic's cost (or time) that the better order saves, 0 to 1, on the nodes that
     * the job had, in whichever order it ran; NaN: not known. */
    double predicted;
    int nodes; /* how many; jobs are compared on equal numbers only */
    int cores; /* of all nodes together, for a person */
    /* Hash of the shape of what it ran on: kind of nodes (cores, levels), and how the launcher
     * deals ranks to them; not the hosts' names, not how many nodes. */
    uint64_t machine;
    /* Identity of the pattern, the same until a drift is seen: that of the profile from which its
     * order was made; in launch order, of the profile that was there or that this job wrote. */
    uint64_t pattern;
    /* 0: launch order; else a hash of what made the better order: method, strategy. */
    uint64_t order;
    char method[HISTORY_METHOD_SIZE]; /* its name for a person */
    char hosts[HISTORY_HOSTS_SIZE];   /* its nodes for a person, cut off where it is too long */
};

/* The job as one line of a file, which ends with a newline. The length without the NUL. A caller
 * who appends it to a file that does not end with a newline writes one first: so what a full disk
 * has torn spoils no other line. */
size_t history_write_line(char line[HISTORY_LINE_SIZE], const struct past_job *job);

/* The job of a line without its newline. 1; 0: the line is none of a job (blank, a comment, one of
 * another version, torn), which is skipped. What stands behind `end` is of later versions and
 * passed over; fields that are missing are not known. A last line without a newline is torn: the
 * caller leaves it out. */
int history_read_line(struct past_job *job, const char *line);

/* ---- the next job ---- */

struct next_job {
    int nodes;
    uint64_t machine, pattern; /* as in struct past_job; pattern 0: there is no profile yet */
    uint64_t order;            /* the better order that could be run; 0: there is none */
    double predicted; /* share that it saves on these nodes; NaN: not known, as if it gained */
};

enum history_choice { HISTORY_LAUNCH, HISTORY_BETTER };

enum history_reason {
    HISTORY_FIRST,    /* launch order: no profile yet: this job is recorded */
    HISTORY_NO_ORDER, /* launch order: no order is predicted to be better on these nodes */
    HISTORY_NO_ROOM,  /* launch order: its ranks are hardly ever in MPI */
    HISTORY_TRY,      /* better order: predicted, nothing to compare with yet */
    HISTORY_TO_KNOW,  /* launch order again, or the better order again, to know */
    HISTORY_NOT_SURE, /* the order that looks better so far */
    HISTORY_GAINS,    /* better order: sure */
    HISTORY_DROPPED,  /* launch order: the better order is slower */
    HISTORY_REASONS
};

/* Better order against launch order over comparable jobs: those that ended well, of the same
 * pattern, machine and orders, each compared with those on as many nodes. */
struct history_gain {
    size_t launch_jobs, better_jobs; /* that were compared */
    /* Median in launch order, on the number of nodes of the latest compared job; NaN: none. */
    double launch_seconds;
    double better_seconds; /* launch_seconds with the change: what the better order takes there */
    double change;         /* of the seconds, -0.19: 19 % less; NaN: no job to compare with */
    double low, high;      /* its interval at 95 %; -1 and infinity: too few jobs for one */
};

struct history_decision {
    enum history_choice run;
    enum history_reason reason;
    enum history_choice leads; /* the order that looks better so far, where there is a better one */
    struct history_gain
        gain; /* on as many nodes, where those have two jobs in each order; else on all */
    size_t job,
        wanted;    /* HISTORY_TO_KNOW: this job is number `job` of `wanted` or more in its order */
    double in_mpi; /* share of the seconds that ranks are in MPI, in launch order; NaN: not known */
    int is_watched; /* the job is to be recorded; 0: its seconds will do */
};

/* In which order the next job runs. `jobs` are in the order of their lines; those of other programs
 * must not be among them, those of other patterns, machines and orders may. Never fails. Jobs that
 * are decided at the same moment from the same lines get the same answer, which does no harm. */
void history_decide(struct history_decision *decision, const struct past_job *jobs, size_t count,
                    const struct next_job *next);

/* One line for a person, without a newline:
 *   launch order, recorded
 *   launch order again, to know (2 of 3)
 *   better order: 3.15 s instead of 3.88 (-19 %, 95 %: -24 to -12)
 *   better order dropped: 4.2 s instead of 3.88 (+8 %, 95 %: +3 to +12) */
void history_decision_text(const struct history_decision *decision, char *text, size_t size);

/* ---- what was learned ---- */

struct history_summary {
    size_t jobs, failed; /* all, and those whose status is not 0 */
    size_t better_jobs;  /* that ran in a better order, of any pattern and machine */
    time_t first, last;  /* when they started; 0: no jobs */
    /* Over those that are comparable with the latest one in a better order. */
    struct history_gain gain;
    int is_earlier; /* nothing to compare: `gain` is over the latest jobs where there was */
    /* Median share of the seconds that ranks are in MPI, of jobs in launch order; NaN. */
    double in_mpi;
    /* GAINS, DROPPED, NOT_SURE, or FIRST: no better order has run yet. */
    enum history_reason verdict;
};

void history_summarize(struct history_summary *summary, const struct past_job *jobs, size_t count);

/* "12 jobs, 9 in a better order: 3.15 s instead of 3.88 (-19 %, 95 %: -24 to -12)" */
void history_summary_text(const struct history_summary *summary, char *text, size_t size);

/* "3.15 s instead of 3.88 (-19 %, 95 %: -24 to -12)", "... (-19 %, too few jobs for an interval)",
 * or "nothing to compare yet". */
void history_gain_text(const struct history_gain *gain, char *text, size_t size);

#endif
