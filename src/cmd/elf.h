/* SPDX-License-Identifier: BSD-3-Clause */
/* elf.h - what the file of a program says of itself. */
#ifndef RESEAT_ELF_H
#define RESEAT_ELF_H

#include <limits.h>

enum elf_kind {
    ELF_NONE,   /* not an ELF file of 64 bits, or one that cannot be read */
    ELF_STATIC, /* it names no dynamic loader: nothing can be preloaded into it */
    ELF_DYNAMIC
};

/* The kind of the file at `path`; `loader` (may be NULL) gets the dynamic loader that it names, and
 * is empty otherwise. */
enum elf_kind elf_kind_of(const char *path, char loader[PATH_MAX]);

#endif
