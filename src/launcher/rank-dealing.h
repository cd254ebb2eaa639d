/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank-dealing.h - how launchers deal ranks to a machine by their own options, without any file:
 * which options there are, and where each rank then sits. rank-dealing.c has those that deal ranks
 * to hosts in turns and then to units inside a host; rank-dealing-openmpi.c those that map and rank
 * apart.
 *
 * The facts about each are from its sources or its manual; tests/cluster/layouts.tap compares them
 * with where ranks of real jobs sit.
 */
#ifndef RESEAT_RANK_DEALING_H
#define RESEAT_RANK_DEALING_H

#include <stdint.h>

/* From the outermost to the innermost. */
enum launcher_unit {
    LAUNCHER_UNIT_NODE,
    LAUNCHER_UNIT_PACKAGE,
    LAUNCHER_UNIT_NUMA,
    LAUNCHER_UNIT_L3,
    LAUNCHER_UNIT_L2,
    LAUNCHER_UNIT_L1,
    LAUNCHER_UNIT_CORE,
    LAUNCHER_UNIT_THREAD,
    LAUNCHER_UNITS
};

/*
 * A machine as launchers see it. Its slots are numbered host by host, in the order in which the
 * launcher goes through the hosts, and on a host as its units are; each takes one rank.
 */
struct launcher_machine {
    int32_t slots, nodes;
    /* By slot: the number of its object of that kind, counted through the whole machine, never
     * falling; NULL: there are none. Node is always there. */
    const int32_t *object_of[LAUNCHER_UNITS];
    /* The kind of a slot, to which a rank is bound. LAUNCHER_UNITS: not known, and then only hosts
     * count: the slots of a host are places that the launcher gives to its ranks in this order
     * whatever they are. */
    enum launcher_unit slot;
};

enum launcher_family {
    LAUNCHER_FAMILY_OPENMPI,
    LAUNCHER_FAMILY_OPENMPI5,
    LAUNCHER_FAMILY_HYDRA,
    LAUNCHER_FAMILY_SRUN,
    LAUNCHER_FAMILY_CRAY,
    LAUNCHER_FAMILY_FLUX,
    LAUNCHER_FAMILY_JSRUN,
    LAUNCHER_FAMILIES
};

/* A word for scripts ("openmpi5") and one for people ("Open MPI 5"). */
const char *launcher_family_name(enum launcher_family family);
const char *launcher_family_title(enum launcher_family family);

enum { LAUNCHER_WORDS = 128 };

/* Gets the words of an option, and slot_of[rank]; both are the caller's and do not last. */
typedef void launcher_option_fn(void *context, const char *words, const int32_t *slot_of);

/*
 * Call `visit` for each option, or set of them, by which the launchers of a family deal `ranks`
 * ranks to this machine, one to a slot: common words first, so that of several with the same result
 * the first one is the one to take. An option is left out where this machine lacks what it names,
 * where it would put two ranks on a unit, and where what it does is not certain: srun, Cray, Flux
 * and jsrun with fewer ranks than slots. 0, or -1: out of memory.
 */
int launcher_visit_options(enum launcher_family family, const struct launcher_machine *machine,
                           int32_t ranks, launcher_option_fn *visit, void *context);

#endif
