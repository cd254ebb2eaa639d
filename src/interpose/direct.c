/* SPDX-License-Identifier: BSD-3-Clause */
/* direct.c - see direct.h. */
#include "interpose/direct.h"

#include "interpose/hooks.h"
#include "profiler/unseen.h"

int direct_known;
int direct_completion = 1;

static int errors_return; /* on some communicator */

void direct_start(void)
{
    MPI_Errhandler handler;
    if (PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler) != MPI_SUCCESS)
        return;
    before_error_handler(handler);
    direct_known = !errors_return && !interpose_tools;
    PMPI_Errhandler_free(&handler);
}

void before_error_handler(MPI_Errhandler handler)
{
    if (handler == MPI_ERRORS_ARE_FATAL)
        return;
    errors_return = 1;
    direct_known = 0;
}

void file_opened(void)
{
    direct_completion = 0;
    unseen_add(UNSEEN_FILES);
}
