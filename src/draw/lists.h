/* SPDX-License-Identifier: BSD-3-Clause */
/* lists.h - many names or numbers in few characters: "n[1-3,7]", "0-3,8". */
#ifndef RESEAT_LISTS_H
#define RESEAT_LISTS_H

#include <stdint.h>
#include <stdio.h>

/* Names as Slurm writes them, sorted; `width` is about how many characters there may be before the
 * rest is left out (",..."). 0, or -1: out of memory. */
int draw_names(FILE *file, char *const *names, int32_t count, int width);

/* Numbers, sorted. 0, or -1: out of memory. */
int draw_numbers(FILE *file, const int32_t *numbers, int32_t count, int width);

#endif
