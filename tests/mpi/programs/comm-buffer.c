/* SPDX-License-Identifier: BSD-3-Clause */
/* comm-buffer.c - MPI 4.1: a buffer that is attached to MPI_COMM_WORLD, for messages on it, flushed and detached. */
#include <mpi.h>
#include <stdio.h>

#if MPI_VERSION == 4 && MPI_SUBVERSION > 0 || MPI_VERSION > 4
int main(int argc, char **argv)
{
    static char room[1000 + MPI_BSEND_OVERHEAD];
    int rank, size, bytes, failed = 0, in = -1;
    void *was = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    failed += MPI_Comm_attach_buffer(MPI_COMM_WORLD, room, sizeof room) != MPI_SUCCESS;
    failed += MPI_Bsend(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD) != MPI_SUCCESS;
    if (failed == 0)
        MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    failed += MPI_Comm_flush_buffer(MPI_COMM_WORLD) != MPI_SUCCESS;
    failed += MPI_Comm_detach_buffer(MPI_COMM_WORLD, &was, &bytes) != MPI_SUCCESS;
    failed += was != room || bytes != (int)sizeof room || in != (rank + size - 1) % size;
    MPI_Allreduce(&failed, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d failed\n", in);
    MPI_Finalize();
    return 0;
}
#endif
