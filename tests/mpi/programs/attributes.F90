! SPDX-License-Identifier: BSD-3-Clause
! Attributes and error handlers of MPI_COMM_WORLD and its copies, from Fortran with callbacks in Fortran, also
! by the old names, and to and from C (attributes.c). A line for each: on how many ranks it is as the
! standard says. The lines are the same with another order behind MPI_COMM_WORLD.
#include "binding.F90"
#if BINDING == 8
#define HANDLE(x) x%MPI_VAL
#else
#define HANDLE(x) x
#endif

module callbacks
  use binding
  implicit none
  integer(MPI_ADDRESS_KIND), parameter :: promised = 4711
  integer :: copies, deletes, errors, others ! heard of the communicator that was to be heard of
  integer :: rank = -1
  COMM_T :: due
contains
  ! Whether that is what a callback was to be given. LOOSE: not looked at by those that delete (Open MPI 4.1
  ! gives them a number that is no handle).
  logical function named(comm, deleting)
    COMM_T, intent(in) :: comm
    logical, intent(in) :: deleting
    named = comm == due
#ifdef LOOSE
    named = named .or. deleting
#endif
  end function

  subroutine copy(comm, keyval, state, val, copied, flag, ierr)
    COMM_T :: comm
    integer :: keyval, ierr
    integer(MPI_ADDRESS_KIND) :: state, val, copied
    logical :: flag
    if (named(comm, .false.) .and. state == promised .and. keyval /= MPI_KEYVAL_INVALID) copies = copies + 1
    copied = val + 1
    flag = .true.
    ierr = MPI_SUCCESS
  end subroutine

  subroutine remove(comm, keyval, val, state, ierr)
    COMM_T :: comm
    integer :: keyval, ierr
    integer(MPI_ADDRESS_KIND) :: val, state
    if (named(comm, .true.) .and. state == promised .and. keyval /= MPI_KEYVAL_INVALID .and. val > 0) deletes = deletes + 1
    ierr = MPI_SUCCESS
  end subroutine

  subroutine on_error(comm, code)
    COMM_T :: comm
    integer :: code
    if (named(comm, .false.) .and. code /= MPI_SUCCESS) errors = errors + 1
  end subroutine

  subroutine on_other_error(comm, code)
    COMM_T :: comm
    integer :: code
    if (named(comm, .false.) .and. code /= MPI_SUCCESS) others = others + 1
  end subroutine

  ! In MPI_Finalize.
  subroutine at_end(comm, keyval, val, state, ierr)
    COMM_T :: comm
    integer :: keyval, ierr, me
    integer(MPI_ADDRESS_KIND) :: val, state
    call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
    if (me /= rank) call MPI_Abort(MPI_COMM_WORLD, 9, ierr)
    if (me == 0) print '(a)', 'in MPI_Finalize: the same rank'
    ierr = MPI_SUCCESS
  end subroutine

#if BINDING != 8
  subroutine old_copy(comm, keyval, state, val, copied, flag, ierr)
    integer :: comm, keyval, state, val, copied, ierr
    logical :: flag
    if (named(comm, .false.) .and. state == promised) copies = copies + 1
    copied = val + 1
    flag = .true.
    ierr = MPI_SUCCESS
  end subroutine

  subroutine old_remove(comm, keyval, val, state, ierr)
    integer :: comm, keyval, val, state, ierr
    if (named(comm, .true.) .and. state == promised .and. val > 0) deletes = deletes + 1
    ierr = MPI_SUCCESS
  end subroutine
#endif
end module

program attributes
  use callbacks
  implicit none
  interface
    integer(MPI_ADDRESS_KIND) function attribute_in_c(comm, keyval, width) bind(c)
      import :: MPI_ADDRESS_KIND
      integer, value :: comm, keyval, width
    end function
    integer function attribute_of_c(val) bind(c)
      import :: MPI_ADDRESS_KIND
      integer(MPI_ADDRESS_KIND), value :: val
    end function
  end interface
  integer :: ierr, ranks, end_keyval
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, end_keyval, promised, ierr)
  call MPI_Comm_set_attr(MPI_COMM_SELF, end_keyval, promised, ierr)
  call predefined()
  call own_attributes()
  call attributes_of_c()
  call error_handlers()
#if BINDING != 8
  call old_attributes()
  call old_error_handlers()
#endif
  call MPI_Finalize(ierr)
contains
  subroutine tell(what, right)
    character(*), intent(in) :: what
    logical, intent(in) :: right
    integer :: mine, all
    mine = merge(1, 0, right)
    call MPI_Reduce(mine, all, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
    if (rank == 0) print '(a, a, i0)', what, ': ', all
  end subroutine

  subroutine predefined()
    integer, parameter :: keys(7) = &
      [MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE, MPI_APPNUM, MPI_LASTUSEDCODE]
    integer(MPI_ADDRESS_KIND) :: val
    integer :: i
    logical :: flag
#if BINDING != 8
    integer :: old
#endif
    do i = 1, size(keys)
      val = 0
      call MPI_Comm_get_attr(MPI_COMM_WORLD, keys(i), val, flag, ierr)
      if (rank == 0) print '(a, i0, l2, 1x, i0)', 'predefined ', i, flag, merge(val, 0_MPI_ADDRESS_KIND, flag)
#if BINDING != 8
      old = 0
      call MPI_Attr_get(MPI_COMM_WORLD, keys(i), old, flag, ierr)
      if (rank == 0) print '(a, i0, l2, 1x, i0)', 'by the old name ', i, flag, merge(old, 0, flag)
#endif
    end do
  end subroutine

  subroutine own_attributes()
    COMM_T :: twin
    integer :: keyval
    integer(MPI_ADDRESS_KIND) :: val
    logical :: flag
    copies = 0
    deletes = 0
    due = MPI_COMM_WORLD
    call MPI_Comm_create_keyval(copy, remove, keyval, promised, ierr)
    val = 10
    call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, val, ierr)
    val = 17 + rank
    call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, val, ierr)
    call tell('set once more: the first is deleted', deletes == 1)
    val = 0
    call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, val, flag, ierr)
    call tell('set and got', flag .and. val == 17 + rank)
    call tell('set, and C got it', attribute_in_c(HANDLE(MPI_COMM_WORLD), keyval, 8) == 17 + rank)
    call MPI_Comm_dup(MPI_COMM_WORLD, twin, ierr)
    call tell('copied for a copy', copies == 1)
    val = 0
    call MPI_Comm_get_attr(twin, keyval, val, flag, ierr)
    call tell('the copy has it', flag .and. val == 18 + rank)
    call tell('the copy has it, for C', attribute_in_c(HANDLE(twin), keyval, 8) == 18 + rank)
    due = twin
    call MPI_Comm_free(twin, ierr)
    call tell('deleted with the copy', deletes == 2)
    due = MPI_COMM_WORLD
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval, ierr)
    call tell('deleted', ierr == MPI_SUCCESS .and. deletes == 3)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, val, flag, ierr)
    call tell('gone', .not. flag)
    call MPI_Comm_free_keyval(keyval, ierr)
  end subroutine

  subroutine attributes_of_c()
    COMM_T :: twin
    integer :: keyval
    integer(MPI_ADDRESS_KIND) :: val
    logical :: flag
    keyval = attribute_of_c(int(25 + rank, MPI_ADDRESS_KIND))
    call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, val, flag, ierr)
    call tell('set in C', flag .and. val == 25 + rank)
    call MPI_Comm_dup(MPI_COMM_WORLD, twin, ierr)
    call MPI_Comm_get_attr(twin, keyval, val, flag, ierr)
    call tell('set in C, copied', flag .and. val == 25 + rank)
    call MPI_Comm_free(twin, ierr)
  end subroutine

  subroutine error_handlers()
    COMM_T :: twin
    ERRHANDLER_T :: before, handler, other, found
    errors = 0
    others = 0
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, before, ierr)
    call tell('fatal at first', before == MPI_ERRORS_ARE_FATAL)
    call MPI_Comm_dup(MPI_COMM_WORLD, twin, ierr)
    call MPI_Comm_create_errhandler(on_error, handler, ierr)
    call MPI_Comm_create_errhandler(on_other_error, other, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, ierr)
    call MPI_Comm_set_errhandler(twin, other, ierr)
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, found, ierr)
    call tell('handler set and got', found == handler)
    call MPI_Errhandler_free(found, ierr)
    call MPI_Errhandler_free(handler, ierr) ! it lives on
    call MPI_Errhandler_free(other, ierr)
    due = MPI_COMM_WORLD
    call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER, ierr)
    call tell('handler called', errors == 1)
    call MPI_Send(rank, 1, MPI_INTEGER, ranks + 5, 1, MPI_COMM_WORLD, ierr)
    call tell('a bad rank', errors == 2 .and. ierr /= MPI_SUCCESS)
    due = twin
    call MPI_Send(rank, 1, MPI_INTEGER, ranks + 5, 1, twin, ierr)
    call tell('a bad rank of the copy', errors == 2 .and. others == 1)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, before, ierr)
    call MPI_Comm_free(twin, ierr)
  end subroutine

#if BINDING != 8
  subroutine old_attributes()
    integer :: twin, keyval, val
    logical :: flag
    copies = 0
    deletes = 0
    due = MPI_COMM_WORLD
    call MPI_Keyval_create(old_copy, old_remove, keyval, int(promised), ierr)
    call MPI_Attr_put(MPI_COMM_WORLD, keyval, 30 + rank, ierr)
    val = 0
    call MPI_Attr_get(MPI_COMM_WORLD, keyval, val, flag, ierr)
    call tell('put and got', flag .and. val == 30 + rank)
    call tell('put, and C got it', attribute_in_c(MPI_COMM_WORLD, keyval, 4) == 30 + rank)
    call MPI_Comm_dup(MPI_COMM_WORLD, twin, ierr)
    call MPI_Attr_get(twin, keyval, val, flag, ierr)
    call tell('put and copied', flag .and. val == 31 + rank .and. copies == 1)
    due = twin
    call MPI_Comm_free(twin, ierr)
    due = MPI_COMM_WORLD
    call MPI_Attr_delete(MPI_COMM_WORLD, keyval, ierr)
    call MPI_Attr_get(MPI_COMM_WORLD, keyval, val, flag, ierr)
    call tell('put and deleted', deletes == 2 .and. .not. flag)
    call MPI_Keyval_free(keyval, ierr)
  end subroutine

  subroutine old_error_handlers()
    integer :: before, handler, found
    errors = 0
    due = MPI_COMM_WORLD
    call MPI_Errhandler_get(MPI_COMM_WORLD, before, ierr)
    call MPI_Errhandler_create(on_error, handler, ierr)
    call MPI_Errhandler_set(MPI_COMM_WORLD, handler, ierr)
    call MPI_Errhandler_get(MPI_COMM_WORLD, found, ierr)
    call tell('handler of the old kind', found == handler)
    call MPI_Send(rank, 1, MPI_INTEGER, ranks + 5, 1, MPI_COMM_WORLD, ierr)
    call tell('a bad rank, once more', errors == 1 .and. ierr /= MPI_SUCCESS)
    call MPI_Errhandler_set(MPI_COMM_WORLD, before, ierr)
  end subroutine
#endif
end program
