/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * key-space.h - which ranks have loaded this library, told by the launcher: each of them puts a
 * number into the launcher's key-value space before MPI starts, MPI's own start distributes it, and
 * then any rank can look up any other, whatever that one does.
 */
#ifndef RESEAT_KEY_SPACE_H
#define RESEAT_KEY_SPACE_H

/* Before MPI_Init or the first session: `value` (0 .. 2^31 - 1) is what the others will find. Where
 * that cannot be had nothing happens. */
void key_space_put(int value);

/* After it: 0 when this launcher's space has what was put here, else -1. */
int key_space_check(void);

/* What the rank has put, by its number in the launcher's job, which is that in MPI_COMM_WORLD; -1:
 * nothing. Local but for a question to the launcher; waits at most `seconds`. Only after
 * key_space_check has returned 0. */
int key_space_get(int rank, int seconds);

/* What was tried, for a person. */
const char *key_space_name(void);

/* ---- the spaces: PMIx (key-space-pmix.c), PMI-1 by its file descriptor (key-space-pmi.c) ---- */
void key_space_pmix_put(int value);
int key_space_pmix_get(int rank, int seconds);
void key_space_pmi_put(int value);
int key_space_pmi_get(int rank);

#endif
