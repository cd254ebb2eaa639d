/* SPDX-License-Identifier: BSD-3-Clause */
/* watched.c - see watched.h. */
#include "cmd/run/watched.h"

#include <errno.h>
#include <sys/wait.h>

#include "cmd/job/child.h"
#include "cmd/job/job-start.h"
#include "cmd/shell/complain.h"

void watched_run(struct watched *watched, const struct job *job, struct variables *v, char **argv,
                 const char *near)
{
    struct mark mark;
    *watched = (struct watched){.found = MARK_UNKNOWN};
    watched->is_known = reasons_of_program(job, argv, watched->why) == 0;
    if (watched->is_known)
        cli_fail(0, "%s", watched->why);
    mark_create(&mark, near, v);
    watched->ended = job_start(job, v, argv, NULL);
    watched->error = errno;
    watched->found = mark_find(&mark);
    watched->why[0] = '\0';
    mark_remove(&mark);
    if (watched->ended == 0 && !is_asked_to_end() && watched->found == MARK_MISSING &&
        !watched->is_known)
        reasons_find(job, argv, mark.folder, watched->why);
}

int watched_end(const struct watched *watched)
{
    errno = watched->error;
    return end_as(watched->ended);
}

int watched_status(const struct watched *watched)
{
    if (watched->ended == -1)
        return EXIT_TROUBLE;
    return WIFSIGNALED(watched->ended) ? 128 + WTERMSIG(watched->ended)
                                       : WEXITSTATUS(watched->ended);
}
