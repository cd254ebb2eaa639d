/* SPDX-License-Identifier: BSD-3-Clause */
/* emit.h - a mapping as a file that a launcher obeys, so that the program starts in the better
 * order and nothing needs to be preloaded. */
#ifndef RESEAT_EMIT_H
#define RESEAT_EMIT_H

#include <stdint.h>
#include <stdio.h>

/* Where a rank shall run. */
struct emit_seat {
    const char *host;
    int32_t core; /* logical index on the host, -1: anywhere there */
};

/* Whether there is a format of this name; NULL as name: a list of all in *names. */
int emit_knows(const char *format, const char **names);

/*
 * Write the file of `format` for `ranks` ranks; slot_of is for the format that numbers slots.
 * Returns 0, or -1 with `why` (256 bytes) filled: the format needs cores and a rank has none. Write
 * errors stay in `file`.
 */
int emit(FILE *file, const char *format, const struct emit_seat *seats, const int32_t *slot_of,
         int32_t ranks, char *why);

#endif
