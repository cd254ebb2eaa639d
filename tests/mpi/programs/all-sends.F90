! SPDX-License-Identifier: BSD-3-Clause
! What sends.c, one-sided.c, phases.c and derived-communicators.c do, from Fortran: every kind of send, one-sided
! operations, communicators made in every way, a phase; the program keeps its own books, PREFIX.p2p.RANK
! and PREFIX.osc.RANK with lines `source target msgs bytes`.
! Usage: all-sends PREFIX [others]; `all-sends` alone spawns, and `all-sends PREFIX abort` ends with MPI_Abort.
#include "binding.F90"

module books
  use binding
  implicit none
  integer, parameter :: most = 64, p2p = 1, osc = 2
  integer(8) :: msgs(0:most - 1, 2) = 0, bytes(0:most - 1, 2) = 0
  integer :: rank, ranks, ierr
  integer, target :: out(1024) = 0, in(1024) = 0
contains
  subroutine expect(role, length, part)
    integer, intent(in) :: role, length, part
    msgs(role, part) = msgs(role, part) + 1
    bytes(role, part) = bytes(role, part) + length
  end subroutine

  subroutine write_books(prefix)
    character(*), intent(in) :: prefix
    character(3), parameter :: parts(2) = ['p2p', 'osc']
    character(8) :: number
    integer :: unit, part, i
    write (number, '(i0)') rank
    do part = 1, 2
      open (newunit=unit, file=trim(prefix)//'.'//parts(part)//'.'//trim(number))
      do i = 0, most - 1
        if (msgs(i, part) > 0) write (unit, '(*(i0, 1x))') rank, i, msgs(i, part), bytes(i, part)
      end do
      close (unit)
    end do
  end subroutine

  integer function to(step)
    integer, intent(in) :: step
    to = mod(rank + step, ranks)
  end function

  integer function from(step)
    integer, intent(in) :: step
    from = mod(rank + ranks - step, ranks)
  end function
end module

module point_to_point
  use books
  implicit none
  REQUEST_T :: requests(2)
contains
  ! Another tag for each exchange is not needed: all messages come from known ranks.
  subroutine open_receive(step)
    integer, intent(in) :: step
    call MPI_Irecv(in, N(4096), MPI_BYTE, from(step), 1, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr) ! a ready send may follow
  end subroutine

  subroutine wait()
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE, ierr)
  end subroutine

  subroutine blocking()
    requests(2) = MPI_REQUEST_NULL
    call open_receive(1)
    call MPI_Send(out, N(11), MPI_INTEGER, to(1), 1, MPI_COMM_WORLD, ierr)
    call expect(to(1), 44, p2p)
    call wait()
    call open_receive(1)
    call MPI_Bsend(out, N(100), MPI_BYTE, to(1), 1, MPI_COMM_WORLD, ierr)
    call expect(to(1), 100, p2p)
    call wait()
    call open_receive(2)
    call MPI_Ssend(out, N(3), MPI_DOUBLE_PRECISION, to(2), 1, MPI_COMM_WORLD, ierr)
    call expect(to(2), 24, p2p)
    call wait()
    call open_receive(3)
    call MPI_Rsend(out, N(0), MPI_INTEGER, to(3), 1, MPI_COMM_WORLD, ierr)
    call expect(to(3), 0, p2p)
    call wait()
    call MPI_Send(out, N(5), MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, ierr)
  end subroutine

  subroutine nonblocking()
    call open_receive(1)
    call MPI_Isend(out, N(10), MPI_CHARACTER, to(1), 1, MPI_COMM_WORLD, requests(2), ierr)
    call expect(to(1), 10, p2p)
    call wait()
    call open_receive(2)
    call MPI_Issend(out, N(20), MPI_CHARACTER, to(2), 1, MPI_COMM_WORLD, requests(2), ierr)
    call expect(to(2), 20, p2p)
    call wait()
    call open_receive(3)
    call MPI_Ibsend(out, N(30), MPI_CHARACTER, to(3), 1, MPI_COMM_WORLD, requests(2), ierr)
    call expect(to(3), 30, p2p)
    call wait()
    call open_receive(1)
    call MPI_Irsend(out, N(40), MPI_CHARACTER, to(1), 1, MPI_COMM_WORLD, requests(2), ierr)
    call expect(to(1), 40, p2p)
    call wait()
  end subroutine

  ! Started twice by one call and once by the other.
  subroutine start(step, length)
    integer, intent(in) :: step, length
    integer :: i
    do i = 1, 2
      call open_receive(step)
      call MPI_Start(requests(2), ierr)
      call expect(to(step), length, p2p)
      call wait()
    end do
    call open_receive(step)
    call MPI_Startall(1, requests(2:2), ierr)
    call expect(to(step), length, p2p)
    call wait()
    call MPI_Request_free(requests(2), ierr)
  end subroutine

  subroutine persistent()
    call MPI_Send_init(out, N(7), MPI_BYTE, to(1), 1, MPI_COMM_WORLD, requests(2), ierr)
    call start(1, 7)
    call MPI_Ssend_init(out, N(8), MPI_BYTE, to(2), 1, MPI_COMM_WORLD, requests(2), ierr)
    call start(2, 8)
    call MPI_Bsend_init(out, N(9), MPI_BYTE, to(3), 1, MPI_COMM_WORLD, requests(2), ierr)
    call start(3, 9)
    call MPI_Rsend_init(out, N(10), MPI_BYTE, to(1), 1, MPI_COMM_WORLD, requests(2), ierr)
    call start(1, 10)
  end subroutine

  subroutine exchanges()
    call MPI_Sendrecv(out, N(5), MPI_INTEGER, to(1), 2, in, N(4096), MPI_BYTE, MPI_ANY_SOURCE, 2, &
      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call expect(to(1), 20, p2p)
    call MPI_Sendrecv_replace(out, N(6), MPI_INTEGER, to(2), 3, from(2), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call expect(to(2), 24, p2p)
    call MPI_Sendrecv(out, N(9), MPI_BYTE, rank, 4, in, N(9), MPI_BYTE, rank, 4, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr)
    call expect(rank, 9, p2p)
    call MPI_Sendrecv(out, N(5), MPI_INTEGER, MPI_PROC_NULL, 5, in, N(1), MPI_BYTE, MPI_PROC_NULL, 5, &
      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine

#ifdef HAVE_MPI4
  subroutine exchanges_later()
    requests(2) = MPI_REQUEST_NULL
    call MPI_Isendrecv(out, N(15), MPI_BYTE, to(1), 2, in, N(15), MPI_BYTE, from(1), 2, MPI_COMM_WORLD, &
      requests(1), ierr)
    call expect(to(1), 15, p2p)
    call wait()
    call MPI_Isendrecv_replace(out, N(16), MPI_BYTE, to(2), 3, from(2), 3, MPI_COMM_WORLD, requests(1), ierr)
    call expect(to(2), 16, p2p)
    call wait()
  end subroutine
#endif

#if defined(HAVE_MPI4) && !defined(NO_PARTITIONED)
  ! Two parts of 12 bytes, one message.
  subroutine partitioned()
    integer :: i
    call MPI_Psend_init(out, 2, 12_MPI_COUNT_KIND, MPI_BYTE, to(2), 6, MPI_COMM_WORLD, MPI_INFO_NULL, &
      requests(2), ierr)
    call MPI_Precv_init(in, 2, 12_MPI_COUNT_KIND, MPI_BYTE, from(2), 6, MPI_COMM_WORLD, MPI_INFO_NULL, &
      requests(1), ierr)
    do i = 1, 2
      call MPI_Startall(2, requests, ierr)
      call expect(to(2), 24, p2p)
      call MPI_Pready(0, requests(2), ierr)
      call MPI_Pready(1, requests(2), ierr)
      call wait()
    end do
    call MPI_Request_free(requests(1), ierr)
    call MPI_Request_free(requests(2), ierr)
  end subroutine
#endif

  ! With holes: only what is in it travels.
  subroutine derived_type()
    DATATYPE_T :: strided
    requests(2) = MPI_REQUEST_NULL
    call MPI_Type_vector(4, 2, 5, MPI_INTEGER, strided, ierr)
    call MPI_Type_commit(strided, ierr)
    call open_receive(1)
    call MPI_Send(out, N(3), strided, to(1), 1, MPI_COMM_WORLD, ierr)
    call expect(to(1), 96, p2p)
    call wait()
    call MPI_Type_free(strided, ierr)
  end subroutine

#if BINDING == 8
  ! Every third element: mpi_f08 makes a type of it, where MPI has that.
  subroutine section()
    if (.not. MPI_SUBARRAYS_SUPPORTED) return
    call open_receive(1)
    call MPI_Isend(out(1:30:3), N(10), MPI_INTEGER, to(1), 1, MPI_COMM_WORLD, requests(2), ierr)
    call expect(to(1), 40, p2p)
    call wait()
  end subroutine
#endif

  subroutine sends()
    integer, save :: buffer(4096)
    integer :: size_of
    POINTER_T :: address
    call MPI_Buffer_attach(buffer, 16384, ierr)
    call blocking()
    call nonblocking()
    call persistent()
    call exchanges()
#ifdef HAVE_MPI4
    call exchanges_later()
#endif
#if defined(HAVE_MPI4) && !defined(NO_PARTITIONED)
    call partitioned()
#endif
    call derived_type()
#if BINDING == 8
    call section()
#endif
    call MPI_Buffer_detach(address, size_of, ierr)
  end subroutine
end module

module one_sided
  use books
  implicit none
  integer, target :: table(64) = 0
  integer(MPI_ADDRESS_KIND), parameter :: start = 0, eighth = 8
contains
  ! A get moves bytes from the target to here: all do the same, so this rank's are those that others get.
  subroutine moves(win)
    WIN_T, intent(in) :: win
    REQUEST_T :: request
    DATATYPE_T :: pairs
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, pairs, ierr) ! true size 8, extent 12
    call MPI_Type_commit(pairs, ierr)
    call MPI_Win_lock_all(0, win, ierr)
    call MPI_Put(out, N(3), MPI_INTEGER, to(1), start, N(3), MPI_INTEGER, win, ierr)
    call expect(to(1), 12, osc)
    call MPI_Put(out, N(1), pairs, to(1), start, N(2), MPI_INTEGER, win, ierr)
    call expect(to(1), 8, osc)
    call MPI_Put(out, N(3), MPI_INTEGER, MPI_PROC_NULL, start, N(3), MPI_INTEGER, win, ierr)
    call MPI_Rput(out, N(5), MPI_INTEGER, to(2), start, N(5), MPI_INTEGER, win, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(to(2), 20, osc)
    call MPI_Get(in, N(4), MPI_INTEGER, to(1), start, N(4), MPI_INTEGER, win, ierr)
    call expect(from(1), 16, osc)
    call MPI_Win_flush_all(win, ierr)
    call MPI_Rget(in, N(6), MPI_INTEGER, to(3), start, N(6), MPI_INTEGER, win, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(from(3), 24, osc)
    call MPI_Win_unlock_all(win, ierr)
    call MPI_Type_free(pairs, ierr)
  end subroutine

  subroutine accumulates(win)
    WIN_T, intent(in) :: win
    REQUEST_T :: request
    call MPI_Win_lock_all(0, win, ierr)
    call MPI_Accumulate(out, N(2), MPI_INTEGER, to(1), eighth, N(2), MPI_INTEGER, MPI_SUM, win, ierr)
    call expect(to(1), 8, osc)
    call MPI_Raccumulate(out, N(3), MPI_INTEGER, to(1), eighth, N(3), MPI_INTEGER, MPI_SUM, win, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(to(1), 12, osc)
    call MPI_Get_accumulate(out, N(2), MPI_INTEGER, in, N(2), MPI_INTEGER, to(1), eighth, N(2), MPI_INTEGER, &
      MPI_SUM, win, ierr)
    call expect(to(1), 8, osc)
    call expect(from(1), 8, osc)
    call MPI_Win_flush_all(win, ierr)
    call MPI_Rget_accumulate(out, N(0), MPI_INTEGER, in, N(5), MPI_INTEGER, to(1), eighth, N(5), MPI_INTEGER, &
      MPI_NO_OP, win, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call expect(from(1), 20, osc)
    call MPI_Fetch_and_op(out, in, MPI_INTEGER, to(1), eighth, MPI_SUM, win, ierr)
    call expect(to(1), 4, osc)
    call expect(from(1), 4, osc)
    call MPI_Win_flush_all(win, ierr)
    call MPI_Compare_and_swap(out(1:1), out(2:2), in(1:1), MPI_INTEGER, to(1), eighth, win, ierr)
    call expect(to(1), 8, osc)
    call expect(from(1), 4, osc)
    call MPI_Win_unlock_all(win, ierr)
  end subroutine

  ! In a window of half the processes, ranks are others.
  subroutine halves()
    COMM_T :: half
    WIN_T :: win
    POINTER_T :: memory
    integer :: me, n
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, ierr)
    call MPI_Comm_rank(half, me, ierr)
    call MPI_Comm_size(half, n, ierr)
    call MPI_Win_allocate(256_MPI_ADDRESS_KIND, D(4), MPI_INFO_NULL, half, memory, win, ierr)
    call MPI_Comm_free(half, ierr) ! the window lives on
    call MPI_Win_fence(0, win, ierr)
    call MPI_Put(out, N(7), MPI_INTEGER, mod(me + 1, n), start, N(7), MPI_INTEGER, win, ierr)
    call expect(from(2), 28, osc)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Win_free(win, ierr)
  end subroutine

  subroutine dynamic()
    WIN_T :: win
    integer(MPI_ADDRESS_KIND) :: address(1), theirs(1)
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_attach(win, table, 256_MPI_ADDRESS_KIND, ierr)
    call MPI_Get_address(table, address(1), ierr)
    call MPI_Sendrecv(address, N(1), MPI_AINT, from(1), 1, theirs, N(1), MPI_AINT, to(1), 1, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE, ierr)
    call expect(from(1), 8, p2p)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Put(out, N(9), MPI_INTEGER, to(1), theirs(1), N(9), MPI_INTEGER, win, ierr)
    call expect(to(1), 36, osc)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Win_detach(win, table, ierr)
    call MPI_Win_free(win, ierr)
  end subroutine

  ! MPICH 5.0.2 as Debian builds it shares no memory.
  subroutine shared()
    WIN_T :: win
    POINTER_T :: memory
    integer :: failed
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
    call MPI_Win_allocate_shared(256_MPI_ADDRESS_KIND, D(4), MPI_INFO_NULL, MPI_COMM_WORLD, memory, win, failed)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierr)
    if (failed /= MPI_SUCCESS) &
      call MPI_Win_allocate(256_MPI_ADDRESS_KIND, D(4), MPI_INFO_NULL, MPI_COMM_WORLD, memory, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Put(out, N(11), MPI_INTEGER, to(1), start, N(11), MPI_INTEGER, win, ierr)
    call expect(to(1), 44, osc)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Win_free(win, ierr)
  end subroutine

  subroutine windows()
    WIN_T :: win
    call MPI_Win_create(table, 256_MPI_ADDRESS_KIND, D(4), MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call moves(win)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call accumulates(win)
    call MPI_Win_free(win, ierr)
    call halves()
    call dynamic()
    call shared()
  end subroutine
end module

module communicators
  use books
  implicit none
contains
  ! `world`: the traffic belongs to the world's domain.
  subroutine talk(comm, length, world)
    COMM_T, intent(in) :: comm
    integer, intent(in) :: length
    logical, intent(in) :: world
    GROUP_T :: all, ours
    integer :: me, n, next(1), role(1)
    call MPI_Comm_rank(comm, me, ierr)
    call MPI_Comm_size(comm, n, ierr)
    next = mod(me + 1, n)
    call MPI_Sendrecv(out, N(length), MPI_BYTE, next(1), 1, in, N(4096), MPI_BYTE, mod(me + n - 1, n), 1, comm, &
      MPI_STATUS_IGNORE, ierr)
    call MPI_Comm_group(MPI_COMM_WORLD, all, ierr)
    call MPI_Comm_group(comm, ours, ierr)
    call MPI_Group_translate_ranks(ours, 1, next, all, role, ierr)
    call MPI_Group_free(all, ierr)
    call MPI_Group_free(ours, ierr)
    if (world) call expect(role(1), length, p2p)
  end subroutine

  subroutine copies()
    COMM_T :: twin
    REQUEST_T :: request
    call MPI_Comm_dup(MPI_COMM_WORLD, twin, ierr)
    call talk(twin, 1, .true.)
    call MPI_Comm_free(twin, ierr)
    call MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, twin, ierr)
    call talk(twin, 2, .true.)
    call MPI_Comm_free(twin, ierr)
    call MPI_Comm_idup(MPI_COMM_WORLD, twin, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call talk(twin, 3, .true.)
    call MPI_Comm_disconnect(twin, ierr)
#ifdef HAVE_MPI4
    call MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, twin, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call talk(twin, 4, .true.)
    call MPI_Comm_free(twin, ierr)
#endif
  end subroutine

  ! All but the last rank, in reverse order.
  subroutine parts()
    GROUP_T :: all, some
    COMM_T :: part
    integer :: reverse(most), i
    reverse = [(ranks - 1 - i, i = 1, most)]
    call MPI_Comm_group(MPI_COMM_WORLD, all, ierr)
    call MPI_Group_incl(all, ranks - 1, reverse, some, ierr)
    call MPI_Comm_create(MPI_COMM_WORLD, some, part, ierr)
    if (part /= MPI_COMM_NULL) then
      call talk(part, 5, .true.)
      call MPI_Comm_free(part, ierr)
      call MPI_Comm_create_group(MPI_COMM_WORLD, some, 7, part, ierr)
      call talk(part, 6, .true.)
      call MPI_Comm_free(part, ierr)
    end if
    call MPI_Group_free(all, ierr)
    call MPI_Group_free(some, ierr)
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, part, ierr)
    call talk(part, 7, .true.)
    call MPI_Comm_free(part, ierr)
  end subroutine

  subroutine merged()
    COMM_T :: half, bridge, both
    logical :: upper
    upper = rank >= ranks / 2
    call MPI_Comm_split(MPI_COMM_WORLD, merge(1, 0, upper), rank, half, ierr)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, merge(0, ranks / 2, upper), 9, bridge, ierr)
    call MPI_Intercomm_merge(bridge, .not. upper, both, ierr)
    call talk(both, 8, .true.)
    call MPI_Comm_free(both, ierr)
    call MPI_Comm_free(bridge, ierr)
    call MPI_Comm_free(half, ierr)
  end subroutine

  ! Rings with reorder: four domains; and a row of the grid, which is in its domain.
  subroutine topologies()
    COMM_T :: grid, line, graph
    integer :: dims(2), index(most), edges(most), i
    logical :: periodic(2) = .true., keep(2) = [.true., .false.]
    dims = [ranks / 2, 2]
    index = [(i, i = 1, most)]
    edges = [(mod(i, ranks), i = 1, most)]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, .true., grid, ierr)
    call talk(grid, 9, .false.)
    call MPI_Cart_sub(grid, keep, line, ierr)
    call talk(line, 10, .false.)
    call MPI_Comm_free(line, ierr)
    call MPI_Comm_free(grid, ierr)
    call MPI_Graph_create(MPI_COMM_WORLD, ranks, index, edges, .true., graph, ierr)
    call talk(graph, 11, .false.)
    call MPI_Comm_free(graph, ierr)
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [to(1)], MPI_UNWEIGHTED, MPI_INFO_NULL, .true., &
      graph, ierr)
    call talk(graph, 12, .false.)
    call MPI_Comm_free(graph, ierr)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [from(1)], MPI_UNWEIGHTED, 1, [to(1)], &
      MPI_UNWEIGHTED, MPI_INFO_NULL, .true., graph, ierr)
    call talk(graph, 13, .false.)
    call MPI_Comm_free(graph, ierr)
  end subroutine
end module

! What is not recorded: files, and other jobs.
module elsewhere
  use books
  implicit none
  type, bind(c) :: address ! struct sockaddr_in
    integer(c_int16_t) :: family = 2, port = 0
    integer(c_int8_t) :: host(4) = [127_c_int8_t, 0_c_int8_t, 0_c_int8_t, 1_c_int8_t], zero(8) = 0_c_int8_t
  end type
  interface
    integer(c_int) function c_socket(domain, kind, protocol) bind(c, name='socket')
      import :: c_int
      integer(c_int), value :: domain, kind, protocol
    end function
    integer(c_int) function c_listen(socket, most) bind(c, name='listen')
      import :: c_int
      integer(c_int), value :: socket, most
    end function
    integer(c_int) function c_getsockname(socket, where, length) bind(c, name='getsockname')
      import :: c_int, address
      integer(c_int), value :: socket
      type(address) :: where
      integer(c_int) :: length
    end function
    integer(c_int) function c_accept(socket, where, length) bind(c, name='accept')
      import :: c_int, address
      integer(c_int), value :: socket
      type(address) :: where
      integer(c_int) :: length
    end function
    integer(c_int) function c_connect(socket, where, length) bind(c, name='connect')
      import :: c_int, address
      integer(c_int), value :: socket, length
      type(address) :: where
    end function
  end interface
contains
  ! Ranks 0 and 1 join over a socket; one that listens without being bound gets a port.
  subroutine join()
    COMM_T :: there
    type(address) :: where
    integer :: end, port(1), length = 16, failed
    end = c_socket(2, 1, 0)
    if (rank == 0) then
      failed = c_listen(end, 1)
      failed = c_getsockname(end, where, length)
      port = where%port
      call MPI_Send(port, N(1), MPI_INTEGER, 1, 11, MPI_COMM_WORLD, ierr)
      end = c_accept(end, where, length)
    else
      call MPI_Recv(port, N(1), MPI_INTEGER, 0, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      where%port = int(port(1), c_int16_t)
      if (c_connect(end, where, length) /= 0) call MPI_Abort(MPI_COMM_WORLD, 4, ierr)
    end if
    call MPI_Comm_join(end, there, ierr)
    call MPI_Comm_disconnect(there, ierr)
  end subroutine

  ! A file, and two halves that find each other through a port.
  subroutine others(prefix)
    character(*), intent(in) :: prefix
    character(MPI_MAX_PORT_NAME) :: port(1)
    FILE_T :: file
    COMM_T :: half, there
    logical :: upper
    upper = rank >= ranks / 2
    port = ' '
    call MPI_File_open(MPI_COMM_WORLD, trim(prefix)//'.file', &
      MPI_MODE_CREATE + MPI_MODE_WRONLY + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
    call MPI_File_close(file, ierr)
    call MPI_Comm_split(MPI_COMM_WORLD, merge(1, 0, upper), rank, half, ierr)
    if (rank == 0) call MPI_Open_port(MPI_INFO_NULL, port(1), ierr)
    call MPI_Bcast(port, N(MPI_MAX_PORT_NAME), MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
    if (upper) then
      call MPI_Comm_connect(port(1), MPI_INFO_NULL, 0, half, there, ierr)
    else
      call MPI_Comm_accept(port(1), MPI_INFO_NULL, 0, half, there, ierr)
    end if
    call MPI_Comm_disconnect(there, ierr)
    call MPI_Comm_free(half, ierr)
    if (rank < 2) call join()
  end subroutine

  ! Two more processes, by both calls.
  subroutine spawn()
    character(1000) :: commands(2)
    COMM_T :: parent, there
    INFO_T :: infos(2)
    integer :: each(2) = 1
    call get_command_argument(0, commands(1))
    commands(2) = commands(1)
    infos = MPI_INFO_NULL
    call MPI_Comm_get_parent(parent, ierr)
    if (parent /= MPI_COMM_NULL) then
      call MPI_Comm_disconnect(parent, ierr)
      return
    end if
    call MPI_Comm_spawn(trim(commands(1)), MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, there, &
      MPI_ERRCODES_IGNORE, ierr)
    call MPI_Comm_disconnect(there, ierr)
    call MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, each, infos, 0, MPI_COMM_WORLD, there, &
      MPI_ERRCODES_IGNORE, ierr)
    call MPI_Comm_disconnect(there, ierr)
  end subroutine
end module

program calls
  use point_to_point, only : sends
  use one_sided, only : windows
  use communicators
  use elsewhere
  implicit none
  character(1000) :: prefix, what
  integer :: provided
  call get_command_argument(1, prefix)
  call get_command_argument(2, what)
  call initialize()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  if (prefix == ' ') then
    call spawn()
  else if (what == 'others') then
    call others(trim(prefix))
  else if (what == 'abort') then
    if (rank == 0) call MPI_Abort(MPI_COMM_WORLD, 42, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  else
    call sends()
    call windows()
    call copies()
    call parts()
    call merged()
    call topologies()
    call write_books(prefix)
    call MPI_Pcontrol(2)
    call talk(MPI_COMM_WORLD, 77, .false.)
    call MPI_Pcontrol(0)
  end if
  call MPI_Finalize(ierr)
contains
  ! With a group of sessions where there are some.
  subroutine initialize()
    if (what == 'others') then
      call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    else
      call MPI_Init(ierr)
    end if
#ifdef HAVE_MPI4
    call session()
#endif
  end subroutine

#ifdef HAVE_MPI4
  subroutine session()
#if BINDING == 8
    type(MPI_Session) :: handle
#else
    integer :: handle
#endif
    GROUP_T :: group, halves(2)
    COMM_T :: comm
    integer :: me, members, i, every_second(3, 1)
    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, handle, ierr)
    if (ierr /= MPI_SUCCESS) return
    call MPI_Group_from_session_pset(handle, 'mpi://WORLD', group, ierr)
    call MPI_Comm_create_from_group(group, 'calls', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm, ierr)
    if (ierr == MPI_SUCCESS) call MPI_Comm_free(comm, ierr)
    call MPI_Group_rank(group, me, ierr)
    call MPI_Group_size(group, members, ierr)
    do i = 1, 2
      every_second(:, 1) = [i - 1, members - 1, 2]
      call MPI_Group_range_incl(group, 1, every_second, halves(i), ierr)
    end do
    i = 1 + mod(me, 2)
    call MPI_Intercomm_create_from_groups(halves(i), 0, halves(3 - i), 0, 'calls', MPI_INFO_NULL, MPI_ERRORS_RETURN, &
                                          comm, ierr)
    if (ierr == MPI_SUCCESS) call MPI_Comm_free(comm, ierr)
    call MPI_Group_free(halves(1), ierr)
    call MPI_Group_free(halves(2), ierr)
    call MPI_Group_free(group, ierr)
    call MPI_Session_finalize(handle, ierr)
  end subroutine
#endif
end program
