/* SPDX-License-Identifier: BSD-3-Clause */
/* emit.h - a mapping as a file for a launcher, so that the program starts in the better order and
 * nothing needs to be preloaded; and the words that make the launcher use it. */
#ifndef RESEAT_EMIT_H
#define RESEAT_EMIT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "text/error.h"
#include "launcher/launcher.h"

/* The seat that a rank is to get. */
struct emit_seat {
    const char *host;
    int32_t core;      /* logical index on the host, -1: anywhere there */
    const char *slots; /* for a rankfile: what follows `slot=`; NULL: the core */
    const char *cpus;  /* PUs by OS numbers, "0-3,8"; NULL: those of the core */
};

/* The words to add to a launcher's command line, and to its environment. */
struct emit_use {
    const struct launcher_format *format;
    int count;
    char *words[12]; /* ended by NULL */
    char *value;     /* of the format's variable; NULL: none */
};

/*
 * Write the file of `format` for `ranks` ranks; slot_of is for the format that numbers slots.
 * Returns 0, or -1 with *error: the format needs cores and a rank has none, or slots without gaps
 * and one is empty, a host name is not valid, or memory runs out. The caller checks `file` for
 * write errors.
 */
int emit(FILE *file, const struct launcher_format *format, const struct emit_seat *seats,
         const int32_t *slot_of, int32_t ranks, struct reseat_error *error);

/*
 * Finds how to use the file of `format` at `path`, with a list of PUs if emit_binding makes one. 0,
 * or -1: out of memory, and nothing to free.
 */
int emit_use(struct emit_use *use, const struct launcher_format *format, const char *path,
             const struct emit_seat *seats, int32_t ranks);
void emit_use_free(struct emit_use *use);

/* Returns 1 if the launcher cannot handle this path. */
static inline int emit_bad_path(const struct launcher_format *format, const char *path)
{
    return format->no_dash && strchr(path, '-') != NULL;
}

/* ---- emit-binding.c ---- */

int emit_same_host(const struct emit_seat *seats, int32_t a, int32_t b);

/*
 * For how many ranks Hydra needs entries in its list of hosts. It wraps around at the end of the
 * list, so the shortest prefix that yields the whole order is enough:
 *
 *   hosts by rank   a b a b a b     entries   a b               2: each host stands there once
 *   hosts by rank   a b b a a       entries   a b b a a         5: a comes back
 *
 * The prefix is used only if each host then stands in one place, because Hydra takes every entry
 * that comes back to a host for another node.
 */
int32_t emit_hydra_entries(const struct emit_seat *seats, int32_t ranks);

/* Returns 1 if a host comes back in that list nevertheless. */
int emit_hydra_comes_back(const struct emit_seat *seats, int32_t ranks);

/*
 * Hydra and Slurm bind by one list for all hosts: entry i is for the i-th rank of each. *text,
 * which the caller frees, gets the list as `format` wants it, or NULL if there is none: a format
 * without lists, ranks whose PUs are not known, hosts that need different lists, or a host that
 * comes back in Hydra's list. 0, or -1: out of memory.
 */
int emit_binding(char **text, const struct launcher_format *format, const struct emit_seat *seats,
                 int32_t ranks);

#endif
