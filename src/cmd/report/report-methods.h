/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report-methods.h - several orders of one job side by side: by mapping methods and layouts that
 * the user names. The order that a report shows is then the best of them.
 */
#ifndef RESEAT_REPORT_METHODS_H
#define RESEAT_REPORT_METHODS_H

#include "cmd/map/method-list.h"
#include "cmd/shell/time-forecast.h"
#include "page/document.h"
#include "predict/strategy.h"

/* So many can be compared: as many maps a page has, besides that of the launch order. */
enum { REPORT_MOST_METHODS = 8 };

struct report_method {
    const char *name;             /* "greedy", "layout:scbnh"; the caller's */
    struct prediction prediction; /* of which best, after, busiest and method are its own */
    struct tmap_cost bytes;
    double gain;    /* as the report's: in seconds where there are timings, or by the objective */
    double seconds; /* predicted; 0: there are no timings */
};

struct report_methods {
    struct report_method *method;
    int count;
    int shown;               /* the one with the most gain */
    struct tmap_cost launch; /* its bytes */
    double launch_seconds;
};

/* What is to be compared. */
struct report_methods_request {
    const struct listed_method *method;
    size_t count;
    struct prediction_request prediction; /* with which each is found */
};

/* Find an order by each method, for a prediction that has its traffic, tree and launch order; the
 * prediction becomes that of the best. 0, or -1 with *error. Close it in any case; it begins with
 * all zeros. */
int report_methods_find(struct report_methods *methods, struct prediction *p,
                        const struct time_forecast *forecast,
                        const struct report_methods_request *request, struct reseat_error *error);

/* Count the bytes that cross each level. 0, or -1 with *error. */
int report_methods_count(struct report_methods *methods, const struct tmap_matrix *bytes,
                         struct reseat_error *error);

void report_methods_close(struct report_methods *methods);

/* A member `methods`, and the rows of their table. */
void report_methods_add(struct document *d, const struct report_methods *methods,
                        const struct prediction *p);

#endif
