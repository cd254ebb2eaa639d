/* SPDX-License-Identifier: BSD-3-Clause */
/* lesson.c - see lesson.h. */
#include "cmd/auto/lesson.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/hash.h"
#include "cmd/auto/shown.h"
#include "text/lines.h"

void lesson_open(struct lesson *lesson)
{
    struct reseat_error ignored;
    if (access(lesson->profile, F_OK) == 0 &&
        (lines_check_file(lesson->profile, &ignored) ||
         reseat_profile_read(&lesson->known, lesson->profile, &ignored)))
        lesson->known = NULL; /* another one is recorded */
}

void lesson_close(struct lesson *lesson)
{
    reseat_profile_destroy(lesson->known);
    lesson->known = NULL;
}

void lesson_take_order(struct lesson *lesson, int is_better)
{
    struct past_job *line = &lesson->line;
    line->order = is_better ? lesson->next.order : 0;
    if (is_better)
        snprintf(line->method, sizeof line->method, "better");
    else if (lesson->run == HISTORY_BETTER && !line->status)
        line->predicted = 0; /* none is worth it here */
}

/* Bytes between nodes in the launch order of the pattern; NaN: it was recorded in another order. */
static double lesson_between(const struct reseat_profile *known)
{
    return reseat_profile_header(known, "reordered") ? NAN : shown_between(known);
}

/* Returns 1 if the prediction is to be found from the profile of a job in launch order: none is
 * known, or there was no gain before, which the ranks may not find everywhere. */
static int lesson_asks_again(const struct lesson *lesson, double predicted)
{
    return lesson->run == HISTORY_LAUNCH ? !(predicted > 0) : !isfinite(predicted);
}

void lesson_learn(struct lesson *lesson, const struct reseat_profile *profile, const char *output)
{
    struct past_job *line = &lesson->line;
    const struct next_job *next = &lesson->next;
    const double was = line->predicted;
    const int nodes = line->nodes;
    const uint64_t pattern = shown_pattern(profile);
    lesson->ranks = profile->ranks;
    shown_fill(line, profile);
    lesson->is_changed = lesson->known && pattern != next->pattern &&
                         shown_drifts(lesson->known, profile, lesson->by_amount);
    if (!lesson->known || lesson->is_changed) {
        line->pattern = pattern; /* that of the roles, in whichever order they ran */
        lesson->is_recorded = rename(output, lesson->profile) == 0;
        if (line->order) /* one that was made for another pattern */
            line->order = reseat_hash_add(line->order, &next->pattern, sizeof pattern);
    } else if (line->nodes == nodes) {
        lesson->between[0] = lesson_between(lesson->known);
        lesson->between[1] = shown_between(profile);
    }
    if (!line->order && (line->pattern != next->pattern || line->nodes != nodes ||
                         line->machine != next->machine || lesson_asks_again(lesson, was)))
        line->predicted = shown_prediction(profile);
}
