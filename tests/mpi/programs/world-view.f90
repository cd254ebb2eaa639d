! SPDX-License-Identifier: BSD-3-Clause
! What a Fortran program sees of MPI_COMM_WORLD, in lines of rank 0 that do not depend on the order of the
! processes: ranks, collectives, attributes, error handlers, names, a grid.
program order
  use mpi
  implicit none
  integer :: ierr, rank, ranks, got, total, comm, keyval, errhandler, length, me, i
  integer :: dims(2), coords(2)
  integer, allocatable :: all(:)
  integer(kind=MPI_ADDRESS_KIND) :: val
  logical :: flag, periods(2)
  character(len=MPI_MAX_OBJECT_NAME) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  allocate(all(ranks))
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, mod(rank + 1, ranks), 1, got, 1, MPI_INTEGER, &
                    mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Gather(got, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print *, 'from', all
  call MPI_Scan(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_Gather(total, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print *, 'scan', all
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, val, flag, ierr)
  if (rank == 0) print *, 'tag_ub', flag, val
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_get_attr(comm, MPI_TAG_UB, val, flag, ierr)
  if (rank == 0) print *, 'tag_ub of a duplicate', flag
  call MPI_Comm_free(comm, ierr)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, val, ierr)
  val = 17
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, val, ierr)
  val = 0
  call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, val, flag, ierr)
  if (rank == 0) print *, 'attribute', flag, val
  call MPI_Comm_get_errhandler(MPI_COMM_WORLD, errhandler, ierr)
  if (rank == 0) print *, 'fatal', errhandler == MPI_ERRORS_ARE_FATAL
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Send(rank, 1, MPI_INTEGER, ranks + 5, 1, MPI_COMM_WORLD, ierr)
  if (rank == 0) print *, 'returned', ierr /= MPI_SUCCESS
  call MPI_Comm_get_name(MPI_COMM_WORLD, name, length, ierr)
  if (rank == 0) print *, name(1:length)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, comm, ierr)
  call MPI_Comm_rank(comm, me, ierr)
  call MPI_Gather(me, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print *, 'split', all
  call MPI_Comm_free(comm, ierr)
  dims = 0
  periods = .true.
  call MPI_Dims_create(ranks, 2, dims, ierr)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., comm, ierr)
  call MPI_Cart_coords(comm, rank, 2, coords, ierr)
  do i = 1, 2
    call MPI_Gather(coords(i), 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    if (rank == 0) print *, 'grid', all
  end do
  call MPI_Finalize(ierr)
end program
