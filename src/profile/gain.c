/* SPDX-License-Identifier: BSD-3-Clause */
/* gain.c - see gain.h. */
#include "profile/gain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *reseat_change_print(double change, int decimals, char text[RESEAT_CHANGE_SIZE])
{
    enum { MOST_DECIMALS = 4 };
    const double unit[] = {1, 0.1, 0.01, 0.001, 0.0001};
    double percent = 100 * change;
    if (fabs(percent) < unit[MOST_DECIMALS] / 2 || change == -1)
        return strcpy(text, change == -1 ? "-100 %" : "0 %");
    if (percent >= RESEAT_MOST_PERCENT) {
        snprintf(text, RESEAT_CHANGE_SIZE, "%.0f times", 1 + change);
        return text;
    }
    while (decimals < MOST_DECIMALS &&
           (fabs(percent) < unit[decimals] / 2 || fabs(percent + 100) < unit[decimals] / 2))
        decimals++;
    if (percent > -100) /* not rounded to it */
        percent = fmax(percent, -100 + unit[decimals]);
    snprintf(text, RESEAT_CHANGE_SIZE, "%+.*f %%", decimals, percent);
    return text;
}

double reseat_worth_most(const struct reseat_worth *worth)
{
    return worth->is_watched ? worth->job.most_gain : -1;
}

double reseat_worth_of_job(const struct reseat_worth *worth)
{
    const struct reseat_job_time *job = &worth->job;
    double most = reseat_worth_most(worth), all = job->seconds, before = worth->seconds[0];
    double saved = before > worth->seconds[1] ? before - worth->seconds[1] : 0;
    if (all <= 0)
        return -1;
    if (before <= 0)
        return job->knows_mpi && most >= 0 ? most / all : -1;
    if (most >= 0 && saved > most)
        saved = most;
    if (!worth->is_watched && job->knows_mpi)
        all += before - job->most_gain;
    else if (!worth->is_watched && all < before)
        all = before;
    return saved / all;
}

int reseat_worth_suffices(const struct reseat_worth *worth)
{
    double of_job = reseat_worth_of_job(worth);
    int has_seconds = worth->seconds[0] > 0;
    if (worth->gain < 0.0005 || (of_job >= 0 && of_job < worth->min_gain))
        return 0;
    return (has_seconds && of_job >= 0) || worth->gain >= worth->min_gain;
}

const char *reseat_worth_text(const struct reseat_worth *worth, const char *before,
                              char text[RESEAT_WORTH_SIZE])
{
    double of_job = reseat_worth_of_job(worth);
    text[0] = '\0';
    if (of_job >= 0 && worth->seconds[0] > 0)
        snprintf(text, RESEAT_WORTH_SIZE, "%s%.1f %% of the job", before, 100 * of_job);
    else if (of_job >= 0 && of_job < worth->min_gain)
        snprintf(text, RESEAT_WORTH_SIZE, "%sat most %.1f %% of the job, by its time in MPI",
                 before, 100 * of_job);
    return text;
}
