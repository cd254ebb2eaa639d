/* SPDX-License-Identifier: BSD-3-Clause */
/* job-start.c - see job-start.h. */
#include "cmd/job/job-start.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "cmd/job/child.h"
#include "cmd/job/delivery.h"

/* Set the list that Open MPI passes to the ranks, including what the user has in it. 0, or -1 if
 * out of memory. */
static int job_start_list(const struct job *job, const struct variables *v)
{
    const char *list = job->launcher->list_variable;
    char *text = delivery_list(job, v, getenv(list));
    int rc = text ? setenv(list, text, 1) : -1;
    free(text);
    return rc;
}

int job_start(const struct job *job, const struct variables *v, char **argv, struct answer *answer)
{
    struct delivery delivery;
    enum launcher_delivery how = job->launcher->delivery;
    int status = delivery_create(&delivery, job, v, argv);
    if (!status && how == LAUNCHER_ENV_LIST && !delivery.by_words)
        status = job_start_list(job, v);
    for (int i = 0; !status && how == LAUNCHER_ENVIRONMENT && i < v->count; i++)
        setenv(v->name[i], v->value[i], 1);
    if (status)
        errno = ENOMEM;
    else
        status = run_and_wait(delivery.words, answer);
    int why = errno;
    delivery_free(&delivery);
    errno = why;
    return status;
}

int job_start_and_ask(const struct job *job, const struct variables *v, char **argv,
                      struct answer *answer)
{
    int status = v ? job_start(job, v, argv, answer) : run_and_wait(argv, answer);
    if (is_asked_to_end())
        errno = EINTR;
    if (status == -1 || is_asked_to_end())
        return -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
