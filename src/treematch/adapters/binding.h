/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * binding.h - the PUs that the calling process may run on, without hwloc: cheap to find out in
 * every process, and short enough to send to one that has read the machine. Not installed.
 */
#ifndef TMAP_BINDING_H
#define TMAP_BINDING_H

#include <limits.h>
#include <stddef.h>

#include "treematch/tmap-hwloc.h"

enum {
    TMAP_BINDING_CPUS = 1 << 16, /* more than any kernel has */
    TMAP_BINDING_BITS = sizeof(unsigned long) * CHAR_BIT,
    TMAP_BINDING_WORDS = TMAP_BINDING_CPUS / TMAP_BINDING_BITS
};

/* PU p, by its OS number, is bit p % TMAP_BINDING_BITS of word p / TMAP_BINDING_BITS. */
struct tmap_binding {
    size_t words; /* the words after these are 0; 0: not bound, or not known */
    unsigned long word[TMAP_BINDING_WORDS];
};

/*
 * The PUs of all threads of the calling process. No words: the calling thread may run on all online
 * PUs, so the process has no place, whatever the machine looks like. If the user has set a variable
 * HWLOC_..., only hwloc knows what that means, and all PUs are listed.
 */
void tmap_binding_read(struct tmap_binding *binding);

/*
 * The place of a process of this system with that binding, as tmap_place_find_self gives it, and
 * whether it is bound; -1 everywhere and 0 when the machine is not this system. TMAP_ENOMEM.
 */
enum tmap_status tmap_machine_find_binding(const struct tmap_machine *machine,
                                           const struct tmap_binding *binding,
                                           struct tmap_place *place, int *bound,
                                           struct tmap_error *error);

#endif
