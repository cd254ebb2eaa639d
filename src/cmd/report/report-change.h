/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report-change.h - what changed from one profile to another one of as many ranks: the traffic,
 * which pairs of ranks grew and shrank, and whether the better order for the first is still good
 * for the second. Both are on the machine of the first: its recorded seats, or the machine that was
 * requested.
 *
 *   report-change.c         the numbers
 *   report-change-write.c   as a document
 *   report-change-page.c    what only its page has
 */
#ifndef RESEAT_REPORT_CHANGE_H
#define RESEAT_REPORT_CHANGE_H

#include <stdio.h>

#include "cmd/report/report-nodes.h"
#include "cmd/report/report-numbers.h"
#include "page/document.h"

enum { CHANGE_PAIRS = 10 };

enum change_verdict {
    CHANGE_NONE,  /* the traffic is the same */
    CHANGE_FLAT,  /* no order gains anything for either */
    CHANGE_ENDS,  /* one does for the first, and none any more for the second */
    CHANGE_KEEPS, /* the order for the first has 0.9 of the gain of the second's own, or more */
    CHANGE_FADES, /* it has less of it */
    CHANGE_LOSES  /* it is worse than the launch order, or does not gain where another one would */
};

/* A pair of ranks, a < b, in both. */
struct change_pair {
    int32_t a, b;
    uint64_t weight[2]; /* in the unit of the reports, both directions */
    int level;          /* at which they meet in launch order */
};

struct report_change {
    const struct report *report[2];
    const char *path[2];
    size_t pairs[2], different;
    double total[2];           /* of all pairs, in the unit */
    double apart;              /* the sum of what they differ by */
    double square[2], product; /* sums of weight[i]^2, and of weight[0] * weight[1] */
    struct change_pair grew[CHANGE_PAIRS], shrank[CHANGE_PAIRS]; /* the most first */
    int grown, shrunk;                                           /* how many of these there are */
    /* The second's cost in launch order, in the better order for the first, and in its own. */
    double cost[3];
    double seconds[3];     /* of its messages, likewise; NAN: there are no timings */
    struct tmap_cost kept; /* its bytes in the better order for the first */
    /* Of the first by its order; of the second by that order; of it by its own. As the reports': in
     * seconds where there are timings, or by the objective. */
    double gain[3];
    enum change_verdict verdict;
};

/* Compare them. 0, or -1 with *error. */
int change_find(struct report_change *change, const struct report *a, const struct report *b,
                struct reseat_error *error);

/* Pearson's correlation of their weights over all pairs of ranks; NAN: those of one are all the
 * same. */
double change_correlation(const struct report_change *change);

/* Fill a document with all of it (doc/report-json.md), which src/page/change.txt, change.tsv and
 * change.html show. */
void change_fill(struct document *document, const struct report_change *change,
                 const struct report_nodes *nodes);

/* Write the page, from that document, to which its own values are added. 0, or -1 with *error. The
 * caller checks `file` for write errors. */
int change_write_page(FILE *file, struct document *document, const struct report_change *change,
                      const struct report_nodes *nodes, char **words, struct reseat_error *error);

#endif
