! SPDX-License-Identifier: BSD-3-Clause
! As assumes-its-rank.c, in Fortran: values dealt out by MPI_COMM_WORLD to 8 ranks, blocks of them along topologies
! that were made with reorder = .true. Prints how many were not those of the rank that should have sent them.
! Usage: assumes-its-rank cart|create|adjacent...
program dealt
  use mpi
  implicit none
  integer, parameter :: ranks = 8, much = 20000, little = 20
  integer :: ierr, rank, comm, val, wrong, all, i, k, values(ranks)
  character(len=16) :: what
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  values = [(100 + i, i = 0, ranks - 1)]
  call MPI_Scatter(values, 1, MPI_INTEGER, val, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  do k = 1, command_argument_count()
    call get_command_argument(k, what)
    call make(trim(what))
    wrong = 0
    do i = 1, 10
      call pass(ranks / 2, much)
      call pass(1, little)
    end do
    call MPI_Reduce(wrong, all, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(a,a,i0,a)', trim(what), ': ', all, ' wrong blocks'
    call MPI_Comm_free(comm, ierr)
  end do
  call MPI_Finalize(ierr)
contains
  subroutine make(how)
    character(len=*), intent(in) :: how
    integer :: targets(2), sources(2), weights(2), one(1), degree(1)
    targets = [mod(rank + ranks / 2, ranks), mod(rank + 1, ranks)]
    sources = [mod(rank + ranks / 2, ranks), mod(rank + ranks - 1, ranks)]
    weights = [much, little]
    one = rank
    degree = 2
    if (how == 'cart') then
      call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, ranks / 2], [.true., .true.], .true., comm, ierr)
    else if (how == 'create') then
      call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, one, degree, targets, weights, MPI_INFO_NULL, .true., comm, ierr)
    else
      call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, weights, 2, targets, weights, &
                                          MPI_INFO_NULL, .true., comm, ierr)
    end if
  end subroutine

  subroutine pass(step, length)
    integer, intent(in) :: step, length
    integer :: me, from, out(much), in(much)
    call MPI_Comm_rank(comm, me, ierr)
    from = mod(me + ranks - step, ranks)
    out = val
    call MPI_Sendrecv(out, length, MPI_INTEGER, mod(me + step, ranks), 0, in, length, MPI_INTEGER, from, 0, comm, &
                      MPI_STATUS_IGNORE, ierr)
    if (in(1) /= 100 + from .or. in(length) /= 100 + from) wrong = wrong + 1
  end subroutine
end program
