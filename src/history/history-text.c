/* SPDX-License-Identifier: BSD-3-Clause */
/* history-text.c - see history.h: what was decided and learned, for a person. */
#include "history/history.h"

#include <math.h>
#include <stdio.h>

/* "-19", "+0.4", "0": a share in percent. */
static void history_percent(char word[16], double share)
{
    double percent = 100 * share;
    if (fabs(percent) < 0.05)
        snprintf(word, 16, "0");
    else
        snprintf(word, 16, fabs(percent) < 1.95 ? "%+.1f" : "%+.0f", percent);
}

/* "3.15 s", "71234 s" */
static void history_seconds(char word[24], double seconds)
{
    snprintf(word, 24, seconds < 999.5 ? "%.3g" : "%.0f", seconds);
}

void history_gain_text(const struct history_gain *gain, char *text, size_t size)
{
    char launch[24], better[24], change[16], low[16], high[16];
    if (!isfinite(gain->change)) {
        snprintf(text, size, "nothing to compare yet");
        return;
    }
    history_seconds(launch, gain->launch_seconds);
    history_seconds(better, gain->better_seconds);
    history_percent(change, gain->change);
    history_percent(low, gain->low);
    history_percent(high, gain->high);
    if (isfinite(gain->high))
        snprintf(text, size, "%s s instead of %s (%s %%, 95 %%: %s to %s)", better, launch, change,
                 low, high);
    else
        snprintf(text, size, "%s s instead of %s (%s %%, too few jobs for an interval)", better,
                 launch, change);
}

static void history_not_sure(const struct history_decision *decision, const char *gain, char *text,
                             size_t size)
{
    int is_better = decision->run == HISTORY_BETTER;
    if (isfinite(decision->gain.change))
        snprintf(text, size, "%s%s",
                 is_better ? "better order, not sure yet: "
                           : "launch order, not sure yet: better order ",
                 gain);
    else if (is_better)
        snprintf(text, size, "better order, as for another pattern: %s", gain);
    else
        snprintf(text, size, "launch order: the better order was slower for another pattern");
}

void history_decision_text(const struct history_decision *decision, char *text, size_t size)
{
    char gain[HISTORY_TEXT_SIZE];
    const char *order = decision->run == HISTORY_BETTER ? "better order" : "launch order";
    history_gain_text(&decision->gain, gain, sizeof gain);
    switch (decision->reason) {
    case HISTORY_FIRST:
        snprintf(text, size, "launch order, recorded");
        break;
    case HISTORY_NO_ORDER:
        snprintf(text, size, "launch order: no order is predicted to be better");
        break;
    case HISTORY_NO_ROOM:
        snprintf(text, size, "launch order: ranks spend %.1f %% of the time in MPI",
                 100 * decision->in_mpi);
        break;
    case HISTORY_TRY:
        snprintf(text, size, "better order for the first time here");
        break;
    case HISTORY_TO_KNOW:
        snprintf(text, size, "%s again, to know (%zu of %zu)", order, decision->job,
                 decision->wanted);
        break;
    case HISTORY_NOT_SURE:
        history_not_sure(decision, gain, text, size);
        break;
    case HISTORY_GAINS:
        snprintf(text, size, "better order: %s", gain);
        break;
    default:
        snprintf(text, size, "better order dropped: %s", gain);
    }
}

void history_summary_text(const struct history_summary *summary, char *text, size_t size)
{
    char gain[HISTORY_TEXT_SIZE], failed[40] = "";
    if (summary->failed)
        snprintf(failed, sizeof failed, ", %zu failed", summary->failed);
    if (summary->better_jobs == 0) {
        snprintf(text, size, "%zu job%s%s, none in a better order", summary->jobs,
                 summary->jobs == 1 ? "" : "s", failed);
        return;
    }
    history_gain_text(&summary->gain, gain, sizeof gain);
    snprintf(text, size, "%zu job%s%s, %zu in a better order: %s%s", summary->jobs,
             summary->jobs == 1 ? "" : "s", failed, summary->better_jobs,
             summary->is_earlier ? "with an earlier pattern, machine or order " : "", gain);
}
