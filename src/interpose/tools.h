/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tools.h - other tools in this process that wrap MPI's functions by defining MPI_X and calling
 * PMPI_X: profilers, tracers. Tools after this library in symbol order are called by its wrappers
 * (interpose.h). Tools before it, in the program itself or preloaded first, call its PMPI_ entries;
 * so do the Fortran wrappers of any tool.
 */
#ifndef RESEAT_TOOLS_H
#define RESEAT_TOOLS_H

/* Returns 1 if this address is in the code of such a tool, and not in the program. */
int tools_contain(const void *address);

/* Returns 1 if this address is in the library of MPI, or in this one; -1 if that is not known,
 * because the program has one of them in itself. */
int tools_is_mpi(const void *address);

/* Returns 1 if a function of the library of MPI is among the callers. */
int tools_mpi_calls(void);

/* Returns 1 if a tool has called the PMPI_ form of `function` on its own behalf: the call returns
 * to `address`, in a function MPI_Y of the tool or in one called from there, where Y is not a form
 * of the same function. */
int tools_made(const char *function, const void *address);

/* The function of this name that a tool after this library defines: one that is not in the library
 * that defines `real`, which is the MPI or a tool that defines both. NULL: none. */
void *tools_behind(const char *name, const void *real);

#endif
