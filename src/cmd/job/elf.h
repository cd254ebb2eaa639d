/* SPDX-License-Identifier: BSD-3-Clause */
/* elf.h - what the file of a program tells about it. */
#ifndef RESEAT_ELF_H
#define RESEAT_ELF_H

#include <limits.h>

enum elf_kind {
    ELF_NONE,   /* not a 64-bit ELF file, or not readable */
    ELF_STATIC, /* it names no dynamic loader: nothing can be preloaded into it */
    ELF_DYNAMIC
};

/* The kind of the file at `path`; `loader` (may be NULL) gets the dynamic loader that it names, or
 * becomes empty. */
enum elf_kind elf_kind_of(const char *path, char loader[PATH_MAX]);

/* Call `see` with the name of each library that the file itself asks the dynamic loader for. */
void elf_needs(const char *path, void (*see)(void *context, const char *library), void *context);

/* The build ID that the linker has put into the file, in hexadecimal digits. 0, or -1: there is
 * none. */
enum { ELF_BUILD_SIZE = 2 * 32 + 1 };
int elf_build_of(const char *path, char build[ELF_BUILD_SIZE]);

/* Returns 1 if our library for this MPI ("mpich") is linked into the program (interpose/linked.c).
 */
int elf_holds_library(const char *path, const char *mpi);

/* Returns 1 if the file itself has this function, by its symbols; 0 also if they were stripped. */
int elf_defines(const char *path, const char *name);

#endif
