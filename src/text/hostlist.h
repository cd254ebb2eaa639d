/* SPDX-License-Identifier: BSD-3-Clause */
/* hostlist.h - lists of names as Slurm writes them: "n[01-04,7],login". */
#ifndef RESEAT_HOSTLIST_H
#define RESEAT_HOSTLIST_H

/* The most names that a list may have, so that a typing error cannot exhaust a job's memory. */
enum { HOSTLIST_MOST_NAMES = 1 << 20 };

/* Gets one name of a list; a nonzero result ends the list there. */
typedef int hostlist_name_fn(void *context, const char *name);

/*
 * Call `take` for each name of the list in `text`, in order. A range keeps the width of its first
 * number; a name may have several brackets. Returns 0; -1 with *reason, a constant; or what `take`
 * returned.
 */
int hostlist_expand(const char *text, hostlist_name_fn *take, void *context, const char **reason);

#endif
