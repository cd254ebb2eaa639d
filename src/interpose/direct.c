/* SPDX-License-Identifier: BSD-3-Clause */
/* direct.c - see direct.h. */
#include "interpose/direct.h"

#include "profiler/hooks.h"
#include "profiler/unseen.h"

int direct_known;
int direct_completion = 1;

void direct_start(void)
{
    MPI_Errhandler handler;
    if (PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler) != MPI_SUCCESS)
        return;
    direct_known = 1;
    direct_errors(handler);
    PMPI_Errhandler_free(&handler);
}

void direct_errors(MPI_Errhandler handler)
{
    if (handler != MPI_ERRORS_ARE_FATAL)
        direct_known = 0;
}

void before_MPI_Comm_set_errhandler(MPI_Errhandler handler)
{
    direct_errors(handler);
}

void before_MPI_Errhandler_set(MPI_Errhandler handler)
{
    direct_errors(handler);
}

void file_opened(void)
{
    direct_known = direct_completion = 0;
    unseen_add(UNSEEN_FILES);
}
