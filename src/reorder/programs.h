/* SPDX-License-Identifier: BSD-3-Clause */
/* programs.h - whether the ranks of a job are interchangeable: a better order gives the role of one
 * to another. */
#ifndef RESEAT_PROGRAMS_H
#define RESEAT_PROGRAMS_H

#include <stdint.h>

/* The same in processes that run the same program with the same arguments and were started by one
 * part of a command (`mpirun -n 1 a : -n 2 b` has two). */
uint64_t programs_hash(void);

#endif
