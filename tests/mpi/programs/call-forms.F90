! SPDX-License-Identifier: BSD-3-Clause
! The collectives of call-forms.c from Fortran, in the same sizes and as often: plain, `i` (nonblocking) and
! with MPI-4 `p` (persistent). What is recorded has to be what C's are. Usage: call-forms FORM
#include "binding.F90"

module collectives
  use binding
  implicit none
  integer, parameter :: most = 64, block = 24
  integer :: in(most * block), out(most * block)
  integer(ck) :: counts(most) = block
  integer(dk) :: starts(most)
  integer(MPI_ADDRESS_KIND) :: places(most)
  DATATYPE_T :: types(most)
  COMM_T :: comm
  REQUEST_T :: request
  integer :: ierr
contains
  subroutine plain()
    call MPI_Barrier(comm, ierr)
    call MPI_Bcast(in, N(24), MPI_BYTE, 1, comm, ierr)
    call MPI_Reduce(in, out, N(24), MPI_BYTE, MPI_BOR, 1, comm, ierr)
    call MPI_Allreduce(in, out, N(8), MPI_BYTE, MPI_BOR, comm, ierr)
    call MPI_Gather(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, 1, comm, ierr)
    call MPI_Gatherv(in, N(24), MPI_BYTE, out, counts, starts, MPI_BYTE, 1, comm, ierr)
    call MPI_Scatter(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, 0, comm, ierr)
    call MPI_Scatterv(in, counts, starts, MPI_BYTE, out, N(24), MPI_BYTE, 1, comm, ierr)
    call MPI_Allgather(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, comm, ierr)
    call MPI_Allgatherv(in, N(24), MPI_BYTE, out, counts, starts, MPI_BYTE, comm, ierr)
    call MPI_Alltoall(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, comm, ierr)
    call MPI_Alltoallv(in, counts, starts, MPI_BYTE, out, counts, starts, MPI_BYTE, comm, ierr)
    call MPI_Alltoallw(in, counts, starts, types, out, counts, starts, types, comm, ierr)
    call MPI_Reduce_scatter(in, out, counts, MPI_BYTE, MPI_BOR, comm, ierr)
    call MPI_Reduce_scatter_block(in, out, N(24), MPI_BYTE, MPI_BOR, comm, ierr)
    call MPI_Scan(in, out, N(24), MPI_BYTE, MPI_BOR, comm, ierr)
    call MPI_Exscan(in, out, N(24), MPI_BYTE, MPI_BOR, comm, ierr)
  end subroutine

  subroutine plain_neighbors()
    call MPI_Neighbor_allgather(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, comm, ierr)
    call MPI_Neighbor_allgatherv(in, N(24), MPI_BYTE, out, counts, starts, MPI_BYTE, comm, ierr)
    call MPI_Neighbor_alltoall(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, comm, ierr)
    call MPI_Neighbor_alltoallv(in, counts, starts, MPI_BYTE, out, counts, starts, MPI_BYTE, comm, ierr)
    call MPI_Neighbor_alltoallw(in, counts, places, types, out, counts, places, types, comm, ierr)
  end subroutine

  subroutine wait()
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  end subroutine

  subroutine nonblocking()
    call MPI_Ibarrier(comm, request, ierr)
    call wait()
    call MPI_Ibcast(in, N(24), MPI_BYTE, 1, comm, request, ierr)
    call wait()
    call MPI_Ireduce(in, out, N(24), MPI_BYTE, MPI_BOR, 1, comm, request, ierr)
    call wait()
    call MPI_Iallreduce(in, out, N(8), MPI_BYTE, MPI_BOR, comm, request, ierr)
    call wait()
    call MPI_Igather(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, 1, comm, request, ierr)
    call wait()
    call MPI_Igatherv(in, N(24), MPI_BYTE, out, counts, starts, MPI_BYTE, 1, comm, request, ierr)
    call wait()
    call MPI_Iscatter(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, 0, comm, request, ierr)
    call wait()
    call MPI_Iscatterv(in, counts, starts, MPI_BYTE, out, N(24), MPI_BYTE, 1, comm, request, ierr)
    call wait()
    call MPI_Iallgather(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, comm, request, ierr)
    call wait()
    call MPI_Iallgatherv(in, N(24), MPI_BYTE, out, counts, starts, MPI_BYTE, comm, request, ierr)
    call wait()
    call MPI_Ialltoall(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, comm, request, ierr)
    call wait()
    call MPI_Ialltoallv(in, counts, starts, MPI_BYTE, out, counts, starts, MPI_BYTE, comm, request, ierr)
    call wait()
    call MPI_Ialltoallw(in, counts, starts, types, out, counts, starts, types, comm, request, ierr)
    call wait()
    call MPI_Ireduce_scatter(in, out, counts, MPI_BYTE, MPI_BOR, comm, request, ierr)
    call wait()
    call MPI_Ireduce_scatter_block(in, out, N(24), MPI_BYTE, MPI_BOR, comm, request, ierr)
    call wait()
    call MPI_Iscan(in, out, N(24), MPI_BYTE, MPI_BOR, comm, request, ierr)
    call wait()
    call MPI_Iexscan(in, out, N(24), MPI_BYTE, MPI_BOR, comm, request, ierr)
    call wait()
  end subroutine

  subroutine nonblocking_neighbors()
    call MPI_Ineighbor_allgather(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, comm, request, ierr)
    call wait()
    call MPI_Ineighbor_allgatherv(in, N(24), MPI_BYTE, out, counts, starts, MPI_BYTE, comm, request, ierr)
    call wait()
    call MPI_Ineighbor_alltoall(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, comm, request, ierr)
    call wait()
    call MPI_Ineighbor_alltoallv(in, counts, starts, MPI_BYTE, out, counts, starts, MPI_BYTE, comm, request, &
      ierr)
    call wait()
    call MPI_Ineighbor_alltoallw(in, counts, places, types, out, counts, places, types, comm, request, ierr)
    call wait()
  end subroutine

#ifdef HAVE_PERSISTENT
  ! Starts it as often as everything else is done: twice.
  subroutine start()
    REQUEST_T :: requests(1)
    call MPI_Start(request, ierr)
    call wait()
    requests(1) = request
    call MPI_Startall(1, requests, ierr)
    request = requests(1)
    call wait()
    call MPI_Request_free(request, ierr)
  end subroutine

  subroutine persistent()
    integer :: i
    call MPI_Barrier_init(comm, MPI_INFO_NULL, request, ierr)
    call start()
    call MPI_Bcast_init(in, N(24), MPI_BYTE, 1, comm, MPI_INFO_NULL, request, ierr)
    call start()
    call MPI_Reduce_init(in, out, N(24), MPI_BYTE, MPI_BOR, 1, comm, MPI_INFO_NULL, request, ierr)
    call start()
    call MPI_Allreduce_init(in, out, N(8), MPI_BYTE, MPI_BOR, comm, MPI_INFO_NULL, request, ierr)
    call start()
    call MPI_Gather_init(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, 1, comm, MPI_INFO_NULL, request, ierr)
    call start()
    call MPI_Gatherv_init(in, N(24), MPI_BYTE, out, counts, starts, MPI_BYTE, 1, comm, MPI_INFO_NULL, &
      request, ierr)
    call start()
    do i = 1, 2 ! MPICH 4.0 starts this one once only
      call MPI_Scatter_init(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, 0, comm, MPI_INFO_NULL, request, ierr)
      call MPI_Start(request, ierr)
      call wait()
      call MPI_Request_free(request, ierr)
    end do
    call MPI_Scatterv_init(in, counts, starts, MPI_BYTE, out, N(24), MPI_BYTE, 1, comm, MPI_INFO_NULL, &
      request, ierr)
    call start()
    call MPI_Allgather_init(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, comm, MPI_INFO_NULL, request, ierr)
    call start()
    call MPI_Allgatherv_init(in, N(24), MPI_BYTE, out, counts, starts, MPI_BYTE, comm, MPI_INFO_NULL, &
      request, ierr)
    call start()
    call MPI_Alltoall_init(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, comm, MPI_INFO_NULL, request, ierr)
    call start()
    call MPI_Alltoallv_init(in, counts, starts, MPI_BYTE, out, counts, starts, MPI_BYTE, comm, MPI_INFO_NULL, &
      request, ierr)
    call start()
    call MPI_Alltoallw_init(in, counts, starts, types, out, counts, starts, types, comm, MPI_INFO_NULL, &
      request, ierr)
    call start()
    call MPI_Reduce_scatter_init(in, out, counts, MPI_BYTE, MPI_BOR, comm, MPI_INFO_NULL, request, ierr)
    call start()
    call MPI_Reduce_scatter_block_init(in, out, N(24), MPI_BYTE, MPI_BOR, comm, MPI_INFO_NULL, request, ierr)
    call start()
    call MPI_Scan_init(in, out, N(24), MPI_BYTE, MPI_BOR, comm, MPI_INFO_NULL, request, ierr)
    call start()
    call MPI_Exscan_init(in, out, N(24), MPI_BYTE, MPI_BOR, comm, MPI_INFO_NULL, request, ierr)
    call start()
  end subroutine

  subroutine persistent_neighbors()
    call MPI_Neighbor_allgather_init(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, comm, MPI_INFO_NULL, request, &
      ierr)
    call start()
    call MPI_Neighbor_allgatherv_init(in, N(24), MPI_BYTE, out, counts, starts, MPI_BYTE, comm, &
      MPI_INFO_NULL, request, ierr)
    call start()
    call MPI_Neighbor_alltoall_init(in, N(24), MPI_BYTE, out, N(24), MPI_BYTE, comm, MPI_INFO_NULL, request, &
      ierr)
    call start()
    call MPI_Neighbor_alltoallv_init(in, counts, starts, MPI_BYTE, out, counts, starts, MPI_BYTE, comm, &
      MPI_INFO_NULL, request, ierr)
    call start()
    call MPI_Neighbor_alltoallw_init(in, counts, places, types, out, counts, places, types, comm, &
      MPI_INFO_NULL, request, ierr)
    call start()
  end subroutine

#endif
end module

program forms
  use collectives
  implicit none
  character(len=8) :: form
  integer :: i
  call get_command_argument(1, form)
  call MPI_Init(ierr)
  starts = [(D(i * block), i = 0, most - 1)]
  places = starts
  types = MPI_BYTE
  comm = MPI_COMM_WORLD
  call all(.false.)
  call make_graph()
  call all(.true.)
  call MPI_Comm_free(comm, ierr)
  call MPI_Finalize(ierr)
contains
  ! The grid of call-forms.c, a torus, as a graph: MPI_Neighbor_alltoallw of MPICH 4.0's mpi_f08 takes no grid.
  subroutine make_graph()
    integer :: rank, ranks, dims(2) = 0, row, column, edges(4)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    call MPI_Dims_create(ranks, 2, dims, ierr)
    row = rank / dims(2)
    column = mod(rank, dims(2))
    edges = [modulo(row - 1, dims(1)) * dims(2) + column, mod(row + 1, dims(1)) * dims(2) + column, &
             row * dims(2) + modulo(column - 1, dims(2)), row * dims(2) + mod(column + 1, dims(2))]
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, edges, MPI_UNWEIGHTED, 4, edges, MPI_UNWEIGHTED, &
      MPI_INFO_NULL, .false., comm, ierr)
  end subroutine

  subroutine all(neighbors)
    logical, intent(in) :: neighbors
    integer :: round
    do round = 1, 2
      if (form == 'plain' .and. neighbors) then
        call plain_neighbors()
      else if (form == 'plain') then
        call plain()
      else if (form == 'i' .and. neighbors) then
        call nonblocking_neighbors()
      else if (form == 'i') then
        call nonblocking()
      end if
    end do
#ifdef HAVE_PERSISTENT
    if (form == 'p' .and. neighbors) then
      call persistent_neighbors()
    else if (form == 'p') then
      call persistent()
    end if
#endif
  end subroutine
end program
