/* SPDX-License-Identifier: BSD-3-Clause */
/* time-forecast.c - see time-forecast.h. */
#include "cmd/shell/time-forecast.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "profile/gain.h"
#include "text/printable.h"

int timed_open(struct timed *timed, const char *path, const struct reseat_profile *profile,
               struct reseat_error *error)
{
    if (!path || !*path)
        return 0;
    if (reseat_timings_read(&timed->timings, path, error))
        return -1;
    timed->path = strdup(path);
    if (!timed->path)
        return reseat_fail(error, "out of memory");
    return time_pricing_open(&timed->pricing, timed->timings, profile, error);
}

static void timed_drop(struct timed *timed)
{
    time_pricing_close(&timed->pricing);
    reseat_timings_destroy(timed->timings);
    timed->timings = NULL;
}

int timed_set(struct timed *timed, struct prediction *p, enum reseat_metric *metric,
              struct reseat_error *error)
{
    if (!timed->timings)
        return 0;
    timed->lack = reseat_timings_lack_on(timed->timings, p->tree);
    if (!timed->lack)
        return time_pricing_set(&timed->pricing, p, *metric, error);
    timed_drop(timed);
    if (*metric == RESEAT_METRIC_TIME) /* the weights are bytes so far */
        *metric = RESEAT_METRIC_SIZE;
    return 0;
}

void timed_close(struct timed *timed)
{
    timed_drop(timed);
    free(timed->path);
    *timed = (struct timed){.timings = NULL};
}

const char *timed_lack_text(const struct timed *timed, enum reseat_metric metric,
                            char text[TIMED_LACK_SIZE])
{
    static const char *const units[] = {"bytes decide", "messages decide",
                                        "mean message sizes decide", "bytes decide"};
    char path[TIMED_LACK_SIZE / 2];
    printable_copy(path, sizeof path, timed->path);
    snprintf(text, TIMED_LACK_SIZE,
             "how long the messages take is not known, because %s has no %s: %s", path, timed->lack,
             units[metric]);
    return text;
}

void timed_write_lack(FILE *file, const struct timed *timed, enum reseat_metric metric)
{
    char text[TIMED_LACK_SIZE];
    if (timed->lack)
        fprintf(file, " H%s.", timed_lack_text(timed, metric, text) + 1);
}

int timed_compare(struct timed *timed, const struct prediction *p, struct reseat_error *error)
{
    return timed->timings ? time_pricing_compare(&timed->pricing, p, timed->seconds, error) : 0;
}

double timed_gain(const struct timed *timed, const struct prediction *p)
{
    return timed->timings ? reseat_gain(timed->seconds[0].estimate, timed->seconds[1].estimate)
                          : prediction_gain(p);
}

double timed_gain_or_loss(const struct timed *timed, const struct prediction *p)
{
    return timed->timings || p->busiest[0] > 0 ? timed_gain(timed, p)
                                               : reseat_gain(p->before.cost, p->after.cost);
}

void timed_write_gain(FILE *file, const struct timed *timed, const char *before, double most)
{
    const double seconds[2] = {timed->seconds[0].estimate, timed->seconds[1].estimate};
    char limit[32];
    fprintf(file, "%sthe predicted time by %+.0f %%", before,
            0 - 100 * reseat_gain(seconds[0], seconds[1]));
    if (most >= 0 && seconds[0] - seconds[1] > most)
        fprintf(file, ", at most %s: the job can save no more", amount_seconds(most, limit));
}

void timed_write(FILE *file, const struct timed *timed)
{
    const struct time_estimate *s = timed->seconds;
    char before[32], after[32], least[32], most[32];
    if (!timed->timings)
        return;
    fprintf(file, "%-24s ", "predicted time");
    if (s[0].estimate > 0 && s[0].estimate != s[1].estimate)
        fprintf(file, "%s -> ", amount_seconds(s[0].estimate, before));
    fprintf(file, "%s", amount_seconds(s[1].estimate, after));
    if (s[1].estimate > 0)
        fprintf(file, " (at least %s, at most %s; the longest: %s)",
                amount_seconds(s[1].least, least), amount_seconds(s[1].most, most),
                time_resource_name(time_longest_resource(&s[1])));
    fprintf(file, "\n");
    if (reseat_timings_header(timed->timings, "oversubscribed"))
        fprintf(file, "%-24s which is loose: the timings are of more ranks than processors\n", "");
}

void timed_write_table(FILE *file, const struct timed *timed)
{
    const struct time_estimate *s = timed->seconds;
    if (timed->lack)
        fprintf(file, "timings_lack\t%s\n", timed->lack);
    if (!timed->timings)
        return;
    fprintf(
        file,
        "predicted_seconds\t%.9g\npredicted_seconds_least\t%.9g\npredicted_seconds_most\t%.9g\n",
        s[1].estimate, s[1].least, s[1].most);
    fprintf(file, "identity_predicted_seconds\t%.9g\n", s[0].estimate);
    fprintf(file, "card_seconds\t%.9g\nidentity_card_seconds\t%.9g\n", s[1].longest[TIME_CARD],
            s[0].longest[TIME_CARD]);
}
