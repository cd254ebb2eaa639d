// SPDX-License-Identifier: BSD-3-Clause
// What two-messages.f90 does, in C++.
#include <mpi.h>
#include <vector>

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<int> data(10, rank), got(10);
    const int next = (rank + 1) % ranks;
    MPI_Request request;
    MPI_Irecv(got.data(), 10, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
    MPI_Send(data.data(), 10, MPI_INT, next, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(data.data(), 5, MPI_INT, next, 2, got.data(), 10, MPI_INT, MPI_ANY_SOURCE, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, data.data(), 10, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (data[0] != ranks * (ranks - 1) / 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
