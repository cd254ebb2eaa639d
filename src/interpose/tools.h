/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tools.h - other tools in this process that wrap MPI's functions by defining MPI_X and calling
 * PMPI_X: profilers, tracers. Those behind this library in the order of symbols are called by its
 * wrappers (interpose.h). Those before it, in the program itself or preloaded first, call its PMPI_
 * entries; so do Fortran wrappers of any tool.
 */
#ifndef RESEAT_TOOLS_H
#define RESEAT_TOOLS_H

/* Whether this address is in the code of such a tool, and not in the program. */
int tools_contain(const void *address);

/* Whether a tool has made a call of the PMPI_ form of `function` on its own account: a call that
 * returns to `address`, in a function MPI_Y of the tool, or in one that this has called, where Y is
 * not a form of the same. */
int tools_made(const char *function, const void *address);

/* The tool's function of this name behind this library: one that is not in the library that defines
 * `real`, which is the MPI's or a tool's that defines both. NULL: none. */
void *tools_behind(const char *name, const void *real);

#endif
