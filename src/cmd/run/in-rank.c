/* SPDX-License-Identifier: BSD-3-Clause */
/* in-rank.c - see in-rank.h. */
#include "cmd/run/in-rank.h"

#include <stdlib.h>

#include "cmd/job/child.h"
#include "cmd/run/reasons.h"
#include "cmd/shell/complain.h"

void in_rank_begin(char **argv)
{
    int quiet = launcher_own_rank() > 0;
    unsetenv("RESEAT_JOB"); /* of an auto around this one: it would take the profile */
    for (; *argv && quiet; argv++)
        quiet =
            !launcher_find(job_base_name(*argv)) && !launcher_is_common_name(job_base_name(*argv));
    cli_keep_quiet(quiet);
}

int in_rank_find_library(struct job *job, char **argv)
{
    struct reseat_error error;
    char path[PATH_MAX];
    if (job->rank >= 0 && !job->mpi && find_in_path(argv[0], path))
        return become_command(argv); /* it is not there */
    return cli_status(find_library(job, argv, &error), &error);
}

int in_rank_become(const struct job *job, const struct variables *v, char **argv)
{
    char why[REASON_SIZE];
    if (v && job->rank > 0)
        ; /* rank 0 says it; thousands of ranks do this at once */
    else if (v && reasons_of_program(job, argv, why) == 0)
        cli_fail(0, "%s", why);
    else if (v && reasons_has_no_mpi(job, argv))
        cli_fail(
            0,
            "%s is not linked with an MPI: nothing is recorded or reordered, unless it loads one",
            argv[0]);
    for (int i = 0; v && i < v->count; i++)
        setenv(v->name[i], v->value[i], 1);
    return become_command(argv);
}
