/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank-variables.h - the launchers' variables with a process's number, which is its rank only while
 * the launch order stays: which of them the application has asked for, one bit each.
 */
#ifndef RESEAT_RANK_VARIABLES_H
#define RESEAT_RANK_VARIABLES_H

enum { RANK_VARIABLES = 4 };

const char *rank_variable_name(int bit);
/* The bit of a name, or -1. Any thread, at any time, before constructors too. */
int rank_variable_find(const char *name);
void rank_variable_add(int bit);
/* All bits that were added here. */
unsigned rank_variable_bits(void);

#endif
