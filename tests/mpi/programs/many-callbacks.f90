! SPDX-License-Identifier: BSD-3-Clause
! many-callbacks.f90 - many-callbacks.c in Fortran: 100,000 keyvals with states of their own, and an error handler
! that is found after 100,000 others came and went. Rank 0 prints sums over all ranks.
module callbacks
  use mpi
  implicit none
  integer :: deleted = 0, called = 0, wrong = 0
contains
  ! What Open MPI gives as communicator is arbitrary (attributes.F90).
  subroutine remove(comm, keyval, val, state, ierr)
    integer :: comm, keyval, ierr
    integer(MPI_ADDRESS_KIND) :: val, state
    if (comm /= MPI_COMM_NULL .and. val == state .and. keyval /= MPI_KEYVAL_INVALID) then
      deleted = deleted + 1
    else
      wrong = wrong + 1
    end if
    ierr = MPI_SUCCESS
  end subroutine
  subroutine on_error(comm, code)
    integer :: comm, code
    if (comm == MPI_COMM_WORLD .and. code == MPI_ERR_OTHER) then
      called = called + 1
    else
      wrong = wrong + 1
    end if
  end subroutine
  subroutine never(comm, code)
    integer :: comm, code
    if (comm /= code) wrong = wrong + 1
  end subroutine
end module

program many
  use callbacks
  implicit none
  integer, parameter :: tenth = 10000
  integer :: ierr, rank, i, handler, other, sums(4), all(4)
  real :: first, last
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  first = use_keyvals(0)
  do i = 1, 9
    last = use_keyvals(i)
  end do
  sums(1) = merge(1, 0, last > 5 * first + 0.05)
  call MPI_Comm_create_errhandler(on_error, handler, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, ierr)
  first = use_handler()
  do i = 1, 10 * tenth
    call MPI_Comm_create_errhandler(never, other, ierr)
    call MPI_Errhandler_free(other, ierr)
  end do
  last = use_handler()
  sums(1) = sums(1) + merge(1, 0, last > 5 * first + 0.05)
  sums(2:4) = (/ deleted, called, wrong /)
  call MPI_Reduce(sums, all, 4, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,i0)', 'slower: ', all(1), 'attributes: ', all(2), 'errors: ', all(3), 'wrong: ', all(4)
  call MPI_Finalize(ierr)
contains
  ! Processor time of a tenth of the keyvals, in seconds.
  real function use_keyvals(number) result(seconds)
    integer, intent(in) :: number
    integer :: k, keyval
    real :: start
    integer(MPI_ADDRESS_KIND) :: state
    call cpu_time(start)
    do k = 1, tenth
      state = number * tenth + k
      call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, remove, keyval, state, ierr)
      call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, state, ierr)
      call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval, ierr)
      call MPI_Comm_free_keyval(keyval, ierr)
    end do
    call cpu_time(seconds)
    seconds = seconds - start
  end function
  ! Of 10,000 errors.
  real function use_handler() result(seconds)
    integer :: k
    real :: start
    call cpu_time(start)
    do k = 1, tenth
      call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER, ierr)
    end do
    call cpu_time(seconds)
    seconds = seconds - start
  end function
end program
