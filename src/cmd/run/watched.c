/* SPDX-License-Identifier: BSD-3-Clause */
/* watched.c - see watched.h. */
#include "cmd/run/watched.h"

#include "cmd/job/child.h"
#include "cmd/job/job-start.h"
#include "cmd/shell/complain.h"

int launch_watched(const char *command, const struct job *job, struct variables *v, char **argv,
                   const char *near, struct watched *watched)
{
    struct mark mark;
    int status = 0;
    watched->is_known = reasons_of_program(job, argv, watched->why) == 0;
    if (watched->is_known)
        cli_fail(0, command, "%s", watched->why);
    mark_create(&mark, near, v);
    int rc = job_start(command, job, v, argv, NULL, &status);
    watched->found = mark_find(&mark);
    watched->why[0] = '\0';
    mark_remove(&mark);
    if (!rc && status == 0 && !is_asked_to_end() && watched->found == MARK_MISSING &&
        !watched->is_known)
        reasons_find(job, argv, mark.folder, watched->why);
    return rc == -2 ? EXIT_TROUBLE : end_as(command, rc ? -1 : status);
}

/* Does not repeat what the library or we have printed. */
int watched_left_no_profile(int status, const struct watched *watched)
{
    const char *why =
        watched->why[0] ? watched->why
        : watched->found >= MARK_LEFT
            ? "a line before this one says why, or the program has not come to MPI_Finalize"
            : "where no line before this one says why, no rank has come to MPI_Finalize with the "
              "library (reseat doctor looks for the reason)";
    if (watched->is_known)
        return status ? status : EXIT_NO_PROFILE;
    return cli_fail(status ? status : EXIT_NO_PROFILE, "profile", "no profile was written: %s",
                    why);
}
