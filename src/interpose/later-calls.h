/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * later-calls.h - functions with a communicator that other members of MPICH's family, which have
 * one ABI (libmpi.so.12), may have and this machine's mpi.h not: Intel MPI 2021.18 has those of
 * MPI 4.1. A program that attaches a buffer to MPI_COMM_WORLD has to get the communicator that
 * stands for it. generate.awk reads this behind mpi.h: one declaration a line.
 */
#ifndef RESEAT_LATER_CALLS_H
#define RESEAT_LATER_CALLS_H

#include <mpi.h>

/* clang-format off */
int MPI_Comm_attach_buffer(MPI_Comm comm, void *buffer, int size);
int MPI_Comm_attach_buffer_c(MPI_Comm comm, void *buffer, MPI_Count size);
int MPI_Comm_detach_buffer(MPI_Comm comm, void *buffer_addr, int *size);
int MPI_Comm_detach_buffer_c(MPI_Comm comm, void *buffer_addr, MPI_Count *size);
int MPI_Comm_flush_buffer(MPI_Comm comm);
int MPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request *request);
int MPI_Comm_toint(MPI_Comm comm);
int MPIX_Comm_get_failed(MPI_Comm comm, MPI_Group *failedgrp);
int MPIX_Comm_test_threadcomm(MPI_Comm comm, int *flag);
int PMPI_Comm_attach_buffer(MPI_Comm comm, void *buffer, int size);
int PMPI_Comm_attach_buffer_c(MPI_Comm comm, void *buffer, MPI_Count size);
int PMPI_Comm_detach_buffer(MPI_Comm comm, void *buffer_addr, int *size);
int PMPI_Comm_detach_buffer_c(MPI_Comm comm, void *buffer_addr, MPI_Count *size);
int PMPI_Comm_flush_buffer(MPI_Comm comm);
int PMPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request *request);
int PMPI_Comm_toint(MPI_Comm comm);
int PMPIX_Comm_get_failed(MPI_Comm comm, MPI_Group *failedgrp);
int PMPIX_Comm_test_threadcomm(MPI_Comm comm, int *flag);
/* clang-format on */

#endif
