/* SPDX-License-Identifier: BSD-3-Clause */
/* time-forecast.h - predicted seconds beside predicted bytes, for `map`, `report` and `doctor`. */
#ifndef RESEAT_TIME_FORECAST_H
#define RESEAT_TIME_FORECAST_H

#include <stdio.h>

#include "page/document.h"
#include "predict/time-prediction.h"

/* A file of timings and what it says of a prediction. All zero: there is none, and the functions
 * below do nothing. */
struct time_forecast {
    struct reseat_timings *timings; /* NULL also of a file that lacks what the machine needs */
    char *path;
    const char *lack; /* that: see reseat_timings_lack; NULL: nothing */
    struct time_pricing pricing;
    struct time_estimate seconds[2]; /* of launch (0 without one) and best */
};

/* Read the timings (`path` NULL or empty: there are none), and the traffic of a profile. 0, or -1
 * with *error. */
int time_forecast_open(struct time_forecast *forecast, const char *path,
                       const struct reseat_profile *profile, struct reseat_error *error);
void time_forecast_close(struct time_forecast *forecast);

/* Price a prediction that has its tree by them (time_pricing_set). Timings that lack something are
 * dropped, and the metric time is then size. 0, or -1 with *error. */
int time_forecast_set(struct time_forecast *forecast, struct prediction *p,
                      enum reseat_metric *metric, struct reseat_error *error);

/* Of timings that lack something: "how long the messages take is not known, because FILE has no
 * ...: bytes decide", bytes being what the metric counts; and, if they do, the same as one more
 * sentence. */
enum { TIME_FORECAST_LACK_SIZE = 1024 };
const char *time_forecast_lack_text(const struct time_forecast *forecast, enum reseat_metric metric,
                                    char text[TIME_FORECAST_LACK_SIZE]);
void time_forecast_write_lack(FILE *file, const struct time_forecast *forecast,
                              enum reseat_metric metric);

/* Fill the seconds, for a prediction that has its order. 0, or -1 with *error. */
int time_forecast_compare(struct time_forecast *forecast, const struct prediction *p,
                          struct reseat_error *error);

/* The fraction by which the predicted seconds fall, or the cost where there are no timings. */
double time_forecast_gain(const struct time_forecast *forecast, const struct prediction *p);

/* The same for an order that need not gain anything: below 0 if it loses. */
double time_forecast_gain_or_loss(const struct time_forecast *forecast, const struct prediction *p);

/* "the predicted time by -40 %" after `before`, and that no order saves more than `most` seconds
 * (negative: not known) if more is predicted. */
void time_forecast_write_gain(FILE *file, const struct time_forecast *forecast, const char *before,
                              double most);

/* Add to a document: timings_lack, and predicted_seconds with the most that an order can gain
 * (negative: not known). */
void time_forecast_add(struct document *document, const struct time_forecast *forecast,
                       double most_gain);

#endif
