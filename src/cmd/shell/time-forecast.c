/* SPDX-License-Identifier: BSD-3-Clause */
/* time-forecast.c - see time-forecast.h. */
#include "cmd/shell/time-forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "profile/gain.h"
#include "text/printable.h"

int time_forecast_open(struct time_forecast *forecast, const char *path,
                       const struct reseat_profile *profile, struct reseat_error *error)
{
    if (!path || !*path)
        return 0;
    if (reseat_timings_read(&forecast->timings, path, error))
        return -1;
    forecast->path = strdup(path);
    if (!forecast->path)
        return reseat_fail(error, "out of memory");
    return time_pricing_open(&forecast->pricing, forecast->timings, profile, error);
}

static void time_forecast_drop(struct time_forecast *forecast)
{
    time_pricing_close(&forecast->pricing);
    reseat_timings_destroy(forecast->timings);
    forecast->timings = NULL;
}

int time_forecast_set(struct time_forecast *forecast, struct prediction *p,
                      enum reseat_metric *metric, struct reseat_error *error)
{
    if (!forecast->timings)
        return 0;
    forecast->lack = reseat_timings_lack_on(forecast->timings, p->tree);
    if (!forecast->lack)
        return time_pricing_set(&forecast->pricing, p, *metric, error);
    time_forecast_drop(forecast);
    if (*metric == RESEAT_METRIC_TIME) /* the weights are bytes so far */
        *metric = RESEAT_METRIC_SIZE;
    return 0;
}

void time_forecast_close(struct time_forecast *forecast)
{
    time_forecast_drop(forecast);
    free(forecast->path);
    *forecast = (struct time_forecast){.timings = NULL};
}

const char *time_forecast_lack_text(const struct time_forecast *forecast, enum reseat_metric metric,
                                    char text[TIME_FORECAST_LACK_SIZE])
{
    static const char *const units[] = {"bytes decide", "messages decide",
                                        "mean message sizes decide", "bytes decide"};
    char path[TIME_FORECAST_LACK_SIZE / 2];
    printable_copy(path, sizeof path, forecast->path);
    snprintf(text, TIME_FORECAST_LACK_SIZE,
             "how long the messages take is not known, because %s has no %s: %s", path,
             forecast->lack, units[metric]);
    return text;
}

void time_forecast_write_lack(FILE *file, const struct time_forecast *forecast,
                              enum reseat_metric metric)
{
    char text[TIME_FORECAST_LACK_SIZE];
    if (forecast->lack)
        fprintf(file, " H%s.", time_forecast_lack_text(forecast, metric, text) + 1);
}

int time_forecast_compare(struct time_forecast *forecast, const struct prediction *p,
                          struct reseat_error *error)
{
    return forecast->timings ? time_pricing_compare(&forecast->pricing, p, forecast->seconds, error)
                             : 0;
}

double time_forecast_gain(const struct time_forecast *forecast, const struct prediction *p)
{
    return forecast->timings
               ? reseat_gain(forecast->seconds[0].estimate, forecast->seconds[1].estimate)
               : prediction_gain(p);
}

double time_forecast_gain_or_loss(const struct time_forecast *forecast, const struct prediction *p)
{
    return forecast->timings || p->busiest[0] > 0 ? time_forecast_gain(forecast, p)
                                                  : reseat_gain(p->before.cost, p->after.cost);
}

void time_forecast_write_gain(FILE *file, const struct time_forecast *forecast, const char *before,
                              double most)
{
    const double seconds[2] = {forecast->seconds[0].estimate, forecast->seconds[1].estimate};
    char limit[32], change[RESEAT_CHANGE_SIZE];
    fprintf(file, "%sthe predicted time by %s", before,
            reseat_change_print(-reseat_gain(seconds[0], seconds[1]), 0, change));
    if (most >= 0 && seconds[0] - seconds[1] > most)
        fprintf(file, ", at most %s: the job can save no more", amount_seconds(most, limit));
}

/* "2 s -> 1 s (at least ...)" */
static void time_forecast_write_change(FILE *file, const void *context)
{
    const struct time_estimate *s = ((const struct time_forecast *)context)->seconds;
    char before[32], after[32], least[32], most[32];
    if (s[0].estimate > 0 && s[0].estimate != s[1].estimate)
        fprintf(file, "%s -> ", amount_seconds(s[0].estimate, before));
    fprintf(file, "%s", amount_seconds(s[1].estimate, after));
    if (s[1].estimate > 0)
        fprintf(file, " (at least %s, at most %s; the longest: %s)",
                amount_seconds(s[1].least, least), amount_seconds(s[1].most, most),
                time_resource_name(time_longest_resource(&s[1])));
}

void time_forecast_add(struct document *d, const struct time_forecast *forecast, double most_gain)
{
    const struct time_estimate *s = forecast->seconds;
    document_text(d, "timings_lack", forecast->lack);
    if (!forecast->timings) {
        document_text(d, "predicted_seconds", NULL);
        return;
    }
    document_open(d, "predicted_seconds", '{');
    document_numbers(d, "estimate", 2, (double[]){s[0].estimate, s[1].estimate});
    document_numbers(d, "least", 2, (double[]){s[0].least, s[1].least});
    document_numbers(d, "most", 2, (double[]){s[0].most, s[1].most});
    document_text(d, "longest", time_resource_name(time_longest_resource(&s[1])));
    document_number(d, "most_gain", most_gain >= 0 ? most_gain : NAN);
    document_written(d, "@change", time_forecast_write_change, forecast);
    document_boolean(d, "@is_loose",
                     reseat_timings_header(forecast->timings, "oversubscribed") != NULL);
    document_numbers(d, "@card", 2, (double[]){s[0].longest[TIME_CARD], s[1].longest[TIME_CARD]});
    document_close(d);
}
