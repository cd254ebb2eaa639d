/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * key-space.h - which ranks have loaded this library. Each of them puts a number into the
 * launcher's key-value space before MPI starts, MPI's own startup distributes it, and then any rank
 * can look up any other, whatever that one is doing.
 */
#ifndef RESEAT_KEY_SPACE_H
#define RESEAT_KEY_SPACE_H

/* Before MPI_Init or the first session: put `value` (0 .. 2^31 - 1) where the others will find it.
 * Does nothing if there is no key-value space. */
void key_space_put(int value);

/* Afterwards: 0 if the launcher's space has what this rank has put, else -1. */
int key_space_check(void);

/* Returns the value that a rank has put, by its number in the launcher's job, which is its rank in
 * MPI_COMM_WORLD; -1: none. Local, apart from a query to the launcher; waits at most `seconds`.
 * Only after key_space_check has returned 0. */
int key_space_get(int rank, int seconds);

/* When a collective call of ours has taken too long, again and again: tell the others so. Returns 1
 * once all `size` ranks have. The launcher's server has to take what is put while the job runs, so
 * PMIx only; 0 elsewhere. */
int key_space_all_wait(int size);

/* The name of the space that was tried, for messages. */
const char *key_space_name(void);

/* ---- the spaces: PMIx (key-space-pmix.c), PMI-1 by its file descriptor (key-space-pmi.c) ---- */
void key_space_pmix_put(int value);
int key_space_pmix_get(int rank, int seconds);
int key_space_pmix_all_wait(int size);
void key_space_pmi_put(int value);
int key_space_pmi_get(int rank);

#endif
