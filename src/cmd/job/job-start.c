/* SPDX-License-Identifier: BSD-3-Clause */
/* job-start.c - see job-start.h. */
#include "cmd/job/job-start.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "cmd/job/child.h"
#include "cmd/job/delivery.h"
#include "cmd/shell/complain.h"

/* Set the list that Open MPI passes to the ranks, including what the user has in it. */
static int job_start_list(const struct job *job, const struct variables *v)
{
    const char *list = job->launcher->list_variable;
    char *text = delivery_list(job, v, getenv(list));
    if (!text)
        return cli_no_memory();
    setenv(list, text, 1);
    free(text);
    return 0;
}

int job_start(const struct job *job, const struct variables *v, char **argv, struct answer *answer,
              int *status)
{
    struct delivery delivery;
    enum launcher_delivery how = job->launcher->delivery;
    int rc = delivery_create(&delivery, job, v, argv);
    if (rc)
        rc = cli_fail(-2, "out of memory");
    else if (how == LAUNCHER_ENV_LIST && !delivery.by_words && job_start_list(job, v))
        rc = -2;
    for (int i = 0; !rc && how == LAUNCHER_ENVIRONMENT && i < v->count; i++)
        setenv(v->name[i], v->value[i], 1);
    if (!rc)
        rc = run_and_wait(delivery.words, answer, status);
    delivery_free(&delivery);
    return rc;
}

int job_start_and_ask(const struct job *job, const struct variables *v, char **argv,
                      struct answer *answer)
{
    int status = 0;
    int rc = v ? job_start(job, v, argv, answer, &status) : run_and_wait(argv, answer, &status);
    if (is_asked_to_end())
        errno = EINTR;
    if (rc || is_asked_to_end())
        return -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
