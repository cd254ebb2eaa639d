! SPDX-License-Identifier: BSD-3-Clause
! calls-for-tools.F90 - calls that counting-tool.c wraps in C, and in Fortran when it has such wrappers: rings of
! 100 bytes.
program wrapped
    implicit none
    include 'mpif.h'
    integer :: ierror, rank, ranks, step, request, total, got, keyval
    integer(kind=MPI_ADDRESS_KIND) :: state, found
    logical :: is_there
    integer :: mine(25), theirs(25)
    call mpi_init(ierror)
    call mpi_comm_rank(MPI_COMM_WORLD, rank, ierror)
    call mpi_comm_size(MPI_COMM_WORLD, ranks, ierror)
    total = 0
    do step = 1, 3
        mine = rank*step
        call mpi_irecv(theirs, 25, MPI_INTEGER, mod(rank - step + ranks, ranks), 1, MPI_COMM_WORLD, request, ierror)
        call mpi_send(mine, 25, MPI_INTEGER, mod(rank + step, ranks), 1, MPI_COMM_WORLD, ierror)
        call mpi_wait(request, MPI_STATUS_IGNORE, ierror)
        got = theirs(25)*(rank + 1)
        call mpi_allreduce(got, theirs, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        total = total + theirs(1)
    end do
    got = total
    call mpi_bcast(got, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    state = 4711
    call mpi_comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, state, ierror)
    call mpi_comm_set_attr(MPI_COMM_WORLD, keyval, state, ierror)
    call mpi_comm_get_attr(MPI_COMM_WORLD, keyval, found, is_there, ierror)
    print '(a,i0,a,i0,a,i0,a,i0,l2)', 'rank ', rank, ' total ', total, ' ', got, ' attribute ', found, is_there
    call mpi_finalize(ierror)
end program wrapped
