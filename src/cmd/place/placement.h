/* SPDX-License-Identifier: BSD-3-Clause */
/* placement.h - `--placement launch`: a job whose launcher puts the ranks where the mapping wants
 * them (place.c). */
#ifndef RESEAT_PLACEMENT_H
#define RESEAT_PLACEMENT_H

#include "cmd/job/job.h"
#include "predict/prediction.h"
#include "profile/settings.h"

/* By what the ranks are placed. */
struct placement_request {
    const char *profile;                    /* NULL: by a layout */
    const char *layout;                     /* NULL: by the profile */
    const struct reseat_settings *settings; /* those of the ranks */
};

/*
 * A job that is started with the mapping in a file for its launcher and nothing preloaded; after
 * any failure, or without a gain (a layout needs none), it runs unchanged. placement_create queries
 * the launcher, writes the file and prints what will be done; what `request`, `job` and `command`
 * point to must stay valid as long as the placement. 0, or -1 with *error: the command line cannot
 * be placed (rewrite.h). placement_moves: whether any rank gets
 * another place. placement_run may be called many times and returns what run_and_wait does.
 * placement_destroy removes the file.
 */
struct placement;
int placement_create(struct placement **placement, const struct placement_request *request,
                     const struct job *job, char **command, struct reseat_error *error);
int placement_moves(const struct placement *placement);
int placement_run(const struct placement *placement);
void placement_destroy(struct placement *placement);

/* Tells the figures of the model for both orders; *predicted is left as it is if there are none. */
void placement_predicted(const struct placement *placement, struct predicted *predicted);

#endif
