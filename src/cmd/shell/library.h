/* SPDX-License-Identifier: BSD-3-Clause */
/* library.h - where our modules are (library.c). */
#ifndef RESEAT_LIBRARY_H
#define RESEAT_LIBRARY_H

/* Find a module of ours. 0, or -1: `where` lists the places that were searched. */
enum { LIBRARY_PATH_SIZE = 4096, LIBRARY_WHERE_SIZE = 3 * 4096 };
int locate_module(const char *name, char path[LIBRARY_PATH_SIZE], char where[LIBRARY_WHERE_SIZE]);

#endif
