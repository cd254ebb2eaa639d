! SPDX-License-Identifier: BSD-3-Clause
! What callbacks.f90 does, with mpi_f08.
module callbacks_of_mine
  use mpi_f08
  implicit none
  integer :: right = 0, wrong = 0
contains
  subroutine check(good)
    logical, intent(in) :: good
    if (good) then
      right = right + 1
    else
      wrong = wrong + 1
    end if
  end subroutine
  subroutine copy(comm, keyval, state, val, copied, flag, ierr)
    type(MPI_Comm) :: comm
    integer :: keyval, ierr
    integer(kind=MPI_ADDRESS_KIND) :: state, val, copied
    logical :: flag
    call check(comm == MPI_COMM_WORLD .and. state == 4711 .and. keyval /= MPI_KEYVAL_INVALID)
    copied = val + 1
    flag = .true.
    ierr = MPI_SUCCESS
  end subroutine
  subroutine remove(comm, keyval, val, state, ierr)
    type(MPI_Comm) :: comm
    integer :: keyval, ierr
    integer(kind=MPI_ADDRESS_KIND) :: val, state
    call check((comm == MPI_COMM_WORLD .or. val == 18) .and. state == 4711 .and. keyval /= MPI_KEYVAL_INVALID)
    ierr = MPI_SUCCESS
  end subroutine
  subroutine on_error(comm, code)
    type(MPI_Comm) :: comm
    integer :: code
    call check(comm == MPI_COMM_WORLD .and. code /= MPI_SUCCESS)
  end subroutine
end module

program callbacks
  use callbacks_of_mine
  implicit none
  integer :: ierr, rank, ranks, keyval, all
  type(MPI_Comm) :: twin
  type(MPI_Errhandler) :: errhandler
  integer(kind=MPI_ADDRESS_KIND) :: val, state = 4711
  logical :: flag
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call MPI_Comm_create_keyval(copy, remove, keyval, state, ierr)
  val = 17
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, val, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, twin, ierr)
  call MPI_Comm_get_attr(twin, keyval, val, flag, ierr)
  if (rank == 0) print *, 'copied', flag, val
  call MPI_Comm_free(twin, ierr)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval, ierr)
  call MPI_Comm_create_errhandler(on_error, errhandler, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler, ierr)
  call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER, ierr)
  call MPI_Send(rank, 1, MPI_INTEGER, ranks + 5, 1, MPI_COMM_WORLD, ierr)
  call MPI_Reduce(right, all, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print *, 'right', all
  call MPI_Reduce(wrong, all, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print *, 'wrong', all
  call MPI_Finalize(ierr)
end program
