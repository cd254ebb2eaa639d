! SPDX-License-Identifier: BSD-3-Clause
! As two-messages.f90, with `use mpi_f08`.
program hello
  use mpi_f08
  implicit none
  type(MPI_Request) :: request
  integer :: ierr, rank, ranks, data(10), got(10)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  data = rank
  call MPI_Irecv(got, 10, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, request, ierr)
  call MPI_Send(data, 10, MPI_INTEGER, mod(rank + 1, ranks), 1, MPI_COMM_WORLD, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Sendrecv(data, 5, MPI_INTEGER, mod(rank + 1, ranks), 2, got, 10, MPI_INTEGER, &
                    MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Allreduce(MPI_IN_PLACE, data, 10, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (data(1) /= ranks * (ranks - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  call MPI_Finalize(ierr)
end program
