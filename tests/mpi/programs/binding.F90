! SPDX-License-Identifier: BSD-3-Clause
! The three ways of Fortran to MPI, for a source that includes this and then uses the module:
! BINDING=77 mpif.h, 90 `use mpi`, 8 `use mpi_f08`; LARGE: counts and displacements of the large-count
! functions, which mpi_f08 takes for the _c functions of C. N() and D() make such numbers. HAVE_EXTENSIONS: Open
! MPI 4 has persistent collectives by other names.
#if BINDING == 8
#define COMM_T type(MPI_Comm)
#define DATATYPE_T type(MPI_Datatype)
#define ERRHANDLER_T type(MPI_Errhandler)
#define FILE_T type(MPI_File)
#define GROUP_T type(MPI_Group)
#define INFO_T type(MPI_Info)
#define REQUEST_T type(MPI_Request)
#define WIN_T type(MPI_Win)
#define POINTER_T type(c_ptr)
#else
#define COMM_T integer
#define DATATYPE_T integer
#define ERRHANDLER_T integer
#define FILE_T integer
#define GROUP_T integer
#define INFO_T integer
#define REQUEST_T integer
#define WIN_T integer
#define POINTER_T integer(MPI_ADDRESS_KIND)
#endif
#ifdef HAVE_EXTENSIONS
#define MPI_Barrier_init MPIX_Barrier_init
#define MPI_Bcast_init MPIX_Bcast_init
#define MPI_Reduce_init MPIX_Reduce_init
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Gather_init MPIX_Gather_init
#define MPI_Gatherv_init MPIX_Gatherv_init
#define MPI_Scatter_init MPIX_Scatter_init
#define MPI_Scatterv_init MPIX_Scatterv_init
#define MPI_Allgather_init MPIX_Allgather_init
#define MPI_Allgatherv_init MPIX_Allgatherv_init
#define MPI_Alltoall_init MPIX_Alltoall_init
#define MPI_Alltoallv_init MPIX_Alltoallv_init
#define MPI_Alltoallw_init MPIX_Alltoallw_init
#define MPI_Reduce_scatter_init MPIX_Reduce_scatter_init
#define MPI_Reduce_scatter_block_init MPIX_Reduce_scatter_block_init
#define MPI_Scan_init MPIX_Scan_init
#define MPI_Exscan_init MPIX_Exscan_init
#define MPI_Neighbor_allgather_init MPIX_Neighbor_allgather_init
#define MPI_Neighbor_allgatherv_init MPIX_Neighbor_allgatherv_init
#define MPI_Neighbor_alltoall_init MPIX_Neighbor_alltoall_init
#define MPI_Neighbor_alltoallv_init MPIX_Neighbor_alltoallv_init
#define MPI_Neighbor_alltoallw_init MPIX_Neighbor_alltoallw_init
#endif
#define N(x) int(x, ck)
#define D(x) int(x, dk)

module binding
#if BINDING == 8
  use mpi_f08
#elif BINDING == 90
  use mpi
#endif
#if defined HAVE_EXTENSIONS && BINDING == 8
  use mpi_f08_ext
#elif defined HAVE_EXTENSIONS && BINDING == 90
  use mpi_ext
#endif
  use, intrinsic :: iso_c_binding, only : c_ptr, c_int, c_int8_t, c_int16_t
  implicit none
#if BINDING == 77
  include 'mpif.h'
#endif
#ifdef LARGE
  integer, parameter :: ck = MPI_COUNT_KIND, dk = MPI_ADDRESS_KIND
#else
  integer, parameter :: ck = kind(0), dk = kind(0)
#endif
end module
