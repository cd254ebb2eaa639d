/* SPDX-License-Identifier: BSD-3-Clause */
/* report-numbers.h - the numbers of a report: found once, for all the forms in which it is
 * written. */
#ifndef RESEAT_REPORT_NUMBERS_H
#define RESEAT_REPORT_NUMBERS_H

#include "cmd/report/report-assumed.h"
#include "cmd/report/report-methods.h"
#include "cmd/report/report-sentences.h"
#include "cmd/shell/terminal.h"
#include "cmd/shell/time-forecast.h"
#include "profile/gain.h"
#include "network/location.h"
#include "profile/settings.h"
#include "predict/loads.h"

enum { REPORT_HEAVIEST = 10 };

/* What is requested. Texts are NULL where nothing is given. */
struct report_request {
    const char *path, *tree, *topology, *costs, *timings;
    const char *network;     /* whose rate is assumed; NULL: that of the nodes' cards */
    const char *json, *html; /* files to write; "-": standard output */
    const char *svg, *png;   /* folders for pictures */
    const char *output;      /* --output; once its name is understood, a picture to write */
    int is_table;            /* --tsv */
    enum terminal_color color;
    struct reseat_settings settings;
    struct word_list methods; /* to be compared; none: the order is what run would find */
    struct listed_method *method;
    const char *other; /* a second profile, to be compared with the first */
    /* Whose recorded seats are the machine; NULL: the profile's own. */
    const struct reseat_profile *seats_of;
};

enum report_verdict {
    REPORT_NO_TRAFFIC,
    REPORT_FLAT,         /* all pairs of ranks are equally far from each other */
    REPORT_LAUNCH_ORDER, /* nothing better was found */
    REPORT_GAIN
};

/* The traffic that crosses each level, in launch order and in the better one. */
struct report_crossings {
    struct tmap_cost before, after;
};

/* A pair of ranks, or several that read alike: as much traffic, at the same levels. */
struct report_pair {
    int32_t a, b; /* a < b, the first of them */
    uint64_t weight;
    char traffic[32]; /* the weight for a person */
    int level[2];     /* at which they meet in launch order, and in the order that is shown */
    uint64_t alike;   /* how many others there are */
};

/* The traffic of the whole program, on the recorded seats or on a requested tree. */
struct report {
    const struct reseat_profile *profile;  /* the caller's */
    const struct reseat_profile *seats_of; /* whose recorded seats the machine is, if it is that */
    struct prediction by_metric;
    struct time_forecast forecast;
    struct report_assumed assumed;     /* without that */
    struct reseat_location *locations; /* of the ranks; NULL: their nodes are not known */
    struct reseat_network network;
    int has_seats;              /* the machine is that of the recorded seats */
    const char *machine_option; /* "--tree" or "--topology", if that has the machine; NULL: none */
    int is_part;                /* of the requested machine: its other slots stay empty */
    struct tmap_matrix *sent;   /* bytes: the matrix of the prediction where these are the metric */
    int owns_sent;
    struct report_crossings bytes, msgs;
    struct loads bytes_on[TMAP_MAX_LEVELS]; /* links of levels with a shape */
    struct loads metric_on[TMAP_MAX_LEVELS];
    enum reseat_metric metric;
    const char *unit;
    /* The better order is shown: it gains something. Else all that is after is as it was before. */
    int is_gain;
    enum report_verdict verdict;
    /* The outermost level whose amount changes, or how far it goes; depth: none. */
    int first_change;
    /* Its gain: in predicted seconds where there are timings, or by the objective. */
    struct reseat_worth worth;
    int borrows; /* the level for which the timings have nothing of their own; -1: there is none */
    struct report_pattern pattern;
    struct report_options options;
    struct report_methods methods;
    struct report_pair heaviest[REPORT_HEAVIEST];
    int pairs; /* of them */
};

/* Find everything. 0, or -1 with *error. Close it in any case; it begins with all zeros. */
int report_open(struct report *report, const struct reseat_profile *profile,
                const struct report_request *request, struct reseat_error *error);
void report_close(struct report *report);

/* Where the role sits as launched, and in the order that is shown. */
static inline const int32_t *report_slot_of(const struct report *report, int is_after)
{
    return is_after && report->is_gain ? report->by_metric.best : report->by_metric.launch;
}

/* The method of the better order, of those that were to be compared; NULL: it is the order that run
 * finds. */
const char *report_named_method(const struct report *report);
/* Whether run looks for the order that is shown: it gains enough, and its method is one of libtmap,
 * no layout. */
int report_run_finds(const struct report *report);

/* The fraction by which the load of the busiest link falls, if that is an objective. */
double report_relief(const struct report *report);

/* Whether a level's amount by the metric changes. */
int report_amount_changes(const struct report *report, int level);

/* By what factor messages increase where the gain is; 0: too little to mention. */
double report_more_messages(const struct report *report);

#endif
