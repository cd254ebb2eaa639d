/* SPDX-License-Identifier: BSD-3-Clause */
/* placement.h - `--placement launch`: a job whose launcher puts the ranks where the mapping wants
 * them (place.c). */
#ifndef RESEAT_PLACEMENT_H
#define RESEAT_PLACEMENT_H

#include "cmd/job.h"
#include "format/settings.h"

/*
 * A job that is started with the mapping in a file for its launcher and nothing preloaded; in any
 * trouble, or without a gain, as it is. create asks the launcher, writes the file and says what
 * will be; `settings` are those of the ranks, and it and the others have to last as long as the
 * placement. 0, or an exit status after having complained of a command line that cannot be placed
 * (rewrite.h). moves: whether ranks get other places than by themselves. run may be called many
 * times and returns what run_plainly does. destroy removes the file.
 */
struct placement;
int placement_create(struct placement **placement, const char *name, const struct job *job,
                     char **command, const char *profile, const struct reseat_settings *settings);
int placement_moves(const struct placement *placement);
int placement_run(const struct placement *placement);
void placement_destroy(struct placement *placement);

#endif
