/* SPDX-License-Identifier: BSD-3-Clause */
/* lesson.h - what a job that has ended teaches, by the profile that it has left. */
#ifndef RESEAT_LESSON_H
#define RESEAT_LESSON_H

#include <limits.h>

#include "history/history.h"
#include "profile/profile.h"

struct lesson {
    char profile[PATH_MAX];       /* from which orders of this program are made */
    struct reseat_profile *known; /* that one; NULL: there is none yet */
    struct next_job next;         /* by which its order was decided */
    enum history_choice run;      /* and how */
    int by_amount;                /* another amount of traffic is another pattern */
    struct past_job line;
    double between[2]; /* bytes between nodes, in the launch order that is known and now */
    int ranks;         /* as it ran, whatever the words say; as before: not known */
    int is_recorded;   /* its profile is now that from which orders are made */
    int is_changed;    /* because the pattern was another one */
};

/* Read the profile from which orders are made, if there is one. */
void lesson_open(struct lesson *lesson);
void lesson_close(struct lesson *lesson);

/* The job has ended well: complete its line by its profile, which is in the file `output`, and move
 * that file to where orders are made from if its pattern is to be the one. */
void lesson_learn(struct lesson *lesson, const struct reseat_profile *profile, const char *output);

/* Note the order that the ranks had, after the status: the better one, or their launch order, which
 * they may have kept although the better one was asked for. */
void lesson_take_order(struct lesson *lesson, int is_better);

#endif
